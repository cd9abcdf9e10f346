/* Sealed memory, and the files that take what a program prints. */
#include "host/shared.h"
#include "support/known.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static const struct host *machine(void)
{
	static struct host host;
	host = host_real();
	return &host;
}

static void memory_cannot_be_pulled_away(void **state)
{
	(void)state;
	struct shared shared;
	struct error err;
	assert_int_equal(shared_create(machine(), "test", 10000, &shared, &err), 0);
	assert_int_equal(shared.size, 10000);
	assert_int_equal(((char *)shared.place)[9999], 0);
	assert_int_equal(ftruncate(shared.fd, 1), -1);
	assert_int_equal(errno, EPERM);
	assert_int_equal(ftruncate(shared.fd, 20000), -1);
	assert_int_equal(fcntl(shared.fd, F_ADD_SEALS, F_SEAL_WRITE), -1);
	assert_true(fcntl(shared.fd, F_GETFD) & FD_CLOEXEC);
	int copy = dup(shared.fd);
	assert_int_equal(pwrite(copy, "x", 1, 5), 1);
	assert_int_equal(((char *)shared.place)[5], 'x');
	close(copy);
	shared_release(machine(), &shared);
	shared_release(machine(), &shared);
	assert_null(shared.place);
}

static void a_file_shows_what_was_written(void **state)
{
	(void)state;
	struct error err;
	char text[8];
	int fd = shared_file(machine(), "test", &err);
	assert_true(fd >= 0);
	int other = dup(fd); /* as a program has it */
	assert_int_equal(shared_file_size(machine(), fd), 0);
	assert_int_equal(shared_file_head(machine(), fd, text, sizeof(text)), 0);
	assert_int_equal(shared_file_tail(machine(), fd, text, sizeof(text)), 0);
	assert_string_equal(text, "");
	assert_int_equal(write(other, "hello, world", 12), 12);
	assert_int_equal(shared_file_size(machine(), fd), 12);
	assert_int_equal(shared_file_head(machine(), fd, text, sizeof(text)), 7);
	assert_string_equal(text, "hello, ");
	assert_int_equal(shared_file_tail(machine(), fd, text, sizeof(text)), 7);
	assert_string_equal(text, ", world");
	shared_file_clear(machine(), fd);
	assert_int_equal(shared_file_size(machine(), fd), 0);
	assert_int_equal(write(other, "new", 3), 3);
	assert_int_equal(shared_file_tail(machine(), fd, text, sizeof(text)), 3);
	assert_string_equal(text, "new");
	for (int i = 0; i < 10000; i++)
		assert_int_equal(write(other, "0123456789", 10), 10);
	shared_file_trim(machine(), fd, 200000);
	assert_int_equal(shared_file_size(machine(), fd), 100003);
	shared_file_trim(machine(), fd, 100000);
	assert_int_equal(shared_file_size(machine(), fd), 100003);
	assert_in_range(shared_file_held(machine(), fd), 4096, 8192); /* whole pages go */
	assert_int_equal(write(other, "!", 1), 1);
	assert_int_equal(shared_file_tail(machine(), fd, text, sizeof(text)), 7);
	assert_string_equal(text, "456789!");
	close(other);
	close(fd);
}

static int written_to;

static int ftruncate_beside_a_writer(int fd, off_t size)
{
	int result = ftruncate(fd, size);
	assert_int_equal(write(written_to, "last words", 10), 10);
	return result;
}

static int fallocate_beside_a_writer(int fd, int mode, off_t offset, off_t size)
{
	int result = fallocate(fd, mode, offset, size);
	assert_int_equal(write(written_to, "last words", 10), 10);
	return result;
}

static int no_fallocate(int fd, int mode, off_t offset, off_t size)
{
	(void)fd, (void)mode, (void)offset, (void)size;
	errno = EOPNOTSUPP;
	return -1;
}

/* A program that writes while its file is trimmed. */
static void trimming_loses_nothing_that_is_new(void **state)
{
	(void)state;
	struct error err;
	char text[11];
	struct syscalls sys = *machine()->sys;
	struct host host = *machine();
	host.sys = &sys;
	sys.ftruncate = ftruncate_beside_a_writer;
	sys.fallocate = fallocate_beside_a_writer;
	int fd = shared_file(machine(), "test", &err);
	assert_true(fd >= 0);
	written_to = dup(fd);
	for (int i = 0; i < 10000; i++)
		assert_int_equal(write(fd, "0123456789", 10), 10);
	shared_file_trim(&host, fd, 50000);
	assert_int_equal(shared_file_tail(&host, fd, text, sizeof(text)), 10);
	assert_string_equal(text, "last words");
	assert_true(shared_file_held(&host, fd) <= 8192);
	/* Where the kernel makes no holes, room comes before what was said. */
	sys = *machine()->sys;
	sys.fallocate = no_fallocate;
	shared_file_trim(&host, fd, 100);
	assert_int_equal(shared_file_held(&host, fd), 0);
	close(written_to);
	close(fd);
}

/* As a shell does for '> /dev/stderr' and '>> /dev/stderr'; and it ends where its text ends. */
static void a_file_may_be_opened_again(void **state)
{
	(void)state;
	char name[40], text[40];
	struct error err;
	int fd = shared_file(machine(), "test", &err);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	assert_int_equal(write(fd, "longer", 6), 6);
	for (int i = 0; i < 2; i++) {
		int again = open(name, O_WRONLY | (i ? O_APPEND : O_TRUNC));
		assert_true(again >= 0);
		assert_int_equal(write(again, "text", 4), 4);
		close(again);
	}
	assert_int_equal(shared_file_size(machine(), fd), 8);
	assert_int_equal(write(fd, " end", 4), 4);
	assert_int_equal(shared_file_tail(machine(), fd, text, sizeof(text)), 12);
	assert_string_equal(text, "texttext end");
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_cannot_be_pulled_away),
		cmocka_unit_test(a_file_shows_what_was_written),
		cmocka_unit_test(trimming_loses_nothing_that_is_new),
		cmocka_unit_test(a_file_may_be_opened_again),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
