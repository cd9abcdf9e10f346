#include "coverage/family.h"

#include <math.h>

enum { ITERATIONS = 50 }; /* of a run of FAMILY_AR_IN_RUNS */

static const double autoregression = 0.8, iteration_sd = 0.05, run_sd = 0.01;
static const double drift_memory = 0.95, drift_sd = 0.2;
static const double stay = 20; /* pairs in a state */
static const double small_sd = 0.01, slower = 0.3, burst_share = 0.02, burst_mean = 5;

static const struct {
	const char *name;
	double mean, pair_sd;
} families[FAMILY_COUNT] = {
	[FAMILY_NORMAL] = {"normal", 1, 0.028},
	[FAMILY_LOGNORMAL] = {"lognormal", 1.1331484530668263, 0.85}, /* exp(0.125) */
	[FAMILY_BIMODAL_50] = {"bimodal 50 %", 1.15, 0.21},
	[FAMILY_BIMODAL_20] = {"bimodal 20 %", 1.06, 0.17},
	[FAMILY_BIMODAL_5] = {"bimodal 5 %", 1.015, 0.095},
	[FAMILY_AR_IN_RUNS] = {"AR inside runs", 1, 0.032},
	[FAMILY_HEAVY_TAILED] = {"heavy-tailed", 1, 0.049},
	[FAMILY_SHARED_DRIFT] = {"shared drift", 1.0202013400267558, 0.014}, /* exp(0.02) */
	[FAMILY_CONTAMINATED] = {"contamination", 1.1, 1.4},
	[FAMILY_GAMMA] = {"gamma", 1, 0.7},
	[FAMILY_WEIBULL] = {"Weibull", 0.90274529295093361, 0.87}, /* Gamma(5/3) */
	[FAMILY_THREE_MODES] = {"three modes", 1.18, 0.32},
	[FAMILY_PARETO_18] = {"Pareto 1.8", 2.25, 3},
	[FAMILY_PARETO_25] = {"Pareto 2.5", 1.6666666666666667, 2},
	[FAMILY_CLOCK_1] = {"clock 1 %", 1, 0.028},
	[FAMILY_CLOCK_5] = {"clock 5 %", 1, 0.035},
	[FAMILY_CLOCK_20] = {"clock 20 %", 1, 0.06},
	[FAMILY_TAIL_RARE] = {"tail 0.1 % x 20", 1.019, 0.85},
	[FAMILY_TAIL_ONE] = {"tail 1 % x 5", 1.04, 0.56},
	[FAMILY_TAIL_FIVE] = {"tail 5 % x 2", 1.05, 0.31},
	[FAMILY_STATES] = {"shared states", 1.15, 0.016},
	[FAMILY_AR_OWN] = {"own AR 0.5", 1, 0.028},
	[FAMILY_STATES_OWN] = {"own states", 1.05, 0.07},
};

bool family_is_exchangeable(enum family family)
{
	return family < FAMILY_AR_OWN;
}

const char *family_name(enum family family)
{
	return families[family].name;
}

double family_mean(enum family family)
{
	return families[family].mean;
}

double family_pair_sd(enum family family)
{
	return families[family].pair_sd;
}

void source_init(struct source *source, enum family family, double ratio, uint64_t seed, unsigned stream)
{
	*source = (struct source){.family = family, .ratio = ratio};
	random_stream(&source->random, seed, stream);
	source_restart(source);
}

void source_restart(struct source *source)
{
	source->drift = drift_sd * random_normal(&source->random);
	for (int side = 0; side < 2; side++)
		source->own[side] = source->family == FAMILY_AR_OWN ? random_normal(&source->random)
		                                                    : (double)random_below(&source->random, 2);
	source->second_half = false;
}

static double student_3(struct random *random)
{
	double squares = 0;
	for (int i = 0; i < 3; i++) {
		double z = random_normal(random);
		squares += z * z;
	}
	return random_normal(random) / sqrt(squares / 3);
}

/* A process that runs one iteration. */
static double process(struct source *source, int side)
{
	static const double slow_share[FAMILY_COUNT] = {
		[FAMILY_BIMODAL_50] = 0.5, [FAMILY_BIMODAL_20] = 0.2, [FAMILY_BIMODAL_5] = 0.05};
	static const struct {
		double share, factor;
	} tails[FAMILY_COUNT] = {
		[FAMILY_TAIL_RARE] = {0.001, 20}, [FAMILY_TAIL_ONE] = {0.01, 5}, [FAMILY_TAIL_FIVE] = {0.05, 2}};
	struct random *random = &source->random;
	double small;
	switch (source->family) {
	case FAMILY_NORMAL:
	case FAMILY_CLOCK_1:
	case FAMILY_CLOCK_5:
	case FAMILY_CLOCK_20: return 1 + 0.02 * random_normal(random);
	case FAMILY_LOGNORMAL: return exp(0.5 * random_normal(random));
	case FAMILY_HEAVY_TAILED: return fmax(0.05, 1 + 0.02 * student_3(random));
	case FAMILY_SHARED_DRIFT: return exp(source->drift) * (1 + small_sd * random_normal(random));
	case FAMILY_CONTAMINATED:
		small = 1 + small_sd * random_normal(random);
		return random_uniform(random) < burst_share ? small * (1 + burst_mean * random_exponential(random)) : small;
	case FAMILY_GAMMA:
		small = 0;
		for (int i = 0; i < 4; i++)
			small += random_exponential(random) / 4;
		return small;
	case FAMILY_WEIBULL: return pow(random_exponential(random), 1 / 1.5);
	case FAMILY_THREE_MODES:
		small = random_uniform(random);
		return (small < 0.5 ? 1 : small < 0.8 ? 1.2 : 1.6) + small_sd * random_normal(random);
	case FAMILY_PARETO_18: return exp(random_exponential(random) / 1.8);
	case FAMILY_PARETO_25: return exp(random_exponential(random) / 2.5);
	case FAMILY_TAIL_RARE:
	case FAMILY_TAIL_ONE:
	case FAMILY_TAIL_FIVE:
		small = 1 + small_sd * random_normal(random);
		return random_uniform(random) < tails[source->family].share ? small * tails[source->family].factor : small;
	case FAMILY_STATES: return (1 + slower * source->own[0]) * (1 + small_sd * random_normal(random));
	case FAMILY_AR_OWN: return 1 + 0.02 * source->own[side];
	case FAMILY_STATES_OWN: return (1 + 0.1 * source->own[side]) * (1 + small_sd * random_normal(random));
	default:
		small = 1 + small_sd * random_normal(random);
		return random_uniform(random) < slow_share[source->family] ? small + slower : small;
	}
}

/* The iterations of one run, from a stationary start. */
static void autoregressive_run(struct source *source, double *x, size_t n)
{
	double run = 1 + run_sd * random_normal(&source->random), state = random_normal(&source->random);
	double fresh = sqrt(1 - autoregression * autoregression);
	for (size_t i = 0; i < n; i++) {
		x[i] = fmax(0.05, run + iteration_sd * state);
		state = autoregression * state + fresh * random_normal(&source->random);
	}
}

static void move_drift(struct source *source)
{
	double fresh = drift_sd * sqrt(1 - drift_memory * drift_memory);
	source->drift = drift_memory * source->drift + fresh * random_normal(&source->random);
}

static void move_states(struct source *source)
{
	struct random *random = &source->random;
	for (int side = 0; side < 2; side++) {
		if (source->family == FAMILY_AR_OWN)
			source->own[side] = 0.5 * source->own[side] + sqrt(0.75) * random_normal(random);
		else if (random_uniform(random) < 1 / stay)
			source->own[side] = 1 - source->own[side];
	}
}

double family_clock(enum family family)
{
	return family == FAMILY_CLOCK_1 ? 0.01 : family == FAMILY_CLOCK_5 ? 0.05 : family == FAMILY_CLOCK_20 ? 0.2 : 0;
}

/* What a clock with steps of this size reads, between two ticks. */
static double read_clock(enum family family, double value)
{
	double step = family_clock(family);
	return step > 0 ? step * fmax(1, round(value / step)) : value;
}

static double autoregressive_mean(struct source *source)
{
	double x[ITERATIONS], sum = 0;
	autoregressive_run(source, x, ITERATIONS);
	for (size_t i = 0; i < ITERATIONS; i++)
		sum += x[i];
	return sum / ITERATIONS;
}

void source_runs(struct source *source, double *base, double *new_)
{
	bool autoregressive = source->family == FAMILY_AR_IN_RUNS;
	*base = autoregressive ? autoregressive_mean(source) : process(source, 0);
	*new_ = source->ratio * (autoregressive ? autoregressive_mean(source) : process(source, 1));
	if (source->tail_share > 0 && random_uniform(&source->random) < source->tail_share)
		*new_ *= source->tail_factor;
	*base = read_clock(source->family, *base);
	*new_ = read_clock(source->family, *new_);
	if (source->family == FAMILY_SHARED_DRIFT)
		move_drift(source);
	else if (source->family >= FAMILY_STATES)
		move_states(source);
}

/* ABBA or BAAB by a coin for every two pairs. */
static unsigned char next_order(struct source *source)
{
	if (!source->second_half)
		source->new_first_next = random_below(&source->random, 2) != 0;
	else
		source->new_first_next = !source->new_first_next;
	source->second_half = !source->second_half;
	return source->new_first_next;
}

void source_unit(struct source *source, size_t n, double *base, double *new_, unsigned char *order)
{
	if (source->family == FAMILY_AR_IN_RUNS) {
		autoregressive_run(source, base, n);
		autoregressive_run(source, new_, n);
		for (size_t i = 0; i < n; i++) {
			new_[i] *= source->ratio;
			if (source->tail_share > 0 && random_uniform(&source->random) < source->tail_share)
				new_[i] *= source->tail_factor;
		}
	} else {
		for (size_t i = 0; i < n; i++)
			source_runs(source, &base[i], &new_[i]);
	}
	for (size_t i = 0; i < n; i++)
		order[i] = next_order(source);
}
