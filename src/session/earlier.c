/* Going on with an experiment that was measured before: its rounds come first, as if they had just been measured.
 *
 * The rules that stop a session hold at any time, so an experiment may be taken up again, also because it was
 * undecided. An experiment of a fixed count that is taken up has been looked at: its intervals are then made for looks
 * (conclude). */
#include "session/state.h"

#include <math.h>
#include <string.h>

static int refuse(struct error *err, const char *what)
{
	return error_full(err, ERROR_USAGE, "--append", "measure it separately; 'tare compare' puts results side by side",
	                  "the earlier result %s", what);
}

static const double *values_of(const struct result *earlier, size_t subject, const char *metric, size_t rounds)
{
	const struct measurement *m = subject_find_metric(&earlier->subjects[subject], metric);
	return m && m->series.n == rounds ? m->series.values : NULL;
}

/* The unit readings of an index in the earlier result; NULL: it has none. */
static const struct measurement *units_of(const struct session *session, const struct result *earlier, size_t subject,
                                          size_t index)
{
	const struct measurement *kept = session_units_kept(session, subject, index);
	return kept ? subject_find_metric(&earlier->subjects[subject], kept->metric.name) : NULL;
}

static int check_units(const struct session *session, const struct result *earlier, size_t subject, size_t rounds,
                       struct error *err)
{
	const struct experiment *e = session->experiment;
	for (size_t i = 0; i < e->pi_count; i++) {
		const struct measurement *m = units_of(session, earlier, subject, i);
		if (!session_units_kept(session, subject, i) || (m && m->series.depth == 2 && m->series.groups[0] >= rounds))
			continue;
		return error_full(err, ERROR_USAGE, "--append", NULL, "the earlier result has no unit readings of '%.100s'",
		                  e->pis[i].metric.name);
	}
	return 0;
}

/* All that could be refused, before anything is taken. */
static int check(const struct session *session, const struct result *earlier, size_t *order, size_t *rounds,
                 struct error *err)
{
	const struct experiment *e = session->experiment;
	if (earlier->subject_count != e->subject_count)
		return refuse(err, "has another number of commands");
	for (size_t s = 0; s < e->subject_count; s++)
		if (strcmp(earlier->subjects[s].name, e->subjects[s].name) != 0)
			return refuse(err, "has other commands");
	if (!earlier->design.name || strcmp(earlier->design.name, session->result->design.name) != 0)
		return refuse(err, "was measured in another design");
	if (e->subject_count > 1 && (session->design == DESIGN_SOLO || !earlier->design.paired))
		return refuse(err, "was measured one command after the other");
	const char *metric = session_deciding(session, &session->questions[0], 0)->metric.name;
	const struct measurement *deciding = subject_find_metric(&earlier->subjects[0], metric);
	if (!deciding)
		return refuse(err, "has not the metric that decides");
	*rounds = deciding->series.n;
	if (earlier->design.paired && earlier->design.order_count < *rounds)
		return refuse(err, "has no order of its pairs");
	for (size_t r = 0; r < *rounds && earlier->design.paired; r++)
		if (!order_read(earlier->design.order[r], e->subject_count, order))
			return refuse(err, "has an order that is malformed");
	for (size_t s = 0; s < e->subject_count; s++)
		if (check_units(session, earlier, s, *rounds, err) != 0)
			return -1;
	return 0;
}

/* The unit readings of a round; of one that was lost there are none. */
static int keep_units(struct session *session, const struct result *earlier, size_t subject, size_t round,
                      struct pi_numbers *numbers, struct error *err)
{
	for (size_t i = 0; i < session->experiment->pi_count; i++) {
		const struct measurement *m = units_of(session, earlier, subject, i);
		size_t n = 0, from = m ? series_span(&m->series, round, &n) : 0;
		bool lost = n == 1 && isnan(m->series.values[from]);
		numbers[i] = (struct pi_numbers){.values = m ? m->series.values + from : NULL, .n = lost ? 0 : n};
	}
	return session_take_units(session, subject, numbers, err) == 0 ? session_keep_units(session, subject, false, err)
	                                                               : -1;
}

/* One round of it into the series. */
static int keep(struct session *session, const struct result *earlier, size_t round, size_t rounds,
                struct pi_numbers *numbers, struct error *err)
{
	for (size_t s = 0; s < session->sides; s++) {
		struct subject *subject = &session->result->subjects[s];
		for (size_t m = 0; m < subject->metric_count; m++) {
			const double *values = values_of(earlier, s, subject->metrics[m].metric.name, rounds);
			double value = values ? values[round] : (double)NAN;
			bool units = false;
			for (size_t i = 0; i < session->experiment->pi_count; i++)
				units |= session_units_kept(session, s, i) == &subject->metrics[m];
			if (!units && series_append(&subject->metrics[m].series, 0, value, err) != 0)
				return -1;
		}
		if (keep_units(session, earlier, s, round, numbers, err) != 0)
			return -1;
	}
	return 0;
}

static int keep_failures(struct session *session, const struct result *earlier, struct error *err)
{
	for (size_t s = 0; s < earlier->subject_count; s++) {
		const struct subject *from = &earlier->subjects[s];
		for (size_t i = 0; i < from->failure_count; i++)
			if (result_add_failure(session->result, &session->result->subjects[s], from->failures[i]) != 0)
				return error_memory(err);
	}
	return 0;
}

int session_take_earlier(struct session *session, struct error *err)
{
	const struct result *earlier = session->experiment->earlier;
	struct question *question = &session->questions[0];
	size_t rounds = 0;
	if (!earlier)
		return 0;
	size_t *order = arena_alloc(&session->arena, session->sides, sizeof(*order));
	struct pi_numbers *numbers = arena_alloc(&session->arena, session->experiment->pi_count, sizeof(*numbers));
	if (!order || !numbers)
		return error_memory(err);
	if (check(session, earlier, order, &rounds, err) != 0)
		return -1;
	for (size_t r = 0; r < rounds; r++) {
		bool paired = earlier->design.paired && order_read(earlier->design.order[r], session->sides, order);
		if (keep(session, earlier, r, rounds, numbers, err) != 0 ||
		    (paired && session_add_order(session, order, err) != 0))
			return -1;
		question->runs++;
	}
	if ((question->rule->feed && question->rule->feed(session, question, err) != 0) ||
	    keep_failures(session, earlier, err) != 0)
		return -1;
	if (rounds > 0)
		session_kept(session);
	if (session->experiment->runs && question->runs >= session->experiment->runs)
		question->end = SESSION_COUNTED;
	return 0;
}
