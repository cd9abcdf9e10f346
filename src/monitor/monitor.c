#include "monitor/internal.h"

#include "base/memory.h"
#include "host/clock.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct sampler *const samplers[] = {
	&sampler_cpu,    &sampler_pressure, &sampler_memory,  &sampler_disk,  &sampler_net,
	&sampler_cgroup, &sampler_files,    &sampler_process, &sampler_touch, &sampler_plugin,
};
enum { SAMPLERS = sizeof(samplers) / sizeof(samplers[0]) };

struct monitor_options monitor_defaults(void)
{
	return (struct monitor_options){.limit = 0.8, .hold = 1};
}

void monitor_say_unseen(struct monitor *monitor, const char *format, ...)
{
	va_list args;
	if (monitor->unseen_count == MONITOR_UNSEEN)
		return;
	va_start(args, format);
	vsnprintf(monitor->unseen[monitor->unseen_count++], MONITOR_LINE, format, args);
	va_end(args);
}

void monitor_cannot_see(struct monitor *monitor, const char *what, const char *path, int errnum)
{
	if (errnum == ENOENT || errnum == ENOTDIR)
		monitor_say_unseen(monitor, "%s: there is no %s", what, path);
	else if (errnum == EACCES || errnum == EPERM)
		monitor_say_unseen(monitor, "%s: %s may not be read", what, path);
	else
		monitor_say_unseen(monitor, "%s: %s cannot be read (%s)", what, path, strerror(errnum));
}

const char *monitor_unseen(const struct monitor *monitor, size_t index)
{
	return index < monitor->unseen_count ? monitor->unseen[index] : NULL;
}

/* Readers that were never opened must not close descriptor 0. */
static void mark_closed(struct monitor *monitor)
{
	struct reader *all[] = {&monitor->cpu.stat,      &monitor->memory.info,   &monitor->memory.events,
	                        &monitor->disk.file,     &monitor->net.file,      &monitor->cgroup.cpu_stat,
	                        &monitor->cgroup.usage,  &monitor->cgroup.memory, &monitor->cgroup.io_operations,
	                        &monitor->files.network, &monitor->process.newest};
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		all[i]->fd = -1;
	for (int i = 0; i < MONITOR_PRESSURES; i++)
		monitor->cpu.pressures[i].file.fd = -1;
	for (int i = 0; i < MONITOR_IO_GROUPS; i++)
		monitor->cgroup.io[i].fd = -1;
}

double monitor_capacity(const struct monitor *monitor, const char *component, const char *quantity)
{
	for (int i = 0; i < monitor->capacity_count; i++)
		if (strcmp(monitor->capacities[i].component, component) == 0 &&
		    strcmp(monitor->capacities[i].quantity, quantity) == 0)
			return monitor->capacities[i].value;
	return NAN;
}

void monitor_set_capacity(struct monitor *monitor, const char *component, const char *quantity, double value,
                          const char *by)
{
	if (monitor->capacity_count == CAPACITIES_MAX || !(value > 0) ||
	    !isnan(monitor_capacity(monitor, component, quantity)))
		return;
	struct capacity *one = &monitor->capacities[monitor->capacity_count++];
	snprintf(one->component, sizeof(one->component), "%s", component);
	snprintf(one->quantity, sizeof(one->quantity), "%s", quantity);
	snprintf(one->by, sizeof(one->by), "%s", by);
	one->value = value;
}

struct monitor *monitor_open(const struct host *host, const struct monitor_options *options, struct error *err)
{
	enum { SPARE_GAUGES = 512 }; /* for the command, plug-ins and what the user's graph names */
	struct monitor *monitor = mem_zalloc(1, sizeof(*monitor));
	int capacity = SPARE_GAUGES;
	if (!monitor) {
		error_memory(err);
		return NULL;
	}
	monitor->host = host;
	monitor->options = *options;
	monitor->stop = -1;
	mark_closed(monitor);
	monitor->sampled = mem_zalloc(SAMPLERS, sizeof(*monitor->sampled));
	monitor->turns = mem_zalloc(SAMPLERS, sizeof(*monitor->turns));
	bool failed = !monitor->sampled || !monitor->turns;
	if (failed)
		error_memory(err);
	for (int i = 0; i < SAMPLERS && !failed; i++) {
		failed = samplers[i]->open(monitor, err) != 0;
		capacity += failed ? 0 : samplers[i]->gauge_count(monitor);
	}
	if (!failed)
		failed = gauges_init(&monitor->gauges, capacity, options->limit, err) != 0;
	if (!failed && !(monitor->readings = mem_zalloc((size_t)capacity, sizeof(*monitor->readings))))
		failed = error_memory(err) != 0;
	if (failed) {
		monitor_close(monitor);
		return NULL;
	}
	for (int i = 0; i < SAMPLERS; i++)
		samplers[i]->name_gauges(monitor);
	return monitor;
}

void monitor_close(struct monitor *monitor)
{
	if (!monitor)
		return;
	monitor_rest(monitor);
	for (int i = 0; i < SAMPLERS; i++)
		samplers[i]->close(monitor);
	gauges_release(&monitor->gauges);
	mem_free(monitor->readings);
	mem_free(monitor->sampled);
	mem_free(monitor->turns);
	mem_free(monitor);
}

static void take_turn(struct monitor *monitor, int sampler, double seconds)
{
	monitor->reading = ++monitor->turns[sampler];
	samplers[sampler]->sample(monitor, seconds);
	monitor->sampled[sampler] = monitor->now;
}

void monitor_begin(struct monitor *monitor, int64_t period)
{
	enum { LEAST_SLOT = 10 * 1000000 };
	monitor->period = period;
	monitor->now = clock_now(monitor->host);
	for (int i = 0; i < SAMPLERS; i++)
		take_turn(monitor, i, 0);
	gauges_begin(&monitor->gauges, monitor->now, period > LEAST_SLOT ? period : LEAST_SLOT);
}

bool monitor_in_trial(const struct monitor *monitor)
{
	return !monitor->marked || atomic_load(&monitor->trial_since) != 0;
}

/* ns of trials until `now`. */
static int64_t active_until(const struct monitor *monitor, int64_t now)
{
	int64_t since = atomic_load(&monitor->trial_since);
	return atomic_load(&monitor->trial_total) + (since && now > since ? now - since : 0);
}

void monitor_trial(struct monitor *monitor, bool begins)
{
	int64_t now = clock_now(monitor->host), since = atomic_load(&monitor->trial_since);
	if (!monitor->marked) /* a thread may read it: it is written once, before there is one */
		monitor->marked = true;
	if (begins) {
		atomic_store(&monitor->trial_since, now);
	} else if (since) {
		atomic_fetch_add(&monitor->trial_total, now - since);
		atomic_store(&monitor->trial_since, 0);
	}
}

/* Whether most of the time since the last sample belongs to trials. */
static bool time_counts(struct monitor *monitor)
{
	int64_t active = active_until(monitor, monitor->now), of_trials = active - monitor->active_before;
	monitor->active_before = active;
	return !monitor->marked || 2 * of_trials > monitor->now - monitor->gauges.last;
}

void monitor_sample(struct monitor *monitor, bool boundary)
{
	int64_t cpu_before = clock_thread_cpu(monitor->host);
	monitor->now = clock_now(monitor->host);
	monitor->boundary = boundary;
	for (int i = 0; i < SAMPLERS; i++) {
		int64_t since = monitor->now - monitor->sampled[i], least = samplers[i]->least;
		/* At the edge of a trial a coarse reading of this trial says more than a fine one of others. A period is
		 * allowed to be a little short: a timer is never exact. */
		if (since < (boundary ? least * 2 / 5 : least - least / 10))
			continue;
		take_turn(monitor, i, (double)since / 1e9);
	}
	gauges_commit(&monitor->gauges, monitor->now, time_counts(monitor));
	monitor->cpu_spent += clock_thread_cpu(monitor->host) - cpu_before;
	monitor->samples++;
}

void monitor_again(struct monitor *monitor, int64_t period)
{
	/* What processes do is seen anew or not at all. */
	process_forget(monitor);
	monitor_begin(monitor, period);
	monitor->active_before = active_until(monitor, monitor->now);
}

void monitor_note(struct monitor *monitor, const char *component, const char *quantity, enum gauge_kind kind,
                  double value)
{
	gauges_set(&monitor->gauges, gauges_add(&monitor->gauges, component, quantity, "", kind), value);
}

size_t monitor_readings(struct monitor *monitor, const struct gauge_reading **out)
{
	for (int i = 0; i < monitor->gauges.count; i++) {
		const struct gauge *gauge = &monitor->gauges.gauges[i];
		monitor->readings[i] = (struct gauge_reading){gauge->component, gauge->quantity, gauge->unit,
		                                              gauge->kind,      gauge->value,    gauge->peak};
	}
	*out = monitor->readings;
	return (size_t)monitor->gauges.count;
}

size_t monitor_recent(const struct monitor *monitor, size_t index, double *out, size_t most)
{
	float recent[GAUGES_RING];
	size_t count = gauges_recent(&monitor->gauges, (int)index, recent), first = count > most ? count - most : 0;
	for (size_t i = first; i < count; i++)
		out[i - first] = recent[i];
	return count - first;
}

double monitor_cost(const struct monitor *monitor)
{
	return monitor->samples ? (double)(monitor->cpu_spent - monitor->touch.cpu_spent) / 1e9 / (double)monitor->samples
	                        : NAN;
}
