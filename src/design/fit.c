#include "design/fit.h"

#include "model/result.h"
#include "stats/quantile.h"

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
		return "a subject waits for something else than a CPU";
	if (design == DESIGN_DUET && facts->least_cpu_share < 0.5)
		return "a subject waits for something else than a CPU";
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
	if (budget < 100 * pair_time)
		return 1;
	return pair_time < 0.010 ? 40 : pair_time > 0.100 ? 10 : 20;
}

size_t design_pilot_blocks(double pair_time, size_t block, size_t designs, double budget)
{
	double block_time = pair_time * (double)block;
	size_t blocks = budget / block_time > 200 ? 8 : 5;
	return (double)(blocks * designs) * block_time <= budget / 10 ? blocks : 0;
}
