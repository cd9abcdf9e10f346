/* Comparing two results and telling it: `tare compare`, and --baseline of what was just measured. */
#ifndef TARE_CLI_COMPARE_H
#define TARE_CLI_COMPARE_H

#include "analysis/against.h"
#include "cli/documents.h"
#include "cli/reading.h"

struct compare_options {
	struct reading_options reading;
	struct document_paths out;
	const char *color, *filter, *sort, *baseline, *ignore_failure;
	double gate;
	const char *plot; /* as in measure_options */
	bool ascii, verbose, only_changed, allow_missing;
};

/* Compares, and writes and prints what the options ask for; `old` holds the comparisons and the gate then, `new_` is
 * empty. `names`: of the pairs, NULL where the data has none. What cannot be written is said, and keeps no other output
 * from being written; *code becomes the exit code of the first where that is 0. */
int compare_results(const struct compare_options *options, const struct against_options *against, struct result *old,
                    struct result *new_, const struct pair_names *names, int *code, struct error *err);

#endif
