/* The cost and the step of the clock come from readings in a row: their differences are
 * at least the cost, and a multiple of the step where the clock is coarse. */
#include "host/clock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { READINGS = 2001 };

static int64_t read_clock(const struct host *host, clockid_t clock)
{
	struct timespec t;
	if (host->sys->clock_gettime(clock, &t) != 0)
		return 0;
	return (int64_t)t.tv_sec * CLOCK_NS_PER_SECOND + t.tv_nsec;
}

int64_t clock_now(const struct host *host)
{
	/* Where it failed once it is asked again: a 0 between two instants would be a duration of hours. */
	int64_t now = read_clock(host, CLOCK_MONOTONIC);
	return now ? now : read_clock(host, CLOCK_MONOTONIC);
}

int64_t clock_thread_cpu(const struct host *host)
{
	return read_clock(host, CLOCK_THREAD_CPUTIME_ID);
}

int64_t clock_process_cpu(const struct host *host, pid_t pid)
{
	/* The kernel's name of the clock, as clock_getcpuclockid() makes it: the process and "time on a CPU". */
	enum { ON_A_CPU = 2 };
	return read_clock(host, (clockid_t)(~(unsigned)pid << 3 | ON_A_CPU));
}

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

struct clock_quality clock_measure(const struct host *host)
{
	struct clock_quality quality = {0, 0, 0};
	struct timespec resolution;
	if (host->sys->clock_getres(CLOCK_MONOTONIC, &resolution) == 0)
		quality.resolution = (int64_t)resolution.tv_sec * CLOCK_NS_PER_SECOND + resolution.tv_nsec;
	int64_t gaps[READINGS];
	int64_t first = clock_now(host), before = first;
	for (int i = 0; i < READINGS; i++) {
		int64_t now = clock_now(host);
		gaps[i] = now - before;
		before = now;
		if (gaps[i] > 0 && (quality.step == 0 || gaps[i] < quality.step))
			quality.step = gaps[i];
	}
	qsort(gaps, READINGS, sizeof(gaps[0]), compare);
	quality.cost = gaps[READINGS / 2];
	/* A clock coarser than its own cost shows mostly zeros: the mean is then the better estimate. */
	if (quality.cost == 0)
		quality.cost = (before - first) / READINGS;
	return quality;
}

void clock_sleep(const struct host *host, int64_t nanoseconds)
{
	int64_t deadline = clock_now(host) + nanoseconds;
	for (int64_t now = clock_now(host); now < deadline; now = clock_now(host)) {
		struct timespec left = clock_left(now, deadline);
		if (host->sys->ppoll(NULL, 0, &left, NULL) == 0 || errno != EINTR)
			return;
	}
}

void clock_timestamp(const struct host *host, char *text, size_t size)
{
	struct timespec now = {0, 0};
	host->sys->clock_gettime(CLOCK_REALTIME, &now);
	struct tm local;
	char stamp[64], zone[16];
	if (!localtime_r(&now.tv_sec, &local) || strftime(stamp, sizeof(stamp), "%Y-%m-%dT%H:%M:%S", &local) == 0 ||
	    strftime(zone, sizeof(zone), "%z", &local) != 5) {
		snprintf(text, size, "1970-01-01T00:00:00+00:00");
		return;
	}
	snprintf(text, size, "%s%.3s:%s", stamp, zone, zone + 3);
}

struct timespec clock_left(int64_t now, int64_t deadline)
{
	int64_t left = deadline > now ? deadline - now : 0;
	return (struct timespec){.tv_sec = left / CLOCK_NS_PER_SECOND, .tv_nsec = left % CLOCK_NS_PER_SECOND};
}
