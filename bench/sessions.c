/* Time to reach ±10 % at 95 %, as Table I of the Pilot paper: unit readings without phase removal, with it, and work
 * amounts (WPS), on made-up workloads whose stable rate is known. The time is that of the workloads, not of this
 * program. Fails when the rates with phase removal or by work amounts are off, or when phase removal takes longer than
 * work amounts. */
#include "bench/figure.h"
#include "base/random.h"
#include "decide/phases.h"
#include "decide/readings.h"
#include "decide/work_fit.h"
#include "design/work.h"
#include "stats/quantile.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SESSIONS = 40, MOST_UNITS = 8192, MOST_ROUNDS = 400 };

struct workload {
	const char *name;
	double rate, cached_rate; /* MB/s, in the stable phase and while a cache takes the data */
	double cached;            /* MB that it takes */
	double set_up;            /* s */
	double cv, memory;        /* of the time of one MB: relative sd, autoregression */
	double round_cv;          /* relative sd between rounds */
	double high;              /* largest work amount, MB */
};

static const struct workload workloads[] = {
	{"seq. write, disk", 100, 400, 200, 0.5, 0.3, 0.8, 0.02, 4000},
	{"seq. write, flash", 700, 900, 100, 0.1, 0.2, 0.3, 0.01, 8000},
	{"send over Wi-Fi", 22, 27, 10, 0.3, 0.4, 0.6, 0.06, 400},
};

/* One round: its unit readings (rates) and how long it took. */
static double run(const struct workload *w, struct random *random, size_t units, double *rates)
{
	double seconds = w->set_up, state = random_normal(random), round = exp(w->round_cv * random_normal(random));
	for (size_t i = 0; i < units; i++) {
		double rate = (double)i < w->cached ? w->cached_rate : w->rate;
		double each = round / rate * fmax(0.1, 1 + w->cv * state);
		state = w->memory * state + sqrt(1 - w->memory * w->memory) * random_normal(random);
		if (rates)
			rates[i] = 1 / each;
		seconds += each;
	}
	return seconds;
}

struct reached {
	bool ended, covers;
	double seconds, rate;
};

static struct reached by_units(const struct workload *w, struct random *random, enum phases_rule phases)
{
	static double rates[MOST_UNITS];
	struct work_rule amounts = {
		.low = 1, .high = fmin(w->high, MOST_UNITS), .shortest = 3, .first_estimate = 60, .rounds = 50, .least = 8};
	struct work_session session;
	double readings[MOST_ROUNDS], stable = 0;
	struct experiment e;
	struct performance_index pi = {
		.units = true, .mean = MEAN_HARMONIC, .precision = 0.1, .confidence = NAN, .autocorrelation = NAN};
	struct reached out = {.rate = NAN};
	experiment_init(&e);
	e.preset = PRESET_QUICK;
	struct readings_rule rule = readings_rule_for(&e, &pi);
	work_session_init(&session, &amounts);
	for (size_t n = 0; n < MOST_ROUNDS && !out.ended;) {
		double work = work_session_next_for_units(&session, 500, stable);
		size_t units = (size_t)work;
		struct phase phase;
		struct readings look;
		double seconds = run(w, random, units, rates);
		out.seconds += seconds;
		if (!phases_find(rates, units, phases, &phase) || work_session_add(&session, work, seconds, NULL) != 0)
			exit(1);
		if (work_session_is_short(&session, work, seconds))
			phase = (struct phase){0};
		stable += (double)(phase.to - phase.from);
		readings[n++] = phases_mean(rates, &phase, MEAN_HARMONIC);
		if (!readings_look(readings, n, &rule, &look))
			exit(1);
		out.ended = look.wait == READINGS_ENOUGH;
		out.rate = look.mean;
		out.covers = out.ended && look.low <= w->rate && w->rate <= look.high;
	}
	work_session_release(&session);
	experiment_release(&e);
	return out;
}

static struct reached by_work(const struct workload *w, struct random *random)
{
	struct work_rule rule = {.low = 1, .high = w->high, .shortest = 3, .first_estimate = 60, .rounds = 50, .least = 8};
	struct work_goal goal = {.shortest = 3, .precision = 0.1, .level = 0.95, .autocorrelation = 0.5, .least = 8};
	struct reached out = {.rate = NAN};
	struct work_session session;
	rule.seed = random_next(random);
	work_session_init(&session, &rule);
	for (size_t n = 0; n < MOST_ROUNDS && !out.ended; n++) {
		struct work_fit fit;
		double work = work_session_next(&session, 3600 - out.seconds), seconds = run(w, random, (size_t)work, NULL);
		out.seconds += seconds;
		if (work_session_add(&session, work, seconds, NULL) != 0)
			exit(1);
		goal.from = session.first;
		if (!work_fit(session.work, session.seconds, session.n, &goal, &fit))
			exit(1);
		if (fit.status == STATS_OK)
			work_session_raise(&session, fabs(fit.wps.alpha) * fit.wps.speed);
		out.ended = fit.enough;
		out.rate = fit.status == STATS_OK ? fit.wps.speed : NAN;
		out.covers = out.ended && fit.wps.speed_interval.low <= w->rate && w->rate <= fit.wps.speed_interval.high;
	}
	work_session_release(&session);
	return out;
}

struct row {
	double seconds, low, high, rate;
	int ended, covers;
};

static struct row measure(const struct workload *w, int method, unsigned stream)
{
	double times[SESSIONS], rates[SESSIONS];
	struct row row = {0};
	struct random random;
	int n = 0;
	random_stream(&random, 1, stream);
	for (int i = 0; i < SESSIONS; i++) {
		struct reached r = method == 2 ? by_work(w, &random) : by_units(w, &random, method ? PHASES_AUTO : PHASES_NONE);
		row.covers += r.covers;
		if (!r.ended)
			continue;
		times[n] = r.seconds;
		rates[n++] = r.rate;
	}
	row.ended = n;
	row.low = row.high = NAN;
	if (n) {
		sort_doubles(times, (size_t)n);
		row.low = times[n / 4];
		row.high = times[n - 1 - n / 4];
	}
	row.seconds = n ? median_in_place(times, (size_t)n) : NAN;
	row.rate = n ? median_in_place(rates, (size_t)n) : NAN;
	return row;
}

int main(void)
{
	static const char *const methods[] = {"unit readings, all", "unit readings, stable phase", "work amounts"};
	int missed = 0;
	gsl_set_error_handler_off();
	printf("time to reach +-10 %% at 95 %%, median (and quartiles) of %d sessions (Pilot paper, Table I)\n", SESSIONS);
	for (unsigned k = 0; k < sizeof(workloads) / sizeof(workloads[0]); k++) {
		const struct workload *w = &workloads[k];
		struct row rows[3];
		for (int m = 0; m < 3; m++) {
			rows[m] = measure(w, m, 3 * k + (unsigned)m);
			printf("%-18s %-28s %6.0f s (%.0f to %.0f)   %6.1f MB/s of %4.0f, covered in %3.0f %%, ended %d of %d\n",
			       w->name, methods[m], rows[m].seconds, rows[m].low, rows[m].high, rows[m].rate, w->rate,
			       100.0 * rows[m].covers / fmax(rows[m].ended, 1), rows[m].ended, SESSIONS);
		}
		char what[96];
		snprintf(what, sizeof(what), "%s: time to +-10 %% at 95 %%, stable phase", w->name);
		figure(what, "s", "work amounts (WPS)", rows[2].seconds, rows[1].seconds, "less",
		       rows[1].seconds < rows[2].seconds);
		missed += !(fabs(rows[1].rate / w->rate - 1) < 0.1) || !(fabs(rows[2].rate / w->rate - 1) < 0.1);
		missed += !(rows[1].seconds < rows[2].seconds) || rows[1].ended < SESSIONS;
	}
	return missed > 0;
}
