/* What the harness itself costs: the same 2 ns chain by tare, by a loop written by hand and by Google Benchmark in ten
 * interleaved rounds; an empty loop; a hundred registered benchmarks at the start of a program; one hand-over.
 *
 * usage: harness_cost FOLDER   (with harness_suite, harness_hundred, harness_hand and perhaps harness_google)
 * The three share one CPU. Each round's figure is the least of a few timings in a fresh process, since a neighbour only
 * adds; the median over rounds is compared. CPU time decides: it is what all three show, and on a busy machine the wall
 * time of a 50 ms loop is mostly waiting. Exit code 1 when a goal is missed. */
#include "bench/figure.h"
#include "host/clock.h"
#include "measure/harness.h"
#include "measure/invocations.h"
#include "stats/quantile.h"

#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 10, TIMINGS = 5, STARTS = 101 };
static const int64_t LIMIT = INT64_C(60000000000);

extern char **environ;

struct figure {
	double wall, cpu; /* ns of one call */
};

static void keep_less(struct figure *least, struct figure f)
{
	least->wall = fmin(least->wall, f.wall);
	least->cpu = fmin(least->cpu, f.cpu);
}

static void give_up(const char *what)
{
	fprintf(stderr, "harness_cost: %s\n", what);
	exit(2);
}

/* The least of what a program prints, started a few times. */
static struct figure printed(const char *program)
{
	struct figure least = {INFINITY, INFINITY}, f;
	for (int i = 0; i < TIMINGS; i++) {
		FILE *output = popen(program, "r");
		if (!output || fscanf(output, "%lf %lf", &f.wall, &f.cpu) != 2)
			give_up(program);
		pclose(output);
		keep_less(&least, f);
	}
	return least;
}

static struct harness *start(const struct host *host, const char *program)
{
	const char *const argv[] = {program, NULL};
	const struct harness_request request = {.argv = argv, .cancel = -1, .start_limit = LIMIT};
	struct harness *harness;
	struct error err;
	if (harness_start(host, &request, &harness, &err) != 0)
		give_up(err.what);
	return harness;
}

static struct harness_sample iterate(struct harness *harness, uint64_t invocations)
{
	struct harness_sample sample;
	struct harness_grant grant = {.invocations = invocations, .metrics = TARE_HAS_CPU | TARE_HAS_DELAY, .limit = LIMIT};
	struct harness_outcome outcome = harness_iterate(harness, &grant, &sample);
	if (outcome.end != HARNESS_OK)
		give_up(outcome.text);
	return sample;
}

/* The least of a few iterations of 5 ms, in a fresh process. */
static struct figure by_tare(const struct host *host, const char *program, const char *benchmark)
{
	struct figure least = {INFINITY, INFINITY};
	struct harness *harness = start(host, program);
	struct harness_overhead overhead;
	struct error err;
	uint64_t count = 1, next;
	if (harness_calibrate(harness, &overhead, &err) != 0)
		give_up(err.what);
	if (harness_select(harness, benchmark, LIMIT).end != HARNESS_OK)
		give_up(benchmark);
	double target = invocations_target(overhead.fixed_wall, overhead.resolution, 5e6);
	while (!invocations_enough(count, (double)iterate(harness, count).wall, target, &next))
		count = next;
	for (int i = 0; i < 4 * TIMINGS; i++) {
		struct harness_sample sample = iterate(harness, count);
		keep_less(&least, (struct figure){harness_wall_per_invocation(&sample, &overhead),
		                                  harness_cpu_per_invocation(&sample, &overhead)});
	}
	harness_stop(harness);
	harness_free(harness);
	return least;
}

static struct figure median(const struct figure *figures)
{
	double wall[ROUNDS], cpu[ROUNDS];
	for (size_t i = 0; i < ROUNDS; i++) {
		wall[i] = figures[i].wall;
		cpu[i] = figures[i].cpu;
	}
	return (struct figure){median_in_place(wall, ROUNDS), median_in_place(cpu, ROUNDS)};
}

static struct figure show(const char *who, const struct figure *figures)
{
	struct figure m = median(figures);
	printf("2 ns chain, median of %d rounds: %-18s cpu %.4f ns, wall %.4f ns\n", ROUNDS, who, m.cpu, m.wall);
	return m;
}

static int check(const char *what, double value, double limit, const char *unit)
{
	int missed = !(value <= limit);
	printf("%-58s %8.3f %s (goal: at most %g)%s\n", what, value, unit, limit, missed ? "  MISSED" : "");
	return missed;
}

static int compare_chain(const struct host *host, const char *folder)
{
	char suite[512], hand[512], google[512];
	struct figure by[3][ROUNDS], empty[ROUNDS];
	snprintf(suite, sizeof(suite), "%s/harness_suite", folder);
	snprintf(hand, sizeof(hand), "%s/harness_hand", folder);
	snprintf(google, sizeof(google), "%s/harness_google 2>/dev/null", folder);
	char google_file[512];
	snprintf(google_file, sizeof(google_file), "%s/harness_google", folder);
	int contenders = access(google_file, X_OK) == 0 ? 3 : 2;
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < contenders; i++) {
			int which = (round + i) % contenders;
			by[which][round] = which == 0 ? by_tare(host, suite, "chain") : printed(which == 1 ? hand : google);
		}
		empty[round] = by_tare(host, suite, "empty");
	}
	double tare = show("tare", by[0]).cpu, loop = show("loop by hand", by[1]).cpu;
	int missed = 0;
	if (contenders == 3) {
		double other = show("Google Benchmark", by[2]).cpu;
		missed |= check("chain: tare against Google Benchmark", 100 * fabs(tare / other - 1), 3, "%");
		figure("2 ns chain, an invocation", "ns", "Google Benchmark", other, tare, "within 3 %",
		       fabs(tare / other - 1) <= 0.03);
	} else {
		puts("Google Benchmark is not installed (libbenchmark-dev): left out");
	}
	figure("2 ns chain, an invocation", "ns", "loop by hand", loop, tare, "within 3 %", fabs(tare / loop - 1) <= 0.03);
	figure("empty loop after correction", "ns", NULL, NAN, median(empty).wall, "at most 1", median(empty).wall <= 1);
	missed |= check("chain: tare against a loop by hand", 100 * fabs(tare / loop - 1), 3, "%");
	return missed | check("empty loop, after correction", median(empty).wall, 1, "ns per invocation");
}

/* Wall time from start to end of `program --list`. */
static double start_and_list(const struct host *host, const char *program)
{
	char *const argv[] = {(char[]){"suite"}, (char[]){"--list"}, NULL};
	posix_spawn_file_actions_t files;
	pid_t pid;
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
	int64_t begin = clock_now(host);
	if (posix_spawn(&pid, program, &files, NULL, argv, environ) != 0)
		give_up(program);
	waitpid(pid, NULL, 0);
	posix_spawn_file_actions_destroy(&files);
	return (double)(clock_now(host) - begin);
}

static int compare_start(const struct host *host, const char *folder)
{
	char suite[512], hundred[512];
	double few[STARTS], many[STARTS];
	snprintf(suite, sizeof(suite), "%s/harness_suite", folder);
	snprintf(hundred, sizeof(hundred), "%s/harness_hundred", folder);
	for (int i = 0; i < STARTS; i++) {
		few[i] = start_and_list(host, suite);
		many[i] = start_and_list(host, hundred);
	}
	double difference = (median_in_place(many, STARTS) - median_in_place(few, STARTS)) / 1e6;
	figure("100 registered benchmarks, at start", "ms", NULL, NAN, difference, "under 1", difference <= 1);
	return check("100 registered benchmarks, at the start of the program", difference, 1, "ms");
}

/* What lies between the grant and the answer beside the timed loop: turn by turn costs twice this per pair. */
static void show_hand_over(const struct host *host, const char *folder)
{
	char suite[512];
	double took[1001];
	snprintf(suite, sizeof(suite), "%s/harness_suite", folder);
	struct harness *harness = start(host, suite);
	if (harness_select(harness, "empty", LIMIT).end != HARNESS_OK)
		give_up("empty");
	for (int i = 0; i < 1001; i++) {
		struct harness_sample sample = iterate(harness, 0);
		took[i] = (double)(sample.elapsed - sample.wall) / 1e3;
	}
	harness_stop(harness);
	harness_free(harness);
	printf("%-58s %8.3f us\n", "hand-over of one iteration, on one CPU", median_in_place(took, 1001));
}

/* One CPU for all, so that none meets another core's frequency. */
static void share_one_cpu(const struct host *host)
{
	struct cpuset allowed, one = {{0}};
	struct error err;
	if (cpuset_of_process(host, 0, &allowed, &err) != 0)
		return;
	int last = 0;
	for (int cpu = cpuset_next(&allowed, 0); cpu >= 0; cpu = cpuset_next(&allowed, cpu + 1))
		last = cpu;
	cpuset_add(&one, last);
	cpuset_pin(host, 0, &one, &err);
}

int main(int argc, char **argv)
{
	struct host host = host_real();
	if (argc != 2)
		give_up("usage: harness_cost FOLDER");
	share_one_cpu(&host);
	int missed = compare_chain(&host, argv[1]);
	missed |= compare_start(&host, argv[1]);
	show_hand_over(&host, argv[1]);
	return missed;
}
