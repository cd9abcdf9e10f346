/* Left free, one machine of four may judge by another metric: everything that a session chooses by itself is chosen once,
 * here, and handed to the workers as options. */
#include "cli/fleet_pilot.h"

#include "base/memory.h"
#include "base/random.h"
#include "base/sha256.h"
#include "cli/suite_use.h"
#include "exchange/import.h"
#include "host/clock.h"
#include "host/file.h"
#include "host/program.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	WORDS_MOST = 4000,
	LEAST_RUNS = 10,
	WARMUP_RUNS = 3,
	PILOT_SECONDS = 10,
	BUDGET_SECONDS = 60,
	LEAST_PAIRS = 100
};
static const double chunk_seconds = 450; /* aimed at; a chunk takes 5 to 10 minutes where there is more than one */

/* Options that a worker's tare gets from the pilot, or not at all. */
static bool is_ours(const char *name)
{
	static const char *const names[] = {"on",
	                                    "machines",
	                                    "machines-max",
	                                    "on-option",
	                                    "partition",
	                                    "fleet",
	                                    "detach",
	                                    "json",
	                                    "csv",
	                                    "markdown",
	                                    "html",
	                                    "junit",
	                                    "graph",
	                                    "traces",
	                                    "no-save",
	                                    "name",
	                                    "tag",
	                                    "baseline",
	                                    "gate",
	                                    "max-time",
	                                    "runs",
	                                    "min-runs",
	                                    "max-runs",
	                                    "stop",
	                                    "design",
	                                    "metric",
	                                    "seed",
	                                    "progress",
	                                    "quiet",
	                                    "color",
	                                    "plot",
	                                    "ascii",
	                                    "dry-run",
	                                    "preset",
	                                    "precision",
	                                    "plan",
	                                    "warmup",
	                                    "min-warmup",
	                                    "max-warmup",
	                                    "iterations",
	                                    "command-name",
	                                    "program-name",
	                                    "time-unit",
	                                    "export-json",
	                                    "parameter-scan",
	                                    "parameter-step-size",
	                                    "parameter-list",
	                                    "until",
	                                    "git",
	                                    "build",
	                                    "program",
	                                    "confidence",
	                                    "margin",
	                                    "share-margin"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static size_t values_of(const struct option *option)
{
	return option->kind == OPTION_FLAG ? 0 : option->values > 1 ? (size_t)option->values : 1;
}

static const struct option *option_of(const struct command *command, const char *word, size_t *following)
{
	size_t length = strncmp(word, "--", 2) == 0 ? strcspn(word + 2, "=") : 0;
	for (const struct option *option = command->options; option->name; option++) {
		bool is_long = length > 0 && strlen(option->name) == length && strncmp(option->name, word + 2, length) == 0;
		bool is_short = length == 0 && word[0] == '-' && word[1] && option->letter == word[1];
		if (!is_long && !is_short)
			continue;
		bool inside = is_long ? word[2 + length] == '=' : word[2] != '\0';
		*following = values_of(option) - (inside && values_of(option) > 0);
		return option;
	}
	*following = 0;
	return NULL;
}

/* The user's options that a worker needs as they are. */
static int take_options(const struct command *command, int argc, char **argv, struct fleet_experiment *frozen,
                        struct error *err)
{
	frozen->arguments = arena_alloc(&frozen->arena, (size_t)argc + 32, sizeof(*frozen->arguments));
	if (!frozen->arguments)
		return error_memory(err);
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0;) {
		size_t following;
		const struct option *option = option_of(command, argv[i], &following);
		int end = i + 1 + (int)following;
		for (; option && !is_ours(option->name) && i < end && i < argc; i++)
			frozen->arguments[frozen->argument_count++] = argv[i];
		i = end;
	}
	return 0;
}

static int add_argument(struct fleet_experiment *frozen, const char *text, struct error *err)
{
	if (!text)
		return error_memory(err);
	frozen->arguments[frozen->argument_count++] = text;
	return 0;
}

/* The word that is the program, where it is a file that can be sent. */
static int add_program(const struct fleet_folder *folder, const struct experiment_subject *from,
                       struct fleet_subject *subject, struct fleet_experiment *frozen, struct error *err)
{
	size_t length = strcspn(from->command, " \t\"'");
	char path[FLEET_PATH], hash[SHA256_TEXT];
	struct stat info;
	subject->rest = from->command + length;
	if (length == 0 || length > 3000 || !memchr(from->command, '/', length) || from->command[length] == '"' ||
	    from->command[length] == '\'')
		return 0;
	if (from->command[0] != '/' && from->directory)
		snprintf(path, sizeof(path), "%.900s/%.*s", from->directory, (int)length, from->command);
	else
		snprintf(path, sizeof(path), "%.*s", (int)length, from->command);
	if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) || access(path, X_OK) != 0)
		return 0;
	if (fleet_add_program(folder, path, hash, err) != 0)
		return -1;
	const char *file = strrchr(path, '/');
	file = file ? file + 1 : path;
	struct fleet_program program = {arena_strdup(&frozen->arena, hash), arena_strdup(&frozen->arena, file)};
	if (!program.hash || !program.file)
		return error_memory(err);
	if (program.file[0] == '.' || program.file[0] == '-')
		return 0;
	subject->program = frozen->program_count;
	frozen->programs[frozen->program_count++] = program;
	return 0;
}

static int add_subjects(const struct fleet_folder *folder, const struct measure_options *options,
                        const struct experiment *experiment, const char *file, struct fleet_experiment *frozen,
                        struct error *err)
{
	size_t n = experiment->subject_count;
	frozen->programs = arena_alloc(&frozen->arena, n + 1, sizeof(*frozen->programs));
	frozen->subjects = arena_alloc(&frozen->arena, n, sizeof(*frozen->subjects));
	if (!frozen->programs || !frozen->subjects)
		return error_memory(err);
	if (options->suite) {
		/* The workers read the suite file themselves, where it is. */
		frozen->subjects[0] = (struct fleet_subject){"", file, "", SIZE_MAX};
		frozen->subject_count = 1;
		return 0;
	}
	for (size_t i = 0; i < n; i++) {
		const struct experiment_subject *from = &experiment->subjects[i];
		frozen->subjects[i] = (struct fleet_subject){from->name, from->command, "", SIZE_MAX};
		if (add_program(folder, from, &frozen->subjects[i], frozen, err) != 0)
			return -1;
	}
	frozen->subject_count = n;
	return 0;
}

/* The workers' tare: this one. */
static int add_tare(const struct fleet_folder *folder, struct fleet_experiment *frozen, struct error *err)
{
	char hash[SHA256_TEXT];
	if (fleet_add_program(folder, "/proc/self/exe", hash, err) != 0)
		return -1;
	struct fleet_program tare = {arena_strdup(&frozen->arena, hash), "tare"};
	if (!tare.hash)
		return error_memory(err);
	frozen->programs[frozen->program_count++] = tare;
	return 0;
}

static int run_pilot(const struct fleet_folder *folder, const struct measure_options *options,
                     const struct fleet_experiment *frozen, struct result *out, struct error *err)
{
	struct host host = host_real();
	struct program program = {0};
	struct arena arena = {0};
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
		argv[n++] = frozen->subjects[i].text;
	int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	struct program_request request = {.argv = argv, .out = nowhere, .err = STDERR_FILENO, .sweep = true};
	int status = program_start(&host, &request, &program, err);
	while (status == 0 && !program_wait(&host, &program, clock_now(&host) + INT64_C(1000000000)))
		;
	if (status == 0 && (program.code != 0 || program.signal)) {
		error_set(err, ERROR_SUBJECT, "the pilot failed on this machine");
		status = error_next(err, "try the same without --on");
	}
	program_release(&host, &program);
	if (nowhere >= 0)
		close(nowhere);
	if (status == 0)
		status = import_file(path, NULL, out, err);
	unlink(path);
	arena_release(&arena);
	return status;
}

/* What suits every comparison: the most general of those that decide. */
static const char *metric_of(const struct result *pilot)
{
	static const char *const general[] = {"wall", "net"};
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
	frozen->metric = arena_strdup(arena, metric_of(pilot));
	frozen->block = pilot->comparison_count > 0 ? pilot->comparisons[0].block : 0;
	frozen->confidence = isnan(experiment->confidence) ? 0.99 : experiment->confidence;
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
	if (strcmp(frozen->command, "bench") != 0 || first->clock_cost > 0)
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

/* The command line without what says where: it is followed again by whoever waits. */
static int keep_given(const struct command *command, int argc, char **argv, struct fleet_experiment *frozen,
                      struct error *err)
{
	static const char *const where[] = {"on", "machines", "machines-max", "on-option", "partition", "fleet", "detach"};
	frozen->given = arena_alloc(&frozen->arena, (size_t)argc, sizeof(*frozen->given));
	if (!frozen->given)
		return error_memory(err);
	bool words = false;
	for (int i = 0; i < argc;) {
		size_t following = 0;
		words |= strcmp(argv[i], "--") == 0;
		const struct option *option = i > 0 && !words ? option_of(command, argv[i], &following) : NULL;
		bool left_out = false;
		for (size_t k = 0; option && k < sizeof(where) / sizeof(where[0]); k++)
			left_out |= strcmp(option->name, where[k]) == 0;
		for (size_t k = 0; k <= following && i < argc; k++, i++)
			if (!left_out)
				frozen->given[frozen->given_count++] = argv[i];
	}
	return 0;
}

int fleet_pilot(const struct fleet_folder *folder, const struct command *command, const struct measure_options *options,
                const struct experiment *experiment, int argc, char **argv, struct fleet_experiment *frozen,
                struct error *err)
{
	char directory[FLEET_PATH], now[64];
	const char *file = "";
	struct result pilot;
	time_t seconds = time(NULL);
	struct tm utc;
	if (!getcwd(directory, sizeof(directory)))
		return error_system(err, errno, "the present folder has no name");
	gmtime_r(&seconds, &utc);
	strftime(now, sizeof(now), "%Y-%m-%dT%H:%M:%SZ", &utc);
	frozen->command = command->name;
	frozen->directory = arena_strdup(&frozen->arena, directory);
	frozen->made = arena_strdup(&frozen->arena, now);
	if (options->suite)
		file = arena_printf(&frozen->arena, "%s%s%s", options->suite->file.path[0] == '/' ? "" : directory,
		                    options->suite->file.path[0] == '/' ? "" : "/", options->suite->file.path);
	if (!frozen->directory || !frozen->made || !file)
		return error_memory(err);
	if (keep_given(command, argc, argv, frozen, err) != 0 || take_options(command, argc, argv, frozen, err) != 0 ||
	    add_subjects(folder, options, experiment, file, frozen, err) != 0 || add_tare(folder, frozen, err) != 0 ||
	    draw_order(experiment, options, frozen, err) != 0)
		return -1;
	result_init(&pilot);
	int status = run_pilot(folder, options, frozen, &pilot, err);
	if (status == 0)
		status = freeze_choices(&pilot, options, experiment, frozen, err);
	if (status == 0)
		status = freeze_counts(&pilot, options, frozen, err);
	result_release(&pilot);
	return status;
}
