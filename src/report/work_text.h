/* The result of a session over work amounts. */
#ifndef TARE_REPORT_WORK_TEXT_H
#define TARE_REPORT_WORK_TEXT_H

#include "base/buffer.h"
#include "model/result.h"
#include "report/look.h"
#include "report/table.h"

bool work_any(const struct subject *subject); /* work amounts whose line has a slope */

/* Of work_any(): speed and seconds besides with their intervals; and how well the line fits, on one line. */
void work_table(const struct work_result *work, struct table *table);
void work_words(const struct work_result *work, struct buffer *out);

/* Speed, seconds besides and how well the line fits; or why there is none and what to do. Nothing for a subject without
 * work amounts. */
int work_text(const struct subject *subject, const struct look *look, struct buffer *out, struct error *err);

#endif
