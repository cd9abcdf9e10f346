/* Files that appear whole or not at all, with every call failed in turn. */
#include "host/file.h"

#include "support/calls.h"
#include "support/fake.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static long countdown; /* the call that fails; 0: none */
static int failed;

static int must_fail(enum call call)
{
	(void)call;
	if (countdown <= 0 || --countdown != 0)
		return 0;
	failed = 1;
	return EIO;
}

#define FAILING_REAL syscalls_libc
#include "support/failing.h"

static const struct syscalls faulty = FAILING_TABLE;

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

static uid_t be_root(void)
{
	return 0;
}

static uid_t be_somebody(void)
{
	return 1000;
}

/* All files belong to uid 7 but those under /own and "/"; what is called "none" is not there. */
static int stat_owner(const char *path, struct stat *out)
{
	memset(out, 0, sizeof(*out));
	if (strstr(path, "none")) {
		errno = ENOENT;
		return -1;
	}
	out->st_uid = strcmp(path, "/") == 0 || strncmp(path, "/own", 4) == 0 ? 0 : 7;
	out->st_mode = strstr(path, ".db") ? S_IFREG : S_IFDIR;
	if (strcmp(path, "/theirs/root.db") == 0)
		out->st_uid = 0;
	return 0;
}

static void test_root_keeps_out(void **state)
{
	(void)state;
	struct syscalls sys = syscalls_libc;
	struct error err;
	static const char *const own[] = {"/own", "/own/a.db", "/own/none/none/a.db", "/none/a.db"};
	static const char *const theirs[] = {"/theirs", "/theirs/a.db", "/theirs/root.db", "/theirs/none/none/a.db",
	                                     "none.db", "a.db"};
	sys.stat = stat_owner;
	sys.geteuid = be_root;
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		assert_int_equal(file_not_of_others(&sys, own[i], &err), 0);
	for (size_t i = 0; i < sizeof(theirs) / sizeof(theirs[0]); i++)
		assert_int_equal(file_not_of_others(&sys, theirs[i], &err), -1);
	sys.geteuid = be_somebody;
	for (size_t i = 0; i < sizeof(theirs) / sizeof(theirs[0]); i++)
		assert_int_equal(file_not_of_others(&sys, theirs[i], &err), 0);
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
	snprintf(path, sizeof(path), "%s/b/below", root);
	assert_int_equal(file_kind(&syscalls_libc, path), FILE_MISSING);
	/* What cannot be looked at may be there. */
	countdown = 1;
	assert_int_equal(file_kind(&faulty, root), FILE_UNKNOWN);
	assert_int_equal(file_unknown(root, &err), -1);
	assert_int_equal(err.errnum, EIO);
	snprintf(path, sizeof(path), "%s/none", root);
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

/* What others could have put there is neither followed nor opened, and what is private stays so. */
static void test_traps(void **state)
{
	(void)state;
	char *root = fake_root(), path[4200], victim[4200], text[64];
	struct error err;
	struct stat status;
	struct file_writer writer;
	mode_t before = umask(022);
	snprintf(victim, sizeof(victim), "%s/victim", root);
	snprintf(path, sizeof(path), "%s/link", root);
	assert_int_equal(file_write_whole(&syscalls_libc, victim, "mine", 4, &err), 0);
	assert_int_equal(chmod(victim, 0600), 0);
	assert_int_equal(symlink(victim, path), 0);
	assert_int_equal(file_write_whole(&syscalls_libc, path, "yours", 5, &err), 0);
	content(victim, text, sizeof(text));
	assert_string_equal(text, "mine");
	assert_int_equal(lstat(path, &status), 0);
	assert_true(S_ISREG(status.st_mode));
	assert_int_equal(status.st_mode & 0777, 0600);
	assert_int_equal(file_write_whole(&syscalls_libc, victim, "new", 3, &err), 0);
	assert_int_equal(stat(victim, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	/* A private one opens nothing that is there: not even a pipe, at which it would wait for ever. */
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkfifo(path, 0666), 0);
	assert_int_equal(file_writer_open_private(&writer, &syscalls_libc, path, &err), 0);
	assert_int_equal(file_writer_add(&writer, "own", 3, &err), 0);
	assert_int_equal(file_writer_close(&writer, true, &err), 0);
	assert_int_equal(lstat(path, &status), 0);
	assert_true(S_ISREG(status.st_mode));
	assert_int_equal(status.st_mode & 0777, 0600);
	umask(before);
	fake_remove(root);
	free(root);
}

/* What is called by a descriptor is written through it, also where a file is behind it: nothing of the file is lost,
 * and the link stays. */
static void test_descriptors(void **state)
{
	(void)state;
	char *root = fake_root(), path[4200], link[4200], name[64], text[64];
	struct error err;
	struct stat status;
	snprintf(path, sizeof(path), "%s/file", root);
	snprintf(link, sizeof(link), "%s/link", root);
	int fd = open(path, O_WRONLY | O_CREAT, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "one ", 4), 4);
	snprintf(name, sizeof(name), "/dev/fd/%d", fd);
	assert_int_equal(file_write_whole(&syscalls_libc, name, "two ", 4, &err), 0);
	assert_int_equal(write(fd, "three ", 6), 6);
	assert_int_equal(symlink(name, link), 0);
	assert_int_equal(file_write_whole(&syscalls_libc, link, "four", 4, &err), 0);
	content(path, text, sizeof(text));
	assert_string_equal(text, "one two three four");
	assert_int_equal(lstat(link, &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	/* Another process's. */
	snprintf(name, sizeof(name), "/proc/%d/fd/%d", (int)getpid(), fd);
	pid_t child = fork();
	if (child == 0) {
		close(fd);
		_exit(file_write_whole(&syscalls_libc, name, " five", 5, &err) == 0 ? 0 : 1);
	}
	int code;
	assert_int_equal(waitpid(child, &code, 0), child);
	assert_int_equal(code, 0);
	content(path, text, sizeof(text));
	assert_string_equal(text, "one two three four five");
	close(fd);
	fake_remove(root);
	free(root);
}

/* Of two writers at once neither meets the other's file; a name as long as names can be leaves room for the other
 * one. */
static void test_names(void **state)
{
	(void)state;
	char *root = fake_root(), path[4200];
	struct file_writer one, two;
	struct error err;
	snprintf(path, sizeof(path), "%s/%0255d", root, 7);
	assert_int_equal(file_writer_open(&one, &syscalls_libc, path, &err), 0);
	assert_int_equal(file_writer_open(&two, &syscalls_libc, path, &err), 0);
	assert_string_not_equal(one.temporary, two.temporary);
	assert_int_equal(file_writer_close(&one, true, &err), 0);
	assert_int_equal(file_writer_close(&two, true, &err), 0);
	assert_int_equal(file_kind(&syscalls_libc, path), FILE_REGULAR);
	fake_remove(root);
	free(root);
}

/* Ctrl-C while a file is written takes effect when the file is whole and its other name is gone. */
static void test_signals_wait(void **state)
{
	(void)state;
	char *root = fake_root(), path[4200], text[64];
	snprintf(path, sizeof(path), "%s/file", root);
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		struct file_writer writer;
		struct error err;
		signal(SIGINT, SIG_DFL);
		if (file_writer_open(&writer, &syscalls_libc, path, &err) != 0)
			_exit(1);
		raise(SIGINT);
		file_writer_add(&writer, "whole", 5, &err);
		file_writer_close(&writer, true, &err);
		_exit(2);
	}
	int status;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
	content(path, text, sizeof(text));
	assert_string_equal(text, "whole");
	struct arena arena = {0};
	struct error err;
	const char **names;
	size_t count;
	assert_int_equal(file_list(&syscalls_libc, root, &arena, &names, &count, &err), 0);
	assert_int_equal(count, 1);
	arena_release(&arena);
	/* What waited before goes on waiting, and what did not does not, in whatever order writers end. */
	struct file_writer one, two;
	sigset_t mine, now;
	sigemptyset(&mine);
	sigaddset(&mine, SIGHUP);
	sigprocmask(SIG_BLOCK, &mine, NULL);
	assert_int_equal(file_writer_open(&one, &syscalls_libc, path, &err), 0);
	assert_int_equal(file_writer_open(&two, &syscalls_libc, path, &err), 0);
	assert_int_equal(file_writer_close(&one, true, &err), 0);
	assert_int_equal(file_writer_close(&two, true, &err), 0);
	sigprocmask(SIG_UNBLOCK, &mine, &now);
	assert_true(sigismember(&now, SIGHUP) == 1 && sigismember(&now, SIGINT) == 0 && sigismember(&now, SIGTERM) == 0);
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
		cmocka_unit_test(test_root_keeps_out),
		cmocka_unit_test(test_traps),
		cmocka_unit_test(test_descriptors),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_folders),
		cmocka_unit_test(test_signals_wait),
	};
	return cmocka_run_group_tests_name("host/file", tests, NULL, NULL);
}
