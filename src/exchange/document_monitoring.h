/* The part of the result document that tells what the machine did meanwhile. */
#ifndef TARE_EXCHANGE_DOCUMENT_MONITORING_H
#define TARE_EXCHANGE_DOCUMENT_MONITORING_H

#include "exchange/json_read.h"
#include "exchange/json_write.h"
#include "model/monitoring.h"

/* The key "monitoring" with its value, null where nothing was watched. */
void document_put_monitoring(struct json_writer *writer, const struct monitoring *monitoring);

/* From the value of that key; what is malformed is left out. -1 and err when out of memory. */
int document_read_monitoring(const struct node *object, struct arena *arena, struct monitoring *out, struct error *err);

#endif
