/* What doctor found as JSON, "schema": "tare-doctor/1" (man tare-doctor). */
#ifndef TARE_EXCHANGE_CHECKUP_DOCUMENT_H
#define TARE_EXCHANGE_CHECKUP_DOCUMENT_H

#include "base/buffer.h"
#include "model/checkup.h"

/* `started`: when the machine was looked at; `summary`: whether it is fit to measure, in words. */
void checkup_document_write(const struct checkup *checkup, const char *started, const char *summary,
                            struct buffer *out);

#endif
