/* The loop of a calibration.
 *
 * Phases: trial runs of each program (how long, what decides, which designs fit) → every CPU in turn → slices of every
 * program in every design, always the cell that had least time so far → spreads, false alarms, outlook.
 *
 * A slice is a whole number of units of every size (a multiple of 40 pairs) and long enough for a short experiment;
 * a program too slow for that is measured in one slice. What the time did not suffice for is said. */
#include "session/calibrate.h"

#include "analysis/recording.h"
#include "base/array.h"
#include "base/memory.h"
#include "design/outlook.h"
#include "session/state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double share_of_cpus = 0.08;   /* of the time, for trying every CPU */
static const double experiment_seconds = 2; /* a short experiment */
static const double alpha = 0.01;
static const char no_time[] = "there was no time for it";
enum { LARGEST_UNIT = 40, LEAST_SLICE = 120, SLICES = 5, ENOUGH_EXPERIMENTS = 20, MOST_CPUS = 8, LEAST_ROUNDS = 8 };

static const enum design_kind designs[] = {DESIGN_TURNS, DESIGN_DUET, DESIGN_SHARED, DESIGN_SHUFFLED};
enum { DESIGNS = sizeof(designs) / sizeof(designs[0]) };

/* One program in one design. */
struct cell {
	struct calibrated *lane;
	enum design_kind design;
	const char *left_out; /* why it is not measured, or NULL */
	struct recording recording;
};

struct calibrated {
	const struct calibrate_program *program;
	struct session session;
	struct result result;
	struct cell cells[DESIGNS];
	double run_seconds; /* of the program alone, by its trial runs */
	bool opened;        /* also where that failed */
	bool ready;         /* it was opened and these are done */
};

struct calibrating {
	struct calibrated *lanes;
	size_t count;
	double seconds; /* INFINITY: no limit */
	size_t pairs;   /* of each cell, or 0: as many as the time allows */
	double share;   /* seconds, of each cell */
	int64_t started;
	const struct session_observer *observer;
	struct random random;
	struct disturbance_watch watch;
	bool watched; /* `watch` was begun */
	struct calibration *out;
};

static double elapsed(const struct calibrating *all)
{
	return (double)(source_now(all->lanes[0].session.source) - all->started) / 1e9;
}

static void tell(const struct calibrating *all, const char *phase, size_t pairs)
{
	if (!all->observer || !all->observer->progress)
		return;
	struct session_progress now = {.phase = phase,
	                               .pairs = pairs,
	                               .elapsed = elapsed(all),
	                               .budget = all->seconds,
	                               .estimate = NAN,
	                               .low = NAN,
	                               .high = NAN};
	now.left = isfinite(now.budget) ? fmax(0, now.budget - now.elapsed) : NAN;
	all->observer->progress(all->observer->context, &now);
}

static int interrupted(const struct calibrated *lane, struct error *err)
{
	return source_cancelled(lane->session.source) ? error_set(err, ERROR_INTERRUPTED, "interrupted") : 0;
}

static void plan_cells(struct calibrated *lane)
{
	struct session *session = &lane->session;
	/* Of tare's own programs it is known; a few trial runs on a busy machine may look otherwise. */
	if (!lane->program->command) {
		session->facts.single_threaded = true;
		session->facts.least_cpu_share = 1;
	}
	for (size_t i = 0; i < DESIGNS; i++) {
		struct cell *cell = &lane->cells[i];
		cell->lane = lane;
		cell->design = designs[i];
		cell->left_out = design_unfit(cell->design, &session->facts);
		if (!cell->left_out && cell->design == DESIGN_SHARED && session->deciding != METRIC_CPU)
			cell->left_out = "on one CPU at once only CPU time is each one's own";
		cell->recording.sides = cell->design == DESIGN_DUET;
		cell->recording.quantum = source_quantum(session->source, session->deciding);
	}
}

static int open_lane(struct calibrating *all, struct calibrated *lane, struct spawner *spawner, int cancel,
                     struct error *err)
{
	struct session *session = &lane->session;
	result_init(&lane->result);
	*session = (struct session){.experiment = lane->program->experiment,
	                            .instrument = &instrument_commands,
	                            .result = &lane->result,
	                            .spawner = spawner,
	                            .cancel = cancel};
	lane->opened = true;
	if (session_open(session, err) != 0)
		return -1;
	if (all->started == 0)
		all->started = session->started;
	if (session_learn(session, err) != 0)
		return -1;
	plan_cells(lane);
	lane->run_seconds = session->questions[0].alone[0];
	lane->ready = true;
	tell(all, "trial runs", 0);
	return interrupted(lane, err);
}

static void close_lanes(struct calibrating *all)
{
	for (size_t i = 0; i < all->count; i++) {
		struct calibrated *lane = &all->lanes[i];
		if (!lane->opened)
			continue;
		for (size_t d = 0; d < DESIGNS; d++)
			recording_release(&lane->cells[d].recording);
		session_close(&lane->session);
		result_release(&lane->result);
	}
	mem_free(all->lanes);
}

/* ---- every CPU in turn ---- */

struct sweep {
	int cpus[MOST_CPUS];
	size_t count;
	double *logs[MOST_CPUS]; /* by CPU: less the round's mean */
	size_t rounds, capacity;
};

/* The program once on each CPU, in random order. 1 when a run was lost. */
static int sweep_round(struct calibrating *all, struct calibrated *lane, struct sweep *sweep, struct error *err)
{
	size_t order[MOST_CPUS];
	double logs[MOST_CPUS], mean = 0;
	for (size_t i = 0; i < sweep->count; i++)
		order[i] = i;
	random_shuffle(&all->random, order, sweep->count, sizeof(*order));
	for (size_t i = 0; i < sweep->count; i++) {
		struct source_step step = {0, sweep->cpus[order[i]]};
		struct sample sample;
		if (source_measure(lane->session.source, &step, 1, &sample, err) != 0 || interrupted(lane, err) != 0)
			return -1;
		double value = sample.values[lane->session.deciding];
		if (sample.status != SAMPLE_OK || !(value > 0))
			return 1;
		logs[order[i]] = log(value);
		mean += logs[order[i]] / (double)sweep->count;
	}
	for (size_t c = 0; c < sweep->count; c++)
		sweep->logs[c][sweep->rounds] = logs[c] - mean;
	sweep->rounds++;
	return 0;
}

static int sweep_room(struct sweep *sweep, struct error *err)
{
	if (sweep->rounds < sweep->capacity)
		return 0;
	size_t larger = array_larger(sweep->capacity, sweep->rounds + 1);
	for (size_t c = 0; c < sweep->count; c++)
		if (array_resize(&sweep->logs[c], larger) != 0)
			return error_memory(err);
	sweep->capacity = larger;
	return 0;
}

static int keep_cpus(struct calibrating *all, const struct sweep *sweep, struct error *err)
{
	struct calibration *out = all->out;
	out->cpus = arena_alloc(&out->arena, sweep->count, sizeof(*out->cpus));
	if (!out->cpus)
		return error_memory(err);
	for (size_t c = 0; c < sweep->count; c++) {
		out->cpus[c].cpu = sweep->cpus[c];
		if (recording_cpu_effect(sweep->logs[c], sweep->rounds, &out->cpus[c], err) != 0)
			return -1;
	}
	out->cpu_count = sweep->count;
	return 0;
}

/* With the first program; left out where it has several threads, there is one CPU, or there is no time for it. */
static int try_cpus(struct calibrating *all, struct error *err)
{
	struct calibrated *lane = &all->lanes[0];
	struct sweep sweep = {0};
	double time = all->pairs ? 0 : share_of_cpus * all->seconds, until = elapsed(all) + time;
	int status = 0;
	sweep.count = source_cpus(lane->session.source, MOST_CPUS, sweep.cpus);
	double round = lane->session.round_time / 2 * (double)sweep.count;
	if (sweep.count < 2 || !lane->session.facts.single_threaded || (!all->pairs && LEAST_ROUNDS * round > 2 * time))
		return 0;
	while ((elapsed(all) < until || sweep.rounds < LEAST_ROUNDS) && elapsed(all) < all->seconds && status >= 0) {
		status = sweep_room(&sweep, err);
		if (status == 0)
			status = sweep_round(all, lane, &sweep, err);
		tell(all, "every CPU", sweep.rounds);
	}
	status = status < 0 ? -1 : keep_cpus(all, &sweep, err);
	for (size_t c = 0; c < sweep.count; c++)
		mem_free(sweep.logs[c]);
	return status;
}

/* ---- slices ---- */

static size_t open_cells(const struct calibrating *all)
{
	size_t count = 0;
	for (size_t i = 0; i < all->count; i++)
		for (size_t d = 0; d < DESIGNS; d++)
			count += !all->lanes[i].cells[d].left_out;
	return count;
}

static bool had_its_share(const struct calibrating *all, const struct cell *cell, double seconds)
{
	return seconds >= all->share || (all->pairs && cell->recording.count >= all->pairs);
}

/* The cell that had least time so far; NULL: all had their share, or the time is over. */
static struct cell *next_cell(struct calibrating *all)
{
	struct cell *next = NULL;
	for (size_t i = 0; i < all->count; i++) {
		for (size_t d = 0; d < DESIGNS; d++) {
			struct cell *cell = &all->lanes[i].cells[d];
			double used = cell->recording.seconds;
			if (!cell->left_out && !had_its_share(all, cell, used) && (!next || used < next->recording.seconds))
				next = cell;
		}
	}
	return elapsed(all) < all->seconds ? next : NULL;
}

/* Whether a slice of so many pairs and seconds is long enough: whole units of every size, and an experiment at least;
 * or the share of the cell is used up. */
static bool slice_is_done(const struct calibrating *all, const struct cell *cell, size_t pairs, double seconds)
{
	bool long_enough = all->pairs ? pairs * SLICES >= all->pairs : seconds >= all->share / SLICES;
	bool whole = pairs >= LEAST_SLICE && pairs % LARGEST_UNIT == 0 && long_enough;
	return whole || had_its_share(all, cell, cell->recording.seconds + seconds) || elapsed(all) >= all->seconds;
}

static int measure_slice(struct calibrating *all, struct cell *cell, struct error *err)
{
	struct session *session = &cell->lane->session;
	struct recording *recording = &cell->recording;
	int64_t before = source_now(session->source);
	double seconds = 0;
	char phase[120];
	int status = recording_begin_slice(recording, err);
	size_t first = recording->count;
	snprintf(phase, sizeof(phase), "%.60s, %s", cell->lane->program->name, design_name(cell->design));
	do {
		int lost = status == 0 ? session_round(session, cell->design, false, err) : -1;
		if (lost < 0 || interrupted(cell->lane, err) != 0)
			status = -1;
		else if (lost == 0)
			status = recording_add(recording, session_value(session, 0, session->deciding),
			                       session_value(session, 1, session->deciding), session_round_order(session, 1), err);
		seconds = (double)(source_now(session->source) - before) / 1e9;
		tell(all, phase, recording->count);
	} while (status == 0 && !slice_is_done(all, cell, recording->count - first, seconds));
	recording->seconds += seconds;
	return status;
}

/* ---- what it says ---- */

/* Experiments of about two seconds where the recording holds enough of them; else the shortest that the rule knows. */
static int count_alarms(const struct cell *cell, struct calibration_design *out, struct error *err)
{
	enum { LEAST_PAIRS = 10 };
	size_t pairs = (size_t)(experiment_seconds / out->pair_seconds), block = design_block(out->pair_seconds);
	if (pairs < LEAST_PAIRS || recording_experiments(&cell->recording, pairs) < ENOUGH_EXPERIMENTS)
		pairs = LEAST_PAIRS;
	return recording_alarms(&cell->recording, block, pairs, alpha, out, err);
}

static int conclude_cell(struct calibrated *lane, size_t d, struct calibration_design *out, struct error *err)
{
	struct cell *cell = &lane->cells[d];
	calibration_design_init(out, design_name(cell->design));
	out->left_out = !cell->left_out && cell->recording.count == 0 ? no_time : cell->left_out;
	if (out->left_out)
		return 0;
	/* What steps a program's own number has is known from its values alone. */
	if (lane->session.deciding >= METRICS_OF_COMMANDS && recording_find_quantum(&cell->recording, err) != 0)
		return -1;
	if (recording_spreads(&cell->recording, out, err) != 0)
		return -1;
	if (count_alarms(cell, out, err) != 0)
		return -1;
	outlook_fill(out);
	/* Alone: in turns, on the first of the two CPUs. */
	if (cell->design == DESIGN_DUET)
		out->interference = recording_median(&cell->recording) / recording_median(&lane->cells[0].recording);
	return 0;
}

static int conclude_lane(struct calibrating *all, struct calibrated *lane, struct error *err)
{
	struct calibration *out = all->out;
	struct calibration_program *program = calibration_add_program(out);
	if (!program)
		return error_memory(err);
	program->name = arena_strdup(&out->arena, lane->program->name);
	program->command = lane->program->command ? arena_strdup(&out->arena, lane->program->command) : NULL;
	program->metric = source_metric(lane->session.source, lane->session.deciding)->name;
	program->metric = arena_strdup(&out->arena, program->metric);
	program->run_seconds = lane->run_seconds;
	program->designs = arena_alloc(&out->arena, DESIGNS, sizeof(*program->designs));
	if (!program->name || !program->metric || !program->designs || (lane->program->command && !program->command))
		return error_memory(err);
	program->design_count = DESIGNS;
	for (size_t d = 0; d < DESIGNS; d++)
		if (conclude_cell(lane, d, &program->designs[d], err) != 0)
			return -1;
	program->best = outlook_best(program);
	return 0;
}

static int measure(struct calibrating *all, struct spawner *spawner, int cancel, struct error *err)
{
	struct cell *cell;
	for (size_t i = 0; i < all->count; i++)
		if (open_lane(all, &all->lanes[i], spawner, cancel, err) != 0)
			return -1;
	disturbance_begin(&all->watch, NULL, all->lanes[0].session.machine.cpus, all->lanes[0].session.machine.cpu_count);
	all->watched = true;
	if (try_cpus(all, err) != 0)
		return -1;
	all->share = (all->seconds - elapsed(all)) / (double)open_cells(all);
	while ((cell = next_cell(all)) != NULL)
		if (measure_slice(all, cell, err) != 0)
			return -1;
	return 0;
}

/* What happened to the machine meanwhile. Own load: at most the two of a duet. */
static int note_disturbance(struct calibrating *all, struct error *err)
{
	struct result *result = &all->lanes[0].result;
	struct disturbance *out = &all->out->disturbance;
	if (!all->watched)
		return 0;
	if (disturbance_end(&all->watch, NULL, 2, result, err) != 0)
		return -1;
	*out = result->disturbance;
	out->disturbed_why = out->preempted_why = out->migrated_why = out->frequency_changed_why =
		"single runs are not kept";
	if (out->changed && !(out->changed = arena_strdup(&all->out->arena, out->changed)))
		return error_memory(err);
	return 0;
}

int session_calibrate(const struct calibrate_program *programs, size_t count, double seconds, size_t pairs,
                      struct spawner *spawner, int cancel, const struct session_observer *observer,
                      struct calibration *out, struct error *err)
{
	struct calibrating all = {.count = count,
	                          .seconds = seconds,
	                          .pairs = pairs,
	                          .observer = observer,
	                          .out = out,
	                          .lanes = mem_zalloc(count, sizeof(*all.lanes))};
	struct error later;
	if (!all.lanes)
		return error_memory(err);
	random_stream(&all.random, programs[0].experiment->seed, 2);
	for (size_t i = 0; i < count; i++)
		all.lanes[i].program = &programs[i];
	int status = measure(&all, spawner, cancel, err);
	if (note_disturbance(&all, status == 0 ? err : &later) != 0)
		status = -1;
	for (size_t i = 0; i < count; i++)
		if (all.lanes[i].ready && conclude_lane(&all, &all.lanes[i], status == 0 ? err : &later) != 0)
			status = -1;
	if (all.lanes[0].ready)
		out->elapsed = elapsed(&all);
	out->best = outlook_best_of_all(out->programs, out->program_count);
	close_lanes(&all);
	return status;
}
