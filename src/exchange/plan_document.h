/* A plan as JSON, "schema": "tare-plan/1", and back (man tare-plan). */
#ifndef TARE_EXCHANGE_PLAN_DOCUMENT_H
#define TARE_EXCHANGE_PLAN_DOCUMENT_H

#include "base/buffer.h"
#include "base/error.h"
#include "model/plan.h"

/* Appended to the buffer; -1 and err when memory ran out. */
int plan_document_write(const struct repeat_plan *plan, struct buffer *out, struct error *err);

/* Fills an initialised plan from a file. -1 and err when it cannot be read or is no plan. */
int plan_document_read(const char *path, struct repeat_plan *out, struct error *err);

#endif
