/* Comparing on several machines: each by itself, then what they say together (docs/methods.md, "Several machines"). */
#ifndef TARE_ANALYSIS_MACHINES_H
#define TARE_ANALYSIS_MACHINES_H

#include "analysis/analysis.h"
#include "analysis/numbers.h"
#include "decide/judge.h"

/* What one machine says in one comparison: logarithms of ratios and a difference of shares, each with the variance of
 * the estimate and its degrees of freedom. */
struct machine_part {
	double value, variance, df; /* value NaN: the machine does not say */
};
struct machine_numbers {
	size_t machine; /* index into design.machines */
	struct machine_part typical, total, share;
	double share_base, share_new; /* NaN */
	double mean_base, mean_new;   /* NaN where only the ratio is known */
	size_t units, pairs;
};

/* Two parts of a machine's results, as of two chunks: weighted by their units; means as their kind says. */
void machine_numbers_join(struct machine_numbers *into, const struct machine_numbers *more, enum mean_kind kind);

/* Whether both sides have a machine level with two groups or more. */
bool machines_are_level(const struct measurement *base, const struct measurement *new_);

/* Fills the comparison from its subjects' series, machine by machine. `one` compares a couple of a result without the
 * level. *judged: what all pairs together were judged by, where they and not the machines decide; else it stays. */
typedef int machines_compare_one(struct result *result, struct couple couple, const struct analysis_options *options,
                                 struct judged *judged, struct error *err);
int machines_compare(struct result *result, struct comparison *comparison, const struct analysis_options *options,
                     machines_compare_one *one, struct judged *judged, struct error *err);

/* What a note calls machine g: the name of its node, its id, or its number in `room` where a table says no more. */
const char *machine_name(const struct result *result, size_t g, char *room, size_t size);

/* That machine g says nothing in a comparison. */
int machine_warn_of_silent(struct result *result, size_t g, struct error *err);

/* The numbers of each comparison of a result of one machine, comparison_count of them. */
int machines_numbers(struct result *result, const struct analysis_options *options, struct machine_numbers *out,
                     struct error *err);

/* The same from numbers that are known already. -1: no memory. */
int machines_conclude(struct result *result, struct comparison *comparison, const struct machine_numbers *numbers,
                      size_t count, const struct analysis_options *options, struct error *err);

#endif
