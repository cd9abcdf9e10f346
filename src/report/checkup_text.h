/* Doctor's findings as text for a terminal. */
#ifndef TARE_REPORT_CHECKUP_TEXT_H
#define TARE_REPORT_CHECKUP_TEXT_H

#include "base/buffer.h"
#include "model/checkup.h"
#include "report/look.h"

/* The machine, then the findings under headings, what needs attention first and in full; the last line
 * says whether the machine is fit to measure and what to do first. The findings are in the order of
 * checkup_order(). Lines are at most look->width columns (0: 80), commands are broken with a backslash
 * so that they can still be copied. */
void checkup_text(const struct checkup *checkup, const struct look *look, struct buffer *out);

/* That last line alone, without a line break: "Fit to measure." and the like. */
void checkup_verdict(const struct checkup *checkup, struct buffer *out);

#endif
