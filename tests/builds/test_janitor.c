#include "builds/janitor.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* A folder with a file in a folder of its own. */
static void make_folder(char *folder)
{
	char inner[80];
	assert_non_null(mkdtemp(strcpy(folder, "/tmp/tare-test-XXXXXX")));
	snprintf(inner, sizeof(inner), "%s/inner", folder);
	assert_int_equal(mkdir(inner, 0700), 0);
}

static void clears_away(void **state)
{
	(void)state;
	struct host host = host_real();
	struct janitor janitor;
	struct error err;
	char folder[40];
	make_folder(folder);
	assert_int_equal(janitor_start(&host, NULL, folder, &janitor, &err), 0);
	assert_int_equal(access(folder, F_OK), 0);
	janitor_close(&host, &janitor);
	assert_int_equal(janitor.pid, 0);
	assert_int_equal(access(folder, F_OK), -1);
}

static int no_dup2(int from, int to)
{
	(void)from, (void)to;
	errno = EMFILE;
	return -1;
}

static int no_execve(const char *path, char *const *argv, char *const *variables)
{
	(void)path, (void)argv, (void)variables;
	errno = ENOENT;
	return -1;
}

/* One that is not there would leave all behind: what needs it does not begin. */
static void one_that_cannot_start_is_told(void **state)
{
	(void)state;
	struct syscalls tables[2] = {syscalls_libc, syscalls_libc};
	tables[0].dup2 = no_dup2;
	tables[1].execve = no_execve;
	for (int i = 0; i < 2; i++) {
		struct host host = {.sys = &tables[i], .root = ""};
		struct janitor janitor;
		struct error err;
		char folder[40];
		make_folder(folder);
		assert_int_equal(janitor_start(&host, NULL, folder, &janitor, &err), -1);
		assert_int_equal(err.kind, ERROR_SYSTEM);
		assert_int_equal(janitor.pid, 0);
		assert_int_equal(waitpid(-1, NULL, 0), -1);
		assert_int_equal(errno, ECHILD);
		struct host real = host_real();
		assert_int_equal(janitor_start(&real, NULL, folder, &janitor, &err), 0);
		janitor_close(&real, &janitor);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(clears_away), cmocka_unit_test(one_that_cannot_start_is_told)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
