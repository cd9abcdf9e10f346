/* Limits of the control groups that this process, and so what it measures, is in: CPU quota, memory, I/O.
 *
 * A quota limits when the group uses all of it, or is stopped in most of its periods (version 1 does not always tell
 * the use of the same group). I/O limits hold for a device and a direction; what is throttled never reaches the
 * device, which then looks idle. All limits hold for what is below a group too, but for those of I/O in version 1. */
#include "monitor/internal.h"

#include "host/cgroup.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Opens FOLDER/file; a group that does not have it is no news. */
static int open_in(struct monitor *monitor, struct reader *reader, const char *folder, const char *file,
                   struct error *err)
{
	char path[PATH_MAX + 64];
	snprintf(path, sizeof(path), "%s/%s", folder, file);
	return reader_open(reader, monitor->host, path, 1024, err) < 0 ? -1 : 0;
}

static int open_cpu_group(struct monitor *monitor, struct error *err)
{
	struct cgroup_sampler *cgroup = &monitor->cgroup;
	struct cgroup_quota quota;
	cgroup_cpu_quota(monitor->host, &quota);
	cgroup->cpu_limit = quota.limit;
	cgroup->version = quota.version;
	if (isinf(quota.limit))
		return 0;
	*strrchr(quota.file, '/') = '\0';
	if (open_in(monitor, &cgroup->cpu_stat, quota.file, "cpu.stat", err) != 0)
		return -1;
	if (quota.version == 1 && open_in(monitor, &cgroup->usage, quota.file, "cpuacct.usage", err) != 0)
		return -1;
	if (cgroup->cpu_stat.fd < 0)
		monitor_say_unseen(monitor, "throttling by the CPU quota of the control group: %s/cpu.stat cannot be read",
		                   quota.file);
	return 0;
}

static int open_memory_group(struct monitor *monitor, struct error *err)
{
	struct cgroup_sampler *cgroup = &monitor->cgroup;
	struct cgroup_memory memory;
	char folder[PATH_MAX];
	cgroup_memory(monitor->host, &memory);
	cgroup->memory_limit = memory.limit;
	if (memory.limit >= 0) {
		if (open_in(monitor, &cgroup->memory, memory.folder, "memory.current", err) != 0)
			return -1;
		return cgroup->memory.fd >= 0 ? 0
		                              : open_in(monitor, &cgroup->memory, memory.folder, "memory.usage_in_bytes", err);
	}
	if (cgroup_folder(monitor->host, "", "memory.current", folder, sizeof(folder)) == 0)
		return open_in(monitor, &cgroup->memory, folder, "memory.current", err);
	if (cgroup_folder(monitor->host, "memory", "memory.usage_in_bytes", folder, sizeof(folder)) == 0)
		return open_in(monitor, &cgroup->memory, folder, "memory.usage_in_bytes", err);
	return 0;
}

/* The name of a device, "8:16" where /sys does not tell. */
static void device_name(const struct host *host, unsigned major, unsigned minor, char *name, size_t size)
{
	char path[PATH_MAX], target[PATH_MAX];
	snprintf(path, sizeof(path), "%s/sys/dev/block/%u:%u", host->root, major, minor);
	ssize_t length = host->sys->readlink(path, target, sizeof(target) - 1);
	target[length > 0 ? length : 0] = '\0';
	const char *last = strrchr(target, '/');
	if (last)
		snprintf(name, size, "cgroup:io:%.60s", last + 1);
	else
		snprintf(name, size, "cgroup:io:%u:%u", major, minor);
}

static struct io_limit *limit_of(struct monitor *monitor, unsigned major, unsigned minor)
{
	struct cgroup_sampler *cgroup = &monitor->cgroup;
	for (int i = 0; i < cgroup->limit_count; i++)
		if (cgroup->limits[i].major == major && cgroup->limits[i].minor == minor)
			return &cgroup->limits[i];
	if (cgroup->limit_count == MONITOR_IO_LIMITS)
		return NULL;
	struct io_limit *limit = &cgroup->limits[cgroup->limit_count++];
	limit->major = major;
	limit->minor = minor;
	device_name(monitor->host, major, minor, limit->component, sizeof(limit->component));
	return limit;
}

/* A limit of the group that is read at present; true: none below it allows as little. */
static bool take_limit(struct monitor *monitor, unsigned major, unsigned minor, int which, uint64_t number)
{
	struct io_limit *limit = number > 0 ? limit_of(monitor, major, minor) : NULL;
	if (!limit || (limit->limit[which] && limit->limit[which] <= number))
		return false;
	limit->limit[which] = number;
	limit->group[which] = monitor->cgroup.io_groups;
	return true;
}

/* Version 2: "8:16 rbps=2097152 wbps=max riops=max wiops=120". True: some of it counts. */
static bool read_io_max(struct monitor *monitor, const char *text)
{
	static const char *const keys[4] = {" rbps=", " wbps=", " riops=", " wiops="};
	bool counts = false;
	for (const char *line = text; line && *line; line = scan_line(line)) {
		unsigned major, minor;
		char copy[256];
		snprintf(copy, sizeof(copy), "%.*s", (int)strcspn(line, "\n"), line);
		if (sscanf(copy, "%u:%u", &major, &minor) != 2)
			continue;
		for (int i = 0; i < 4; i++) {
			const char *at = strstr(copy, keys[i]);
			uint64_t number;
			at = at ? at + strlen(keys[i]) : NULL;
			if (at && scan_number(&at, &number))
				counts |= take_limit(monitor, major, minor, i, number);
		}
	}
	return counts;
}

/* Version 1: one file for each limit, "8:16 2097152". */
static void read_throttle(struct monitor *monitor, const char *text, int which)
{
	for (const char *line = text; line && *line; line = scan_line(line)) {
		unsigned major, minor;
		unsigned long long number;
		if (sscanf(line, "%u:%u %llu", &major, &minor, &number) == 3)
			take_limit(monitor, major, minor, which, number);
	}
}

static int open_io_v2(struct monitor *monitor, struct error *err)
{
	struct cgroup_sampler *cgroup = &monitor->cgroup;
	char folder[PATH_MAX];
	for (int steps = 0;
	     cgroup->io_groups < MONITOR_IO_GROUPS && cgroup_above(monitor->host, "", steps, folder, sizeof(folder)) == 0;
	     steps++) {
		struct reader reader;
		if (open_in(monitor, &reader, folder, "io.max", err) != 0)
			return -1;
		bool counts = reader.fd >= 0 && read_io_max(monitor, reader.text);
		reader_close(&reader, monitor->host);
		if (counts && open_in(monitor, &cgroup->io[cgroup->io_groups++], folder, "io.stat", err) != 0)
			return -1;
	}
	return 0;
}

static int open_io_v1(struct monitor *monitor, struct error *err)
{
	static const char *const files[4] = {"read_bps_device", "write_bps_device", "read_iops_device",
	                                     "write_iops_device"};
	struct cgroup_sampler *cgroup = &monitor->cgroup;
	char folder[PATH_MAX];
	struct reader reader;
	if (cgroup_folder(monitor->host, "blkio", "blkio.throttle.io_service_bytes", folder, sizeof(folder)) != 0)
		return 0;
	for (int i = 0; i < 4; i++) {
		char name[64];
		snprintf(name, sizeof(name), "blkio.throttle.%s", files[i]);
		if (open_in(monitor, &reader, folder, name, err) != 0)
			return -1;
		if (reader.fd >= 0)
			read_throttle(monitor, reader.text, i);
		reader_close(&reader, monitor->host);
	}
	if (!cgroup->limit_count)
		return 0;
	if (open_in(monitor, &cgroup->io[cgroup->io_groups++], folder, "blkio.throttle.io_service_bytes", err) != 0)
		return -1;
	return open_in(monitor, &cgroup->io_operations, folder, "blkio.throttle.io_serviced", err);
}

static int open_cgroup(struct monitor *monitor, struct error *err)
{
	struct cgroup_sampler *cgroup = &monitor->cgroup;
	if (open_cpu_group(monitor, err) != 0 || open_memory_group(monitor, err) != 0 || open_io_v2(monitor, err) != 0)
		return -1;
	return cgroup->limit_count ? 0 : open_io_v1(monitor, err);
}

static int count_cgroup_gauges(const struct monitor *monitor)
{
	return 8 + 2 * monitor->cgroup.limit_count;
}

static void name_cgroup_gauges(struct monitor *monitor)
{
	struct cgroup_sampler *cgroup = &monitor->cgroup;
	struct gauges *gauges = &monitor->gauges;
	cgroup->busy = cgroup->throttled_share = cgroup->stopped = cgroup->memory_used = cgroup->memory_share = GAUGES_NONE;
	if (cgroup->cpu_stat.fd >= 0) {
		cgroup->busy = gauges_add(gauges, "cgroup:cpu", "busy", "", GAUGE_USE);
		cgroup->throttled_share = gauges_add(gauges, "cgroup:cpu", "throttled", "", GAUGE_USE);
		cgroup->stopped = gauges_add(gauges, "cgroup:cpu", "stopped", "", GAUGE_SHARE);
	}
	if (cgroup->memory.fd >= 0)
		cgroup->memory_used = gauges_add(gauges, "cgroup:memory", "in-use", "bytes", GAUGE_LEVEL);
	if (cgroup->memory.fd >= 0 && cgroup->memory_limit > 0)
		cgroup->memory_share = gauges_add(gauges, "cgroup:memory", "used", "", GAUGE_SHARE);
	for (int i = 0; i < cgroup->limit_count; i++) {
		struct io_limit *limit = &cgroup->limits[i];
		limit->use[0] = limit->use[1] = GAUGES_NONE;
		if (limit->limit[0] || limit->limit[2])
			limit->use[0] = gauges_add(gauges, limit->component, "read-use", "", GAUGE_USE);
		if (limit->limit[1] || limit->limit[3])
			limit->use[1] = gauges_add(gauges, limit->component, "write-use", "", GAUGE_USE);
	}
}

static void sample_quota(struct monitor *monitor, double seconds)
{
	struct cgroup_sampler *cgroup = &monitor->cgroup;
	uint64_t used = 0, periods = 0, throttled = 0, stopped = 0;
	if (cgroup->cpu_stat.fd < 0 || reader_read(&cgroup->cpu_stat, monitor->host) != 0)
		return;
	const char *text = cgroup->cpu_stat.text;
	bool has_use = scan_key(text, "usage_usec", &used);
	if (has_use) {
		used *= 1000;
	} else if (cgroup->usage.fd >= 0 && reader_read(&cgroup->usage, monitor->host) == 0) {
		const char *at = cgroup->usage.text;
		has_use = scan_number(&at, &used);
	}
	scan_key(text, "nr_periods", &periods);
	scan_key(text, "nr_throttled", &throttled);
	if (scan_key(text, "throttled_usec", &stopped))
		stopped *= 1000;
	else
		scan_key(text, "throttled_time", &stopped);
	double passed = counter_growth(cgroup->periods, periods);
	if (seconds > 0) {
		gauges_set(&monitor->gauges, cgroup->busy,
		           has_use ? counter_growth(cgroup->cpu_used, used) / 1e9 / seconds / cgroup->cpu_limit : NAN);
		/* The timer of the periods rests while the group does. */
		gauges_set(&monitor->gauges, cgroup->throttled_share,
		           share_of(counter_growth(cgroup->throttled, throttled), passed));
		gauges_set(&monitor->gauges, cgroup->stopped,
		           share_of(counter_growth(cgroup->throttled_time, stopped) / 1e9, seconds));
	}
	cgroup->cpu_used = used;
	cgroup->periods = periods;
	cgroup->throttled = throttled;
	cgroup->throttled_time = stopped;
}

/* The value of a device: " rbytes=" in its line of version 2, "8:16 Read" of version 1. */
static bool io_count(const char *text, const struct io_limit *limit, const char *key, const char *word, uint64_t *out)
{
	for (const char *line = text; line && *line; line = scan_line(line)) {
		unsigned major, minor;
		char copy[256], kind[16];
		unsigned long long number;
		snprintf(copy, sizeof(copy), "%.*s", (int)strcspn(line, "\n"), line);
		if (sscanf(copy, "%u:%u", &major, &minor) != 2 || major != limit->major || minor != limit->minor)
			continue;
		const char *at = strstr(copy, key);
		if (at) {
			at += strlen(key);
			return scan_number(&at, out);
		}
		if (sscanf(copy, "%*u:%*u %15s %llu", kind, &number) == 2 && strcmp(kind, word) == 0) {
			*out = number;
			return true;
		}
	}
	return false;
}

static void sample_io_limit(struct monitor *monitor, struct io_limit *limit, double seconds)
{
	static const char *const keys[4] = {" rbytes=", " wbytes=", " rios=", " wios="};
	static const char *const words[4] = {"Read", "Write", "Read", "Write"};
	struct cgroup_sampler *cgroup = &monitor->cgroup;
	uint64_t now[4] = {0};
	for (int i = 0; i < 4; i++)
		io_count(i >= 2 && cgroup->io_operations.fd >= 0 ? cgroup->io_operations.text
		                                                 : cgroup->io[limit->group[i]].text,
		         limit, keys[i], words[i], &now[i]);
	for (int direction = 0; direction < 2 && limit->known && seconds > 0; direction++) {
		double use = 0;
		for (int i = direction; i < 4; i += 2)
			if (limit->limit[i])
				use = fmax(use, counter_growth(limit->before[i], now[i]) / seconds / (double)limit->limit[i]);
		gauges_set(&monitor->gauges, limit->use[direction], use);
	}
	memcpy(limit->before, now, sizeof(now));
	limit->known = true;
}

static void sample_cgroup(struct monitor *monitor, double seconds)
{
	struct cgroup_sampler *cgroup = &monitor->cgroup;
	sample_quota(monitor, seconds);
	if (cgroup->memory.fd >= 0 && reader_read(&cgroup->memory, monitor->host) == 0) {
		const char *at = cgroup->memory.text;
		uint64_t bytes;
		if (scan_number(&at, &bytes)) {
			gauges_set(&monitor->gauges, cgroup->memory_used, (double)bytes);
			gauges_set(&monitor->gauges, cgroup->memory_share, share_of((double)bytes, (double)cgroup->memory_limit));
		}
	}
	for (int i = 0; i < cgroup->io_groups; i++)
		if (reader_read(&cgroup->io[i], monitor->host) != 0)
			return;
	if (cgroup->io_operations.fd >= 0 && reader_read(&cgroup->io_operations, monitor->host) != 0)
		return;
	for (int i = 0; i < cgroup->limit_count; i++)
		sample_io_limit(monitor, &cgroup->limits[i], seconds);
}

static void close_cgroup(struct monitor *monitor)
{
	struct cgroup_sampler *cgroup = &monitor->cgroup;
	struct reader *all[] = {&cgroup->cpu_stat, &cgroup->usage, &cgroup->memory, &cgroup->io_operations};
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		reader_close(all[i], monitor->host);
	for (int i = 0; i < cgroup->io_groups; i++)
		reader_close(&cgroup->io[i], monitor->host);
}

const struct sampler sampler_cgroup = {
	"cgroup", 200 * 1000000, open_cgroup, count_cgroup_gauges, name_cgroup_gauges, sample_cgroup, close_cgroup,
};
