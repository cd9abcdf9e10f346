/* --rank: n commands in order, best first. Rounds are interleaved; every pair has a judge, and the session goes on
 * until each pair of neighbours in the ranking is shown to differ or to be the same within the margin (Li et al. 2016,
 * section III-F, with tare's paired rule in place of Welch's test). The ranking may change while it is measured: the
 * selection is over all pairs, whichever become neighbours.
 *
 * Results of another day take part as they are. Their runs were not measured beside the others: such neighbours are
 * compared as independent means after merging what is alike (decide/apart.h), and with --welch all are. */
#include "session/state.h"

#include "base/memory.h"
#include "decide/apart.h"

#include <math.h>

static const double merge_limit = 0.1; /* of neighbouring runs, as Li et al. (2016) ask for */
enum { LEAST_RUNS_ALONE = 10 };

static size_t pairs_of(size_t n)
{
	return n * (n - 1) / 2;
}

/* ---- who takes part ---- */

static size_t all_count(const struct session *session)
{
	const struct result *rivals = session->experiment->rivals;
	return session->sides + (rivals ? rivals->subject_count : 0);
}

static const struct metric *deciding_metric(const struct session *session)
{
	return &session->result->subjects[0].metrics[session->deciding].metric;
}

/* The metric of participant i: those measured now come first. */
static const struct measurement *measurement_of(const struct session *session, size_t i)
{
	size_t n = session->sides;
	if (i < n)
		return &session->result->subjects[i].metrics[session->deciding];
	return subject_find_metric(&session->experiment->rivals->subjects[i - n], deciding_metric(session)->name);
}

/* Of the values that are known, by the metric's own kind of mean; NaN: there is none. */
static double mean_of(const double *x, size_t n, enum mean_kind kind)
{
	struct estimate known = {.kind = kind};
	double mean, low, high;
	for (size_t i = 0; i < n; i++)
		estimate_add(&known, x[i]);
	estimate_now(&known, 0.5, &mean, &low, &high);
	return known.sum.n > 0 ? mean : NAN;
}

/* The means of its runs, or of its builds where it has several, as many as there are; NULL: no memory. */
static double *run_means(const struct measurement *m, size_t *count)
{
	size_t runs = m->series.depth > 1 ? m->series.groups[0] : m->series.n;
	double *means = mem_alloc(runs, sizeof(*means));
	for (size_t r = 0; means && r < runs; r++) {
		size_t n = 1, first = m->series.depth > 1 ? series_span(&m->series, r, &n) : r;
		means[r] = mean_of(m->series.values + first, n, m->mean_kind);
	}
	*count = runs;
	return means;
}

/* The kind that the deciding metric has now, of results of another day too. */
static enum mean_kind kind_of_means(const struct session *session)
{
	return measurement_of(session, 0)->mean_kind;
}

static bool side_of(const struct session *session, size_t i, struct apart_side *out, bool *known)
{
	size_t n;
	const struct measurement *m = measurement_of(session, i);
	double *means = run_means(m, &n);
	enum stats_status status = means ? apart_readings(means, n, kind_of_means(session), merge_limit, out)
	                                 : STATS_NO_MEMORY;
	mem_free(means);
	*known = status == STATS_OK;
	return status != STATS_NO_MEMORY;
}

int rank_check(const struct session *session, struct error *err)
{
	const char *name = deciding_metric(session)->name;
	for (size_t i = session->sides; i < all_count(session); i++)
		if (!measurement_of(session, i))
			return error_full(err, ERROR_USAGE, "--with", "choose one that all have with --metric",
			                  "the earlier result of %.100s has no metric '%.60s', by which the ranking is made",
			                  session->experiment->rivals->subjects[i - session->sides].name, name);
	return 0;
}

/* All by their means so far, best first; one without a number is the last. False: no memory. */
static bool order_all(const struct session *session, size_t *order)
{
	bool higher = deciding_metric(session)->better == BETTER_HIGHER;
	double *means = mem_alloc(all_count(session), sizeof(*means));
	bool fine = means != NULL;
	for (size_t s = 0; s < all_count(session) && fine; s++) {
		size_t runs, at = s;
		const struct measurement *m = measurement_of(session, s);
		double *values = run_means(m, &runs);
		fine = values != NULL;
		if (!fine)
			break;
		means[s] = mean_of(values, runs, m->mean_kind);
		if (isnan(means[s]))
			means[s] = higher ? -INFINITY : INFINITY;
		mem_free(values);
		for (; at > 0 && (higher ? means[order[at - 1]] < means[s] : means[order[at - 1]] > means[s]); at--)
			order[at] = order[at - 1];
		order[at] = s;
	}
	mem_free(means);
	return fine;
}

/* ---- neighbours that are compared as independent means ---- */

static bool is_apart(const struct session *session, size_t a, size_t b)
{
	size_t n = session->sides;
	return session->experiment->welch || a >= n || b >= n;
}

static struct apart_rule apart_rule_of(const struct session *session)
{
	const struct experiment *e = session->experiment;
	return (struct apart_rule){.looks = e->stop == STOP_FIXED && !e->earlier ? CRITICAL_FIXED : CRITICAL_ANYTIME,
	                           .alpha = session_alpha(session) / (double)pairs_of(all_count(session)),
	                           .margin = e->margin,
	                           .kind = kind_of_means(session),
	                           .higher_is_better = deciding_metric(session)->better == BETTER_HIGHER};
}

/* False: no memory. Not known: undecided. */
static bool compare_apart(const struct session *session, size_t base, size_t new_, struct apart *out,
                          struct apart_side *sides)
{
	bool known[2];
	struct apart_rule rule = apart_rule_of(session);
	*out = (struct apart){.verdict = VERDICT_UNDECIDED, .ratio = NAN, .low = NAN, .high = NAN, .p = NAN};
	if (!side_of(session, base, &sides[0], &known[0]) || !side_of(session, new_, &sides[1], &known[1]))
		return false;
	if (known[0] && known[1])
		apart_compare(&sides[0], &sides[1], &rule, out);
	return true;
}

/* ---- looking ---- */

/* Whether the neighbours a, b wait for more rounds; -1: no memory. */
static int is_open(struct session *session, size_t a, size_t b, struct jury_look *look)
{
	size_t n = session->sides;
	struct apart apart;
	struct apart_side sides[2];
	if (!is_apart(session, a, b)) {
		size_t judge = 0;
		while (session->pairs[judge].base != (a < b ? a : b) || session->pairs[judge].new_ != (a < b ? b : a))
			judge++;
		session->neighbours[session->neighbour_count++] = judge;
		if (session->jury.decided[judge])
			return 0;
		if (look->open == 0 || session->jury.missing[judge] > look->missing) {
			look->worst = judge;
			look->missing = session->jury.missing[judge];
		}
		return 1;
	}
	if (a >= n && b >= n)
		return 0; /* nothing that is measured now can tell more about them */
	if (!compare_apart(session, a, b, &apart, sides))
		return -1;
	return apart.verdict == VERDICT_UNDECIDED;
}

/* Fills session->look from the neighbours; -1: no memory. */
static int look_at_neighbours(struct session *session)
{
	size_t n = all_count(session);
	if (session->sides == 1 && session->questions[0].runs < LEAST_RUNS_ALONE) {
		session->look.open = 1;
		return 0;
	}
	if (!session->neighbours)
		session->neighbours = arena_alloc(&session->arena, 2 * n, sizeof(*session->neighbours));
	if (!session->neighbours || (session->jury.count > 0 && jury_look(&session->jury, &session->look, NULL) != 0))
		return -1;
	session->neighbour_count = 0;
	size_t *order = session->neighbours + n;
	struct jury_look look = {.missing = 0};
	if (!order_all(session, order))
		return -1;
	for (size_t k = 0; k + 1 < n; k++) {
		int open = is_open(session, order[k], order[k + 1], &look);
		if (open < 0)
			return -1;
		look.open += (size_t)open;
	}
	session->look = look;
	return 0;
}

/* ---- the end ---- */

int rank_add_rivals(struct session *session, struct error *err)
{
	const struct experiment *e = session->experiment;
	for (size_t i = e->subject_count; i < all_count(session); i++) {
		const struct subject *rival = &e->rivals->subjects[i - e->subject_count];
		const struct measurement *m = measurement_of(session, i);
		const char *name = arena_printf(&session->result->arena, "%s (earlier)", rival->name);
		struct subject *subject = name ? result_add_subject(session->result, name) : NULL;
		if (session_add_metric(session, subject, m->metric, 0, err) != 0)
			return -1;
		subject->metrics[0].mean_kind = m->mean_kind;
		subject->command = rival->command ? arena_strdup(&session->result->arena, rival->command) : NULL;
		size_t n;
		double *means = run_means(m, &n);
		int status = means ? 0 : error_memory(err);
		for (size_t r = 0; status == 0 && r < n; r++)
			status = series_append(&subject->metrics[0].series, 0, means[r], err);
		mem_free(means);
		if (status != 0)
			return -1;
	}
	return 0;
}

static int conclude_apart(struct session *session, size_t base, size_t new_, struct error *err)
{
	struct apart apart;
	struct apart_side sides[2] = {{.runs = 0}, {.runs = 0}};
	struct apart_rule rule = apart_rule_of(session);
	if (!compare_apart(session, base, new_, &apart, sides))
		return error_memory(err);
	return session_add_apart(session, base, new_, &apart, &rule, (size_t)fmin(sides[0].runs, sides[1].runs),
	                         "Fieller over independent means of merged runs", err);
}

/* Comparison k is to be of places k and k + 1. */
static void sort_comparisons(struct result *result)
{
	for (size_t k = 0; k < result->comparison_count; k++)
		for (size_t j = k; j < result->comparison_count; j++)
			if (result->comparisons[j].base == result->ranking[k]) {
				struct comparison swap = result->comparisons[k];
				result->comparisons[k] = result->comparisons[j];
				result->comparisons[j] = swap;
				break;
			}
}

/* The p values of the pairs that are no neighbours; nothing else is kept of them. */
static int judge_others(struct result *result, const struct couple *couples, size_t count,
                        const struct analysis_options *options, double *p, struct error *err)
{
	struct analysis_options alone = *options;
	size_t warnings = result->warning_count, comparisons = result->comparison_count;
	alone.selection = false;
	alone.gate = NAN;
	int status = analyse_couples(result, couples, count, &alone, err);
	for (size_t i = 0; status == 0 && i < count; i++) {
		double known = result->comparisons[comparisons + i].p_difference;
		p[i] = isnan(known) ? 1 : known;
	}
	result_drop_warnings(result, warnings);
	result->comparison_count = comparisons;
	return status;
}

/* The neighbours that were measured in pairs. The selection is over all such pairs, as in the looks. */
static int conclude_pairs(struct session *session, const struct analysis_options *options, struct error *err)
{
	struct result *result = session->result;
	const size_t *ranking = result->ranking;
	size_t n = all_count(session), count = 0, neighbours = 0;
	struct analysis_options each = *options;
	struct couple *couples = arena_alloc(&session->arena, pairs_of(n), sizeof(*couples));
	double *p = arena_alloc(&session->arena, pairs_of(n), sizeof(*p));
	if (!couples || !p)
		return error_memory(err);
	for (size_t distance = 1; distance < n; distance++) {
		for (size_t k = 0; k + distance < n; k++)
			if (!is_apart(session, ranking[k], ranking[k + distance]))
				couples[count++] = (struct couple){.base = ranking[k], .new_ = ranking[k + distance]};
		neighbours = distance == 1 ? count : neighbours;
	}
	if (judge_others(result, couples + neighbours, count - neighbours, options, p, err) != 0)
		return -1;
	each.beside = p;
	each.beside_count = count - neighbours;
	return analyse_couples(result, couples, neighbours, &each, err);
}

int rank_conclude(struct session *session, const struct analysis_options *options, struct error *err)
{
	struct result *result = session->result;
	size_t n = all_count(session);
	result->ranking = arena_alloc(&result->arena, n, sizeof(*result->ranking));
	if (!result->ranking || !order_all(session, result->ranking))
		return error_memory(err);
	result->ranking_count = n;
	int status = conclude_pairs(session, options, err);
	for (size_t k = 0; status == 0 && k + 1 < n; k++)
		if (is_apart(session, result->ranking[k], result->ranking[k + 1]))
			status = conclude_apart(session, result->ranking[k], result->ranking[k + 1], err);
	sort_comparisons(result);
	return status;
}

/* ---- as a rule ---- */

static int feed(struct session *session, struct question *question, struct error *err)
{
	return session->sides > 1 ? verdict_feed(session, question, err) : precision_feed(session, question, err);
}

static int look(struct session *session, struct question *question, struct error *err)
{
	/* Without pairs that are judged: after every block. */
	bool due = session->jury.count > 0 ? jury_is_due(&session->jury)
	                                   : !session->block || question->runs % session->block == 0;
	if (!due || question->runs < question->min_runs)
		return 0;
	session->checks++;
	if (10 * question->fed >= 11 * question->quantum_runs)
		session_tell_quantum(session, question);
	int status = look_at_neighbours(session);
	if (status == 0 && session->look.open == 0 && question->quantum_runs < question->fed) {
		session_tell_quantum(session, question);
		status = look_at_neighbours(session);
	}
	if (status != 0)
		return error_memory(err);
	if (session->look.open == 0)
		question->end = session->experiment->stop == STOP_PRECISION ? SESSION_PRECISE : SESSION_DECIDED;
	return 0;
}

static void outlook(struct session *session, const struct question *question, struct session_progress *p)
{
	if (session->sides == 1) {
		precision_outlook(session, question, p);
		return;
	}
	verdict_outlook(session, question, p);
	p->each_count = 0;
	for (size_t i = 0; i < session->neighbour_count && i < SESSION_ESTIMATES; i++)
		p->each[p->each_count++] = verdict_estimate(session, question, session->neighbours[i]);
}

const struct rule rule_ranking = {
	.feed = feed,
	.look = look,
	.outlook = outlook,
};
