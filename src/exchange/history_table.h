/* A table with a row for each result of a history; see exchange/history_read.h. */
#ifndef TARE_EXCHANGE_HISTORY_TABLE_H
#define TARE_EXCHANGE_HISTORY_TABLE_H

#include "exchange/history_read.h"
#include "exchange/input.h"

/* `of_a_tool`: a tool writes such a table for one result, unless times or commits were added.
 * 0; 1 when the rows are the samples of one result; -1 and err. */
int history_table_read(struct input *input, bool of_a_tool, const struct import_options *options, history_take take,
                       void *context, struct error *err);

#endif
