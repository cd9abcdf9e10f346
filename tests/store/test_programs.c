/* Which files commands run: their places and contents. */
#include "store/programs.h"

#include "support/fake.h"
#include "support/known.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void make_program(const char *root, const char *name, const char *text)
{
	char path[4200];
	fake_file(root, name, text);
	snprintf(path, sizeof(path), "%s%s", root, name);
	assert_int_equal(chmod(path, 0755), 0);
}

static void programs_are_known_by_place_and_content(void **state)
{
	(void)state;
	struct experiment experiment;
	char *root = fake_root(), *real = realpath(root, NULL), expected[4200];
	make_program(root, "/one", "#!/bin/sh\n");
	make_program(root, "/other", "#!/bin/sh\n");
	experiment_init(&experiment);
	struct experiment_subject subjects[] = {{.command = "./one 1", .directory = root},
	                                        {.command = "'./other'", .directory = root},
	                                        {.command = "./one 1", .directory = root},
	                                        {.command = "none-of-this-name", .directory = root},
	                                        {.command = "./later", .directory = root}};
	experiment.subjects = subjects;
	experiment.subject_count = 5;
	struct store_program *programs = store_programs_of(&experiment, &experiment.arena);
	assert_non_null(programs);
	snprintf(expected, sizeof(expected), "%s/one", real);
	assert_string_equal(programs[0].path, expected);
	assert_int_equal(strlen(programs[0].hash), 64);
	assert_string_equal(programs[0].hash, programs[1].hash);
	assert_ptr_equal(programs[2].path, programs[0].path);
	assert_null(programs[3].path);
	/* What a hook is yet to make has a place and no content. */
	snprintf(expected, sizeof(expected), "%s/later", real);
	assert_string_equal(programs[4].path, expected);
	assert_string_equal(programs[4].hash, "");
	experiment_release(&experiment);
	free(real);
	fake_remove(root);
	free(root);
}

static void an_interpreter_is_known_by_its_script(void **state)
{
	(void)state;
	struct experiment experiment;
	char *root = fake_root();
	fake_file(root, "/work.sh", "exit 0\n");
	experiment_init(&experiment);
	struct experiment_subject subject = {.command = "sh -e work.sh 3", .directory = root};
	experiment.subjects = &subject;
	experiment.subject_count = 1;
	struct store_program *programs = store_programs_of(&experiment, &experiment.arena);
	assert_non_null(programs);
	assert_non_null(strstr(programs[0].path, "/work.sh"));
	assert_non_null(strchr(programs[0].path, ' '));
	assert_int_equal(strlen(programs[0].hash), 64 + 1 + 64);
	experiment_release(&experiment);
	fake_remove(root);
	free(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs_are_known_by_place_and_content),
		cmocka_unit_test(an_interpreter_is_known_by_its_script),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
