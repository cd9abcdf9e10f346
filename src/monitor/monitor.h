/* A monitor: samplers of what the kernel counts, read at a rate, by a thread of its own or by the caller.
 *
 * States: open (nothing read yet) → begun (time runs, samples are taken) → ended (traces can be taken). What this
 * machine does not show is a line of monitor_unseen(); it is never an error. Devices may appear and vanish at any
 * time: a gauge that is not there has no value. After monitor_open() nothing is allocated until monitor_end(),
 * but for a look at a network interface that is seen for the first time.
 *
 * The kernel counts CPU time in ticks, quotas by periods of 100 ms: each sampler has a least time between two readings,
 * so that a high rate does not read noise. */
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

/* One sample now, by the calling thread; not while a thread samples. `boundary`: a trial begins or ends here, so short
 * times are read too. */
void monitor_sample(struct monitor *monitor, bool boundary);

/* Samples by a thread of its own at the period of monitor_begin(), on these CPUs (NULL: any), until monitor_rest(). */
int monitor_run(struct monitor *monitor, const struct cpuset *cpus, struct error *err);
void monitor_rest(struct monitor *monitor); /* also where no thread runs */

/* A trial begins or ends now. Once this was called, time of which less than half belongs to trials counts for nothing
 * but the traces. May be called while a thread samples. */
void monitor_trial(struct monitor *monitor, bool begins);

/* Watches what the processes below `pid` wait for: its children are measured commands with `generations` 1, its
 * grandchildren with 2. At most 8 of them; before monitor_run(). */
void monitor_watch(struct monitor *monitor, pid_t pid, int generations);

/* Also notes the files that they have open, until this is called with false. */
void monitor_look_at_files(struct monitor *monitor, bool look);

/* Also looks how fast they get on to other pages of memory, until this is called with false; that slows them down a
 * little. Nothing where the controllers of the memory have counters and it is known what it can do. */
void monitor_look_at_memory(struct monitor *monitor, bool look);

/* A file or socket that a command has open: number `index`, NULL at the end. Sockets are "socket:[INODE]". */
const char *monitor_open_file(const struct monitor *monitor, size_t index);

/* What a component can do, bytes per second: "disk:sda" "write" 5e8. The first one counts. Before monitor_begin(). */
void monitor_set_capacity(struct monitor *monitor, const char *component, const char *quantity, double value,
                          const char *by);

/* Asks a plug-in (a command line) for what it knows of capacities, for at most two seconds, then starts it to tell
 * gauges. What goes wrong is told by monitor_unseen(); -1 only when out of memory. Before monitor_begin(). */
int monitor_add_plugin(struct monitor *monitor, const char *command, struct error *err);

/* Watches another machine by "ssh HOST tare monitor --stream"; its components begin with "HOST/". */
int monitor_add_remote(struct monitor *monitor, const char *host, struct error *err);

/* A number that the caller knows: of the time since the last sample. */
void monitor_note(struct monitor *monitor, const char *component, const char *quantity, enum gauge_kind kind,
                  double value);

/* Forgets the time until now, but for what processes were seen to wait for: that stays as far as it is not seen
 * again. */
void monitor_again(struct monitor *monitor, int64_t period);

struct monitor_question {
	const char *cut;             /* the component under test, or NULL */
	const struct cpuset *pinned; /* CPUs that everything measured is bound to; NULL: not bound to single ones */
};

/* Ends the time: traces and what they mean into `out`, strings and arrays in the arena. Nothing may be sampled after
 * it. The graph in `out` tells what lies on one way; it, runs, rate and overhead are left alone. */
int monitor_end(struct monitor *monitor, const struct monitor_question *question, struct arena *arena,
                struct monitoring *out, struct error *err);

/* What is seen now, in an order of its own; *out is the monitor's and holds until the next sample. */
size_t monitor_readings(struct monitor *monitor, const struct gauge_reading **out);

/* The last values of the reading of that index, oldest first, at most `most`; how many. */
size_t monitor_recent(const struct monitor *monitor, size_t index, double *out, size_t most);

/* What cannot be seen on this machine, and why: line `index`, NULL at the end. */
const char *monitor_unseen(const struct monitor *monitor, size_t index);

/* Mean CPU time of one sample so far without looks at memory, seconds; NaN before the first. */
double monitor_cost(const struct monitor *monitor);

#endif
