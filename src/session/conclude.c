/* What the kept runs say: subjects, comparisons, and the warnings that only the whole session can give. */
#include "analysis/analysis.h"
#include "analysis/measurement.h"
#include "decide/auto_rule.h"
#include "decide/plan.h"
#include "session/programs.h"
#include "session/state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What the looks are for; each of a solo is looked at by itself. Rules that do not look at the mean leave its interval
 * as it is. */
static enum looking looking_of(const struct session *session)
{
	const struct experiment *e = session->experiment;
	bool all_stable = session->count > 0, alone = session->sides == 1 || session->design == DESIGN_SOLO;
	for (size_t i = 0; i < session->count; i++)
		all_stable &= session->questions[i].stable != NULL;
	if ((e->stop == STOP_FIXED && !e->earlier) || all_stable)
		return LOOKED_ONCE;
	return alone || e->stop == STOP_PRECISION ? LOOKED_FOR_PRECISION : LOOKED_FOR_VERDICT;
}

/* The name of the metric that decides everywhere; NULL: each benchmark has its own, or it is not known yet. */
static const char *deciding_metric(const struct session *session)
{
	const char *name = NULL;
	for (size_t i = 0; i < session->count; i++) {
		const struct question *question = &session->questions[i];
		if (!question->has_subjects || session->result->subjects[question->subject].metric_count == 0)
			continue;
		const char *own = session_deciding(session, question, 0)->metric.name;
		if (name && strcmp(name, own) != 0)
			return NULL;
		name = own;
	}
	return name;
}

void session_record_rule(struct session *session)
{
	struct result *result = session->result;
	const struct experiment *e = session->experiment;
	const char *rule = e->stop == STOP_STABLE ? e->bench.stability.rule : NULL, *metric = deciding_metric(session);
	result->stopped.rule = rule ? arena_strdup(&result->arena, rule) : stop_rule_name(e->stop);
	result->stopped.looks = looking_name(looking_of(session));
	result->stopped.alpha = session->sides > 1 || e->rank ? session_alpha(session) : session_alpha_one(session);
	result->stopped.weight = looking_of(session) == LOOKED_FOR_VERDICT ? session->weight : 0;
	result->stopped.metric = metric ? arena_strdup(&result->arena, metric) : NULL;
	result->stopped.block = result->design.paired && looking_of(session) != LOOKED_ONCE ? session->block : 0;
}

static struct analysis_options options_of(const struct session *session)
{
	const struct experiment *e = session->experiment;
	struct analysis_options options = analysis_options_of(e);
	options.confidence = 1 - session_alpha(session);
	options.confidence_one = 1 - session_alpha_one(session);
	options.weight = session->weight;
	options.reference = e->reference;
	options.seed = e->seed;
	options.looking = looking_of(session);
	options.skip = session->programs ? SKIP_AS_SET : 0;
	options.state = e->bench.same_iteration ? STEADY_INITIALISED : STEADY_UNKNOWN;
	/* The units of one look follow from the number of pairs, which was fixed before the first. */
	options.block = options.looking == LOOKED_ONCE ? 0 : session->block;
	if (session->source) {
		options.deciding = session->turns ? deciding_metric(session)
		                                  : source_metric(session->source, session->deciding)->name;
		options.clock_quantum = source_quantum(session->source, session->deciding);
	}
	return options;
}

/* ---- subjects ---- */

/* Seconds of one more iteration, and of one more run: starting and warming up. A round has a run of each side. */
static void set_costs(const struct session *session, const struct question *question, struct measurement *m)
{
	double sides = (double)session->sides, row = question->row_time / sides;
	double *costs = question->work ? NULL : measurement_own_costs(session->result, m);
	if (!costs)
		return;
	if (!question->name) {
		costs[LEVEL_RUN] = session->round_time > 0 ? session->round_time / sides : NAN;
	} else if (session->guests) {
		guests_costs(session, question, &costs[LEVEL_RUN], &costs[LEVEL_ITERATION]);
	} else {
		costs[LEVEL_ITERATION] = row;
		costs[LEVEL_RUN] = question->start_time / sides + (double)m->skip * row;
	}
}

static int analyse_benchmark(struct session *session, const struct question *question, struct analysis_options options,
                             struct error *err)
{
	for (size_t s = 0; s < question->sides; s++) {
		struct subject *subject = &session->result->subjects[question->subject + s];
		if (question->stable)
			options.looking = LOOKED_ONCE;
		options.allowance = question->lengths ? auto_rule_estimate(question->lengths)->allowance : 0;
		/* Where pairs decide, what the runs of one side alone are like is beside the point. */
		options.deciding = session->result->design.paired
		                       ? ""
		                       : bench_column(&question->columns[s], (enum bench_column)question->deciding).name;
		for (size_t m = 0; m < subject->metric_count; m++)
			if (analyse_measurement(session->result, subject, &subject->metrics[m], &options, err) != 0)
				return -1;
	}
	return 0;
}

static int analyse(struct session *session, const struct analysis_options *options, struct error *err)
{
	for (size_t i = 0; i < session->count; i++) {
		const struct question *question = &session->questions[i];
		for (size_t s = 0; question->has_subjects && s < question->sides; s++) {
			struct subject *subject = &session->result->subjects[question->subject + s];
			for (size_t m = 0; m < subject->metric_count; m++)
				set_costs(session, question, &subject->metrics[m]);
		}
		if (session->programs && question->has_subjects && analyse_benchmark(session, question, *options, err) != 0)
			return -1;
	}
	return session->programs ? 0 : analyse_subjects(session->result, options, err);
}

/* ---- comparisons ---- */

/* Of a benchmark: runs on every side, and nothing went wrong. */
static bool is_comparable(const struct session *session, const struct question *question)
{
	bool fine = !question->name || (question->end != SESSION_LOST && question->has_subjects);
	for (size_t s = 0; s < question->sides && question->name && fine; s++)
		fine = session_deciding(session, question, s)->series.n > 0;
	return fine;
}

/* The judge that a comparison was stopped by: nothing is judged again. Where there was no look on the way, or values have
 * no ratio, the samples are judged. */
static const struct judge *judge_of(const struct session *session, size_t number)
{
	if (session->jury.count == 0 || looking_of(session) == LOOKED_ONCE || session->jury.judges[number].trouble)
		return NULL;
	return &session->jury.judges[number];
}

static size_t couples_of(const struct session *session, bool by_wall, struct couple *couples)
{
	size_t count = 0;
	const char *wall = metric_of(METRIC_WALL).name;
	for (size_t i = 0; i < session->count; i++) {
		const struct question *question = &session->questions[i];
		for (size_t k = 0; k < session->pair_count && is_comparable(session, question); k++) {
			const struct side_pair *pair = &session->pairs[k];
			couples[count++] = (struct couple){
				.base = question->subject + pair->base,
				.new_ = question->subject + pair->new_,
				.metric = by_wall ? wall : session_deciding(session, question, pair->base)->metric.name,
				.judge = by_wall ? NULL : judge_of(session, i * session->pair_count + k)};
		}
	}
	return count;
}

static bool opposite(enum verdict a, enum verdict b)
{
	return (a == VERDICT_FASTER && b == VERDICT_SLOWER) || (a == VERDICT_SLOWER && b == VERDICT_FASTER);
}

/* Whether wall time says the opposite of what decided. */
static int compare_wall(struct session *session, struct couple *couples, struct analysis_options options,
                        struct error *err)
{
	struct result *result = session->result;
	size_t decided = result->comparison_count, count = couples_of(session, true, couples);
	bool by_wall = true;
	for (size_t i = 0; i < decided; i++)
		by_wall &= strcmp(result->comparisons[i].metric, metric_of(METRIC_WALL).name) == 0;
	if (by_wall)
		return 0;
	options.gate = NAN;
	options.selection = false;
	int status = analyse_couples(result, couples, count, &options, err);
	for (size_t i = 0; i < decided && i + decided < result->comparison_count && status == 0; i++) {
		const struct comparison *c = &result->comparisons[i], *wall = &result->comparisons[i + decided];
		if (opposite(c->verdict, wall->verdict))
			result_warn(result, "wall-disagrees", "%s: wall time says %s, %s says %s", result->subjects[c->new_].name,
			            verdict_name(wall->verdict), c->metric, verdict_name(c->verdict));
	}
	result->comparison_count = decided;
	return status;
}

/* The question that a comparison belongs to; NULL: it is with a result of another day. */
static const struct question *question_of(const struct session *session, const struct comparison *c)
{
	for (size_t i = 0; i < session->count; i++) {
		const struct question *question = &session->questions[i];
		if (question->has_subjects && c->base >= question->subject && c->base < question->subject + question->sides &&
		    c->new_ < question->subject + question->sides)
			return question;
	}
	return NULL;
}

void session_take_company(const struct session *session, struct question *question, size_t side, double together,
                          double alone)
{
	bool rate = session_deciding(session, question, side)->metric.better == BETTER_HIGHER;
	company_add(&question->company[side], rate ? alone : together, rate ? together : alone);
}

/* By the values next to each other; where there are none, by what the trial took alone. */
static double interference_of(const struct session *session, const struct question *question, size_t side,
                              struct confidence *ci)
{
	double ratio = company_ratio(&question->company[side], 1 - session_alpha_one(session), ci);
	return isnan(ratio) ? session_deciding(session, question, side)->median / question->alone[side] : ratio;
}

/* Intervals that meet say nothing of a difference; without them a tenth is much. */
static bool is_uneven(const struct comparison *c)
{
	const struct confidence *a = &c->interference->base_ci, *b = &c->interference->new_ci;
	double uneven = c->interference->base / c->interference->new_;
	if (!(uneven > 1.1 || uneven < 1 / 1.1))
		return false;
	return isnan(a->level) || isnan(b->level) || a->low > b->high || b->low > a->high;
}

/* A duet: how many times longer they take at once. */
static int note_interference(struct session *session, struct error *err)
{
	struct result *result = session->result;
	for (size_t i = 0; session->design == DESIGN_DUET && i < result->comparison_count; i++) {
		struct comparison *c = &result->comparisons[i];
		const struct question *question = question_of(session, c);
		if (!question)
			continue;
		size_t base = c->base - question->subject, new_ = c->new_ - question->subject;
		struct interference *found = comparison_own_interference(result, c);
		if (!found)
			return error_memory(err);
		found->base = interference_of(session, question, base, &found->base_ci);
		found->new_ = interference_of(session, question, new_, &found->new_ci);
		if (!is_uneven(c))
			continue;
		char text[200];
		snprintf(text, sizeof(text),
		         "at once they slow each other unevenly (%.2f and %.2f times): their bottlenecks differ; "
		         "--design turns measures each alone",
		         c->interference->base, c->interference->new_);
		if (question->name)
			result_about_warn(result, "interference", question->name, "%s", text);
		else
			result_warn(result, "interference", "%s", text);
	}
	return 0;
}

/* What is undecided: about how much longer it would take. The comparisons are those of the pairs, in their order. */
static void note_missing_time(struct session *session)
{
	struct comparison *c = session->result->comparisons;
	if (session->jury.count == 0 || jury_look(&session->jury, &session->look, NULL) != 0)
		return;
	for (size_t i = 0; i < session->count; i++) {
		const struct question *question = &session->questions[i];
		for (size_t k = 0; k < session->pair_count && is_comparable(session, question); k++, c++) {
			size_t judge = i * session->pair_count + k;
			bool least;
			double more = jury_forecast(&session->jury, judge, &least);
			bool open = isnan(session->jury.gate) ? c->verdict == VERDICT_UNDECIDED
			                                      : session->jury.gates[judge] == GATE_OPEN;
			if (!open || !(more > 0) || c->quick)
				continue;
			c->more_time_least = least;
			c->more_time = more * (double)question->runs * question->unit_time;
		}
	}
}

static int compare_pairs(struct session *session, const struct analysis_options *options, struct error *err)
{
	struct couple *couples = arena_alloc(&session->arena, session->count * session->sides, sizeof(*couples));
	if (!couples)
		return error_memory(err);
	for (size_t i = 0; i < session->count && session->jury.count > 0; i++) {
		struct question *question = &session->questions[i];
		if (!question->has_subjects || question->end == SESSION_LOST)
			continue;
		if (verdict_feed(session, question, err) != 0)
			return -1;
		session_tell_quantum(session, question);
	}
	size_t count = couples_of(session, false, couples);
	if (analyse_couples(session->result, couples, count, options, err) != 0)
		return -1;
	note_missing_time(session);
	return note_interference(session, err) == 0 ? compare_wall(session, couples, *options, err) : -1;
}

static int compare(struct session *session, const struct analysis_options *options, struct error *err)
{
	if (session->experiment->rank)
		return rank_conclude(session, options, err) != 0 ? -1 : note_interference(session, err);
	if (session->sides < 2)
		return 0;
	return session->experiment->work.given ? work_compare(session, err) : compare_pairs(session, options, err);
}

int session_conclude(struct session *session, struct error *err)
{
	const struct experiment *e = session->experiment;
	struct analysis_options options = options_of(session);
	size_t warnings = session->result->warning_count;
	if ((e->rank && rank_add_rivals(session, err) != 0) || analyse(session, &options, err) != 0)
		return -1;
	/* Rounds of different work have no mean: the line speaks for them. */
	if (e->work.given)
		result_drop_warnings(session->result, warnings);
	for (size_t i = 0; i < session->count; i++) {
		struct question *question = &session->questions[i];
		if (question->has_subjects && question->rule && question->rule->conclude &&
		    question->rule->conclude(session, question, err) != 0)
			return -1;
		if (question->has_subjects)
			bench_auto_note(session, question);
	}
	if ((e->plan && plan_check(e->plan, session->result, err) != 0) || compare(session, &options, err) != 0)
		return -1;
	return session->source ? session_conclude_indices(session, err) : 0;
}
