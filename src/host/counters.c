/* Opening and reading of counters; hybrid machines have one set of counters for each kind of core. */
#include "host/counters.h"

#include "host/proc.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

const struct counter_event counter_hardware_events[COUNTER_HARDWARE_EVENTS] = {
	{"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
	{"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
	{"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
	{"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
	{"cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
	{"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
};

/* The PMU types of the core kinds of a hybrid machine; 0 of them elsewhere. */
static size_t hybrid_types(const struct host *host, int64_t types[COUNTER_KINDS_MAX])
{
	static const char *const kinds[COUNTER_KINDS_MAX] = {"cpu_core", "cpu_atom"};
	size_t n = 0;
	for (size_t i = 0; i < COUNTER_KINDS_MAX; i++) {
		char path[96];
		snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type", kinds[i]);
		if (proc_read_integer(host, path, &types[n]) == 0)
			n++;
	}
	return n;
}

static int open_one(const struct host *host, const struct counter_event *event, int64_t kind, bool *user_only)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = event->type,
		/* The kind of core goes into the upper half of a generic event. */
		.config = event->config | (event->type == PERF_TYPE_HARDWARE ? (uint64_t)kind << 32 : 0),
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
		.disabled = 1,
		.inherit = 1,
		.enable_on_exec = 1,
		.exclude_hv = 1,
		.exclude_kernel = *user_only,
	};
	int fd = host->sys->perf_event_open(&attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0 && (errno == EACCES || errno == EPERM) && !*user_only) {
		attr.exclude_kernel = 1;
		fd = host->sys->perf_event_open(&attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
		if (fd >= 0)
			*user_only = true;
	}
	return fd;
}

static int explain(const struct host *host, int errnum, struct error *err)
{
	int64_t paranoid;
	switch (errnum) {
	case EACCES:
	case EPERM:
		error_system(err, errnum, "no hardware counters: not permitted");
		if (proc_read_integer(host, "/proc/sys/kernel/perf_event_paranoid", &paranoid) == 0 && paranoid > 2)
			return error_next(err, "kernel.perf_event_paranoid is %lld; 2 or less lets users count their programs",
			                  (long long)paranoid);
		return error_next(err, "a container needs the permission perf_event_open (CAP_PERFMON)");
	case ENOSYS:
		return error_set(err, ERROR_SYSTEM, "no hardware counters: the kernel or the container does not offer them");
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
	case EINVAL:
		return error_set(err, ERROR_SYSTEM, "no hardware counters on this machine (most virtual machines hide them)");
	default: return error_system(err, errnum, "no hardware counters");
	}
}

int counters_open(const struct host *host, const struct counter_event *events, size_t count, struct counters *out,
                  struct error *err)
{
	struct counters counters = {.count = count};
	size_t found = hybrid_types(host, counters.kinds);
	int problem = 0;
	bool any = false;
	memcpy(counters.events, events, count * sizeof(*events));
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < COUNTER_KINDS_MAX; k++) {
			bool wanted = k == 0 || (k < found && events[i].type == PERF_TYPE_HARDWARE);
			int fd = wanted ? open_one(host, &events[i], counters.kinds[k], &counters.user_only) : -1;
			if (wanted && fd < 0)
				problem = errno;
			counters.fds[i][k] = fd;
			any = any || fd >= 0;
		}
	if (!any)
		return explain(host, problem, err);
	*out = counters;
	return 0;
}

/* The new one is opened before the old one is closed: the kernel's switches for counting stay on between commands. */
void counters_renew(const struct host *host, struct counters *counters)
{
	for (size_t i = 0; i < counters->count; i++)
		for (size_t k = 0; k < COUNTER_KINDS_MAX; k++) {
			int old = counters->fds[i][k];
			if (old < 0)
				continue;
			counters->fds[i][k] = open_one(host, &counters->events[i], counters->kinds[k], &counters->user_only);
			host->sys->close(old);
		}
}

void counters_release(const struct host *host, struct counters *counters)
{
	for (size_t i = 0; i < counters->count; i++)
		for (size_t k = 0; k < COUNTER_KINDS_MAX; k++)
			if (counters->fds[i][k] >= 0)
				host->sys->close(counters->fds[i][k]);
	memset(counters, 0, sizeof(*counters));
}

void counters_read(const struct host *host, const struct counters *counters, struct counter_value *out)
{
	for (size_t i = 0; i < counters->count; i++) {
		out[i] = (struct counter_value){0, 0, 0};
		for (size_t k = 0; k < COUNTER_KINDS_MAX; k++) {
			struct counter_value part; /* in the order of read_format */
			if (counters->fds[i][k] < 0 ||
			    host->sys->read(counters->fds[i][k], &part, sizeof(part)) != (ssize_t)sizeof(part))
				continue;
			out[i].count += part.count;
			/* Every kind is enabled all the time, and runs while the command is on such a core. */
			if (part.enabled > out[i].enabled)
				out[i].enabled = part.enabled;
			out[i].running += part.running;
		}
	}
}

int counter_difference(const struct counter_value *before, const struct counter_value *after, int64_t *count,
                       double *share)
{
	if (after->running <= before->running || after->count < before->count)
		return -1;
	uint64_t raw = after->count - before->count;
	uint64_t enabled = after->enabled - before->enabled, running = after->running - before->running;
	if (running >= enabled) {
		*share = 1;
		*count = (int64_t)raw;
		return 0;
	}
	*share = (double)running / (double)enabled;
	*count = (int64_t)((double)raw / *share + 0.5);
	return 0;
}
