/* The verdict as a rule: a judge for every comparison, fed with pairs as they are kept; a question is answered when all
 * of its comparisons are decided (decide/jury.h), be it by verdicts, by a gate or by the precision of their ratios. */
#include "analysis/measurement.h"
#include "analysis/numbers.h"
#include "session/state.h"

#include <math.h>

int session_pair_sides(struct session *session, struct error *err)
{
	const struct experiment *e = session->experiment;
	session->pairs = arena_alloc(&session->arena, session->sides * session->sides, sizeof(*session->pairs));
	if (!session->pairs)
		return error_memory(err);
	for (size_t i = 0; i < session->sides; i++)
		for (size_t j = 0; j < session->sides; j++)
			if (e->rank ? i < j : i == e->reference && j != i)
				session->pairs[session->pair_count++] = (struct side_pair){i, j};
	return 0;
}

static size_t first_judge(const struct session *session, const struct question *question)
{
	return (size_t)(question - session->questions) * session->pair_count;
}

int session_seat_jury(struct session *session, struct error *err)
{
	const struct experiment *e = session->experiment;
	static const enum total_kind kinds[] = {
		[MEAN_ARITHMETIC] = TOTAL_ARITHMETIC, [MEAN_HARMONIC] = TOTAL_HARMONIC, [MEAN_GEOMETRIC] = TOTAL_GEOMETRIC};
	struct judge_options options = {.verdict = verdict_defaults(session_alpha(session)),
	                                .block = session->block,
	                                .has_order = true,
	                                .sides = session->design == DESIGN_DUET};
	if (!session->result->design.paired || session->sides < 2 || session->jury.count > 0)
		return 0;
	size_t each = session->pair_count, count = each * session->count;
	options.verdict.weight = session->weight;
	options.verdict.margin = e->margin;
	options.verdict.share_margin = e->share_margin;
	if (e->stop == STOP_PRECISION)
		options.verdict.rule = CRITICAL_PRECISION;
	if (jury_init(&session->jury, count, &options, err) != 0)
		return -1;
	session->jury.until_total = e->until_total;
	session->jury.gate = e->stop == STOP_AUTO ? e->gate : NAN;
	session->jury.precision = e->stop == STOP_PRECISION ? e->precision : NAN;
	/* Where turns will tell the size, the word is enough. */
	bool by_turns = session->source && session->questions[0].at_once;
	session->jury.told = e->stop == STOP_AUTO && !by_turns ? e->precision : NAN;
	for (size_t i = 0; i < count; i++) {
		const struct question *question = &session->questions[i / each];
		if (question->end == SESSION_LOST)
			continue;
		const struct measurement *m = session_deciding(session, question, 0);
		session->jury.better[i] = m->metric.better;
		session->jury.judges[i].options.verdict.kind = kinds[m->mean_kind];
		session->jury.judges[i].options.verdict.higher_is_better = session->jury.better[i] == BETTER_HIGHER;
	}
	return 0;
}

/* ---- feeding ---- */

/* One run, from the series, to one judge. */
static int feed_judge(struct session *session, struct question *question, size_t place, size_t run, struct error *err)
{
	struct judge *judge = &session->jury.judges[first_judge(session, question) + place];
	size_t n, base = session->pairs[place].base, new_ = session->pairs[place].new_;
	const struct measurement *m = session_deciding(session, question, base);
	const struct series *other = &session_deciding(session, question, new_)->series;
	size_t from = series_span(&m->series, run, &n), skip = question->stable ? measurement_skip(m, run) : question->skip;
	for (size_t i = skip; i < n; i++) {
		const size_t *order = session_order(session, session->design == DESIGN_TURNS ? from + i : run, err);
		size_t at = 0;
		while (order && order[at] != base && order[at] != new_)
			at++;
		if (!order ||
		    judge_add(judge, m->series.values[from + i], other->values[from + i], order[at] != base, err) != 0)
			return -1;
	}
	return session->block == 0 ? judge_end_unit(judge, err) : 0;
}

/* What the jury has not seen; everything again where another number is left out of the runs than it was told. */
int verdict_feed(struct session *session, struct question *question, struct error *err)
{
	size_t count = session->jury.count ? session->pair_count : 0;
	if (question->fed_skip != question->skip) {
		for (size_t i = 0; i < count; i++)
			judge_clear(&session->jury.judges[first_judge(session, question) + i]);
		question->fed = 0;
		question->fed_skip = question->skip;
	}
	for (; question->fed < question->runs; question->fed++)
		for (size_t i = 0; i < count; i++)
			if (feed_judge(session, question, i, question->fed, err) != 0)
				return -1;
	return 0;
}

void session_tell_quantum(struct session *session, struct question *question)
{
	double known = session->instrument->quantum ? session->instrument->quantum(session) : 0;
	size_t first = first_judge(session, question);
	for (size_t i = 0; i < session->pair_count && session->jury.count > 0; i++) {
		const struct side_pair *pair = &session->pairs[i];
		double *quantum = &session->jury.judges[first + i].options.verdict.quantum;
		*quantum = known > 0 ? known
		                     : fmax(measurement_quantum(session_deciding(session, question, pair->base)),
		                            measurement_quantum(session_deciding(session, question, pair->new_)));
	}
	question->quantum_runs = question->fed;
}

/* ---- looking ---- */

/* When every comparison of it is. */
static bool is_decided(const struct session *session, const struct question *question)
{
	size_t first = first_judge(session, question);
	bool decided = question->end == SESSION_GO_ON && question->runs >= question->min_runs &&
	               question->rule == &rule_verdict;
	for (size_t i = 0; i < session->pair_count && decided; i++)
		decided = session->jury.decided[first + i];
	return decided;
}

static int verdict_look_at(struct session *session, struct question *question, struct error *err)
{
	bool again = true;
	/* Of commands at numbers of pairs that are worth a look; programs are few enough to look after every run. */
	if (session->block && (!jury_is_due(&session->jury) || question->runs < question->min_runs))
		return 0;
	session->checks++;
	/* The clock's step is sought in all values: when they are a tenth more, and before the last word. */
	if (10 * question->fed >= 11 * question->quantum_runs)
		session_tell_quantum(session, question);
	while (again) {
		again = false;
		if (jury_look(&session->jury, &session->look, err) != 0)
			return -1;
		for (struct question *other = session->questions; other < session->questions + session->count; other++)
			if (is_decided(session, other) && other->quantum_runs < other->fed) {
				session_tell_quantum(session, other);
				again = true;
			}
	}
	for (size_t i = 0; i < session->count; i++)
		if (is_decided(session, &session->questions[i]))
			session->questions[i].end = session->experiment->stop == STOP_PRECISION ? SESSION_PRECISE : SESSION_DECIDED;
	return 0;
}

static double verdict_missing(const struct session *session, const struct question *question)
{
	double missing = 0;
	for (size_t i = 0; i < session->pair_count; i++)
		missing = fmax(missing, session->jury.missing[first_judge(session, question) + i]);
	return missing * (double)question->fed;
}

struct session_estimate verdict_estimate(const struct session *session, const struct question *question, size_t judge)
{
	const struct verdict_numbers *n = &session->jury.numbers[judge];
	const struct verdict_part *part = n->typical.used ? &n->typical : &n->total;
	bool known = n->runs >= 2, bounded = known && !part->unbounded;
	const struct side_pair *pair = &session->pairs[judge % session->pair_count];
	return (struct session_estimate){
		.subject = question->name ? question->name : session->experiment->subjects[pair->new_].name,
		.against = question->name ? NULL : session->experiment->subjects[pair->base].name,
		.is_ratio = true,
		.unit = session_deciding(session, question, 0)->metric.unit,
		.estimate = known ? part->estimate : NAN,
		.low = bounded ? part->interval.low : NAN,
		.high = bounded ? part->interval.high : NAN,
		.target = NAN,
		.decided = session->jury.decided[judge],
		.verdict = numbers_verdict(n->verdict, session_deciding(session, question, 0)->metric.better),
	};
}

/* Of a suite the first comparison of the benchmark, of commands the one that needs most, beside all of them. */
void verdict_outlook(struct session *session, const struct question *question, struct session_progress *p)
{
	size_t judge = question->name ? first_judge(session, question) : session->look.worst;
	if (session->jury.count == 0)
		return;
	const struct verdict_numbers *n = &session->jury.numbers[judge];
	p->most = verdict_estimate(session, question, judge);
	if (question->name)
		p->pairs = n->pairs;
	for (size_t i = 0; !question->name && session->jury.count > 1 && i < session->jury.count; i++)
		if (p->each_count < SESSION_ESTIMATES)
			p->each[p->each_count++] = verdict_estimate(session, question, i);
	if (n->runs < 2)
		return;
	double least = (double)session->jury.judges[0].options.verdict.least_pairs, pairs = (double)n->runs;
	double more = fmax(session->look.missing * pairs, fmax(least - pairs, 0));
	if (session->block)
		p->left = more * session->round_time;
}

const struct rule rule_verdict = {
	.feed = verdict_feed,
	.look = verdict_look_at,
	.missing = verdict_missing,
	.outlook = verdict_outlook,
};
