/* The clients of every language, through the controller: their example suites, and suites in which all goes wrong.
 * A language that is not on this machine is skipped. */
#include "measure/harness.h"
#include "support/known.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECOND   INT64_C(1000000000)
#define PATIENCE (60 * SECOND)

static char jar_folder[] = "/tmp/tare-clients-XXXXXX";
static char jar[sizeof(jar_folder) + 16];
static bool have_java;
static char compiled_folder[] = "/tmp/tare-compiled-XXXXXX"; /* go-suite, go-wrong, rust-suite, rust-wrong */
static bool have_go, have_rust;

static bool have(const char *program)
{
	char command[128];
	snprintf(command, sizeof(command), "command -v %s >/dev/null", program);
	return system(command) == 0;
}

static struct harness *start(const char *const *argv, enum harness_transport transport)
{
	struct host host = host_real();
	struct harness_request request = {.argv = argv, .transport = transport, .cancel = -1, .start_limit = PATIENCE};
	struct harness *harness = NULL;
	struct error err;
	if (harness_start(&host, &request, &harness, &err) != 0)
		fail_msg("%s: %s", err.on, err.what);
	return harness;
}

/* A benchmark through three iterations; its reason for being left out, or NULL. */
static const char *one(struct harness *harness, const char *name)
{
	static char reason[512];
	struct harness_sample sample;
	struct harness_outcome outcome = harness_select(harness, name, PATIENCE);
	for (uint64_t count = 0; outcome.end == HARNESS_OK && count < 3; count++) {
		struct harness_grant grant = {
			.invocations = count, .metrics = TARE_HAS_CPU | TARE_HAS_DELAY, .limit = PATIENCE};
		outcome = harness_iterate(harness, &grant, &sample);
		if (outcome.end == HARNESS_OK) {
			assert_int_equal(sample.invocations, count);
			assert_true(sample.wall >= 0);
			assert_int_equal(sample.notes, 0);
		}
	}
	if (outcome.end == HARNESS_SKIPPED) {
		snprintf(reason, sizeof(reason), "%s", outcome.text);
		return reason;
	}
	if (outcome.end != HARNESS_OK)
		fail_msg("%s: %s", name, outcome.text);
	assert_int_equal(harness_leave(harness, PATIENCE, NULL).end, HARNESS_OK);
	return NULL;
}

/* Runs all of an example suite; `names` are some that it must have, `skipped` the reason of the one that is left
 * out. */
static void suite(const char *const *argv, enum harness_transport transport, const char *language,
                  const char *const *names, const char *skipped)
{
	struct harness *harness = start(argv, transport);
	const struct harness_benchmark *list;
	struct harness_overhead overhead;
	struct error err;
	size_t count, skips = 0, found = 0, wanted = 0;
	assert_string_equal(harness_language(harness), language);
	assert_int_equal(harness_calibrate(harness, &overhead, &err), 0);
	assert_true(overhead.resolution > 0 && overhead.fixed_wall >= 0 && overhead.loop <= overhead.loop_limit);
	assert_int_equal(harness_list(harness, &list, &count, &err), 0);
	for (; names[wanted]; wanted++)
		for (size_t i = 0; i < count; i++)
			found += strcmp(list[i].name, names[wanted]) == 0;
	assert_int_equal(found, wanted);
	for (size_t i = 0; i < count; i++) {
		const char *reason = one(harness, list[i].name);
		if (reason)
			assert_string_equal(reason, skipped);
		skips += reason != NULL;
	}
	assert_int_equal(skips, skipped != NULL);
	struct harness_outcome outcome = harness_stop(harness);
	if (outcome.end != HARNESS_OK)
		fail_msg("%s", outcome.text);
	harness_free(harness);
	harness = start(argv, transport);
	outcome = harness_select(harness, "no_such_benchmark", PATIENCE);
	assert_int_equal(outcome.end, HARNESS_GARBAGE);
	assert_string_equal(outcome.text, "it answers: no benchmark is called no_such_benchmark");
	harness_free(harness);
}

static void c_suite(void **state)
{
	(void)state;
	const char *const argv[] = {C_SUITE, NULL};
	const char *const names[] = {
		"multiply", "checksum/bytes=2048", "insertion_sort/n=64/order=descending", "shared_counter/threads=2", "cache",
		NULL};
	suite(argv, HARNESS_ANY, "c", names, "no GPU here");
	suite(argv, HARNESS_PIPES, "c", names, "no GPU here");
}

static void cpp_suite(void **state)
{
	(void)state;
	const char *const argv[] = {CPP_SUITE, NULL};
	const char *const names[] = {"push_back/n=16", "look_up<unordered_map>", "sort", NULL};
	if (!argv[0][0])
		skip();
	suite(argv, HARNESS_ANY, "c", names, NULL);
	suite(argv, HARNESS_PIPES, "c", names, NULL);
}

static void python_suite(void **state)
{
	(void)state;
	const char *const argv[] = {"python3", EXAMPLES "/python-suite/suite.py", NULL};
	const char *const names[] = {"sort_shuffled/n=10000", "parse_json", NULL};
	suite(argv, HARNESS_ANY, "python", names, "no accelerator here");
}

static void node_suite(void **state)
{
	(void)state;
	const char *const argv[] = {"node", EXAMPLES "/node-suite/suite.js", NULL};
	const char *const names[] = {"sort/n=100", "parse", "microtask", NULL};
	if (!have("node"))
		skip();
	suite(argv, HARNESS_ANY, "node", names, "no GPU here");
}

static void java_suite(void **state)
{
	(void)state;
	const char *const argv[] = {"java", "-cp", jar, "Suite", NULL};
	const char *const names[] = {"sort/n=100", "polynomial", NULL};
	if (!have_java)
		skip();
	suite(argv, HARNESS_ANY, "java", names, "no GPU here");
}

/* argv[0] of a suite that was compiled at the start. */
static const char *compiled(const char *name)
{
	static char path[sizeof(compiled_folder) + 32];
	snprintf(path, sizeof(path), "%s/%s", compiled_folder, name);
	return path;
}

static void go_suite(void **state)
{
	(void)state;
	const char *const argv[] = {compiled("go-suite"), NULL};
	const char *const names[] = {"sort/n=100", "mix", NULL};
	if (!have_go)
		skip();
	suite(argv, HARNESS_ANY, "go", names, "no GPU here");
}

static void rust_suite(void **state)
{
	(void)state;
	const char *const argv[] = {compiled("rust-suite"), NULL};
	const char *const names[] = {"sort/n=100", "mix", NULL};
	if (!have_rust)
		skip();
	suite(argv, HARNESS_ANY, "rust", names, "no GPU here");
}

static void shell_suite(void **state)
{
	(void)state;
	static const char *const shells[] = {"sh", "dash", "bash", "ksh", "busybox"};
	for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++) {
		const char *const argv[] = {shells[i], EXAMPLES "/shell-suite/suite.sh", NULL};
		const char *const box[] = {"busybox", "sh", EXAMPLES "/shell-suite/suite.sh", NULL};
		const char *const names[] = {"sort", "arithmetic", NULL};
		if (have(shells[i]))
			suite(strcmp(shells[i], "busybox") == 0 ? box : argv, HARNESS_PIPES, "shell", names, "no GPU here");
	}
}

/* A reason of many kilobytes with control characters arrives in part, and the program goes on. */
static void rants(struct harness *harness, const char *words)
{
	struct harness_sample sample;
	struct harness_grant grant = {.invocations = 1, .limit = PATIENCE};
	struct harness_outcome outcome = harness_select(harness, "rants", PATIENCE);
	if (outcome.end == HARNESS_OK)
		outcome = harness_iterate(harness, &grant, &sample);
	if (outcome.end != HARNESS_FAILED && outcome.end != HARNESS_SKIPPED)
		fail_msg("%s", outcome.text);
	if (!strstr(outcome.text, words))
		fail_msg("\"%s\" without \"%s\"", outcome.text, words);
}

/* throws, rants, prints, starts, ends: a failure with its words, a long one, a note, an exit code. */
static void all_goes_wrong(const char *const *argv, const char *words)
{
	struct harness *harness = start(argv, HARNESS_ANY);
	struct harness_sample sample;
	struct harness_grant grant = {.invocations = 1, .limit = PATIENCE};
	assert_int_equal(harness_select(harness, "throws", PATIENCE).end, HARNESS_OK);
	struct harness_outcome outcome = harness_iterate(harness, &grant, &sample);
	assert_int_equal(outcome.end, HARNESS_FAILED);
	if (!strstr(outcome.text, words))
		fail_msg("\"%s\" without \"%s\"", outcome.text, words);
	rants(harness, "oh dear");
	assert_int_equal(harness_select(harness, "prints", PATIENCE).end, HARNESS_OK);
	assert_int_equal(harness_iterate(harness, &grant, &sample).end, HARNESS_OK);
	assert_int_equal(sample.notes, HARNESS_PRINTED);
	assert_string_equal(sample.printed, "hello\n");
	if (one(harness, "starts")) /* the channel is closed for what a benchmark starts */
		fail_msg("starts: the channel is open there");
	assert_int_equal(harness_select(harness, "ends", PATIENCE).end, HARNESS_OK);
	outcome = harness_iterate(harness, &grant, &sample);
	assert_int_equal(outcome.end, HARNESS_EXITED);
	assert_int_equal(outcome.code, 3);
	harness_free(harness);
}

/* A suite that cannot be listed, and says why. */
static void is_refused(const char *const *argv, const char *words)
{
	struct host host = host_real();
	struct harness_request request = {.argv = argv, .cancel = -1, .start_limit = PATIENCE};
	struct harness *harness = NULL;
	const struct harness_benchmark *list;
	struct error err;
	size_t count;
	int status = harness_start(&host, &request, &harness, &err);
	if (status == 0) /* it said hello before it read the suite */
		status = harness_list(harness, &list, &count, &err);
	assert_int_equal(status, -1);
	if (!strstr(err.what, words))
		fail_msg("\"%s\" without \"%s\"", err.what, words);
	harness_free(harness);
}

/* White space and control characters in values are no part of names; two names that are the same then are refused. */
static void blanks(const char *const *argv, const char *const *twice, const char *words)
{
	static const char *const names[] = {"blanks/text=a_b", "blanks/text=c__d"}, *const values[] = {"a b", "c_\u2003d"};
	struct harness *harness = start(argv, HARNESS_ANY);
	const struct harness_benchmark *list;
	struct error err;
	size_t count, found = 0;
	if (harness_list(harness, &list, &count, &err) != 0)
		fail_msg("%s", err.what);
	for (size_t i = 0; i < count && found < 2; i++) {
		if (strcmp(list[i].name, names[found]) != 0)
			continue;
		assert_int_equal(list[i].parameter_count, 1);
		assert_string_equal(list[i].parameters[0].name, "text");
		assert_string_equal(list[i].parameters[0].value, values[found++]);
		assert_null(one(harness, list[i].name));
	}
	assert_int_equal(found, 2);
	harness_free(harness);
	is_refused(twice, words);
}

static void cpp_goes_wrong(void **state)
{
	(void)state;
	const char *const argv[] = {CPP_WRONG, NULL};
	struct harness_sample sample;
	struct harness_grant grant = {.invocations = 1, .limit = PATIENCE};
	if (!argv[0][0])
		skip();
	all_goes_wrong(argv, "threw an exception: oh dear");
	struct harness *harness = start(argv, HARNESS_ANY);
	assert_null(one(harness, "keeps"));
	assert_int_equal(harness_select(harness, "throws_a_number", PATIENCE).end, HARNESS_OK);
	struct harness_outcome outcome = harness_iterate(harness, &grant, &sample);
	assert_int_equal(outcome.end, HARNESS_FAILED);
	assert_string_equal(outcome.text, "threw something other than a std::exception");
	harness_free(harness);
}

static void python_goes_wrong(void **state)
{
	(void)state;
	const char *const argv[] = {"python3", SUITES "/wrong.py", NULL};
	struct harness_sample sample;
	struct harness_grant grant = {.invocations = 1, .limit = PATIENCE};
	uint32_t notes;
	all_goes_wrong(argv, "ValueError: oh dear");
	struct harness *harness = start(argv, HARNESS_ANY);
	const char *const twice[] = {"python3", SUITES "/wrong.py", "twice", NULL};
	rants(harness, "oh dear \\udcff");
	blanks(argv, twice, "two benchmarks are called blanks/text=a_b");
	static const char *const lazy[] = {"waits", "yields", "does_both", "prepares", "clears"};
	for (size_t i = 0; i < sizeof(lazy) / sizeof(lazy[0]); i++) {
		const char *const asked[] = {"python3", SUITES "/wrong.py", lazy[i], NULL};
		char words[64];
		snprintf(words, sizeof(words), "TypeError: %s is async or a generator", lazy[i]);
		is_refused(asked, words);
	}
	assert_int_equal(harness_select(harness, "forks", PATIENCE).end, HARNESS_OK);
	assert_int_equal(harness_iterate(harness, &grant, &sample).end, HARNESS_OK);
	assert_int_equal(harness_leave(harness, PATIENCE, &notes).end, HARNESS_OK);
	assert_int_equal(notes, HARNESS_LEFTOVER);
	harness_free(harness);
}

static void node_goes_wrong(void **state)
{
	(void)state;
	const char *const argv[] = {"node", SUITES "/wrong.js", NULL};
	struct harness_sample sample;
	struct harness_grant grant = {.invocations = 1, .limit = PATIENCE};
	if (!have("node"))
		skip();
	all_goes_wrong(argv, "oh dear");
	struct harness *harness = start(argv, HARNESS_ANY);
	assert_int_equal(harness_select(harness, "throws_nothing", PATIENCE).end, HARNESS_OK);
	struct harness_outcome outcome = harness_iterate(harness, &grant, &sample);
	assert_int_equal(outcome.end, HARNESS_FAILED);
	assert_string_equal(outcome.text, "undefined");
	assert_null(one(harness, "promises"));
	harness_free(harness);
	const char *const twice[] = {"node", SUITES "/wrong.js", "twice", NULL};
	blanks(argv, twice, "it said nothing before it");
}

static void java_goes_wrong(void **state)
{
	(void)state;
	const char *const argv[] = {"java", "-cp", jar, "Wrong", NULL};
	struct harness_sample sample;
	struct harness_grant grant = {.invocations = 1, .limit = PATIENCE};
	if (!have_java)
		skip();
	all_goes_wrong(argv, "java.lang.IllegalStateException: oh dear");
	struct harness *harness = start(argv, HARNESS_ANY);
	assert_null(one(harness, "keeps"));
	assert_int_equal(harness_select(harness, "asserts", PATIENCE).end, HARNESS_OK);
	struct harness_outcome outcome = harness_iterate(harness, &grant, &sample);
	assert_int_equal(outcome.end, HARNESS_FAILED);
	assert_string_equal(outcome.text, "java.lang.AssertionError: not so");
	assert_int_equal(harness_select(harness, "recurses", PATIENCE).end, HARNESS_OK);
	outcome = harness_iterate(harness, &grant, &sample);
	assert_int_equal(outcome.end, HARNESS_FAILED);
	assert_string_equal(outcome.text, "java.lang.StackOverflowError: null");
	assert_int_equal(harness_select(harness, "prints", PATIENCE).end, HARNESS_OK);
	harness_free(harness);
	const char *const twice[] = {"java", "-cp", jar, "Wrong", "twice", NULL};
	blanks(argv, twice, "it said nothing before it");
}

static void compiled_goes_wrong(const char *name, const char *words)
{
	const char *const argv[] = {compiled(name), NULL}, *const twice[] = {compiled(name), "twice", NULL};
	struct harness_sample sample;
	struct harness_grant grant = {.invocations = 1, .limit = PATIENCE};
	all_goes_wrong(argv, "oh dear");
	struct harness *harness = start(argv, HARNESS_ANY);
	assert_int_equal(harness_select(harness, "indexes", PATIENCE).end, HARNESS_OK);
	struct harness_outcome outcome = harness_iterate(harness, &grant, &sample);
	assert_int_equal(outcome.end, HARNESS_FAILED);
	if (!strstr(outcome.text, words))
		fail_msg("\"%s\" without \"%s\"", outcome.text, words);
	harness_free(harness);
	blanks(argv, twice, "it said nothing before it");
}

static void go_goes_wrong(void **state)
{
	(void)state;
	if (!have_go)
		skip();
	compiled_goes_wrong("go-wrong", "index out of range [2] with length 1");
}

static void rust_goes_wrong(void **state)
{
	(void)state;
	if (!have_rust)
		skip();
	compiled_goes_wrong("rust-wrong", "the len is 1 but the index is 2");
}

/* A second ends between two readings of the clock: only one of them counts. */
static void shell_reads_its_clock_once(void **state)
{
	(void)state;
	if (!have("bash"))
		skip();
	assert_int_equal(system("bash -c '. " CLIENTS "/shell/tare-bench.sh; unset EPOCHREALTIME; n=0\n"
	                        "times=(5.999999 6.000001 6.000002 6.000003)\n"
	                        "declare -n EPOCHREALTIME=\"times[n++]\"\n"
	                        "tare_clock; [ \"$n\" = 1 ] && [ \"$tare_now\" = 5999999000 ]'"),
	                 0);
}

static void shell_goes_wrong(void **state)
{
	(void)state;
	const char *const argv[] = {"sh", SUITES "/wrong.sh", NULL};
	all_goes_wrong(argv, "exit status 5");
}

/* Copies, since the tools write beside their sources; neither may look for anything in the network. */
static bool build_by(const char *tool, const char *commands)
{
	char command[2048];
	if (!have(tool))
		return false;
	snprintf(command, sizeof(command),
	         "set -e; cd %s; mkdir -p examples; cp -r %s/%s-suite examples; mkdir -p clients; cp -r %s/%s clients; "
	         "export SUITES=%s BIN=%s; cd examples/%s-suite; %s",
	         compiled_folder, EXAMPLES, tool[0] == 'g' ? "go" : "rust", CLIENTS, tool[0] == 'g' ? "go" : "rust", SUITES,
	         compiled_folder, tool[0] == 'g' ? "go" : "rust", commands);
	assert_int_equal(system(command), 0);
	return true;
}

static void build_compiled(void)
{
	assert_non_null(mkdtemp(compiled_folder));
	have_go = build_by("go", "export GOFLAGS=-mod=mod GOPROXY=off; go build -o $BIN/go-suite .; "
	                         "cp $SUITES/wrong.go suite.go; go build -o $BIN/go-wrong .");
	have_rust = build_by("cargo", "cargo build -q --offline; cp target/debug/suite $BIN/rust-suite; "
	                              "cp $SUITES/wrong.rs src/main.rs; cargo build -q --offline; "
	                              "cp target/debug/suite $BIN/rust-wrong");
}

/* Compiles the examples, and the wrong suites beside them. */
static int build_all(void **state)
{
	(void)state;
	build_compiled();
	char command[1024];
	if (!have("javac") || !have("java") || !mkdtemp(jar_folder))
		return 0;
	snprintf(jar, sizeof(jar), "%s/suite.jar", jar_folder);
	snprintf(command, sizeof(command),
	         "%s/java-suite/build.sh %s && javac -cp %s -d %s %s/Wrong.java && jar uf %s -C %s Wrong.class", EXAMPLES,
	         jar, jar, jar_folder, SUITES, jar, jar_folder);
	have_java = system(command) == 0;
	return have_java ? 0 : -1;
}

static int remove_all(void **state)
{
	(void)state;
	char command[128];
	snprintf(command, sizeof(command), "rm -rf %s %s", jar[0] ? jar_folder : "", compiled_folder);
	return system(command);
}

/* A benchmark that reports how often its loop turned, since the start or in this iteration, and a reading of each turn:
 * more than an answer holds. */
static void reports_numbers(const char *const *argv, const char *name, bool since_start, const char *with_default)
{
	uint64_t before = 0;
	struct harness *harness = start(argv, HARNESS_ANY);
	const struct harness_benchmark *list;
	struct harness_sample sample;
	struct error err;
	size_t count, defaults = 0;
	assert_int_equal(harness_list(harness, &list, &count, &err), 0);
	for (size_t i = 0; i < count; i++)
		for (size_t d = 0; d < list[i].default_count && strcmp(list[i].name, with_default) == 0; d++)
			defaults += strcmp(list[i].defaults[d].name, "iterations") == 0 &&
			            strcmp(list[i].defaults[d].value, "20") == 0;
	assert_int_equal(defaults, 1);
	assert_int_equal(harness_select(harness, name, PATIENCE).end, HARNESS_OK);
	/* The numbers of one iteration are gone in the next. */
	for (uint64_t turns = 9000; turns >= 3000; turns -= 3000) {
		struct harness_grant grant = {.invocations = turns, .limit = PATIENCE};
		struct harness_outcome outcome = harness_iterate(harness, &grant, &sample);
		if (outcome.end != HARNESS_OK)
			fail_msg("%s: %s", name, outcome.text);
		assert_int_equal(sample.metric_count, 1);
		assert_string_equal(sample.metrics[0].name, "blocks");
		assert_true(sample.metrics[0].value == (double)(before + turns));
		before += since_start ? turns : 0;
		assert_string_equal(sample.unit_name, "latency");
		assert_string_equal(sample.unit_unit, "s");
		assert_false(sample.unit_higher_is_better);
		uint32_t stride = turns > 8192 ? 4 : turns > 4096 ? 2 : 1;
		assert_int_equal(sample.unit_total, turns);
		assert_int_equal(sample.unit_stride, stride);
		assert_int_equal(sample.unit_count, (turns + stride - 1) / stride);
	}
	assert_int_equal(harness_stop(harness).end, HARNESS_OK);
	harness_free(harness);
}

static void clients_report_numbers(void **state)
{
	(void)state;
	const char *const python[] = {"python3", EXAMPLES "/python-suite/suite.py", NULL};
	const char *const java[] = {"java", "-cp", jar, "Suite", NULL};
	reports_numbers(python, "allocate", true, "parse_json");
	if (have_java)
		reports_numbers(java, "allocate", false, "polynomial");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(c_suite),
		cmocka_unit_test(cpp_suite),
		cmocka_unit_test(python_suite),
		cmocka_unit_test(node_suite),
		cmocka_unit_test(java_suite),
		cmocka_unit_test(shell_suite),
		cmocka_unit_test(cpp_goes_wrong),
		cmocka_unit_test(python_goes_wrong),
		cmocka_unit_test(node_goes_wrong),
		cmocka_unit_test(java_goes_wrong),
		cmocka_unit_test(go_suite),
		cmocka_unit_test(rust_suite),
		cmocka_unit_test(go_goes_wrong),
		cmocka_unit_test(rust_goes_wrong),
		cmocka_unit_test(shell_goes_wrong),
		cmocka_unit_test(shell_reads_its_clock_once),
		cmocka_unit_test(clients_report_numbers),
	};
	return cmocka_run_group_tests(tests, build_all, remove_all);
}
