/* Commands that are the same program are told apart from those that are not. */
#include "builds/twins.h"

#include "support/fake.h"
#include "support/known.h"

#include <stdlib.h>
#include <string.h>

/* The words of the warning about two commands in a folder, or NULL. */
static const char *warning_of(struct result *result, struct experiment_subject a, struct experiment_subject b,
                              const char *shell)
{
	struct experiment experiment;
	struct error err;
	struct experiment_subject subjects[] = {a, b};
	experiment_init(&experiment);
	experiment.subjects = subjects;
	experiment.subject_count = 2;
	experiment.shell = shell;
	result_release(result);
	assert_int_equal(twins_note(&experiment, result, &err), 0);
	experiment_release(&experiment);
	return result->warning_count ? result->warnings[0].text : NULL;
}

static void equal_content_and_words_are_the_same(void **state)
{
	(void)state;
	struct result result;
	char *root = fake_root();
	result_init(&result);
	fake_file(root, "/one", "content");
	fake_file(root, "/copy", "content");
	fake_file(root, "/other", "another content");
	struct experiment_subject one = {.name = "one", .command = "./one 1", .directory = root}, copy = one, other = one,
							  more = one;
	copy.command = "./copy 1";
	other.command = "./other 1";
	more.command = "./one 2";
	assert_non_null(strstr(warning_of(&result, one, one, NULL), "both are the same program"));
	assert_non_null(warning_of(&result, one, copy, NULL));
	assert_string_equal(result.warnings[0].code, "same-program");
	assert_null(warning_of(&result, one, other, NULL));
	assert_null(warning_of(&result, one, more, NULL));
	/* What a shell makes of two texts is not known; other circumstances make another measurement. */
	assert_null(warning_of(&result, one, copy, "sh"));
	copy.prepare = "sync";
	assert_null(warning_of(&result, one, copy, NULL));
	result_release(&result);
	fake_remove(root);
	free(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(equal_content_and_words_are_the_same)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
