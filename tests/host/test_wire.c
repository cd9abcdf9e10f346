/* Messages over a socket pair: descriptors, broken headers, ends in the middle. */
#include "host/wire.h"

#include "commands.h"

#include <fcntl.h>

static struct host host;
static int ends[2];

static int open_pair(void **state)
{
	(void)state;
	host = host_real();
	return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
}

static int close_pair(void **state)
{
	(void)state;
	close(ends[0]);
	close(ends[1]);
	return 0;
}

static void carries_bytes_and_descriptors(void **state)
{
	(void)state;
	struct wire_message message = {.body = NULL};
	int files = count_open_files();
	int fds[2] = {open("/dev/null", O_WRONLY), open("/dev/zero", O_RDONLY)};
	assert_int_equal(wire_send(&host, ends[0], WIRE_RUN, "ab", 2, "cde", 4, fds, 2), 0);
	assert_int_equal(wire_send(&host, ends[0], WIRE_CANCEL, NULL, 0, NULL, 0, NULL, 0), 0);
	close(fds[0]);
	close(fds[1]);
	assert_int_equal(wire_receive(&host, ends[1], &message), 1);
	assert_int_equal(message.header.type, WIRE_RUN);
	assert_int_equal(message.header.size, 6);
	assert_memory_equal(message.body, "abcde", 6);
	assert_int_equal(message.header.fd_count, 2);
	char zero = 'x';
	assert_int_equal(read(message.fds[1], &zero, 1), 1);
	assert_int_equal(zero, 0);
	assert_true(fcntl(message.fds[0], F_GETFD) & FD_CLOEXEC);
	close(message.fds[0]);
	close(message.fds[1]);
	assert_int_equal(wire_receive(&host, ends[1], &message), 1);
	assert_int_equal(message.header.type, WIRE_CANCEL);
	assert_int_equal(message.header.size, 0);
	close(ends[0]);
	assert_int_equal(wire_receive(&host, ends[1], &message), 0);
	wire_message_release(&message);
	assert_int_equal(count_open_files(), files - 1);
}

static void refuses_what_is_no_message(void **state)
{
	(void)state;
	static const struct wire_header bad[] = {
		{1, WIRE_RUN, 0, 0}, {WIRE_MAGIC, WIRE_RUN, WIRE_BODY_MAX + 1, 0}, {WIRE_MAGIC, WIRE_RUN, 0, 1}};
	struct wire_message message = {.body = NULL};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(write(ends[0], &bad[i], sizeof(bad[i])), sizeof(bad[i]));
		assert_int_equal(wire_receive(&host, ends[1], &message), -1);
		assert_int_equal(errno, EPROTO);
	}
	static char large[WIRE_BODY_MAX + 1];
	assert_int_equal(wire_send(&host, ends[0], WIRE_RUN, large, sizeof(large), NULL, 0, NULL, 0), -1);
	assert_int_equal(errno, E2BIG);
	wire_message_release(&message);
}

static void an_end_in_the_middle_is_an_error(void **state)
{
	(void)state;
	struct wire_message message = {.body = NULL};
	struct wire_header header = {WIRE_MAGIC, WIRE_RUN, 100, 0};
	assert_int_equal(write(ends[0], &header, sizeof(header)), sizeof(header));
	assert_int_equal(write(ends[0], "few", 3), 3);
	close(ends[0]);
	assert_int_equal(wire_receive(&host, ends[1], &message), -1);
	assert_int_equal(errno, EPROTO);
	wire_message_release(&message);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(carries_bytes_and_descriptors, open_pair, close_pair),
		cmocka_unit_test_setup_teardown(refuses_what_is_no_message, open_pair, close_pair),
		cmocka_unit_test_setup_teardown(an_end_in_the_middle_is_an_error, open_pair, close_pair),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
