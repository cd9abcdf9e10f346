/* Every benchmark has three runs of 300 iterations, with levels of their own (sd 1 %), noise of 1 % and one iteration
 * in a hundred that is disturbed (up to twice as long). Beside ours the rules of others, on its first run:
 *
 *	Georges  the first 10 iterations whose coefficient of variation is at most 2 %
 *	DaCapo   the first 3 iterations whose coefficient of variation is at most 3 %, among the first 20 (its harness with
 *	         -converge) */
#include "states.h"

#include "base/random.h"
#include "stats/settle.h"

#include <math.h>

enum { ANY_START = -1 };

struct truth {
	unsigned states;    /* that are right, as bits */
	size_t from, until; /* the start that is right, where the state is independent */
	bool windows;       /* the rules of others can be right or wrong */
	bool has_steady;    /* there is a part that they could find */
};

struct kind {
	const char *name, *answer;
	unsigned states;
	bool windows, has_steady;
};

enum { INDEPENDENT = 1 << SETTLE_INDEPENDENT, INITIALISED = 1 << SETTLE_INITIALISED, NEVER = 1 << SETTLE_NEVER };

static const struct kind kinds[STATES_KINDS] = {
	[STATES_STEADY] = {"steady", "independent", INDEPENDENT, true, true},
	[STATES_WARMUP_STEP] = {"slower for 10 to 120 iterations", "independent after them", INDEPENDENT, true, true},
	[STATES_WARMUP_CURVE] = {"warm-up curve", "independent after it", INDEPENDENT, true, true},
	[STATES_LATE] = {"slow-down at 160 to 230", "independent after it", INDEPENDENT, true, true},
	[STATES_SLOWER] = {"slow-down at 40 to 140", "independent after it", INDEPENDENT, true, true},
	[STATES_ODD_EVEN] = {"odd and even differ", "initialised", INITIALISED, false, true},
	[STATES_PERIODIC] = {"every 3rd to 10th is slow", "initialised", INITIALISED, false, true},
	[STATES_AR50] = {"AR(0.5)", "initialised", INITIALISED, false, true},
	[STATES_AR70] = {"AR(0.7)", "initialised", INITIALISED, false, true},
	[STATES_AR80] = {"AR(0.8)", "initialised", INITIALISED, false, true},
	[STATES_AR90] = {"AR(0.9)", "not independent", INITIALISED | NEVER, false, true},
	[STATES_AR95] = {"AR(0.95)", "not independent", INITIALISED | NEVER, false, true},
	[STATES_AR99] = {"AR(0.99)", "not independent", INITIALISED | NEVER, false, true},
	[STATES_ABRUPT] = {"two states at random", "not independent", INITIALISED | NEVER, false, true},
	[STATES_DRIFT] = {"drift (random walk)", "not independent", INITIALISED | NEVER, true, false},
	[STATES_TREND] = {"trend of 5 %", "never", NEVER, true, false},
};

static double autoregression(enum states_kind kind)
{
	switch (kind) {
	case STATES_AR50: return 0.5;
	case STATES_AR70: return 0.7;
	case STATES_AR80: return 0.8;
	case STATES_AR90: return 0.9;
	case STATES_AR95: return 0.95;
	case STATES_AR99: return 0.99;
	default: return 0;
	}
}

static size_t between(struct random *random, size_t low, size_t high)
{
	return low + (size_t)random_below(random, high - low + 1);
}

/* One benchmark's property: the iteration or period where it changes. */
static size_t draw_place(enum states_kind kind, struct random *random)
{
	switch (kind) {
	case STATES_WARMUP_STEP: return between(random, 10, 120);
	case STATES_WARMUP_CURVE: return between(random, 3, 15); /* its time constant */
	case STATES_LATE: return between(random, 160, 230);
	case STATES_SLOWER: return between(random, 40, 140);
	case STATES_PERIODIC: return between(random, 3, 10);
	default: return 0;
	}
}

struct walk {
	double ar, level;
	bool slow;
};

static double shape(enum states_kind kind, size_t i, size_t place, struct walk *walk, struct random *random)
{
	double rho = autoregression(kind);
	switch (kind) {
	case STATES_WARMUP_STEP: return i < place ? 0.3 : 0;
	case STATES_WARMUP_CURVE: return 0.6 * exp(-(double)i / (double)place);
	case STATES_LATE:
	case STATES_SLOWER: return i < place ? 0 : 0.08;
	case STATES_ODD_EVEN: return i % 2 ? 0.03 : 0;
	case STATES_PERIODIC: return i % place ? 0 : 0.2;
	case STATES_ABRUPT:
		if (random_uniform(random) < 1 / 25.)
			walk->slow = !walk->slow;
		return walk->slow ? 0.05 : 0;
	case STATES_DRIFT: return walk->level += 0.004 * random_normal(random);
	case STATES_TREND: return 0.05 * (double)i / STATES_LENGTH;
	default: break;
	}
	if (rho > 0)
		walk->ar = rho * walk->ar + 0.03 * sqrt(1 - rho * rho) * random_normal(random);
	return walk->ar;
}

static void make_run(enum states_kind kind, size_t place, struct random *random, double *x)
{
	double level = 1 + 0.01 * random_normal(random), noise = autoregression(kind) > 0 ? 0.001 : 0.01;
	struct walk walk = {.slow = random_uniform(random) < 0.5};
	walk.ar = autoregression(kind) > 0 ? 0.03 * random_normal(random) : 0;
	for (size_t i = 0; i < STATES_LENGTH; i++) {
		x[i] = level * (1 + shape(kind, i, place, &walk, random) + noise * random_normal(random));
		if (random_uniform(random) < 0.01)
			x[i] *= 1 + random_uniform(random);
	}
}

/* Where the independent part begins: five iterations earlier is no error that matters, half of the run later is. */
static void true_start(enum states_kind kind, size_t place, size_t *from, size_t *until)
{
	*from = place;
	*until = place + STATES_LENGTH / 2;
	if (kind == STATES_WARMUP_CURVE)
		*from = (size_t)ceil((double)place * log(0.6 / 0.01)); /* what is left is one sd of the noise */
	if (kind == STATES_LATE)
		*until = place + 30;
	*from -= *from < 5 ? *from : 5;
}

static double variation(const double *x, size_t n)
{
	double mean = 0, squares = 0;
	for (size_t i = 0; i < n; i++)
		mean += x[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += (x[i] - mean) * (x[i] - mean);
	return sqrt(squares / (double)(n - 1)) / mean;
}

/* The start of the first window that varies by no more than the limit; ANY_START: none. */
static long first_window(const double *x, size_t n, size_t window, double limit)
{
	for (size_t i = 0; i + window <= n; i++)
		if (variation(x + i, window) <= limit)
			return (long)i;
	return ANY_START;
}

static bool is_wrong(long start, const struct kind *kind, size_t from)
{
	if (start == ANY_START)
		return kind->has_steady;
	return !kind->has_steady || (size_t)start < from;
}

void states_count(enum states_kind which, int benchmarks, uint64_t seed, struct states_count *out)
{
	static const uint32_t starts[] = {0, STATES_LENGTH, 2 * STATES_LENGTH, 3 * STATES_LENGTH};
	const struct kind *kind = &kinds[which];
	struct random random;
	random_stream(&random, seed, (unsigned)which);
	*out = (struct states_count){.name = kind->name, .answer = kind->answer};
	for (int b = 0; b < benchmarks; b++) {
		double x[STATES_RUNS * STATES_LENGTH];
		size_t place = draw_place(which, &random), from, until;
		struct settle found;
		for (size_t r = 0; r < STATES_RUNS; r++)
			make_run(which, place, &random, x + r * STATES_LENGTH);
		true_start(which, kind->states == INDEPENDENT ? place : 0, &from, &until);
		const struct settle_options options = {.precision = 0.01, .skip = -1};
		size_t cuts[STATES_RUNS];
		if (settle_find(x, starts, STATES_RUNS, &options, cuts, &found) != STATS_OK)
			continue;
		out->independent += found.state == SETTLE_INDEPENDENT;
		out->initialised += found.state == SETTLE_INITIALISED;
		out->never += found.state == SETTLE_NEVER;
		bool right = (kind->states & 1u << found.state) != 0;
		if (found.state == SETTLE_INDEPENDENT)
			right &= found.from >= from && found.from <= until;
		out->right += right;
		if (kind->windows) {
			out->georges += is_wrong(first_window(x, STATES_LENGTH, 10, 0.02), kind, from);
			out->dacapo += is_wrong(first_window(x, 20, 3, 0.03), kind, from);
		} else {
			out->georges = out->dacapo = -1;
		}
	}
}
