/* What a session tells of the time that is left, with real commands that do nothing. */
#include "session/session.h"

#include "host/spawner.h"
#include "support/known.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define NOOP TESTS_PROGRAMS "/noop"

enum { MOST_TOLD = 100 };

static struct host host;
static struct spawner *spawner;
static int cancel[2];

static int open_spawner(void **state)
{
	(void)state;
	host = host_real();
	spawner = spawner_open(&host, NULL);
	return spawner ? pipe2(cancel, O_CLOEXEC | O_NONBLOCK) : -1;
}

static int close_spawner(void **state)
{
	(void)state;
	close(cancel[0]);
	close(cancel[1]);
	spawner_close(spawner);
	return 0;
}

struct told {
	double left[MOST_TOLD], rest[MOST_TOLD];
	size_t count;
};

static void remember(void *context, const struct session_progress *now)
{
	struct told *told = context;
	if (strcmp(now->phase, "measuring") != 0 || told->count == MOST_TOLD)
		return;
	told->rest[told->count] = now->budget - now->elapsed;
	told->left[told->count++] = now->left;
}

/* Two commands, each measured as often as the experiment says. */
static void measure(struct experiment *experiment, const char *command, struct told *told)
{
	struct experiment_subject subjects[] = {{.name = "a", .command = command}, {.name = "b", .command = command}};
	struct session_observer observer = {.context = told, .progress = remember};
	struct error err = {0};
	struct result result;
	bool missing;
	experiment->subjects = subjects;
	experiment->subject_count = 2;
	experiment->stop = STOP_FIXED;
	experiment->warmup = 0;
	experiment->seed = 7;
	*told = (struct told){.count = 0};
	result_init(&result);
	if (session_run(&instrument_commands, experiment, spawner, cancel[0], &observer, &result, &missing, &err) != 0)
		fail_msg("%s", err.what);
	result_release(&result);
}

/* Something is left until the last run of all, and never more than runs that do nothing can take. */
static void check_left(const struct told *told, size_t runs)
{
	assert_int_equal(told->count, runs);
	for (size_t i = 0; i < runs; i++) {
		assert_true(told->left[i] < 3600);
		assert_true(i + 1 < runs ? told->left[i] > 0 : told->left[i] == 0);
	}
}

static void rounds_of_work(void **state)
{
	(void)state;
	struct experiment experiment;
	struct told told;
	experiment_init(&experiment);
	experiment.runs = 12;
	experiment.work = (struct experiment_work){.given = true, .low = 1, .high = 64, .unit = "", .shortest = 1000};
	measure(&experiment, NOOP " {work}", &told);
	check_left(&told, 24);
	experiment_release(&experiment);
}

static void one_command_after_the_other(void **state)
{
	(void)state;
	struct experiment experiment;
	struct told told;
	experiment_init(&experiment);
	experiment.runs = 5;
	experiment.design = "solo";
	measure(&experiment, NOOP, &told);
	check_left(&told, 10);
	experiment_release(&experiment);
}

/* A time that was given ends a count before it is full. */
static void time_beside_a_count(void **state)
{
	(void)state;
	struct experiment experiment;
	struct told told;
	experiment_init(&experiment);
	experiment.runs = 1000000;
	experiment.max_time = 50000000;
	experiment.design = "shuffled";
	measure(&experiment, NOOP, &told);
	for (size_t i = 0; i < told.count; i++)
		assert_true(told.left[i] <= fmax(told.rest[i], 0));
	experiment_release(&experiment);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rounds_of_work),
		cmocka_unit_test(one_command_after_the_other),
		cmocka_unit_test(time_beside_a_count),
	};
	return cmocka_run_group_tests(tests, open_spawner, close_spawner);
}
