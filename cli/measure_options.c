#include "cli/measure_options.h"

#include "base/parse.h"
#include "decide/stable.h"
#include "exchange/graph_yaml.h"
#include "exchange/plan_document.h"
#include "machine/fingerprint.h"
#include "report/plots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One of ours by its name, or the criteria of Laaber et al. (2020), joined. */
static int set_stop(struct experiment *experiment, const char *name, struct error *err)
{
	struct stable_options stable;
	for (int rule = STOP_AUTO; rule < STOP_STABLE; rule++) {
		if (strcmp(stop_rule_name((enum stop_rule)rule), name) == 0) {
			experiment->stop = (enum stop_rule)rule;
			return 0;
		}
	}
	stable_options_init(&stable);
	if (stable_options_parse(&stable, name, err) != 0) {
		error_on(err, "--stop");
		return error_next(
			err,
			"choose auto, precision, verdict or fixed; for benchmarks in programs also cv, rciw, kld, rciw+kld, cv@0.02");
	}
	experiment->stop = STOP_STABLE;
	experiment->bench.stability.rule = name;
	return 0;
}

/* "1,3-5" → 1 3 4 5 */
static int parse_cpus(const char *text, struct experiment *experiment, struct error *err)
{
	enum { MOST = 4096 };
	int *cpus = arena_alloc(&experiment->arena, MOST, sizeof(*cpus));
	if (!cpus)
		return error_memory(err);
	size_t count = 0;
	const char *at = text;
	do {
		char *end;
		long first = strtol(at, &end, 10), last = first;
		if (end == at)
			goto bad;
		if (*end == '-') {
			at = end + 1;
			last = strtol(at, &end, 10);
			if (end == at)
				goto bad;
		}
		if (first < 0 || last < first || last >= MOST || (*end && *end != ','))
			goto bad;
		for (long cpu = first; cpu <= last && count < MOST; cpu++)
			cpus[count++] = (int)cpu;
		at = *end ? end + 1 : end;
	} while (*at);
	experiment->cpus = cpus;
	experiment->cpu_count = count;
	return 0;
bad:
	return error_full(err, ERROR_USAGE, "--cpus", "write it like 1 or 0,2-3", "'%.60s' is not a list of CPUs", text);
}

int measure_parse_codes(const char *text, const char *option, struct arena *arena, int **codes, size_t *count,
                        struct error *err)
{
	enum { MOST = 256 };
	int *found = arena_alloc(arena, MOST, sizeof(*found));
	char *copy = arena_strdup(arena, text), *rest = copy;
	size_t n = 0;
	if (!found || !copy)
		return error_memory(err);
	for (char *word; (word = strsep(&rest, ",")) != NULL;) {
		int64_t code;
		if (parse_integer(word, 0, 255, &code, err) != 0 ||
		    (n == MOST && error_set(err, ERROR_USAGE, "more than %d exit codes", MOST)))
			return error_on(err, "%s", option);
		found[n++] = (int)code;
	}
	*codes = found;
	*count = n;
	return 0;
}

int measure_parse_welcome(const char *text, struct arena *arena, struct welcome *out, struct error *err)
{
	int *codes = NULL;
	*out = (struct welcome){.alike = text && (text[0] == '\0' || strcmp(text, "all-non-zero") == 0)};
	if (!text || out->alike)
		return 0;
	if (measure_parse_codes(text, "--ignore-failure", arena, &codes, &out->code_count, err) != 0)
		return -1;
	out->codes = codes;
	return 0;
}

const char *measure_shell(const char *given)
{
	if (!given || strcmp(given, "none") == 0)
		return NULL;
	return strcmp(given, "default") == 0 ? "sh" : given;
}

int measure_parse_confidence(const char *text, double *out, struct error *err)
{
	double fraction;
	if (parse_percent(text, &fraction, err) != 0)
		return error_on(err, "--confidence");
	if (fraction > 0 && fraction <= 0.01)
		return error_full(err, ERROR_USAGE, "--confidence", "write it in per cent, like 99",
		                  "'%.20s' means %.20s per cent", text, text);
	if (!(fraction > 0.5 && fraction < 1)) { /* "same" is asked at twice its alpha */
		return error_full(err, ERROR_USAGE, "--confidence", NULL, "must be above 50 and under 100 per cent");
	}
	*out = fraction;
	return 0;
}

/* Pilot's presets (docs/methods.md, "Sessions of readings, and of work amounts") with our intervals: how sure, how
 * narrow, how long. Options given beside it win. A session of performance indices has its own numbers for them
 * (decide/readings.h). */
static void apply_preset(const char *preset, struct experiment *experiment)
{
	experiment->confidence = 0.95;
	experiment->preset = strcmp(preset, "quick") == 0    ? PRESET_QUICK
	                     : strcmp(preset, "strict") == 0 ? PRESET_STRICT
	                                                     : PRESET_NORMAL;
	if (strcmp(preset, "quick") == 0) {
		experiment->precision = experiment->margin = 0.025;
		experiment->min_runs = 5;
		experiment->max_time = INT64_C(10000000000);
	} else if (strcmp(preset, "strict") == 0) {
		experiment->precision = experiment->margin = 0.005;
		experiment->max_time = INT64_C(300000000000);
	}
}

/* --monitor and what goes with it; any of the others means it. */
static int apply_monitor(const struct measure_options *options, struct experiment *experiment, struct error *err)
{
	struct experiment_monitor *monitor = &experiment->monitor;
	monitor->wanted = options->monitor || options->cut || !isnan(options->limit) || options->hold ||
	                  !isnan(options->monitor_rate) || !isnan(options->monitor_overhead) || options->plugins.count ||
	                  options->remotes.count || options->components || options->out.graph || options->out.traces;
	monitor->plugins = options->plugins.items;
	monitor->plugin_count = options->plugins.count;
	monitor->remotes = options->remotes.items;
	monitor->remote_count = options->remotes.count;
	monitor->cut = options->cut;
	if (!isnan(options->limit))
		monitor->limit = options->limit;
	if (options->hold)
		monitor->hold = options->hold;
	if (!isnan(options->monitor_rate))
		monitor->rate = options->monitor_rate;
	if (!isnan(options->monitor_overhead))
		monitor->overhead = options->monitor_overhead;
	if (!options->components)
		return 0;
	struct graph *graph = arena_alloc(&experiment->arena, 1, sizeof(*graph));
	if (!graph)
		return error_memory(err);
	monitor->components = graph;
	return graph_yaml_read(options->components, &experiment->arena, graph, &monitor->replace, err);
}

int measure_options_apply(const struct measure_options *options, struct experiment *experiment, struct error *err)
{
	if (options->preset)
		apply_preset(options->preset, experiment);
	if (options->confidence && measure_parse_confidence(options->confidence, &experiment->confidence, err) != 0)
		return -1;
	if (options->cpus && parse_cpus(options->cpus, experiment, err) != 0)
		return -1;
	if (options->plot && plots_check(options->plot, err) != 0)
		return -1;
	if (options->runs && (options->min_runs || options->max_runs))
		return error_set(err, ERROR_USAGE, "--runs and --min-runs or --max-runs contradict each other");
	if (options->min_runs && options->max_runs && options->min_runs > options->max_runs)
		return error_set(err, ERROR_USAGE, "--min-runs is more than --max-runs");
	if (options->runs && options->stop && strcmp(options->stop, "fixed") != 0)
		return error_set(err, ERROR_USAGE, "--runs fixes the number of runs; it goes with --stop fixed alone");
	if (options->design)
		experiment->design = options->design;
	if (options->stop && set_stop(experiment, options->stop, err) != 0)
		return -1;
	experiment->stop_given = options->stop != NULL;
	if (options->runs)
		experiment->stop = STOP_FIXED;
	experiment->metrics = options->metrics.items;
	experiment->metric_count = options->metrics.count;
	experiment->precision_given = !isnan(options->precision);
	experiment->min_runs_given = options->min_runs > 0;
	if (!isnan(options->precision))
		experiment->precision = options->precision;
	if (!isnan(options->margin))
		experiment->margin = options->margin;
	if (!isnan(options->share_margin))
		experiment->share_margin = options->share_margin;
	experiment->gate = options->gate;
	experiment->until_total = options->until && strcmp(options->until, "total") == 0;
	/* A number of runs takes as long as it takes: the time of a preset does not cut it. */
	if (options->max_time || options->runs)
		experiment->max_time = options->max_time;
	experiment->max_time_asked = options->max_time;
	experiment->max_time_given = options->max_time > 0;
	experiment->timeout = options->timeout ? options->timeout : INT64_C(600000000000);
	if (options->min_runs)
		experiment->min_runs = (size_t)options->min_runs;
	experiment->max_runs = (size_t)options->max_runs;
	experiment->runs = (size_t)options->runs;
	experiment->name = options->name;
	if (apply_monitor(options, experiment, err) != 0)
		return -1;
	if (options->seed >= 0)
		experiment->seed = (uint64_t)options->seed;
	return 0;
}

/* ---- --plan ---- */

/* How this machine differs from the plan's, as "CPU …" or "kernel …"; NULL: it does not. */
static const char *difference(const struct calibration_machine *then, const struct calibration_machine *now,
                              struct arena *arena)
{
	const char *cpu = then->cpu ? then->cpu : "", *kernel = then->kernel ? then->kernel : "";
	if (strcmp(cpu, now->cpu) != 0 || then->cpus != now->cpus)
		return arena_printf(arena, "%ld CPUs %.100s there, %ld CPUs %.100s here", then->cpus, cpu, now->cpus, now->cpu);
	if (strcmp(kernel, now->kernel) != 0)
		return arena_printf(arena, "kernel %.100s there, %.100s here", kernel, now->kernel);
	return "another kind of virtual machine or CPU quota";
}

static int compare_machines(struct repeat_plan *plan, struct error *err)
{
	struct calibration_machine here, *then = &plan->machine;
	struct host host = host_real();
	then->virtual_ = then->virtual_ ? then->virtual_ : "";
	then->cpu = then->cpu ? then->cpu : "";
	then->kernel = then->kernel ? then->kernel : "";
	if (fingerprint_read(&host, &plan->arena, &here, err) != 0)
		return -1;
	if (!fingerprint_same(then, &here))
		plan->elsewhere = difference(then, &here, &plan->arena);
	return 0;
}

int measure_follow_plan(const char *path, struct repeat_plan *plan, bool stop_given, bool time_given,
                        struct experiment *experiment, struct error *err)
{
	if (!path)
		return 0;
	if (plan_document_read(path, plan, err) != 0 || compare_machines(plan, err) != 0)
		return -1;
	experiment->plan = plan;
	if (stop_given || experiment->runs)
		return 0;
	if (isfinite(plan->budget)) {
		/* What the time holds, decided before: an interval without looks. */
		experiment->stop = STOP_FIXED;
		if (!time_given)
			experiment->max_time = (int64_t)(plan->budget * 1e9);
		return 0;
	}
	experiment->stop = STOP_PRECISION;
	if (!experiment->precision_given)
		experiment->precision = plan->precision;
	return 0;
}
