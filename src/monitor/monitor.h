/* A monitor: samplers of what the kernel counts, read at a rate, by a thread of its own or by the caller.
 *
 * States: open (nothing read yet) → begun (time runs, samples are taken) → ended (traces can be taken). What this
 * machine does not show is a line of monitor_unseen(); it is never an error. Devices may appear and vanish at any
 * time: a gauge that is not there has no value. After monitor_open() nothing is allocated until monitor_end().
 *
 * The kernel counts CPU time in ticks, pressure every two seconds, quotas by periods of 100 ms: each sampler has a
 * least time between two readings, so that a high rate does not read noise. */
#ifndef TARE_MONITOR_MONITOR_H
#define TARE_MONITOR_MONITOR_H

#include "base/error.h"
#include "host/cpuset.h"
#include "host/host.h"
#include "model/monitoring.h"

struct monitor;

struct monitor_options {
	double limit; /* share above which a component is near its limit; 0.8 */
	double hold;  /* seconds for which it must be; 1 */
};

struct monitor_options monitor_defaults(void);

/* `host` must outlive the monitor. NULL and err only when out of memory. */
struct monitor *monitor_open(const struct host *host, const struct monitor_options *options, struct error *err);
void monitor_close(struct monitor *monitor); /* NULL is accepted; ends a thread that runs */

/* Begins the time: a first reading, from which rates count. `period` ns is the usual time between samples. */
void monitor_begin(struct monitor *monitor, int64_t period);

/* One sample now, by the calling thread; not while a thread samples. With `counts` false the time since the last sample
 * belongs to no measurement. `boundary`: a trial begins or ends here, so short times are read too. */
void monitor_sample(struct monitor *monitor, bool counts, bool boundary);

/* What is seen now, in an order of its own; *out is the monitor's and holds until the next sample. */
size_t monitor_readings(struct monitor *monitor, const struct gauge_reading **out);

/* The last values of the reading of that index, oldest first, at most `most`; how many. */
size_t monitor_recent(const struct monitor *monitor, size_t index, double *out, size_t most);

/* What cannot be seen on this machine, and why: line `index`, NULL at the end. */
const char *monitor_unseen(const struct monitor *monitor, size_t index);

/* Mean CPU time of one sample so far, seconds; NaN before the first. */
double monitor_cost(const struct monitor *monitor);

#endif
