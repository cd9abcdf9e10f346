/* The controller against real programs: a suite that behaves badly (hostile.c), one that answers nonsense (babble.c),
 * and programs that know nothing of the protocol. Nothing hangs, everything is named, no process is left. */
#include "measure/harness.h"
#include "host/clock.h"
#include "support/fake.h"
#include "support/known.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECOND INT64_C(1000000000)

static const struct host *machine(void)
{
	static struct host host;
	host = host_real();
	return &host;
}

static struct harness *start(enum harness_transport transport, const struct cpuset *cpus)
{
	const char *const argv[] = {HOSTILE, NULL};
	struct harness_request request = {
		.argv = argv, .transport = transport, .cpus = cpus, .cancel = -1, .start_limit = 30 * SECOND};
	struct harness *harness = NULL;
	struct error err;
	if (harness_start(machine(), &request, &harness, &err) != 0)
		fail_msg("%s", err.what);
	assert_int_equal(harness_has_map(harness), transport == HARNESS_ANY);
	assert_string_equal(harness_language(harness), "c");
	return harness;
}

static const struct harness_grant usual = {
	.invocations = 10, .metrics = TARE_HAS_CPU | TARE_HAS_DELAY | TARE_HAS_USAGE, .limit = 30 * SECOND};

/* Selects a benchmark and grants one iteration. */
static struct harness_outcome one(struct harness *harness, const char *name, int64_t limit,
                                  struct harness_sample *sample)
{
	struct harness_grant grant = usual;
	grant.limit = limit;
	struct harness_outcome outcome = harness_select(harness, name, 30 * SECOND);
	return outcome.end == HARNESS_OK ? harness_iterate(harness, &grant, sample) : outcome;
}

static void no_child_is_left(void)
{
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static void lists(void **state)
{
	(void)state;
	struct harness *harness = start(HARNESS_ANY, NULL);
	const struct harness_benchmark *list;
	size_t count;
	struct error err;
	for (int again = 0; again < 2; again++) {
		assert_int_equal(harness_list(harness, &list, &count, &err), 0);
		assert_true(count > 10);
		assert_string_equal(list[1].name, "good/n=2");
		assert_int_equal(list[1].parameter_count, 1);
		assert_string_equal(list[1].parameters[0].name, "n");
		assert_string_equal(list[1].parameters[0].value, "2");
		assert_string_equal(list[1].defaults[0].name, "iterations");
		assert_string_equal(list[1].defaults[0].value, "5");
		assert_string_equal(list[2].name, "threads/threads=2");
	}
	struct harness_overhead overhead;
	assert_int_equal(harness_calibrate(harness, &overhead, &err), 0);
	assert_true(overhead.fixed_wall > 0 && overhead.loop <= overhead.loop_limit);
	assert_int_equal(harness_stop(harness).end, HARNESS_OK);
	assert_false(harness_alive(harness));
	assert_int_equal(harness_stop(harness).end, HARNESS_LOST);
	harness_free(harness);
	no_child_is_left();
}

static void iterates(enum harness_transport transport)
{
	struct harness *harness = start(transport, NULL);
	struct harness_sample sample;
	uint32_t notes;
	assert_int_equal(harness_select(harness, "good/n=1", 30 * SECOND).end, HARNESS_OK);
	for (uint64_t i = 0; i < 50; i++) {
		struct harness_grant grant = usual;
		grant.invocations = i;
		assert_int_equal(harness_iterate(harness, &grant, &sample).end, HARNESS_OK);
		assert_int_equal(sample.invocations, i);
		assert_true(sample.wall >= 0 && sample.wall <= sample.elapsed);
		assert_true(sample.cpu >= 0);
		assert_int_equal(sample.process_cpu, -1);
		assert_close(sample.items, 2.0 * (double)i, 0);
		assert_int_equal(sample.metric_count, 1);
		assert_string_equal(sample.metrics[0].name, "share");
		assert_string_equal(sample.unit_name, "latency");
		assert_int_equal(sample.unit_count, 1);
		assert_close(sample.units[0], 7, 0);
		assert_int_equal(sample.counters[TARE_COUNTER_CYCLES], -1);
		assert_int_equal(sample.notes, 0);
		assert_string_equal(sample.printed, "");
	}
	assert_int_equal(harness_leave(harness, 30 * SECOND, &notes).end, HARNESS_OK);
	assert_int_equal(notes, 0);
	assert_int_equal(one(harness, "threads/threads=2", 30 * SECOND, &sample).end, HARNESS_OK);
	assert_int_equal(sample.thread_count, 2);
	assert_int_equal(harness_stop(harness).end, HARNESS_OK);
	harness_free(harness);
	no_child_is_left();
}

static void iterates_by_mapping(void **state)
{
	(void)state;
	iterates(HARNESS_ANY);
}

static void iterates_by_pipes(void **state)
{
	(void)state;
	iterates(HARNESS_PIPES);
}

/* Two programs at once, turn by turn. */
static void takes_turns(void **state)
{
	(void)state;
	struct harness *pair[2] = {start(HARNESS_ANY, NULL), start(HARNESS_ANY, NULL)};
	struct harness_sample sample;
	for (int i = 0; i < 2; i++)
		assert_int_equal(harness_select(pair[i], "good/n=2", 30 * SECOND).end, HARNESS_OK);
	for (int i = 0; i < 20; i++) {
		assert_int_equal(harness_iterate(pair[i % 2], &usual, &sample).end, HARNESS_OK);
		assert_int_equal(harness_grant(pair[0], &usual).end, HARNESS_OK); /* and at once, as in a duet */
		assert_int_equal(harness_grant(pair[1], &usual).end, HARNESS_OK);
		assert_int_equal(harness_collect(pair[1], &sample).end, HARNESS_OK);
		assert_int_equal(harness_collect(pair[0], &sample).end, HARNESS_OK);
	}
	harness_free(pair[0]);
	harness_free(pair[1]);
	no_child_is_left();
}

/* Of two the one that has answered, died or hung is named, whichever place it has. */
static void the_first_that_is_done_is_named(void **state)
{
	(void)state;
	static const char *const others[] = {"good/n=2", "crashes"};
	for (size_t i = 0; i < 4; i++) {
		struct harness *pair[2] = {start(HARNESS_ANY, NULL), start(HARNESS_ANY, NULL)};
		struct harness_grant brief = {.invocations = 1, .limit = SECOND / 2}, patient = brief;
		struct harness_sample sample;
		size_t other = i % 2;
		patient.limit = 30 * SECOND;
		assert_int_equal(harness_select(pair[1 - other], "hangs", 30 * SECOND).end, HARNESS_OK);
		assert_int_equal(harness_select(pair[other], others[i / 2], 30 * SECOND).end, HARNESS_OK);
		assert_int_equal(harness_grant(pair[1 - other], &patient).end, HARNESS_OK);
		assert_int_equal(harness_grant(pair[other], &patient).end, HARNESS_OK);
		assert_int_equal(harness_first_done(pair), other);
		assert_int_equal(harness_collect(pair[other], &sample).end, i / 2 ? HARNESS_CRASHED : HARNESS_OK);
		harness_free(pair[0]);
		harness_free(pair[1]);
	}
	struct harness *pair[2] = {start(HARNESS_ANY, NULL), start(HARNESS_ANY, NULL)};
	struct harness_sample sample;
	for (size_t i = 0; i < 2; i++) {
		struct harness_grant grant = {.invocations = 1, .limit = i ? SECOND / 5 : 30 * SECOND};
		assert_int_equal(harness_select(pair[i], "hangs", 30 * SECOND).end, HARNESS_OK);
		assert_int_equal(harness_grant(pair[i], &grant).end, HARNESS_OK);
	}
	assert_int_equal(harness_first_done(pair), 1);
	assert_int_equal(harness_collect(pair[1], &sample).end, HARNESS_HUNG);
	harness_free(pair[0]);
	harness_free(pair[1]);
	no_child_is_left();
}

static const struct {
	const char *benchmark;
	enum harness_end end;
	int code;
	const char *text; /* a part of it */
} deaths[] = {
	{"crashes", HARNESS_CRASHED, SIGSEGV, "its last words: about to crash"},
	{"aborts", HARNESS_CRASHED, SIGABRT, "signal 6"},
	{"exits", HARNESS_EXITED, 3, "exit code 3"},
	{"forks_and_exits", HARNESS_EXITED, 4, "exit code 4"},
};

static void survives(enum harness_transport transport)
{
	for (size_t i = 0; i < sizeof(deaths) / sizeof(deaths[0]); i++) {
		struct harness *harness = start(transport, NULL);
		struct harness_sample sample;
		struct harness_outcome outcome = one(harness, deaths[i].benchmark, 30 * SECOND, &sample);
		if (outcome.end != deaths[i].end || outcome.code != deaths[i].code || !strstr(outcome.text, deaths[i].text))
			fail_msg("%s: %s %d \"%s\"", deaths[i].benchmark, harness_end_name(outcome.end), outcome.code,
			         outcome.text);
		assert_false(harness_alive(harness));
		assert_int_equal(one(harness, "good/n=1", SECOND, &sample).end, HARNESS_LOST);
		assert_int_equal(harness_leave(harness, SECOND, NULL).end, HARNESS_LOST);
		harness_free(harness);
		no_child_is_left();
	}
}

static void survives_deaths(void **state)
{
	(void)state;
	survives(HARNESS_ANY);
	survives(HARNESS_PIPES);
}

static void ends_what_hangs(void **state)
{
	(void)state;
	static const char *const names[] = {"hangs", "spins", "closes_all"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct harness *harness = start(HARNESS_ANY, NULL);
		struct harness_sample sample;
		struct harness_outcome outcome = one(harness, names[i], SECOND / 5, &sample);
		/* Without a channel the suite ends by itself, or is found silent. */
		if (outcome.end != HARNESS_HUNG && !(i == 2 && outcome.end == HARNESS_EXITED))
			fail_msg("%s: %s", names[i], outcome.text);
		assert_true(outcome.end != HARNESS_HUNG || strstr(outcome.text, "did not answer within 0.2 s"));
		assert_false(harness_alive(harness));
		harness_free(harness);
		no_child_is_left();
	}
}

static void sees_scribbling(void **state)
{
	(void)state;
	static const char *const names[] = {"scribbles_all", "scribbles_grant", "scribbles_late"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct harness *harness = start(HARNESS_ANY, NULL);
		struct harness_sample sample;
		assert_int_equal(harness_select(harness, names[i], 30 * SECOND).end, HARNESS_OK);
		struct harness_outcome outcome = {.end = HARNESS_OK};
		/* the last one writes from a thread of its own, sooner or later */
		for (int k = 0; outcome.end == HARNESS_OK && k < 10000; k++)
			outcome = harness_iterate(harness, &usual, &sample);
		if (outcome.end != HARNESS_GARBAGE || !strstr(outcome.text, "wrote over the memory that it shares"))
			fail_msg("%s: %s \"%s\"", names[i], harness_end_name(outcome.end), outcome.text);
		assert_false(harness_alive(harness));
		harness_free(harness);
		no_child_is_left();
	}
}

static void goes_on_after_a_skip_or_failure(void **state)
{
	(void)state;
	struct harness *harness = start(HARNESS_ANY, NULL);
	struct harness_sample sample;
	struct harness_outcome outcome = one(harness, "skips", 30 * SECOND, &sample);
	assert_int_equal(outcome.end, HARNESS_SKIPPED);
	assert_string_equal(outcome.text, "no device");
	outcome = one(harness, "fails", 30 * SECOND, &sample);
	assert_int_equal(outcome.end, HARNESS_FAILED);
	assert_string_equal(outcome.text, "wrong result");
	outcome = harness_select(harness, "skips_at_once", 30 * SECOND);
	assert_int_equal(outcome.end, HARNESS_SKIPPED);
	assert_string_equal(outcome.text, "no licence");
	assert_int_equal(one(harness, "good/n=1", 30 * SECOND, &sample).end, HARNESS_OK);
	outcome = harness_select(harness, "no such thing", 30 * SECOND);
	assert_int_equal(outcome.end, HARNESS_GARBAGE);
	assert_string_equal(outcome.text, "it answers: no benchmark is called no such thing");
	harness_free(harness);
	no_child_is_left();
}

static void names_printing_moving_and_forking(void **state)
{
	(void)state;
	struct error err;
	struct cpuset allowed, first = {{0}};
	assert_int_equal(cpuset_of_process(machine(), 0, &allowed, &err), 0);
	cpuset_add(&first, cpuset_next(&allowed, 0));
	struct harness *harness = start(HARNESS_ANY, &first);
	struct harness_sample sample;
	uint32_t notes;
	assert_int_equal(one(harness, "prints", 30 * SECOND, &sample).end, HARNESS_OK);
	assert_int_equal(sample.notes, HARNESS_PRINTED);
	assert_int_equal(strncmp(sample.printed, "hello 42\n", 9), 0);
	assert_int_equal(one(harness, "good/n=1", 30 * SECOND, &sample).end, HARNESS_OK);
	assert_int_equal(sample.notes, 0);
	if (cpuset_count(&allowed) > 1) {
		struct cpuset now;
		assert_int_equal(one(harness, "moves", 30 * SECOND, &sample).end, HARNESS_OK);
		assert_int_equal(sample.notes, HARNESS_MOVED);
		assert_int_equal(cpuset_of_process(machine(), harness_pid(harness), &now, &err), 0);
		assert_true(cpuset_equal(&now, &first));
	}
	assert_int_equal(harness_select(harness, "forks", 30 * SECOND).end, HARNESS_OK);
	struct harness_grant single = usual;
	single.invocations = 1;
	for (int i = 0; i < 3; i++)
		assert_int_equal(harness_iterate(harness, &single, &sample).end, HARNESS_OK);
	assert_int_equal(harness_leave(harness, 30 * SECOND, &notes).end, HARNESS_OK);
	assert_int_equal(notes, HARNESS_LEFTOVER);
	assert_int_equal(harness_stop(harness).end, HARNESS_OK);
	harness_free(harness);
	no_child_is_left();
}

static void its_files_are_files(void **state)
{
	(void)state;
	struct harness *harness = start(HARNESS_ANY, NULL);
	struct harness_sample sample;
	struct harness_grant single = usual;
	single.invocations = 1;
	assert_int_equal(one(harness, "opens_its_files", 30 * SECOND, &sample).end, HARNESS_OK);
	assert_int_equal(sample.notes, HARNESS_PRINTED);
	assert_string_equal(sample.printed, "anew\n");
	assert_int_equal(harness_select(harness, "prints_without_end", 30 * SECOND).end, HARNESS_OK);
	assert_int_equal(harness_iterate(harness, &single, &sample).end, HARNESS_OK);
	assert_int_equal(sample.notes, HARNESS_PRINTED);
	assert_int_equal(harness_stop(harness).end, HARNESS_OK);
	harness_free(harness);
	no_child_is_left();
}

static void daemons_end_with_the_program(void **state)
{
	(void)state;
	struct harness *harness = start(HARNESS_ANY, NULL);
	struct harness_sample sample;
	struct harness_grant single = usual;
	uint32_t notes;
	int left[2];
	single.invocations = 1;
	assert_int_equal(harness_select(harness, "daemons", 30 * SECOND).end, HARNESS_OK);
	assert_int_equal(harness_iterate(harness, &single, &sample).end, HARNESS_OK);
	assert_int_equal(sscanf(sample.printed, "%d %d", &left[0], &left[1]), 2);
	assert_int_equal(harness_leave(harness, 30 * SECOND, &notes).end, HARNESS_OK);
	assert_int_equal(notes, HARNESS_LEFTOVER | HARNESS_PRINTED);
	assert_int_equal(kill(left[0], 0) | kill(left[1], 0), 0);
	assert_int_equal(harness_stop(harness).end, HARNESS_OK);
	assert_true(kill(left[0], 0) != 0 && kill(left[1], 0) != 0);
	harness_free(harness);
	no_child_is_left();
}

/* -1: it was refused within a second and the error has this text. */
static void refused(const char *const *argv, const char *text)
{
	struct harness_request request = {.argv = argv, .cancel = -1};
	struct harness *harness = NULL;
	struct error err;
	assert_int_equal(harness_start(machine(), &request, &harness, &err), -1);
	assert_null(harness);
	if (!strstr(err.what, text))
		fail_msg("%s: \"%s\" in place of \"%s\"", argv[0], err.what, text);
	no_child_is_left();
}

static void a_path_that_leads_nowhere_has_a_next_step(void **state)
{
	(void)state;
	struct harness_request request = {.argv = (const char *const[]){"/no/such/program", NULL}, .cancel = -1};
	struct harness *harness = NULL;
	struct error err;
	assert_int_equal(harness_start(machine(), &request, &harness, &err), -1);
	assert_non_null(strstr(err.next, "check the path"));
}

static void refuses_other_programs(void **state)
{
	(void)state;
	refused((const char *const[]){"true", NULL},
	        "does not speak tare's benchmark protocol: it said nothing before it ended with exit code 0");
	refused((const char *const[]){"false", NULL}, "exit code 1");
	refused((const char *const[]){"sleep", "1000", NULL}, "did not answer within");
	refused((const char *const[]){"sh", "-c", "while :; do :; done", NULL}, "did not answer within");
	refused((const char *const[]){"yes", NULL}, "did not answer within");
	refused((const char *const[]){"sh", "-c", "kill -9 $$", NULL}, "signal 9");
	refused((const char *const[]){"sh", "-c", "echo oh dear >&2; exit 7", NULL}, "its last words: oh dear");
	refused((const char *const[]){"/no/such/program", NULL}, "there is no such program");
	refused((const char *const[]){"/etc/passwd", NULL}, "cannot be started");
	refused((const char *const[]){"no-such-program-in-path", NULL}, "there is no such program");
	refused((const char *const[]){BABBLE, "HTTP/1.1 400 Bad Request|", NULL},
	        "it answers \"HTTP/1.1 400 Bad Request\"");
	refused((const char *const[]){BABBLE, "tare 2 c 9.9|", NULL}, "it speaks version 2");
	refused((const char *const[]){BABBLE, "endless", NULL}, "invalid answer");
	refused((const char *const[]){BABBLE, "nul", NULL}, "invalid answer");
}

/* A large runtime that is loading is waited for; a program that only burns time is not. */
static void waits_for_a_runtime(void **state)
{
	(void)state;
	const char *const argv[] = {HOSTILE, NULL};
	const char *const threads[] = {"STARTS_SLOWLY=threads", NULL}, *const alone[] = {"STARTS_SLOWLY=alone", NULL};
	struct harness_request request = {
		.argv = argv, .env = threads, .cancel = -1, .start_limit = SECOND / 2, .slow_start_limit = 60 * SECOND};
	struct harness *harness = NULL;
	struct error err;
	if (harness_start(machine(), &request, &harness, &err) != 0)
		fail_msg("%s", err.what);
	harness_free(harness);
	request.env = alone;
	assert_int_equal(harness_start(machine(), &request, &harness, &err), -1);
	assert_non_null(strstr(err.what, "did not answer within 0.5 s"));
	no_child_is_left();
}

/* A machine on which others have the CPUs is no reason to give a program up. */
static void waits_longer_in_a_crowd(void **state)
{
	(void)state;
	char *root = fake_root();
	fake_file(root, "/proc/loadavg", "40.00 40.00 40.00 8000/9000 7145\n");
	struct host crowded = {.sys = &syscalls_libc, .root = root};
	const char *const argv[] = {HOSTILE, NULL}, *const alone[] = {"STARTS_SLOWLY=alone", NULL};
	struct harness_request request = {.argv = argv, .env = alone, .cancel = -1, .slow_start_limit = 60 * SECOND};
	struct harness *harness = NULL;
	struct error err;
	if (harness_start(&crowded, &request, &harness, &err) != 0)
		fail_msg("%s", err.what);
	harness_free(harness);
	fake_remove(root);
	free(root);
}

static struct harness *babbler(const char *list, const char *select, const char *run)
{
	const char *const argv[] = {BABBLE, "tare 1 babble 1|", list, select, run, NULL};
	struct harness_request request = {.argv = argv, .cancel = -1, .start_limit = 30 * SECOND};
	struct harness *harness = NULL;
	struct error err;
	if (harness_start(machine(), &request, &harness, &err) != 0)
		fail_msg("%s", err.what);
	assert_false(harness_has_map(harness));
	return harness;
}

static void refuses_nonsense(void **state)
{
	(void)state;
	const struct harness_benchmark *list;
	size_t count;
	struct error err;
	struct harness_sample sample;
	static const char *const lists[] = {"bench |ok|", "bench a b|ok|", "param a b|ok|", "bench a|param x|ok|",
	                                    "hello|",     "nul",           "endless"};
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		struct harness *harness = babbler(lists[i], NULL, NULL);
		if (harness_list(harness, &list, &count, &err) == 0)
			fail_msg("%s was taken", lists[i]);
		assert_false(harness_alive(harness));
		harness_free(harness);
	}
	static const char *const runs[] = {"ok|", "wall 5|dance|", "wall 99999999999999|ok|",
	                                   "nul", "wall -3|ok|",   "endless"};
	for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
		struct harness *harness = babbler("bench a|ok|", "ok|", runs[i]);
		assert_int_equal(harness_list(harness, &list, &count, &err), 0);
		assert_int_equal(count, 1);
		struct harness_outcome outcome = one(harness, "a", 30 * SECOND, &sample);
		if (outcome.end != HARNESS_GARBAGE)
			fail_msg("%s: %s", runs[i], outcome.text);
		assert_false(harness_alive(harness));
		harness_free(harness);
	}
	no_child_is_left();
}

static void a_silent_program_ends_the_wait(void **state)
{
	(void)state;
	int cancel[2];
	assert_int_equal(pipe(cancel), 0);
	const char *const argv[] = {HOSTILE, NULL};
	struct harness_request request = {.argv = argv, .cancel = cancel[0], .start_limit = 30 * SECOND};
	struct harness *harness = NULL;
	struct error err;
	struct harness_sample sample;
	assert_int_equal(harness_start(machine(), &request, &harness, &err), 0);
	assert_int_equal(harness_select(harness, "hangs", 30 * SECOND).end, HARNESS_OK);
	assert_int_equal(harness_grant(harness, &usual).end, HARNESS_OK);
	assert_int_equal(write(cancel[1], "x", 1), 1);
	assert_int_equal(harness_collect(harness, &sample).end, HARNESS_CANCELLED);
	assert_false(harness_alive(harness));
	harness_free(harness);
	no_child_is_left();
	assert_int_equal(harness_start(machine(), &request, &harness, &err), -1);
	assert_int_equal(err.kind, ERROR_INTERRUPTED);
	close(cancel[0]);
	close(cancel[1]);
	no_child_is_left();
}

static void takes_the_overhead_off(void **state)
{
	(void)state;
	struct harness_overhead overhead = {.fixed_wall = 50, .fixed_cpu = 500, .loop = 3};
	struct harness_sample sample = {.invocations = 100, .segments = 4, .thread_count = 2, .wall = 10000, .cpu = 20000};
	assert_close(harness_wall_per_invocation(&sample, &overhead), (10000 - 2 * 50 - 100 * 3) / 100.0, 1e-15);
	assert_close(harness_cpu_per_invocation(&sample, &overhead), (20000 - 4 * 500 - 2 * 100 * 3) / 100.0, 1e-15);
	sample.wall = 10;
	assert_close(harness_wall_per_invocation(&sample, &overhead), 0, 0);
	sample.cpu = -1;
	assert_true(harness_cpu_per_invocation(&sample, &overhead) !=
	            harness_cpu_per_invocation(&sample, &overhead)); /* NaN */
	sample.invocations = 0;
	assert_true(harness_wall_per_invocation(&sample, &overhead) != harness_wall_per_invocation(&sample, &overhead));
}

static size_t open_descriptors(void)
{
	size_t count = 0;
	for (int fd = 0; fd < 256; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

/* Every system call of a short life fails in turn: an error, and nothing left open or running. */
static struct {
	long countdown;
	bool happened;
} fault;

static bool must_fail(void)
{
	if (fault.countdown <= 0 || --fault.countdown > 0)
		return false;
	fault.happened = true;
	errno = EMFILE;
	return true;
}

#define X(type, failure, name, parameters, arguments) \
	static type failing_##name parameters \
	{ \
		if (must_fail()) \
			return failure; \
		return syscalls_libc.name arguments; \
	}
SYSCALLS(X)
#undef X

/* As the kernel does it: the descriptor is gone all the same. */
static int close_fails(int fd)
{
	bool fails = must_fail();
	syscalls_libc.close(fd);
	return fails ? -1 : 0;
}

/* Of one's own child these fail only when a signal comes in between. */
static int waitid_fails(int type, id_t id, siginfo_t *out, int options)
{
	if (!must_fail())
		return syscalls_libc.waitid(type, id, out, options);
	errno = EINTR;
	return -1;
}

static pid_t wait4_fails(pid_t pid, int *status, int options, struct rusage *usage)
{
	if (!must_fail())
		return syscalls_libc.wait4(pid, status, options, usage);
	errno = EINTR;
	return -1;
}

static struct syscalls failing_calls(void)
{
	struct syscalls failing = {
#define X(type, failure, name, parameters, arguments) .name = failing_##name,
		SYSCALLS(X)
#undef X
	};
	failing.close = close_fails;
	failing.waitid = waitid_fails;
	failing.wait4 = wait4_fails;
	failing.kill = syscalls_libc.kill; /* cannot fail on one's own child */
	return failing;
}

static bool refuses_writes;

static ssize_t refusable_write(int fd, const void *data, size_t size)
{
	errno = ENOSPC;
	return refuses_writes ? -1 : write(fd, data, size);
}

/* A program that could not be asked is not one that did not answer. */
static void what_it_was_not_told_is_not_its_fault(void **state)
{
	(void)state;
	const char *const argv[] = {HOSTILE, NULL};
	struct harness_request request = {.argv = argv, .cancel = -1, .start_limit = 30 * SECOND};
	struct syscalls sys = syscalls_libc;
	struct host host = {.sys = &sys, .root = ""};
	struct harness *harness = NULL;
	struct error err = {.what = ""};
	sys.write = refusable_write;
	refuses_writes = false;
	assert_int_equal(harness_start(&host, &request, &harness, &err), 0);
	refuses_writes = true;
	assert_int_equal(harness_stop(harness).end, HARNESS_LOST);
	harness_free(harness);
	assert_int_equal(harness_start(&host, &request, &harness, &err), -1);
	assert_int_equal(err.kind, ERROR_SYSTEM);
	assert_int_equal(err.errnum, ENOSPC);
	no_child_is_left();
}

static void every_system_call_may_fail(void **state)
{
	(void)state;
	const char *const argv[] = {HOSTILE, NULL};
	struct harness_request request = {.argv = argv, .cancel = -1, .start_limit = 30 * SECOND};
	size_t before = open_descriptors();
	fault.happened = true;
	for (long nth = 1; fault.happened && nth < 1000; nth++) {
		struct syscalls failing = failing_calls();
		struct host host = {.sys = &failing, .root = ""};
		struct harness *harness = NULL;
		struct error err = {.what = ""};
		struct harness_sample sample;
		fault.countdown = nth;
		fault.happened = false;
		if (harness_start(&host, &request, &harness, &err) == 0) {
			one(harness, "good/n=1", 30 * SECOND, &sample);
			harness_stop(harness);
		} else {
			assert_true(err.what[0] != '\0');
		}
		fault.countdown = 0;
		harness_free(harness);
		if (open_descriptors() != before)
			fail_msg("call %ld leaves a descriptor open", nth);
		no_child_is_left();
	}
	assert_false(fault.happened);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists),
		cmocka_unit_test(iterates_by_mapping),
		cmocka_unit_test(iterates_by_pipes),
		cmocka_unit_test(takes_turns),
		cmocka_unit_test(survives_deaths),
		cmocka_unit_test(the_first_that_is_done_is_named),
		cmocka_unit_test(ends_what_hangs),
		cmocka_unit_test(sees_scribbling),
		cmocka_unit_test(goes_on_after_a_skip_or_failure),
		cmocka_unit_test(names_printing_moving_and_forking),
		cmocka_unit_test(its_files_are_files),
		cmocka_unit_test(daemons_end_with_the_program),
		cmocka_unit_test(refuses_other_programs),
		cmocka_unit_test(a_path_that_leads_nowhere_has_a_next_step),
		cmocka_unit_test(waits_for_a_runtime),
		cmocka_unit_test(waits_longer_in_a_crowd),
		cmocka_unit_test(refuses_nonsense),
		cmocka_unit_test(a_silent_program_ends_the_wait),
		cmocka_unit_test(takes_the_overhead_off),
		cmocka_unit_test(what_it_was_not_told_is_not_its_fault),
		cmocka_unit_test(every_system_call_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
