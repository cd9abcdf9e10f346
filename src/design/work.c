/* Rounds that are too short say nothing about the stable speed, nor do those that are mostly set-up: amounts are
 * doubled from the lowest until one is long enough and takes twice as long as the lowest. Amounts begin where a round
 * would just have been long enough, by the last two of these. Then n rounds that grow by k seconds each, k = (2T −
 * 2sn)/(n² − n), give a first estimate in T seconds; n is at most T/2.5s, so that the last is about four times as long
 * as the first. Afterwards middles of wide gaps keep amounts apart however many there will be; where whole numbers
 * leave none, the amounts used least come again.
 *
 * The ends carry the slope: of every three rounds one lies in the lowest seventh of the amounts, one in the highest,
 * and one where the gap is widest, which shows a bend. The order is random: amounts that rise with time would take a
 * drift of the machine for work. The largest takes four times as long as the smallest. Where rounds vary by c of their
 * time, the speed's interval after 60 times the shortest round is then ±1.03·c (weighted line, stats/work_line.h; at
 * three times ±1.06·c, at five ±1.05·c); an unweighted line over amounts spread evenly up to eight times would give
 * ±1.8·c. */
#include "design/work.h"

#include "base/array.h"
#include "base/memory.h"
#include "stats/quantile.h"
#include "stats/work_amounts.h"

#include <math.h>
#include <string.h>

enum { WORK_STREAM = 11, LEAST_PLANNED = 5 };
static const double most_longer = 4, least_longer = 3, end_share = 0.15;

void work_session_init(struct work_session *session, const struct work_rule *rule)
{
	memset(session, 0, sizeof(*session));
	session->rule = *rule;
	session->whole = rule->low == floor(rule->low) && rule->high == floor(rule->high);
	session->from = rule->low;
	session->first = INFINITY;
	random_stream(&session->random, rule->seed, WORK_STREAM);
}

void work_session_release(struct work_session *session)
{
	mem_free(session->work);
	mem_free(session->seconds);
	mem_free(session->planned);
	memset(session, 0, sizeof(*session));
}

static int grow(struct work_session *session, struct error *err)
{
	if (session->n < session->capacity)
		return 0;
	size_t larger = array_larger(session->capacity, session->n + 1);
	if (array_resize(&session->work, larger) != 0 || array_resize(&session->seconds, larger) != 0)
		return error_memory(err);
	session->capacity = larger;
	return 0;
}

static double amount(const struct work_session *session, double work)
{
	double rounded = session->whole ? round(work) : work;
	return fmin(fmax(rounded, session->rule.low), session->rule.high);
}

/* Where a round would just have been long enough, with a fifth to spare: by this round and the one before. */
static double just_long_enough(const struct work_session *session, double work, double seconds)
{
	if (session->n < 2 || seconds < session->rule.shortest)
		return work;
	double before = session->work[session->n - 2], then = session->seconds[session->n - 2];
	double wanted = 1.2 * fmax(session->rule.shortest, 2 * session->seconds[0]);
	if (!(seconds > wanted && wanted > then && work > before))
		return work;
	return amount(session, before + (wanted - then) / (seconds - then) * (work - before));
}

/* The amounts of the first estimate. `work` takes `seconds`; the speed is that of the work beyond the first round's:
 * what every round needs besides is not in it. */
static int make_plan(struct work_session *session, double work, double seconds, struct error *err)
{
	struct work_plan plan;
	double last = session->work[session->n - 1], more = session->n > 1 ? last - session->work[0] : last;
	double longer = session->seconds[session->n - 1] - (session->n > 1 ? session->seconds[0] : 0);
	/* So many that the last is about four times as long as the first: more would hardly differ, and say nothing about
	 * the slope. */
	double most = floor(session->rule.first_estimate / (2.5 * seconds));
	size_t rounds = most < (double)session->rule.rounds ? (size_t)fmax(most, 0) : session->rule.rounds;
	if (rounds < LEAST_PLANNED || !(more > 0 && longer > 0) ||
	    work_plan(session->rule.first_estimate, seconds, rounds, &plan) != STATS_OK)
		return 0;
	session->planned = mem_alloc(plan.rounds, sizeof(*session->planned));
	if (!session->planned)
		return error_memory(err);
	for (size_t i = 1; i < plan.rounds; i++) {
		double next = work + (double)i * plan.step_seconds * more / longer;
		if (next <= session->rule.high)
			session->planned[session->planned_count++] = amount(session, next);
	}
	random_shuffle(&session->random, session->planned, session->planned_count, sizeof(*session->planned));
	return 0;
}

/* The first round that is long enough: where amounts begin, and which come next. */
static int begin(struct work_session *session, double work, double seconds, struct error *err)
{
	session->found = true;
	session->from = session->first = work;
	return make_plan(session, work, seconds, err);
}

int work_session_add(struct work_session *session, double work, double seconds, struct error *err)
{
	const struct work_rule *rule = &session->rule;
	if (grow(session, err) != 0)
		return -1;
	session->work[session->n] = work;
	session->seconds[session->n++] = seconds;
	if (session->found) {
		/* The first ones were slower than usual: amounts begin higher. Later it would throw away what has been
		 * measured. */
		bool early = ++session->since_found <= LEAST_PLANNED && !session->too_short;
		if (early && seconds < 0.7 * rule->shortest && work >= session->first && work < rule->high / 4)
			session->from = session->first = amount(session,
			                                        fmin(1.2 * work * rule->shortest / seconds, rule->high / 2));
		return 0;
	}
	bool works = session->n > 1 && seconds >= 2 * session->seconds[0];
	if (seconds >= rule->shortest && works) {
		double from = just_long_enough(session, work, seconds);
		return begin(session, from, from < work ? 1.2 * fmax(rule->shortest, 2 * session->seconds[0]) : seconds, err);
	}
	if (work < rule->high)
		return 0;
	/* It will not get longer: an eighth of the range on, all that are there count. */
	session->too_short = seconds < rule->shortest;
	return begin(session, fmax(rule->low, rule->high / 8), fmax(seconds / 8, session->seconds[0]), err);
}

void work_session_raise(struct work_session *session, double from)
{
	if (session->found && from > session->from && from < session->rule.high / 2)
		session->from = from;
}

/* The line through the first round and the longest one: what a round takes besides its work, and the seconds of a unit
 * of work. */
static void rough_line(const struct work_session *session, double *besides, double *each)
{
	size_t longest = 0;
	for (size_t i = 1; i < session->n; i++)
		longest = session->seconds[i] > session->seconds[longest] ? i : longest;
	double more = session->work[longest] - session->work[0], longer = session->seconds[longest] - session->seconds[0];
	*each = more > 0 && longer > 0 ? longer / more : session->seconds[longest] / session->work[longest];
	*besides = fmax(0, session->seconds[0] - *each * session->work[0]);
}

/* The largest amount: such that the rounds needed in any case fit into the time left. */
static double largest(const struct work_session *session, double left)
{
	double besides, each, used = 0;
	rough_line(session, &besides, &each);
	for (size_t i = 0; i < session->n; i++)
		used += session->work[i] >= session->first;
	double shortest = besides + each * session->from, more = fmax(1.5 * (double)session->rule.least - used, 3);
	double seconds = fmax(fmin(1.6 * left / more - shortest, most_longer * shortest), least_longer * shortest);
	return fmin(session->rule.high, (seconds - besides) / each);
}

/* Whole numbers without a gap: one of those used least, at random. */
static double used_least(struct work_session *session, const double *used, size_t n, double low, double high)
{
	double chosen = high, ties = 0;
	size_t least = SIZE_MAX, at = 0;
	for (double candidate = ceil(low); candidate <= high; candidate++) {
		size_t count = 0;
		for (; at < n && used[at] <= candidate; at++)
			count += used[at] == candidate;
		if (count < least) {
			least = count;
			ties = 0;
		}
		if (count == least && random_uniform(&session->random) * ++ties < 1)
			chosen = candidate;
	}
	return chosen;
}

/* The middle of one of the wide gaps between `low`, the n amounts used (ascending) and `high`. */
static double wide_gap(struct work_session *session, const double *used, size_t n, double low, double high)
{
	double widest = 0, chosen = high, ties = 0;
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i <= n; i++) {
			double a = i == 0 ? low : used[i - 1], b = i == n ? high : used[i];
			if (pass == 0)
				widest = fmax(widest, b - a);
			else if (b - a >= 0.7 * widest && random_uniform(&session->random) * ++ties < 1)
				chosen = a + (b - a) / 2;
		}
	return session->whole && widest < 2 ? used_least(session, used, n, low, high) : chosen;
}

/* Which part of the amounts comes next: in every block of three rounds the low end, the high end and all of them, in
 * random order. */
static void next_part(struct work_session *session, double *low, double *high)
{
	double end = end_share * (*high - *low);
	if (session->parts_left == 0) {
		for (size_t i = 0; i < WORK_PARTS; i++)
			session->parts[i] = (unsigned char)i;
		random_shuffle(&session->random, session->parts, WORK_PARTS, sizeof(*session->parts));
		session->parts_left = WORK_PARTS;
	}
	unsigned char part = session->parts[--session->parts_left];
	if (part == 0)
		*high = *low + end;
	else if (part == 1)
		*low = *high - end;
}

static double middle_of_gap(struct work_session *session, double left)
{
	double low = session->from, high = largest(session, left), most = high;
	double *used = mem_alloc(session->n, sizeof(*used));
	size_t n = 0;
	if (!used)
		return NAN;
	if (high > low)
		next_part(session, &low, &high);
	/* What is the largest changes a little with every round. */
	for (size_t i = 0; i < session->n; i++)
		if (session->work[i] >= low && fmin(session->work[i], most) <= high && session->work[i] <= 1.1 * most)
			used[n++] = fmin(session->work[i], most);
	sort_doubles(used, n);
	double next = high > low ? wide_gap(session, used, n, low, high) : high;
	mem_free(used);
	return next;
}

double work_session_next(struct work_session *session, double left)
{
	const struct work_rule *rule = &session->rule;
	if (session->n == 0)
		return amount(session, rule->low > 0 ? rule->low : fmin(1, rule->high));
	if (!session->found)
		return amount(session, work_doubled(session->work[session->n - 1], rule->high));
	while (session->planned_count > 0) {
		double next = session->planned[--session->planned_count];
		if (next >= session->from && next <= largest(session, left))
			return next;
	}
	double next = middle_of_gap(session, left);
	return isnan(next) ? NAN : amount(session, next);
}

double work_session_next_for_units(struct work_session *session, double wanted, double readings)
{
	const struct work_rule *rule = &session->rule;
	double done = 0, most = 0;
	if (session->n == 0)
		return work_session_next(session, INFINITY);
	for (size_t i = 0; i < session->n; i++) {
		done += session->work[i];
		most = fmax(most, session->work[i]);
	}
	double next = fmax(work_for_readings(wanted, readings, done, session->n, rule->high, session->whole), most);
	double last = session->work[session->n - 1];
	if (work_session_is_short(session, last, session->seconds[session->n - 1]))
		next = fmax(next, work_doubled(last, rule->high));
	return amount(session, next);
}

bool work_session_is_short(const struct work_session *session, double work, double seconds)
{
	return seconds < session->rule.shortest && work < session->rule.high;
}
