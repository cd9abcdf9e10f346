/* The verdict turned round: instead of "is it decided at this alpha", the alpha at which it is.
 *
 * A part excludes no effect with its share w of alpha from alpha = p/w on; the verdict takes the smallest of the three.
 * Live, p is 1 over the largest e so far. */
#include "stats/verdict_parts.h"

#include <math.h>

/* The smallest alpha of a claim that any part makes by its share of alpha. */
static double of_any(const struct verdict_evidence *seen, double total, double typical, double share)
{
	double least = total / parts_weight_of_total(seen);
	least = fmin(least, typical / PARTS_WEIGHT_OF_TYPICAL);
	return fmin(1, fmin(least, share / PARTS_WEIGHT_OF_SHARE));
}

double verdict_difference_p(const struct verdict_numbers *numbers)
{
	const struct verdict_evidence *seen = &numbers->evidence;
	const struct verdict_best *best = &numbers->best;
	return of_any(seen, fmin(parts_total_p(seen), exp(-best->total)), fmin(parts_typical_p(seen), exp(-best->typical)),
	              fmin(parts_share_p(seen), exp(-best->share)));
}

double verdict_same_p(const struct verdict_numbers *numbers, const struct verdict_options *options, bool total)
{
	const struct verdict_evidence *seen = &numbers->evidence;
	double margin = 1 + options->margin;
	if (total || !seen->typical.known)
		return fmax(parts_total_beyond_p(seen, 1, 1 / margin), parts_total_beyond_p(seen, -1, margin));
	return fmax(parts_typical_beyond_p(seen, 1, 1 / margin), parts_typical_beyond_p(seen, -1, margin));
}

double verdict_beyond_p(const struct verdict_numbers *numbers, int worse, double limit, double share_limit)
{
	const struct verdict_evidence *seen = &numbers->evidence;
	const struct verdict_best *best = &numbers->best;
	int sign = worse < 0 ? -1 : 1;
	double total = parts_total_beyond_p(seen, sign, limit), typical = parts_typical_beyond_p(seen, sign, limit);
	double share = parts_share_beyond_p(seen, share_limit);
	/* The intervals are those of the best looks too. */
	if (best->total > 0)
		total = fmin(total, parts_total_beyond_p(&best->at_total, sign, limit));
	if (best->typical > 0)
		typical = fmin(typical, parts_typical_beyond_p(&best->at_typical, sign, limit));
	if (best->share > 0)
		share = fmin(share, parts_share_beyond_p(&best->at_share, share_limit));
	return of_any(seen, total, typical, share);
}

struct interval verdict_interval(const struct verdict_numbers *numbers, enum verdict_part_bit part, double alpha)
{
	const struct verdict_evidence *seen = &numbers->evidence;
	struct interval interval = {-INFINITY, INFINITY};
	double c;
	enum stats_status status = part == VERDICT_TYPICAL ? parts_typical(seen, alpha, &c, &interval)
	                           : part == VERDICT_SHARE ? parts_share(seen, alpha, &c, &interval)
	                                                   : parts_total(seen, alpha, &c, &interval);
	return status == STATS_OK ? interval : (struct interval){-INFINITY, INFINITY};
}

bool verdict_skew_note(const struct verdict_numbers *numbers, double private_sd)
{
	bool called = numbers->verdict != RATIO_SAME && (numbers->decided_by & VERDICT_TYPICAL) != 0;
	return called && fabs(log(numbers->typical.estimate)) < 0.3 * private_sd;
}
