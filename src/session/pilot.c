/* Which design: the one asked for, the rule's, or the best of those that were tried. */
#include "session/state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Seconds of a pair from which both at once on one CPU are tried: shorter ones hardly ever take turns there. */
static const double SHARED_LEAST = 0.04;

/* How long the two of a pair ran side by side: a metric behind those of the source, kept in a duet alone. */
static int add_overlap(struct session *session, struct error *err)
{
	for (size_t s = 0; s < session->sides; s++)
		if (session_add_metric(session, &session->result->subjects[s], (struct metric){"overlap", "s", BETTER_HIGHER},
		                       0, err) != 0)
			return -1;
	return 0;
}

int session_set_design(struct session *session, enum design_kind design, const char *why, const int *cpus, size_t count,
                       struct error *err)
{
	struct design_info *info = &session->result->design;
	session->design = design;
	info->name = design_name(design);
	info->why = arena_strdup(&session->result->arena, why);
	info->paired = session->sides > 1 && design != DESIGN_SOLO;
	info->cpu_count = design == DESIGN_DUET ? 2 : design == DESIGN_TURNS || design == DESIGN_SHARED ? count : 0;
	info->cpus = arena_alloc(&session->result->arena, info->cpu_count + 1, sizeof(*info->cpus));
	if (!info->why || !info->cpus)
		return error_memory(err);
	memcpy(info->cpus, cpus, info->cpu_count * sizeof(*cpus));
	return 0;
}

static int set_design(struct session *session, enum design_kind design, const char *why, struct error *err)
{
	if (session_set_design(session, design, why, session->machine.cpus, 1, err) != 0)
		return -1;
	return design == DESIGN_DUET ? add_overlap(session, err) : 0;
}

static int take_named(struct session *session, enum design_kind design, struct error *err)
{
	const char *unfit = design_unfit(design, &session->facts);
	bool impossible = (design == DESIGN_DUET && session->facts.cpus < 2) ||
	                  ((design == DESIGN_DUET || design == DESIGN_SHARED) && session->facts.subjects != 2);
	if (impossible)
		return error_full(err, ERROR_USAGE, "--design", "--design auto chooses one that can",
		                  "%s cannot be done here: %s", design_name(design), unfit);
	if (unfit)
		result_warn(session->result, "design", "%s was asked for, but %s: the times may be distorted",
		            design_name(design), unfit);
	return set_design(session, design, "asked for", err);
}

/* ---- the first pairs ---- */

/* Pairs in a unit: fixed before the first kept pair, so an experiment that is gone on with keeps its own. */
static size_t choose_block(const struct session *session)
{
	const struct result *earlier = session->experiment->earlier;
	for (size_t i = 0; earlier && i < earlier->comparison_count; i++)
		if (earlier->comparisons[i].block > 1)
			return earlier->comparisons[i].block;
	size_t most = session->questions[0].max_runs;
	double left = session->budget - session_elapsed(session);
	return design_block(session->round_time, most ? fmin(left, (double)most * session->round_time) : left);
}

/* Where the looks are for a verdict of pairs that nothing else is asked of. An experiment that is gone on with has the
 * share that it had. */
static bool has_first_phase(const struct session *session)
{
	const struct experiment *e = session->experiment;
	bool for_verdict = e->stop == STOP_AUTO || e->stop == STOP_VERDICT;
	size_t most = session->questions[0].max_runs;
	return for_verdict && !e->rank && !e->earlier && !e->monitor.wanted && e->pi_count == 0 &&
	       (most == 0 || most > DESIGN_FIRST_PAIRS);
}

/* Nothing of them is kept. */
static void drop_first_pairs(struct session *session)
{
	struct question *question = &session->questions[0];
	for (size_t s = 0; s < session->sides; s++) {
		struct subject *subject = &session->result->subjects[s];
		subject->failure_count = 0;
		for (size_t m = 0; m < subject->metric_count; m++) {
			struct series *series = &subject->metrics[m].series, empty;
			series_init(&empty, series->levels, series->depth);
			series_release(series);
			*series = empty;
		}
	}
	question->runs = question->fed = question->quantum_runs = 0;
	session->order_count = session->result->design.order_count = 0;
	jury_release(&session->jury);
}

/* The first pairs go in turns. What they decide with their share of alpha is the answer, and is gone on with in turns
 * until it is told well. */
static int measure_first_pairs(struct session *session, bool *decided, struct error *err)
{
	struct question *question = &session->questions[0];
	*decided = false;
	session->weight = DESIGN_FIRST_WEIGHT;
	session->block = choose_block(session);
	session_watch_disturbance(session);
	schedule_restart(&session->schedule);
	if (set_design(session, DESIGN_TURNS, "the first pairs decided", err) != 0 || session_seat_jury(session, err) != 0)
		return -1;
	while (question->runs < DESIGN_FIRST_PAIRS && !*decided && !(question->runs > 0 && session_is_stopped(session))) {
		if (session_round(session, DESIGN_TURNS, true, err) < 0 || verdict_feed(session, question, err) != 0)
			return -1;
		session_tell(session, "first pairs", NULL);
		if (!jury_is_due(&session->jury))
			continue;
		session->checks++;
		session_tell_quantum(session, question);
		if (jury_look(&session->jury, &session->look, err) != 0)
			return -1;
		*decided = session->jury.decided[0] || session->jury.decided_at[0] > 0;
	}
	return 0;
}

/* ---- trying ---- */

/* Seconds that a pair takes times the variance that it has, by so many log ratios of pairs; INFINITY: not known. */
static double cost_of(double *logs, size_t n, size_t pairs, double seconds)
{
	double variance = design_pair_variance(logs, n);
	return variance > 0 ? variance * seconds / (double)pairs : INFINITY;
}

static int try_design(struct session *session, enum design_kind design, size_t pairs, double *cost, struct error *err)
{
	double logs[DESIGN_PILOT_MOST];
	char phase[64];
	size_t base = session->experiment->reference, new_ = base == 0 ? 1 : 0, n = 0;
	int64_t before = session_now(session);
	int status = 0;
	snprintf(phase, sizeof(phase), "trying %s", design_name(design));
	for (size_t i = 0; i < pairs && status >= 0 && !session_is_stopped(session); i++) {
		status = session_round(session, design, false, err);
		double ratio = session_value(session, new_, session->deciding) /
		               session_value(session, base, session->deciding);
		if (status == 0 && ratio > 0)
			logs[n++] = log(ratio);
		session_tell(session, phase, NULL);
	}
	*cost = cost_of(logs, n, pairs, (double)(session_now(session) - before) / 1e9);
	return status < 0 ? -1 : 0;
}

/* The same of the first pairs, which took so long. */
static double cost_of_first_pairs(const struct session *session, double seconds)
{
	const struct question *question = &session->questions[0];
	const double *base = session_deciding(session, question, session->experiment->reference)->series.values;
	const double *new_ = session_deciding(session, question, !session->experiment->reference)->series.values;
	double logs[DESIGN_FIRST_PAIRS];
	size_t n = 0;
	for (size_t i = 0; i < question->runs; i++)
		if (new_[i] / base[i] > 0)
			logs[n++] = log(new_[i] / base[i]);
	return cost_of(logs, n, question->runs, seconds);
}

/* `costs`: NaN where a design is to be tried. */
static int try_designs(struct session *session, const enum design_kind *designs, double *costs, size_t count,
                       size_t pairs, struct error *err)
{
	struct buffer why = {0};
	double best_cost = INFINITY;
	enum design_kind best = DESIGN_TURNS;
	for (size_t i = 0; i < count; i++) {
		if (isnan(costs[i]) && try_design(session, designs[i], pairs, &costs[i], err) != 0) {
			buffer_release(&why);
			return -1;
		}
		if (costs[i] < best_cost) {
			best_cost = costs[i];
			best = designs[i];
		}
		buffer_printf(&why, "%s%s", i ? ", " : "least variance per second; tried: ", design_name(designs[i]));
	}
	int status = set_design(session, best, buffer_text(&why), err);
	buffer_release(&why);
	return status;
}

/* Designs that suit these commands and this machine, turns first. At once on one CPU only CPU time is each one's own, and
 * turns have to confirm what is found there, so the session must not end by a fixed count or time. */
static size_t list_candidates(const struct session *session, enum design_kind *candidates)
{
	bool shared = session->deciding == METRIC_CPU && session->round_time >= SHARED_LEAST &&
	              session->experiment->stop != STOP_FIXED;
	bool may_overlap = !source_has_side_files(session->source);
	size_t count = 0;
	if (!design_unfit(DESIGN_TURNS, &session->facts))
		candidates[count++] = DESIGN_TURNS;
	if (may_overlap && shared && !design_unfit(DESIGN_SHARED, &session->facts))
		candidates[count++] = DESIGN_SHARED;
	if (may_overlap && !design_unfit(DESIGN_DUET, &session->facts))
		candidates[count++] = DESIGN_DUET;
	return count;
}

/* How many pairs of each candidate have time; where that is none, the last one is left out. `known` of them were measured
 * before. A pair on two CPUs takes half the time of one on one CPU. */
static size_t pilot_pairs(const struct session *session, const enum design_kind *candidates, size_t *count,
                          size_t known, double left)
{
	for (; *count > 1; --*count) {
		double rounds = 0;
		for (size_t i = known; i < *count; i++)
			rounds += candidates[i] == DESIGN_DUET ? 0.5 : 1;
		size_t pairs = design_pilot_pairs(session->round_time, rounds, known > 0, left);
		if (pairs > 0)
			return pairs;
	}
	return 0;
}

static int choose_auto(struct session *session, struct error *err)
{
	enum design_kind candidates[DESIGN_COUNT];
	double costs[DESIGN_COUNT];
	const char *why;
	enum design_kind by_rule = design_default(&session->facts, &why);
	size_t count = list_candidates(session, candidates);
	double left = session->budget - session_elapsed(session), before = session_elapsed(session);
	bool first = has_first_phase(session),
		 any = count > 1 && session->facts.subjects == 2 && session->experiment->runs == 0;
	size_t pairs = any ? pilot_pairs(session, candidates, &count, first, left) : 0;
	if (session->trial_counts && by_rule == DESIGN_TURNS)
		return set_design(session, DESIGN_SHUFFLED, "no more runs than the trial runs fit into the time", err);
	if (pairs == 0)
		return set_design(session, by_rule, why, err);
	for (size_t i = 0; i < count; i++)
		costs[i] = NAN;
	if (first) {
		bool decided;
		if (measure_first_pairs(session, &decided, err) != 0)
			return -1;
		if (decided)
			return 0;
		if (session_is_stopped(session))
			return set_design(session, DESIGN_TURNS, "stopped during the first pairs", err);
		costs[0] = cost_of_first_pairs(session, session_elapsed(session) - before);
		drop_first_pairs(session);
		session->weight = 1 - DESIGN_FIRST_WEIGHT;
	}
	return try_designs(session, candidates, costs, count, pairs, err);
}

int session_choose_design(struct session *session, struct error *err)
{
	session->weight = session->experiment->earlier ? session->experiment->earlier->stopped.weight : 0;
	const char *name = session->experiment->design;
	int status = strcmp(name, "auto") == 0 ? choose_auto(session, err) : take_named(session, design_by_name(name), err);
	if (status != 0)
		return -1;
	if (session->jury.count == 0) /* else the first pairs are kept, in units of their own */
		session->block = choose_block(session);
	return 0;
}
