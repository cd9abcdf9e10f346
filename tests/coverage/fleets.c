#include "fleets.h"

#include "base/memory.h"
#include "base/random.h"
#include "stats/fleet.h"

#include <math.h>
#include <stdlib.h>

enum { RUNS = 20 };

const struct fleets_cell fleets_cells[] = {
	{"3 machines", 3, FLEETS_NORMAL, 1, false, 0, 0, 0.985},
	{"5 machines", 5, FLEETS_NORMAL, 1, false, 0, 0, 0.985},
	{"8 machines", 8, FLEETS_NORMAL, 1, false, 0, 0, 0.985},
	{"8, no interaction", 8, FLEETS_NORMAL, 0, false, 0, 0, 0.985},
	{"20 machines", 20, FLEETS_NORMAL, 1, false, 0, 0, 0.985},
	{"3, unequal noise", 3, FLEETS_UNEQUAL, 0.1, false, 0, 0, 0.985},
	{"8, unequal noise", 8, FLEETS_UNEQUAL, 0.1, false, 0, 0, 0.985},
	{"20, unequal noise", 20, FLEETS_UNEQUAL, 0.1, false, 0, 0, 0.985},
	{"5, skewed", 5, FLEETS_SKEWED, 1, false, 0, 0, 0.96},
	{"20, skewed", 20, FLEETS_SKEWED, 1, false, 0, 0, 0.96},
	{"8, heavy tails", 8, FLEETS_HEAVY, 1, false, 0, 0, 0.985},
	{"8 of two kinds", 8, FLEETS_NORMAL, 1, true, 0, 0, 0.985},
	{"20 of two kinds", 20, FLEETS_NORMAL, 1, true, 0, 0, 0.985},
	{"10, 20 % lost", 10, FLEETS_NORMAL, 1, false, 0.2, 0, 0.985},
	{"8, one off by 5 sd", 8, FLEETS_NORMAL, 1, false, 0, 5, 0},
	{"20, one off by 5 sd", 20, FLEETS_NORMAL, 1, false, 0, 5, 0},
	{"5, one off by 12 sd", 5, FLEETS_NORMAL, 1, false, 0, 12, 0},
	{"8, one off by 12 sd", 8, FLEETS_NORMAL, 1, false, 0, 12, 0},
	{"1000 machines", 1000, FLEETS_NORMAL, 1, false, 0, 0, 0.985},
	{"10000 machines", 10000, FLEETS_NORMAL, 1, false, 0, 0, 0.985},
};
const size_t fleets_cell_count = sizeof(fleets_cells) / sizeof(fleets_cells[0]);

/* One machine: its true mean, and what was measured of it. */
static double draw(const struct fleets_cell *cell, size_t number, struct random *random, struct fleet_machine *out)
{
	double truth = cell->noise == FLEETS_SKEWED ? random_exponential(random) - 1 : random_normal(random);
	if (cell->noise == FLEETS_HEAVY) {
		double chi = 0;
		for (int i = 0; i < 3; i++) {
			double z = random_normal(random);
			chi += z * z;
		}
		truth /= sqrt(chi / 3);
	}
	truth *= cell->interaction;
	double sd = cell->noise == FLEETS_UNEQUAL ? exp2(4 * random_uniform(random) - 2) : 1;
	size_t kind = cell->two_kinds ? number % 2 : 0;
	truth += kind ? 1.5 : cell->two_kinds ? -1.5 : 0;
	if (cell->bad > 0 && number == 0)
		truth += cell->bad * sqrt(cell->interaction * cell->interaction + sd * sd / RUNS);
	double mean = 0, squares = 0;
	for (int r = 1; r <= RUNS; r++) {
		double x = truth + sd * random_normal(random), off = x - mean;
		mean += off / r;
		squares += off * (x - mean);
	}
	*out = (struct fleet_machine){mean, squares / (RUNS - 1) / RUNS, RUNS - 1, kind};
	return truth;
}

static bool holds(enum stats_status status, const struct interval *interval, double truth)
{
	return status == STATS_OK && interval->low <= truth && truth <= interval->high;
}

/* Machines that are left; a kind that was lost whole leaves one stratum. */
static size_t drop_lost(const struct fleets_cell *cell, struct fleet_machine *machines, double *truths,
                        struct random *random)
{
	size_t left = 0;
	for (size_t i = 0; i < cell->machines; i++) {
		if (cell->lost > 0 && random_uniform(random) < cell->lost && cell->machines - i + left > 2)
			continue;
		machines[left] = machines[i];
		truths[left++] = truths[i];
	}
	return left;
}

static void add_fleet(const struct fleets_cell *cell, struct fleet_machine *machines, double *truths,
                      struct random *random, struct fleets_outcome *out)
{
	struct fleet fleet;
	struct interval interval = {0};
	struct fleet_odd odd;
	struct fleet_interaction interaction;
	struct fleet_machine another;
	for (size_t i = 0; i < cell->machines; i++)
		truths[i] = draw(cell, i, random, &machines[i]);
	size_t n = drop_lost(cell, machines, truths, random);
	double mean = 0;
	for (size_t i = 0; i < n; i++)
		mean += truths[i] / (double)n;
	if (fleet_of(machines, n, &fleet) != STATS_OK)
		return;
	out->pool += holds(fleet_pool(&fleet, CRITICAL_FIXED, 0.01, &interval), &interval, 0);
	out->these += holds(fleet_these(&fleet, 0.01, &interval), &interval, mean);
	/* What a further machine would measure, of either kind. */
	draw(cell, 1 + random_below(random, 2), random, &another);
	out->next += holds(fleet_next(&fleet, 0.01, &interval), &interval, another.mean);
	out->called += fleet_interaction(&fleet, 0.95, &interaction) == STATS_OK && interaction.p < 0.01;
	if (fleet_odd(&fleet, machines, &odd) == STATS_OK && odd.p < FLEET_ODD_ALPHA) {
		bool right = cell->bad > 0 && odd.machine == 0;
		out->found += right;
		out->accused += !right;
	}
	for (size_t i = 0; i < n; i++)
		machines[i].stratum = 0;
	if (fleet_of(machines, n, &fleet) == STATS_OK)
		out->unstratified += holds(fleet_pool(&fleet, CRITICAL_FIXED, 0.01, &interval), &interval, 0);
}

void fleets_simulate(const struct fleets_cell *cell, int fleets, uint64_t seed, struct fleets_outcome *out)
{
	struct random random;
	struct fleet_machine *machines = mem_alloc(cell->machines, sizeof(*machines));
	double *truths = mem_alloc(cell->machines, sizeof(*truths));
	*out = (struct fleets_outcome){0};
	random_seed(&random, seed);
	for (int i = 0; machines && truths && i < fleets; i++)
		add_fleet(cell, machines, truths, &random, out);
	double *shares[] = {&out->pool,    &out->these, &out->next,  &out->unstratified,
	                    &out->accused, &out->found, &out->called};
	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++)
		*shares[i] /= fleets;
	mem_free(machines);
	mem_free(truths);
}

struct arriving {
	double mean, speed;
};

static int by_speed(const void *a, const void *b)
{
	const struct arriving *x = a, *y = b;
	return (x->speed > y->speed) - (x->speed < y->speed);
}

static bool calls(const struct arriving *arriving, size_t machines)
{
	struct fleet_machine seen[64];
	for (size_t n = 0; n < machines; n++) {
		struct fleet fleet;
		struct interval interval;
		seen[n] = (struct fleet_machine){arriving[n].mean, NAN, 0, 0};
		if (n + 1 < 8 || fleet_of(seen, n + 1, &fleet) != STATS_OK ||
		    fleet_pool(&fleet, CRITICAL_ANYTIME, 0.01, &interval) != STATS_OK)
			continue;
		if (interval.low > 0 || interval.high < 0)
			return true;
	}
	return false;
}

void fleets_look(size_t machines, int fleets, uint64_t seed, struct fleets_looks *out)
{
	struct random random;
	struct arriving arriving[64];
	*out = (struct fleets_looks){0};
	random_seed(&random, seed);
	for (int i = 0; i < fleets; i++) {
		for (size_t m = 0; m < machines; m++) {
			double speed = random_normal(&random);
			arriving[m] = (struct arriving){0.9 * speed + sqrt(1 - 0.81) * random_normal(&random), speed};
		}
		out->drawn += calls(arriving, machines);
		qsort(arriving, machines, sizeof(*arriving), by_speed);
		out->arrival += calls(arriving, machines);
	}
	out->drawn /= fleets;
	out->arrival /= fleets;
}
