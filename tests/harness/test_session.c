/* The program's side of the protocol: a child process obeys commands written by hand; no controller of ours is
 * involved. */
#include "harness/internal.h"
#include "support/known.h"

#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

TARE_BENCH(adds)
{
	tare_report(t, "share", 0.5, "", TARE_HIGHER);
	TARE_LOOP(t)
		tare_unit(t, 0.25);
	tare_items(t, 2);
}
TARE_CONFIGURE(adds)
{
	tare_values(o, "n", "1,2");
	tare_default(o, "max-runs", "7");
	tare_unit_metric(o, "latency", "s", TARE_LOWER);
}
static void no_device(struct tare *t)
{
	tare_skip(t, "no device");
}
TARE_BENCH(skips)
{
	TARE_LOOP(t) {
	}
}
TARE_CONFIGURE(skips)
{
	tare_each_run(o, no_device, NULL);
}
TARE_BENCH(fails)
{
	tare_fail(t, "bad");
	TARE_LOOP(t) {
	}
}
TARE_BENCH(threads)
{
	TARE_LOOP(t) {
	}
}
TARE_CONFIGURE(threads)
{
	tare_threads(o, "2");
}

struct peer {
	pid_t pid;
	FILE *to, *from;
	struct tare_map *map;
};

/* As a controller would: two pipes and a mapping, and the variable. */
static void peer_start(struct peer *peer)
{
	int to[2], from[2];
	assert_int_equal(pipe(to), 0);
	assert_int_equal(pipe(from), 0);
	int map = memfd_create("map", 0);
	assert_true(map >= 0);
	assert_int_equal(ftruncate(map, sizeof(struct tare_map)), 0);
	peer->map = mmap(NULL, sizeof(struct tare_map), PROT_READ | PROT_WRITE, MAP_SHARED, map, 0);
	assert_ptr_not_equal(peer->map, MAP_FAILED);
	peer->map->head = (struct tare_map_head){TARE_MAP_MAGIC, TARE_PROTOCOL_VERSION, sizeof(struct tare_map)};
	fflush(stdout);
	peer->pid = fork();
	if (peer->pid == 0) {
		char variable[64];
		close(to[1]);
		close(from[0]);
		snprintf(variable, sizeof(variable), "1 %d %d %d", to[0], from[1], map);
		setenv(TARE_CHANNEL_VARIABLE, variable, 1);
		setlocale(LC_ALL, "de_DE.UTF-8"); /* where it exists, numbers must keep their dot */
		char name[] = "suite";
		char *argv[] = {name, NULL};
		_exit(tare_main(1, argv));
	}
	close(to[0]);
	close(from[1]);
	close(map);
	peer->to = fdopen(to[1], "w");
	peer->from = fdopen(from[0], "r");
	setvbuf(peer->to, NULL, _IOLBF, BUFSIZ);
}

static void peer_end(struct peer *peer, int code)
{
	int status;
	fclose(peer->to);
	assert_int_equal(fgetc(peer->from), EOF);
	fclose(peer->from);
	assert_int_equal(waitpid(peer->pid, &status, 0), peer->pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), code);
	munmap(peer->map, sizeof(*peer->map));
}

static void ask(struct peer *peer, const char *command)
{
	fprintf(peer->to, "%s\n", command);
}

/* Reads one line and compares; "key *" accepts any non-negative number after the key. */
static void expect(struct peer *peer, const char *expected)
{
	char line[TARE_LINE_MAX];
	if (!fgets(line, sizeof(line), peer->from))
		fail_msg("the program ended where \"%s\" was expected", expected);
	line[strcspn(line, "\n")] = '\0';
	size_t key = strlen(expected);
	if (key > 1 && strcmp(expected + key - 2, " *") == 0) {
		char *end;
		assert_memory_equal(line, expected, key - 1);
		assert_true(strtod(line + key - 1, &end) >= 0);
		assert_int_equal(*end, 0);
		return;
	}
	assert_string_equal(line, expected);
}

static void says_hello_and_lists(void **state)
{
	(void)state;
	struct peer peer;
	peer_start(&peer);
	ask(&peer, "tare 1");
	expect(&peer, "tare 1 c " TARE_VERSION " map");
	ask(&peer, "list");
	expect(&peer, "bench adds/n=1");
	expect(&peer, "param n 1");
	expect(&peer, "default max-runs 7");
	expect(&peer, "bench adds/n=2");
	expect(&peer, "param n 2");
	expect(&peer, "default max-runs 7");
	expect(&peer, "bench skips");
	expect(&peer, "bench fails");
	expect(&peer, "bench threads/threads=2");
	expect(&peer, "param threads 2");
	expect(&peer, "ok");
	ask(&peer, "calibrate");
	expect(&peer, "resolution *");
	expect(&peer, "fixed *");
	expect(&peer, "fixed-cpu *");
	expect(&peer, "loop *");
	expect(&peer, "loop-limit *");
	expect(&peer, "ok");
	ask(&peer, "quit");
	expect(&peer, "ok");
	peer_end(&peer, 0);
}

static void runs_by_text(void **state)
{
	(void)state;
	struct peer peer;
	peer_start(&peer);
	ask(&peer, "run 1");
	expect(&peer, "error no benchmark is selected");
	ask(&peer, "select adds/n=2");
	expect(&peer, "ok");
	ask(&peer, "run x");
	expect(&peer, "error run needs a number of invocations");
	ask(&peer, "run 2 cpu process-cpu usage made-up");
	expect(&peer, "wall *");
	expect(&peer, "segments 1");
	expect(&peer, "cpu *");
	expect(&peer, "process-cpu *");
	char line[TARE_LINE_MAX];
	for (int i = 0; i < 3; i++) { /* faults, switches, cpus: two numbers each */
		static const char *const keys[] = {"faults", "switches", "cpus"};
		char key[16], rest;
		unsigned long one, two;
		assert_non_null(fgets(line, sizeof(line), peer.from));
		assert_int_equal(sscanf(line, "%15s %lu %lu%c", key, &one, &two, &rest), 4);
		assert_string_equal(key, keys[i]);
	}
	expect(&peer, "items 4");
	expect(&peer, "metric share - higher 0.5");
	expect(&peer, "units latency s lower 2 1");
	expect(&peer, "unit 0.25");
	expect(&peer, "unit 0.25");
	expect(&peer, "ok");
	ask(&peer, "select skips");
	expect(&peer, "skip no device");
	ask(&peer, "run 1");
	expect(&peer, "error no benchmark is selected");
	ask(&peer, "select fails");
	expect(&peer, "ok");
	ask(&peer, "run 1");
	expect(&peer, "fail bad");
	ask(&peer, "select none");
	expect(&peer, "error no benchmark is called none");
	ask(&peer, "dance");
	expect(&peer, "error unknown command dance");
	ask(&peer, "end");
	expect(&peer, "ok");
	peer_end(&peer, 1); /* no quit: the controller is gone */
}

static void grant(struct peer *peer, uint64_t sequence, uint64_t invocations, uint32_t metrics)
{
	struct tare_grant grant = {sequence, invocations, metrics, 0, 0};
	grant.checksum = tare_grant_checksum(&grant);
	peer->map->grant = grant;
	ask(peer, "go");
}

static void runs_by_mapping(void **state)
{
	(void)state;
	struct peer peer;
	static struct tare_reply reply;
	peer_start(&peer);
	ask(&peer, "go");
	expect(&peer, "error no benchmark is selected");
	ask(&peer, "select threads/threads=2");
	expect(&peer, "ok");
	ask(&peer, "go");
	expect(&peer, "error the grant in the mapping is damaged");
	for (uint64_t sequence = 1; sequence <= 3; sequence++) {
		grant(&peer, sequence, 10 * sequence, TARE_HAS_CPU);
		expect(&peer, "ok");
		assert_int_equal(tare_sequence_load(&peer.map->reply.answer.sequence), sequence);
		assert_true(tare_reply_copy(&reply, &peer.map->reply));
		assert_int_equal(reply.answer.checksum, tare_answer_checksum(&reply));
		assert_int_equal(reply.answer.status, TARE_STATUS_OK);
		assert_int_equal(reply.answer.invocations, 10 * sequence);
		assert_int_equal(reply.answer.thread_count, 2);
		assert_true(reply.answer.wall > 0);
		reply.threads[1].wall ^= 1;
		assert_int_not_equal(reply.answer.checksum, tare_answer_checksum(&reply));
	}
	ask(&peer, "select fails");
	expect(&peer, "ok");
	grant(&peer, 4, 1, 0);
	expect(&peer, "ok");
	assert_int_equal(peer.map->reply.answer.status, TARE_STATUS_FAILED);
	assert_string_equal(peer.map->reply.answer.reason, "bad");
	ask(&peer, "quit");
	expect(&peer, "ok");
	peer_end(&peer, 0);
}

static void a_line_without_end_is_refused(void **state)
{
	(void)state;
	struct peer peer;
	peer_start(&peer);
	for (int i = 0; i < 2 * TARE_LINE_MAX; i++)
		if (fputc('x', peer.to) == EOF)
			break;
	fflush(peer.to);
	peer_end(&peer, 1);
}

static int main_with_channel(const char *variable)
{
	int status;
	fflush(stdout);
	pid_t pid = fork();
	if (pid == 0) {
		char name[] = "suite";
		char *argv[] = {name, NULL};
		int null = open("/dev/null", O_WRONLY);
		dup2(null, 2);
		setenv(TARE_CHANNEL_VARIABLE, variable, 1);
		_exit(tare_main(1, argv));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void a_wrong_variable_is_a_usage_error(void **state)
{
	(void)state;
	assert_int_equal(main_with_channel(""), 2);
	assert_int_equal(main_with_channel("1"), 2);
	assert_int_equal(main_with_channel("one 2 3"), 2);
	assert_int_equal(main_with_channel("1 1000 1001"), 2);
	assert_int_equal(main_with_channel("0 0 1"), 2);
}

/* The same layout in every program, whatever compiler and word size. */
static void layout_is_fixed(void **state)
{
	(void)state;
	assert_int_equal(sizeof(struct tare_map_head), 16);
	assert_int_equal(sizeof(struct tare_grant), 32);
	assert_int_equal(offsetof(struct tare_map, grant), 16);
	assert_int_equal(offsetof(struct tare_map, reply), 48);
	assert_int_equal(offsetof(struct tare_answer, counter), 96);
	assert_int_equal(offsetof(struct tare_answer, items), 176);
	assert_int_equal(offsetof(struct tare_answer, status), 208);
	assert_int_equal(offsetof(struct tare_answer, unit_name), 240);
	assert_int_equal(offsetof(struct tare_answer, reason), 304);
	assert_int_equal(sizeof(struct tare_answer), 560);
	assert_int_equal(sizeof(struct tare_thread_times), 32);
	assert_int_equal(sizeof(struct tare_metric), 80);
	assert_int_equal(sizeof(struct tare_map), 48 + 560 + 256 * 32 + 16 * 80 + 4096 * 8);
}

int main(void)
{
	signal(SIGPIPE, SIG_IGN);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(layout_is_fixed),
		cmocka_unit_test(says_hello_and_lists),
		cmocka_unit_test(runs_by_text),
		cmocka_unit_test(runs_by_mapping),
		cmocka_unit_test(a_line_without_end_is_refused),
		cmocka_unit_test(a_wrong_variable_is_a_usage_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
