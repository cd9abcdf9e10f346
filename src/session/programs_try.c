/* Every benchmark is tried once on every side: how many invocations an iteration needs, how many threads it has, which
 * metrics it gives and which of them decides, and what all this takes. It is kept only where nothing else was measured.
 *
 * An iteration is to be long enough for the clocks (measure/invocations.h) and short against the time slices of the
 * machine, so that most iterations are not disturbed at all, which the medians of "With pairs: typical, total, slow share" need. A time here is wall −
 * run-queue delay where that is known, and the shortest of a few, for the search must not stop at a disturbed one. */
#include "session/programs.h"

#include "base/array.h"
#include "base/format.h"
#include "measure/invocations.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { AGAIN = 5 /* iterations of the final count */ };

static const double PAIRED_ITERATION = 1e6, SOLO_ITERATION = 2.5e6; /* ns */
static const double HAND_OVER = 15e3;                               /* ns between iterations */
static const double LONG_ITERATION = 1e9;                           /* that tells enough by itself */
static const double LEAST_CPU_SHARE = 0.95;                         /* as of commands (commands_try.c) */

struct bench_trial {
	struct harness *harness;
	double target; /* ns of an iteration */
	uint64_t invocations;
	double time;      /* ns of an iteration, undisturbed */
	double elapsed;   /* ns of an iteration as seen from here */
	int64_t spent;    /* ns in all iterations */
	double cpu_share; /* of the undisturbed time */
	bool one_thread;
	size_t done, single;       /* iterations of the final count, and those that had one thread */
	struct bench_table *table; /* their values; NULL: nobody will want them */
};

/* The delay is read outside of the two readings of the wall clock and may hold a wait that they do not: what the CPU
 * clock saw has surely run. */
static double undisturbed(const struct harness_sample *sample)
{
	double wall = fmax((double)sample->wall, 1), cpu = (double)sample->cpu;
	if (sample->delay <= 0 || sample->cpu < 0 || sample->thread_count > 1)
		return wall;
	return fmax(wall - (double)sample->delay, fmin(cpu, wall));
}

/* More threads than the harness knows of show as CPU time of the process that is not the thread's; where that is not
 * known, as in other languages than C or beside untimed parts, what counts is whether there are any. */
static bool has_one_thread(const struct harness *harness, const struct harness_sample *sample)
{
	if (sample->thread_count > 1)
		return false;
	if (sample->process_cpu < 0 || sample->cpu < 0)
		return harness_threads(harness) == 1;
	return (double)sample->process_cpu <= 1.1 * (double)sample->cpu + 50e3;
}

static struct harness_outcome iterate(struct session *session, struct bench_trial *trial, struct bench_columns *columns,
                                      struct harness_sample *sample)
{
	struct harness_grant grant = {.invocations = trial->invocations,
	                              .limit = session_iteration_limit(session->experiment),
	                              .metrics = TARE_HAS_CPU | TARE_HAS_DELAY | TARE_HAS_PROCESS_CPU};
	struct harness_outcome outcome = harness_iterate(trial->harness, &grant, sample);
	if (outcome.end == HARNESS_OK) {
		bench_see_columns(session, columns, sample);
		trial->spent += sample->elapsed;
	}
	return outcome;
}

/* An iteration of the final count. */
static void take_iteration(struct session *session, struct bench_trial *trial, const struct bench_columns *columns,
                           const struct harness_sample *sample)
{
	double time = undisturbed(sample);
	if (time < trial->time) {
		trial->time = time;
		trial->cpu_share = sample->cpu >= 0 ? (double)sample->cpu / time : 0;
	}
	trial->single += has_one_thread(trial->harness, sample);
	trial->done++;
	trial->elapsed += ((double)sample->elapsed - trial->elapsed) / (double)trial->done;
	trial->one_thread = 2 * trial->single > trial->done;
	if (trial->table) /* without memory for its unit readings it is not kept */
		bench_table_add(session, trial->table, columns, sample, NULL);
}

/* A harness that stops the clock beside each invocation knows the delay of one, not of several: what was seen while the
 * count was searched for does not count. */
static void forget_delay(struct bench_columns *columns)
{
	columns->used[METRIC_DELAY] = columns->used[METRIC_NET] = false;
}

static struct harness_outcome search(struct session *session, struct bench_trial *trial, struct bench_columns *columns)
{
	struct harness_sample sample;
	struct harness_outcome outcome;
	uint64_t next = 1;
	do {
		trial->invocations = next;
		outcome = iterate(session, trial, columns, &sample);
		if (outcome.end != HARNESS_OK)
			return outcome;
	} while (!invocations_enough(trial->invocations, undisturbed(&sample), trial->target, &next));
	forget_delay(columns);
	do {
		outcome = iterate(session, trial, columns, &sample);
		if (outcome.end != HARNESS_OK)
			return outcome;
		take_iteration(session, trial, columns, &sample);
	} while (trial->done < AGAIN && trial->time < LONG_ITERATION);
	if (trial->invocations > 1 || invocations_for(1, trial->time, trial->target) == 1)
		return outcome;
	forget_delay(columns);
	trial->invocations = 2;
	outcome = iterate(session, trial, columns, &sample);
	trial->invocations = 1;
	return outcome;
}

static void say_late(struct session *session, const char *name)
{
	if (session->told_late || !session->experiment->max_time || session_elapsed(session) <= session->budget)
		return;
	session->told_late = true;
	/* No duration: of a build it would be what the others left. */
	session_say(session, "%.100s: the time is over after its first invocation (--max-time)", name);
}

/* One invocation first: a benchmark that forks and goes on in the child would do so again and again in a longer loop,
 * and fill the machine with processes. Where it takes long it tells enough. */
static struct harness_outcome look_for_children(struct session *session, struct bench_trial *trial, const char *name,
                                                struct bench_columns *columns)
{
	struct harness_sample sample;
	uint32_t notes = 0;
	int64_t limit = session_iteration_limit(session->experiment);
	struct harness_outcome outcome = harness_select(trial->harness, name, limit);
	trial->invocations = 1;
	if (outcome.end == HARNESS_OK)
		outcome = iterate(session, trial, columns, &sample);
	if (outcome.end == HARNESS_OK) {
		if (undisturbed(&sample) >= fmax(LONG_ITERATION, trial->target))
			take_iteration(session, trial, columns, &sample);
		say_late(session, name);
		outcome = harness_leave(trial->harness, limit, &notes);
	}
	if (outcome.end != HARNESS_OK || !(notes & HARNESS_LEFTOVER))
		return outcome;
	outcome.end = HARNESS_FAILED;
	snprintf(outcome.text, sizeof(outcome.text), "it leaves processes behind, at the first invocation");
	return outcome;
}

/* 0; 1: lost; -1 */
static int try_side(struct session *session, struct question *b, size_t side, struct bench_trial *trial,
                    struct error *err)
{
	int64_t limit = session_iteration_limit(session->experiment);
	if (bench_source_start(session->programs, side, -1, &trial->harness, err) != 0)
		return bench_take_start(session, b, side, err);
	const char *name = b->on[side]->name;
	struct harness_outcome outcome = look_for_children(session, trial, name, &b->columns[side]);
	bool enough = trial->done > 0;
	if (outcome.end == HARNESS_OK && !enough)
		outcome = harness_select(trial->harness, name, limit);
	if (outcome.end == HARNESS_OK && !enough)
		outcome = search(session, trial, &b->columns[side]);
	if (outcome.end == HARNESS_OK && !enough)
		outcome = harness_leave(trial->harness, limit, NULL);
	if (outcome.end == HARNESS_OK)
		harness_stop(trial->harness);
	return bench_take_outcome(session, b, side, outcome, err);
}

static bool all_sides_have(const struct session *session, const struct question *b, int column)
{
	for (size_t s = 0; s < session->sides; s++)
		if (!b->columns[s].used[column])
			return false;
	return true;
}

/* The column of a name that the user gave; its place may differ between sides only for the program's own metrics,
 * and then it is not compared. */
static int column_by_name(const struct session *session, const struct question *b, const char *name)
{
	for (int c = 0; c < COLUMN_COUNT; c++) {
		bool found = all_sides_have(session, b, c);
		for (size_t s = 0; s < session->sides && found; s++)
			found = strcmp(bench_column(&b->columns[s], c).name, name) == 0;
		if (found)
			return c;
	}
	return COLUMN_COUNT;
}

/* cpu where every side is one thread that does nothing but compute, net where it is one thread, else wall.
 * One side alone is asked for its wall time. */
static int choose_deciding(const struct session *session, const struct question *b, double cpu_share)
{
	if (session->sides == 1 || !b->one_thread)
		return METRIC_WALL;
	if (cpu_share >= LEAST_CPU_SHARE && all_sides_have(session, b, METRIC_CPU))
		return METRIC_CPU;
	return all_sides_have(session, b, METRIC_NET) ? METRIC_NET : METRIC_WALL;
}

/* NULL: none was asked for. */
static const char *metric_asked_of(const struct experiment *e, const struct question *b)
{
	for (size_t i = 0; i < e->bench.deciding_count; i++)
		if (strcmp(e->bench.deciding[i].name, b->name) == 0)
			return e->bench.deciding[i].value;
	return e->metric_count ? e->metrics[0] : NULL;
}

void bench_set_deciding(struct session *session, struct question *b, double cpu_share)
{
	const char *asked = metric_asked_of(session->experiment, b);
	int wanted = asked ? column_by_name(session, b, asked) : COLUMN_COUNT;
	b->deciding = wanted != COLUMN_COUNT ? wanted : choose_deciding(session, b, cpu_share);
	if (asked && wanted == COLUMN_COUNT)
		result_warn(session->result, "metric", "%s has no metric '%s'; %s decides", b->name, asked,
		            bench_column(&b->columns[0], b->deciding).name);
}

/* The same number of invocations on all sides: as many as the fastest needs. */
static void set_invocations(const struct session *session, struct question *b, const struct bench_trial *trials)
{
	b->invocations = 1;
	for (size_t s = 0; s < session->sides; s++) {
		uint64_t count = invocations_for(trials[s].invocations, trials[s].time, trials[s].target);
		b->invocations = count > b->invocations ? count : b->invocations;
	}
	b->row_time = b->crowd = 0;
	if (b->stable)
		bench_stable_set_batches(b, trials[0].time * (double)b->invocations / (double)trials[0].invocations);
	double batches = b->stable ? (double)b->stable->batches : 1;
	for (size_t s = 0; s < session->sides; s++) {
		double times = (double)b->invocations / (double)trials[s].invocations;
		double seconds = batches * (trials[s].time * times + HAND_OVER) / 1e9;
		b->row_time = session->design == DESIGN_DUET ? fmax(b->row_time, seconds) : b->row_time + seconds;
		b->crowd += trials[s].elapsed / (trials[s].time + HAND_OVER) / (double)session->sides;
		b->alone[s] = trials[s].time / (double)trials[s].invocations / 1e9 *
		              (b->deciding == METRIC_CPU ? trials[s].cpu_share : 1);
	}
}

int bench_remember_trial(struct session *session, struct question *b, size_t rows, struct error *err)
{
	if (!session->experiment->max_time)
		return 0;
	b->tried_rows = arena_alloc(&session->arena, session->sides, sizeof(*b->tried_rows));
	for (size_t s = 0; s < session->sides && b->tried_rows; s++) {
		double *values = arena_alloc(&session->arena, rows * COLUMN_COUNT, sizeof(*values));
		b->tried_rows[s] = (struct bench_table){.values = values, .capacity = rows * COLUMN_COUNT};
		if (!values)
			return error_memory(err);
	}
	return b->tried_rows ? 0 : error_memory(err);
}

static int try_benchmark(struct session *session, struct question *b, struct error *err)
{
	const struct harness_overhead *overhead = bench_source_overhead(session->programs);
	struct bench_trial trials[BENCH_SIDES_MOST];
	double wanted = session->sides > 1 && session->design != DESIGN_SOLO ? PAIRED_ITERATION : SOLO_ITERATION,
		   cpu_share = 1;
	int64_t before = session_now(session), iterations = 0;
	int status = 0;
	b->one_thread = true;
	b->cpu_offset = (size_t)random_below(&session->random, 1 << 16);
	if (bench_remember_trial(session, b, AGAIN, err) != 0)
		return -1;
	for (size_t s = 0; s < session->sides && status == 0; s++) {
		double cost = fmax(overhead->fixed_wall, overhead->fixed_cpu);
		double time = b->stable           ? bench_stable_batch(b, PAIRED_ITERATION)
		              : b->iteration_time ? (double)b->iteration_time
		                                  : wanted;
		trials[s] = (struct bench_trial){.time = INFINITY,
		                                 .target = invocations_target(cost, overhead->resolution, time),
		                                 .table = b->tried_rows ? &b->tried_rows[s] : NULL};
		status = try_side(session, b, s, &trials[s], err);
		harness_free(trials[s].harness);
		b->one_thread &= trials[s].one_thread;
		cpu_share = fmin(cpu_share, trials[s].cpu_share);
		iterations += trials[s].spent;
	}
	if (status != 0)
		return status < 0 ? -1 : 0;
	b->start_time = fmax((double)(session_now(session) - before - iterations) / 1e9, 0);
	bench_set_deciding(session, b, cpu_share);
	set_invocations(session, b, trials);
	return bench_add_subjects(session, b, err);
}

/* What the plan says of it: its warm-up, and the iterations that are worth measuring after that. */
static void follow_plan(const struct session *session, struct question *b)
{
	const struct experiment *e = session->experiment;
	b->planned = e->plan ? plan_find(e->plan, b->name, NULL) : NULL;
	size_t count = b->planned ? plan_count(b->planned, LEVEL_ITERATION, session->sides > 1) : 0;
	if (count == 0)
		return;
	if (!b->iterations) {
		b->iterations = count;
		b->length_planned = true;
	}
	if (b->min_warmup == 0 && b->max_warmup == SIZE_MAX)
		b->min_warmup = b->max_warmup = b->planned->skip;
}

static int set_length(struct session *session, struct question *b, double share, struct error *err)
{
	b->pace = 1;
	if (!b->stable)
		return bench_auto_init(session, b, share, err);
	const struct stable_options *o = &b->stable->options; /* which say how long the shortest run is */
	b->length = session->guests ? b->iterations : stable_first_look(o) + o->iterations;
	b->unit_time = bench_run_time(b);
	return 0;
}

/* One trial tells little on a busy machine: how crowded it is, and what a start takes, is the median over all. */
static int level_times(struct session *session, struct error *err)
{
	double *crowds = arena_alloc(&session->arena, session->count, sizeof(*crowds));
	double *starts = arena_alloc(&session->arena, session->count, sizeof(*starts));
	size_t n = 0;
	if (!crowds || !starts)
		return error_memory(err);
	for (size_t i = 0; i < session->count; i++) {
		if (session->questions[i].end != SESSION_GO_ON)
			continue;
		crowds[n] = session->questions[i].crowd;
		starts[n++] = session->questions[i].start_time;
	}
	double crowd = n ? fmax(design_middle(crowds, n), 1) : 1, start = n ? design_middle(starts, n) : 0;
	for (size_t i = 0; i < session->count && n > 0; i++) {
		session->questions[i].row_time *= crowd;
		session->questions[i].start_time = start;
	}
	return 0;
}

static void set_budget(struct session *session)
{
	char budget[FORMAT_MAX];
	const struct experiment *e = session->experiment;
	double needed = session_elapsed(session);
	bool stable = false;
	for (const struct question *b = session->questions; b < session->questions + session->count; b++) {
		if (b->end == SESSION_GO_ON)
			needed += b->stable ? bench_stable_most_time(b) : bench_auto_least_time(session, b);
		stable |= b->stable != NULL;
	}
	if (e->max_time || e->stop == STOP_FIXED || needed <= session->budget)
		return;
	session->budget = needed * 1.05;
	session_say(session, "%s: measuring for up to %s (--max-time sets it)",
	            stable ? "until stable, at most as long as the caps of the stop rule allow"
	                   : "10 runs of each benchmark take longer than 60 s",
	            format_duration(budget, sizeof(budget), (int64_t)(session->budget * 1e9)));
}

double bench_trial_time(const struct session *session)
{
	return session->experiment->max_time ? session->budget - session_elapsed(session) : INFINITY;
}

void bench_leave_out(struct session *session, struct question *b, const char *what, const char *time)
{
	char limit[SESSION_TIME_WORDS];
	b->end = SESSION_LOST;
	session->missing++;
	result_about_warn(session->result, "left-out", b->name, "not %s, as the time, %s, was %s (--max-time)", what,
	                  session_time_words(session, limit), time);
}

static int try_all(struct session *session, struct error *err)
{
	for (size_t i = 0; i < session->count; i++) {
		if (i > 0 && bench_trial_time(session) <= 0) {
			bench_leave_out(session, &session->questions[i], "tried", "over");
			continue;
		}
		if (try_benchmark(session, &session->questions[i], err) != 0)
			return -1;
		session_tell(session, "trying", NULL);
		if (session_cancelled(session))
			return error_set(err, ERROR_INTERRUPTED, "interrupted");
	}
	return level_times(session, err);
}

/* Without a run of the benchmark: that of its trial. Of pairs there is one, in the order of the sides. */
static int keep_tried(struct session *session, struct question *b, struct error *err)
{
	for (size_t s = session->first; s < session->last; s++) {
		struct bench_table *to = &session->tables[s], *from = &b->tried_rows[s];
		size_t rows = programs_paired(session) && from->rows > 1 ? 1 : from->rows;
		if (array_reserve(&to->values, &to->capacity, rows * COLUMN_COUNT) != 0)
			return error_memory(err);
		memcpy(to->values, from->values, rows * COLUMN_COUNT * sizeof(*to->values));
		to->rows = rows;
	}
	b->skip = 0;
	if (bench_keep_run(session, b, err) != 0 || (b->rule->feed && b->rule->feed(session, b, err) != 0))
		return -1;
	session_kept(session);
	return 0;
}

static int keep_all_tried(struct session *session, struct error *err)
{
	bool any = result_has_samples(session->result), paired = programs_paired(session);
	size_t order[BENCH_SIDES_MOST];
	/* Trials were alone, one after the other: no duet, and pairs only where no other order was drawn. */
	if (session->design == DESIGN_DUET || (session->sides > 1 && (!paired || any)))
		return 0;
	for (size_t s = 0; s < session->sides; s++)
		order[s] = s;
	if (paired && session->order_count == 0 && session_add_order(session, order, err) != 0)
		return -1;
	for (struct question *b = session->questions; b < session->questions + session->count; b++) {
		bool tried = b->end != SESSION_LOST && b->runs == 0 && b->tried_rows;
		for (size_t s = 0; s < session->sides && tried; s++)
			tried = b->tried_rows[s].rows > 0;
		if (tried && keep_tried(session, b, err) != 0)
			return -1;
	}
	return 0;
}

int bench_keep_tried(struct session *session, struct error *err)
{
	if (keep_all_tried(session, err) != 0)
		return -1;
	/* What the user has stopped is told of otherwise. */
	for (struct question *b = session->questions;
	     b < session->questions + session->count && !session->enough && !session_cancelled(session); b++)
		if (b->end != SESSION_LOST && b->runs == 0)
			bench_leave_out(session, b, "measured", "too short for a run");
	return 0;
}

int bench_try(struct session *session, struct error *err)
{
	size_t open = 0;
	if ((session->guests ? guests_try(session, err) : try_all(session, err)) != 0)
		return -1;
	for (size_t i = 0; i < session->count; i++) {
		open += session->questions[i].end == SESSION_GO_ON;
		follow_plan(session, &session->questions[i]);
	}
	double share = open ? fmax(session->budget - session_elapsed(session), 0) / (double)open : 0;
	if (session->guests)
		guests_size(session, share);
	for (size_t i = 0; i < session->count; i++)
		if (session->questions[i].end == SESSION_GO_ON && set_length(session, &session->questions[i], share, err) != 0)
			return -1;
	set_budget(session);
	return 0;
}
