/* Two measurements that are compared (comparison.c), and the part of it that is about pairs (pairs.c). */
#ifndef TARE_ANALYSIS_MATCH_H
#define TARE_ANALYSIS_MATCH_H

#include "analysis/analysis.h"
#include "analysis/kept.h"
#include "analysis/numbers.h"

struct match {
	const struct measurement *base, *new_;
	struct kept base_kept, new_kept;
	bool paired, commands;     /* commands: every run is one value */
	const struct judge *judge; /* of the session, or NULL */
	size_t pairs;
};

/* All values of a series, warm-up too. */
static inline struct nested series_view(const struct series *series)
{
	struct nested view = {.depth = series->depth, .n = series->n, .values = series->values};
	for (unsigned k = 0; k + 1 < series->depth; k++) {
		view.groups[k] = series->groups[k];
		view.starts[k] = series->starts[k];
	}
	return view;
}

/* The verdict rule for this match. */
struct verdict_options match_rule(const struct match *match, const struct analysis_options *options);

/* The means that are shown may be of another kind than those that are compared. */
int match_note_kind(struct result *result, const struct match *match, const struct analysis_options *options,
                    struct error *err);

/* Fills the comparison of a match that is paired, from the session's judge or a new one. */
int match_compare_pairs(struct result *result, struct comparison *comparison, const struct match *match,
                        const struct analysis_options *options, struct judged *judged, struct error *err);

#endif
