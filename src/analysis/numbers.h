/* From the verdict's numbers to the fields of a comparison, and the words for what is unresolved. */
#ifndef TARE_ANALYSIS_NUMBERS_H
#define TARE_ANALYSIS_NUMBERS_H

#include "base/error.h"
#include "decide/judge.h"
#include "model/result.h"

int numbers_into_comparison(struct result *result, struct comparison *comparison, const struct verdict_numbers *numbers,
                            const struct judge_options *options, struct error *err);

/* Nothing can be said, and why. */
void numbers_unknown(struct comparison *comparison, const char *why);

/* An interval that was asked for by name; the verdict is whether it excludes 1 (or the p value is small); `lower`: new
 * has the lower values. */
void numbers_by_method(struct comparison *comparison, const char *method, double level, double ratio,
                       struct interval interval, bool lower, enum stats_status status, enum better better);

/* Holm over the result's comparisons: what does not survive it becomes undecided. A comparison by a method that
 * has an interval and no p value cannot be corrected; that is said. */
int numbers_holm(struct result *result, double alpha, struct error *err);

/* Whether subject a stands before subject b in an order string: letters A, B, … by subject, or for
 * more than 26 subjects their numbers from 0, separated by commas. */
bool numbers_before(const char *order, size_t a, size_t b);

#endif
