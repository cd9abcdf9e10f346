/* Real work of a size that is given, for bench/real_sessions. usage: real_work text N | write FILE N | tcp N | copy N
 * text: N KiB of made-up words to standard output. write: N blocks of 64 KiB into FILE, fsync after every 16 and at the
 * end; after 64 MiB it goes on at the beginning, as a journal does: a file that grows asks the host of a virtual machine for
 * memory, and measures that. tcp: N blocks of 64 KiB through a loopback connection to a child. copy: N times 64 MiB from one
 * place of memory to another: more than the caches hold, as STREAM asks for, since a copy that half fits measures how much of a
 * shared cache its neighbours leave. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BLOCK = 65536, ROUND = 1024, COPIED = 64 << 20 };

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void write_all(int fd, const char *data, size_t n)
{
	while (n > 0) {
		ssize_t done = write(fd, data, n);
		if (done < 0)
			die("write");
		data += done;
		n -= (size_t)done;
	}
}

static void write_text(long kilobytes)
{
	char block[1024];
	unsigned long state = 1;
	for (long i = 0; i < kilobytes; i++) {
		for (size_t k = 0; k < sizeof(block); k++) {
			state = state * 6364136223846793005UL + 1442695040888963407UL;
			unsigned long letter = (state >> 33) % 40;
			block[k] = (char)(letter < 26 ? 'a' + letter : letter < 33 ? 'e' : ' ');
		}
		write_all(STDOUT_FILENO, block, sizeof(block));
	}
}

static void write_file(const char *path, long blocks)
{
	static char block[BLOCK];
	int fd = open(path, O_WRONLY | O_CREAT, 0600);
	if (fd < 0)
		die(path);
	for (long i = 0; i < blocks; i++) {
		memset(block, (int)i, sizeof(block));
		if (i % ROUND == 0 && lseek(fd, 0, SEEK_SET) < 0)
			die("lseek");
		write_all(fd, block, sizeof(block));
		if ((i % 16 == 15 || i + 1 == blocks) && fsync(fd) != 0)
			die("fsync");
	}
	close(fd);
}

static void receive(int listener)
{
	static char block[BLOCK];
	int fd = accept(listener, NULL, NULL);
	if (fd < 0)
		die("accept");
	while (read(fd, block, sizeof(block)) > 0)
		;
	_exit(0);
}

static void send_blocks(long blocks)
{
	static char block[BLOCK];
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t length = sizeof(address);
	int listener = socket(AF_INET, SOCK_STREAM, 0);
	if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) != 0 || listen(listener, 1) != 0 ||
	    getsockname(listener, (struct sockaddr *)&address, &length) != 0)
		die("socket");
	pid_t child = fork();
	if (child < 0)
		die("fork");
	if (child == 0)
		receive(listener);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	if (fd < 0 || connect(fd, (struct sockaddr *)&address, length) != 0)
		die("connect");
	for (long i = 0; i < blocks; i++)
		write_all(fd, block, sizeof(block));
	close(fd);
	waitpid(child, NULL, 0);
}

static void copy(long times)
{
	char *from = malloc(COPIED), *to = malloc(COPIED);
	if (!from || !to)
		die("malloc");
	memset(from, 1, COPIED);
	memset(to, 2, COPIED);
	for (long i = 0; i < times; i++) {
		memcpy(to, from, COPIED);
		from[i % COPIED] = to[(i * 4099) % COPIED]; /* every copy matters */
	}
	free(from);
	free(to);
}

int main(int argc, char **argv)
{
	if (argc == 4 && strcmp(argv[1], "write") == 0)
		write_file(argv[2], atol(argv[3]));
	else if (argc == 3 && strcmp(argv[1], "text") == 0)
		write_text(atol(argv[2]));
	else if (argc == 3 && strcmp(argv[1], "tcp") == 0)
		send_blocks(atol(argv[2]));
	else if (argc == 3 && strcmp(argv[1], "copy") == 0)
		copy(atol(argv[2]));
	else
		return 2;
	return 0;
}
