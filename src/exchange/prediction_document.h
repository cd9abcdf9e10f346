/* Predictions as JSON, "schema": "tare-prediction/1" (man tare-predict). */
#ifndef TARE_EXCHANGE_PREDICTION_DOCUMENT_H
#define TARE_EXCHANGE_PREDICTION_DOCUMENT_H

#include "base/buffer.h"
#include "model/prediction.h"

void prediction_document_write(const struct prediction_list *predictions, struct buffer *out);

#endif
