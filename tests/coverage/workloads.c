#include "coverage/workloads.h"

#include "base/memory.h"
#include "base/random.h"
#include "decide/phases.h"
#include "decide/work_fit.h"
#include "design/work.h"
#include "stats/quantile.h"

#include <math.h>

enum { UNITS = 1000, WARM = UNITS / 10, COOL = UNITS / 20, ROUNDS = 10 };
static const double rate = 100, set_up = 0.5, noise = 0.05, memory = 0.5, budget = 1200;
static const double round_sd = 0.02, wander_sd = 0.05, wander_memory = 0.7, slow_sd = 0.1, slow_seconds = 10;

const char *workload_name(enum workload workload)
{
	static const char *const names[] = {"step",  "exponential",       "step and cool-down",
	                                    "cache", "wandering machine", "slow at times"};
	return names[workload];
}

/* The rate of unit i of n, in per cent of the stable one. */
static double level(enum workload workload, size_t i, size_t n)
{
	double decay = WARM / log(30 / 2.0);
	if (workload == WORKLOAD_EXPONENTIAL)
		return 100 - 30 * exp(-(double)i / decay);
	if (workload == WORKLOAD_CACHE)
		return i < WARM ? 200 : 100;
	if (workload == WORKLOAD_COOL_DOWN && i + COOL >= n)
		return 60;
	return i < WARM ? 70 : 100;
}

/* How slow the machine is after a step of which it remembers `kept`, in standard deviations. */
static double wander_on(double wander, double kept, struct random *random)
{
	return kept * wander + sqrt(1 - kept * kept) * random_normal(random);
}

/* A round of n units: their rates (or NULL), and its seconds. *wander: how slow the machine is now, in standard
 * deviations. */
static double run(enum workload workload, struct random *random, size_t n, double *rates, double *wander)
{
	double state = random_normal(random), seconds = set_up * (1 + 0.1 * random_normal(random)),
		   round = 1 + round_sd * random_normal(random);
	double slow = 0, kept = exp(-1 / (rate * slow_seconds));
	if (workload != WORKLOAD_SLOW_AT_TIMES)
		*wander = wander_on(*wander, wander_memory, random);
	if (workload == WORKLOAD_WANDER)
		round += wander_sd * *wander;
	for (size_t i = 0; i < n; i++) {
		double each = level(workload, i, n) + 100 * noise * state;
		if (rates)
			rates[i] = each;
		if (workload == WORKLOAD_SLOW_AT_TIMES) {
			*wander = wander_on(*wander, kept, random);
			slow = slow_sd * *wander;
		}
		seconds += (round + slow) * (1 + noise * state) / level(workload, i, n); /* 100 a second in the stable phase */
		state = memory * state + sqrt(1 - memory * memory) * random_normal(random);
	}
	return seconds;
}

/* Seconds that do not depend on the work: those of units at another rate, less what they would take at the stable
 * one. */
static double true_alpha(enum workload workload)
{
	double alpha = set_up;
	for (size_t i = 0; i < UNITS; i++)
		alpha += 1 / level(workload, i, UNITS) - 1 / rate;
	return alpha;
}

static size_t distance(size_t a, size_t b)
{
	return a > b ? a - b : b - a;
}

static void phases_of_session(enum workload workload, struct random *random, double *x, struct workload_rates *out)
{
	struct round_phase own[ROUNDS];
	double wander = random_normal(random);
	size_t to = workload == WORKLOAD_COOL_DOWN ? UNITS - COOL : UNITS;
	for (size_t r = 0; r < ROUNDS; r++) {
		run(workload, random, UNITS, x, &wander);
		own[r].n = UNITS;
		out->rounds++;
		if (!phases_find(x, UNITS, PHASES_AUTO, &own[r].phase))
			return;
		struct phase found = phases_join(own, r + 1);
		out->phases += distance(found.from, WARM) <= UNITS / 50 && distance(found.to, to) <= UNITS / 50;
	}
}

static double session_over_work(enum workload workload, struct random *random, struct workload_rates *out)
{
	struct experiment e;
	experiment_init(&e);
	e.preset = PRESET_NORMAL;
	e.work.shortest = 1000000000;
	struct work_goal goal = work_goal_for(&e);
	double low = workload == WORKLOAD_SLOW_AT_TIMES ? 20 : 200;
	struct work_rule rule = {.low = low,
	                         .high = 20000,
	                         .shortest = goal.shortest,
	                         .first_estimate = 60,
	                         .rounds = 50,
	                         .least = goal.least,
	                         .seed = random_next(random)};
	struct work_session amounts;
	struct work_fit fit = {.enough = false};
	double left = budget, largest = 0, truth = true_alpha(workload), seconds, wander = random_normal(random);
	work_session_init(&amounts, &rule);
	while (left > 0 && !fit.enough) {
		double work = work_session_next(&amounts, left), taken = run(workload, random, (size_t)work, NULL, &wander);
		largest = fmax(largest, work);
		left -= taken;
		if (work_session_add(&amounts, work, taken, NULL) != 0)
			break;
		goal.from = amounts.first;
		if (!work_fit(amounts.work, amounts.seconds, amounts.n, &goal, &fit))
			break;
		if (fit.status == STATS_OK)
			work_session_raise(&amounts, work_fit_besides(&fit));
	}
	double rounds = (double)amounts.n;
	work_session_release(&amounts);
	experiment_release(&e);
	out->sessions++;
	if (!fit.enough)
		return rounds;
	struct interval told = work_fit_predict(&fit, 2 * largest, &seconds);
	double taken = run(workload, random, (size_t)(2 * largest), NULL, &wander);
	out->ended++;
	out->speed += fit.wps.speed_interval.low <= rate && rate <= fit.wps.speed_interval.high;
	out->alpha += fit.wps.alpha_interval.low <= truth && truth <= fit.wps.alpha_interval.high;
	out->predicted += told.low <= taken && taken <= told.high;
	return rounds;
}

struct workload_rates workload_sessions(enum workload workload, size_t sessions, uint64_t seed)
{
	struct workload_rates rates = {.readings = NAN};
	struct random random;
	double *x = mem_alloc(UNITS, sizeof(*x)), *lengths = mem_alloc(sessions, sizeof(*lengths));
	random_stream(&random, seed, (unsigned)workload);
	for (size_t i = 0; x && lengths && i < sessions; i++) {
		phases_of_session(workload, &random, x, &rates);
		lengths[i] = session_over_work(workload, &random, &rates);
	}
	if (x && lengths)
		rates.readings = median_in_place(lengths, sessions);
	mem_free(x);
	mem_free(lengths);
	return rates;
}
