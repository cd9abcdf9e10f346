/* The one place that reads a clock. Instants and durations are int64_t nanoseconds. */
#ifndef TARE_HOST_CLOCK_H
#define TARE_HOST_CLOCK_H

#include "host/host.h"

#include <stddef.h>

enum { CLOCK_NS_PER_SECOND = 1000000000 };

/* CLOCK_MONOTONIC: never set back, runs at the rate that NTP disciplines, stands still
 * while the machine sleeps, and is the same for all processes. 0 if the call fails twice. */
int64_t clock_now(const struct host *host);

/* CPU time that the calling thread has used. 0 if the call fails. */
int64_t clock_thread_cpu(const struct host *host);

/* CPU time that all threads of a process have used, up to this moment. 0 if there is no such process. */
int64_t clock_process_cpu(const struct host *host, pid_t pid);

struct clock_quality {
	int64_t resolution; /* what the kernel promises, ns */
	int64_t step;       /* smallest step above 0 seen between two readings, ns */
	int64_t cost;       /* median time of one reading, ns; at least 1 where step is 1 */
};

/* Reads the monotonic clock some thousand times; under a millisecond on a fast clock. */
struct clock_quality clock_measure(const struct host *host);

/* Waits that long. A signal does not shorten it. */
void clock_sleep(const struct host *host, int64_t nanoseconds);

/* Now, in the local time zone, as RFC 3339 ("2026-02-03T14:05:06+01:00"); `text` of 40 bytes or more. */
void clock_timestamp(const struct host *host, char *text, size_t size);

/* A timespec for ppoll: what is left until `deadline`, not below 0. */
struct timespec clock_left(int64_t now, int64_t deadline);

#endif
