/* The document of `tare analyze --changes --json`: "schema", "series" with the changes of each. */
#ifndef TARE_EXCHANGE_CHANGES_DOCUMENT_H
#define TARE_EXCHANGE_CHANGES_DOCUMENT_H

#include "base/buffer.h"
#include "model/history.h"

void changes_document_write(const struct history *history, struct buffer *out);

#endif
