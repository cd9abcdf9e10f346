/* The result of a session over work amounts. */
#ifndef TARE_REPORT_WORK_TEXT_H
#define TARE_REPORT_WORK_TEXT_H

#include "base/buffer.h"
#include "model/result.h"
#include "report/look.h"

/* Speed, seconds besides and how well the line fits; or why there is none and what to do. Nothing for a subject without
 * work amounts. */
int work_text(const struct subject *subject, const struct look *look, struct buffer *out, struct error *err);

#endif
