/* How fast and in how much memory "tare analyze" reads other people's data and says what it shows. Goals:
 * a table of 10^7 rows at 100 MB for each CPU-second or better and under 200 MB resident, whether its
 * rows arrive grouped or not; a JSON file in at most five times its size.
 *
 * Each file is made in the folder for temporary files and removed. usage: import TARE */
#include "bench/figure.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROWS = 10000000 };

static void put_grouped(FILE *file, long rows)
{
	fputs("subject,build,run,iteration,value\n", file);
	for (long i = 0; i < rows; i++)
		fprintf(file, "%s,%ld,%ld,%ld,0.0%09ld\n", i < rows / 2 ? "old" : "new", i / 1000000, i / 1000, i % 1000,
		        100000000 + i * 7919 % 900000000);
}

static void put_scattered(FILE *file, long rows)
{
	fputs("subject,run,iteration,value\n", file);
	for (long i = 0; i < rows; i++)
		fprintf(file, "%s,%ld,%ld,0.0%09ld\n", i % 2 ? "old" : "new", i / 2 % 100, i / 200,
		        100000000 + i * 7919 % 900000000);
}

static void put_paired(FILE *file, long rows)
{
	fputs("subject,run,pair,value\n", file);
	for (long i = 0; i < rows; i++)
		fprintf(file, "%s,%ld,%ld,0.0%09ld\n", i % 2 ? "old" : "new", i / 2000, i / 2 % 1000,
		        100000000 + i * 7919 % 900000000);
}

/* One process: warm-up, dependence and steady state are looked for in all of it. */
static void put_one_run(FILE *file, long rows)
{
	fputs("run,iteration,value,unit\n", file);
	for (long i = 0; i < rows; i++)
		fprintf(file, "1,%ld,%ld.%06ld,ms\n", i, i < 50000 ? 130L : 100L, i * 7919 % 1000003 % 1000000);
}

static void put_column(FILE *file, long rows)
{
	fputs("value\n", file);
	for (long i = 0; i < rows; i++)
		fprintf(file, "%ld.%06ld\n", 100 + i * 31 % 7, i * 7919 % 1000003 % 1000000);
}

static void put_hyperfine(FILE *file, long rows)
{
	fputs("{\"results\": [{\"command\": \"x\", \"times\": [\n", file);
	for (long i = 0; i < rows; i++)
		fprintf(file, "        0.0%015ld%s\n", 100000000000000 + i * 7919, i + 1 < rows ? "," : "");
	fputs("]}]}\n", file);
}

static void put_gbench(FILE *file, long rows)
{
	fputs("{\"context\": {}, \"benchmarks\": [\n", file);
	for (long i = 0; i < rows; i++)
		fprintf(
			file,
			"{\"name\": \"BM_%ld/8\", \"family_index\": %ld, \"run_name\": \"BM_%ld/8\", \"run_type\": \"iteration\", "
			"\"repetitions\": 10, \"repetition_index\": %ld, \"threads\": 1, \"iterations\": 3070566, \"real_time\": 2.1%08lde+02, "
			"\"cpu_time\": 2.1%08lde+02, \"time_unit\": \"ns\"}%s\n",
			i / 10, i / 10, i / 10, i % 10, i % 100000000, i * 7 % 100000000, i + 1 < rows ? "," : "");
	fputs("]}\n", file);
}

/* Runs "TARE analyze PATH"; the CPU seconds and the peak memory in MB. */
static int measure(const char *tare, const char *path, double *seconds, double *megabytes)
{
	pid_t child = fork();
	if (child == 0) {
		int null = open("/dev/null", O_WRONLY);
		if (null >= 0 && dup2(null, STDOUT_FILENO) >= 0)
			execl(tare, tare, "analyze", path, (char *)NULL);
		perror(tare);
		_exit(127);
	}
	int status;
	struct rusage usage;
	if (child < 0 || wait4(child, &status, 0, &usage) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
		return -1;
	*seconds = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
	*megabytes = (double)usage.ru_maxrss * 1.024e-3;
	return 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*put)(FILE *file, long rows);
		long rows;
		double least_speed, most_memory, most_ratio; /* 0: no goal */
	} cases[] = {
		{"table, grouped rows", put_grouped, ROWS, 100, 200, 0},
		{"table, scattered rows", put_scattered, ROWS, 100, 200, 0},
		{"table, paired rows", put_paired, ROWS, 100, 200, 0},
		{"table, one long run", put_one_run, ROWS, 100, 200, 0},
		{"table, one column", put_column, ROWS, 100, 200, 0},
		{"hyperfine JSON", put_hyperfine, 18000000, 0, 0, 5},
		{"Google Benchmark JSON", put_gbench, 2000000, 0, 0, 5},
	};
	const char *folder = getenv("TMPDIR");
	if (argc != 2) {
		fprintf(stderr, "usage: import TARE\n");
		return 2;
	}
	int missed = 0;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char path[4096];
		snprintf(path, sizeof(path), "%s/tare-bench-XXXXXX", folder && *folder ? folder : "/tmp");
		int fd = mkstemp(path);
		FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
		if (!file) {
			perror(path);
			return 1;
		}
		cases[i].put(file, cases[i].rows);
		double size = (double)ftell(file) / 1e6, seconds, memory;
		int status = fclose(file) == 0 ? measure(argv[1], path, &seconds, &memory) : -1;
		unlink(path);
		if (status != 0) {
			fprintf(stderr, "%s: failed\n", cases[i].name);
			return 1;
		}
		int fast = size / seconds >= cases[i].least_speed;
		int small = cases[i].most_ratio > 0 ? memory <= cases[i].most_ratio * size : memory < cases[i].most_memory;
		char goal[64], what[64];
		if (cases[i].most_ratio > 0)
			snprintf(goal, sizeof(goal), "at most %.0f x its size", cases[i].most_ratio);
		else
			snprintf(goal, sizeof(goal), "under %.0f MB", cases[i].most_memory);
		printf("analyze %-22s %5.0f MB  %6.0f MB/CPU-s  %5.0f MB resident (%.1f x)  goals: %.0f MB/CPU-s, %s: %s\n",
		       cases[i].name, size, size / seconds, memory, memory / size, cases[i].least_speed, goal,
		       fast && small ? "met" : "not met");
		snprintf(what, sizeof(what), "analyze, %s of %.0f MB: memory", cases[i].name, size);
		figure(what, "MB", NULL, NAN, memory, goal, small);
		if (cases[i].least_speed > 0) {
			snprintf(what, sizeof(what), "analyze, %s: speed", cases[i].name);
			snprintf(goal, sizeof(goal), "at least %.0f", cases[i].least_speed);
			figure(what, "MB per CPU second", NULL, NAN, size / seconds, goal, fast);
		}
		missed |= !fast || !small;
	}
	return missed;
}
