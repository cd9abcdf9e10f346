/* What a store knows of an experiment beside its result: the key "stored" of a document that came from one. */
#ifndef TARE_EXCHANGE_DOCUMENT_STORED_H
#define TARE_EXCHANGE_DOCUMENT_STORED_H

#include "exchange/json_read.h"
#include "exchange/json_write.h"
#include "model/result.h"

void document_put_stored(struct json_writer *writer, const struct provenance *stored); /* NULL: no key */

/* *out in the arena; NULL where the document has none. -1 and err when out of memory, or it is malformed. */
int document_read_stored(const struct node *document, struct arena *arena, const struct provenance **out,
                         struct error *err);

#endif
