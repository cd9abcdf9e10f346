/* --stop cv, rciw, kld and combinations: Laaber et al. (2020) with harness programs (decide/stable.h has the rules).
 *
 * An iteration lasts 1 s. It is made of batches of a millisecond or more, at most as many as the criteria look at
 * (1000): their means are its values. Readings of single units (tare_unit) are its values where they decide. The series
 * gets one row an iteration, the mean of its batches; those of the warm-up are marked as that, run by run
 * (steady.skips).
 *
 * Several programs: each is watched by itself. Where they take turns the warm-up goes on until it is over on all sides;
 * there is another run until all of them are stable. In a duet both are asked when both have ended an iteration.
 *
 * The criteria are computed by this process between iterations, and what that takes is added up. */
#include "session/programs.h"

#include "base/array.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double paper_iteration = 1e9; /* ns */
enum { LIFTED = 10 };                      /* times a cap, with --lift */

void bench_stable_free(struct bench_stable *stable, size_t sides)
{
	if (!stable)
		return;
	for (size_t s = 0; stable->sides && s < sides; s++) {
		stable_free(stable->sides[s].watch);
		mem_free(stable->sides[s].values);
		mem_free(stable->sides[s].counts);
	}
}

int bench_stable_init(struct session *session, struct question *b, struct error *err)
{
	const struct experiment_stability *given = &b->stability;
	struct bench_stable *stable = arena_alloc(&session->arena, 1, sizeof(*stable));
	if (!stable)
		return error_memory(err);
	b->stable = stable;
	struct stable_options *o = &stable->options;
	stable_options_init(o);
	if (stable_options_parse(o, given->rule, err) != 0)
		return error_on(err, "--stop");
	if (given->variant)
		stop_variant_by_name(given->variant, &o->variant);
	o->window = given->window ? given->window : o->window;
	o->most_values = given->values ? given->values : o->most_values;
	o->min_warmup = b->min_warmup;
	o->max_warmup = b->max_warmup != SIZE_MAX ? b->max_warmup : o->max_warmup;
	o->iterations = b->iterations ? b->iterations : o->iterations;
	o->max_runs = b->max_runs ? b->max_runs : b->min_runs > o->max_runs ? b->min_runs : o->max_runs;
	o->min_runs = b->min_runs ? b->min_runs : o->min_runs < o->max_runs ? o->min_runs : o->max_runs;
	o->warmup_runs = given->warmup_runs;
	o->seed = session->experiment->seed;
	stable->warmup_runs_left = o->warmup_runs;
	b->min_runs = o->min_runs;
	b->max_runs = given->lift ? LIFTED * o->max_runs : o->max_runs;
	b->iteration_time = b->iteration_time ? b->iteration_time : (int64_t)paper_iteration;
	stable->batches = 1;
	stable->sides = arena_alloc(&session->arena, session->sides, sizeof(*stable->sides));
	bool fine = stable->sides != NULL;
	for (size_t s = 0; s < session->sides && fine; s++)
		fine = (stable->sides[s].watch = stable_new(o)) != NULL;
	return fine ? 0 : error_memory(err);
}

double bench_stable_batch(const struct question *b, double shortest)
{
	double whole = (double)b->iteration_time, part = whole / (double)b->stable->options.most_values;
	return fmin(fmax(part, shortest), whole);
}

void bench_stable_set_batches(struct question *b, double batch_time)
{
	double wanted = (double)b->iteration_time / fmax(batch_time, 1), most = (double)b->stable->options.most_values;
	b->stable->batches = (size_t)fmin(fmax(round(wanted), 1), most);
}

double bench_stable_most_time(const struct question *b)
{
	const struct stable_options *o = &b->stable->options;
	double run = b->start_time + (double)(o->max_warmup + o->iterations) * b->row_time;
	return run * (double)(o->max_runs + o->warmup_runs);
}

void bench_stable_begin(const struct session *session, struct question *b)
{
	for (size_t s = session->first; b->stable && s < session->last; s++) {
		stable_begin_run(b->stable->sides[s].watch);
		b->stable->sides[s].warm = false;
		/* A framework warms up by itself: all that it reports was measured. */
		b->stable->sides[s].measured_from = session->guests ? 0 : SIZE_MAX;
	}
}

/* ---- values of an iteration ---- */

static int reserve_values(struct bench_watched *side, size_t n, struct error *err)
{
	if (side->n + n <= side->capacity)
		return 0;
	size_t capacity = array_larger(side->capacity, side->n + n);
	if (array_resize(&side->values, capacity) != 0 || array_resize(&side->counts, capacity) != 0)
		return error_memory(err);
	side->capacity = capacity;
	return 0;
}

static bool decides_by_units(const struct question *b, size_t side, const struct harness_sample *sample)
{
	return b->deciding >= COLUMN_OWN && sample->unit_name && sample->unit_count > 0 &&
	       strcmp(bench_column(&b->columns[side], b->deciding).name, sample->unit_name) == 0;
}

int bench_stable_take(struct session *session, struct question *b, size_t side, const struct harness_sample *sample,
                      struct error *err)
{
	struct bench_watched *now = &b->stable->sides[side];
	const struct bench_table *table = &session->tables[side];
	bool units = decides_by_units(b, side, sample);
	size_t n = units ? sample->unit_count : 1;
	if (reserve_values(now, n, err) != 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		now->values[now->n] = units ? sample->units[i] : bench_table_at(table, table->rows - 1, b->deciding);
		now->counts[now->n++] = units && sample->unit_stride > 0 ? sample->unit_stride : 1;
	}
	return 0;
}

/* The last rows of a table become one: their means. */
static void join_rows(struct bench_table *table, size_t count)
{
	double *first = table->values + (table->rows - count) * COLUMN_COUNT;
	for (int c = 0; c < COLUMN_COUNT; c++) {
		double sum = 0;
		for (size_t i = 0; i < count; i++)
			sum += first[i * COLUMN_COUNT + (size_t)c];
		first[c] = sum / (double)count;
	}
	table->rows -= count - 1;
}

/* ---- checkpoints ---- */

static bool is_capped(const struct session *session, const struct question *b, size_t rows)
{
	const struct stable_options *o = &b->stable->options;
	size_t cap = b->stability.lift ? LIFTED * o->max_warmup : o->max_warmup;
	double rest = (double)o->iterations * b->row_time;
	bool over = session->experiment->max_time && rows >= stable_first_look(o) &&
	            session_elapsed(session) + rest > session->until;
	return rows >= cap || over;
}

int bench_stable_row(struct session *session, struct question *b, size_t side, struct error *err)
{
	struct bench_watched *whole = &b->stable->sides[side];
	int64_t before = session_now(session);
	int status;
	bool warm;
	join_rows(&session->tables[side], b->stable->batches);
	if (whole->measured_from == SIZE_MAX) {
		session->checks++;
		status = stable_add_warmup(whole->watch, whole->values, whole->counts, whole->n, &warm, err);
		whole->warm = status == 0 && warm;
	} else {
		status = stable_add_measured(whole->watch, whole->values, whole->counts, whole->n, err);
	}
	whole->n = 0;
	session->deciding_time += session_now(session) - before;
	return status;
}

bool bench_stable_goes_on(const struct session *session, struct question *b, size_t first, size_t last)
{
	struct bench_stable *stable = b->stable;
	size_t rows = session->tables[first].rows;
	bool all_warm = true;
	if (stable->sides[first].measured_from != SIZE_MAX)
		return rows < stable->sides[first].measured_from + stable->options.iterations;
	for (size_t s = first; s < last; s++)
		all_warm &= stable->sides[s].warm;
	if (!all_warm && !is_capped(session, b, rows))
		return true;
	for (size_t s = first; s < last; s++) {
		stable->sides[s].measured_from = rows;
		stable->sides[s].never_warm += !stable->sides[s].warm && stable->warmup_runs_left == 0;
	}
	if (stable->warmup_runs_left == 0) {
		stable->warmup_sum += rows;
		stable->warmup_count++;
	}
	return true;
}

/* Pairs stand at the same places: where sides warmed up one after the other, each for itself, the longer warm-up loses
 * its beginning. Returns the warm-up of all. */
static size_t align_warmup(struct session *session, const struct question *b)
{
	size_t shortest = SIZE_MAX;
	for (size_t s = session->first; s < session->last; s++)
		shortest = b->stable->sides[s].measured_from < shortest ? b->stable->sides[s].measured_from : shortest;
	for (size_t s = session->first; s < session->last; s++) {
		struct bench_table *table = &session->tables[s];
		size_t extra = b->stable->sides[s].measured_from - shortest;
		memmove(table->values, table->values + extra * COLUMN_COUNT,
		        (table->rows - extra) * COLUMN_COUNT * sizeof(*table->values));
		table->rows -= extra;
	}
	return shortest;
}

int bench_stable_keep(struct session *session, struct question *b, bool *keep, struct error *err)
{
	*keep = b->stable->warmup_runs_left == 0;
	if (!*keep) {
		b->stable->warmup_runs_left--;
		return 0;
	}
	size_t skip = align_warmup(session, b);
	for (size_t s = session->first; s < session->last; s++) {
		struct subject *subject = &session->result->subjects[b->subject + s];
		b->stable->sides[s].runs++;
		for (size_t m = 0; m < subject->metric_count; m++)
			if (measurement_add_skip(session->result, &subject->metrics[m], b->runs, skip) != 0)
				return error_memory(err);
	}
	return 0;
}

/* ---- what is said ---- */

static void add_values(const struct bench_stable *stable, size_t side, char *text, size_t size)
{
	size_t used = 0;
	text[0] = '\0';
	for (int c = 0; c < CRITERION_COUNT && used < size; c++) {
		if (!stable->options.uses[c])
			continue;
		double threshold = isnan(stable->options.threshold[c]) ? stop_threshold((enum stop_criterion)c)
		                                                       : stable->options.threshold[c];
		used += (size_t)snprintf(text + used, size - used, "%s%s %.3g (threshold %g)", used ? ", " : "",
		                         stop_criterion_name((enum stop_criterion)c),
		                         stable_value(stable->sides[side].watch, (enum stop_criterion)c, true), threshold);
	}
}

/* One side of a benchmark, by its own numbers. */
static void note_side(struct session *session, const struct question *b, size_t side)
{
	const struct bench_stable *stable = b->stable;
	const char *name = session->sides > 1 ? session->result->subjects[b->subject + side].name : b->name;
	size_t never = stable->sides[side].never_warm, runs = stable->sides[side].runs;
	char values[200];
	if (never > 0)
		result_warn(
			session->result, "never-warm",
			"%s was still warming up in %zu of %zu runs when the cap of %zu iterations%s was reached; %s"
			"--max-warmup allow more, a longer --iteration-time evens out, --stop auto finds the warm-up by another rule",
			name, never, runs, stable->options.max_warmup, b->stability.lift ? ", lifted while the time lasted," : "",
			b->stability.lift ? "a longer --max-time or " : "--lift or ");
	if (stable->sides[side].is_stable || runs == 0)
		return;
	add_values(stable, side, values, sizeof(values));
	result_warn(
		session->result, "never-stable",
		"%s never became stable: %s after %zu runs; %s or a looser threshold would end it; what is reported is the "
		"interval over its runs",
		name, values, runs,
		runs < b->max_runs ? "a longer --max-time" : "more runs (--max-runs, or --lift while the time lasts)");
}

static void note_warmup(struct session *session)
{
	size_t warmups = 0, runs = 0;
	for (size_t i = 0; i < session->count; i++) {
		const struct bench_stable *stable = session->questions[i].stable;
		warmups += stable ? stable->warmup_sum : 0;
		runs += stable ? stable->warmup_count : 0;
	}
	if (runs > 0)
		result_warn(session->result, "stop-warmup", "stopped when stable: %.1f iterations of warm-up a run",
		            (double)warmups / (double)runs);
}

/* ---- as a rule ---- */

static int look(struct session *session, struct question *b, struct error *err)
{
	struct bench_stable *stable = b->stable;
	bool enough = true;
	session->checks++;
	for (size_t s = session->first; s < session->last; s++) {
		if (stable_end_run(stable->sides[s].watch, &stable->sides[s].is_stable, err) != 0)
			return -1;
		enough &= stable->sides[s].is_stable;
	}
	if (enough)
		b->end = SESSION_STABLE;
	return 0;
}

static int feed(struct session *session, struct question *b, struct error *err)
{
	return session->jury.count > 0 ? verdict_feed(session, b, err) : precision_feed(session, b, err);
}

static void outlook(struct session *session, const struct question *b, struct session_progress *p)
{
	if (session->jury.count > 0) {
		verdict_outlook(session, b, p);
	} else {
		precision_outlook(session, b, p);
		p->most.target = NAN;
	}
	p->most.criteria = session->result->stopped.rule;
}

static int conclude(struct session *session, struct question *b, struct error *err)
{
	bool last = true;
	(void)err;
	for (size_t s = 0; s < session->sides && b->end != SESSION_LOST; s++)
		note_side(session, b, s);
	for (const struct question *other = b + 1; other < session->questions + session->count; other++)
		last &= !other->stable || !other->has_subjects;
	if (last)
		note_warmup(session);
	return 0;
}

const struct rule rule_stable = {
	.feed = feed,
	.look = look,
	.outlook = outlook,
	.conclude = conclude,
};
