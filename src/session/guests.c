/* Suites of other frameworks in a session (adapters/guest.h). A process is a run; it measures several short benchmarks one
 * after the other, so that starting it costs little, and a benchmark's run is what such a process reports of it.
 *
 * Where the framework reports CPU time and the benchmark is one thread that computes, the processes of all sides run at
 * once on one CPU (design `shared`): what disturbs one disturbs the other. Elsewhere they run one after the other, in
 * the random order of the run. */
#include "session/guests.h"

#include "host/host.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double GROUP_TIME = 2;     /* seconds that a process with several benchmarks may take */
static const double LEAST_TIME = 0.01;  /* of a benchmark in a run, up to GUEST_MOST_TIME */
static const double LEAST_START = 0.01; /* of a run, where a framework measures for less than it was asked to */
static const double SPARE = 1.3;        /* times the least number of runs */
static const double SAME_TIME = 0.1;    /* of two benchmarks that share a process */

/* `err` says already where a program was not found. */
static int mixed(struct session *session, const struct guests *guests, struct error *err)
{
	const struct experiment *e = session->experiment;
	struct error not_found = *err;
	*err = (struct error){0};
	for (size_t s = 0; s < session->sides; s++)
		for (size_t k = 0; k < session->sides; k++)
			if (guests->guests[s] &&
			    (!guests->guests[k] || guest_adapter(guests->guests[s]) != guest_adapter(guests->guests[k]))) {
				*err = not_found;
				if (err->kind != ERROR_NONE)
					return -1;
				return error_full(err, ERROR_USAGE, NULL,
				                  "--adapter says what both are; tare compare joins results of different tools",
				                  "%.80s is a suite of %s, and %.80s is not", e->subjects[s].command,
				                  guest_adapter(guests->guests[s])->framework, e->subjects[k].command);
			}
	return 0;
}

static int open_all(struct session *session, struct guests *guests, struct error *err)
{
	const struct experiment *e = session->experiment;
	guests->guests = arena_alloc(&session->arena, session->sides, sizeof(*guests->guests));
	guests->runs = arena_alloc(&session->arena, session->sides, sizeof(*guests->runs));
	if (!guests->guests || !guests->runs)
		return error_memory(err);
	*err = (struct error){0}; /* what guest_open leaves there of a program that no adapter knows is read below */
	for (size_t s = 0; s < session->sides; s++) {
		struct guest_request request = {.command = e->subjects[s].command,
		                                .env = e->subjects[s].env,
		                                .directory = e->subjects[s].directory,
		                                .adapter = e->bench.adapter,
		                                .host = &session->host,
		                                .cpus = bench_source_allowed(session->programs),
		                                .cancel = session->cancel,
		                                .limit = session_iteration_limit(session->experiment)};
		if (guest_open(&request, &guests->guests[s], err) != 0)
			return -1;
	}
	return mixed(session, guests, err);
}

static int adopt(struct session *session, struct guests *guests, struct error *err)
{
	for (size_t s = 0; s < session->sides; s++)
		for (size_t k = 0; k < session->sides && guest_cut_short(guests->guests[s]); k++)
			if (k != s && guest_adopt(guests->guests[s], guests->guests[k], err) != 0)
				return -1;
	return 0;
}

/* A program that fails while it is listed has what another one has; where all fail, nobody knows what else there is. */
static int complete_lists(struct session *session, struct guests *guests, struct error *err)
{
	const char *why = NULL;
	size_t at = 0;
	for (size_t s = 0; s < session->sides; s++) {
		const char *one = guest_cut_short(guests->guests[s]);
		if (!one)
			return adopt(session, guests, err);
		at = why ? at : s;
		why = why ? why : one;
	}
	session->missing++;
	session->failed++;
	result_about_warn(session->result, "left-out", session->experiment->subjects[at].name,
	                  "there may be more benchmarks than those listed: %s", why);
	if (adopt(session, guests, err) != 0)
		return -1;
	size_t count;
	const struct harness_benchmark *list;
	if (guest_list(guests->guests[at], &list, &count, err) != 0 || count > 0)
		return count > 0 ? 0 : -1;
	return error_full(err, ERROR_SUBJECT, session->experiment->subjects[at].command, NULL,
	                  "its benchmarks cannot be listed as those of %s: %s",
	                  guest_adapter(guests->guests[at])->framework, why);
}

static int list_guests(struct session *session, struct guests *guests, struct error *err)
{
	const struct harness_benchmark *list;
	size_t count;
	guests->spawner = spawner_open(&session->host, err);
	if (!guests->spawner)
		return -1;
	for (size_t s = 0; s < session->sides; s++) {
		guest_use(guests->guests[s], guests->spawner);
		if (guest_list(guests->guests[s], &list, &count, err) != 0)
			return -1;
	}
	if (complete_lists(session, guests, err) != 0)
		return -1;
	for (size_t s = 0; s < session->sides; s++) {
		const char *const *names = guest_doubles(guests->guests[s], &count);
		for (size_t i = 0; i < count; i++) {
			session->missing += s == 0;
			result_about_warn(session->result, "left-out", names[i],
			                  "listed twice in %s: which result is whose cannot be told",
			                  session->experiment->subjects[s].name);
		}
	}
	return 0;
}

int guests_open(struct session *session, struct error *err)
{
	struct guests *guests = arena_alloc(&session->arena, 1, sizeof(*guests));
	if (!guests)
		return error_memory(err);
	session->guests = guests;
	if (open_all(session, guests, err) != 0)
		return -1;
	if (guests->guests[0])
		return list_guests(session, guests, err);
	guests_free(session);
	return 0;
}

void guests_free(struct session *session)
{
	struct guests *guests = session->guests;
	if (!guests)
		return;
	for (size_t s = 0; s < session->sides; s++) {
		if (guests->guests)
			guest_free(guests->guests[s]);
		if (guests->runs)
			guest_run_release(&guests->runs[s]);
	}
	spawner_close(guests->spawner);
	session->guests = NULL;
}

/* Processes at once on one CPU where CPU time can be judged, else run by run. */
int guests_choose_design(struct session *session, const char **why, struct error *err)
{
	const struct adapter *adapter = guest_adapter(session->guests->guests[0]);
	bool automatic = strcmp(session->experiment->design, "auto") == 0;
	bool can_share = session->sides == 2 && (adapter->reports_cpu || adapter->has_cpu_clock);
	if (automatic) {
		session->design = session->sides == 1 ? DESIGN_SOLO : can_share ? DESIGN_SHARED : DESIGN_SHUFFLED;
		*why = session->sides == 1 ? "one program"
		       : can_share         ? "the framework reports CPU time: both programs at once on one CPU"
		                           : "the framework reports wall time: whole runs in random order";
		return 0;
	}
	if (session->design == DESIGN_SOLO || session->design == DESIGN_SHUFFLED ||
	    (session->design == DESIGN_SHARED && can_share))
		return 0;
	return error_full(
		err, ERROR_USAGE, "--design", "their processes run at once on one CPU (shared) or in random order (shuffled)",
		"%s cannot be done with suites of other frameworks%s", session->experiment->design,
		session->design == DESIGN_SHARED ? " that report no CPU time, or with more than two programs" : "");
}

/* ---- processes ---- */

static int note_left_behind(struct session *session, size_t side, struct error *err)
{
	if (session->guests->runs[side].outcome.leftovers == 0)
		return 0;
	return result_warn(session->result, "left-behind", "%s left processes behind; they were killed with the run",
	                   session->experiment->subjects[side].name) == 0
	           ? 0
	           : error_memory(err);
}

int guests_run_group(struct session *session, const struct guest_group *group, struct error *err)
{
	struct guests *guests = session->guests;
	const struct harness_benchmark *chosen[BENCH_SIDES_MOST][GROUP_MOST];
	struct guest_order orders[BENCH_SIDES_MOST];
	size_t count = group->each.count;
	int64_t usual = session_iteration_limit(session->experiment) +
	                (int64_t)(20e9 * group->each.seconds * (double)count);
	int64_t before = session_now(session);
	int status = 0;
	for (size_t s = 0; s < session->sides; s++)
		guest_run_release(&guests->runs[s]);
	for (size_t s = session->first; s < session->last; s++) {
		for (size_t i = 0; i < count; i++)
			chosen[s][i] = session->questions[group->members[i]].on[s];
		orders[s] = group->each;
		orders[s].benchmarks = chosen[s];
		orders[s].limit = group->each.limit && group->each.limit < usual ? group->each.limit : usual;
	}
	if (group->at_once)
		status = guest_run(guests->guests + session->first, session->last - session->first, orders + session->first,
		                   guests->runs + session->first, err);
	for (size_t i = 0; i < session->sides && !group->at_once && status == 0; i++) {
		size_t s = group->order ? group->order[i] : i;
		if (s >= session->first && s < session->last)
			status = guest_run(&guests->guests[s], 1, &orders[s], &guests->runs[s], err);
	}
	for (size_t s = session->first; s < session->last && status == 0; s++)
		status = note_left_behind(session, s, err);
	memcpy(guests->members, group->members, count * sizeof(*group->members));
	guests->member_count = status == 0 ? count : 0;
	for (size_t i = 0; i < count; i++)
		guests->of[group->members[i]].cost = (double)(session_now(session) - before) / 1e9 / (double)count;
	return status;
}

size_t guests_side_without(const struct session *session, size_t at)
{
	for (size_t s = session->first; s < session->last; s++)
		if (session->guests->runs[s].values[at].count == 0)
			return s;
	return SIZE_MAX;
}

int guests_lose(struct session *session, struct question *b, size_t side, size_t at, struct error *err)
{
	const struct guest_run *run = &session->guests->runs[side];
	struct harness_outcome outcome = {.end = run->values[at].skipped                  ? HARNESS_SKIPPED
	                                         : run->outcome.status == OUTCOME_TIMEOUT ? HARNESS_HUNG
	                                         : run->outcome.status == OUTCOME_SIGNAL  ? HARNESS_CRASHED
	                                                                                  : HARNESS_FAILED,
	                                  .code = run->outcome.code};
	snprintf(outcome.text, sizeof(outcome.text), "%s", run->values[at].why);
	return bench_take_outcome(session, b, side, outcome, err);
}

/* What the user or a plan says of one iteration, times its iterations; else what there is time for. */
static double seconds_of(const struct session *session, const struct question *b, const struct guest_benchmark *of)
{
	const struct plan_subject *planned = b->planned;
	if (of->own_time > 0)
		return of->own_time * (double)of->repetitions;
	if (b->iteration_time && !b->stable)
		return (double)b->iteration_time / 1e9 * (double)of->repetitions;
	for (size_t k = 0; planned && k < planned->level_count; k++)
		if (planned->levels[k].level == LEVEL_ITERATION && planned->levels[k].cost > 0)
			return planned->levels[k].cost * (double)of->repetitions;
	return session->guests->seconds;
}

/* The runs that the first look needs and some more are to fit into the time of a benchmark: long runs of both sides at
 * once meet the same disturbances, short ones hardly meet each other. */
void guests_size(struct session *session, double share)
{
	struct guests *guests = session->guests;
	size_t least = 1;
	for (const struct question *b = session->questions; b < session->questions + session->count; b++)
		if (b->end == SESSION_GO_ON && bench_least_runs(session, b) > least)
			least = bench_least_runs(session, b);
	/* How many times longer it takes than it is asked for: the machine's other work, and the framework's own. */
	double tried = guests->tried * (double)session->sides, crowd = 0;
	for (size_t i = 0; i < session->count; i++)
		crowd += fmax(guests->of[i].cost / tried, 1) / (double)session->count;
	guests->seconds = share / (SPARE * (double)least * (double)session->sides * crowd);
	guests->seconds = fmin(fmax(guests->seconds, LEAST_TIME), GUEST_MOST_TIME);
	/* Where a process gives one value of a benchmark, a pair of them is a unit. */
	session->block = guest_adapter(guests->guests[0])->repetitions == 1 && programs_paired(session);
	for (size_t i = 0; i < session->count; i++) {
		struct question *b = &session->questions[i];
		struct guest_benchmark *of = &guests->of[i];
		if (b->end != SESSION_GO_ON)
			continue;
		if (b->iterations && of->repetitions > 1)
			of->repetitions = b->iterations;
		b->iterations = of->repetitions;
		b->min_warmup = b->max_warmup = 0; /* the framework's own warm-up is left to it */
		of->seconds = seconds_of(session, b, of);
		b->row_time = of->seconds * (double)session->sides * crowd / (double)of->repetitions;
	}
}

/* ---- measuring ---- */

/* Whether it can be in one process with the leader, whose sides go in the order of `run`. What waits for turns would be
 * measured for nothing. */
static bool fits(struct session *session, const struct question *b, const struct question *leader, size_t run,
                 struct error *err)
{
	const struct guest_benchmark *of = session->guests->of;
	const struct guest_benchmark *a = &of[b - session->questions], *l = &of[leader - session->questions];
	if (b->end != SESSION_GO_ON || turns_are_wanted(session, b) || a->lost >= LOST_MOST ||
	    a->repetitions != l->repetitions || b->at_once != leader->at_once || b->one_thread != leader->one_thread ||
	    fabs(a->seconds - l->seconds) > SAME_TIME * l->seconds)
		return false;
	if (leader->at_once)
		return true;
	const size_t *other = session_order(session, b->runs, err);
	return other && memcmp(other, session_order(session, run, err), session->sides * sizeof(*other)) == 0;
}

/* The benchmark and those of the round that are still to come, as many as a process has time for. */
static size_t gather(struct session *session, struct question *leader, size_t run, size_t *members, struct error *err)
{
	struct guests *guests = session->guests;
	double time = leader->unit_time, most = fmin(GROUP_TIME, session->until - session_elapsed(session));
	bool all = guest_adapter(guests->guests[0])->runs_all;
	size_t n = 0;
	members[n++] = (size_t)(leader - session->questions);
	if (guests->of[members[0]].lost >= LOST_MOST)
		return n;
	size_t at = 0;
	while (at < session->chosen_count && session->chosen[at] != members[0])
		at++;
	for (size_t i = at + 1; i < session->chosen_count && n < GROUP_MOST; i++) {
		struct question *b = &session->questions[session->chosen[i]];
		if (b == leader || !fits(session, b, leader, run, err) || (!all && time + b->unit_time > most))
			continue;
		time += b->unit_time;
		members[n++] = session->chosen[i];
	}
	return n;
}

static int run_for(struct session *session, struct question *b, bool at_once, bool with_others, size_t run,
                   struct error *err)
{
	struct guests *guests = session->guests;
	struct guest_benchmark *of = &guests->of[b - session->questions];
	size_t members[GROUP_MOST] = {(size_t)(b - session->questions)}, cpu_count;
	const int *cpus = bench_source_cpus(session->programs, &cpu_count);
	if (!session_order(session, run, err))
		return -1;
	size_t n = with_others ? gather(session, b, run, members, err) : 1;
	bool pinned = b->one_thread && cpu_count > 0 && session->sides > 1;
	struct guest_group group = {.members = members,
	                            .at_once = at_once,
	                            .order = session_order(session, run, err),
	                            .each = {.count = n,
	                                     .seconds = of->seconds,
	                                     .repetitions = of->repetitions,
	                                     .by_cpu_time = b->deciding == METRIC_CPU,
	                                     .cpu = pinned ? cpus[(b->cpu_offset + run) % cpu_count] : -1}};
	if (guests_run_group(session, &group, err) != 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		guests->of[members[i]].spent += guests->of[members[i]].cost;
		guests->of[members[i]].runs++;
	}
	return 0;
}

static int take_row(struct session *session, struct question *b, size_t side, const struct harness_sample *sample,
                    struct error *err)
{
	if (!b->stable)
		return bench_auto_take(session, b, side, err);
	return bench_stable_take(session, b, side, sample, err) == 0 ? bench_stable_row(session, b, side, err) : -1;
}

static int take_rows(struct session *session, struct question *b, size_t at, bool for_rule, struct error *err)
{
	for (size_t s = session->first; s < session->last; s++) {
		const struct guest_values *values = &session->guests->runs[s].values[at];
		for (size_t row = 0; row < values->count; row++)
			if (bench_table_add(session, &session->tables[s], &b->columns[s], &values->samples[row], err) != 0 ||
			    (for_rule && take_row(session, b, s, &values->samples[row], err) != 0))
				return -1;
	}
	return 0;
}

int guests_play(struct session *session, struct question *b, double *seconds, struct error *err)
{
	struct guests *guests = session->guests;
	size_t index = (size_t)(b - session->questions), at = 0;
	while (at < guests->member_count && guests->members[at] != index)
		at++;
	if (at == guests->member_count) {
		if (run_for(session, b, b->at_once, true, b->runs, err) != 0)
			return -1;
		at = 0;
	}
	size_t lost = guests_side_without(session, at);
	if (lost != SIZE_MAX && guests->member_count > 1 && !guest_adapter(guests->guests[0])->runs_all) {
		guests->of[index].lost++;
		if (run_for(session, b, b->at_once, false, b->runs, err) != 0)
			return -1;
		at = 0;
		lost = guests_side_without(session, at);
	}
	if (lost != SIZE_MAX)
		return guests_lose(session, b, lost, at, err);
	guests->members[at] = SIZE_MAX;
	*seconds = guests->of[index].cost;
	return take_rows(session, b, at, true, err);
}

/* A process takes the time that it was asked to measure, and time to start, to find out how often to repeat, and to warm
 * up, which is the run's. */
void guests_costs(const struct session *session, const struct question *b, double *run, double *iteration)
{
	const struct guest_benchmark *of = &session->guests->of[b - session->questions];
	double whole = of->runs > 0 ? of->spent / (double)of->runs : b->unit_time;
	double sides = (double)session->sides, start = fmax(whole - of->seconds * sides, LEAST_START * whole);
	*run = start / sides;
	*iteration = (whole - start) / (double)of->repetitions / sides;
}

bool session_recognises(const char *command)
{
	struct host host = host_real();
	struct guest_request request = {.command = command, .host = &host, .cancel = -1};
	struct guest *guest = NULL;
	struct error err;
	bool found = guest_open(&request, &guest, &err) == 0 && guest;
	guest_free(guest);
	return found;
}

/* ---- rounds ---- */

int guests_turn(struct session *session, struct question *b, struct error *err)
{
	const struct bench_table *base = &session->tables[0], *other = &session->tables[1];
	size_t run;
	if (turns_begin_run(session, b, &run, err) != 0 || run_for(session, b, false, false, run, err) != 0)
		return -1;
	session->guests->member_count = 0;
	for (size_t s = 0; s < session->sides; s++)
		session->tables[s].rows = 0;
	size_t lost = guests_side_without(session, 0);
	if (lost != SIZE_MAX)
		return guests_lose(session, b, lost, 0, err) < 0 ? -1 : ROUND_NOTHING;
	if (take_rows(session, b, 0, false, err) != 0)
		return -1;
	for (size_t row = 0; row < base->rows && row < other->rows; row++) {
		double values[] = {bench_table_at(base, row, b->deciding), bench_table_at(other, row, b->deciding)};
		if (turns_add(session, b, row, values, err) != 0)
			return -1;
	}
	return turns_end_run(session, b, err) == 0 ? ROUND_NOTHING : -1;
}
