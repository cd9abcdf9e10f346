#include "fleet/experiment.h"

#include "support/known.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void fill(struct fleet_experiment *e)
{
	static struct fleet_program programs[] = {
		{"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "old", "./old"},
		{"fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210", "tare", "tare"}};
	static struct fleet_subject subjects[] = {{"old", "./old in", " in", 0}, {"ls", "ls -l", " -l", SIZE_MAX}};
	static const char *given[] = {"run", "./old in", "ls -l"}, *arguments[] = {"--design=turns"}, *options[] = {"-x"};
	static const char *names[] = {"old", "ls -l"}, *folders[] = {"/home/me", "/home/me"};
	static size_t order[] = {2, 0, 1}, placed[] = {SIZE_MAX, 1};
	*e = (struct fleet_experiment){.command = "run",
	                               .given = given,
	                               .given_count = 3,
	                               .arguments = arguments,
	                               .argument_count = 1,
	                               .subjects = subjects,
	                               .subject_count = 2,
	                               .programs = programs,
	                               .program_count = 2,
	                               .names = names,
	                               .name_count = 2,
	                               .folders = folders,
	                               .folder_count = 2,
	                               .placed = placed,
	                               .placed_count = 2,
	                               .strata = "cpu",
	                               .directory = "/home/me",
	                               .engine = "slurm",
	                               .partition = "low",
	                               .options = options,
	                               .option_count = 1,
	                               .design = "turns",
	                               .metric = "cpu",
	                               .block = 20,
	                               .runs = 100,
	                               .chunks = 2,
	                               .seconds = 12.5,
	                               .machines = 2,
	                               .machines_max = 3,
	                               .order = order,
	                               .confidence = 0.99,
	                               .margin = 0.01,
	                               .share_margin = 0.01,
	                               .gate = NAN,
	                               .seed = UINT64_MAX - 5,
	                               .made = "2026-01-01T00:00:00Z"};
}

static void test_round_trip(void **state)
{
	(void)state;
	struct fleet_experiment e, read;
	struct buffer text = {0}, again = {0};
	struct error err;
	fill(&e);
	assert_int_equal(fleet_experiment_write(&e, &text, &err), 0);
	assert_int_equal(fleet_experiment_read(&read, buffer_text(&text), text.length, "x", &err), 0);
	assert_string_equal(e.id, read.id);
	assert_int_equal(strlen(e.id), 12);
	assert_true(read.seed == UINT64_MAX - 5);
	assert_true(read.subjects[1].program == SIZE_MAX);
	assert_true(read.placed[0] == SIZE_MAX && read.placed[1] == 1);
	assert_int_equal(read.order[0], 2);
	assert_int_equal(fleet_experiment_write(&read, &again, &err), 0);
	assert_string_equal(buffer_text(&text), buffer_text(&again));
	fleet_experiment_release(&read);
	buffer_release(&text);
	buffer_release(&again);
}

/* One change at a time; none may be believed. */
static void test_nonsense(void **state)
{
	(void)state;
	static const char *const changes[][2] = {
		{"tare-fleet/1", "tare-fleet/2"},
		{"\"command\": \"run\"", "\"command\": \"rm\""},
		{"\"chunks\": 2", "\"chunks\": 0"},
		{"\"chunks\": 2", "\"chunks\": 1e9"},
		{"\"runs\": 100", "\"runs\": -1"},
		{"\"machines\": 2", "\"machines\": 4"},
		{"[2,0,1]", "[2,0,2]"},
		{"[2,0,1]", "[2,0]"},
		{"[2,0,1]", "[2,0,7]"},
		{"0123456789abcdef0", "../../../../etc/x0"},
		{"\"file\": \"old\"", "\"file\": \"../old\""},
		{"\"file\": \"old\"", "\"file\": \".old\""},
		{"\"program\": 0", "\"program\": 9"},
		{"[null,1]", "[null,2]"},
		{"[null,1]", "[null,-1]"},
		{"\"folders\": [", "\"folders\": [\"/\","},
		{"\"strata\": \"cpu\"", "\"strata\": \"moon\""},
		{"\"confidence\": 0.99", "\"confidence\": 3"},
		{"\"design\"", "\"desing\""},
		{"\"arguments\": [", "\"arguments\": [1,"},
	};
	struct fleet_experiment e, read;
	struct buffer text = {0};
	struct error err;
	fill(&e);
	assert_int_equal(fleet_experiment_write(&e, &text, &err), 0);
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		struct buffer changed = {0};
		const char *at = strstr(buffer_text(&text), changes[i][0]);
		assert_non_null(at);
		buffer_add(&changed, buffer_text(&text), (size_t)(at - buffer_text(&text)));
		buffer_text_add(&changed, changes[i][1]);
		buffer_text_add(&changed, at + strlen(changes[i][0]));
		if (fleet_experiment_read(&read, buffer_text(&changed), changed.length, "x", &err) == 0)
			fail_msg("believed: %s", changes[i][1]);
		buffer_release(&changed);
	}
	for (size_t cut = 0; cut < text.length; cut += 97)
		assert_int_equal(fleet_experiment_read(&read, buffer_text(&text), cut, "x", &err), -1);
	buffer_release(&text);
}

/* Every chunk has a seed of its own, and one that --seed takes. */
static void test_seeds(void **state)
{
	(void)state;
	struct fleet_experiment e;
	uint64_t seeds[200];
	size_t n = 0;
	fill(&e);
	for (size_t slot = 0; slot < 20; slot++)
		for (size_t chunk = 0; chunk < 10; chunk++)
			seeds[n++] = fleet_chunk_seed(&e, slot, chunk);
	for (size_t i = 0; i < n; i++) {
		assert_true(seeds[i] < UINT64_C(9000000000000000000));
		for (size_t k = 0; k < i; k++)
			assert_true(seeds[i] != seeds[k]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_nonsense),
		cmocka_unit_test(test_seeds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
