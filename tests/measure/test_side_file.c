/* What a program writes into a file or a named pipe; every system call failed in turn is in tests/host. */
#include "measure/side_file.h"

#include "support/known.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/tare-side-XXXXXX";

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	return rmdir(folder);
}

static void a_file_of_each_run(void **state)
{
	(void)state;
	struct host host = host_real();
	struct side_file file;
	char path[100];
	snprintf(path, sizeof(path), "%s/readings", folder);
	assert_int_equal(side_file_init(&file, &host, path, false, 1000, NULL), 0);
	assert_int_equal(side_file_begin(&file, NULL), 0);
	FILE *out = fopen(path, "w");
	fputs("1 2 3\n", out);
	fclose(out);
	assert_int_equal(side_file_end(&file, NULL), 0);
	assert_string_equal(buffer_text(&file.text), "1 2 3\n");
	/* A run that writes nothing does not get the numbers of the one before. */
	assert_int_equal(side_file_begin(&file, NULL), 0);
	assert_int_equal(side_file_end(&file, NULL), 0);
	assert_string_equal(buffer_text(&file.text), "");
	side_file_release(&file);
}

static int signals_to_come;

static int interrupted_ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask)
{
	if (signals_to_come-- <= 0)
		return ppoll(fds, n, timeout, mask);
	errno = EINTR;
	return -1;
}

static void a_pipe_never_blocks_its_writer(void **state)
{
	(void)state;
	struct syscalls sys = syscalls_libc;
	struct host host = host_real();
	sys.ppoll = interrupted_ppoll;
	host.sys = &sys;
	struct side_file file;
	struct stat info;
	char path[100], block[4096];
	snprintf(path, sizeof(path), "%s/pipe", folder);
	memset(block, 'x', sizeof(block));
	assert_int_equal(side_file_init(&file, &host, path, true, 16 << 20, NULL), 0);
	assert_true(stat(path, &info) == 0 && S_ISFIFO(info.st_mode));
	for (int run = 0; run < 2; run++) {
		signals_to_come = run; /* that interrupt the reader */
		assert_int_equal(side_file_begin(&file, NULL), 0);
		int fd = open(path, O_WRONLY);
		assert_true(fd >= 0);
		/* Four times what any pipe holds. */
		for (int i = 0; i < 1024; i++)
			assert_int_equal(write(fd, block, sizeof(block)), sizeof(block));
		close(fd);
		assert_int_equal(side_file_end(&file, NULL), 0);
		assert_int_equal(file.text.length, 1024 * sizeof(block));
	}
	side_file_release(&file);
	assert_int_not_equal(stat(path, &info), 0);
	struct side_file zeroed = {0};
	side_file_release(&zeroed);
}

static void a_pipe_is_not_made_over_a_file(void **state)
{
	(void)state;
	struct host host = host_real();
	struct side_file file;
	struct error err = {0};
	char path[100];
	snprintf(path, sizeof(path), "%s/plain", folder);
	fclose(fopen(path, "w"));
	assert_int_equal(side_file_init(&file, &host, path, true, 1000, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	side_file_release(&file);
	assert_int_equal(unlink(path), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_of_each_run),
		cmocka_unit_test(a_pipe_never_blocks_its_writer),
		cmocka_unit_test(a_pipe_is_not_made_over_a_file),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
