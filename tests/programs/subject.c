/* A command that does what the tests ask: the first word says what, the others how much.
 *
 *   exit N · signal N · sleep MS · spin MS · allocate MB · print TEXT… · bytes N · copy · env NAME · where ·
 *   group · files · threads N MS · workers N MS · orphan MS · adopt MS · daemon FILE · escape FILE · stop · shut · elsewhere MS */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int64_t cpu_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void spin(long ms)
{
	int64_t end = cpu_now() + (int64_t)ms * 1000000;
	while (cpu_now() < end)
		;
}

static void sleep_ms(long ms)
{
	struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
	while (nanosleep(&t, &t) != 0)
		;
}

static void *spin_thread(void *ms)
{
	spin(*(long *)ms);
	return NULL;
}

static int run_threads(long count, long ms)
{
	pthread_t threads[64];
	for (long i = 0; i < count && i < 64; i++)
		pthread_create(&threads[i], NULL, spin_thread, &ms);
	for (long i = 0; i < count && i < 64; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

static int run_workers(long count, long ms)
{
	for (long i = 0; i < count; i++)
		if (fork() == 0) {
			spin(ms);
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
	return 0;
}

static int print_bytes(long count)
{
	char block[4096];
	memset(block, 'x', sizeof(block));
	while (count > 0) {
		ssize_t n = write(1, block, count < (long)sizeof(block) ? (size_t)count : sizeof(block));
		if (n <= 0)
			return 1;
		count -= n;
	}
	return 0;
}

static int copy_input(void)
{
	char block[4096];
	ssize_t n;
	while ((n = read(0, block, sizeof(block))) > 0)
		if (write(1, block, (size_t)n) != n)
			return 1;
	return n < 0;
}

/* Blocked signals, whether it leads a group of its own, and whether it is in the given state of signals. */
static int print_group(void)
{
	sigset_t mask;
	int blocked = 0;
	sigprocmask(SIG_SETMASK, NULL, &mask);
	for (int i = 1; i < 32; i++)
		blocked += sigismember(&mask, i) == 1;
	struct sigaction action;
	sigaction(SIGCHLD, NULL, &action);
	printf("%d %d %d\n", blocked, getpgrp() == getpid(), action.sa_handler == SIG_DFL);
	return 0;
}

static int print_files(void)
{
	int count = 0;
	DIR *folder = opendir("/proc/self/fd");
	if (!folder)
		return 1;
	for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
		count += entry->d_name[0] != '.';
	closedir(folder);
	printf("%d\n", count - 1);
	return 0;
}

/* Leaves a child behind. */
static int leave_orphan(long ms)
{
	if (fork() == 0) {
		sleep_ms(ms);
		_exit(0);
	}
	return 0;
}

/* A grandchild whose parent is gone works and ends before this process does. */
static int outlive_orphan(long ms)
{
	int fds[2];
	char byte;
	if (pipe(fds) != 0)
		return 1;
	pid_t child = fork();
	if (child == 0) {
		if (fork() == 0)
			spin(ms);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	close(fds[1]);
	return read(fds[0], &byte, 1) == 0 ? 0 : 1; /* end of file: the grandchild has ended */
}

static void write_pid(const char *path)
{
	char text[32];
	int length = snprintf(text, sizeof(text), "%d\n", (int)getpid());
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0666);
	if (fd < 0 || write(fd, text, (size_t)length) != length)
		_exit(1);
	close(fd);
}

/* A daemon by the book: two forks, a session of its own, no standard files, deaf to polite signals.
 * Its children get the ids written too, one more daemon below it included. */
static int become_daemon(const char *path, int depth)
{
	int ready[2];
	char byte;
	if (pipe(ready) != 0)
		return 1;
	if (fork() == 0) {
		setsid();
		if (fork() != 0)
			_exit(0);
		for (int fd = 0; fd < 64; fd++) /* standard files, and the pipes of daemons above this one */
			if (fd != ready[1])
				close(fd);
		signal(SIGTERM, SIG_IGN);
		signal(SIGHUP, SIG_IGN);
		write_pid(path);
		if (depth > 0)
			become_daemon(path, depth - 1);
		close(ready[1]);
		sleep_ms(3600000);
		_exit(0);
	}
	wait(NULL);
	close(ready[1]);
	return read(ready[0], &byte, 1) == 0 ? 0 : 1; /* all ids are written */
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	long number = argc > 2 ? strtol(argv[2], NULL, 10) : 0, other = argc > 3 ? strtol(argv[3], NULL, 10) : 0;
	if (strcmp(what, "exit") == 0)
		return (int)number;
	if (strcmp(what, "signal") == 0) {
		signal((int)number, SIG_DFL);
		return kill(getpid(), (int)number);
	}
	if (strcmp(what, "sleep") == 0)
		sleep_ms(number);
	else if (strcmp(what, "spin") == 0)
		spin(number);
	else if (strcmp(what, "allocate") == 0) {
		volatile char *block = malloc((size_t)number << 20);
		for (size_t i = 0; i < (size_t)number << 20; i += 4096)
			block[i] = 1;
	} else if (strcmp(what, "print") == 0)
		for (int i = 2; i < argc; i++)
			printf("%s\n", argv[i]);
	else if (strcmp(what, "bytes") == 0)
		return print_bytes(number);
	else if (strcmp(what, "copy") == 0)
		return copy_input();
	else if (strcmp(what, "env") == 0)
		printf("%s\n", getenv(argv[2]) ? getenv(argv[2]) : "(none)");
	else if (strcmp(what, "where") == 0) {
		char path[4096];
		printf("%s\n", getcwd(path, sizeof(path)) ? path : "?");
	} else if (strcmp(what, "group") == 0)
		return print_group();
	else if (strcmp(what, "files") == 0)
		return print_files();
	else if (strcmp(what, "threads") == 0)
		return run_threads(number, other);
	else if (strcmp(what, "workers") == 0)
		return run_workers(number, other);
	else if (strcmp(what, "orphan") == 0)
		return leave_orphan(number);
	else if (strcmp(what, "adopt") == 0)
		return outlive_orphan(number);
	else if (strcmp(what, "daemon") == 0)
		return become_daemon(argv[2], 0);
	else if (strcmp(what, "escape") == 0) {
		become_daemon(argv[2], 2);
		write_pid(argv[2]);
		sleep_ms(3600000);
	} else if (strcmp(what, "elsewhere") == 0) { /* in the group of whoever started it */
		setpgid(0, getpgid(getppid()));
		sleep_ms(number);
	} else if (strcmp(what, "stop") == 0)
		raise(SIGSTOP);
	else if (strcmp(what, "terminal") == 0)
		raise(SIGTTIN);
	else if (strcmp(what, "shut") == 0) {
		close(0);
		close(1);
		close(2);
	} else
		return 99;
	return 0;
}
