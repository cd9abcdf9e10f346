/* Which design: the one asked for, the rule's, or the best of those that were tried. */
#include "session/state.h"

#include "base/format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

/* Variance of the units' typical log ratios times the seconds that a unit takes. */
static double cost_of(const struct judge *judge, double seconds)
{
	struct estimate spread = {0};
	for (size_t i = 0; i < judge->units; i++)
		estimate_add(&spread, judge->unit_log[i]);
	double variance = estimate_variance(&spread);
	return variance > 0 ? variance * seconds / (double)judge->units : INFINITY;
}

static int try_design(struct session *session, enum design_kind design, size_t blocks, size_t block, double *cost,
                      struct error *err)
{
	struct judge_options options = {.verdict = verdict_defaults(session_alpha(session)),
	                                .block = block,
	                                .has_order = true,
	                                .sides = design == DESIGN_DUET};
	struct judge judge;
	char phase[64];
	size_t base = session->experiment->reference, new_ = base == 0 ? 1 : 0;
	int64_t before = source_now(session->source);
	int status = 0;
	snprintf(phase, sizeof(phase), "trying %s", design_name(design));
	judge_init(&judge, &options);
	for (size_t i = 0; i < blocks * block && status >= 0; i++) {
		status = session_round(session, design, false, err);
		if (status == 0)
			status = judge_add(&judge, session_value(session, base, session->deciding),
			                   session_value(session, new_, session->deciding), session_round_order(session, new_),
			                   err);
		session_tell(session, phase, NULL);
	}
	*cost = cost_of(&judge, (double)(source_now(session->source) - before) / 1e9);
	judge_release(&judge);
	return status < 0 ? -1 : 0;
}

static int try_designs(struct session *session, const enum design_kind *designs, size_t count, size_t blocks,
                       struct error *err)
{
	struct buffer why = {0};
	double best_cost = INFINITY, cost;
	enum design_kind best = DESIGN_TURNS;
	size_t block = design_block(session->round_time, session->budget);
	for (size_t i = 0; i < count; i++) {
		if (try_design(session, designs[i], blocks, block, &cost, err) != 0) {
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
	size_t block = design_block(session->round_time, left);
	size_t blocks = design_pilot_blocks(session->round_time, block, count, left);
	bool worth_it = session->facts.subjects == 2 && count > 1 && blocks > 0 && block > 1 &&
	                session->experiment->runs == 0;
	if (!worth_it)
		return set_design(session, by_rule, why, err);
	return try_designs(session, candidates, count, blocks, err);
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

/* Pairs in a unit: fixed before the first kept pair, so an experiment that is gone on with keeps its
 * own. */
static size_t choose_block(const struct session *session)
{
	enum { FEW_PAIRS = 100 };
	const struct experiment *e = session->experiment;
	double left = session->budget - session_elapsed(session), earlier = 0;
	size_t most = e->runs ? e->runs : e->max_runs;
	for (size_t i = 0; e->earlier && i < e->earlier->comparison_count; i++)
		if (e->earlier->comparisons[i].block > 0)
			return e->earlier->comparisons[i].block;
	/* It was broken off before it was judged: its pairs need no time any more. */
	if (e->earlier)
		earlier = (double)e->earlier->design.order_count;
	if (most && most < FEW_PAIRS && earlier < FEW_PAIRS)
		return 1;
	return design_block(session->round_time,
	                    session_is_bound_by_time(session) ? left + earlier * session->round_time : INFINITY);
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
