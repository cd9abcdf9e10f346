/* Trial rounds: what is learnt from them decides how to measure. They are not kept, but for the last where the time
 * allows few others. */
#include "session/state.h"

#include "base/format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TRIAL_ROUNDS = 3, MOST_TRIAL_ROUNDS = 10 };

/* Of all trial rounds: what each subject took, and the worst of what matters for the design. */
struct learning {
	double *values;                    /* round × subject × metric */
	double seconds[MOST_TRIAL_ROUNDS]; /* that each round took */
	size_t rounds;
};

static double *place(const struct session *session, const struct learning *learning, size_t round, size_t subject)
{
	size_t metrics = source_metric_count(session->source);
	return learning->values + (round * session->sides + subject) * metrics;
}

/* Median over the trial rounds without the first, which is often slower, where there are more. */
static double middle(const struct session *session, const struct learning *learning, size_t subject, size_t metric)
{
	double values[MOST_TRIAL_ROUNDS];
	size_t n = 0, from = learning->rounds > 1;
	for (size_t r = from; r < learning->rounds; r++) {
		double value = place(session, learning, r, subject)[metric];
		if (!isnan(value))
			values[n++] = value;
	}
	return design_middle(values, n);
}

static void gather_facts(struct session *session, const struct learning *learning)
{
	struct design_facts *facts = &session->facts;
	double largest[2] = {0, 0};
	facts->subjects = session->sides;
	facts->cpus = session->machine.usable_cpus;
	facts->least_cpu_share = 1;
	facts->memory_free = isnan(session->machine.memory_free) ? INFINITY : session->machine.memory_free;
	for (size_t s = 0; s < facts->subjects; s++) {
		double wall = middle(session, learning, s, METRIC_WALL), cpu = middle(session, learning, s, METRIC_CPU);
		double net = middle(session, learning, s, METRIC_NET), rss = middle(session, learning, s, METRIC_RSS);
		double running = isnan(net) ? wall : net; /* the delay of several threads is no part of the wall time */
		double share = running > 0 ? cpu / running : 1;
		if (share < facts->least_cpu_share)
			facts->least_cpu_share = share;
		if (rss > largest[0]) {
			largest[1] = largest[0];
			largest[0] = rss;
		} else if (rss > largest[1]) {
			largest[1] = rss;
		}
	}
	facts->memory_needed = largest[0] + largest[1];
}

/* cpu where every subject is one thread that does nothing but compute, net where it is one thread, else
 * wall. One subject alone is asked for its wall time, but for a line over work amounts, which the load of the machine
 * would bend. */
static size_t choose_metric(const struct session *session, const char **why)
{
	if (session->experiment->pi_count > 0 && !session->experiment->work.given) {
		*why = "the program's own number";
		return METRICS_OF_COMMANDS; /* the first of them */
	}
	if (session->facts.subjects < 2 && !session->experiment->work.given) {
		*why = "one command";
		return METRIC_WALL;
	}
	if (!session->facts.single_threaded) {
		*why = "a command uses several threads or processes";
		return METRIC_WALL;
	}
	if (session->facts.least_cpu_share >= 0.95) {
		*why = "the commands do nothing but compute, in one thread";
		return METRIC_CPU;
	}
	*why = "a command waits for more than a CPU";
	return METRIC_NET;
}

int session_find_metric(const struct session *session, size_t *out, struct error *err)
{
	const struct experiment *e = session->experiment;
	if (e->metric_count == 0) {
		*out = choose_metric(session, &session->result->design.metric_why);
		return 0;
	}
	session->result->design.metric_why = "asked for";
	const char *name = e->metrics[0];
	for (size_t s = 0; s < session->result->subject_count; s++)
		if (!(session->result->subjects[s].metric = arena_strdup(&session->result->arena, name)))
			return error_memory(err);
	struct buffer names = {0};
	for (size_t i = 0; i < source_metric_count(session->source); i++) {
		if (strcmp(source_metric(session->source, i)->name, name) == 0) {
			*out = i;
			buffer_release(&names);
			return 0;
		}
		buffer_printf(&names, "%s%s", i ? ", " : "", source_metric(session->source, i)->name);
	}
	error_set(err, ERROR_USAGE, "there is no metric '%.60s'", name);
	error_on(err, "--metric");
	error_next(err, "choose one of %.200s", buffer_text(&names));
	buffer_release(&names);
	return -1;
}

/* A machine where the same round takes now this long and now that, so that the size of units depends on which is asked:
 * the first may be cold, the others should be alike. */
static bool is_erratic(const struct learning *learning)
{
	double least = INFINITY, most = 0;
	for (size_t i = 1; i < learning->rounds; i++) {
		least = fmin(least, learning->seconds[i]);
		most = fmax(most, learning->seconds[i]);
	}
	return most > 2 * least && design_block(most, INFINITY) != design_block(least, INFINITY);
}

/* Half of the time that was given is for what is kept. */
static bool warmup_fits(const struct session *session, double seconds)
{
	return !session->experiment->max_time || session_elapsed(session) + seconds <= session->budget / 2;
}

/* Whether another trial round is worth its time: the first run is cold, so three where they are cheap; a few more where
 * they leave the size of units open; with --warmup as many as were asked for, as far as they
 * are remembered. */
static bool another_trial(const struct session *session, const struct learning *learning)
{
	long warmup = session->experiment->warmup;
	if (!warmup_fits(session, learning->seconds[learning->rounds - 1]))
		return false;
	if (warmup >= 0)
		return learning->rounds < MOST_TRIAL_ROUNDS && learning->rounds < (size_t)warmup;
	double spent = session_elapsed(session);
	if (learning->rounds < TRIAL_ROUNDS)
		return spent / (double)learning->rounds < session->budget / 60;
	return learning->rounds < MOST_TRIAL_ROUNDS && spent < session->budget / 20 && is_erratic(learning);
}

static void set_budget(struct session *session)
{
	char budget[FORMAT_MAX], limit[FORMAT_MAX];
	size_t least = session_least_rounds(session);
	double needed = (double)least * session->round_time + session_elapsed(session),
		   usual = session_preset_budget(session);
	if (session->experiment->max_time)
		return;
	session->budget = usual;
	if (session->experiment->stop == STOP_FIXED || needed <= session->budget)
		return;
	session->budget = needed * 1.05;
	session_say(session, "%zu runs of each take longer than %s: measuring for up to %s (--max-time sets it)", least,
	            format_duration(limit, sizeof(limit), (int64_t)(usual * 1e9)),
	            format_duration(budget, sizeof(budget), (int64_t)(session->budget * 1e9)));
}

static int try_rounds(struct session *session, struct learning *learning, struct error *err)
{
	size_t n = session->sides, metrics = source_metric_count(session->source);
	session->facts.single_threaded = true;
	do {
		int64_t before = session_now(session);
		/* The order of a trial round is that of the subjects; a duet is never tried here: the times alone count. */
		if (session_round(session, DESIGN_SHUFFLED, false, err) < 0)
			return -1;
		size_t round = learning->rounds++;
		learning->seconds[round] = (double)(session_now(session) - before) / 1e9;
		for (size_t s = 0; s < n; s++) {
			memcpy(place(session, learning, round, s), session->samples[s].values, metrics * sizeof(double));
			session->facts.single_threaded &= session->samples[s].single_threaded;
		}
		session_tell(session, "warm-up", NULL);
	} while (another_trial(session, learning));
	/* The median: one round that was cold or disturbed must not decide the size of units. */
	session->round_time = design_middle(learning->seconds, learning->rounds);
	return 0;
}

/* --warmup beyond what is remembered: the rest is run and forgotten. */
static int rest_of_warmup(struct session *session, size_t remembered, struct error *err)
{
	long done = (long)remembered, asked = session->experiment->warmup;
	for (; done < asked && warmup_fits(session, session->round_time); done++) {
		if (session_round(session, DESIGN_SHUFFLED, false, err) < 0)
			return -1;
		session_tell(session, "warm-up", NULL);
	}
	if (done > 0 && done < asked)
		session_say(session, "warm-up ends after %ld of %ld runs: half of --max-time is for what is kept", done, asked);
	return 0;
}

/* Where the time that was given allows few rounds, the last trial round is one of them. Where the user asked for
 * warm-up, or commands would take turns on one CPU, it counts only in place of nothing. */
static bool trial_counts(const struct session *session)
{
	const struct experiment *e = session->experiment;
	bool any = strcmp(e->design, "auto") == 0, alike = any || strcmp(e->design, "shuffled") == 0;
	const char *why;
	double wanted = e->runs ? (double)e->runs : (double)session_least_rounds(session);
	if (e->warmup > 0 || (any && design_default(&session->facts, &why) == DESIGN_TURNS))
		wanted = 1;
	return e->max_time && alike && !e->earlier && !e->monitor.wanted &&
	       (session->budget - session_elapsed(session)) / session->round_time < wanted;
}

int session_learn(struct session *session, struct error *err)
{
	size_t n = session->sides, metrics = source_metric_count(session->source);
	struct learning learning = {
		.values = arena_alloc(&session->arena, MOST_TRIAL_ROUNDS * n * metrics, sizeof(double))};
	if (!learning.values)
		return error_memory(err);
	/* Equal programs are to be cached alike before the first of them runs. */
	for (size_t i = 0; n > 1 && i < n; i++)
		source_renew(&session->experiment->subjects[i]);
	if (try_rounds(session, &learning, err) != 0)
		return -1;
	gather_facts(session, &learning);
	if (session_find_metric(session, &session->deciding, err) != 0 ||
	    rest_of_warmup(session, learning.rounds, err) != 0)
		return -1;
	for (size_t s = 0; s < n; s++)
		session->questions[0].alone[s] = middle(session, &learning, s, session->deciding);
	set_budget(session);
	session->trial_counts = trial_counts(session);
	return 0;
}
