/* What the kernel tells about processes under /proc, and reading small files of /proc and /sys.
 *
 * The functions here are called between a child's end and its reaping, so they allocate
 * nothing and take no error record: -1 means that the file is not there or is malformed,
 * with errno set. A zombie still has sched, schedstat, stat and status. */
#ifndef TARE_HOST_PROC_H
#define TARE_HOST_PROC_H

#include "host/host.h"

#include <stdbool.h>
#include <stddef.h>

/* The first size − 1 bytes of a file under the host's root, NUL-terminated. Returns the
 * length, or -1 with errno and `text` empty. */
ssize_t proc_read(const struct host *host, const char *path, char *text, size_t size);

/* As proc_read, cut at the first line's end. */
ssize_t proc_read_line(const struct host *host, const char *path, char *text, size_t size);

/* A file that holds one whole number. */
int proc_read_integer(const struct host *host, const char *path, int64_t *out);

/* Where a symbolic link points to; the length, or -1 with errno and `text` empty. */
ssize_t proc_read_link(const struct host *host, const char *path, char *text, size_t size);

/* The names in a folder, without "." and "..", in the kernel's order: at most `max`; names that do
 * not fit are left out. Returns how many, or -1 with errno. */
enum { PROC_NAME = 64 };
int proc_names(const struct host *host, const char *path, char (*out)[PROC_NAME], int max);

/* /proc/PID/schedstat: of the thread-group leader only. Fields in ns; run is not up to
 * date for a process that is running at this moment, and final for a zombie. ENODATA where the kernel keeps no account. */
struct proc_schedstat {
	int64_t run;    /* on a CPU */
	int64_t delay;  /* runnable, waiting for a CPU */
	int64_t slices; /* how often it was given a CPU, not ns */
};
int proc_schedstat(const struct host *host, pid_t pid, struct proc_schedstat *out);

/* As proc_schedstat for the calling process. */
int proc_schedstat_self(const struct host *host, struct proc_schedstat *out);

/* The same for the thread that opens it, to be read often: a descriptor, or -1 with errno; and one reading of it, which
 * costs a fifth of opening the file each time. */
int proc_schedstat_open(const struct host *host);
int proc_schedstat_read(const struct host *host, int fd, struct proc_schedstat *out);

struct proc_stat {
	char name[64]; /* as the process calls itself; may hold any byte but NUL */
	char state;    /* 'R', 'S', 'D', 'Z', 'T', … */
	pid_t parent, group, session;
	int threads;          /* now; a zombie counts as one whatever it was */
	int cpu;              /* that it ran on last, or -1 */
	int64_t start;        /* clock ticks after boot */
	int64_t child_faults; /* page faults of children that it has waited for: above 0 when there were any */
	int64_t user, system; /* CPU time of all its threads, in clock ticks */
};
int proc_stat(const struct host *host, pid_t pid, struct proc_stat *out);

/* Length of a clock tick, ns. */
int64_t proc_tick(void);

/* The processes, in the kernel's order: at most `max` ids; returns how many, or -1. */
int proc_list(const struct host *host, pid_t *out, int max);

/* One number of /proc/PID/status, such as "VmHWM" (in kB there) or "Threads". */
int proc_status_number(const struct host *host, pid_t pid, const char *key, int64_t *out);

/* How often the first thread of a process was moved from one CPU to another since it was made
 * (/proc/PID/sched, which not every kernel has, and which is dear: a page of text). */
int proc_migrations(const struct host *host, pid_t pid, int64_t *out);

/* The children of a process, zombies too: at most `max` ids; returns how many, or -1. Reads all
 * of /proc, because the list of children is not in every kernel. */
int proc_children(const struct host *host, pid_t parent, pid_t *out, int max);

#endif
