/* What stop rules would have done, as tables: Tables 2 and 3 and section 5.4 of Laaber et al. (2020), a row for each
 * rule. */
#ifndef TARE_REPORT_REPLAY_TEXT_H
#define TARE_REPORT_REPLAY_TEXT_H

#include "base/buffer.h"
#include "base/error.h"
#include "model/replay.h"
#include "report/look.h"

enum replay_form { REPLAY_TEXT, REPLAY_MARKDOWN, REPLAY_CSV };

/* CSV is one table with all columns, numbers as fractions. `bootstrap`: the paper's own comparison was made. */
int replay_report(const struct replay_row *rows, size_t count, bool bootstrap, enum replay_form form,
                  const struct look *look, struct buffer *out, struct error *err);

#endif
