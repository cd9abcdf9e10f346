/* Several results of the same subjects, one for each build, joined to one result with the build as its outermost
 * level. */
#ifndef TARE_ANALYSIS_JOINED_H
#define TARE_ANALYSIS_JOINED_H

#include "analysis/analysis.h"

struct joined {
	struct result *result;  /* the caller's; version, start and arguments are set by the caller */
	struct couple *couples; /* what the first build compared */
	size_t couple_count;
	size_t builds; /* joined so far */
	bool ordered;  /* the rounds of a build follow one order for all subjects (commands): it is kept */
};

/* Adds one more build; `one` is empty afterwards. Of its warnings those are kept that do not come from the analysis.
 * Subjects are matched by name, letter, benchmark, program and parameters; one that is new gets no samples for the
 * builds before. -1: no memory. */
int joined_add(struct joined *joined, struct result *one, struct error *err);

/* What is joined so far, with the samples that the next build has by now: to be saved, not analysed. `out` is
 * initialised here; it borrows texts from both and has to be released before them. -1: no memory, and nothing to
 * release. */
int joined_preview(const struct joined *joined, const struct result *one, struct result *out, struct error *err);

/* Analyses and compares what was joined, the build being the unit wherever there are two or more. */
int joined_conclude(struct joined *joined, const struct analysis_options *options, struct error *err);

#endif
