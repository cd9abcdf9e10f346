/* Matching: which subjects of two results that were joined belong together, and by which metric each couple is
 * compared. */
#ifndef TARE_ANALYSIS_MATCHING_H
#define TARE_ANALYSIS_MATCHING_H

#include "analysis/analysis.h"

struct matching_options {
	const char *metric; /* to compare by; NULL: what both were judged by, else the first that both have */
	const char *filter; /* only subjects whose name this keeps (base/pattern.h); NULL: all */
	bool by_name;       /* commands of other names are other subjects too, where each side has one */
};

struct matching {
	struct couple *couples;
	size_t count;
};
void matching_release(struct matching *matching);

/* Couples of the subjects before `old_count` and those from there on: equal names and parameters, the first with the
 * first where one side has several; of the others those that subject_written_name() calls the same, as files have no other
 * place for parameters; one subject on each side is a couple whatever their names. Warns of what is on one
 * side alone, of units that differ and of couples without a metric. ERROR_NO_DATA: nothing can be compared. */
int matching_find(struct result *result, size_t old_count, const struct matching_options *options, struct matching *out,
                  struct error *err);

/* The metric of that name, which is looked for at `place` first: tables of one kind have their many columns in one
 * order. NULL: there is none. */
struct measurement *matching_metric(const struct subject *subject, const char *name, size_t place);

#endif
