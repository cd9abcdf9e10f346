/* The number of a performance index, out of what a command printed. */
#ifndef TARE_MEASURE_PI_READER_H
#define TARE_MEASURE_PI_READER_H

#include "base/error.h"
#include "model/experiment.h"

#include <regex.h>
#include <stdbool.h>

struct pi_reader {
	const struct performance_index *pi;
	bool compiled;
	regex_t regex;
	size_t column; /* from 1 */
};

/* Checks and prepares; -1 and err (ERROR_USAGE): the expression, the column or the path makes no sense. The index must
 * outlive the reader. */
int pi_reader_init(struct pi_reader *reader, const struct performance_index *pi, struct error *err);
void pi_reader_release(struct pi_reader *reader); /* also of a zeroed one */

/* The first number that is there: of the first match of the expression its first group, which must be a number as a whole;
 * of the first line with a number in that column that number; of the first JSON that has a number at the path that number.
 * False when there is none. */
bool pi_reader_find(const struct pi_reader *reader, const char *text, size_t length, double *out);

#endif
