#include "host/moment.h"

#include "host/cgroup.h"
#include "host/clock.h"
#include "host/proc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "some avg10=0.00 avg60=0.00 avg300=0.00 total=2523074795" */
static int64_t waited(const struct host *host, const char *path)
{
	char text[256];
	if (proc_read_line(host, path, text, sizeof(text)) <= 0 || strncmp(text, "some ", 5) != 0)
		return -1;
	const char *total = strstr(text, " total=");
	return total ? strtoll(total + strlen(" total="), NULL, 10) : -1;
}

static int64_t clock_offset(const struct host *host, clockid_t clock)
{
	struct timespec other, now;
	if (host->sys->clock_gettime(clock, &other) != 0 || host->sys->clock_gettime(CLOCK_MONOTONIC, &now) != 0)
		return -1;
	return ((int64_t)other.tv_sec - now.tv_sec) * CLOCK_NS_PER_SECOND + (other.tv_nsec - now.tv_nsec);
}

/* /sys has kilohertz. */
static int64_t frequency(const struct host *host, int cpu, const char *file)
{
	char path[96];
	int64_t kilohertz;
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/cpufreq/%s", cpu, file);
	return proc_read_integer(host, path, &kilohertz) == 0 && kilohertz > 0 ? kilohertz * 1000 : -1;
}

static void look_at_cpu(const struct host *host, int cpu, struct moment *out)
{
	char path[96], governor[INFO_TEXT];
	int64_t slowed;
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor", cpu);
	if (proc_read_line(host, path, governor, sizeof(governor)) > 0) {
		if (!out->governor[0])
			strcpy(out->governor, governor);
		else if (strcmp(out->governor, governor) != 0)
			strcpy(out->governor, "mixed");
	}
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/thermal_throttle/core_throttle_count", cpu);
	if (proc_read_integer(host, path, &slowed) == 0)
		out->slowed_by_heat = slowed + (out->slowed_by_heat > 0 ? out->slowed_by_heat : 0);
}

static void look_at_quota(const struct host *host, struct moment *out)
{
	struct cgroup_quota quota;
	cgroup_cpu_quota(host, &quota);
	out->quota = quota.limit;
	out->throttled = isinf(quota.limit) ? 0 : quota.throttled;
	out->throttled_time = isinf(quota.limit) ? 0 : quota.throttled_time;
}

void moment_take(const struct host *host, const int *cpus, size_t count, struct moment *out)
{
	memset(out, 0, sizeof(*out));
	out->slowed_by_heat = -1;
	out->frequency = count ? frequency(host, cpus[0], "scaling_cur_freq") : -1;
	out->highest_frequency = count ? frequency(host, cpus[0], "scaling_max_freq") : -1;
	for (size_t i = 0; i < count; i++)
		look_at_cpu(host, cpus[i], out);
	out->has_allowed = cpuset_of_process(host, 0, &out->allowed, NULL) == 0;
	look_at_quota(host, out);
	out->load = info_load(host);
	out->has_cpu_times = info_cpu_times(host, &out->cpu_times) == 0;
	out->waited[MOMENT_CPU] = waited(host, "/proc/pressure/cpu");
	out->waited[MOMENT_IO] = waited(host, "/proc/pressure/io");
	out->waited[MOMENT_MEMORY] = waited(host, "/proc/pressure/memory");
	out->real_offset = clock_offset(host, CLOCK_REALTIME);
	out->sleep_offset = clock_offset(host, CLOCK_BOOTTIME);
	out->at = clock_now(host);
}
