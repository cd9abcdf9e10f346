/* The session of tare/tare.h: rounds in, decisions out. States: described (no round yet), measuring, and in a round. */
#include "library/library.h"

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
	session->next_work = NAN;
	return session;
}

void tare_session_free(struct tare_session *session)
{
	if (!session)
		return;
	for (size_t i = 0; i < session->index_count; i++) {
		struct library_index *index = &session->indices[i];
		mem_free(index->name);
		mem_free(index->unit);
		mem_free(index->readings.values);
		mem_free(index->phases);
		mem_free(index->own);
		mem_free(index->units.values);
	}
	mem_free(session->indices);
	work_session_release(&session->work);
	experiment_release(&session->experiment);
	mem_free(session);
}

static bool is_described(const struct tare_session *session)
{
	return session && session->started == 0;
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
	session->most_rounds = rounds;
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
	if (!is_described(session) || !(low >= 0) || !(high > low) || !isfinite(high) || !(shortest >= 0))
		return TARE_BAD_ARGUMENT;
	session->has_work = true;
	session->work.rule.low = low;
	session->work.rule.high = high;
	session->shortest = shortest;
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
	struct library_index *grown = mem_resize(session->indices, session->index_count + 1, sizeof(*grown));
	if (!grown)
		return TARE_NO_MEMORY;
	session->indices = grown;
	struct library_index *added = &grown[session->index_count];
	memset(added, 0, sizeof(*added));
	added->name = mem_strdup(pi->name);
	added->unit = mem_strdup(pi->unit ? pi->unit : "");
	if (!added->name || !added->unit) {
		mem_free(added->name);
		mem_free(added->unit);
		return TARE_NO_MEMORY;
	}
	bool higher = pi->higher != 0 || pi->mean == TARE_HARMONIC;
	added->pi = (struct performance_index){.metric = {added->name, added->unit, higher ? BETTER_HIGHER : BETTER_LOWER},
	                                       .units = pi->units != 0,
	                                       .watched = pi->watch != 0,
	                                       .mean = (enum mean_kind)pi->mean,
	                                       .precision = pi->width > 0 ? pi->width / 2 : NAN,
	                                       .confidence = pi->confidence > 0 ? pi->confidence : NAN,
	                                       .autocorrelation = pi->autocorrelation > 0 ? pi->autocorrelation : NAN};
	if (index)
		*index = session->index_count;
	session->index_count++;
	return TARE_OK;
}

/* ---- measuring ---- */

static bool by_line(const struct tare_session *session)
{
	for (size_t i = 0; i < session->index_count; i++)
		if (!session->indices[i].pi.watched && session->indices[i].pi.units)
			return false;
	return session->has_work;
}

static void begin_measuring(struct tare_session *session)
{
	session->started = clock_now(&session->host);
	session->experiment.work.shortest = (int64_t)(session->shortest * 1e9);
	session->goal = work_goal_for(&session->experiment);
	session->budget = session->budget > 0 ? session->budget : work_budget_for(&session->experiment);
	session->next_look = SIZE_MAX;
	for (size_t i = 0; i < session->index_count; i++) {
		struct library_index *index = &session->indices[i];
		index->rule = readings_rule_for(&session->experiment, &index->pi);
		session->next_look = index->rule.least < session->next_look ? index->rule.least : session->next_look;
	}
	/* Equal readings are known to be so after five. */
	session->next_look = session->next_look > 5 ? 5 : session->next_look;
	struct work_rule rule = {.low = session->work.rule.low,
	                         .high = session->work.rule.high,
	                         .shortest = session->goal.shortest,
	                         .first_estimate = fmin(60, session->budget / 2),
	                         .rounds = 50,
	                         .least = session->goal.least};
	if (session->has_work)
		work_session_init(&session->work, &rule);
}

static double seconds_since(const struct tare_session *session, int64_t instant)
{
	return (double)(clock_now(&session->host) - instant) / 1e9;
}

/* Amounts for unit readings grow until a round has a hundred of them. */
static double next_for_units(struct tare_session *session)
{
	double readings = 0;
	for (size_t i = 0; i < session->index_count; i++) {
		const struct library_index *index = &session->indices[i];
		double own = 0;
		for (size_t r = 0; index->pi.units && r < index->readings.n; r++)
			own += (double)(index->phases[r].to - index->phases[r].from);
		readings = fmax(readings, own);
	}
	return work_session_next_for_units(&session->work, 100.0 * (double)session->goal.least, readings);
}

double tare_session_next_work(struct tare_session *session)
{
	if (!session || !session->has_work)
		return 0;
	if (session->started == 0)
		begin_measuring(session);
	if (!isnan(session->next_work))
		return session->next_work;
	double left = session->budget - seconds_since(session, session->started);
	session->next_work = by_line(session) || session->work.n == 0 ? work_session_next(&session->work, left)
	                                                              : next_for_units(session);
	return session->next_work;
}

enum tare_status tare_session_begin(struct tare_session *session, struct tare_round **round)
{
	if (!session || !round || session->in_round || (session->index_count == 0 && !session->has_work))
		return TARE_BAD_ARGUMENT;
	if (session->started == 0)
		begin_measuring(session);
	double work = tare_session_next_work(session);
	if (isnan(work))
		return TARE_NO_MEMORY;
	for (size_t i = 0; i < session->index_count; i++) {
		session->indices[i].given = false;
		session->indices[i].units.n = 0;
	}
	session->round = (struct tare_round){.session = session, .work = work, .seconds = NAN, .wants_units = true};
	session->in_round = true;
	*round = &session->round;
	session->round.began = clock_now(&session->host);
	return TARE_OK;
}

static bool list_room(struct library_list *list, size_t more)
{
	if (list->capacity - list->n >= more)
		return true;
	size_t larger = list->capacity * 2 > list->n + more ? list->capacity * 2 : list->n + more + 16;
	double *grown = mem_resize(list->values, larger, sizeof(*grown));
	if (!grown)
		return false;
	list->values = grown;
	list->capacity = larger;
	return true;
}

static struct library_index *index_of(const struct tare_round *round, size_t pi)
{
	bool there = round && round->session && round->session->in_round && pi < round->session->index_count;
	return there ? &round->session->indices[pi] : NULL;
}

double tare_round_work(const struct tare_round *round)
{
	return round ? round->work : 0;
}

size_t tare_round_number(const struct tare_round *round)
{
	return round ? round->session->rounds : 0;
}

int tare_round_wants_units(const struct tare_round *round)
{
	return round && round->wants_units;
}

enum tare_status tare_round_reading(struct tare_round *round, size_t pi, double value)
{
	struct library_index *index = index_of(round, pi);
	if (!index || index->pi.units || !isfinite(value))
		return TARE_BAD_ARGUMENT;
	index->given = true;
	index->reading = value;
	return TARE_OK;
}

enum tare_status tare_round_units(struct tare_round *round, size_t pi, const double *values, size_t n)
{
	struct library_index *index = index_of(round, pi);
	if (!index || !index->pi.units || (n > 0 && !values))
		return TARE_BAD_ARGUMENT;
	for (size_t i = 0; i < n; i++)
		if (!isfinite(values[i]))
			return TARE_BAD_ARGUMENT;
	if (!list_room(&index->units, n))
		return TARE_NO_MEMORY;
	if (n > 0)
		memcpy(index->units.values + index->units.n, values, n * sizeof(*values));
	index->units.n += n;
	index->given = index->units.n > 0;
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

/* Room for one more round everywhere first: a round is kept as a whole or not at all. */
static bool make_room(struct tare_session *session)
{
	for (size_t i = 0; i < session->index_count; i++) {
		struct library_index *index = &session->indices[i];
		if (!list_room(&index->readings, 1))
			return false;
		if (index->phase_capacity < index->readings.capacity) {
			struct phase *grown = mem_resize(index->phases, index->readings.capacity, sizeof(*grown));
			if (!grown)
				return false;
			index->phases = grown;
			struct round_phase *own = mem_resize(index->own, index->readings.capacity, sizeof(*own));
			if (!own)
				return false;
			index->own = own;
			index->phase_capacity = index->readings.capacity;
		}
	}
	return true;
}

static enum tare_status keep_round(struct tare_session *session, double seconds)
{
	if (!make_room(session))
		return TARE_NO_MEMORY;
	for (size_t i = 0; i < session->index_count; i++)
		if (!session->indices[i].given)
			return TARE_FAILED;
	for (size_t i = 0; i < session->index_count; i++) {
		struct library_index *index = &session->indices[i];
		struct phase phase = {0};
		struct round_phase *own = &index->own[index->readings.n];
		*own = (struct round_phase){.n = index->units.n};
		/* A round that is too short is kept, but says nothing about the stable phase. */
		bool is_short = session->has_work && work_session_is_short(&session->work, session->round.work, seconds);
		if (index->pi.units && !is_short) {
			if (!phases_of_round(index->units.values, index->units.n, session->experiment.phases,
			                     index->pi.metric.better, &own->phase))
				return TARE_NO_MEMORY;
			phase = phases_join(index->own, index->readings.n + 1);
		}
		index->phases[index->readings.n] = phase;
		index->readings.values[index->readings.n] = index->pi.units
		                                                ? phases_mean(index->units.values, &phase, index->pi.mean)
		                                                : index->reading;
	}
	if (session->has_work && work_session_add(&session->work, session->round.work, seconds, NULL) != 0)
		return TARE_NO_MEMORY;
	for (size_t i = 0; i < session->index_count; i++)
		session->indices[i].readings.n++;
	session->rounds++;
	return TARE_OK;
}

/* What the rounds show now. */
static bool look(struct tare_session *session)
{
	for (size_t i = 0; i < session->index_count; i++) {
		struct library_index *index = &session->indices[i];
		if (!readings_look(index->readings.values, index->readings.n, &index->rule, &index->look))
			return false;
	}
	if (session->has_work) {
		session->goal.from = session->work.first;
		if (!work_fit(session->work.work, session->work.seconds, session->work.n, &session->goal, &session->fit))
			return false;
		if (session->fit.status == STATS_OK)
			work_session_raise(&session->work, work_fit_besides(&session->fit));
	}
	session->looked = true;
	return true;
}

enum tare_status tare_session_end(struct tare_session *session, struct tare_round *round, int keep)
{
	if (!session || !session->in_round || round != &session->round)
		return TARE_BAD_ARGUMENT;
	double all = seconds_since(session, round->began),
		   seconds = isnan(round->seconds) ? fmax(all, 1e-9) : round->seconds;
	enum tare_status status = keep ? keep_round(session, seconds) : TARE_OK;
	session->in_round = false;
	session->last_seconds = all;
	session->next_work = NAN;
	if (status != TARE_OK || !keep)
		return status;
	if (session->has_work || session->rounds >= session->next_look) {
		session->next_look = readings_next_look(session->rounds);
		if (!look(session))
			return TARE_NO_MEMORY;
	}
	return TARE_OK;
}

int tare_session_enough(const struct tare_session *session)
{
	bool any = false;
	if (!session || !session->looked)
		return 0;
	if (by_line(session))
		return session->fit.enough;
	for (size_t i = 0; i < session->index_count; i++) {
		if (session->indices[i].pi.watched)
			continue;
		any = true;
		if (session->indices[i].look.wait != READINGS_ENOUGH)
			return 0;
	}
	return any;
}

double tare_session_missing_rounds(const struct tare_session *session)
{
	double most = 0;
	if (!session || !session->looked)
		return INFINITY;
	if (by_line(session))
		return session->fit.enough ? 0 : session->fit.missing;
	for (size_t i = 0; i < session->index_count; i++)
		if (!session->indices[i].pi.watched && session->indices[i].look.wait != READINGS_ENOUGH)
			most = fmax(most, fmax(session->indices[i].look.missing, 1));
	return most;
}

double tare_session_missing_seconds(const struct tare_session *session)
{
	double rounds = tare_session_missing_rounds(session);
	return isinf(rounds) ? rounds : rounds > 0 ? rounds * session->last_seconds : 0;
}

size_t tare_session_rounds(const struct tare_session *session)
{
	return session ? session->rounds : 0;
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
	status = tare_session_end(session, round, keep && !failed);
	return failed ? TARE_FAILED : status;
}

enum tare_status tare_session_run(struct tare_session *session, tare_workload workload, void *context)
{
	double seconds;
	if (!session || !workload)
		return TARE_BAD_ARGUMENT;
	while (!tare_session_enough(session)) {
		bool out_of_time = session->started && session->rounds > 0 &&
		                   seconds_since(session, session->started) + session->last_seconds > session->budget;
		if (out_of_time || (session->most_rounds && session->rounds >= session->most_rounds)) {
			/* The last rounds may not have been looked at. */
			if (!look(session))
				return TARE_NO_MEMORY;
			return tare_session_enough(session) ? TARE_OK : TARE_LIMIT;
		}
		enum tare_status status = library_round(session, workload, context, true, true, NAN, &seconds);
		if (status != TARE_OK)
			return status;
	}
	return TARE_OK;
}
