/* Killing tare, the spawner, a lane or a command, at chosen and at random moments: nothing survives.
 *
 * The test process is a subreaper, so that whatever survives its parent becomes a child of the test
 * and is seen. A process that stands for tare (the holder) is forked for each case. */
#include "commands.h"

#include "base/random.h"
#include "support/fake.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>

/* What the holder tells the test, in shared memory. */
struct shared {
	pid_t spawner, lanes[2];
	int done, lost, failed; /* commands that ended, whose lane was lost; 1: spawner_run failed */
};

static struct host host;
static struct shared *shared;
static char *folder;

static int set_up(void **state)
{
	(void)state;
	host = host_real();
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	folder = fake_root();
	if (chdir(folder) != 0)
		return -1;
	return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

static int tear_down(void **state)
{
	(void)state;
	fake_remove(folder);
	free(folder);
	return 0;
}

/* In the holder: runs commands two at a time until something fails; never returns. */
static void hold(const char *const *left, const char *const *right)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); /* a test that fails leaves nothing either */
	struct spawner *spawner = spawner_open(&host, NULL);
	struct command_request requests[2] = {request_for(left), request_for(right)};
	struct command_report reports[2];
	requests[1].lane = 1;
	if (!spawner)
		_exit(1);
	for (;;) {
		shared->spawner = spawner_pid(spawner);
		shared->lanes[0] = spawner_lane_pid(spawner, 0);
		shared->lanes[1] = spawner_lane_pid(spawner, 1);
		if (spawner_run(spawner, requests, 2, -1, reports, NULL) != 0) {
			__atomic_store_n(&shared->failed, 1, __ATOMIC_SEQ_CST);
			break;
		}
		for (int i = 0; i < 2; i++)
			__atomic_add_fetch(reports[i].result == COMMAND_LOST ? &shared->lost : &shared->done, 1, __ATOMIC_SEQ_CST);
	}
	spawner_close(spawner);
	_exit(0);
}

static pid_t start_holder(const char *const *left, const char *const *right)
{
	memset(shared, 0, sizeof(*shared));
	unlink("pids");
	pid_t pid = fork();
	if (pid == 0)
		hold(left, right);
	return pid;
}

/* Reaps what has become our child; true when there is nothing left. */
static bool nothing_left(void)
{
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
	return waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD;
}

/* Two escaping families of four, all running. The ids of the lanes are known only after a first
 * pair of commands: it makes the marks, and the second finds them. */
static pid_t start_families(void)
{
	static const char script[] = "if [ -e $0 ]; then exec " SUBJECT " escape $0.pids; else : > $0; fi";
	static const char *const left[] = {"/bin/sh", "-c", script, "left", NULL};
	static const char *const right[] = {"/bin/sh", "-c", script, "right", NULL};
	static const char *const files[] = {"left", "right", "left.pids", "right.pids"};
	for (int i = 0; i < 4; i++)
		unlink(files[i]);
	pid_t holder = start_holder(left, right), pids[8];
	assert_true(wait_until(read_pids("left.pids", pids, 8) == 4));
	assert_true(wait_until(read_pids("right.pids", pids, 8) == 4));
	assert_true(shared->lanes[0] > 0 && shared->lanes[1] > 0);
	return holder;
}

static void killing_tare(void **state)
{
	(void)state;
	pid_t holder = start_families();
	kill(holder, SIGKILL);
	assert_true(wait_until(nothing_left()));
}

static void killing_the_spawner(void **state)
{
	(void)state;
	start_families();
	kill(shared->spawner, SIGKILL);
	assert_true(wait_until(shared->failed || shared->lost >= 2));
	assert_true(wait_until(nothing_left()));
}

static void killing_a_lane(void **state)
{
	(void)state;
	pid_t holder = start_families();
	pid_t lane = shared->lanes[0];
	kill(lane, SIGKILL);
	pid_t pids[8];
	size_t n = read_pids("left.pids", pids, 8);
	assert_int_equal(n, 4);
	for (size_t i = 0; i < n; i++)
		assert_true(wait_until(!is_running(pids[i])));
	/* The other family lives until its time limit; it ends with tare. */
	kill(holder, SIGKILL);
	assert_true(wait_until(nothing_left()));
}

static void polite_signals_to_the_spawner(void **state)
{
	(void)state;
	start_families();
	kill(shared->spawner, SIGINT); /* the terminal's: not its business */
	kill(shared->lanes[1], SIGINT);
	kill(shared->lanes[1], SIGHUP);
	assert_int_equal(shared->failed, 0);
	kill(shared->spawner, SIGTERM);
	assert_true(wait_until(nothing_left()));
}

/* One of the processes is killed after a random time, while commands of all kinds come and go. */
static void random_moments(void **state)
{
	(void)state;
	struct random random;
	random_seed(&random, 20240607);
	for (int round = 0; round < 60; round++) {
		const char *const *left = round % 2 ? WORDS("orphan", "60000") : WORDS("spin", "1");
		const char *const *right = round % 3 ? WORDS("daemon", "pids") : WORDS("workers", "2", "1");
		pid_t holder = start_holder(left, right);
		struct timespec pause = {.tv_nsec = (long)random_below(&random, 30000000)};
		nanosleep(&pause, NULL);
		pid_t victims[] = {holder, shared->spawner, shared->lanes[0], shared->lanes[1]};
		size_t which = random_below(&random, 4);
		pid_t victim = victims[which];
		int done = __atomic_load_n(&shared->done, __ATOMIC_SEQ_CST);
		if (victim > 0)
			kill(victim, SIGKILL);
		/* A lane is replaced and the work goes on: then tare is killed as well. */
		if (victim == 0 || which >= 2) {
			assert_true(wait_until(__atomic_load_n(&shared->done, __ATOMIC_SEQ_CST) >= done + 2));
			kill(holder, SIGKILL);
		}
		if (!wait_until(nothing_left()))
			fail_msg("round %d: a process is left after killing %zu", round, which);
	}
}

static void a_command_that_is_killed(void **state)
{
	(void)state;
	struct spawner *spawner = spawner_open(&host, NULL);
	/* A helper finds the command and kills it. */
	assert_int_equal(run_words(spawner, WORDS("exit", "0")).code, 0);
	pid_t lane = spawner_lane_pid(spawner, 0);
	pid_t killer = fork();
	if (killer == 0) {
		pid_t child;
		while (proc_children(&host, lane, &child, 1) != 1)
			;
		kill(child, SIGKILL);
		_exit(0);
	}
	struct command_report report = run_words(spawner, WORDS("sleep", "60000"));
	assert_int_equal(report.result, COMMAND_SIGNALED);
	assert_int_equal(report.code, SIGKILL);
	assert_int_equal(waitpid(killer, NULL, 0), killer);
	spawner_close(spawner);
	assert_true(nothing_left());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(killing_tare),   cmocka_unit_test(killing_the_spawner),
		cmocka_unit_test(killing_a_lane), cmocka_unit_test(polite_signals_to_the_spawner),
		cmocka_unit_test(random_moments), cmocka_unit_test(a_command_that_is_killed),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
