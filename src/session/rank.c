/* --rank: n commands in order, best first. Rounds are interleaved; every pair has a judge, and the session goes on until each pair of
 * neighbours in the ranking is shown to differ or to be the same within the margin (paper 001, section III-F, with tare's paired rule
 * in place of Welch's test). The ranking may change while it is measured: Holm is over all pairs, whichever become neighbours. */
#include "session/state.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

size_t rank_pairs(size_t subjects)
{
	return subjects * (subjects - 1) / 2;
}

/* The judge of subjects i < j. */
static size_t judge_of(size_t i, size_t j, size_t n)
{
	return i * n - i * (i + 1) / 2 + (j - i - 1);
}

int rank_feed(struct session *session, struct error *err)
{
	size_t n = session->experiment->subject_count;
	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++)
			if (judge_add(&session->jury.judges[judge_of(i, j, n)], session_value(session, i, session->deciding),
			              session_value(session, j, session->deciding), !schedule_before(&session->schedule, i, j), err) != 0)
				return -1;
	return 0;
}

static double mean_of(const struct series *series)
{
	double sum = 0, n = 0;
	for (size_t i = 0; i < series->n; i++)
		if (!isnan(series->values[i])) {
			sum += series->values[i];
			n++;
		}
	return n > 0 ? sum / n : INFINITY;
}

/* Subjects by their means so far, best first. */
static void order_subjects(const struct session *session, double *means, size_t *order)
{
	size_t n = session->experiment->subject_count;
	bool higher = source_metric(session->source, session->deciding)->better == BETTER_HIGHER;
	for (size_t s = 0; s < n; s++) {
		means[s] = mean_of(&session->result->subjects[s].metrics[session->deciding].series);
		size_t at = s;
		for (; at > 0 && (higher ? means[order[at - 1]] < means[s] : means[order[at - 1]] > means[s]); at--)
			order[at] = order[at - 1];
		order[at] = s;
	}
}

int rank_look(struct session *session)
{
	size_t n = session->experiment->subject_count;
	double *means = mem_alloc(n, sizeof(*means) + sizeof(size_t));
	if (!means)
		return -1;
	size_t *order = (size_t *)(means + n);
	struct jury_look look = {.missing = 0};
	if (jury_look(&session->jury, &session->look, NULL) != 0) {
		mem_free(means);
		return -1;
	}
	order_subjects(session, means, order);
	for (size_t k = 0; k + 1 < n; k++) {
		size_t a = order[k] < order[k + 1] ? order[k] : order[k + 1], b = order[k] < order[k + 1] ? order[k + 1] : order[k];
		size_t judge = judge_of(a, b, n);
		if (session->jury.decided[judge])
			continue;
		if (look.open++ == 0 || session->jury.missing[judge] > look.missing) {
			look.worst = judge;
			look.missing = session->jury.missing[judge];
		}
	}
	session->look = look;
	mem_free(means);
	return 0;
}

size_t rank_subject(const struct session *session, size_t judge)
{
	size_t n = session->experiment->subject_count;
	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++)
			if (judge_of(i, j, n) == judge)
				return j;
	return 0;
}

int rank_conclude(struct session *session, const struct analysis_options *options, struct error *err)
{
	struct result *result = session->result;
	size_t n = session->experiment->subject_count;
	double *means = mem_alloc(n, sizeof(*means));
	struct couple *couples = mem_alloc(n, sizeof(*couples));
	result->ranking = arena_alloc(&result->arena, n, sizeof(*result->ranking));
	int status = means && couples && result->ranking ? 0 : error_memory(err);
	if (status == 0) {
		order_subjects(session, means, result->ranking);
		result->ranking_count = n;
		for (size_t k = 0; k + 1 < n; k++)
			couples[k] = (struct couple){.base = result->ranking[k], .new_ = result->ranking[k + 1]};
		status = analyse_couples(result, couples, n - 1, options, err);
	}
	mem_free(means);
	mem_free(couples);
	return status;
}
