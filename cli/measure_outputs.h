/* The documents of what was measured: one row of a table each. */
#ifndef TARE_CLI_MEASURE_OUTPUTS_H
#define TARE_CLI_MEASURE_OUTPUTS_H

#include "cli/measure.h"
#include "cli/output.h"

/* What was measured, as those who write it see it. */
struct told {
	const struct measure_kind *kind;
	const struct result *result;
	const struct measure_options *options;
	bool missing; /* benchmarks are, and may not be */
};

enum {
	WRITTEN_EMPTY = 1,   /* where nothing was measured, too: nobody takes an older file for the answer */
	WRITTEN_VERDICT = 2, /* where others look for the verdict: with a baseline the comparison writes it */
};

/* By struct measure_options, with a struct told as context; the whole document is the first. */
extern const struct output measure_outputs[];

/* The table for a pull request, and what the gate says. */
int measure_markdown(const void *told, struct buffer *out, struct error *err);

struct look measure_look(const struct measure_options *options);

#endif
