/* Which sources are built, and how. */
#include "session/builds.h"
#include "session/play.h"

static void trees_with_the_same_build_are_one(void **state)
{
	(void)state;
	struct play play;
	struct builds builds = {.count = 2};
	struct buffer text = {0};
	play_init(&play, 2);
	play.subjects[0].directory = play.subjects[1].directory = "/";
	assert_int_equal(builds_plan(&builds, &play.experiment, "make", &play.err), 0);
	assert_int_equal(builds.tree_count, 1);
	builds_describe(&builds, &play.experiment, &text);
	assert_non_null(strstr(buffer_text(&text), "2 builds, 5 runs of each command in every one"));
	play.subjects[1].build = NULL;
	assert_int_equal(builds_plan(&builds, &play.experiment, NULL, &play.err), -1);
	assert_int_equal(play.err.kind, ERROR_USAGE);
	buffer_release(&text);
	builds_release(&builds);
	play_end(&play);
}

static void a_build_of_its_own_is_another_tree(void **state)
{
	(void)state;
	struct play play;
	struct builds builds = {.count = 2};
	play_init(&play, 2);
	play.subjects[0].directory = play.subjects[1].directory = "/";
	play.subjects[1].build = "make new";
	assert_int_equal(builds_plan(&builds, &play.experiment, "make", &play.err), 0);
	assert_int_equal(builds.tree_count, 2);
	assert_string_equal(builds.trees[builds.tree_of[0]].command, "make");
	assert_string_equal(builds.trees[builds.tree_of[1]].command, "make new");
	builds_release(&builds);
	play_end(&play);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(trees_with_the_same_build_are_one),
		cmocka_unit_test(a_build_of_its_own_is_another_tree),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
