/* The loop: what is common to all that tare measures. */
#include "session/session.h"

#include "analysis/disturbed.h"
#include "base/memory.h"
#include "decide/auto_rule.h"
#include "session/state.h"

#include <math.h>
#include <string.h>

/* ---- clock, words ---- */

int64_t session_now(const struct session *session)
{
	return session->instrument->now(session);
}

double session_elapsed(const struct session *session)
{
	return (double)(session_now(session) - session->started) / 1e9;
}

bool session_cancelled(const struct session *session)
{
	return session->instrument->cancelled(session);
}

void session_say(struct session *session, const char *text)
{
	if (session->observer && session->observer->note)
		session->observer->note(session->observer->context, text);
}

void session_kept(struct session *session)
{
	if (session->observer && session->observer->round)
		session->observer->round(session->observer->round_context, session->result);
}

/* Seconds that are left: what is known of it, at most the rest of the time. */
static void set_left(const struct session *session, const struct question *question, struct session_progress *now)
{
	const struct experiment *e = session->experiment;
	double rest = fmax(now->budget - now->elapsed, 0), runs = (double)e->runs, sides = (double)session->sides;
	/* A round has a run of each; in a solo of several they come one after the other. */
	if (e->work.given)
		runs = work_rounds_left(session);
	else if (session->design != DESIGN_SOLO)
		runs = fmax(runs - (double)question->runs, 0);
	else
		runs = fmax((runs * (sides - (double)session->first) - (double)question->runs) / sides, 0);
	if (e->runs)
		now->left = runs * session->round_time;
	if ((!e->runs || e->max_time) && !(now->left < rest))
		now->left = rest;
}

void session_tell(struct session *session, const char *phase, const struct question *question)
{
	if (!session->observer || !session->observer->progress)
		return;
	bool suite = session->programs != NULL;
	struct session_progress now = {.phase = phase,
	                               .elapsed = session_elapsed(session),
	                               .budget = session->budget,
	                               .estimate = NAN,
	                               .low = NAN,
	                               .high = NAN,
	                               .left = NAN,
	                               .target = NAN,
	                               .asked = suite ? session->count : 0};
	if (suite && !session_is_bound_by_time(session))
		now.budget = INFINITY;
	for (size_t i = 0; i < now.asked; i++)
		now.done += session->questions[i].end != SESSION_GO_ON;
	if (question && question->runs > 0) {
		now.runs = question->runs;
		now.pairs = session->result->design.paired ? question->runs : 0;
		if (question->rule && question->rule->outlook)
			question->rule->outlook(session, question, &now);
		if (!suite)
			set_left(session, question, &now);
	}
	session->observer->progress(session->observer->context, &now);
}

/* ---- questions ---- */

int session_add_questions(struct session *session, size_t count, size_t sides, struct error *err)
{
	struct question *larger = mem_resize(session->questions, session->count + count, sizeof(*larger));
	if (!larger)
		return error_memory(err);
	session->questions = larger;
	for (size_t i = 0; i < count; i++) {
		struct question *question = &larger[session->count++];
		*question = (struct question){.sides = sides};
		question->metric = arena_alloc(&session->arena, sides, sizeof(*question->metric));
		question->alone = arena_alloc(&session->arena, sides, sizeof(*question->alone));
		if (!question->metric || !question->alone)
			return error_memory(err);
	}
	return 0;
}

struct measurement *session_deciding(const struct session *session, const struct question *question, size_t side)
{
	return &session->result->subjects[question->subject + side].metrics[question->metric[side]];
}

double session_alpha(const struct session *session)
{
	double level = session->experiment->confidence;
	return 1 - (isnan(level) ? 0.99 : level);
}

double session_alpha_one(const struct session *session)
{
	double level = session->experiment->confidence;
	return 1 - (isnan(level) ? 0.95 : level);
}

bool session_is_bound_by_time(const struct session *session)
{
	const struct experiment *e = session->experiment;
	return e->stop != STOP_FIXED || e->max_time || !e->runs;
}

bool session_is_time_over(const struct session *session, const struct question *question)
{
	if (!session_is_bound_by_time(session) || question->tried < question->unbound)
		return false;
	return session_elapsed(session) + question->unit_time > session->until;
}

/* ---- order ---- */

/* "AB" for the order of a pair; numbers where there are more sides than letters. Two sides have two orders: the texts
 * are shared. */
static const char *order_text(struct session *session, const size_t *order)
{
	struct buffer text = {0};
	if (session->sides == 2)
		return order[0] == 0 ? "AB" : "BA";
	for (size_t i = 0; i < session->sides; i++) {
		if (session->sides <= 26)
			buffer_char(&text, (char)('A' + order[i]));
		else
			buffer_printf(&text, "%s%zu", i ? "," : "", order[i]);
	}
	char *copy = buffer_error(&text, NULL) == 0 ? arena_strdup(&session->result->arena, buffer_text(&text)) : NULL;
	buffer_release(&text);
	return copy;
}

static int write_order(struct session *session, const size_t *order, struct error *err)
{
	struct design_info *design = &session->result->design;
	if (!design->paired)
		return 0;
	if (design->order_count == session->text_capacity) {
		size_t larger = session->text_capacity ? 2 * session->text_capacity : 64;
		const char **grown = arena_alloc(&session->result->arena, larger, sizeof(*grown));
		if (!grown)
			return error_memory(err);
		if (design->order_count)
			memcpy(grown, design->order, design->order_count * sizeof(*grown));
		design->order = grown;
		session->text_capacity = larger;
	}
	const char *text = order_text(session, order);
	if (!text)
		return error_memory(err);
	design->order[design->order_count++] = text;
	return 0;
}

int session_add_order(struct session *session, const size_t *order, struct error *err)
{
	if (session->order_count == session->order_capacity) {
		size_t capacity = session->order_capacity ? 2 * session->order_capacity : 256;
		size_t *larger = mem_resize(session->orders, capacity, session->sides * sizeof(*larger));
		if (!larger)
			return error_memory(err);
		session->orders = larger;
		session->order_capacity = capacity;
	}
	memcpy(session->orders + session->order_count * session->sides, order, session->sides * sizeof(*order));
	session->order_count++;
	return write_order(session, order, err);
}

const size_t *session_order(struct session *session, size_t index, struct error *err)
{
	while (index >= session->order_count)
		if (session_add_order(session, schedule_next(&session->schedule), err) != 0)
			return NULL;
	return session->orders + index * session->sides;
}

/* ---- life ---- */

int session_open(struct session *session, struct error *err)
{
	const struct experiment *e = session->experiment;
	session->sides = session->last = e->subject_count;
	session->until = INFINITY;
	random_stream(&session->random, e->seed, 1);
	session->result->seed = e->seed;
	session->result->name = e->name ? arena_strdup(&session->result->arena, e->name) : NULL;
	if (schedule_init(&session->schedule, e->subject_count, e->seed, err) != 0 ||
	    session->instrument->open(session, err) != 0)
		return -1;
	session->chosen = mem_zalloc(session->count, sizeof(*session->chosen));
	return session->chosen ? 0 : error_memory(err);
}

void session_close(struct session *session)
{
	session->instrument->close(session);
	mem_free(session->questions);
	mem_free(session->chosen);
	mem_free(session->orders);
	schedule_release(&session->schedule);
	jury_release(&session->jury);
	watch_close(session->monitor);
	arena_release(&session->arena);
}

/* ---- watching ---- */

/* The shortest that can be measured without being kept: rounds of chosen work and runs that last until they are stable
 * cannot. */
static struct question *find_shortest(struct session *session)
{
	struct question *found = NULL;
	for (size_t i = 0; i < session->count; i++) {
		struct question *question = &session->questions[i];
		bool fit = question->end == SESSION_GO_ON && !question->work && !question->stable;
		if (fit && (!found || question->unit_time < found->unit_time))
			found = question;
	}
	return found;
}

/* The kept runs begin: they are watched from CPUs that they do not use, and what disturbs them is recorded. */
static int begin_watching(struct session *session, struct error *err)
{
	const struct experiment *e = session->experiment;
	const int *cpus;
	bool bound;
	size_t count = session->instrument->cpus(session, &cpus, &bound);
	/* Where pairs of rounds cannot tell: the rate at which sampling takes the share that was allowed of one CPU. */
	double rate = e->monitor.rate;
	if (!(rate > 0) && session->monitor && session->programs)
		rate = fmin(1000, fmax(1, e->monitor.overhead / watch_cost(session->monitor)));
	if (watch_begin(session->monitor, cpus, count, bound, rate, err) != 0)
		return -1;
	struct question *shortest = find_shortest(session);
	if (shortest && session_find_rate(session, shortest, err) != 0)
		return -1;
	if (!shortest && session->programs)
		session->result->monitoring
			.overhead_why = "not measured; sampling takes at most the share of one CPU that was allowed";
	disturbance_begin(&session->watch, NULL, session->machine.cpus, session->machine.cpu_count);
	session->watched = true;
	return 0;
}

/* The second look at the machine, and what the runs themselves say. */
static int note_disturbance(struct session *session, struct error *err)
{
	bool shared = session->design == DESIGN_SHARED, at_once = shared || session->design == DESIGN_DUET;
	if (!session->watched)
		return 0;
	if (disturbance_end(&session->watch, NULL, at_once ? 2 : 1, session->result, err) != 0)
		return -1;
	bool pinned = session->result->design.cpu_count > 0 || (session->source && session->experiment->cpu_count == 1);
	disturbed_runs(session->result, pinned, shared);
	return 0;
}

/* ---- measuring ---- */

/* A round of some work that failed is one of so many; of a benchmark's runs those count that tell something. */
static bool has_its_count(const struct question *question)
{
	size_t most = question->max_runs, runs = question->work ? question->tried : question->runs;
	if (most == 0)
		return false;
	return question->lengths ? auto_rule_usable_runs(question->lengths) >= most || runs >= 2 * most : runs >= most;
}

static int look(struct session *session, struct question *question, struct error *err)
{
	const struct rule *rule = question->rule;
	if (rule && rule->look && session->experiment->stop != STOP_FIXED && rule->look(session, question, err) != 0)
		return -1;
	if (question->end == SESSION_GO_ON && has_its_count(question))
		question->end = SESSION_COUNTED;
	return 0;
}

/* One round: measured, kept, shown to the rule. */
static int take_round(struct session *session, struct question *question, struct error *err)
{
	const struct rule *rule = question->rule;
	int64_t before = session_now(session);
	if (watch_round(session->monitor, err) != 0)
		return -1;
	int round = session->instrument->round(session, question, err);
	question->tried++;
	if (round < 0)
		return -1;
	if (round != ROUND_NOTHING && !session->instrument->nested)
		session_kept(session);
	int64_t measured = session_now(session);
	if (round == ROUND_KEPT && rule && rule->feed && rule->feed(session, question, err) != 0)
		return -1;
	if (session->instrument->took)
		session->instrument->took(session, question, (double)(session_now(session) - before) / 1e9);
	if (session_cancelled(session))
		return error_set(err, ERROR_INTERRUPTED, "interrupted");
	if (round != ROUND_NOTHING && look(session, question, err) != 0)
		return -1;
	session->deciding_time += session_now(session) - measured;
	if (!session->instrument->nested)
		session_tell(session, "measuring", question);
	return 0;
}

/* Rounds until no question is open or none fits into the time. */
static int measure(struct session *session, struct error *err)
{
	size_t count;
	bool measured = true;
	while (measured && (count = session->instrument->next(session, session->chosen)) > 0) {
		measured = false;
		for (size_t i = 0; i < count; i++) {
			struct question *question = &session->questions[session->chosen[i]];
			if (question->end != SESSION_GO_ON || session_is_time_over(session, question))
				continue;
			measured = true;
			if (take_round(session, question, err) == 0)
				continue;
			/* A hook that the end of the time has cut off is no failure where there is something to tell. */
			session->cut_off |= session->source && source_was_ended(session->source);
			return question->runs > 0 && session->cut_off ? 0 : -1;
		}
	}
	return 0;
}

static enum session_end worst_end(const struct session *session)
{
	enum session_end worst = session->solo_end;
	for (size_t i = 0; i < session->count; i++) {
		enum session_end end = session->questions[i].end;
		if (end == SESSION_GO_ON)
			end = SESSION_OUT_OF_TIME;
		worst = end != SESSION_LOST && end > worst ? end : worst;
	}
	return worst;
}

/* One side after the other, each with its share of the time. What a side did not use is for the others; a count that is
 * not bound by time takes nothing of theirs. */
static int measure_solo(struct session *session, struct error *err)
{
	double share = (session->budget - session_elapsed(session)) / (double)session->sides;
	for (size_t side = 0; side < session->sides; side++) {
		double elapsed = session_elapsed(session);
		session->first = side;
		session->last = side + 1;
		session->until = elapsed + (session_is_bound_by_time(session)
		                                ? (session->budget - elapsed) / (double)(session->sides - side)
		                                : share);
		for (size_t i = 0; i < session->count; i++) {
			struct question *question = &session->questions[i];
			question->end = question->end == SESSION_LOST ? SESSION_LOST : SESSION_GO_ON;
			question->runs = question->fed = question->tried = 0;
			question->estimate = (struct estimate){0};
		}
		if ((session->instrument->enter && session->instrument->enter(session, err) != 0) || measure(session, err) != 0)
			return -1;
		session->solo_end = worst_end(session);
	}
	return 0;
}

static const char *reason_of(const struct session *session)
{
	switch (worst_end(session)) {
	case SESSION_STABLE: return "stable";
	case SESSION_PRECISE: return "precision";
	case SESSION_DECIDED: return "verdict";
	case SESSION_COUNTED: return "count";
	case SESSION_OUT_OF_TIME: return "budget";
	default: return "failed"; /* nothing is left that could be measured */
	}
}

/* Before the kept runs: trial runs, who judges, who watches. */
static int prepare(struct session *session, struct error *err)
{
	const struct instrument *instrument = session->instrument;
	if ((instrument->begin && instrument->begin(session, err) != 0) ||
	    watch_open(session->experiment, instrument->generations, &session->monitor, err) != 0 ||
	    watch_learn(session->monitor, err) != 0 || instrument->learn(session, err) != 0 ||
	    watch_learnt(session->monitor, err) != 0 || session_seat_jury(session, err) != 0)
		return -1;
	session->until = session->budget;
	if (begin_watching(session, err) != 0)
		return -1;
	session_record_rule(session);
	if (instrument->keep_trial && instrument->keep_trial(session, err) != 0)
		return -1;
	/* The orders of kept rounds are the same however many trial rounds came before. */
	if (session->order_count == 0)
		schedule_restart(&session->schedule);
	return session_take_earlier(session, err);
}

static int run_phases(struct session *session, struct error *err)
{
	bool nested = session->instrument->nested;
	if (session_open(session, err) != 0 || (!nested && prepare(session, err) != 0))
		return -1;
	session->until = session->budget;
	bool solo = !nested && session->design == DESIGN_SOLO && !session->experiment->work.given &&
	            (session->sides > 1 || session->programs);
	if ((solo ? measure_solo(session, err) : measure(session, err)) != 0)
		return -1;
	session->result->stopped.reason = reason_of(session);
	return session->source && session->experiment->overhead ? session_measure_overhead(session, err) : 0;
}

int session_play(struct session *session, bool *missing, struct error *err)
{
	const struct instrument *instrument = session->instrument;
	struct result *out = session->result;
	struct error later;
	int status = run_phases(session, err);
	if (status != 0)
		out->stopped.reason = err->kind == ERROR_INTERRUPTED ? "interrupted" : "failed";
	if (watch_end(session->monitor, out, status == 0 ? err : &later) != 0)
		status = -1;
	if (note_disturbance(session, status == 0 ? err : &later) != 0)
		status = -1;
	/* Clean-up also after a failure; its own failure counts only when nothing else has failed. */
	if (instrument->end && instrument->end(session, status, status == 0 ? err : &later) != 0)
		status = -1;
	int (*conclude)(struct session *, struct error *) = instrument->conclude ? instrument->conclude : session_conclude;
	if (result_has_samples(out) && conclude(session, status == 0 ? err : &later) != 0)
		status = -1;
	if (!instrument->nested)
		session_record_rule(session);
	if (instrument->finish(session, status, status == 0 ? err : &later) != 0)
		status = -1;
	out->stopped.checks = session->checks;
	/* Between commands it is beside the point; between iterations it is not. */
	if (session->programs && out->elapsed > 0)
		out->stopped.cost = (double)session->deciding_time / 1e9 / out->elapsed;
	*missing = session->missing > 0;
	session_close(session);
	return status;
}

int session_run(const struct instrument *instrument, const struct experiment *experiment, struct spawner *spawner,
                int cancel, const struct session_observer *observer, struct result *out, bool *missing,
                struct error *err)
{
	struct session session = {.experiment = experiment,
	                          .instrument = instrument,
	                          .observer = observer,
	                          .result = out,
	                          .spawner = spawner,
	                          .cancel = cancel};
	return session_play(&session, missing, err);
}

int session_dry_run(const struct instrument *instrument, const struct experiment *experiment, struct spawner *spawner,
                    int cancel, struct buffer *out, struct error *err)
{
	struct result result;
	result_init(&result);
	struct session session = {
		.experiment = experiment, .instrument = instrument, .result = &result, .spawner = spawner, .cancel = cancel};
	int status = session_open(&session, err);
	if (status == 0)
		status = instrument->plan(&session, out, err);
	session_close(&session);
	result_release(&result);
	return status;
}

int session_check(const struct instrument *instrument, const struct experiment *experiment, struct error *err)
{
	return instrument->check(experiment, err);
}

bool instrument_needs_spawner(const struct instrument *instrument)
{
	return instrument->needs_spawner;
}
