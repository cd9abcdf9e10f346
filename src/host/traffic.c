#include "host/traffic.h"

#include "host/proc.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char folder[] = "/sys/bus/event_source/devices";

/* "config:8-15" says where the value of a term goes. */
static bool place_term(const struct host *host, const char *device, const char *term, uint64_t value, uint64_t *config)
{
	char path[256], text[64];
	unsigned low;
	snprintf(path, sizeof(path), "%s/%.63s/format/%.31s", folder, device, term);
	if (proc_read_line(host, path, text, sizeof(text)) <= 0 || sscanf(text, "config:%u", &low) != 1 || low > 63)
		return false;
	*config |= value << low;
	return true;
}

/* "event=0x04,umask=0x03" */
static bool parse_event(const struct host *host, const char *device, char *text, uint64_t *config)
{
	*config = 0;
	for (char *rest = text, *term; (term = strsep(&rest, ",")) != NULL;) {
		char *equals = strchr(term, '=');
		uint64_t value = 1;
		if (equals) {
			*equals = '\0';
			value = strtoull(equals + 1, NULL, 0);
		}
		if (!place_term(host, device, term, value, config))
			return false;
	}
	return true;
}

/* The bytes of one count: "6.103515625e-5" of the unit "MiB"; a cache line where nothing is said. */
static double bytes_of(const struct host *host, const char *device, const char *event)
{
	char path[256], text[64];
	snprintf(path, sizeof(path), "%s/%.63s/events/%.31s.scale", folder, device, event);
	if (proc_read_line(host, path, text, sizeof(text)) <= 0)
		return 64;
	double scale = strtod(text, NULL);
	snprintf(path, sizeof(path), "%s/%.63s/events/%.31s.unit", folder, device, event);
	if (proc_read_line(host, path, text, sizeof(text)) > 0 && strcmp(text, "MiB") == 0)
		scale *= 1 << 20;
	return scale > 0 ? scale : 64;
}

/* 0, 1 when the device has no such event, -1 when it may not be used (errno). */
static int open_event(const struct host *host, const char *device, const char *event, int writes, struct traffic *out)
{
	char path[256], text[128];
	int64_t type, cpu = 0;
	uint64_t config;
	snprintf(path, sizeof(path), "%s/%.63s/events/%s", folder, device, event);
	if (out->count == TRAFFIC_COUNTERS || proc_read_line(host, path, text, sizeof(text)) <= 0 ||
	    !parse_event(host, device, text, &config))
		return 1;
	snprintf(path, sizeof(path), "%s/%.63s/type", folder, device);
	if (proc_read_integer(host, path, &type) != 0)
		return 1;
	/* One CPU of each package counts for it; the first package stands for a machine with one. */
	snprintf(path, sizeof(path), "%s/%.63s/cpumask", folder, device);
	proc_read_integer(host, path, &cpu);
	struct perf_event_attr attr = {.type = (uint32_t)type, .size = sizeof(attr), .config = config};
	int fd = host->sys->perf_event_open(&attr, -1, (int)cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return -1;
	out->fds[out->count] = fd;
	out->writes[out->count] = writes;
	out->bytes[out->count++] = bytes_of(host, device, event);
	return 0;
}

int traffic_open(const struct host *host, struct traffic *out, struct error *err)
{
	enum { DEVICES = 256 };
	static const char *const events[] = {"cas_count_read", "cas_count_write", "data_reads", "data_writes"};
	char devices[DEVICES][PROC_NAME];
	int count = proc_names(host, folder, devices, DEVICES), refused = 0;
	*out = (struct traffic){0};
	for (int d = 0; d < count; d++) {
		if (strncmp(devices[d], "uncore_imc", 10) != 0)
			continue;
		for (int e = 0; e < 4; e++)
			if (open_event(host, devices[d], events[e], e % 2, out) < 0)
				refused = errno;
	}
	if (out->count > 0)
		return 0;
	return refused ? error_system(err, refused, "the counters of the memory controller may not be used") : 1;
}

void traffic_close(const struct host *host, struct traffic *traffic)
{
	for (size_t i = 0; i < traffic->count; i++)
		host->sys->close(traffic->fds[i]);
	traffic->count = 0;
}

void traffic_read(const struct host *host, const struct traffic *traffic, double out[2])
{
	out[0] = out[1] = 0;
	for (size_t i = 0; i < traffic->count; i++) {
		uint64_t count = 0;
		if (host->sys->read(traffic->fds[i], &count, sizeof(count)) == (ssize_t)sizeof(count))
			out[traffic->writes[i]] += (double)count * traffic->bytes[i];
	}
}
