/* What the samplers of a monitor share. For src/monitor alone. */
#ifndef TARE_MONITOR_INTERNAL_H
#define TARE_MONITOR_INTERNAL_H

#include "host/traffic.h"
#include "monitor/gauges.h"
#include "monitor/monitor.h"
#include "monitor/reader.h"

#include <pthread.h>
#include <stdatomic.h>

enum {
	MONITOR_SPARE = 64,  /* devices that may appear after the start */
	MONITOR_UNSEEN = 16, /* lines of what cannot be seen */
	MONITOR_LINE = 200,
	MONITOR_PRESSURES = 3,
	MONITOR_IO_LIMITS = 16,
	MONITOR_IO_GROUPS = 8,
	MONITOR_FILE_SYSTEMS = 32,
	CPU_MODES = 5,
	CPU_FIELDS = 8, /* user nice system idle iowait irq softirq steal */
};

/* ---- CPUs: /proc/stat and /proc/pressure ---- */

struct cpu_row {
	bool known;
	uint64_t before[CPU_FIELDS];
	int busy, modes[CPU_MODES]; /* gauges */
	size_t seen;                /* number of the reading that showed it last */
};

struct pressure_file {
	struct reader file;
	uint64_t some, full; /* µs */
	int64_t at;
	int some_gauge, full_gauge;
};

struct cpu_sampler {
	struct reader stat;
	struct cpu_row all, *rows; /* by number */
	int row_count;
	struct cpuset allowed; /* for this process; all where that is not known */
	uint64_t switches, forks;
	int runnable, blocked, switch_rate, fork_rate;
	struct pressure_file pressures[MONITOR_PRESSURES];
};

/* ---- memory: /proc/meminfo and /proc/vmstat ---- */

struct memory_sampler {
	struct reader info, events;
	int used, used_share, available, swap_used, dirty, writeback;
	int reclaim, swap_in, swap_out, stalls, major_faults;
	uint64_t before[5];
	struct traffic traffic; /* counters of the memory controllers, where there are any */
	double moved[2];        /* bytes read and written so far */
	int read, write, bandwidth_use;
};

/* ---- block devices: /proc/diskstats ---- */

enum { DISK_FIELDS = 11 };

struct disk {
	char name[64]; /* as in the file */
	char component[GAUGE_NAME];
	uint64_t before[DISK_FIELDS];
	size_t seen;
	bool part, shown; /* a partition: never shown; shown: it has had any traffic */
	int busy, queue, read, write, read_time, write_time, read_use, write_use;
	double capacity[2]; /* bytes per second read, written; NaN: not known */
};

struct disk_sampler {
	struct reader file;
	struct disk *disks;
	size_t count, capacity, hint;
	bool has_folder; /* /sys/block tells disks from partitions */
};

/* ---- network: /proc/net/dev ---- */

struct interface {
	char name[32];
	char component[GAUGE_NAME];
	uint64_t before[4]; /* bytes and drops received, bytes and drops sent */
	size_t seen;
	int receive, send, drops, receive_use, send_use;
	double capacity[2]; /* bytes per second received, sent; NaN: not known */
};

struct net_sampler {
	struct reader file;
	struct interface *interfaces;
	size_t count, capacity, hint;
};

/* ---- control groups ---- */

struct io_limit {
	unsigned major, minor;
	char component[GAUGE_NAME];
	uint64_t limit[4]; /* bytes read, written, operations read, written per second; 0: none */
	int group[4];      /* whose limit it is, by its place in cgroup_sampler.io */
	uint64_t before[4];
	bool known;
	int use[2]; /* read, write */
};

struct cgroup_sampler {
	struct reader cpu_stat, usage, memory;
	struct reader io[MONITOR_IO_GROUPS], io_operations; /* of groups that limit; version 1 counts operations apart */
	int io_groups;
	double cpu_limit; /* CPUs; INFINITY: none */
	int version;      /* of the CPU's group */
	uint64_t cpu_used, throttled_time, periods, throttled;
	int busy, throttled_share, stopped;
	int64_t memory_limit; /* bytes; -1: none */
	int memory_used, memory_share;
	struct io_limit limits[MONITOR_IO_LIMITS];
	int limit_count;
};

/* ---- file systems ---- */

struct file_system {
	char path[GAUGE_NAME];
	bool local; /* may be asked for its size */
	uint64_t before[2];
	bool known;
	int used, free, read, write;
};

struct files_sampler {
	struct file_system systems[MONITOR_FILE_SYSTEMS];
	int count;
	struct reader network; /* /proc/self/mountstats, where there are network file systems */
};

/* ---- the measured commands: what they wait for ---- */

enum { WATCHED_MAX = 64, WAITS_MAX = 48, OPEN_FILES_MAX = 64, SEEDS_MAX = 8, FD_CACHE = 32 };

struct watched {
	pid_t pid;
	int generations; /* until its descendants are measured; 0: it is measured itself */
	int64_t ticks;   /* of CPU time so far; -1: not looked at yet */
	bool leader;     /* false: a thread of another one, which tells the CPU time of all */
};

/* Something that a command was seen to wait for. */
struct wait_for {
	char component[GAUGE_NAME];
	bool writing;
	unsigned seen; /* looks since the last publication */
	bool this_look;
	int gauge;
};

struct fd_entry {
	pid_t pid;
	int fd;
	char component[GAUGE_NAME];
};

struct process_sampler {
	struct reader newest; /* /proc/loadavg ends with the newest process id */
	struct watched list[WATCHED_MAX];
	int count;
	pid_t last;
	struct wait_for waits[WAITS_MAX];
	int wait_count;
	struct fd_entry cache[FD_CACHE];
	int cache_next;
	unsigned looks, running; /* since the last publication */
	int64_t ticks;           /* of CPU time that measured processes used since then */
	int64_t published;
	int running_gauge;
	bool look_at_files, no_syscall;
	char files[OPEN_FILES_MAX][GAUGE_NAME + 32];
	int file_count;
};

/* ---- the measured commands: how fast they get on to other pages ---- */

enum { TOUCH_LOOKS = 256 };

struct touch_sampler {
	bool looks;
	const char *why; /* why nothing can be said, or NULL */
	int64_t cache;   /* the last-level cache, bytes */
	char *memory;    /* of a copier of our own; NULL: what memory delivers is known, or nobody looks */
	size_t size, at;
	double paces[TOUCH_LOOKS]; /* shares of what the memory delivers */
	pid_t last;                /* the first process of the last look, and what all had in use then */
	int64_t last_resident;
	bool small, large;    /* one that was starting fitted into the cache; one did not */
	size_t count, sparse; /* sparse: looks that saw more pages touched than can be read as a whole */
	double seconds;       /* that the looks stand for */
	int64_t cpu_spent;    /* ns, of looks */
};

/* ---- plug-ins ---- */

enum { CAPACITIES_MAX = 64, PLUGINS_MAX = 8, PLUGIN_GAUGES = 256 };

/* What a static plug-in or a file says that a component can do. */
struct capacity {
	char component[GAUGE_NAME], quantity[GAUGE_WORD], by[GAUGE_NAME];
	double value; /* bytes per second */
};

struct plugin;

struct monitor {
	const struct host *host;
	struct monitor_options options;
	struct gauges gauges;
	size_t reading;   /* counts the readings of the present sampler, so that what is gone can be told */
	size_t *turns;    /* by sampler: its readings */
	int64_t now;      /* instant of this sample */
	int64_t *sampled; /* by sampler: instant of its last reading */
	int64_t period;
	int64_t cpu_spent; /* CPU time of all samples, ns */
	size_t samples;
	char unseen[MONITOR_UNSEEN][MONITOR_LINE];
	size_t unseen_count;
	const char *no_traffic; /* why the bandwidth of memory is not known, or NULL */
	struct gauge_reading *readings;

	struct cpu_sampler cpu;
	struct memory_sampler memory;
	struct disk_sampler disk;
	struct net_sampler net;
	struct cgroup_sampler cgroup;
	struct files_sampler files;
	struct process_sampler process;
	struct touch_sampler touch;
	struct capacity capacities[CAPACITIES_MAX];
	int capacity_count;
	struct plugin *plugins[PLUGINS_MAX];
	int plugin_count;

	/* trials */
	bool marked, boundary;
	_Atomic int64_t trial_since, trial_total; /* instant, 0: none runs; ns of all that have ended */
	int64_t active_before;                    /* ns of trials until the last sample */

	/* the thread */
	pthread_t thread;
	bool runs;
	int stop; /* eventfd */
	bool has_cpus;
	struct cpuset cpus;
	size_t late; /* samples that were left out because the one before took too long */
};

/* The capacity of a quantity that is known by a plug-in or a file; NaN: none is. */
double monitor_capacity(const struct monitor *monitor, const char *component, const char *quantity);

/* What became of the plug-ins, at the end. */
void plugin_say_unseen(struct monitor *monitor);

/* Why it is not known whether memory limits, at the end. */
void touch_say_unseen(struct monitor *monitor);

/* The values of what processes wait for are not known any more. */
void process_forget(struct monitor *monitor);

/* Whether a trial runs now. */
bool monitor_in_trial(const struct monitor *monitor);

/* A sampler: what it needs to begin, one reading, the end. */
struct sampler {
	const char *name;
	int64_t least; /* ns between two readings */
	int (*open)(struct monitor *monitor, struct error *err);
	int (*gauge_count)(const struct monitor *monitor);       /* that it may need, with devices to come */
	void (*name_gauges)(struct monitor *monitor);            /* before the first sample */
	void (*sample)(struct monitor *monitor, double seconds); /* seconds since its last reading; 0: the first */
	void (*close)(struct monitor *monitor);
};

extern const struct sampler sampler_cpu, sampler_pressure, sampler_memory, sampler_disk, sampler_net, sampler_cgroup,
	sampler_files, sampler_process, sampler_touch, sampler_plugin;

/* "PATH: what is missing without it (why)", from the errno of a reader. */
void monitor_cannot_see(struct monitor *monitor, const char *what, const char *path, int errnum);
void monitor_say_unseen(struct monitor *monitor, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The growth of a counter; 0 when it went back, as when a device was replaced. */
static inline double counter_growth(uint64_t before, uint64_t now)
{
	return now >= before ? (double)(now - before) : 0;
}

static inline double share_of(double part, double whole)
{
	double share = whole > 0 ? part / whole : 0;
	return share < 0 ? 0 : share > 1 ? 1 : share;
}

#endif
