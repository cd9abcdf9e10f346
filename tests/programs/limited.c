/* limited KIND SECONDS [PATH]: a program that one thing limits, for tests of what is found to limit it.
 *
 *	spin    a CPU
 *	fifo    the reader of the named pipe PATH, a child that takes 64 KiB every 20 ms
 *	think   nothing: it computes for a quarter of the time and sleeps for the rest
 *	copy    memory: it copies PATH MiB to and fro, which are 64 where nothing is said
 *	cache   a CPU: it has twice as much and copies 4 MiB of that to and fro
 *	write   the disk of PATH: synchronous writes of 64 KiB, past the cache where the file system can do that
 *	send    the way to PATH, an IPv4 address with a port: a TCP connection that takes all that fits
 *	sink    takes what is sent to the port PATH, for SECONDS
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PIECE = 64 << 10 };

static char piece[PIECE] __attribute__((aligned(4096)));

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void rest(double seconds)
{
	struct timespec t = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
	nanosleep(&t, NULL);
}

static void compute(double seconds)
{
	volatile uint64_t x = 88172645463325252u;
	for (double end = now() + seconds; now() < end;)
		for (int i = 0; i < 1000; i++)
			x ^= x << 13;
}

static int spin(double seconds)
{
	compute(seconds);
	return 0;
}

static int think(double seconds)
{
	for (double end = now() + seconds; now() < end;) {
		compute(0.01);
		rest(0.03);
	}
	return 0;
}

/* Copies `part` bytes to and fro between two blocks that are all in use, for so many seconds of CPU time, so that getting
 * the blocks is the smaller part on a busy machine too. */
static int copy(double seconds, size_t size, size_t part)
{
	char *a = malloc(size), *b = malloc(size);
	if (!a || !b)
		return 1;
	memset(a, 1, size);
	memset(b, 1, size);
	for (clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC); clock() < end;) {
		memcpy(b, a, part);
		/* Else a compiler sees that the way back changes nothing. */
		__asm__ volatile("" : : "r"(a), "r"(b) : "memory");
		memcpy(a, b, part);
		__asm__ volatile("" : : "r"(a), "r"(b) : "memory");
	}
	int last = a[part / 2];
	free(a);
	free(b);
	return last == 1 ? 0 : 1;
}

static void read_slowly(const char *path)
{
	int fd = open(path, O_RDONLY);
	while (fd >= 0 && read(fd, piece, sizeof(piece)) > 0)
		rest(0.02);
	_exit(0);
}

static int fifo(double seconds, const char *path)
{
	if (mkfifo(path, 0600) != 0 && errno != EEXIST)
		return 1;
	pid_t reader = fork();
	if (reader == 0)
		read_slowly(path);
	int fd = open(path, O_WRONLY);
	for (double end = now() + seconds; fd >= 0 && now() < end;)
		if (write(fd, piece, sizeof(piece)) < 0)
			return 1;
	kill(reader, SIGKILL);
	waitpid(reader, NULL, 0);
	return fd >= 0 ? 0 : 1;
}

static int write_file(double seconds, const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_DIRECT | O_DSYNC, 0600);
	if (fd < 0)
		fd = open(path, O_WRONLY | O_CREAT | O_DSYNC, 0600);
	if (fd < 0)
		return 1;
	off_t at = 0;
	for (double end = now() + seconds; now() < end; at = (at + PIECE) % (8 << 20))
		if (pwrite(fd, piece, sizeof(piece), at) < 0)
			return 1;
	return 0;
}

static int connect_to(const char *address)
{
	struct sockaddr_in to = {.sin_family = AF_INET};
	char host[64];
	unsigned port;
	if (sscanf(address, "%63[^:]:%u", host, &port) != 2 || inet_pton(AF_INET, host, &to.sin_addr) != 1)
		return -1;
	to.sin_port = htons((uint16_t)port);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	return connect(fd, (struct sockaddr *)&to, sizeof(to)) == 0 ? fd : -1;
}

static int send_all(double seconds, const char *address)
{
	int fd = connect_to(address);
	if (fd < 0)
		return 1;
	for (double end = now() + seconds; now() < end;)
		if (write(fd, piece, sizeof(piece)) < 0)
			return 1;
	return 0;
}

static int sink(double seconds, const char *port)
{
	struct sockaddr_in at = {
		.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port)), .sin_addr.s_addr = htonl(INADDR_ANY)};
	int one = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(fd, (struct sockaddr *)&at, sizeof(at)) != 0 || listen(fd, 16) != 0)
		return 1;
	alarm((unsigned)seconds);
	for (;;) {
		int from = accept(fd, NULL, NULL);
		while (read(from, piece, sizeof(piece)) > 0)
			;
		close(from);
	}
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	double seconds = strtod(argv[2], NULL);
	const char *kind = argv[1], *path = argc > 3 ? argv[3] : "";
	signal(SIGPIPE, SIG_IGN);
	if (strcmp(kind, "spin") == 0)
		return spin(seconds);
	if (strcmp(kind, "think") == 0)
		return think(seconds);
	size_t block = (path[0] ? strtoul(path, NULL, 10) : 64) << 20;
	if (strcmp(kind, "copy") == 0)
		return copy(seconds, block, block);
	if (strcmp(kind, "cache") == 0)
		return copy(seconds, block, 4 << 20);
	if (strcmp(kind, "fifo") == 0)
		return fifo(seconds, path);
	if (strcmp(kind, "write") == 0)
		return write_file(seconds, path);
	if (strcmp(kind, "send") == 0)
		return send_all(seconds, path);
	if (strcmp(kind, "sink") == 0)
		return sink(seconds, path);
	return 2;
}
