/* SPDX-License-Identifier: MIT */
/* Counters of the calling thread by perf_event_open, as one group so that all of them cover the same time.
 *
 * User level only (exclude_kernel), which an ordinary user may ask for where perf_event_paranoid is at most 2. What the
 * machine does not have is left out. The group is opened when it is first wanted and kept.
 *
 * Where the kernel's headers are not there (musl-gcc does not look where glibc's lie) no counter is ever open. */
#include "harness/internal.h"

#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

void tare_counters_init(struct tare *t)
{
	for (int i = 0; i < TARE_COUNTER_COUNT; i++)
		t->counter_descriptors[i] = -1;
	t->counter_leader = -1;
}

#if __has_include(<linux/perf_event.h>)
#include <linux/perf_event.h>

static const struct tare_counter_event {
	uint32_t type;
	uint64_t config;
} tare_counter_events[] = {
#define TARE_COUNTER_EVENT(symbol, name, type, config) {(type), (config)},
	TARE_COUNTERS(TARE_COUNTER_EVENT)
#undef TARE_COUNTER_EVENT
};

static int tare_counter_open(int which, int leader)
{
	struct perf_event_attr attr;
	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = tare_counter_events[which].type;
	attr.config = tare_counter_events[which].config;
	attr.disabled = leader < 0;
	attr.exclude_kernel = 1;
	attr.exclude_hv = 1;
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);
}

void tare_counters_start(struct tare *t)
{
	t->counters = 0;
	for (int i = 0; i < TARE_COUNTER_COUNT; i++) {
		if (!(t->counters_wanted & 1u << i))
			continue;
		if (t->counter_descriptors[i] == -1) {
			int opened = tare_counter_open(i, t->counter_leader);
			t->counter_descriptors[i] = opened >= 0 ? opened : -2; /* not tried again */
			if (opened >= 0 && t->counter_leader < 0)
				t->counter_leader = opened;
		}
		if (t->counter_descriptors[i] >= 0)
			t->counters |= 1u << i;
	}
	if (!t->counters)
		return;
	ioctl(t->counter_leader, PERF_EVENT_IOC_RESET, PERF_IOC_FLAG_GROUP);
	ioctl(t->counter_leader, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
}

void tare_counters_stop(struct tare *t)
{
	if (t->counters)
		ioctl(t->counter_leader, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
}
#else
void tare_counters_start(struct tare *t)
{
	t->counters = 0;
}

void tare_counters_stop(struct tare *t)
{
	(void)t;
}
#endif

void tare_counters_collect(struct tare *t, struct tare_answer *answer)
{
	uint64_t enabled = 0, running = 0;
	for (int i = 0; i < TARE_COUNTER_COUNT; i++) {
		uint64_t values[3];                               /* count, enabled, running */
		if (!(t->counters & 1u << i) || t->segments != 1) /* they would hold the untimed parts too */
			continue;
		if (read(t->counter_descriptors[i], values, sizeof(values)) != (ssize_t)sizeof(values))
			continue;
		answer->counter[i] = values[0];
		answer->counters |= 1u << i;
		enabled = values[1];
		running = values[2];
	}
	if (!answer->counters)
		return;
	/* The times are of all iterations so far: a reset does not touch them. */
	answer->counter_enabled = enabled - t->counter_enabled;
	answer->counter_running = running - t->counter_running;
	t->counter_enabled = enabled;
	t->counter_running = running;
}

void tare_counters_close(struct tare *t)
{
	for (int i = 0; i < TARE_COUNTER_COUNT; i++)
		if (t->counter_descriptors[i] >= 0)
			close(t->counter_descriptors[i]);
	tare_counters_init(t);
}
