/* What starting a command costs: a static program that does nothing, started by a bare loop in C (vfork, execve,
 * waitpid: the floor), by tare's spawner, by `tare run` and by `hyperfine -N`, turn by turn.
 *
 * Printed are medians: the wall time that each reports, and the time that really passes per run (for programs: the
 * difference between many and few runs, over the difference in runs). Goals: a wall time at most 20 µs above
 * the floor, and no more time per run than hyperfine. Exit 1 when not. usage: spawn NOOP [TARE] */
#include "bench/figure.h"
#include "base/buffer.h"
#include "host/clock.h"
#include "host/spawner.h"
#include "stats/quantile.h"

#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 9, RUNS = 120, FEW = 20, ALLOWED = 20 /* µs */ };

extern char **environ;

static struct host host;

/* Median of the runs of a round in µs, of the rounds' medians. */
struct side {
	const char *name;
	double wall[ROUNDS], elapsed[ROUNDS];
	size_t rounds;
};

static void add(struct side *side, double wall, double elapsed)
{
	side->wall[side->rounds] = wall;
	side->elapsed[side->rounds++] = elapsed;
}

static void run_floor(struct side *side, const char *program)
{
	char *const argv[] = {(char *)(uintptr_t)program, NULL};
	double walls[RUNS], all[RUNS];
	for (volatile int i = 0; i < RUNS; i++) {
		int status;
		int64_t before = clock_now(&host);
		pid_t pid = vfork();
		if (pid == 0) {
			execve(program, argv, environ);
			_exit(127);
		}
		waitpid(pid, &status, 0);
		walls[i] = (double)(clock_now(&host) - before) / 1e3;
		all[i] = walls[i];
		if (status != 0) {
			fprintf(stderr, "%s does not start\n", program);
			exit(2);
		}
	}
	add(side, median_in_place(walls, RUNS), median_in_place(all, RUNS));
}

static void run_spawner(struct side *side, struct spawner *spawner, const char *program)
{
	const char *const argv[] = {program, NULL};
	struct command_request request = {.path = program, .argv = argv};
	double walls[RUNS], all[RUNS];
	for (int i = 0; i < RUNS; i++) {
		struct command_report report;
		int64_t before = clock_now(&host);
		request.pad = (uint32_t)(i * 31 % 4096);
		if (spawner_run(spawner, &request, 1, -1, &report, NULL) != 0 || report.result != COMMAND_EXITED)
			exit(2);
		walls[i] = (double)(report.ended - report.executed) / 1e3;
		all[i] = (double)(clock_now(&host) - before) / 1e3;
	}
	add(side, median_in_place(walls, RUNS), median_in_place(all, RUNS));
}

/* Runs a program with its output thrown away; µs that it took, NaN when it failed. */
static double time_program(const char *const *argv)
{
	int64_t before = clock_now(&host);
	pid_t pid = fork();
	if (pid == 0) {
		int null = open("/dev/null", O_RDWR);
		dup2(null, 0);
		dup2(null, 1);
		dup2(null, 2);
		execvp(argv[0], (char *const *)(uintptr_t)argv);
		_exit(127);
	}
	int status = -1;
	waitpid(pid, &status, 0);
	return status == 0 ? (double)(clock_now(&host) - before) / 1e3 : NAN;
}

/* The median wall time in a document of hyperfine's or of tare's own, µs; NaN where there is none. */
static double reported_median(const char *file)
{
	json_t *document = json_load_file(file, 0, NULL);
	json_t *first = json_array_get(json_object_get(document, "results"), 0);
	if (!first)
		first = json_object_get(json_object_get(json_array_get(json_object_get(document, "subjects"), 0), "metrics"),
		                        "wall");
	json_t *median = json_object_get(first, "median");
	double value = median ? json_number_value(median) * 1e6 : NAN;
	json_decref(document);
	return value;
}

/* A program that measures `runs` times: its arguments with the number of runs at `place`. */
static void run_tool(struct side *side, const char **argv, int place, const char *document)
{
	char text[16];
	argv[place] = text;
	unlink(document);
	snprintf(text, sizeof(text), "%d", FEW);
	double few = time_program(argv);
	snprintf(text, sizeof(text), "%d", FEW + RUNS);
	double many = time_program(argv);
	add(side, reported_median(document), (many - few) / RUNS);
}

static double middle(const double *values, size_t n)
{
	double copy[ROUNDS];
	memcpy(copy, values, n * sizeof(*copy));
	return n ? median_in_place(copy, n) : NAN;
}

static void print(const struct side *side, double floor)
{
	double wall = middle(side->wall, side->rounds), elapsed = middle(side->elapsed, side->rounds);
	if (isnan(wall))
		printf("%-14s not available\n", side->name);
	else
		printf("%-14s wall %7.1f µs (%+6.1f)   passes per run %7.1f µs\n", side->name, wall, wall - floor, elapsed);
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	host = host_real();
	struct spawner *spawner = spawner_open(&host, NULL);
	char document[] = "/tmp/tare-bench-XXXXXX";
	int fd = mkstemp(document);
	if (!spawner || fd < 0)
		return 2;
	close(fd);
	const char *hyperfine[] = {"hyperfine", "-N", "--style",       "none",   "-w",    "0",
	                           "-r",        "",   "--export-json", document, argv[1], NULL};
	const char *tare[] = {argc > 2 ? argv[2] : "",
	                      "run",
	                      "--no-save",
	                      "--progress",
	                      "none",
	                      "-w",
	                      "0",
	                      "-r",
	                      "",
	                      "--json",
	                      document,
	                      argv[1],
	                      NULL};
	struct side sides[] = {{.name = "bare loop"}, {.name = "spawner"}, {.name = "tare run"}, {.name = "hyperfine -N"}};
	for (int round = 0; round < ROUNDS; round++) {
		run_floor(&sides[0], argv[1]);
		run_spawner(&sides[1], spawner, argv[1]);
		if (argc > 2)
			run_tool(&sides[2], tare, 8, document);
		run_tool(&sides[3], hyperfine, 7, document);
	}
	spawner_close(spawner);
	unlink(document);
	printf("spawn: medians of %d rounds of %d runs of a program that does nothing\n", ROUNDS, RUNS);
	double floor = middle(sides[0].wall, ROUNDS);
	for (int i = 0; i < 4; i++)
		print(&sides[i], floor);
	const struct side *whole = argc > 2 ? &sides[2] : &sides[1];
	double above = fmax(middle(sides[1].wall, ROUNDS), middle(whole->wall, ROUNDS)) - floor;
	double ratios[ROUNDS]; /* neighbours in time, since the load of the machine changes */
	for (int i = 0; i < ROUNDS; i++)
		ratios[i] = whole->elapsed[i] / sides[3].elapsed[i];
	double ratio = middle(ratios, ROUNDS);
	printf("goals: %.1f µs above the floor (at most %d); %.2f of hyperfine's time per run (at most 1)\n", above,
	       ALLOWED, ratio);
	figure("wall time of a no-op above bare spawn and wait", "us", "hyperfine -N",
	       middle(sides[3].wall, ROUNDS) - floor, above, "at most 20", above <= ALLOWED);
	figure("time that passes for a run of a no-op", "us", "hyperfine -N", middle(sides[3].elapsed, ROUNDS),
	       middle(whole->elapsed, ROUNDS), "no more", isnan(ratio) || ratio <= 1);
	return !(above <= ALLOWED && (isnan(ratio) || ratio <= 1));
}
