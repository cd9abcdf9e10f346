/* One result against another: the way of `tare compare`, --baseline and the check of a new baseline. */
#ifndef TARE_ANALYSIS_AGAINST_H
#define TARE_ANALYSIS_AGAINST_H

#include "analysis/analysis.h"
#include "analysis/suite.h"
#include "analysis/whole.h"

struct against_options {
	struct analysis_options analysis;
	struct whole_options whole; /* of the gate */
	const char *filter;         /* only subjects whose name matches; NULL: all */
	bool by_name;               /* as in matching_options */
	const char *labels[2];      /* what the two are called where each has one subject; NULL: as they are */
};

/* Moves the subjects of the new result behind those of the old one, which keep what they were judged by and how their
 * sessions ended; comparisons of their own are dropped. Then matches, pairs, analyses and compares them, and settles the
 * gate. Warns of machines, settings and designs that differ. Where ERROR_INPUT names a pair that occurs twice, *twice is
 * its number, else UINT32_MAX. */
int against_compare(struct result *old, struct result *new_, const struct against_options *options, struct suite *suite,
                    uint32_t *twice, struct error *err);

#endif
