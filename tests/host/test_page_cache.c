#include "host/page_cache.h"

#include "support/known.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIZE = 300000 };

static char calls[64]; /* what was asked of the system, in order: s)ync, d)rop, r)ead */
static bool sync_fails;

static void called(char what)
{
	size_t n = strlen(calls);
	if (n + 1 < sizeof(calls) && (n == 0 || calls[n - 1] != what))
		calls[n] = what;
}

static int counted_sync(int fd)
{
	called('s');
	errno = EIO;
	return sync_fails ? -1 : fsync(fd);
}

static int counted_advice(int fd, off_t offset, off_t size, int advice)
{
	assert_int_equal(advice, POSIX_FADV_DONTNEED);
	called('d');
	return posix_fadvise(fd, offset, size, advice);
}

static ssize_t counted_read(int fd, void *bytes, size_t size)
{
	called('r');
	return read(fd, bytes, size);
}

static struct host counting(struct syscalls *table)
{
	struct host host = host_real();
	*table = *host.sys;
	table->fsync = counted_sync;
	table->posix_fadvise = counted_advice;
	table->read = counted_read;
	host.sys = table;
	memset(calls, 0, sizeof(calls));
	return host;
}

static int make_file(char *path)
{
	static unsigned char bytes[SIZE];
	int fd = mkstemp(path);
	for (size_t i = 0; i < SIZE; i++)
		bytes[i] = (unsigned char)(i * 7);
	assert_true(fd >= 0 && write(fd, bytes, SIZE) == SIZE);
	return fd;
}

static void test_dropped_and_read(void **state)
{
	(void)state;
	struct syscalls table;
	struct host host = counting(&table);
	char path[] = "/tmp/tare-cache-XXXXXX";
	unsigned char last;
	int fd = make_file(path);
	sync_fails = false;
	page_cache_renew(&host, path);
	assert_string_equal(calls, "sdr");
	assert_int_equal(pread(fd, &last, 1, SIZE - 1), 1);
	assert_int_equal(last, (unsigned char)((SIZE - 1) * 7));
	close(fd);
	unlink(path);
}

/* What is not on the disk is not dropped; what is no file is left alone. */
static void test_left_alone(void **state)
{
	(void)state;
	struct syscalls table;
	struct host host = counting(&table);
	char path[] = "/tmp/tare-cache-XXXXXX";
	int fd = make_file(path);
	sync_fails = true;
	page_cache_renew(&host, path);
	assert_string_equal(calls, "s");
	close(fd);
	unlink(path);
	memset(calls, 0, sizeof(calls));
	page_cache_renew(&host, path);
	page_cache_renew(&host, "/tmp");
	page_cache_renew(&host, "/dev/null");
	assert_string_equal(calls, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_dropped_and_read), cmocka_unit_test(test_left_alone)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
