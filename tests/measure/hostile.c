/* A suite of benchmarks that behave badly, each in its own way; the controller's tests run it. */
#include <tare/bench.h>

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

TARE_BENCH(good)
{
	uint64_t x = 1;
	TARE_LOOP(t)
		tare_hide(x);
	tare_items(t, 2);
	tare_report(t, "share", 0.5, "", TARE_HIGHER);
	tare_unit(t, 7);
}
TARE_CONFIGURE(good)
{
	tare_values(o, "n", "1,2");
	tare_default(o, "iterations", "5");
	tare_unit_metric(o, "latency", "s", TARE_LOWER);
}

TARE_BENCH(threads)
{
	TARE_LOOP(t) {
	}
}
TARE_CONFIGURE(threads)
{
	tare_threads(o, "2");
}

TARE_BENCH(crashes)
{
	fprintf(stderr, "about to crash\n\n");
	signal(SIGSEGV, SIG_DFL); /* a sanitizer has its own idea */
	TARE_LOOP(t)
		raise(SIGSEGV);
}

TARE_BENCH(aborts)
{
	TARE_LOOP(t)
		abort();
}

TARE_BENCH(exits)
{
	TARE_LOOP(t)
		exit(3);
}

TARE_BENCH(hangs)
{
	TARE_LOOP(t)
		pause();
}

TARE_BENCH(spins)
{
	volatile int forever = 1;
	TARE_LOOP(t)
		while (forever)
			continue;
}

/* The child goes on as if it were the suite, unless the harness stops it. */
TARE_BENCH(forks)
{
	pid_t child = 0;
	TARE_LOOP(t)
		child = fork();
	tare_check(t, child >= 0);
}

/* One child in a session of its own, and one that has lost its parent besides. */
TARE_BENCH(daemons)
{
	int ready[2];
	char byte;
	TARE_LOOP(t) {
		tare_check(t, pipe(ready) == 0);
		for (int orphan = 0; orphan < 2; orphan++) {
			if (fork() == 0) {
				if (orphan && fork() > 0)
					_exit(0);
				setsid();
				dprintf(1, "%d\n", (int)getpid());
				tare_check(t, write(ready[1], "", 1) == 1);
				for (;;)
					pause();
			}
			tare_check(t, read(ready[0], &byte, 1) == 1);
		}
	}
}

/* From its fifth iteration on, and where it is wanted. */
TARE_BENCH(leaves_late)
{
	static int iterations;
	pid_t child = 1;
	TARE_LOOP(t)
		usleep(1000);
	if (++iterations >= 5 && getenv("LEAVES"))
		child = fork();
	if (child == 0)
		for (;;)
			pause();
	tare_check(t, child > 0);
}

/* The child lives on and holds the channel open while the parent dies. */
TARE_BENCH(forks_and_exits)
{
	TARE_LOOP(t) {
		if (fork() == 0)
			for (;;)
				pause();
		_exit(4);
	}
}

TARE_BENCH(moves)
{
	cpu_set_t all;
	TARE_LOOP(t) {
		CPU_ZERO(&all);
		for (int i = 0; i < CPU_SETSIZE; i++)
			CPU_SET(i, &all);
		sched_setaffinity(0, sizeof(all), &all);
	}
}

TARE_BENCH(prints)
{
	TARE_LOOP(t)
		printf("hello %d\n", 42);
}

TARE_BENCH(opens_its_files)
{
	static const char *const names[] = {"/dev/stdout", "/dev/stderr"};
	TARE_LOOP(t)
		for (int i = 0; i < 2; i++) {
			FILE *file = fopen(names[i], "w");
			tare_check(t, file && fputs("anew\n", file) >= 0);
			tare_check(t, file && fclose(file) == 0);
		}
}

/* Prints until somebody has thrown it away. */
TARE_BENCH(prints_without_end)
{
	static const char block[1 << 20] = {'y'};
	struct stat before, after;
	TARE_LOOP(t)
		for (int fd = 1; fd <= 2; fd++)
			do {
				fstat(fd, &before);
				if (before.st_blocks * 512 <= 16 << 20)
					tare_check(t, write(fd, block, sizeof(block)) == sizeof(block));
				else
					usleep(1000);
				fstat(fd, &after);
			} while (after.st_blocks >= before.st_blocks); /* until its memory was given back */
}

/* Finds the mapping as a stray pointer would, and fills it. */
static void scribble(size_t from, size_t size)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];
	while (maps && fgets(line, sizeof(line), maps)) {
		unsigned long start;
		if (strstr(line, "tare-channel") && sscanf(line, "%lx", &start) == 1)
			memset((char *)start + from, 0x5a, size);
	}
	if (maps)
		fclose(maps);
}

TARE_BENCH(scribbles_all)
{
	TARE_LOOP(t)
		scribble(0, 40000);
}
TARE_BENCH(scribbles_grant)
{
	TARE_LOOP(t)
		scribble(16, 8);
}

/* Only the answer, after it was written: a thread that outlives its benchmark. */
static void *late(void *unused)
{
	(void)unused;
	for (;;)
		scribble(48 + 100, 8);
	return NULL;
}
TARE_BENCH(scribbles_late)
{
	pthread_t thread;
	TARE_LOOP(t) {
	}
	pthread_create(&thread, NULL, late, NULL);
}

TARE_BENCH(skips)
{
	tare_skip(t, "no device");
	TARE_LOOP(t) {
	}
}
TARE_BENCH(fails)
{
	tare_fail(t, "wrong result");
	TARE_LOOP(t) {
	}
}
static void no_license(struct tare *t)
{
	tare_skip(t, "no licence");
}
TARE_BENCH(skips_at_once)
{
	TARE_LOOP(t) {
	}
}
TARE_CONFIGURE(skips_at_once)
{
	tare_each_run(o, no_license, NULL);
}
static void closes(struct tare *t)
{
	(void)t;
	for (int i = 3; i < 100; i++)
		close(i);
}
TARE_BENCH(closes_all)
{
	TARE_LOOP(t)
		closes(t);
}

/* Like a virtual machine that is loading: a second thread, and work for a second and a half before the first word. */
static void *idle(void *unused)
{
	(void)unused;
	for (;;)
		pause();
	return NULL;
}

int main(int argc, char **argv)
{
	if (getenv("STARTS_SLOWLY")) {
		struct timespec used;
		pthread_t thread;
		if (strcmp(getenv("STARTS_SLOWLY"), "threads") == 0)
			pthread_create(&thread, NULL, idle, NULL);
		do
			clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
		while (used.tv_sec < 1 || used.tv_nsec < 500000000);
	}
	return tare_main(argc, argv);
}
