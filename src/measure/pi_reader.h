/* The number of a performance index, out of what a command printed. */
#ifndef TARE_MEASURE_PI_READER_H
#define TARE_MEASURE_PI_READER_H

#include "base/error.h"
#include "model/experiment.h"

#include <regex.h>
#include <stdbool.h>

/* Numbers in the order they stood in a text. A zeroed list is empty; clear it by n = 0. */
void pi_numbers_release(struct pi_numbers *list);

struct pi_reader {
	const struct performance_index *pi;
	bool compiled;
	regex_t regex;
	size_t column; /* from 1 */
};

/* Checks and prepares; -1 and err (ERROR_USAGE): the expression, the column or the path is malformed. The index must
 * outlive the reader. */
int pi_reader_init(struct pi_reader *reader, const struct performance_index *pi, struct error *err);
void pi_reader_release(struct pi_reader *reader); /* also of a zeroed one */

/* The first number that is there: of the first match of the expression its first group, which must be a number as a
 * whole; of the first line with a number in that column that number (csv: below the heading); of the first JSON that
 * has a number at the path that number. 1; 0 when there is none; -1 and err: out of memory. */
int pi_reader_find(const struct pi_reader *reader, const char *text, size_t length, double *out, struct error *err);

/* Every number: of each match of the expression its first group; of each line the number in that column (csv: in the
 * column under that heading, from the heading's line on); of each JSON what stands at the path, an array there with all
 * of its numbers. What is not a number is passed over. */
int pi_reader_all(const struct pi_reader *reader, const char *text, size_t length, struct pi_numbers *out,
                  struct error *err);

#endif
