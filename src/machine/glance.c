/* Reading of the counters that the kernel keeps since boot. */
#include "machine/glance.h"

#include "host/clock.h"
#include "host/proc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCAN_TIME = 300000000 /* ns for a look at all processes */ };

/* /proc/uptime ("12345.67 …") rather than our clock: a snapshot of a machine has its own time. */
static int64_t read_time(const struct host *host)
{
	char text[64], *end;
	if (proc_read_line(host, "/proc/uptime", text, sizeof(text)) <= 0)
		return clock_now(host);
	long long seconds = strtoll(text, &end, 10);
	long hundredths = *end == '.' ? strtol(end + 1, NULL, 10) : 0;
	return seconds * 1000000000 + hundredths * 10000000;
}

/* The total of "some avg10=0.00 avg60=0.00 avg300=0.00 total=535617567". */
static int64_t read_pressure(const struct host *host, const char *path)
{
	char text[256];
	if (proc_read_line(host, path, text, sizeof(text)) <= 0)
		return -1;
	const char *total = strncmp(text, "some ", 5) == 0 ? strstr(text, "total=") : NULL;
	return total ? strtoll(total + 6, NULL, 10) : -1;
}

/* The number after "key " at the start of a line, or -1. */
static int64_t number_of(const char *text, const char *key)
{
	size_t length = strlen(key);
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, length) == 0 && line[length] == ' ')
			return strtoll(line + length, NULL, 10);
	}
	return -1;
}

static int64_t read_swapped(const struct host *host)
{
	char text[16384];
	if (proc_read(host, "/proc/vmstat", text, sizeof(text)) <= 0)
		return -1;
	int64_t in = number_of(text, "pswpin"), out = number_of(text, "pswpout");
	return in >= 0 && out >= 0 ? in + out : -1;
}

/* What core and package report together; Intel's processors have the files. */
static void read_throttled(const struct host *host, const struct cpuset *online, int64_t out[CPUSET_MAX])
{
	for (int cpu = 0; cpu < CPUSET_MAX; cpu++)
		out[cpu] = -1;
	for (int cpu = cpuset_next(online, 0); cpu >= 0; cpu = cpuset_next(online, cpu + 1)) {
		char path[128];
		int64_t core, package;
		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/thermal_throttle/core_throttle_count", cpu);
		if (proc_read_integer(host, path, &core) != 0)
			continue;
		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/thermal_throttle/package_throttle_count", cpu);
		if (proc_read_integer(host, path, &package) == 0)
			core += package;
		out[cpu] = core;
	}
}

int64_t glance_throttled(const struct glance *before, const struct glance *after)
{
	int64_t most = -1;
	for (int cpu = 0; cpu < CPUSET_MAX; cpu++) {
		int64_t from = before ? before->throttled[cpu] : 0, growth = after->throttled[cpu] - from;
		if (from >= 0 && after->throttled[cpu] >= 0 && growth > most)
			most = growth;
	}
	return most;
}

int glance_take(const struct host *host, const struct cpuset *online, struct glance *out, struct error *err)
{
	struct glance glance = {.at = read_time(host)};
	struct error problem = {0};
	if (processes_read(host, SCAN_TIME, &glance.processes, &problem) != 0 && problem.kind == ERROR_MEMORY)
		return error_memory(err);
	glance.has_cpu_times = info_cpu_times(host, &glance.cpu_times) == 0;
	glance.pressure[PRESSURE_CPU] = read_pressure(host, "/proc/pressure/cpu");
	glance.pressure[PRESSURE_MEMORY] = read_pressure(host, "/proc/pressure/memory");
	glance.pressure[PRESSURE_IO] = read_pressure(host, "/proc/pressure/io");
	glance.swapped = read_swapped(host);
	read_throttled(host, online, glance.throttled);
	cgroup_cpu_quota(host, &glance.quota);
	*out = glance;
	return 0;
}

void glance_release(struct glance *glance)
{
	processes_release(&glance->processes);
}

double glance_seconds(const struct glance *before, const struct glance *after)
{
	return after->at > before->at ? (double)(after->at - before->at) / 1e9 : 0;
}

/* The fourth field of "0.20 0.18 0.12 1/80 11206". */
int glance_runnable(const struct host *host)
{
	char text[128];
	int running;
	if (proc_read_line(host, "/proc/loadavg", text, sizeof(text)) <= 0 ||
	    sscanf(text, "%*s %*s %*s %d/", &running) != 1 || running < 0)
		return -1;
	return running > 0 ? running - 1 : 0;
}
