/* How tare judged a comparison, as one cell of a table: "metric=cpu design=shuffled looks=verdict block=4
 * confidence=0.99 margin=0.01". What it takes to judge the values of the table the same way again. */
#ifndef TARE_EXCHANGE_JUDGED_H
#define TARE_EXCHANGE_JUDGED_H

#include "model/result.h"

/* Appends the cell; nothing where the result has no comparison that tare measured. */
void judged_write(const struct result *result, struct buffer *out);

/* By subject, what it was compared by first, or what decided where nothing was compared; NULL: the first of its metrics. To
 * be freed; NULL: no memory. */
const char **judged_metrics(const struct result *result);

/* Into result->stopped and result->design; words it does not know are left out. The cell is cut up and stays: it is of the
 * result's arena. -1: it is not such a cell. */
int judged_read(char *cell, struct result *result);

#endif
