/* Bytes that went to and from memory, by the counters of Intel's memory controllers (uncore_imc). They count for the
 * whole machine and need permission (CAP_PERFMON or perf_event_paranoid of 0); most virtual machines have none. */
#ifndef TARE_HOST_TRAFFIC_H
#define TARE_HOST_TRAFFIC_H

#include "base/error.h"
#include "host/host.h"

#include <stddef.h>

enum { TRAFFIC_COUNTERS = 64 };

struct traffic {
	size_t count;
	int fds[TRAFFIC_COUNTERS];
	int writes[TRAFFIC_COUNTERS];   /* 0: it counts reads, 1: writes */
	double bytes[TRAFFIC_COUNTERS]; /* of one count */
};

/* Opens what there is. 0; 1 when the machine has no such counters; -1 and err when they may not be used. */
int traffic_open(const struct host *host, struct traffic *out, struct error *err);
void traffic_close(const struct host *host, struct traffic *traffic);

/* Bytes read and written since it was opened. */
void traffic_read(const struct host *host, const struct traffic *traffic, double out[2]);

#endif
