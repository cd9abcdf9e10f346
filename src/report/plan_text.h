/* A plan for a terminal: what the first experiment showed, the best counts, and what each half-width takes. */
#ifndef TARE_REPORT_PLAN_TEXT_H
#define TARE_REPORT_PLAN_TEXT_H

#include "base/buffer.h"
#include "model/plan.h"
#include "report/look.h"

/* One subject with its table of `count` rows. */
int plan_text(const struct repeat_plan *plan, const struct plan_subject *subject, const struct plan_row *rows,
              size_t count, const struct look *look, struct buffer *out, struct error *err);

#endif
