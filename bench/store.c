/* What the store costs: 10^4 experiments with 10^7 samples, and histories of 200 benchmarks.
 *
 * Goals: the list under 100 ms and one series under 200 ms as a user waits for them (the whole command), at most 10
 * bytes a sample with all that surrounds it, changes of 200 histories of 1000 results under 5 s. The samples are
 * doubles that no form shortens. usage: store PATH-TO-TARE */
#include "bench/figure.h"
#include "base/random.h"
#include "exchange/document.h"
#include "host/clock.h"
#include "store/writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	if (system(command) != 0)
		return 1;
	return missed;
}
