/* Left free, one machine of four may judge by another metric: everything that a session chooses by itself is chosen once,
 * here, and handed to the workers as options. */
#include "cli/fleet_pilot.h"

#include "base/moment.h"
#include "base/random.h"
#include "base/sha256.h"
#include "exchange/import.h"
#include "host/clock.h"
#include "host/file.h"
#include "host/program.h"
#include "model/metric.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LEAST_RUNS = 10, WARMUP_RUNS = 3, PILOT_SECONDS = 10, BUDGET_SECONDS = 60, LEAST_PAIRS = 100 };
static const double chunk_seconds = 450; /* aimed at; a chunk takes 5 to 10 minutes where there is more than one */

static int add_argument(struct fleet_experiment *frozen, const char *text, struct error *err)
{
	if (!text)
		return error_memory(err);
	frozen->arguments[frozen->argument_count++] = text;
	return 0;
}

/* The workers' tare: this one. */
static int add_tare(const struct fleet_folder *folder, struct fleet_experiment *frozen, struct error *err)
{
	char hash[SHA256_TEXT];
	if (fleet_add_program(folder, "/proc/self/exe", hash, err) != 0)
		return -1;
	struct fleet_program tare = {arena_strdup(&frozen->arena, hash), "tare", "tare"};
	if (!tare.hash)
		return error_memory(err);
	frozen->programs[frozen->program_count++] = tare;
	return 0;
}

static int run_pilot(const struct fleet_folder *folder, const struct measure_options *options,
                     const struct fleet_experiment *frozen, const char *const *words, struct result *out,
                     struct error *err)
{
	struct host host = host_real();
	struct program program = {0};
	SCOPED(arena) struct arena arena = {0};
	char path[FLEET_PATH];
	size_t n = 0, count = frozen->argument_count + 3 * frozen->subject_count + 20;
	const char **argv = arena_alloc(&arena, count, sizeof(*argv));
	fleet_temporary(folder, path);
	if (!argv)
		return error_memory(err);
	argv[n++] = "/proc/self/exe";
	argv[n++] = frozen->command;
	for (size_t i = 0; i < frozen->argument_count; i++)
		argv[n++] = frozen->arguments[i];
	if (options->design)
		argv[n++] = arena_printf(&arena, "--design=%s", options->design);
	for (size_t i = 0; i < options->metrics.count && n + 12 + 3 * frozen->subject_count < count; i++)
		argv[n++] = arena_printf(&arena, "--metric=%s", options->metrics.items[i]);
	int64_t most = PILOT_SECONDS * INT64_C(1000000000);
	argv[n++] = arena_printf(&arena, "--max-time=%lldns",
	                         (long long)(options->max_time && options->max_time < most ? options->max_time : most));
	argv[n++] = arena_printf(&arena, "--json=%s", path);
	argv[n++] = "--no-save";
	argv[n++] = "--quiet";
	argv[n++] = "--on=none";
	for (size_t i = 0; i < frozen->subject_count && frozen->subjects[i].name[0]; i++) {
		argv[n++] = "-n";
		argv[n++] = frozen->subjects[i].name;
	}
	argv[n++] = "--";
	for (size_t i = 0; i < frozen->subject_count; i++)
		argv[n++] = words[i];
	int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	struct program_request request = {.argv = argv, .out = nowhere, .err = STDERR_FILENO, .sweep = true};
	int status = program_start(&host, &request, &program, err);
	while (status == 0 && !program_wait(&host, &program, clock_now(&host) + INT64_C(1000000000)))
		;
	if (status == 0 && (program.code != 0 || program.signal)) {
		status = error_full(err, ERROR_SUBJECT, NULL, "'tare run' or 'tare bench' alone must work here first",
		                    "the pilot failed on this machine");
	}
	program_release(&host, &program);
	if (nowhere >= 0)
		close(nowhere);
	if (status == 0)
		status = import_file(path, NULL, out, err);
	unlink(path);
	return status;
}

/* What suits every comparison: the most general of those that decide. */
static const char *general_metric(const struct result *pilot)
{
	const char *const general[] = {metric_of(METRIC_WALL).name, metric_of(METRIC_NET).name};
	const char *metric = pilot->comparison_count > 0 ? pilot->comparisons[0].metric : "";
	bool same = true;
	for (size_t i = 1; i < pilot->comparison_count; i++)
		same &= strcmp(pilot->comparisons[i].metric, metric) == 0;
	for (size_t g = 0; !same && g < 2; g++)
		for (size_t i = 0; i < pilot->comparison_count; i++)
			if (strcmp(pilot->comparisons[i].metric, general[g]) == 0)
				return general[g];
	return metric;
}

/* The longest warm-up, and the iterations of a run behind it. */
static int freeze_iterations(const struct result *pilot, struct fleet_experiment *frozen, struct error *err)
{
	size_t skip = 0, iterations = 0;
	for (size_t s = 0; s < pilot->subject_count; s++)
		for (size_t m = 0; m < pilot->subjects[s].metric_count; m++) {
			const struct measurement *one = &pilot->subjects[s].metrics[m];
			size_t runs = one->series.depth >= 2 ? one->series.groups[one->series.depth - 2] : 0;
			size_t each = runs > 0 ? one->series.n / runs : 0;
			skip = one->skip > skip && one->skip < each ? one->skip : skip;
			iterations = each > iterations ? each : iterations;
		}
	iterations = iterations > skip ? iterations - skip : 20;
	struct arena *arena = &frozen->arena;
	return add_argument(frozen, arena_printf(arena, "--min-warmup=%zu", skip), err) != 0 ||
	               add_argument(frozen, arena_printf(arena, "--max-warmup=%zu", skip), err) != 0 ||
	               add_argument(frozen, arena_printf(arena, "--iterations=%zu", iterations), err) != 0
	           ? -1
	           : 0;
}

static int freeze_choices(const struct result *pilot, const struct measure_options *options,
                          const struct experiment *experiment, struct fleet_experiment *frozen, struct error *err)
{
	struct arena *arena = &frozen->arena;
	frozen->design = arena_strdup(arena, pilot->design.name ? pilot->design.name : "");
	const char *metric = general_metric(pilot), *turns = strstr(metric, "-turns");
	/* Sizes that were confirmed in turns are of the same metric. */
	frozen->metric = arena_strndup(arena, metric, turns ? (size_t)(turns - metric) : strlen(metric));
	frozen->block = pilot->comparison_count > 0 ? pilot->comparisons[0].block : 0;
	frozen->confidence = experiment_confidence(experiment);
	frozen->margin = experiment->margin;
	frozen->share_margin = experiment->share_margin;
	if (!frozen->design || !frozen->metric ||
	    add_argument(frozen, arena_printf(arena, "--design=%s", frozen->design), err) != 0)
		return error_memory(err);
	if (frozen->metric[0] && add_argument(frozen, arena_printf(arena, "--metric=%s", frozen->metric), err) != 0)
		return -1;
	for (size_t i = frozen->metric[0] ? 1 : 0; i < options->metrics.count && i < 10; i++)
		if (add_argument(frozen, arena_printf(arena, "--metric=%s", options->metrics.items[i]), err) != 0)
			return -1;
	if (strcmp(frozen->command, "bench") == 0)
		return freeze_iterations(pilot, frozen, err);
	long warmup = experiment->warmup >= 0 ? experiment->warmup : WARMUP_RUNS;
	return add_argument(frozen, arena_printf(arena, "--warmup=%ld", warmup), err);
}

/* As many runs as the time holds, in chunks. */
static int freeze_counts(const struct result *pilot, const struct measure_options *options,
                         struct fleet_experiment *frozen, struct error *err)
{
	const struct subject *first = pilot->subject_count > 0 ? &pilot->subjects[0] : NULL;
	const struct series *series = first && first->metric_count > 0 ? &first->metrics[0].series : NULL;
	double rounds = series && series->depth >= 2 ? (double)series->groups[series->depth - 2] : 0;
	if (!(rounds > 0) || !(pilot->elapsed > 0))
		return error_set(err, ERROR_NO_DATA, "the pilot has measured nothing");
	double round = pilot->elapsed / rounds,
		   budget = options->max_time ? (double)options->max_time / 1e9 : BUDGET_SECONDS;
	double runs = options->runs ? (double)options->runs : fmax(LEAST_RUNS, floor(budget / round));
	if (options->max_runs && runs > (double)options->max_runs)
		runs = (double)options->max_runs;
	double total = runs * round, chunks = fmax(1, rint(total / chunk_seconds));
	chunks = fmin(fmin(chunks, runs), FLEET_CHUNKS_MOST);
	frozen->chunks = (size_t)chunks;
	frozen->runs = (size_t)ceil(runs / chunks);
	frozen->seconds = (double)frozen->runs * round;
	/* Units on each machine: ten or more where there are pairs enough, and single pairs where there are not. */
	size_t pairs = frozen->runs * frozen->chunks;
	if (frozen->block > 0 && pairs < 10 * frozen->block)
		frozen->block = pairs < LEAST_PAIRS ? 1 : pairs / 10;
	/* How long a suite of another framework (which does not tell what its clock costs) measures in each process follows
	 * from the time that there is. */
	if (strcmp(frozen->command, "bench") != 0 || first->loop->clock_cost > 0)
		return 0;
	return add_argument(frozen, arena_printf(&frozen->arena, "--max-time=%.0fms", 1500 * frozen->seconds), err);
}

static int draw_order(const struct experiment *experiment, const struct measure_options *options,
                      struct fleet_experiment *frozen, struct error *err)
{
	struct random random;
	frozen->seed = options->seed >= 0 ? experiment->seed : file_unguessable(&syscalls_libc) >> 2;
	frozen->order = arena_alloc(&frozen->arena, frozen->machines_max, sizeof(*frozen->order));
	if (!frozen->order)
		return error_memory(err);
	for (size_t i = 0; i < frozen->machines_max; i++)
		frozen->order[i] = i;
	random_seed(&random, frozen->seed);
	random_shuffle(&random, frozen->order, frozen->machines_max, sizeof(*frozen->order));
	return 0;
}

int fleet_pilot(const struct fleet_folder *folder, const struct command *command, const struct measure_options *options,
                const struct experiment *experiment, int argc, char **argv, struct fleet_experiment *frozen,
                struct error *err)
{
	char directory[FLEET_PATH], now[MOMENT_TEXT];
	const char **words;
	SCOPED(result) struct result pilot = result_empty();
	if (!getcwd(directory, sizeof(directory)))
		return error_system(err, errno, "the present folder has no name");
	frozen->command = command->name;
	frozen->strata = options->strata ? options->strata : "cpu";
	frozen->directory = arena_strdup(&frozen->arena, directory);
	frozen->made = arena_strdup(&frozen->arena, moment_text((int64_t)time(NULL) * 1000, now));
	if (!frozen->directory || !frozen->made)
		return error_memory(err);
	const struct fleet_given given = {command, argc, argv, options, experiment};
	if (fleet_words_take(folder, &given, frozen, &words, err) != 0 || add_tare(folder, frozen, err) != 0 ||
	    draw_order(experiment, options, frozen, err) != 0 ||
	    run_pilot(folder, options, frozen, words, &pilot, err) != 0 ||
	    freeze_choices(&pilot, options, experiment, frozen, err) != 0)
		return -1;
	return freeze_counts(&pilot, options, frozen, err);
}
