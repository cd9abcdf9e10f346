/* Files that appear whole or not at all, with every call failed in turn. */
#include "host/file.h"

#include "support/fake.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static long countdown; /* the call that fails; 0: none */
static int failed;

static int must_fail(void)
{
	if (countdown <= 0 || --countdown != 0)
		return 0;
	failed = 1;
	errno = EIO;
	return 1;
}

#define X(type, failure, name, parameters, arguments)                                  \
	static type faulty_##name parameters                                           \
	{                                                                              \
		return must_fail() ? (type)failure : syscalls_libc.name arguments;     \
	}
SYSCALLS(X)
#undef X

static const struct syscalls faulty = {
#define X(type, failure, name, parameters, arguments) .name = faulty_##name,
	SYSCALLS(X)
#undef X
};

static void content(const char *path, char *text, size_t size)
{
	struct error err;
	int fd = file_open(&syscalls_libc, path, &err);
	assert_true(fd >= 0);
	long n = file_read(&syscalls_libc, fd, text, size - 1, &err);
	assert_true(n >= 0);
	text[n] = '\0';
	syscalls_libc.close(fd);
}

static void test_whole_or_not_at_all(void **state)
{
	(void)state;
	char *root = fake_root(), path[4200], text[64];
	snprintf(path, sizeof(path), "%s/file", root);
	int kept = 0;
	for (long nth = 1;; nth++) {
		struct error err = {0};
		assert_int_equal(file_write_whole(&syscalls_libc, path, "old", 3, &err), 0);
		countdown = nth;
		failed = 0;
		int status = file_write_whole(&faulty, path, "newer", 5, &err);
		countdown = 0;
		content(path, text, sizeof(text));
		assert_string_equal(text, status == 0 ? "newer" : "old");
		if (status != 0) {
			assert_int_equal(err.kind, ERROR_SYSTEM);
			assert_int_equal(err.errnum, EIO);
			assert_string_equal(err.on, path);
			kept++;
		}
		if (!failed)
			break;
	}
	assert_true(kept >= 4); /* open, write, fsync, close, rename */
	/* Nothing was left behind, except where removing it was what failed. */
	struct arena arena = {0};
	const char **names;
	size_t count;
	struct error err;
	assert_int_equal(file_list(&syscalls_libc, root, &arena, &names, &count, &err), 0);
	assert_int_equal(count, 1);
	arena_release(&arena);
	fake_remove(root);
	free(root);
}

static void test_kinds_and_lists(void **state)
{
	(void)state;
	char *root = fake_root(), path[4200];
	struct error err;
	struct arena arena = {0};
	const char **names;
	size_t count;
	fake_file(root, "/b", "");
	fake_file(root, "/a/x", "");
	assert_int_equal(file_kind(&syscalls_libc, root), FILE_FOLDER);
	snprintf(path, sizeof(path), "%s/b", root);
	assert_int_equal(file_kind(&syscalls_libc, path), FILE_REGULAR);
	assert_int_equal(file_kind(&syscalls_libc, "/dev/null"), FILE_OTHER);
	snprintf(path, sizeof(path), "%s/none", root);
	assert_int_equal(file_kind(&syscalls_libc, path), FILE_MISSING);
	assert_int_equal(file_list(&syscalls_libc, root, &arena, &names, &count, &err), 0);
	assert_int_equal(count, 2);
	assert_string_equal(names[0], "a");
	assert_string_equal(names[1], "b");
	assert_int_equal(file_list(&syscalls_libc, path, &arena, &names, &count, &err), -1);
	assert_int_equal(file_open(&syscalls_libc, path, &err), -1);
	assert_int_equal(err.errnum, ENOENT);
	assert_int_equal(file_write_whole(&syscalls_libc, "/dev/null", "x", 1, &err), 0);
	assert_int_equal(file_write_whole(&syscalls_libc, root, "x", 1, &err), -1);
	arena_release(&arena);
	fake_remove(root);
	free(root);
}

static void test_folders(void **state)
{
	(void)state;
	char *root = fake_root(), path[4200];
	struct error err;
	snprintf(path, sizeof(path), "%s/a/b/c/file", root);
	assert_int_equal(file_make_folders(&syscalls_libc, path, &err), 0);
	assert_int_equal(file_make_folders(&syscalls_libc, path, &err), 0);
	assert_int_equal(file_write_whole(&syscalls_libc, path, "x", 1, &err), 0);
	snprintf(path, sizeof(path), "%s/a/b/c/file/deeper/file", root);
	assert_int_equal(file_make_folders(&syscalls_libc, path, &err), -1);
	assert_int_equal(err.kind, ERROR_SYSTEM);
	fake_remove(root);
	free(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole_or_not_at_all),
		cmocka_unit_test(test_kinds_and_lists),
		cmocka_unit_test(test_folders),
	};
	return cmocka_run_group_tests_name("host/file", tests, NULL, NULL);
}
