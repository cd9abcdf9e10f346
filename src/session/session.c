/* A session around the loop: preparing, watching, one side after the other, concluding. */
#include "session/session.h"

#include "analysis/disturbed.h"
#include "session/state.h"

#include <math.h>
#include <string.h>

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

void session_watch_disturbance(struct session *session)
{
	if (!session->watched)
		disturbance_begin(&session->watch, &session->host, session->machine.cpus, session->machine.cpu_count);
	session->watched = true;
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
	session_watch_disturbance(session);
	return 0;
}

/* The second look at the machine, and what the runs themselves say. */
static int note_disturbance(struct session *session, struct error *err)
{
	bool shared = session->design == DESIGN_SHARED, at_once = shared || session->design == DESIGN_DUET;
	if (!session->watched)
		return 0;
	if (disturbance_end(&session->watch, &session->host, at_once ? 2 : 1, session->result, err) != 0)
		return -1;
	bool pinned = session->result->design.cpu_count > 0 || (session->source && session->experiment->cpu_count == 1);
	disturbed_runs(session->result, pinned, shared);
	return 0;
}

/* ---- measuring ---- */

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
		if ((session->instrument->enter && session->instrument->enter(session, err) != 0) ||
		    session_measure(session, err) != 0)
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
	/* What is measured is a child of this process, or of its grandchildren. */
	int generations = session->programs && !session->guests ? 1 : 3;
	if ((instrument->begin && instrument->begin(session, err) != 0) ||
	    watch_open(session->experiment, generations, &session->monitor, err) != 0 ||
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
	if ((solo ? measure_solo(session, err) : session_measure(session, err)) != 0)
		return -1;
	session->result->stopped.reason = session->enough ? "stopped" : reason_of(session);
	return session->source && session->experiment->overhead ? session_measure_overhead(session, err) : 0;
}

int session_play(struct session *session, bool *missing, struct error *err)
{
	struct result *out = session->result;
	struct error later;
	const struct instrument *instrument = session->instrument;
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
	watch_close(session->monitor);
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
	SCOPED(result) struct result result = result_empty();
	struct session session = {
		.experiment = experiment, .instrument = instrument, .result = &result, .spawner = spawner, .cancel = cancel};
	int status = session_open(&session, err);
	if (status == 0)
		status = instrument->plan(&session, out, err);
	session_close(&session);
	return status;
}

int session_check(const struct instrument *instrument, const struct experiment *experiment, struct error *err)
{
	/* Commands may come to a duet by themselves. */
	bool may_be = instrument->needs_spawner && strcmp(experiment->design, "auto") == 0;
	if (experiment->refill && !may_be && strcmp(experiment->design, "duet") != 0)
		return error_full(err, ERROR_USAGE, NULL, "add --design duet", "--refill is for two programs that run at once");
	return instrument->check(experiment, err);
}

bool instrument_needs_spawner(const struct instrument *instrument)
{
	return instrument->needs_spawner;
}
