/* tare's own rule (decide/auto_rule.h) in a session: the same that a replay plays on complete data.
 *
 * Every benchmark that is not stopped when stable has one: for auto, precision, verdict and fixed it says what is left
 * out of the runs and how long they are. One side is stopped by it too; of several sides the jury decides
 * (rule_verdict.c).
 *
 * Where the time is short it gets less: a scout at most a third of the benchmark's share, by what its trial took, and half
 * of it by the clock, and no more measured iterations than leave room for the least number of runs. Pairs are at least 20 in a run, for the slow share needs
 * many. */
#include "session/programs.h"

#include <math.h>

enum { LEAST_PAIRS = 20, MOST_REST = 1000, MOST_LENGTH = 10000, FIRST_OF_PLAN = 300, FIRM = 10 };
enum { LEAST_RUNS = 10, LEAST_RUNS_LONG_WARMUP = 3 };

static const double scout_share = 3, spare = 1.5; /* of the time; so many times the least number of runs must fit */

static const double long_warmup = 10; /* seconds */

size_t bench_least_runs(const struct session *session, const struct question *b)
{
	size_t least = LEAST_RUNS;
	if (b->stable)
		return b->min_runs;
	if (programs_paired(session))
		least = VERDICT_FIRST_LOOK;
	else if (b->min_runs)
		least = b->min_runs;
	else if ((double)b->skip * b->row_time > long_warmup)
		least = LEAST_RUNS_LONG_WARMUP;
	if (b->min_runs > least)
		least = b->min_runs;
	return b->max_runs && b->max_runs < least ? b->max_runs : least;
}

static size_t whole(double value, double low, double high)
{
	return (size_t)fmin(fmax(value, low), high);
}

static void set_room(const struct session *session, const struct question *b, double share, struct auto_options *o)
{
	double least = (double)bench_least_runs(session, b);
	double affordable = fmax((share / (spare * least) - b->start_time) / b->row_time, 1);
	double usual = programs_paired(session) ? LEAST_PAIRS : (double)o->least_rest;
	if (session->experiment->bench.first && !o->iterations) /* of a plan: long runs, that show what levels there are */
		o->iterations = whole(affordable, LEAST_PAIRS, FIRST_OF_PLAN);
	o->start_cost = b->start_time / b->row_time;
	o->most_rest = whole(affordable, 1, MOST_REST);
	o->least_rest = whole(usual, 1, (double)o->most_rest);
	o->max_length = whole(share / scout_share / b->row_time, affordable, MOST_LENGTH);
	if (o->iterations && o->max_length < o->iterations + o->min_warmup + 1)
		o->max_length = o->iterations + o->min_warmup + 1;
}

int bench_auto_init(struct session *session, struct question *b, double share, struct error *err)
{
	const struct experiment *e = session->experiment;
	struct auto_options o;
	auto_options_init(&o);
	o.sides = programs_paired(session) ? session->sides : 1;
	o.precision = programs_paired(session) && e->stop != STOP_PRECISION ? e->margin : e->precision;
	o.confidence = 1 - (programs_paired(session) ? session_alpha(session) : session_alpha_one(session));
	if (b->min_runs && e->pi_count == 0) /* performance indices have targets of their own: no short look */
		o.min_runs = b->min_runs;
	o.max_runs = b->max_runs;
	o.iterations = b->iterations;
	o.min_warmup = b->min_warmup;
	o.max_warmup = b->max_warmup;
	/* Of a plan its count; it is chosen again when its own data say more than the first experiment did. Iterations that
	 * are not independent stay as they are. */
	if (b->length_planned && b->planned->state != STEADY_INITIALISED && b->planned->state != STEADY_NEVER) {
		o.iterations = 0;
		o.first_rest = b->iterations;
		o.resize_from = (size_t)fmax(b->planned->levels[0].members, FIRM);
	}
	set_room(session, b, share, &o);
	b->scout_time = share / 2;
	auto_rule_free(b->lengths);
	b->lengths = auto_rule_new(&o);
	if (!b->lengths)
		return error_memory(err);
	b->skip = auto_rule_skip(b->lengths);
	b->length = auto_rule_next_length(b->lengths);
	b->unit_time = bench_run_time(b);
	return 0;
}

int bench_auto_take(struct session *session, struct question *b, size_t side, struct error *err)
{
	const struct bench_table *table = &session->tables[side];
	return auto_rule_add(b->lengths, side - session->first, bench_table_at(table, table->rows - 1, b->deciding), err);
}

int bench_auto_end_run(struct session *session, struct question *b, struct error *err)
{
	size_t length;
	int64_t before = session_now(session);
	int status = auto_rule_end_run(b->lengths, &length, err);
	session->deciding_time += session_now(session) - before;
	if (status != 0)
		return -1;
	b->skip = auto_rule_skip(b->lengths);
	b->length = auto_rule_next_length(b->lengths);
	for (size_t s = session->first; s < session->last; s++) {
		struct subject *subject = &session->result->subjects[b->subject + s];
		session->tables[s].rows = length;
		for (size_t m = 0; m < subject->metric_count; m++)
			subject->metrics[m].skip = b->skip;
	}
	return 0;
}

double bench_auto_least_time(const struct session *session, const struct question *b)
{
	double later = b->pace * (b->start_time + (double)auto_rule_later_length(b->lengths) * b->row_time);
	return b->unit_time + (double)(bench_least_runs(session, b) - 1) * later;
}

/* A benchmark whose warm-up was not over within its longest run is named, with what would help; a glance is told as
 * one. */
void bench_auto_note(struct session *session, const struct question *b)
{
	struct auto_outcome outcome;
	if (!b->lengths || b->runs == 0 || b->end == SESSION_LOST)
		return;
	auto_rule_outcome(b->lengths, &outcome);
	if (outcome.allowance > 0)
		result_warn(
			session->result, "short-look",
			"a short look was taken, for so loose a precision and so few runs: \xc2\xb1%g %% of each interval are for what it may "
			"have missed; --min-runs 4 looks longer and needs no such allowance",
			100 * outcome.allowance);
	if (!b->iterations && b->max_warmup == SIZE_MAX && !outcome.settled && outcome.looked)
		result_warn(
			session->result, "never-warm",
			"%s had not settled after %zu iterations: no steady state was seen in its first run; a longer --max-time lets it continue, "
			"--min-warmup sets what is left out, --iteration-time evens out",
			b->name, outcome.scout);
}
