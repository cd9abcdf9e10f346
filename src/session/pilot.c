/* Which design: the one asked for, the rule's, or the best of those that were tried. */
#include "session/state.h"

#include "base/format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PILOT_MOST = 16 }; /* pairs of a design that is tried */

/* How long the two of a pair ran side by side: a metric behind those of the source, kept in a duet alone. */
static int add_overlap(struct session *session, struct error *err)
{
	static const enum level levels[] = {LEVEL_RUN, LEVEL_ITERATION};
	for (size_t s = 0; s < session->experiment->subject_count; s++)
		if (!result_add_metric(session->result, &session->result->subjects[s], "overlap", "s", BETTER_HIGHER, levels,
		                       2))
			return error_memory(err);
	return 0;
}

static int set_design(struct session *session, enum design_kind design, const char *why, struct error *err)
{
	struct design_info *info = &session->result->design;
	session->design = design;
	info->name = design_name(design);
	info->why = arena_strdup(&session->result->arena, why);
	info->paired = session->experiment->subject_count > 1 && design != DESIGN_SOLO;
	info->cpu_count = design == DESIGN_DUET ? 2 : design == DESIGN_TURNS || design == DESIGN_SHARED ? 1 : 0;
	info->cpus = arena_alloc(&session->result->arena, 2, sizeof(*info->cpus));
	if (!info->why || !info->cpus)
		return error_memory(err);
	memcpy(info->cpus, session->machine.cpus, sizeof(session->machine.cpus));
	return design == DESIGN_DUET ? add_overlap(session, err) : 0;
}

static int take_named(struct session *session, enum design_kind design, struct error *err)
{
	const char *unfit = design_unfit(design, &session->facts);
	bool impossible = (design == DESIGN_DUET && session->facts.cpus < 2) ||
	                  ((design == DESIGN_DUET || design == DESIGN_SHARED) && session->facts.subjects != 2);
	if (impossible) {
		error_set(err, ERROR_USAGE, "%s cannot be done here: %s", design_name(design), unfit);
		error_on(err, "--design");
		return error_next(err, "--design auto chooses one that can");
	}
	if (unfit)
		result_warn(session->result, "design", "%s was asked for, but %s: the times may be distorted",
		            design_name(design), unfit);
	return set_design(session, design, "asked for", err);
}

/* Seconds that a pair takes times the variance that it has; INFINITY: not known. */
static int try_design(struct session *session, enum design_kind design, size_t pairs, double *cost, struct error *err)
{
	double logs[PILOT_MOST];
	char phase[64];
	size_t base = session->experiment->reference, new_ = base == 0 ? 1 : 0, n = 0;
	int64_t before = source_now(session->source);
	int status = 0;
	snprintf(phase, sizeof(phase), "trying %s", design_name(design));
	for (size_t i = 0; i < pairs && status >= 0; i++) {
		status = session_round(session, design, false, err);
		double ratio = session_value(session, new_, session->deciding) /
		               session_value(session, base, session->deciding);
		if (status == 0 && ratio > 0)
			logs[n++] = log(ratio);
		session_tell(session, phase, NULL);
	}
	double variance = design_pair_variance(logs, n);
	double seconds = (double)(source_now(session->source) - before) / 1e9 / (double)pairs;
	*cost = variance > 0 ? variance * seconds : INFINITY;
	return status < 0 ? -1 : 0;
}

static int try_designs(struct session *session, const enum design_kind *designs, size_t count, size_t pairs,
                       struct error *err)
{
	struct buffer why = {0};
	double best_cost = INFINITY, cost;
	enum design_kind best = DESIGN_TURNS;
	for (size_t i = 0; i < count; i++) {
		if (try_design(session, designs[i], pairs, &cost, err) != 0) {
			buffer_release(&why);
			return -1;
		}
		if (cost < best_cost) {
			best_cost = cost;
			best = designs[i];
		}
		buffer_printf(&why, "%s%s", i ? ", " : "least variance per second of ", design_name(designs[i]));
	}
	int status = set_design(session, best, buffer_text(&why), err);
	buffer_release(&why);
	return status;
}

static int choose_auto(struct session *session, struct error *err)
{
	enum design_kind candidates[DESIGN_COUNT];
	size_t count = 0;
	const char *why;
	enum design_kind by_rule = design_default(&session->facts, &why);
	static const enum design_kind tried[] = {DESIGN_TURNS, DESIGN_DUET, DESIGN_SHARED};
	for (size_t i = 0; i < sizeof(tried) / sizeof(tried[0]); i++) {
		/* At once on one CPU, only CPU time is each one's own. */
		bool wrong_metric = tried[i] == DESIGN_SHARED && session->deciding != METRIC_CPU;
		bool sharing = tried[i] != DESIGN_TURNS && source_has_side_files(session->source);
		if (!design_unfit(tried[i], &session->facts) && !wrong_metric && !sharing)
			candidates[count++] = tried[i];
	}
	double left = session->budget - session_elapsed(session);
	size_t pairs = design_pilot_pairs(session->round_time, count, left);
	bool worth_it = session->facts.subjects == 2 && count > 1 && pairs > 0 && session->experiment->runs == 0;
	if (session->trial_counts && by_rule == DESIGN_TURNS)
		return set_design(session, DESIGN_SHUFFLED, "no more runs than the trial runs fit into the time", err);
	if (!worth_it)
		return set_design(session, by_rule, why, err);
	return try_designs(session, candidates, count, pairs, err);
}

int session_apart_design(struct session *session, struct error *err)
{
	bool one = session->experiment->subject_count == 1;
	if (set_design(session, one ? DESIGN_SOLO : DESIGN_SHUFFLED, "rounds of chosen work", err) != 0)
		return -1;
	session->result->design.paired = false;
	session->block = 1;
	return 0;
}

/* Pairs in a unit: fixed before the first kept pair, so an experiment that is gone on with keeps its own. */
static size_t choose_block(const struct session *session)
{
	const struct result *earlier = session->experiment->earlier;
	for (size_t i = 0; earlier && i < earlier->comparison_count; i++)
		if (earlier->comparisons[i].block > 1)
			return earlier->comparisons[i].block;
	return design_block(session->round_time);
}

int session_choose_design(struct session *session, struct error *err)
{
	const char *name = session->experiment->design;
	int status = strcmp(name, "auto") == 0 ? choose_auto(session, err) : take_named(session, design_by_name(name), err);
	if (status != 0)
		return -1;
	session->block = choose_block(session);
	return 0;
}
