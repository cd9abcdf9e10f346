/* Several results of the same subjects, one for each build, joined to one result with the build as its outermost level. */
#ifndef TARE_ANALYSIS_JOINED_H
#define TARE_ANALYSIS_JOINED_H

#include "analysis/analysis.h"

struct joined {
	struct result *result; /* the caller's; version, start and arguments are set by the caller */
	struct couple *couples; /* what the first build compared */
	size_t couple_count;
	size_t builds;         /* joined so far */
	bool ordered;          /* the rounds of a build follow one order for all subjects (commands): it is kept */
};

/* Adds one more build; `one` is empty afterwards. Of its warnings those are kept that do not come from the analysis. Subjects are
 * matched by name, letter, benchmark, program and parameters; one that is new gets no samples for the builds before. -1: no memory. */
int joined_add(struct joined *joined, struct result *one, struct error *err);

/* Analyses and compares what was joined, the build being the unit wherever there are two or more. */
int joined_conclude(struct joined *joined, const struct analysis_options *options, struct error *err);

#endif
