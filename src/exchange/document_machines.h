/* The machines of a result document: design.machines, and what each comparison says of them. */
#ifndef TARE_EXCHANGE_DOCUMENT_MACHINES_H
#define TARE_EXCHANGE_DOCUMENT_MACHINES_H

#include "exchange/json_read.h"
#include "exchange/json_write.h"
#include "model/result.h"

/* Key "machines" of the open design; a result of one machine has it too. */
void document_put_machines(struct json_writer *writer, const struct result *result);

/* Key "machines" of the open comparison, where the machine is a level. */
void document_put_machines_result(struct json_writer *writer, const struct result *result, const struct comparison *c);

/* -1 and err when out of memory, or numbers are malformed. */
int document_read_machines(const struct node *design, struct arena *arena, struct design_info *out, struct error *err);
int document_read_machines_result(const struct node *comparison, struct result *result, struct comparison *out,
                                  struct error *err);

#endif
