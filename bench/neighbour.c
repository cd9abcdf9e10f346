/* neighbour: interference on demand, for tests, benchmarks and people who want to see the difference.
 *
 *   neighbour [--kind cpu|memory|cache|io] [--pattern steady|bursty|periodic] [--count N]
 *             [--cpu N] [--duty PCT] [--period MS] [--seconds S] [--seed N]
 *
 * cpu     arithmetic in registers
 * memory  streams through 64 MiB: takes memory bandwidth
 * cache   random reads and writes in 8 MiB: takes the shared cache
 * io      writes and syncs a file of 4 MiB in TMPDIR (unlinked at once)
 *
 * steady works all the time; periodic works DUTY per cent of every PERIOD; bursty works and rests
 * for exponentially distributed times with the same mean share. --cpu pins every process to one CPU;
 * without it they roam. It ends after --seconds (default 60), or when its parent dies. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct plan {
	const char *kind, *pattern;
	long count, cpu, duty, period_ms, seed;
	double seconds;
};

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static uint64_t state;

static uint64_t next_random(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static double exponential(double mean)
{
	return -mean * log(((double)(next_random() >> 11) + 0.5) * 0x1p-53);
}

static volatile uint64_t sink;

/* About a millisecond of work of the kind. */
static void work(const struct plan *plan, unsigned char *memory, size_t size, int file)
{
	uint64_t x = state;
	if (strcmp(plan->kind, "cpu") == 0) {
		for (int i = 0; i < 300000; i++)
			x = x * 6364136223846793005u + 1442695040888963407u;
	} else if (strcmp(plan->kind, "memory") == 0) {
		for (size_t i = 0; i < size / 16; i += 64)
			x += memory[(i + (x & 1)) % size]++;
	} else if (strcmp(plan->kind, "cache") == 0) {
		for (int i = 0; i < 20000; i++)
			x += memory[next_random() % size]++;
	} else {
		ssize_t written = pwrite(file, memory, 65536, (off_t)(next_random() % 64) * 65536);
		x += (uint64_t)written + (uint64_t)fdatasync(file);
	}
	sink = x;
}

static void rest(double seconds)
{
	struct timespec t = {(time_t)seconds, (long)((seconds - floor(seconds)) * 1e9)};
	nanosleep(&t, NULL);
}

static int scratch_file(void)
{
	const char *folder = getenv("TMPDIR");
	char path[4096];
	snprintf(path, sizeof(path), "%s/neighbour-XXXXXX", folder ? folder : "/tmp");
	int fd = mkstemp(path);
	if (fd >= 0)
		unlink(path);
	return fd;
}

static int disturb(const struct plan *plan, long number)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	state = (uint64_t)(plan->seed + 1) * 0x9e3779b97f4a7c15u + (uint64_t)number * 0xbf58476d1ce4e5b9u + 1;
	if (plan->cpu >= 0) {
		cpu_set_t set;
		CPU_ZERO(&set);
		CPU_SET((size_t)plan->cpu, &set);
		if (sched_setaffinity(0, sizeof(set), &set) != 0) {
			fprintf(stderr, "neighbour: cannot use CPU %ld: %s\n", plan->cpu, strerror(errno));
			return 1;
		}
	}
	size_t size = strcmp(plan->kind, "memory") == 0 ? 64u << 20 : 8u << 20;
	unsigned char *memory = calloc(size, 1);
	int file = strcmp(plan->kind, "io") == 0 ? scratch_file() : -1;
	if (!memory || (strcmp(plan->kind, "io") == 0 && file < 0)) {
		fprintf(stderr, "neighbour: no memory or no scratch file\n");
		return 1;
	}
	double end = now() + plan->seconds, period = (double)plan->period_ms / 1e3, share = (double)plan->duty / 100;
	while (now() < end) {
		if (strcmp(plan->pattern, "steady") == 0) {
			work(plan, memory, size, file);
			continue;
		}
		int bursty = strcmp(plan->pattern, "bursty") == 0;
		double busy = bursty ? exponential(period * share) : period * share;
		double idle = bursty ? exponential(period * (1 - share)) : period * (1 - share);
		for (double until = now() + busy; now() < until;)
			work(plan, memory, size, file);
		rest(idle);
	}
	free(memory);
	return 0;
}

static const char usage[] =
	"usage: neighbour [--kind cpu|memory|cache|io] [--pattern steady|bursty|periodic] [--count N]\n"
	"                 [--cpu N] [--duty PCT] [--period MS] [--seconds S] [--seed N]\n";

static int one_of(const char *word, const char *const *words)
{
	while (*words && strcmp(*words, word) != 0)
		words++;
	return *words != NULL;
}

int main(int argc, char **argv)
{
	static const char *const kinds[] = {"cpu", "memory", "cache", "io", NULL};
	static const char *const patterns[] = {"steady", "bursty", "periodic", NULL};
	struct plan plan = {"cpu", "steady", 1, -1, 50, 20, 1, 60};
	if (argc == 2 && strcmp(argv[1], "--help") == 0) {
		fputs(usage, stdout);
		return 0;
	}
	for (int i = 1; i < argc; i += 2) {
		const char *value = i + 1 < argc ? argv[i + 1] : NULL;
		char *end = NULL;
		double number = value ? strtod(value, &end) : 0;
		int is_number = value && end != value && *end == '\0' && number >= 0;
		if (value && strcmp(argv[i], "--kind") == 0 && one_of(value, kinds))
			plan.kind = value;
		else if (value && strcmp(argv[i], "--pattern") == 0 && one_of(value, patterns))
			plan.pattern = value;
		else if (is_number && strcmp(argv[i], "--count") == 0 && number >= 1 && number <= 1024)
			plan.count = (long)number;
		else if (is_number && strcmp(argv[i], "--cpu") == 0 && number < CPU_SETSIZE)
			plan.cpu = (long)number;
		else if (is_number && strcmp(argv[i], "--duty") == 0 && number <= 100)
			plan.duty = (long)number;
		else if (is_number && strcmp(argv[i], "--period") == 0 && number >= 1)
			plan.period_ms = (long)number;
		else if (is_number && strcmp(argv[i], "--seconds") == 0)
			plan.seconds = number;
		else if (is_number && strcmp(argv[i], "--seed") == 0)
			plan.seed = (long)number;
		else {
			fprintf(stderr, "neighbour: do not understand '%s'\n%s", argv[i], usage);
			return 2;
		}
	}
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	for (long i = 1; i < plan.count; i++) {
		pid_t child = fork();
		if (child < 0) {
			perror("neighbour: fork");
			return 1;
		}
		if (child == 0)
			return disturb(&plan, i);
	}
	int status = disturb(&plan, 0);
	while (wait(NULL) > 0)
		;
	return status;
}
