/* SPDX-License-Identifier: MIT */
/* Clocks: wall time, CPU time and run-queue delay of the calling thread.
 *
 * The wall clock is CLOCK_MONOTONIC (about 20 ns by the vDSO). The CPU clock is a system call (about 0.5 us), schedstat
 * a read of /proc (0.7 us): they are read outside the wall clock's two readings. schedstat: CPU time, run-queue wait
 * and slices; its CPU time is of the last tick, so only the wait is taken, which changes only when the thread is
 * switched in. */
#include "harness/internal.h"

#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

uint64_t tare_nanoseconds(const struct timespec *from, const struct timespec *to)
{
	int64_t seconds = (int64_t)to->tv_sec - (int64_t)from->tv_sec;
	return (uint64_t)(seconds * 1000000000 + (to->tv_nsec - from->tv_nsec));
}

static uint64_t tare_clock_value(clockid_t clock)
{
	struct timespec now;
	if (clock_gettime(clock, &now) != 0)
		return 0;
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t tare_thread_cpu(void)
{
	return tare_clock_value(CLOCK_THREAD_CPUTIME_ID);
}

int tare_schedstat_open(void)
{
	return open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
}

static int tare_delay(struct tare *t, uint64_t *delay)
{
	char text[96];
	if (t->schedstat == -2)
		t->schedstat = tare_schedstat_open();
	ssize_t length = t->schedstat >= 0 ? pread(t->schedstat, text, sizeof(text) - 1, 0) : -1;
	if (length <= 0)
		return 0;
	text[length] = '\0';
	char *after_cpu, *end;
	strtoull(text, &after_cpu, 10);
	*delay = strtoull(after_cpu, &end, 10);
	/* A kernel that keeps no account writes zeros; a thread that reads this was given a CPU at least once. */
	return end != after_cpu && strtoull(end, NULL, 10) > 0;
}

static int tare_usage(struct tare_reading *reading)
{
	struct rusage usage;
	if (getrusage(RUSAGE_THREAD, &usage) != 0)
		return 0;
	reading->minor_faults = (uint64_t)usage.ru_minflt;
	reading->major_faults = (uint64_t)usage.ru_majflt;
	reading->voluntary_switches = (uint64_t)usage.ru_nvcsw;
	reading->involuntary_switches = (uint64_t)usage.ru_nivcsw;
	return 1;
}

static void tare_cpu_number(struct tare_reading *reading)
{
	int number = sched_getcpu();
	if (number < 0)
		return;
	reading->cpu_number = (uint32_t)number;
	reading->present |= TARE_HAS_CPUS;
}

void tare_reading_before(struct tare *t)
{
	struct tare_reading *reading = &t->before;
	memset(reading, 0, sizeof(*reading));
	tare_cpu_number(reading);
	if ((t->metrics & TARE_HAS_USAGE) && tare_usage(reading))
		reading->present |= TARE_HAS_USAGE;
	if ((t->metrics & TARE_HAS_DELAY) && tare_delay(t, &reading->delay))
		reading->present |= TARE_HAS_DELAY;
	if ((t->metrics & TARE_HAS_PROCESS_CPU) && t->thread == 0) {
		reading->process_cpu = tare_clock_value(CLOCK_PROCESS_CPUTIME_ID);
		reading->present |= TARE_HAS_PROCESS_CPU;
	}
}

void tare_reading_after(struct tare *t)
{
	struct tare_reading *reading = &t->after;
	memset(reading, 0, sizeof(*reading));
	if ((t->metrics & TARE_HAS_PROCESS_CPU) && t->thread == 0) {
		reading->process_cpu = tare_clock_value(CLOCK_PROCESS_CPUTIME_ID);
		reading->present |= TARE_HAS_PROCESS_CPU;
	}
	if ((t->metrics & TARE_HAS_DELAY) && tare_delay(t, &reading->delay))
		reading->present |= TARE_HAS_DELAY;
	if ((t->metrics & TARE_HAS_USAGE) && tare_usage(reading))
		reading->present |= TARE_HAS_USAGE;
	tare_cpu_number(reading);
}

static int tare_by_size(const void *a, const void *b)
{
	const uint64_t *left = (const uint64_t *)a, *right = (const uint64_t *)b;
	return *left < *right ? -1 : *left > *right;
}

/* A clock whose step is longer than a reading gives the same value again, and its step is the smallest other
 * difference. Else the step is finer than one reading, and at most the smallest gap between two differences. */
double tare_clock_resolution(void)
{
	enum { READINGS = 512, MOST = 1000000 };
	uint64_t differences[READINGS];
	size_t count = 0;
	int stood = 0;
	struct timespec last, now;
	clock_gettime(CLOCK_MONOTONIC, &last);
	for (long i = 0; i < MOST && count < READINGS; i++) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		uint64_t difference = tare_nanoseconds(&last, &now);
		last = now;
		if (difference == 0)
			stood = 1;
		else
			differences[count++] = difference;
		if (stood && count >= 8)
			break;
	}
	if (count == 0)
		return 1e9;
	qsort(differences, count, sizeof(*differences), tare_by_size);
	uint64_t step = differences[0];
	if (!stood)
		for (size_t i = 1; i < count; i++)
			if (differences[i] != differences[i - 1] && differences[i] - differences[i - 1] < step)
				step = differences[i] - differences[i - 1];
	return (double)step;
}
