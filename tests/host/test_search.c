/* Finding programs along PATH, and the words for those that do not start. */
#include "host/search.h"

#include "support/fake.h"
#include "support/known.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static void walks_the_path(void **state)
{
	(void)state;
	struct host host = host_real();
	char *root = fake_root(), path[9000], file[4300], found[4300];
	fake_file(root, "/one/tool", "#!/bin/sh\n");
	fake_file(root, "/two/tool", "#!/bin/sh\n");
	fake_file(root, "/one/folder/x", "");
	snprintf(path, sizeof(path), "/nonexistent:%s/one:%s/two", root, root);
	struct error err = {0};
	/* Neither may be executed. */
	assert_int_equal(search_program(&host, "tool", path, found, sizeof(found), &err), -1);
	assert_int_equal(err.kind, ERROR_SUBJECT);
	assert_non_null(strstr(err.what, "may not be executed"));
	assert_non_null(strstr(err.next, "chmod"));
	snprintf(file, sizeof(file), "%s/two/tool", root);
	assert_int_equal(chmod(file, 0755), 0);
	assert_int_equal(search_program(&host, "tool", path, found, sizeof(found), &err), 0);
	assert_string_equal(found, file);
	snprintf(file, sizeof(file), "%s/one/tool", root);
	assert_int_equal(chmod(file, 0755), 0);
	assert_int_equal(search_program(&host, "tool", path, found, sizeof(found), &err), 0);
	assert_string_equal(found, file);
	assert_int_equal(search_program(&host, "exit", path, found, sizeof(found), &err), -1);
	assert_string_equal(err.next, "'exit' is built into the shell: add --shell default");
	/* A folder is no program; a path is taken as it is. */
	assert_int_equal(search_program(&host, "folder", path, found, sizeof(found), &err), -1);
	assert_int_equal(search_program(&host, "./none", path, found, sizeof(found), &err), 0);
	assert_string_equal(found, "./none");
	assert_int_equal(search_program(&host, "", path, found, sizeof(found), &err), -1);
	assert_int_equal(search_program(&host, "a/long/name", path, found, 4, &err), -1);
	assert_int_equal(search_program(&host, "sh", NULL, found, sizeof(found), &err), 0);
	assert_int_equal(access(found, X_OK), 0);
	assert_int_equal(search_program(&host, "while", "/nonexistent", found, sizeof(found), &err), -1);
	assert_non_null(strstr(err.next, "--shell"));
	/* An empty part of PATH is the current folder. */
	char here[4096];
	assert_non_null(getcwd(here, sizeof(here)));
	snprintf(file, sizeof(file), "%s/one", root);
	assert_int_equal(chdir(file), 0);
	assert_int_equal(search_program(&host, "tool", "/nonexistent::/x", found, sizeof(found), &err), 0);
	assert_string_equal(found, "./tool");
	/* What is here but not in PATH is found by its path; what is nowhere is not said to be here. */
	assert_int_equal(search_program(&host, "tool", "/nonexistent", found, sizeof(found), &err), -1);
	assert_string_equal(err.next, "for the program in this folder type ./tool");
	assert_int_equal(search_program(&host, "folder", "/nonexistent", found, sizeof(found), &err), -1);
	assert_string_equal(err.next, "check the spelling and PATH");
	assert_int_equal(chdir(here), 0);
	fake_remove(root);
	free(root);
}

static void explains(void **state)
{
	(void)state;
	struct host host = host_real();
	char *root = fake_root(), file[4300];
	struct error err;
	search_explain(&host, "/nonexistent", ENOENT, &err);
	assert_string_equal(err.what, "there is no such program");
	fake_file(root, "/script", "#! /no/such/interpreter -x\n");
	snprintf(file, sizeof(file), "%s/script", root);
	search_explain(&host, file, ENOENT, &err);
	assert_string_equal(err.what, "the interpreter of the script, '/no/such/interpreter', is missing");
	fake_file(root, "/binary", "\177ELF");
	snprintf(file, sizeof(file), "%s/binary", root);
	search_explain(&host, file, ENOENT, &err);
	assert_non_null(strstr(err.what, "loader"));
	static const int others[] = {EACCES, ENOEXEC, E2BIG, ETXTBSY, EAGAIN, ENOMEM, ELOOP};
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		search_explain(&host, file, others[i], &err);
		assert_int_equal(err.kind, ERROR_SUBJECT);
		assert_int_equal(err.errnum, others[i]);
		assert_string_equal(err.on, file);
		assert_true(err.next[0] != '\0' || others[i] == ELOOP);
	}
	search_explain(&host, file, ELOOP, NULL);
	fake_remove(root);
	free(root);
}

static void splits_a_command(void **state)
{
	(void)state;
	struct host host = host_real();
	struct arena arena = {0};
	char path[64];
	const char *command = " './a b' -x \"c\"", *at = command;
	assert_string_equal(search_first_word(&arena, command), "./a b");
	assert_string_equal(search_next_word(&arena, &at), "./a b");
	assert_string_equal(search_next_word(&arena, &at), "-x");
	assert_string_equal(search_next_word(&arena, &at), "c");
	assert_string_equal(at, "");
	assert_int_equal(search_seen_from(&host, "./tool", "/folder", path, sizeof(path)), 0);
	assert_string_equal(path, "/folder/./tool");
	assert_int_equal(search_seen_from(&host, "/bin/tool", "/folder", path, sizeof(path)), 0);
	assert_string_equal(path, "/bin/tool");
	assert_int_equal(search_seen_from(&host, "./tool", "/folder", path, 5), -1);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(walks_the_path), cmocka_unit_test(splits_a_command),
	                                   cmocka_unit_test(explains)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
