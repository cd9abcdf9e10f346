#include "monitor/watch.h"

#include "base/array.h"
#include "base/memory.h"
#include "host/clock.h"
#include "host/proc.h"
#include "monitor/graph.h"
#include "monitor/internal.h"
#include "monitor/paths.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const double default_rate = 10; /* samples per second */
static const double learning_rate = 50;

struct watch {
	const struct experiment *experiment;
	struct host host;
	struct monitor *monitor;
	int generations;
	bool beside; /* a thread samples while trials run */
	bool has_spare, bound;
	struct cpuset spare, measured;
	double rate;
	char way[96];
	struct arena arena; /* of the graph */
	struct graph graph;
	int64_t begin;
	double *runs; /* seconds after `begin` */
	size_t run_count, run_capacity;
	int64_t last;  /* instant of the last sample between trials */
	double wanted; /* share of a CPU that the commands used or waited for in the trial rounds; NaN: not known */
};

/* Capacities of the user's graph, plug-ins, other machines. */
static int add_helpers(struct watch *watch, struct error *err)
{
	const struct experiment_monitor *asked = &watch->experiment->monitor;
	for (size_t i = 0; asked->components && i < asked->components->link_count; i++) {
		const struct graph_link *link = &asked->components->links[i];
		const char *dot = link->gauge ? strrchr(link->gauge, '.') : NULL;
		char component[GAUGE_NAME];
		if (!dot || isnan(link->capacity))
			continue;
		snprintf(component, sizeof(component), "%.*s", (int)(dot - link->gauge), link->gauge);
		monitor_set_capacity(watch->monitor, component, dot + 1, link->capacity, "the user's file");
	}
	for (size_t i = 0; i < asked->plugin_count; i++)
		if (monitor_add_plugin(watch->monitor, asked->plugins[i], err) != 0)
			return -1;
	for (size_t i = 0; i < asked->remote_count; i++)
		if (monitor_add_remote(watch->monitor, asked->remotes[i], err) != 0)
			return -1;
	return 0;
}

int watch_open(const struct experiment *experiment, int generations, struct watch **out, struct error *err)
{
	*out = NULL;
	if (!experiment->monitor.wanted)
		return 0;
	struct watch *watch = mem_zalloc(1, sizeof(*watch));
	if (!watch)
		return error_memory(err);
	struct monitor_options options = monitor_defaults();
	options.limit = experiment->monitor.limit;
	options.hold = (double)experiment->monitor.hold / 1e9;
	watch->experiment = experiment;
	watch->host = host_real();
	watch->generations = generations;
	watch->monitor = monitor_open(&watch->host, &options, err);
	if (!watch->monitor) {
		mem_free(watch);
		return -1;
	}
	*out = watch;
	if (add_helpers(watch, err) == 0)
		return 0;
	watch_close(watch);
	*out = NULL;
	return -1;
}

void watch_close(struct watch *watch)
{
	if (!watch)
		return;
	monitor_close(watch->monitor);
	arena_release(&watch->arena);
	mem_free(watch->runs);
	mem_free(watch);
}

/* This process, and those of its descendants that are running already and start the commands. */
static void seed(struct watch *watch, pid_t pid, int generations)
{
	pid_t children[SEEDS_MAX];
	monitor_watch(watch->monitor, pid, generations);
	if (generations <= 1)
		return;
	int count = proc_children(&watch->host, pid, children, SEEDS_MAX);
	for (int i = 0; i < count; i++)
		seed(watch, children[i], generations - 1);
}

int watch_learn(struct watch *watch, struct error *err)
{
	if (!watch)
		return 0;
	seed(watch, getpid(), watch->generations);
	monitor_look_at_files(watch->monitor, true);
	monitor_look_at_memory(watch->monitor, true);
	/* Marks begin here: time before the first trial counts for nothing. */
	monitor_trial(watch->monitor, false);
	monitor_begin(watch->monitor, (int64_t)(1e9 / learning_rate));
	watch->beside = true;
	return monitor_run(watch->monitor, NULL, err);
}

/* The ways from the commands to what they use. */
static int find_components(struct watch *watch, struct error *err)
{
	const struct experiment *e = watch->experiment;
	const char **commands = mem_zalloc(e->subject_count + 1, sizeof(*commands));
	if (!commands)
		return error_memory(err);
	for (size_t i = 0; i < e->subject_count; i++)
		commands[i] = e->subjects[i].command;
	int status = e->monitor.replace ? 0
	                                : graph_discover(&watch->host, watch->monitor, commands, e->subject_count,
	                                                 &watch->graph, &watch->arena, err);
	mem_free(commands);
	for (size_t i = 0; i < e->monitor.remote_count && status == 0 && !e->monitor.replace; i++)
		status = paths_add_host(&watch->host, e->monitor.remotes[i], e->monitor.remotes[i], 0, &watch->graph,
		                        &watch->arena, err);
	if (status == 0 && e->monitor.components)
		status = graph_extend(&watch->graph, e->monitor.components, &watch->arena, err);
	return status;
}

int watch_learnt(struct watch *watch, struct error *err)
{
	if (!watch)
		return 0;
	monitor_rest(watch->monitor);
	monitor_sample(watch->monitor, true);
	monitor_look_at_files(watch->monitor, false);
	monitor_look_at_memory(watch->monitor, false);
	int wanted = gauges_find(&watch->monitor->gauges, "cpu", "wanted");
	watch->wanted = wanted == GAUGES_NONE ? NAN : gauge_mean(&watch->monitor->gauges.gauges[wanted]);
	watch->beside = false;
	return find_components(watch, err);
}

/* Which CPUs nothing is measured on. */
static void find_spare(struct watch *watch, const int *cpus, size_t count, bool bound)
{
	struct cpuset allowed = {0};
	memset(&watch->measured, 0, sizeof(watch->measured));
	memset(&watch->spare, 0, sizeof(watch->spare));
	for (size_t i = 0; i < count; i++)
		cpuset_add(&watch->measured, cpus[i]);
	watch->bound = bound && count > 0;
	if (cpuset_of_process(&watch->host, 0, &allowed, NULL) != 0 || count == 0)
		return;
	for (int cpu = cpuset_next(&allowed, 0); cpu >= 0; cpu = cpuset_next(&allowed, cpu + 1))
		if (!cpuset_has(&watch->measured, cpu))
			cpuset_add(&watch->spare, cpu);
	watch->has_spare = cpuset_count(&watch->spare) > 0;
}

static void say_way(struct watch *watch)
{
	char list[48];
	if (!watch->beside)
		snprintf(watch->way, sizeof(watch->way), "between runs, because no CPU is left to watch from");
	else if (watch->has_spare)
		snprintf(watch->way, sizeof(watch->way), "on CPU %s at %.4g Hz",
		         cpuset_format(&watch->spare, list, sizeof(list)), watch->rate);
	else
		snprintf(watch->way, sizeof(watch->way), "beside the runs at %.4g Hz, as requested", watch->rate);
}

int watch_begin(struct watch *watch, const int *cpus, size_t count, bool bound, double rate, struct error *err)
{
	if (!watch)
		return 0;
	find_spare(watch, cpus, count, bound);
	/* Where nothing is free a thread would disturb what is measured: only if the user wants it so. */
	watch->beside = watch->has_spare || watch->experiment->monitor.rate > 0;
	watch->rate = rate > 0                              ? rate
	              : watch->experiment->monitor.rate > 0 ? watch->experiment->monitor.rate
	                                                    : default_rate;
	say_way(watch);
	monitor_again(watch->monitor, (int64_t)(1e9 / watch->rate));
	watch->begin = watch->last = clock_now(&watch->host);
	return watch->beside ? monitor_run(watch->monitor, watch->has_spare ? &watch->spare : NULL, err) : 0;
}

bool watch_beside(const struct watch *watch)
{
	return watch && watch->beside;
}

bool watch_apart(const struct watch *watch)
{
	return watch_beside(watch) && watch->has_spare;
}

/* Between trials: at most at the rate, so that many short trials are not slowed down. */
static bool due(const struct watch *watch)
{
	return !watch->beside && watch->way[0] &&
	       (double)(clock_now(&watch->host) - watch->last) * 1e-9 * watch->rate >= 0.5;
}

void watch_trial_begins(struct watch *watch)
{
	if (!watch)
		return;
	if (due(watch)) {
		monitor_sample(watch->monitor, true);
		watch->last = clock_now(&watch->host);
	}
	monitor_trial(watch->monitor, true);
}

void watch_trial_ends(struct watch *watch, double used, double waited)
{
	if (!watch)
		return;
	monitor_trial(watch->monitor, false);
	if (watch->beside || !watch->way[0])
		return;
	/* The runs themselves tell what no thread could watch. */
	if (!isnan(used))
		monitor_note(watch->monitor, "cpu", "wanted", GAUGE_USE,
		             fmin(isnan(waited) ? fmax(used, watch->wanted) : used + waited, 1));
	if (due(watch)) {
		monitor_sample(watch->monitor, true);
		watch->last = clock_now(&watch->host);
	}
}

int watch_round(struct watch *watch, struct error *err)
{
	if (!watch)
		return 0;
	if (array_reserve(&watch->runs, &watch->run_capacity, watch->run_count + 1) != 0)
		return error_memory(err);
	watch->runs[watch->run_count++] = (double)(clock_now(&watch->host) - watch->begin) / 1e9;
	return 0;
}

void watch_pause(struct watch *watch)
{
	if (watch)
		monitor_rest(watch->monitor);
}

int watch_resume(struct watch *watch, double rate, struct error *err)
{
	if (!watch || !watch->beside)
		return 0;
	watch->rate = rate;
	say_way(watch);
	watch->monitor->period = (int64_t)(1e9 / rate);
	return monitor_run(watch->monitor, watch->has_spare ? &watch->spare : NULL, err);
}

int watch_again(struct watch *watch, double rate, struct error *err)
{
	if (!watch)
		return 0;
	monitor_rest(watch->monitor);
	monitor_again(watch->monitor, (int64_t)(1e9 / rate));
	watch->begin = watch->last = clock_now(&watch->host);
	watch->run_count = 0;
	return watch_resume(watch, rate, err);
}

double watch_cost(const struct watch *watch)
{
	return watch ? monitor_cost(watch->monitor) : NAN;
}

static int store(struct watch *watch, struct result *result, struct error *err)
{
	struct monitoring *out = &result->monitoring;
	struct monitor_question question = {.cut = watch->experiment->monitor.cut,
	                                    .pinned = watch->bound ? &watch->measured : NULL};
	if (graph_extend(&out->graph, &watch->graph, &result->arena, err) != 0)
		return -1;
	/* The strings of the graph live on in the result. */
	arena_adopt(&result->arena, &watch->arena);
	if (monitor_end(watch->monitor, &question, &result->arena, out, err) != 0 ||
	    graph_fill(watch->monitor, out, &result->arena, err) != 0)
		return -1;
	out->where = arena_strdup(&result->arena, watch->way);
	out->rate = watch->beside ? watch->rate : NAN;
	if (!watch->beside)
		out->overhead_why = "nothing was sampled while a trial ran";
	else if (isnan(out->overhead) && !out->overhead_why)
		out->overhead_why = "not measured";
	out->runs = arena_alloc(&result->arena, watch->run_count + 1, sizeof(double));
	if (!out->where || !out->runs)
		return error_memory(err);
	if (watch->run_count)
		memcpy(out->runs, watch->runs, watch->run_count * sizeof(double));
	out->run_count = watch->run_count;
	return 0;
}

int watch_end(struct watch *watch, struct result *result, struct error *err)
{
	if (!watch || !watch->way[0])
		return 0;
	monitor_rest(watch->monitor);
	if (!watch->beside)
		monitor_sample(watch->monitor, true);
	if (store(watch, result, err) != 0)
		return -1;
	const struct monitoring *out = &result->monitoring;
	if (out->verdict == MONITOR_INVALID)
		return result_warn(result, "bottleneck", "not valid: %s", out->text) == 0 ? 0 : error_memory(err);
	if (out->verdict == MONITOR_NOTHING && out->cut)
		return result_warn(result, "no-bottleneck", "%s", out->text) == 0 ? 0 : error_memory(err);
	return 0;
}
