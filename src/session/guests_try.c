/* Each benchmark of a guest is tried once, several in a process: what decides, how many repetitions, whether sides can run
 * at once. */
#include "session/guests.h"

#include <math.h>

static const double TRIED_SHARE = 0.02;                     /* of the budget, to try all benchmarks, */
static const double TRIED_LEAST = 0.001, TRIED_MOST = 0.02; /* seconds of each */
static const double COMPUTES = 0.9, HALF = 0.5;
static const double ALL_SHARE = 0.75; /* of the time that is left, to try many in one process */

static bool wants_wall(const struct session *session, const struct question *b)
{
	const struct adapter *adapter = guest_adapter(session->guests->guests[0]);
	return adapter->wants_wall && adapter->wants_wall(b->name);
}

/* By its name, with which Google Benchmark says so. */
static bool has_threads(const struct question *b)
{
	const char *threads = strstr(b->name, "/threads:");
	return threads && strcmp(threads, "/threads:1") != 0;
}

/* Which benchmarks are tried in one process. What a process is like tells of each of them: those that wait by their
 * author's word, or have threads, are no company for others, which would seem to wait or to have threads too. */
enum process_kind { PLAIN, THREADED, WAITING, PROCESS_KINDS };

static enum process_kind kind_of(const struct session *session, const struct question *b)
{
	return has_threads(b) ? THREADED : wants_wall(session, b) ? WAITING : PLAIN;
}

/* How much of its time the benchmark computes. Single benchmarks of a busy process wait for the CPU as it does. */
static double computing_share(const struct guest_run *run, const struct harness_sample *sample)
{
	double cpu = outcome_value(&run->outcome, METRIC_CPU), wall = outcome_value(&run->outcome, METRIC_WALL);
	if (run->busy >= COMPUTES)
		return 1;
	if (sample->cpu < 0 || !(cpu > 0))
		return 0;
	return (double)sample->cpu / (double)sample->wall / (cpu / wall) * run->busy;
}

static int take_tried(struct session *session, struct question *b, size_t at, struct error *err)
{
	struct guests *guests = session->guests;
	const struct adapter *adapter = guest_adapter(guests->guests[0]);
	size_t lost = guests_side_without(session, at), repetitions = adapter->repetitions;
	double share = 1, shortest = INFINITY;
	if (lost != SIZE_MAX)
		return guests_lose(session, b, lost, at, err) < 0 ? -1 : 0;
	b->one_thread = !has_threads(b);
	b->row_time = b->start_time = 0;
	for (size_t s = 0; s < session->sides; s++) {
		const struct guest_run *run = &guests->runs[s];
		const struct harness_sample *sample = &run->values[at].samples[0];
		bench_see_columns(session, &b->columns[s], sample);
		b->columns[s].used[METRIC_CPU] |= guest_adapter(guests->guests[s])->has_cpu_clock;
		b->one_thread &= run->one_thread;
		share = fmin(share, computing_share(run, sample));
		shortest = fmin(shortest, (double)sample->wall / 1e9 / (double)GUEST_INVOCATIONS);
		b->alone[s] = (double)sample->wall / 1e9 / (double)GUEST_INVOCATIONS;
	}
	struct guest_benchmark *of = &guests->of[b - session->questions];
	/* A long one: no more repetitions than fit into twice the time; two, for a run of one value is no run of iterations. */
	of->own_time = adapter->own_time ? adapter->own_time(b->name) : 0;
	of->repetitions = (size_t)fmin(fmax(2 * GUEST_MOST_TIME / fmax(shortest, of->own_time), 2), (double)repetitions);
	if (wants_wall(session, b))
		share = 0;
	b->invocations = 1;
	b->crowd = 1;
	b->cpu_offset = (size_t)random_below(&session->random, 1 << 16);
	bench_set_deciding(session, b, share >= HALF ? 1 : 0);
	for (size_t s = 0; s < session->sides; s++) /* of one clock, the other time is not known */
		if (guest_adapter(guests->guests[s])->has_cpu_clock)
			b->columns[s].used[b->deciding == METRIC_CPU ? METRIC_WALL : METRIC_CPU] = false;
	b->at_once = session->design == DESIGN_SHARED && b->deciding == METRIC_CPU;
	if (bench_add_subjects(session, b, err) != 0 || bench_remember_trial(session, b, 1, err) != 0)
		return -1;
	for (size_t s = 0; s < session->sides && b->tried_rows; s++)
		if (bench_table_add(session, &b->tried_rows[s], &b->columns[s], &guests->runs[s].values[at].samples[0], err) !=
		    0)
			return -1;
	return 0;
}

/* `most`: seconds that the processes may take; the end of the time cuts them off, which is no failure of theirs. */
static int try_group(struct session *session, const size_t *members, size_t count, double most, struct error *err)
{
	struct guest_group group = {
		.members = members, .each = {.count = count, .seconds = session->guests->tried, .repetitions = 1, .cpu = -1}};
	int64_t *limit = &group.each.limit;
	if (isfinite(most))
		*limit = (int64_t)(1e9 * fmax(most, TRIED_MOST) / (double)session->sides);
	if (guests_run_group(session, &group, err) != 0)
		return -1;
	for (size_t i = 0; i < count; i++) {
		struct question *b = &session->questions[members[i]];
		size_t lost = guests_side_without(session, i);
		if (count > 1 && lost != SIZE_MAX && !guest_adapter(session->guests->guests[0])->runs_all)
			continue;
		bool cut_off = lost != SIZE_MAX && *limit && *limit < session_iteration_limit(session->experiment) &&
		               session->guests->runs[lost].outcome.status == OUTCOME_TIMEOUT;
		if (cut_off)
			bench_leave_out(session, b, "tried", "over");
		else if (take_tried(session, b, i, err) != 0)
			return -1;
	}
	session->guests->member_count = 0;
	return 0;
}

/* One is tried whatever it takes. */
static int try_one(struct session *session, size_t member, struct error *err)
{
	double left = bench_trial_time(session);
	bool any = false;
	for (size_t i = 0; i < session->count; i++)
		any |= session->questions[i].has_subjects;
	if (any && left <= 0) {
		bench_leave_out(session, &session->questions[member], "tried", "over");
		return 0;
	}
	return try_group(session, &member, 1, any ? HALF * left : INFINITY, err);
}

/* Several in one process. What has no values then is tried again, in halves where it crashed, as one may take all others with
 * it; each alone where the time was not enough. */
static int try_some(struct session *session, const size_t *members, size_t count, struct error *err)
{
	size_t lost[GROUP_MOST], n = 0;
	bool slow = bench_trial_time(session) <= 0;
	if (count == 1)
		return try_one(session, members[0], err);
	if (!slow && try_group(session, members, count, ALL_SHARE * bench_trial_time(session), err) != 0)
		return -1;
	for (size_t s = session->first; s < session->last; s++)
		slow |= session->guests->runs[s].outcome.status == OUTCOME_TIMEOUT;
	for (size_t i = 0; i < count; i++)
		if (!session->questions[members[i]].has_subjects && session->questions[members[i]].end == SESSION_GO_ON)
			lost[n++] = members[i];
	session_tell(session, "trying", NULL);
	if (!slow && n > 1)
		return try_some(session, lost, n / 2, err) == 0 ? try_some(session, lost + n / 2, n - n / 2, err) : -1;
	for (size_t i = 0; i < n; i++)
		if (try_one(session, lost[i], err) != 0)
			return -1;
	return 0;
}

/* So many in a process. */
static int try_those(struct session *session, enum process_kind kind, struct error *err)
{
	size_t members[GROUP_MOST], n = 0;
	for (size_t i = 0; i < session->count; i++) {
		if (kind_of(session, &session->questions[i]) != kind)
			continue;
		members[n++] = i;
		if (n == GROUP_MOST && try_some(session, members, n, err) != 0)
			return -1;
		n %= GROUP_MOST;
	}
	return n > 0 ? try_some(session, members, n, err) : 0;
}

int guests_try(struct session *session, struct error *err)
{
	struct guests *guests = session->guests;
	guests->of = arena_alloc(&session->arena, session->count, sizeof(*guests->of));
	if (!guests->of)
		return error_memory(err);
	guests->tried = TRIED_SHARE * session->budget / (double)(session->count * session->sides);
	guests->tried = fmin(fmax(guests->tried, TRIED_LEAST), TRIED_MOST);
	if (turns_open(session, err) != 0)
		return -1;
	int status = 0;
	for (enum process_kind kind = PLAIN; kind < PROCESS_KINDS && status == 0; kind++)
		status = try_those(session, kind, err);
	return status;
}
