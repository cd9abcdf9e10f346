/* A calibration as JSON, "schema": "tare-calibration/1", and back (man tare-calibrate). */
#ifndef TARE_EXCHANGE_CALIBRATION_DOCUMENT_H
#define TARE_EXCHANGE_CALIBRATION_DOCUMENT_H

#include "base/buffer.h"
#include "base/error.h"
#include "model/calibration.h"

/* Appended to the buffer; -1 and err when memory ran out. */
int calibration_document_write(const struct calibration *calibration, struct buffer *out, struct error *err);

/* Fills an initialised calibration from a file. -1 and err when it cannot be read or is no such document. */
int calibration_document_read(const char *path, struct calibration *out, struct error *err);

#endif
