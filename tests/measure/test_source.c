/* The source of samples: commands as typed, hooks, checks, the program's own numbers. */
#include "measure/source.h"

#include "base/memory.h"
#include "host/proc.h"
#include "host/spawner.h"
#include "measure/pi_reader.h"
#include "support/fake.h"
#include "support/known.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define SUBJECT TESTS_PROGRAMS "/subject"

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
	spawner_close(spawner);
	return 0;
}

/* An experiment with these commands. */
struct setting {
	struct experiment experiment;
	struct experiment_subject subjects[2];
};

static void set(struct setting *setting, const char *first, const char *second)
{
	memset(setting, 0, sizeof(*setting));
	experiment_init(&setting->experiment);
	setting->subjects[0] = (struct experiment_subject){.name = "first", .command = first};
	setting->subjects[1] = (struct experiment_subject){.name = "second", .command = second};
	setting->experiment.subjects = setting->subjects;
	setting->experiment.subject_count = second ? 2 : 1;
	setting->experiment.output = "null";
	setting->experiment.seed = 7;
}

static struct source *source_of(const struct setting *setting)
{
	struct error err = {0};
	struct source *source = source_new(&setting->experiment, spawner, cancel[0], &err);
	if (!source)
		fail_msg("%s", err.what);
	return source;
}

static struct sample measure(struct source *source, size_t subject)
{
	struct sample sample;
	struct source_step step = {.subject = subject, .cpu = -1};
	assert_int_equal(source_measure(source, &step, 1, &sample, NULL), 0);
	return sample;
}

static void checks_commands(void **state)
{
	(void)state;
	struct setting setting;
	struct error err;
	set(&setting, "true", "a | b");
	assert_int_equal(source_check(&setting.experiment, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	setting.experiment.shell = "sh";
	assert_int_equal(source_check(&setting.experiment, &err), 0);
	set(&setting, "'x", NULL);
	assert_int_equal(source_check(&setting.experiment, &err), -1);
	set(&setting, " ", NULL);
	setting.experiment.shell = "sh";
	assert_int_equal(source_check(&setting.experiment, &err), -1);
	set(&setting, "true", NULL);
	setting.experiment.input = "/nonexistent";
	assert_int_equal(source_check(&setting.experiment, &err), -1);
	setting.experiment.input = "/dev/null";
	assert_int_equal(source_check(&setting.experiment, &err), 0);
	setting.experiment.subject_count = 0;
	assert_int_equal(source_check(&setting.experiment, &err), -1);
	struct performance_index pi = {
		.metric = {"rate", "MB/s", BETTER_HIGHER}, .source = PI_REGEX, .pattern = "([0-9]+)"};
	set(&setting, "true", NULL);
	setting.experiment.pis = &pi;
	setting.experiment.pi_count = 1;
	assert_int_equal(source_check(&setting.experiment, &err), 0);
	pi.metric.name = "wall";
	assert_int_equal(source_check(&setting.experiment, &err), -1);
	pi.metric.name = "rate";
	pi.pattern = "(";
	assert_int_equal(source_check(&setting.experiment, &err), -1);
	pi.pattern = "(.)";
	setting.experiment.output = "inherit";
	assert_int_equal(source_check(&setting.experiment, &err), -1);
}

static void measures(void **state)
{
	(void)state;
	struct setting setting;
	set(&setting, SUBJECT " spin 5", SUBJECT " 'exit' 4");
	setting.experiment.pad = true;
	struct source *source = source_of(&setting);
	assert_int_equal(source_metric_count(source), METRICS_OF_COMMANDS);
	assert_string_equal(source_metric(source, METRIC_WALL)->name, "wall");
	assert_string_equal(source_metric(source, METRIC_BLOCKS_OUT)->name, "blocks-out");
	struct sample sample = measure(source, 0);
	assert_int_equal(sample.status, SAMPLE_OK);
	assert_true(sample.values[METRIC_WALL] >= 0.005);
	assert_true(sample.values[METRIC_CPU] >= 0.0049);
	assert_true(sample.ended > sample.started);
	assert_string_equal(sample.left_behind, "");
	if (sample.single_threaded)
		assert_close(source_quantum(source, METRIC_CPU), 0, 0);
	sample = measure(source, 1);
	assert_int_equal(sample.status, SAMPLE_FAILED);
	assert_string_equal(sample.what, "exit 4");
	assert_true(isnan(sample.values[METRIC_WALL]));
	struct source_step steps[2] = {{1, -1}, {0, -1}};
	struct sample samples[2];
	assert_int_equal(source_measure(source, steps, 2, samples, NULL), 0);
	assert_int_equal(samples[0].status, SAMPLE_FAILED);
	assert_int_equal(samples[1].status, SAMPLE_OK);
	assert_true(samples[1].values[METRIC_CPU] >= 0.0049);
	measure(source, 1);
	assert_true(samples[1].values[METRIC_CPU] >= 0.0049); /* until the subject is measured again */
	source_free(source);
	/* Expected, or ignored. */
	static const int four[] = {4};
	setting.experiment.expected_exits = four;
	setting.experiment.expected_exit_count = 1;
	source = source_of(&setting);
	assert_int_equal(measure(source, 1).status, SAMPLE_OK);
	source_free(source);
	setting.experiment.expected_exit_count = 0;
	setting.experiment.ignore_failure = true;
	source = source_of(&setting);
	assert_int_equal(measure(source, 1).status, SAMPLE_OK);
	source_free(source);
	source_free(NULL);
}

static void threads_make_the_quantum_coarse(void **state)
{
	(void)state;
	struct setting setting;
	set(&setting, SUBJECT " threads 2 1", NULL);
	struct source *source = source_of(&setting);
	assert_false(measure(source, 0).single_threaded);
	assert_close(source_quantum(source, METRIC_CPU), 2e-6, 1e-12);
	source_free(source);
}

static void shells_and_limits(void **state)
{
	(void)state;
	struct setting setting;
	set(&setting, "exit 3 | exit 5", SUBJECT " sleep 60000");
	setting.experiment.shell = "/bin/sh -e";
	setting.experiment.timeout = INT64_C(1000000000); /* enough for a shell on a busy machine */
	struct source *source = source_of(&setting);
	struct sample sample = measure(source, 0);
	assert_int_equal(sample.status, SAMPLE_FAILED);
	assert_string_equal(sample.what, "exit 5");
	sample = measure(source, 1);
	assert_int_equal(sample.status, SAMPLE_TIMED_OUT);
	source_free(source);
	set(&setting, "no-such-program-anywhere", SUBJECT "x");
	source = source_of(&setting);
	sample = measure(source, 0);
	assert_int_equal(sample.status, SAMPLE_NOT_STARTED);
	assert_string_equal(sample.what, "there is no such program");
	assert_true(sample.next[0] != '\0');
	sample = measure(source, 1);
	assert_int_equal(sample.status, SAMPLE_NOT_STARTED);
	struct source_step steps[2] = {{1, -1}, {0, -1}};
	struct sample samples[2];
	assert_int_equal(source_measure(source, steps, 2, samples, NULL), 0);
	assert_int_equal(samples[1].status, SAMPLE_NOT_STARTED);
	source_free(source);
}

static void own_numbers(void **state)
{
	(void)state;
	struct performance_index pis[] = {
		{.metric = {"rate", "MB/s", BETTER_HIGHER}, .source = PI_REGEX, .pattern = "rate ([0-9.]+)"},
		{.metric = {"n", "", BETTER_LOWER}, .source = PI_JSON, .pattern = "n"},
	};
	struct setting setting;
	set(&setting, "echo rate 12.5; echo '{\"n\": 7}' >&2", "echo nothing");
	setting.experiment.shell = "sh";
	setting.experiment.pis = pis;
	setting.experiment.pi_count = 2;
	struct source *source = source_of(&setting);
	assert_int_equal(source_metric_count(source), METRICS_OF_COMMANDS + 2);
	assert_string_equal(source_metric(source, METRICS_OF_COMMANDS)->name, "rate");
	assert_int_equal(source_metric(source, METRICS_OF_COMMANDS)->better, BETTER_HIGHER);
	struct sample sample = measure(source, 0);
	assert_int_equal(sample.status, SAMPLE_OK);
	assert_close(sample.values[METRICS_OF_COMMANDS], 12.5, 0);
	assert_close(sample.values[METRICS_OF_COMMANDS + 1], 7, 0);
	sample = measure(source, 1);
	assert_int_equal(sample.status, SAMPLE_FAILED);
	assert_non_null(strstr(sample.what, "'n'"));
	source_free(source);
}

/* Behind a cut there may be more of them. */
static void unit_readings_are_taken_from_whole_texts(void **state)
{
	(void)state;
	struct performance_index pi = {
		.metric = {"t", "s", BETTER_LOWER}, .source = PI_COLUMN, .pattern = "1", .units = true};
	char *root = fake_root(), path[4200], commands[2][8600];
	struct setting setting;
	struct sample sample;
	snprintf(path, sizeof(path), "%s/readings", root);
	for (int file = 0; file < 2; file++) {
		for (int over = 0; over < 2; over++)
			snprintf(commands[over], sizeof(commands[over]), "(echo 1.5; %s bytes %d) >%s", SUBJECT,
			         (16 << 20) - 4 + over, file ? path : "&1");
		set(&setting, commands[0], commands[1]);
		setting.experiment.shell = "sh";
		setting.experiment.pis = &pi;
		setting.experiment.pi_count = 1;
		pi.place = file ? PI_FILE : PI_OUTPUT;
		pi.path = file ? path : NULL;
		struct source *source = source_of(&setting);
		sample = measure(source, 0);
		assert_int_equal(sample.status, SAMPLE_OK);
		assert_int_equal(sample.numbers->n, 1);
		sample = measure(source, 1);
		assert_int_equal(sample.status, SAMPLE_FAILED);
		assert_string_equal(sample.what, file ? "its file is over 16 MiB, too long for unit readings"
		                                      : "its output is over 16 MiB, too long for unit readings");
		assert_int_equal(sample.numbers->n, 0);
		source_free(source);
	}
	/* They stand on standard error, which is whole. */
	pi.place = PI_OUTPUT;
	pi.path = NULL;
	set(&setting, SUBJECT " bytes 16777217; echo 1.5 >&2", NULL);
	setting.experiment.shell = "sh";
	setting.experiment.pis = &pi;
	setting.experiment.pi_count = 1;
	struct source *source = source_of(&setting);
	sample = measure(source, 0);
	assert_int_equal(sample.status, SAMPLE_OK);
	assert_int_equal(sample.numbers->n, 1);
	source_free(source);
	fake_remove(root);
	free(root);
}

static void a_text_that_finds_no_memory_is_not_read(void **state)
{
	(void)state;
	char *root = fake_root(), path[4200], command[8600];
	snprintf(path, sizeof(path), "%s/readings", root);
	struct performance_index pis[] = {
		{.metric = {"a", "s", BETTER_LOWER}, .source = PI_COLUMN, .pattern = "1"},
		{.metric = {"b", "s", BETTER_LOWER},
	     .source = PI_COLUMN,
	     .pattern = "1",
	     .units = true,
	     .path = path,
	     .place = PI_FILE},
	};
	struct source_step step = {.subject = 0, .cpu = -1};
	struct setting setting;
	struct sample sample;
	bool starved = true;
	snprintf(command, sizeof(command), "echo 1 >&2; echo 2 >%s", path);
	set(&setting, command, NULL);
	setting.experiment.shell = "sh";
	setting.experiment.pis = pis;
	setting.experiment.pi_count = 2;
	for (long nth = 1; starved; nth++) {
		struct error err = {0};
		struct source *source = source_of(&setting);
		mem_fail_at(nth);
		int status = source_measure(source, &step, 1, &sample, &err);
		starved = mem_failed();
		mem_fail_at(0);
		assert_int_equal(status, starved ? -1 : 0);
		assert_int_equal(err.kind, starved ? ERROR_MEMORY : ERROR_NONE);
		source_free(source);
	}
	assert_int_equal(sample.status, SAMPLE_OK);
	fake_remove(root);
	free(root);
}

static int next_descriptor(void)
{
	int fd = dup(STDIN_FILENO);
	close(fd);
	return fd;
}

/* A folder is no file that could be removed; by then the pipe is being read. */
static void a_pipe_is_let_go_when_a_file_cannot_begin(void **state)
{
	(void)state;
	char *root = fake_root(), pipe[4200];
	snprintf(pipe, sizeof(pipe), "%s/pipe", root);
	struct performance_index pis[] = {
		{.metric = {"a", "s", BETTER_LOWER}, .source = PI_COLUMN, .pattern = "1", .place = PI_FIFO, .path = pipe},
		{.metric = {"b", "s", BETTER_LOWER}, .source = PI_COLUMN, .pattern = "2", .place = PI_FIFO, .path = pipe},
		{.metric = {"c", "s", BETTER_LOWER}, .source = PI_COLUMN, .pattern = "1", .place = PI_FILE, .path = root},
	};
	struct source_step step = {.subject = 0, .cpu = -1};
	struct setting setting;
	struct sample sample;
	struct error err;
	set(&setting, "true", NULL);
	setting.experiment.pis = pis;
	setting.experiment.pi_count = 3;
	struct source *source = source_of(&setting);
	int before = next_descriptor();
	assert_int_equal(source_measure(source, &step, 1, &sample, &err), -1);
	assert_string_equal(err.what, "the file of the run before cannot be removed");
	assert_int_equal(next_descriptor(), before);
	source_free(source);
	fake_remove(root);
	free(root);
}

static void output_is_checked(void **state)
{
	(void)state;
	struct setting setting;
	set(&setting, SUBJECT " print right", SUBJECT " print wrong");
	setting.experiment.check = "grep -q right";
	struct source *source = source_of(&setting);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(measure(source, 0).status, SAMPLE_OK);
		struct sample sample = measure(source, 1);
		assert_int_equal(sample.status, SAMPLE_FAILED);
		assert_string_equal(sample.what, "the check of its output failed: exit 1");
	}
	source_free(source);
	/* What is cut is not judged. */
	set(&setting, SUBJECT " bytes 16777216", SUBJECT " bytes 16777217");
	setting.experiment.check = "true";
	source = source_of(&setting);
	assert_int_equal(measure(source, 0).status, SAMPLE_OK);
	struct sample sample = measure(source, 1);
	assert_int_equal(sample.status, SAMPLE_FAILED);
	assert_string_equal(sample.what, "its output is over 16 MiB, too long for --check");
	source_free(source);
}

static void count_late(void *context)
{
	++*(int *)context;
}

static void the_end_of_the_time(void **state)
{
	(void)state;
	struct setting setting;
	struct error err;
	int told = 0;
	set(&setting, "sleep 0.3", NULL);
	setting.experiment.check = "sleep 600";
	struct source *source = source_of(&setting);
	/* While a run goes on it is told, once. */
	struct source_end end = {source_now(source) + 10000000, 100000000, count_late, &told};
	source_set_end(source, &end);
	struct source_step step = {0, -1};
	struct sample sample;
	assert_int_equal(source_measure(source, &step, 1, &sample, &err), -1);
	assert_int_equal(told, 1);
	assert_string_equal(err.what, "--check ran past --max-time");
	assert_true(source_was_ended(source));
	assert_int_equal(source_hook(source, "sleep 600", "cleanup", &err), -1);
	assert_int_equal(err.kind, ERROR_NO_DATA);
	assert_string_equal(err.what, "--cleanup ran past --max-time");
	/* A short one has its moment also after the end, and is no run. */
	assert_int_equal(source_hook(source, "true", "cleanup", &err), 0);
	assert_int_equal(told, 1);
	source_free(source);
}

static void hooks(void **state)
{
	(void)state;
	char *root = fake_root(), command[4400];
	struct setting setting;
	struct error err;
	set(&setting, "true", NULL);
	struct source *source = source_of(&setting);
	snprintf(command, sizeof(command), "echo x > %s/made && test -e %s/made", root, root);
	assert_int_equal(source_hook(source, command, "setup", &err), 0);
	assert_int_equal(source_hook(source, "exit 9", "prepare", &err), -1);
	assert_int_equal(err.kind, ERROR_SUBJECT);
	assert_string_equal(err.what, "--prepare 'exit 9' failed: exit 9");
	assert_int_equal(source_hook(source, "echo because >&2; exit 9", "prepare", &err), -1);
	assert_non_null(strstr(err.next, "because"));
	/* What setup starts is there while the commands run. */
	snprintf(command, sizeof(command), "sleep 600 & echo $! > %s/pid", root);
	assert_int_equal(source_hook(source, command, "setup", &err), 0);
	assert_int_equal(measure(source, 0).status, SAMPLE_OK);
	snprintf(command, sizeof(command), "kill -0 $(cat %s/pid)", root);
	assert_int_equal(source_hook(source, command, "prepare", &err), 0);
	/* An interruption ends a hook, but not one that comes after it: cleanup must run. */
	assert_int_equal(write(cancel[1], "x", 1), 1);
	assert_true(source_cancelled(source));
	assert_int_equal(source_hook(source, "sleep 0.01", "cleanup", &err), 0);
	struct sample sample = measure(source, 0);
	assert_true(sample.status == SAMPLE_CANCELLED || sample.status == SAMPLE_OK);
	char byte;
	assert_int_equal(read(cancel[0], &byte, 1), 1);
	assert_false(source_cancelled(source));
	source_free(source);
	fake_remove(root);
	free(root);
}

static void disturbed_runs_are_done_again(void **state)
{
	(void)state;
	struct setting setting;
	/* Long enough for the killer to come by on a busy machine. */
	set(&setting, SUBJECT " sleep 1", SUBJECT " sleep 1500");
	struct source *source = source_of(&setting);
	assert_int_equal(measure(source, 0).status, SAMPLE_OK);
	pid_t lane = spawner_lane_pid(spawner, 0), killer = fork();
	if (killer == 0) {
		pid_t child;
		while (proc_children(&host, lane, &child, 1) != 1)
			;
		kill(lane, SIGKILL);
		_exit(0);
	}
	assert_int_equal(measure(source, 1).status, SAMPLE_OK);
	assert_int_equal(waitpid(killer, NULL, 0), killer);
	assert_int_not_equal(spawner_lane_pid(spawner, 0), lane);
	source_free(source);
}

static void machine(void **state)
{
	(void)state;
	struct setting setting;
	struct source_machine machine;
	struct result result;
	set(&setting, "true", NULL);
	struct source *source = source_of(&setting);
	assert_int_equal(source_machine(source, &machine, NULL), 0);
	assert_true(machine.usable_cpus >= 1);
	assert_in_range(machine.cpu_count, 1, 2);
	assert_true(machine.memory_free > 0);
	result_init(&result);
	assert_int_equal(source_describe(source, &result, NULL), 0);
	assert_non_null(result.host.kernel);
	assert_true(result.host.cpus >= 1);
	result_release(&result);
	assert_true(source_now(source) > 0);
	assert_null(source_note(source, 0));
	int last = machine.cpus[machine.cpu_count - 1];
	source_free(source);
	/* On one CPU by request. */
	setting.experiment.cpus = &last;
	setting.experiment.cpu_count = 1;
	source = source_of(&setting);
	assert_int_equal(source_machine(source, &machine, NULL), 0);
	assert_int_equal(machine.usable_cpus, 1);
	assert_int_equal(machine.cpus[0], last);
	assert_int_equal(measure(source, 0).status, SAMPLE_OK);
	source_free(source);
	int far = 4000;
	struct error err;
	setting.experiment.cpus = &far;
	assert_null(source_new(&setting.experiment, spawner, -1, &err));
	assert_int_equal(err.kind, ERROR_USAGE);
}

static void says_what_it_cannot_see(void **state)
{
	(void)state;
	static const char *metrics[] = {"rss"};
	struct setting setting;
	set(&setting, TESTS_PROGRAMS "/noop", SUBJECT " allocate 20");
	setting.experiment.metrics = metrics;
	setting.experiment.metric_count = 1;
	struct source *source = source_of(&setting);
	assert_int_equal(measure(source, 1).status, SAMPLE_OK);
	assert_null(source_note(source, 0));
	struct sample sample = measure(source, 0);
	assert_int_equal(sample.status, SAMPLE_OK);
	/* A static program that does nothing is smaller than what starts it; a dynamic one may not be. */
	if (source_note(source, 0)) {
		assert_non_null(strstr(source_note(source, 0), "cannot be measured"));
		measure(source, 0);
		assert_null(source_note(source, 1));
	}
	source_free(source);
}

static void counters_or_a_note(void **state)
{
	(void)state;
	struct setting setting;
	set(&setting, SUBJECT " spin 5", NULL);
	setting.experiment.counters = true;
	struct source *source = source_of(&setting);
	size_t counted = source_metric_count(source) - METRICS_OF_COMMANDS;
	assert_true(counted > 0 || source_note(source, 0) != NULL);
	struct sample sample = measure(source, 0);
	assert_int_equal(sample.status, SAMPLE_OK);
	for (size_t i = 0; i < counted; i++)
		if (strcmp(source_metric(source, METRICS_OF_COMMANDS + i)->name, "instructions") == 0)
			assert_true(sample.values[METRICS_OF_COMMANDS + i] > 1000);
	source_free(source);
}

/* The number of lines of a file that runs have written. */
static size_t lines_of(const char *path)
{
	FILE *file = fopen(path, "r");
	size_t lines = 0;
	for (int c; file && (c = getc(file)) != EOF;)
		lines += c == '\n';
	if (file)
		fclose(file);
	return lines;
}

static void runs_ahead_are_taken_in_their_order(void **state)
{
	(void)state;
	struct setting setting;
	char *root = fake_root(), first[4300], path[4200];
	snprintf(path, sizeof(path), "%s/runs", root);
	snprintf(first, sizeof(first), "sh -c 'echo x >>%s'", path);
	set(&setting, first, SUBJECT " exit 0");
	struct source *source = source_of(&setting);
	const struct source_step steps[] = {{0, -1}, {1, -1}, {0, -1}, {1, -1}};
	assert_true(source_may_run_ahead(source));
	assert_int_equal(source_run_ahead(source, steps, 4, NULL), 0);
	assert_int_equal(source_ahead(source), 4);
	assert_int_equal(lines_of(path), 2);
	int64_t ended = 0;
	for (size_t i = 0; i < 3; i++) {
		struct sample sample = measure(source, steps[i].subject);
		assert_int_equal(sample.status, SAMPLE_OK);
		assert_true(sample.started >= ended);
		ended = sample.ended;
		assert_int_equal(source_ahead(source), 3 - i);
	}
	/* Who asks for another one gets a new run, and what was ahead is forgotten. */
	assert_true(measure(source, 0).started >= ended);
	assert_int_equal(source_ahead(source), 0);
	assert_int_equal(lines_of(path), 3);
	source_free(source);
	fake_remove(root);
	free(root);
}

static void what_fails_ahead_is_the_last(void **state)
{
	(void)state;
	struct setting setting;
	set(&setting, SUBJECT " exit 0", SUBJECT " exit 3");
	struct source *source = source_of(&setting);
	const struct source_step steps[] = {{0, -1}, {1, -1}, {0, -1}};
	assert_int_equal(source_run_ahead(source, steps, 3, NULL), 0);
	assert_int_equal(source_ahead(source), 2);
	assert_int_equal(measure(source, 0).status, SAMPLE_OK);
	assert_int_equal(measure(source, 1).exit_code, 3);
	assert_int_equal(measure(source, 0).status, SAMPLE_OK); /* one that was not run ahead */
	source_free(source);
	setting.experiment.check = "true";
	source = source_of(&setting);
	assert_false(source_may_run_ahead(source));
	source_free(source);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(checks_commands),
		cmocka_unit_test(measures),
		cmocka_unit_test(threads_make_the_quantum_coarse),
		cmocka_unit_test(shells_and_limits),
		cmocka_unit_test(own_numbers),
		cmocka_unit_test(unit_readings_are_taken_from_whole_texts),
		cmocka_unit_test(a_text_that_finds_no_memory_is_not_read),
		cmocka_unit_test(a_pipe_is_let_go_when_a_file_cannot_begin),
		cmocka_unit_test(output_is_checked),
		cmocka_unit_test(hooks),
		cmocka_unit_test(the_end_of_the_time),
		cmocka_unit_test(disturbed_runs_are_done_again),
		cmocka_unit_test(machine),
		cmocka_unit_test(runs_ahead_are_taken_in_their_order),
		cmocka_unit_test(what_fails_ahead_is_the_last),
		cmocka_unit_test(says_what_it_cannot_see),
		cmocka_unit_test(counters_or_a_note),
	};
	return cmocka_run_group_tests(tests, open_spawner, close_spawner);
}
