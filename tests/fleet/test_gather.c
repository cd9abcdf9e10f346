/* A large fleet is collected by its summaries: what keeps a gate from holding does so as where all is read. */
#include "fleet/gather.h"

#include "analysis/whole.h"
#include "base/random.h"
#include "exchange/document.h"
#include "fleet/summary.h"
#include "support/known.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SLOTS = 6, PAIRS = 40 };

static struct fleet_folder folder;
static char place[] = "/tmp/test-gather-XXXXXX";

/* What is the matter with a slot. */
struct trouble {
	size_t failed[2];    /* runs of old and new, with status 3 */
	size_t zeros, pairs; /* times of new that are 0; pairs, where fewer */
	bool left_behind, wrong_seed, early, in_turns;
};

static int start(void **state)
{
	struct error err;
	(void)state;
	if (!mkdtemp(place) || fleet_folder_make(&folder, place, &err) != 0)
		return -1;
	folder.experiment = (struct fleet_experiment){.design = "turns",
	                                              .metric = "wall",
	                                              .chunks = 1,
	                                              .machines = SLOTS,
	                                              .machines_max = SLOTS,
	                                              .runs = PAIRS,
	                                              .confidence = 0.99,
	                                              .margin = 0.01,
	                                              .share_margin = NAN,
	                                              .gate = 0.5,
	                                              .strata = "none",
	                                              .engine = "",
	                                              .seed = 7};
	return 0;
}

static int end(void **state)
{
	char command[100];
	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", place);
	return system(command);
}

static void measure(struct result *out, size_t slot, const struct trouble *trouble)
{
	static const enum level levels[] = {LEVEL_RUN, LEVEL_ITERATION};
	struct analysis_options options;
	struct random random;
	struct error err;
	random_seed(&random, slot);
	result_init(out);
	out->host.id = out->host.node = arena_printf(&out->arena, "m%zu", slot);
	out->seed = fleet_chunk_seed(&folder.experiment, slot, 0) + trouble->wrong_seed;
	out->elapsed = 1;
	out->design.name = "turns";
	out->design.paired = true;
	memcpy(out->design.levels, levels, sizeof(levels));
	out->design.level_count = 2;
	for (size_t s = 0; s < 2; s++) {
		struct subject *subject = result_add_subject(out, s ? "new" : "old");
		struct measurement *m = result_add_metric(out, subject, "wall", "s", BETTER_LOWER, levels, 2);
		for (size_t i = 0; i < (trouble->pairs ? trouble->pairs : PAIRS); i++) {
			double value = s && i < trouble->zeros ? 0 : 1 + 0.01 * random_normal(&random);
			assert_int_equal(series_append(&m->series, 0, value, &err), 0);
		}
		for (size_t i = 0; i < trouble->failed[s]; i++)
			assert_int_equal(result_add_failure(out, subject, (struct failure){"exit 3", i, 3}), 0);
	}
	/* By what was found at once and confirmed in turns, by fewer pairs and another size. */
	for (size_t s = 0; trouble->in_turns && s < 2; s++) {
		struct subject *subject = &out->subjects[s];
		struct measurement *m = result_add_metric(out, subject, "wall-turns", "s", BETTER_LOWER, levels, 2);
		for (size_t i = 0; i < PAIRS / 2; i++)
			assert_int_equal(series_append(&m->series, 0, (s ? 3 : 1) + 0.01 * random_normal(&random), &err), 0);
		subject->metric = m->metric.name;
	}
	if (trouble->left_behind)
		result_about_warn(out, "left-behind", "new", "2 processes were left behind");
	fleet_experiment_analysis(&folder.experiment, &options);
	assert_int_equal(analyse_subjects(out, &options, &err), 0);
	if (trouble->in_turns)
		options.deciding = "wall-turns";
	assert_int_equal(analyse_comparisons(out, &options, &err), 0);
	assert_string_equal(out->comparisons[0].metric, trouble->in_turns ? "wall-turns" : "wall");
}

/* As a summary was before it had what a gate heeds. */
static void make_early(char *text)
{
	static const char *const keys[] = {"\"seed\"", "\"failures\"", "\"warnings\"", "\"runs\""};
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		for (char *at; (at = strstr(text, keys[i])) != NULL;)
			at[1] = '-';
}

static void publish(size_t slot, const struct trouble *trouble)
{
	struct result result;
	struct buffer summary = {0};
	struct error err;
	char path[FLEET_PATH + 64];
	measure(&result, slot, trouble);
	assert_int_equal(fleet_summary_write(&result, &folder.experiment, &summary, &err), 0);
	if (trouble->early)
		make_early(summary.data);
	snprintf(path, sizeof(path), "%s/slot/%zu.0.json.gz", folder.path, slot);
	unlink(path);
	assert_int_equal(document_save_packed(&result, buffer_text(&summary), path, &err), 0);
	buffer_release(&summary);
	result_release(&result);
}

typedef int collecting(const struct fleet_folder *folder, const struct fleet_look *look, struct result *out,
                       struct error *err);

/* Both ways see the same: the gate, machines, runs and failures. */
static void check(const struct trouble *trouble, const struct welcome *welcome, enum gate gate, size_t machines,
                  size_t units)
{
	static const size_t slots[SLOTS] = {0, 1, 2, 3, 4, 5};
	static collecting *const ways[] = {fleet_collect, fleet_gather};
	const struct fleet_look look = {slots, SLOTS, false};
	const struct whole_options options = {.limit = 0.5, .welcome = *welcome};
	struct error err;
	for (size_t k = 0; k < SLOTS; k++)
		publish(k, &trouble[k]);
	for (size_t way = 0; way < 2; way++) {
		struct result result;
		result_init(&result);
		assert_int_equal(ways[way](&folder, &look, &result, &err), 0);
		assert_int_equal(whole_settle(&result, &options, &err), 0);
		assert_int_equal(result.gate.state, gate);
		assert_int_equal(result.design.machine_count, machines);
		assert_int_equal(result.comparisons[0].units, units);
		assert_string_equal(result.comparisons[0].metric, "wall");
		for (size_t s = 0; s < 2; s++) {
			size_t failed = 0;
			for (size_t k = 0; k < SLOTS; k++)
				failed += trouble[k].wrong_seed ? 0 : trouble[k].failed[s];
			assert_int_equal(result.subjects[s].failure_count, failed);
			if (failed > 0)
				assert_int_equal(subject_runs(&result.subjects[s]), machines * PAIRS);
		}
		result_release(&result);
	}
}

static const struct welcome none, alike = {.alike = true};

static void test_nothing_is_the_matter(void **state)
{
	(void)state;
	check((struct trouble[SLOTS]){{.pairs = 0}}, &none, GATE_HELD, 6, 6);
}

/* Of any slot, not of the first alone; which are welcome depends on the runs of all. */
static void test_failures(void **state)
{
	(void)state;
	check((struct trouble[SLOTS]){{.failed = {1, 0}}, {.pairs = 0}}, &none, GATE_FAILED, 6, 6);
	check((struct trouble[SLOTS]){[3] = {.failed = {0, 2}}}, &none, GATE_FAILED, 6, 6);
	check((struct trouble[SLOTS]){[3] = {.failed = {0, 2}}, [4] = {.failed = {2, 0}}}, &alike, GATE_HELD, 6, 6);
	check((struct trouble[SLOTS]){[3] = {.failed = {0, 39}}, [4] = {.failed = {1, 0}}}, &alike, GATE_FAILED, 6, 6);
}

static void test_warnings_and_values(void **state)
{
	(void)state;
	check((struct trouble[SLOTS]){[4] = {.left_behind = true}}, &none, GATE_OPEN, 6, 6);
	check((struct trouble[SLOTS]){[4] = {.zeros = 1}}, &none, GATE_OPEN, 6, 6);
}

static void test_another_slot(void **state)
{
	(void)state;
	check((struct trouble[SLOTS]){{.wrong_seed = true, .failed = {1, 1}}}, &none, GATE_HELD, 5, 5);
	check((struct trouble[SLOTS]){[5] = {.wrong_seed = true}}, &none, GATE_HELD, 5, 5);
}

static void test_a_small_machine(void **state)
{
	(void)state;
	check((struct trouble[SLOTS]){[2] = {.pairs = 3}}, &none, GATE_HELD, 6, 5);
}

/* What an early summary lacks is read from the result behind it. */
static void test_early_summaries(void **state)
{
	(void)state;
	check((struct trouble[SLOTS]){[1] = {.early = true}, [3] = {.early = true, .failed = {0, 2}}}, &none, GATE_FAILED,
	      6, 6);
	check((struct trouble[SLOTS]){[3] = {.early = true, .left_behind = true}}, &none, GATE_OPEN, 6, 6);
	check((struct trouble[SLOTS]){[3] = {.early = true, .wrong_seed = true}}, &none, GATE_HELD, 5, 5);
}

/* Those that confirmed a difference in turns are no others than the rest: all are judged as measured at once. */
static void test_confirmed_in_turns(void **state)
{
	(void)state;
	check((struct trouble[SLOTS]){{.in_turns = true}, [4] = {.in_turns = true}}, &none, GATE_HELD, 6, 6);
	check((struct trouble[SLOTS]){[3] = {.in_turns = true}}, &none, GATE_HELD, 6, 6);
	check((struct trouble[SLOTS]){[3] = {.in_turns = true, .early = true}}, &none, GATE_HELD, 6, 6);
}

/* The reason is in the error: nothing else may be printed. */
static void test_all_are_refused(void **state)
{
	static const size_t slots[] = {0, 1};
	static collecting *const ways[] = {fleet_collect, fleet_gather};
	const struct fleet_look look = {slots, 2, false};
	(void)state;
	for (size_t k = 0; k < 2; k++)
		publish(k, &(struct trouble){.wrong_seed = true});
	for (size_t way = 0; way < 2; way++) {
		struct result result;
		struct error err;
		result_init(&result);
		assert_int_equal(ways[way](&folder, &look, &result, &err), -1);
		assert_int_equal(err.kind, ERROR_NO_DATA);
		assert_non_null(strstr(err.what, "slot 0: "));
		assert_non_null(strstr(err.what, "it is the result of another slot"));
		result_release(&result);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_is_the_matter), cmocka_unit_test(test_failures),
		cmocka_unit_test(test_warnings_and_values),   cmocka_unit_test(test_another_slot),
		cmocka_unit_test(test_a_small_machine),       cmocka_unit_test(test_early_summaries),
		cmocka_unit_test(test_confirmed_in_turns),    cmocka_unit_test(test_all_are_refused),
	};
	return cmocka_run_group_tests(tests, start, end);
}
