/* The instrument of a calibration. A question is a cell, a program in a design; the first may be the CPUs, of which a round
 * tries every one.
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
	size_t question;
	struct recording recording;
};

struct calibrated {
	const struct calibrate_program *program;
	struct session session;
	struct result result;
	struct cell *cells; /* DESIGNS of them */
	double run_seconds; /* of the program alone, by its trial runs */
	bool opened;        /* also where that failed */
	bool ready;         /* it was opened and these are done */
};

enum { CPUS = 0 }; /* the question of the CPUs, where they are tried */

struct sweep {
	int cpus[MOST_CPUS];
	size_t count;
	double *logs; /* round × CPU: less the round's mean */
	size_t rounds, capacity;
	double until; /* seconds after the start */
};

struct calibrating {
	struct calibrated *lanes;
	size_t count;
	struct cell *cells; /* of all of them */
	size_t cell_count;
	double seconds; /* INFINITY: no limit */
	size_t pairs;   /* of each cell, or 0: as many as the time allows */
	double share;   /* seconds, of each cell */
	struct sweep sweep;
	struct cell *current; /* whose slice is not done, or NULL */
	size_t slice_first;   /* of its pairs: the first of the slice */
	double slice_before;  /* its seconds before */
	int64_t slice_began;  /* ns */
	struct calibration *out;
};

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

static int open_lane(struct session *session, struct calibrated *lane, struct error *err)
{
	struct session *inner = &lane->session;
	result_init(&lane->result);
	*inner = (struct session){.experiment = lane->program->experiment,
	                          .instrument = &instrument_commands,
	                          .result = &lane->result,
	                          .spawner = session->spawner,
	                          .cancel = session->cancel};
	lane->opened = true;
	if (session_open(inner, err) != 0 || session_learn(inner, err) != 0)
		return -1;
	plan_cells(lane);
	lane->run_seconds = inner->questions[0].alone[0];
	lane->ready = true;
	session_tell(session, "trial runs", NULL);
	return session_cancelled(inner) ? error_set(err, ERROR_INTERRUPTED, "interrupted") : 0;
}

/* ---- every CPU in turn ---- */

/* The first program once on each CPU, in random order. */
static int sweep_round(struct session *session, struct error *err)
{
	struct session *inner = &session->calibrating->lanes[0].session;
	struct sweep *sweep = &session->calibrating->sweep;
	size_t order[MOST_CPUS];
	double logs[MOST_CPUS], mean = 0;
	if (array_reserve(&sweep->logs, &sweep->capacity, (sweep->rounds + 1) * sweep->count) != 0)
		return error_memory(err);
	for (size_t i = 0; i < sweep->count; i++)
		order[i] = i;
	random_shuffle(&session->random, order, sweep->count, sizeof(*order));
	for (size_t i = 0; i < sweep->count; i++) {
		struct source_step step = {0, sweep->cpus[order[i]]};
		struct sample sample;
		if (source_measure(inner->source, &step, 1, &sample, err) != 0)
			return -1;
		double value = sample.values[inner->deciding];
		if (session_cancelled(session) || sample.status != SAMPLE_OK || !(value > 0))
			return ROUND_LOST;
		logs[order[i]] = log(value);
		mean += logs[order[i]] / (double)sweep->count;
	}
	for (size_t c = 0; c < sweep->count; c++)
		sweep->logs[sweep->rounds * sweep->count + c] = logs[c] - mean;
	sweep->rounds++;
	return ROUND_KEPT;
}

static int keep_cpus(struct session *session, const struct sweep *sweep, struct calibration *out, struct error *err)
{
	double *logs = arena_alloc(&session->arena, sweep->rounds, sizeof(*logs));
	out->cpus = arena_alloc(&out->arena, sweep->count, sizeof(*out->cpus));
	if (!out->cpus || !logs)
		return error_memory(err);
	for (size_t c = 0; c < sweep->count; c++) {
		for (size_t r = 0; r < sweep->rounds; r++)
			logs[r] = sweep->logs[r * sweep->count + c];
		out->cpus[c].cpu = sweep->cpus[c];
		if (recording_cpu_effect(logs, sweep->rounds, &out->cpus[c], err) != 0)
			return -1;
	}
	out->cpu_count = sweep->count;
	return 0;
}

/* With the first program; left out where it has several threads, there is one CPU, or there is no time for it. */
static bool wants_cpus(struct session *session)
{
	struct calibrating *all = session->calibrating;
	const struct session *inner = &all->lanes[0].session;
	struct sweep *sweep = &all->sweep;
	double time = all->pairs ? 0 : share_of_cpus * all->seconds;
	sweep->until = session_elapsed(session) + time;
	sweep->count = source_cpus(inner->source, MOST_CPUS, sweep->cpus);
	double round = inner->round_time / 2 * (double)sweep->count;
	return sweep->count >= 2 && inner->facts.single_threaded && (all->pairs || LEAST_ROUNDS * round <= 2 * time);
}

/* ---- slices ---- */

/* What the CPUs have left of the time is for the cells. */
static void share_time(struct session *session)
{
	struct calibrating *all = session->calibrating;
	size_t count = 0;
	for (size_t i = 0; i < all->cell_count; i++)
		count += !all->cells[i].left_out;
	all->share = (all->seconds - session_elapsed(session)) / (double)count;
}

static bool had_its_share(const struct calibrating *all, const struct cell *cell)
{
	return cell->recording.seconds >= all->share || (all->pairs && cell->recording.count >= all->pairs);
}

/* The cell that had least time so far; NULL: all had their share. */
static struct cell *next_cell(struct calibrating *all)
{
	struct cell *next = NULL;
	for (struct cell *cell = all->cells; cell < all->cells + all->cell_count; cell++)
		if (!cell->left_out && !had_its_share(all, cell) &&
		    (!next || cell->recording.seconds < next->recording.seconds))
			next = cell;
	return next;
}

/* Whether the slice is long enough: whole units of every size, and an experiment at least; or the share of the cell is
 * used up. */
static bool slice_is_done(const struct calibrating *all, const struct cell *cell)
{
	size_t pairs = cell->recording.count - all->slice_first;
	double seconds = cell->recording.seconds - all->slice_before;
	bool long_enough = all->pairs ? pairs * SLICES >= all->pairs : seconds >= all->share / SLICES;
	return (pairs >= LEAST_SLICE && pairs % LARGEST_UNIT == 0 && long_enough) || had_its_share(all, cell);
}

static int begin_slice(struct session *session, struct error *err)
{
	struct calibrating *all = session->calibrating;
	struct recording *recording = &all->current->recording;
	all->slice_began = session_now(session);
	all->slice_before = recording->seconds;
	all->slice_first = recording->count;
	return recording_begin_slice(recording, err);
}

/* A pair of the current cell. */
static int measure_pair(struct session *session, struct error *err)
{
	const struct calibrating *all = session->calibrating;
	struct cell *cell = all->current;
	struct session *inner = &cell->lane->session;
	int lost = session_round(inner, cell->design, false, err);
	if (lost == 0 && !session_cancelled(session) &&
	    recording_add(&cell->recording, session_value(inner, 0, inner->deciding),
	                  session_value(inner, 1, inner->deciding),
	                  !schedule_before(&inner->schedule, inner->experiment->reference, 1), err) != 0)
		lost = -1;
	cell->recording.seconds = all->slice_before + (double)(session_now(session) - all->slice_began) / 1e9;
	return lost;
}

/* ---- what it says ---- */

/* Experiments of about two seconds where the recording holds enough of them; else the shortest that the rule knows. */
static int count_alarms(const struct cell *cell, struct calibration_design *out, struct error *err)
{
	enum { LEAST_PAIRS = 10 };
	size_t pairs = (size_t)(experiment_seconds / out->pair_seconds);
	if (pairs < LEAST_PAIRS || recording_experiments(&cell->recording, pairs) < ENOUGH_EXPERIMENTS)
		pairs = LEAST_PAIRS;
	size_t block = design_block(out->pair_seconds, (double)pairs * out->pair_seconds);
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
	if (recording_spreads(&cell->recording, out, err) != 0 || count_alarms(cell, out, err) != 0)
		return -1;
	outlook_fill(out);
	/* Alone: in turns, on the first of the two CPUs. */
	if (cell->design == DESIGN_DUET)
		out->interference = recording_median(&cell->recording) / recording_median(&lane->cells[0].recording);
	return 0;
}

static int conclude_lane(struct calibrated *lane, struct calibration *out, struct error *err)
{
	struct calibration_program *program = calibration_add_program(out);
	if (!program)
		return error_memory(err);
	program->name = arena_strdup(&out->arena, lane->program->name);
	program->command = lane->program->command ? arena_strdup(&out->arena, lane->program->command) : NULL;
	program->metric = source_metric(lane->session.source, lane->session.deciding)->name;
	program->metric = arena_strdup(&out->arena, program->metric);
	if (lane->session.deciding < METRICS_OF_COMMANDS) /* a number that the program prints is no time of a run */
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

/* What happened to the machine meanwhile. */
static int tell_disturbance(const struct session *session, struct calibration *out, struct error *err)
{
	if (!session->watched)
		return 0;
	out->disturbance = session->result->disturbance;
	out->disturbance.disturbed_why = out->disturbance.preempted_why = out->disturbance.migrated_why =
		out->disturbance.frequency_changed_why = "single runs are not kept";
	const char *changed = out->disturbance.changed;
	if (changed && !(out->disturbance.changed = arena_strdup(&out->arena, changed)))
		return error_memory(err);
	return 0;
}

/* ---- enough? ---- */

static int look_at_cpus(struct session *session, struct question *question, struct error *err)
{
	const struct sweep *sweep = &session->calibrating->sweep;
	double elapsed = session_elapsed(session);
	if ((elapsed < sweep->until || sweep->rounds < LEAST_ROUNDS) && elapsed < session->budget)
		return 0;
	question->end = SESSION_COUNTED;
	share_time(session);
	return keep_cpus(session, sweep, session->calibrating->out, err);
}

static int look_at_cell(struct session *session, struct question *question, struct error *err)
{
	struct calibrating *all = session->calibrating;
	(void)err;
	if (had_its_share(all, all->current))
		question->end = SESSION_COUNTED;
	if (slice_is_done(all, all->current))
		all->current = NULL;
	return 0;
}

static const struct rule rule_cpus = {.look = look_at_cpus};
static const struct rule rule_share = {.look = look_at_cell};

/* ---- the instrument ---- */

static bool cancelled(const struct session *session)
{
	return session_cancelled(&session->calibrating->lanes[0].session);
}

static int add_question(struct session *session, const char *name, const struct rule *rule, struct error *err)
{
	if (!name || session_add_questions(session, 1, 0, err) != 0)
		return error_memory(err);
	session->questions[session->count - 1].name = name;
	session->questions[session->count - 1].rule = rule;
	return 0;
}

static int open_calibration(struct session *session, struct error *err)
{
	struct calibrating *all = session->calibrating;
	random_stream(&session->random, session->experiment->seed, 2);
	session->budget = all->seconds;
	session->result->design.paired = true;
	for (size_t i = 0; i < all->count; i++)
		if (open_lane(session, &all->lanes[i], err) != 0)
			return -1;
	session->design = DESIGN_DUET; /* what disturbs: at most two run at once */
	session->machine = all->lanes[0].session.machine;
	session_watch_disturbance(session);
	if (wants_cpus(session)) {
		if (add_question(session, "every CPU", &rule_cpus, err) != 0)
			return -1;
	} else {
		all->sweep.count = 0;
		share_time(session);
	}
	for (struct cell *cell = all->cells; cell < all->cells + all->cell_count; cell++) {
		const char *program = cell->lane->program->name, *design = design_name(cell->design);
		cell->question = session->count;
		if (!cell->left_out &&
		    add_question(session, arena_printf(&session->arena, "%.60s, %s", program, design), &rule_share, err) != 0)
			return -1;
	}
	return 0;
}

static bool tries_cpus(const struct session *session)
{
	return session->calibrating->sweep.count > 0 && session->questions[CPUS].end == SESSION_GO_ON;
}

static size_t next(struct session *session, size_t *chosen)
{
	struct calibrating *all = session->calibrating;
	if (session_elapsed(session) >= all->seconds)
		return 0;
	if (tries_cpus(session)) {
		chosen[0] = CPUS;
		return 1;
	}
	struct cell *cell = all->current ? all->current : next_cell(all);
	if (cell)
		chosen[0] = cell->question;
	return cell != NULL;
}

static int measure_round(struct session *session, struct question *question, struct error *err)
{
	struct calibrating *all = session->calibrating;
	int round;
	if (tries_cpus(session)) {
		round = sweep_round(session, err);
		question->runs = all->sweep.rounds;
	} else {
		bool begins = !all->current;
		all->current = begins ? next_cell(all) : all->current;
		round = begins && begin_slice(session, err) != 0 ? -1 : measure_pair(session, err);
		question->runs = all->current->recording.count;
	}
	session_tell(session, question->name, question);
	return round;
}

static int finish(struct session *session, int status, struct error *err)
{
	struct calibrating *all = session->calibrating;
	struct calibration *out = all->out;
	struct error later;
	if (tell_disturbance(session, out, status == 0 ? err : &later) != 0)
		status = -1;
	for (size_t i = 0; i < all->count; i++)
		if (all->lanes[i].ready && conclude_lane(&all->lanes[i], out, status == 0 ? err : &later) != 0)
			status = -1;
	if (all->lanes[0].ready)
		out->elapsed = session_elapsed(session);
	out->best = outlook_best_of_all(out->programs, out->program_count);
	return status;
}

static void close_calibration(struct session *session)
{
	struct calibrating *all = session->calibrating;
	for (size_t i = 0; i < all->count && all->lanes[i].opened; i++) {
		session_close(&all->lanes[i].session);
		result_release(&all->lanes[i].result);
	}
	for (size_t i = 0; i < all->cell_count; i++)
		recording_release(&all->cells[i].recording);
	mem_free(all->sweep.logs);
	mem_free(all->cells);
	mem_free(all->lanes);
}

static const struct instrument instrument_calibration = {
	.nested = true,
	.open = open_calibration,
	.next = next,
	.round = measure_round,
	.finish = finish,
	.close = close_calibration,
	.cancelled = cancelled,
};

int session_calibrate(const struct calibrate_program *programs, size_t count, double seconds, size_t pairs,
                      struct spawner *spawner, int cancel, const struct session_observer *observer,
                      struct calibration *out, struct error *err)
{
	struct calibrating all = {.count = count,
	                          .seconds = seconds,
	                          .pairs = pairs,
	                          .out = out,
	                          .lanes = mem_zalloc(count, sizeof(*all.lanes)),
	                          .cells = mem_zalloc(count * DESIGNS, sizeof(*all.cells)),
	                          .cell_count = count * DESIGNS};
	SCOPED(result) struct result result = result_empty();
	bool missing;
	if (!all.lanes || !all.cells) {
		mem_free(all.lanes);
		mem_free(all.cells);
		return error_memory(err);
	}
	for (size_t i = 0; i < count; i++)
		all.lanes[i] = (struct calibrated){.program = &programs[i], .cells = all.cells + i * DESIGNS};
	struct session session = {.experiment = programs[0].experiment,
	                          .instrument = &instrument_calibration,
	                          .observer = observer,
	                          .result = &result,
	                          .spawner = spawner,
	                          .cancel = cancel,
	                          .calibrating = &all};
	return session_play(&session, &missing, err);
}
