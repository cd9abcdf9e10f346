/* What the store costs: 10^4 experiments with 10^7 samples, and histories of 200 benchmarks.
 *
 * Goals: the list under 100 ms and one series under 200 ms as a user waits for them (the whole command), at most 10
 * bytes a sample with all that surrounds it, changes of 200 histories of 1000 results under 5 s. The samples are
 * doubles that no form shortens. Imports, in CPU seconds: 178 000 rows under 3, 400 result documents under 1.
 *
 * usage: store PATH-TO-TARE */
#include "bench/figure.h"
#include "base/random.h"
#include "exchange/document.h"
#include "host/clock.h"
#include "store/writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const enum level levels[] = {LEVEL_RUN, LEVEL_ITERATION};
static bool missed;

static void fail(const struct error *err)
{
	fprintf(stderr, "store: %s\n", err->what);
	exit(1);
}

static double now(void)
{
	struct host host = host_real();
	return (double)clock_now(&host) / 1e9;
}

/* One experiment of `subjects` with `n` samples each. */
static void add(struct store *store, size_t number, size_t subjects, size_t n, struct random *random)
{
	struct result result;
	struct buffer document = {0};
	struct error err;
	char name[32];
	int64_t started = INT64_C(1700000000000) + (int64_t)number * 60000;
	int64_t *times = calloc(n, sizeof(*times));
	struct store_origin origin = {
		.metric = "wall", .commit = "0123456789abcdef0123456789abcdef01234567", .started = &started};
	result_init(&result);
	result.version = "0.1.0";
	result.host.cpu = "a CPU";
	result.host.cpus = 2;
	result.design.name = "solo";
	result.design.level_count = 2;
	memcpy(result.design.levels, levels, sizeof(levels));
	for (size_t s = 0; s < subjects; s++) {
		snprintf(name, sizeof(name), "benchmark %zu", subjects > 1 ? s : number % 10);
		struct subject *subject = result_add_subject(&result, name);
		struct measurement *m = result_add_metric(&result, subject, "wall", "s", BETTER_LOWER, levels, 2);
		double level = 1 + (number > 600 && s % 7 == 0 ? 0.05 : 0), sum = 0;
		for (size_t i = 0; i < n; i++) {
			double value = level * (1 + 0.01 * random_normal(random));
			sum += value;
			times[i] = (int64_t)i * 100;
			series_append(&m->series, 0, value, NULL);
		}
		m->n = n;
		m->mean = m->median = sum / (double)n;
		m->sd = 0.01;
		m->ci = (struct confidence){.level = 0.95, .low = m->mean * 0.999, .high = m->mean * 1.001, .method = "t"};
	}
	if (document_write_frame(&result, &document, &err) != 0 ||
	    store_add(store, &result, &document, &origin, times, n, NULL, &err) != 0)
		fail(&err);
	free(times);
	buffer_release(&document);
	result_release(&result);
}

static void fill(const char *path, size_t experiments, size_t subjects, size_t n)
{
	struct error err;
	struct random random;
	struct store *store = store_open(path, STORE_WRITE, &err);
	random_seed(&random, 1);
	if (!store || store_batch_begin(store, &err) != 0)
		fail(&err);
	for (size_t i = 0; i < experiments; i++)
		add(store, i, subjects, n, &random);
	if (store_batch_end(store, 0, &err) != 0)
		fail(&err);
	store_close(store);
}

/* The median of five runs of a command, in s. */
static double time_command(const char *tare, const char *path, const char *words)
{
	char command[8192];
	double times[5];
	snprintf(command, sizeof(command), "%s history %s --store %s >/dev/null", tare, words, path);
	for (int i = 0; i < 5; i++) {
		double before = now();
		if (system(command) != 0)
			exit(1);
		double time = now() - before;
		int k = i;
		for (; k > 0 && times[k - 1] > time; k--)
			times[k] = times[k - 1];
		times[k] = time;
	}
	return times[2];
}

static void judge(const char *what, double value, const char *unit, double goal)
{
	printf("  %-46s %8.4g %s (goal %g)%s\n", what, value, unit, goal, value <= goal ? "" : "  MISSED");
	char words[32];
	snprintf(words, sizeof(words), "at most %g", goal);
	figure(what, unit, NULL, NAN, value, words, value <= goal);
	missed |= value > goal;
}

/* CPU seconds of "tare history import" of the files that a pattern of the shell names, into a store of their own. */
static double cost_of_import(const char *tare, const char *folder, const char *files)
{
	char command[8192];
	struct rusage before, after;
	getrusage(RUSAGE_CHILDREN, &before);
	snprintf(command, sizeof(command),
	         "%s history import --store %s/imported.db %s/%s >/dev/null && rm -f %s/imported.db*", tare, folder, folder,
	         files, folder);
	if (system(command) != 0)
		exit(1);
	getrusage(RUSAGE_CHILDREN, &after);
	return (double)(after.ru_utime.tv_sec - before.ru_utime.tv_sec + after.ru_stime.tv_sec - before.ru_stime.tv_sec) +
	       (double)(after.ru_utime.tv_usec - before.ru_utime.tv_usec + after.ru_stime.tv_usec -
	                before.ru_stime.tv_usec) /
	           1e6;
}

static void put_history(const char *folder, long moments, long subjects)
{
	char path[96];
	snprintf(path, sizeof(path), "%s/history.csv", folder);
	FILE *file = fopen(path, "w");
	if (!file)
		exit(1);
	fputs("time,commit,subject,value,unit\n", file);
	for (long i = 0; i < moments; i++)
		for (long s = 0; s < subjects; s++)
			fprintf(file, "%ld,c%07lx,bench/%ld,1.%06ld,ms\n", 1700000000 + i * 60, i, s,
			        (i * subjects + s) * 7919 % 1000003 % 1000000);
	fclose(file);
}

/* What as many jobs of a fleet send: two subjects of three metrics. */
static void put_documents(const char *folder, int count)
{
	static const char *const names[] = {"wall", "cpu", "rss"};
	struct random random;
	struct error err;
	random_seed(&random, 2);
	for (int i = 0; i < count; i++) {
		struct result result;
		char path[96], started[32];
		result_init(&result);
		snprintf(path, sizeof(path), "%s/doc-%d.json", folder, i);
		snprintf(started, sizeof(started), "2026-01-02T%02d:%02d:00Z", i / 60 % 24, i % 60);
		result.started = started;
		result.seed = (uint64_t)i + 1;
		result.design.name = "turns";
		result.design.level_count = 2;
		memcpy(result.design.levels, levels, sizeof(levels));
		for (int s = 0; s < 2; s++)
			result_add_subject(&result, s ? "new" : "old");
		for (size_t s = 0; s < 2; s++)
			for (int m = 0; m < 3; m++) {
				struct measurement *to = result_add_metric(&result, &result.subjects[s], names[m], "s", BETTER_LOWER,
				                                           levels, 2);
				for (int k = 0; k < 60; k++)
					series_append(&to->series, 0, 1 + 0.01 * random_normal(&random), NULL);
			}
		if (document_save(&result, path, &err) != 0)
			fail(&err);
		result_release(&result);
	}
}

static void judge_imports(const char *tare, const char *folder)
{
	put_history(folder, 445, 400);
	judge("import of 178 000 rows, 400 subjects", cost_of_import(tare, folder, "history.csv"), "CPU s", 3);
	put_history(folder, 1, 20000);
	judge("import of 20 000 subjects", cost_of_import(tare, folder, "history.csv"), "CPU s", 1);
	put_documents(folder, 400);
	judge("import of 400 documents", cost_of_import(tare, folder, "doc-*.json"), "CPU s", 1);
}

int main(int argc, char **argv)
{
	char folder[] = "/tmp/tare-bench-store-XXXXXX", path[64], command[96];
	struct stat status;
	if (argc < 2 || !mkdtemp(folder))
		return 2;
	snprintf(path, sizeof(path), "%s/tare.db", folder);
	double before = now();
	fill(path, 10000, 1, 1000);
	if (stat(path, &status) != 0)
		return 1;
	printf("store: 10^4 experiments with 10^7 samples, written in %.1f s\n", now() - before);
	judge("bytes a sample, with all around it", (double)status.st_size / 1e7, "B", 10);
	judge("tare history list", 1e3 * time_command(argv[1], path, "list"), "ms", 100);
	judge("tare history list --all", 1e3 * time_command(argv[1], path, "list --all --csv -"), "ms", 100);
	judge("tare history trend of one series (1000 results)", 1e3 * time_command(argv[1], path, "trend 'benchmark 3'"),
	      "ms", 200);
	judge("tare history show of one experiment", 1e3 * time_command(argv[1], path, "show 5000"), "ms", 200);
	unlink(path);
	before = now();
	fill(path, 1000, 200, 1);
	printf("store: 200 benchmarks with 1000 results each, written in %.1f s\n", now() - before);
	judge("tare history changes", time_command(argv[1], path, "changes"), "s", 5);
	judge_imports(argv[1], folder);
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	if (system(command) != 0)
		return 1;
	return missed;
}
