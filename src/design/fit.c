#include "design/fit.h"

#include "model/result.h"
#include "stats/quantile.h"
#include "stats/summary.h"

#include <math.h>
#include <string.h>

_Static_assert(DESIGN_WORDS == DESIGN_COUNT + 1, "one word for each design, and one for data of others");

const char *design_name(enum design_kind design)
{
	return design_words[design];
}

enum design_kind design_by_name(const char *name)
{
	int design = 0;
	while (design < DESIGN_COUNT && strcmp(design_words[design], name) != 0)
		design++;
	return (enum design_kind)design;
}

double design_middle(double *values, size_t n)
{
	return n ? median_in_place(values, n) : NAN;
}

const char *design_unfit(enum design_kind design, const struct design_facts *facts)
{
	bool at_once = design == DESIGN_DUET || design == DESIGN_SHARED;
	if (design == DESIGN_SOLO || design == DESIGN_SHUFFLED)
		return NULL;
	if (at_once && facts->subjects != 2)
		return "it measures two subjects at once";
	if (design == DESIGN_DUET && facts->cpus < 2)
		return "it needs two CPUs";
	if (!facts->single_threaded)
		return "a subject uses several threads or processes";
	if (at_once && facts->memory_needed > 0.5 * facts->memory_free)
		return "both subjects at once would fill half of the free memory";
	/* A subject that sleeps or waits for a disk would wait for its peer instead. */
	if (design == DESIGN_SHARED && facts->least_cpu_share < 0.9)
		return "a subject waits for something other than a CPU";
	if (design == DESIGN_DUET && facts->least_cpu_share < 0.5)
		return "a subject waits for something other than a CPU";
	return NULL;
}

enum design_kind design_default(const struct design_facts *facts, const char **why)
{
	if (facts->subjects < 2) {
		*why = "one subject";
		return DESIGN_SOLO;
	}
	const char *unfit = design_unfit(DESIGN_TURNS, facts);
	if (unfit) {
		*why = unfit;
		return DESIGN_SHUFFLED;
	}
	*why = "every subject is single-threaded";
	return DESIGN_TURNS;
}

size_t design_block(double pair_time, double budget)
{
	enum { LEAST = 4, WANTED_UNITS = 12 };
	size_t most = pair_time < 0.010 ? 40 : pair_time > 0.100 ? 10 : 20;
	double fits = budget / pair_time / WANTED_UNITS;
	return fits >= (double)most || fits < LEAST ? most : (size_t)(fits / 2) * 2;
}

size_t design_pilot_pairs(double pair_time, double rounds, bool first, double budget)
{
	enum { LEAST = 4 };
	double trial = budget / 10 / pair_time, both = 0.3 * budget / pair_time - (first ? DESIGN_FIRST_PAIRS : 0);
	double pairs = fmin(trial, both) / rounds;
	return pairs < LEAST ? 0 : (size_t)fmin(pairs, DESIGN_PILOT_MOST);
}

double design_pair_variance(double *log_ratios, size_t n)
{
	double mad;
	struct summary summary;
	if (n < 2 || summary_of(log_ratios, n, &summary) != STATS_OK || mad_of(log_ratios, n, &mad) != STATS_OK)
		return NAN;
	double robust = 1.4826 * mad;
	/* Equal readings say nothing about how much they would vary. */
	return robust > 0 ? fmin(summary.variance, robust * robust) : summary.variance;
}
