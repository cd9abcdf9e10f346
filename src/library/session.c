/* The session of tare/tare.h: rounds in, decisions out. States: described (no round yet), measuring, and in a round.
 *
 * The loop, its limits and the rules are those of src/session; here is the instrument. Who measures round by round does
 * what the loop does before a round, and leaves to it what comes after. */
#include "library/library.h"

#include "base/array.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

/* ---- describing ---- */

struct tare_session *tare_session_new(void)
{
	struct tare_session *session = mem_zalloc(1, sizeof(*session));
	if (!session)
		return NULL;
	session->host = host_real();
	experiment_init(&session->experiment);
	session->experiment.preset = PRESET_NORMAL;
	session->experiment.subject_count = 1;
	session->next_work = NAN;
	return session;
}

void tare_session_free(struct tare_session *session)
{
	if (!session)
		return;
	library_close(session);
	experiment_release(&session->experiment);
	mem_free(session);
}

static bool is_described(const struct tare_session *session)
{
	return session && !session->begun;
}

enum tare_status tare_session_preset(struct tare_session *session, enum tare_preset preset)
{
	if (!is_described(session) || preset < TARE_QUICK || preset > TARE_STRICT)
		return TARE_BAD_ARGUMENT;
	session->experiment.preset = (enum preset)preset;
	return TARE_OK;
}

enum tare_status tare_session_phases(struct tare_session *session, enum tare_phases phases)
{
	if (!is_described(session) || phases < TARE_PHASES_AUTO || phases > TARE_PHASES_NONE)
		return TARE_BAD_ARGUMENT;
	session->experiment.phases = (enum phases_rule)phases;
	return TARE_OK;
}

enum tare_status tare_session_limit(struct tare_session *session, double seconds, size_t rounds)
{
	if (!is_described(session) || !(seconds >= 0))
		return TARE_BAD_ARGUMENT;
	session->budget = seconds;
	session->experiment.max_runs = rounds;
	return TARE_OK;
}

enum tare_status tare_session_least(struct tare_session *session, size_t rounds)
{
	if (!is_described(session) || rounds < 2)
		return TARE_BAD_ARGUMENT;
	session->experiment.min_runs = rounds;
	session->experiment.min_runs_given = true;
	return TARE_OK;
}

enum tare_status tare_session_work(struct tare_session *session, double low, double high, double shortest)
{
	/* Nanoseconds are counted in 64 bits. */
	if (!is_described(session) || !(low >= 0) || !(high > low) || !isfinite(high) || !(shortest >= 0) ||
	    !(shortest < 9e9))
		return TARE_BAD_ARGUMENT;
	session->experiment.work = (struct experiment_work){
		.given = true, .low = low, .high = high, .shortest = (int64_t)(shortest * 1e9), .unit = ""};
	return TARE_OK;
}

static bool pi_makes_sense(const struct tare_pi *pi)
{
	return pi && pi->name && pi->name[0] && pi->mean >= TARE_ARITHMETIC && pi->mean <= TARE_GEOMETRIC &&
	       pi->width >= 0 && (pi->confidence == 0 || library_level(pi->confidence)) && pi->autocorrelation >= 0 &&
	       pi->autocorrelation <= 1;
}

enum tare_status tare_session_add_pi(struct tare_session *session, const struct tare_pi *pi, size_t *index)
{
	if (!is_described(session) || !pi_makes_sense(pi))
		return TARE_BAD_ARGUMENT;
	struct experiment *e = &session->experiment;
	/* Inside by its number: the session has names of its own. */
	const char *name = arena_printf(&e->arena, "%zu", e->pi_count);
	if (!name || array_add_in(&e->arena, &e->pis, e->pi_count) != 0)
		return TARE_NO_MEMORY;
	bool higher = pi->higher != 0 || pi->mean == TARE_HARMONIC;
	if (index)
		*index = e->pi_count;
	e->pis[e->pi_count++] = (struct performance_index){.metric = {name, "", higher ? BETTER_HIGHER : BETTER_LOWER},
	                                                   .units = pi->units != 0,
	                                                   .watched = pi->watch != 0,
	                                                   .mean = (enum mean_kind)pi->mean,
	                                                   .precision = pi->width > 0 ? pi->width / 2 : NAN,
	                                                   .confidence = pi->confidence > 0 ? pi->confidence : NAN,
	                                                   .autocorrelation = pi->autocorrelation > 0 ? pi->autocorrelation
	                                                                                              : NAN};
	return TARE_OK;
}

/* ---- the instrument ---- */

/* When to look first: equal readings are known to be so after five. */
static size_t first_look(const struct experiment *e)
{
	size_t first = 5;
	for (size_t i = 0; i < e->pi_count; i++) {
		size_t least = readings_rule_for(e, &e->pis[i]).least;
		first = least < first ? least : first;
	}
	return first;
}

static int open_workload(struct session *measuring, struct error *err)
{
	struct tare_session *session = measuring->caller;
	const struct experiment *e = &session->experiment;
	struct subject *subject = result_add_subject(&session->result, "workload");
	if (session_add_metric(measuring, subject, metric_of(METRIC_WALL), 0, err) != 0)
		return -1;
	for (size_t i = 0; i < e->pi_count; i++)
		if (session_add_metric(measuring, subject, e->pis[i].metric, 0, err) != 0)
			return -1;
	session->sample.values = arena_alloc(&measuring->arena, 1 + e->pi_count, sizeof(*session->sample.values));
	session->given = arena_alloc(&measuring->arena, e->pi_count, sizeof(*session->given));
	session->units = arena_alloc(&measuring->arena, e->pi_count, sizeof(*session->units));
	if (!session->sample.values || !session->given || !session->units)
		return error_memory(err);
	measuring->samples = &session->sample;
	measuring->first_index = 1;
	measuring->next_look = first_look(e);
	measuring->budget = session->budget > 0 ? session->budget : work_budget_for(e);
	if (session_open_indices(measuring, err) != 0 || session_add_questions(measuring, 1, 1, err) != 0)
		return -1;
	struct question *question = measuring->questions;
	question->has_subjects = true;
	question->rule = &rule_readings;
	question->max_runs = e->max_runs;
	question->unbound = 1;
	return e->work.given ? work_add(measuring, question, 0, err) : 0;
}

static void close_workload(struct session *measuring)
{
	struct tare_session *session = measuring->caller;
	for (size_t i = 0; session->units && i < session->experiment.pi_count; i++)
		mem_free(session->units[i].values);
	session_close_indices(measuring);
	work_close(measuring);
}

/* Rounds that failed do not count, and what is no line for good may go on until the caller's limit. */
static size_t next(struct session *measuring, size_t *chosen)
{
	struct question *question = measuring->questions;
	question->tried = question->runs;
	if (question->end == SESSION_DECIDED)
		question->end = SESSION_GO_ON;
	chosen[0] = 0;
	return question->end == SESSION_GO_ON;
}

static int take_round(struct session *measuring, struct question *question, struct error *err)
{
	struct tare_session *session = measuring->caller;
	double seconds;
	(void)question;
	session->failed = library_round(session, session->workload, session->context, true, true, NAN, &seconds);
	if (session->failed == TARE_OK)
		return ROUND_KEPT;
	return error_set(err, ERROR_SUBJECT, "the workload failed");
}

static const struct instrument instrument_workload = {
	.forgets_units = true,
	.open = open_workload,
	.next = next,
	.round = take_round,
	.close = close_workload,
};

/* ---- measuring ---- */

struct question *library_question(const struct tare_session *session)
{
	return session->measuring.questions;
}

bool library_has_looked(const struct tare_session *session)
{
	if (!session->begun)
		return false;
	if (session->experiment.work.given)
		return library_question(session)->fed > 0;
	return session->experiment.pi_count > 0 && session->measuring.readings[0].n > 0;
}

void library_close(struct tare_session *session)
{
	if (!session->begun)
		return;
	session_close(&session->measuring);
	result_release(&session->result);
	session->begun = false;
}

static enum tare_status begin_measuring(struct tare_session *session)
{
	struct error err;
	if (session->begun)
		return TARE_OK;
	result_init(&session->result);
	session->begun = true;
	session->sample.values = NULL;
	session->given = NULL;
	session->units = NULL;
	session->measuring = (struct session){.experiment = &session->experiment,
	                                      .instrument = &instrument_workload,
	                                      .result = &session->result,
	                                      .caller = session,
	                                      .cancel = -1};
	if (session_open(&session->measuring, &err) != 0) {
		library_close(session);
		return TARE_NO_MEMORY;
	}
	session->measuring.until = session->measuring.budget;
	return TARE_OK;
}

static double seconds_since(const struct tare_session *session, int64_t instant)
{
	return (double)(clock_now(&session->host) - instant) / 1e9;
}

double tare_session_next_work(struct tare_session *session)
{
	if (!session || !session->experiment.work.given)
		return 0;
	if (begin_measuring(session) != TARE_OK)
		return NAN;
	if (isnan(session->next_work))
		session->next_work = work_next(&session->measuring, library_question(session)->work);
	return session->next_work;
}

static bool can_begin(const struct tare_session *session)
{
	return session && !session->in_round && (session->experiment.pi_count > 0 || session->experiment.work.given);
}

enum tare_status tare_session_begin(struct tare_session *session, struct tare_round **round)
{
	if (!can_begin(session) || !round)
		return TARE_BAD_ARGUMENT;
	if (begin_measuring(session) != TARE_OK)
		return TARE_NO_MEMORY;
	double work = tare_session_next_work(session);
	if (isnan(work))
		return TARE_NO_MEMORY;
	for (size_t i = 0; i < session->experiment.pi_count; i++) {
		session->given[i] = false;
		session->units[i].n = 0;
	}
	session->round = (struct tare_round){.session = session, .work = work, .seconds = NAN, .wants_units = true};
	session->in_round = true;
	*round = &session->round;
	session->round.began = clock_now(&session->host);
	return TARE_OK;
}

/* Whether a round may give readings, or unit readings, of an index. */
static bool has_index(const struct tare_round *round, size_t pi, bool units)
{
	const struct tare_session *session = round ? round->session : NULL;
	return session && session->in_round && pi < session->experiment.pi_count &&
	       session->experiment.pis[pi].units == units;
}

double tare_round_work(const struct tare_round *round)
{
	return round ? round->work : 0;
}

size_t tare_round_number(const struct tare_round *round)
{
	return round ? tare_session_rounds(round->session) : 0;
}

int tare_round_wants_units(const struct tare_round *round)
{
	return round && round->wants_units;
}

enum tare_status tare_round_reading(struct tare_round *round, size_t pi, double value)
{
	if (!has_index(round, pi, false) || !isfinite(value))
		return TARE_BAD_ARGUMENT;
	round->session->given[pi] = true;
	round->session->sample.values[1 + pi] = value;
	return TARE_OK;
}

enum tare_status tare_round_units(struct tare_round *round, size_t pi, const double *values, size_t n)
{
	if (!has_index(round, pi, true) || (n > 0 && !values))
		return TARE_BAD_ARGUMENT;
	for (size_t i = 0; i < n; i++)
		if (!isfinite(values[i]))
			return TARE_BAD_ARGUMENT;
	struct pi_numbers *units = &round->session->units[pi];
	if (array_reserve(&units->values, &units->capacity, units->n + n) != 0)
		return TARE_NO_MEMORY;
	if (n > 0)
		memcpy(units->values + units->n, values, n * sizeof(*values));
	units->n += n;
	round->session->given[pi] = units->n > 0;
	return TARE_OK;
}

enum tare_status tare_round_unit(struct tare_round *round, size_t pi, double value)
{
	return tare_round_units(round, pi, &value, 1);
}

enum tare_status tare_round_seconds(struct tare_round *round, double seconds)
{
	if (!round || !round->session->in_round || !(seconds > 0) || !isfinite(seconds))
		return TARE_BAD_ARGUMENT;
	round->seconds = seconds;
	return TARE_OK;
}

static int append_round(struct tare_session *session, double seconds, struct error *err)
{
	struct session *measuring = &session->measuring;
	struct measurement *metrics = session->result.subjects[0].metrics;
	session->sample.values[METRIC_WALL] = seconds;
	if (session_take_units(measuring, 0, session->units, err) != 0)
		return -1;
	for (size_t m = 0; m <= session->experiment.pi_count; m++)
		if (series_append(&metrics[m].series, 0, session->sample.values[m], err) != 0)
			return -1;
	if (session_keep_units(measuring, 0, false, err) != 0)
		return -1;
	return session->experiment.work.given
	           ? work_keep(measuring, library_question(session), session->round.work, seconds, err)
	           : 0;
}

/* A round is kept as a whole or not at all. */
static void take_back(struct tare_session *session)
{
	size_t rounds = library_question(session)->runs;
	struct subject *subject = &session->result.subjects[0];
	for (size_t m = 0; m < subject->metric_count; m++) {
		struct measurement *metric = &subject->metrics[m];
		metric->phase_count = metric->phase_count > rounds ? rounds : metric->phase_count;
		if (metric->series.n > rounds)
			metric->series.n = metric->series.groups[0] = rounds;
	}
}

static enum tare_status keep_round(struct tare_session *session, double seconds)
{
	struct error err;
	for (size_t i = 0; i < session->experiment.pi_count; i++)
		if (!session->given[i])
			return TARE_FAILED;
	if (append_round(session, seconds, &err) != 0) {
		take_back(session);
		return TARE_NO_MEMORY;
	}
	library_question(session)->runs++;
	return TARE_OK;
}

static enum tare_status end_round(struct tare_session *session, struct tare_round *round, bool keep)
{
	double all = seconds_since(session, round->began),
		   seconds = isnan(round->seconds) ? fmax(all, 1e-9) : round->seconds;
	enum tare_status status = keep ? keep_round(session, seconds) : TARE_OK;
	session->in_round = false;
	session->next_work = NAN;
	library_question(session)->unit_time = all;
	/* A line is looked at after every round, and the indices with it. */
	if (session->experiment.work.given)
		session->measuring.next_look = 0;
	return status;
}

enum tare_status tare_session_end(struct tare_session *session, struct tare_round *round, int keep)
{
	struct error err;
	if (!session || !session->in_round || round != &session->round)
		return TARE_BAD_ARGUMENT;
	enum tare_status status = end_round(session, round, keep != 0);
	if (status != TARE_OK || !keep)
		return status;
	int told = session_took(&session->measuring, library_question(session), ROUND_KEPT, round->began, &err);
	return told == 0 ? TARE_OK : TARE_NO_MEMORY;
}

int tare_session_enough(const struct tare_session *session)
{
	if (!session || !library_has_looked(session))
		return 0;
	if (session->experiment.work.given && !work_unit_index(&session->experiment))
		return library_question(session)->work->fit.enough;
	return session_indices_are_precise(&session->measuring);
}

double tare_session_missing_rounds(const struct tare_session *session)
{
	if (!session || !library_has_looked(session))
		return INFINITY;
	const struct question *question = library_question(session);
	return question->rule->missing(&session->measuring, question);
}

double tare_session_missing_seconds(const struct tare_session *session)
{
	double rounds = tare_session_missing_rounds(session);
	return isinf(rounds) ? rounds : rounds > 0 ? rounds * library_question(session)->unit_time : 0;
}

size_t tare_session_rounds(const struct tare_session *session)
{
	return session && session->begun ? library_question(session)->runs : 0;
}

enum tare_status library_round(struct tare_session *session, tare_workload workload, void *context, bool wants_units,
                               bool keep, double work, double *seconds)
{
	struct tare_round *round;
	if (!isnan(work))
		session->next_work = work;
	enum tare_status status = tare_session_begin(session, &round);
	if (status != TARE_OK)
		return status;
	round->wants_units = wants_units;
	round->began = clock_now(&session->host);
	int failed = workload(round, context);
	*seconds = isnan(round->seconds) ? seconds_since(session, round->began) : round->seconds;
	status = end_round(session, round, keep && !failed);
	return failed ? TARE_FAILED : status;
}

enum tare_status tare_session_run(struct tare_session *session, tare_workload workload, void *context)
{
	struct error err;
	if (!can_begin(session) || !workload)
		return TARE_BAD_ARGUMENT;
	if (begin_measuring(session) != TARE_OK)
		return TARE_NO_MEMORY;
	if (tare_session_enough(session))
		return TARE_OK;
	struct question *question = library_question(session);
	question->end = question->end == SESSION_COUNTED ? SESSION_COUNTED : SESSION_GO_ON;
	session->workload = workload;
	session->context = context;
	session->failed = TARE_OK;
	if (session_measure(&session->measuring, &err) != 0)
		return session->failed == TARE_OK ? TARE_NO_MEMORY : session->failed;
	/* The last rounds may not have been looked at. */
	session->measuring.next_look = 0;
	if (question->end != SESSION_PRECISE && question->rule->look(&session->measuring, question, &err) != 0)
		return TARE_NO_MEMORY;
	return tare_session_enough(session) ? TARE_OK : TARE_LIMIT;
}
