/* What the kept runs say: subjects, comparisons, and the warnings that only the whole session can give. */
#include "analysis/analysis.h"
#include "decide/plan.h"
#include "session/state.h"

#include <math.h>

static void note_interference(struct session *session)
{
	struct result *result = session->result;
	for (size_t i = 0; session->design == DESIGN_DUET && i < result->comparison_count; i++) {
		struct comparison *c = &result->comparisons[i];
		if (c->base >= session->experiment->subject_count || c->new_ >= session->experiment->subject_count)
			continue; /* of another day */
		c->interference_base = result->subjects[c->base].metrics[session->deciding].median / session->alone[c->base];
		c->interference_new = result->subjects[c->new_].metrics[session->deciding].median / session->alone[c->new_];
		double uneven = c->interference_base / c->interference_new;
		if (uneven > 1.1 || uneven < 1 / 1.1)
			result_warn(result, "interference",
			            "at once they slow each other unevenly (%.2f and %.2f times): their bottlenecks differ; "
			            "--design turns measures each alone",
			            c->interference_base, c->interference_new);
	}
}

/* What is undecided: about how much longer it would take. */
static void note_missing_time(struct session *session)
{
	struct jury_look look;
	if (session->experiment->rank || session->jury.count == 0 || session->jury.judges[0].units < 2)
		return;
	session_tell_quantum(session);
	if (jury_look(&session->jury, &look, NULL) != 0)
		return;
	for (size_t i = 0; i < session->result->comparison_count; i++) {
		struct comparison *c = &session->result->comparisons[i];
		double more = jury_missing(&session->jury, i);
		if (c->verdict == VERDICT_UNDECIDED && isfinite(more) && more > 0)
			c->more_time = more * (double)session->rounds * session->round_time;
	}
}

/* Whether wall time says the opposite of what decided (METHODS 3). */
static int compare_wall(struct session *session, struct analysis_options *options, struct error *err)
{
	struct result *result = session->result;
	size_t decided = result->comparison_count;
	if (session->deciding == SOURCE_WALL || session->experiment->subject_count < 2 || session->experiment->rank ||
	    session->experiment->work.given)
		return 0;
	options->deciding = "wall";
	options->gate = NAN;
	options->holm = false;
	if (analyse_comparisons(result, options, err) != 0)
		return -1;
	for (size_t i = 0; i < decided && i + decided < result->comparison_count; i++) {
		const struct comparison *c = &result->comparisons[i], *wall = &result->comparisons[i + decided];
		bool opposite = (c->verdict == VERDICT_FASTER && wall->verdict == VERDICT_SLOWER) ||
		                (c->verdict == VERDICT_SLOWER && wall->verdict == VERDICT_FASTER);
		if (opposite)
			result_warn(result, "wall-disagrees", "%s: wall time says %s, %s says %s", result->subjects[c->new_].name,
			            verdict_name(wall->verdict), c->metric, verdict_name(c->verdict));
	}
	result->comparison_count = decided;
	return 0;
}

/* Seconds of one more run, with all that is around it; a round has one of each. */
static void set_costs(struct session *session)
{
	double subjects = (double)session->experiment->subject_count;
	for (size_t s = 0; s < session->result->subject_count && !session->experiment->work.given; s++)
		for (size_t m = 0; m < session->result->subjects[s].metric_count; m++)
			session->result->subjects[s].metrics[m].costs[LEVEL_RUN] = session->round_time > 0
			                                                               ? session->round_time / subjects
			                                                               : NAN;
}

int session_conclude(struct session *session, struct error *err)
{
	const struct experiment *e = session->experiment;
	struct analysis_options options;
	analysis_options_init(&options);
	bool one = e->subject_count == 1;
	options.confidence = one && isnan(e->confidence) ? 0.99
	                                                 : 1 - (e->rank ? rank_alpha(session) : session_alpha(session));
	options.confidence_one = isnan(e->confidence) ? 0.95 : e->confidence;
	options.margin = e->margin;
	options.share_margin = e->share_margin;
	options.gate = e->gate;
	options.reference = e->reference;
	options.deciding = source_metric(session->source, session->deciding)->name;
	options.block = session->block;
	options.clock_quantum = source_quantum(session->source, session->deciding);
	options.seed = e->seed;
	options.skip = 0;
	bool by_precision = one || e->stop == STOP_PRECISION ||
	                    session->design == DESIGN_SOLO; /* each of a solo by its own */
	if (e->stop != STOP_FIXED || e->earlier)
		options.looking = by_precision ? LOOKED_FOR_PRECISION : LOOKED_FOR_VERDICT;
	size_t warnings = session->result->warning_count;
	if (e->rank && rank_add_rivals(session, err) != 0)
		return -1;
	set_costs(session);
	if (analyse_subjects(session->result, &options, err) != 0)
		return -1;
	if (e->plan && plan_check(e->plan, session->result, err) != 0)
		return -1;
	/* Rounds of different work have no mean: the line speaks for them. */
	if (e->work.given) {
		result_drop_warnings(session->result, warnings);
		if (session_conclude_work(session, err) != 0)
			return -1;
	}
	/* The speeds of rounds of different work were compared with their lines. */
	if ((e->rank         ? rank_conclude(session, &options, err)
	     : e->work.given ? 0
	                     : analyse_comparisons(session->result, &options, err)) != 0)
		return -1;
	if (session_conclude_indices(session, err) != 0)
		return -1;
	note_interference(session);
	note_missing_time(session);
	return compare_wall(session, &options, err);
}
