/* A calibration as text for a terminal: what the machine sees in which design, false alarms, CPUs, a picture. */
#ifndef TARE_REPORT_CALIBRATION_TEXT_H
#define TARE_REPORT_CALIBRATION_TEXT_H

#include "base/buffer.h"
#include "base/error.h"
#include "model/calibration.h"
#include "report/look.h"

/* The first `programs` of them; -1: no memory. */
int calibration_text(const struct calibration *calibration, size_t programs, const struct look *look,
                     struct buffer *out, struct error *err);

#endif
