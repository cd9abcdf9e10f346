/* From the verdict's numbers to the fields of a comparison, and the words for what is unresolved. */
#ifndef TARE_ANALYSIS_NUMBERS_H
#define TARE_ANALYSIS_NUMBERS_H

#include "analysis/analysis.h"
#include "base/error.h"
#include "decide/judge.h"
#include "model/result.h"

/* What the verdict rule said of one comparison. */
struct judged {
	struct verdict_numbers numbers; /* runs 0: nothing could be computed, or another method was asked for */
	struct judge_options rule;
	const char *method; /* of the total's interval, where it is not the rule's own; or NULL */
	bool correlated, skewed;
};

/* The fields of the comparison, the words for what is unresolved among them; and the warnings, once. */
int numbers_fill(struct result *result, struct comparison *comparison, const struct judged *judged, struct error *err);
void numbers_warn(struct result *result, const struct comparison *comparison, const struct judged *judged);

/* "faster" always means better. */
enum verdict numbers_verdict(enum ratio_verdict verdict, enum better better);

/* Nothing can be said, and why. */
void numbers_unknown(struct result *result, struct comparison *comparison, const char *why);

/* An interval that was asked for by name; the verdict is whether it excludes 1 (or the p value is small); `lower`: new
 * has the lower values. */
void numbers_by_method(struct result *result, struct comparison *comparison, const char *method, double level,
                       double ratio, struct interval interval, bool lower, enum stats_status status,
                       enum better better);

/* What comparison i of those that are looked at together was judged by. It is asked for again where that is needed, for
 * keeping it would take more memory than all else that is known of the comparison. -1: no memory. */
typedef int judged_again(void *context, size_t i, struct judged *out, struct error *err);

/* Benjamini and Hochberg over the comparisons from `first` on and those of options->beside: the verdicts and intervals
 * of the selection. A comparison by a method that has an interval and no p value cannot be corrected; that is said.
 * `again` NULL: none was judged by the verdict rule. */
int numbers_select(struct result *result, size_t first, size_t count, judged_again *again, void *context,
                   const struct analysis_options *options, struct error *err);

#endif
