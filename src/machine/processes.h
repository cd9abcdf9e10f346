/* Who used the CPUs between two looks at /proc, by name. */
#ifndef TARE_MACHINE_PROCESSES_H
#define TARE_MACHINE_PROCESSES_H

#include "base/error.h"
#include "host/host.h"

#include <stdbool.h>
#include <stddef.h>

enum { PROCESS_NAME = 64 };

struct process {
	pid_t pid;
	int64_t start; /* clock ticks after boot: a pid may come again */
	int64_t used;  /* CPU time, clock ticks */
	bool ended;    /* it was there before and is no longer */
	char name[PROCESS_NAME];
};

/* All processes at one moment, by pid. */
struct processes {
	struct process *list; /* ours */
	size_t count;
	bool complete; /* false: there were too many to read in the time */
	bool whole;    /* the kernel's own threads are among them: no container hides others */
};

/* Reads /proc for at most `time` ns. Processes that end meanwhile are left out. -1 when /proc cannot be listed. */
int processes_read(const struct host *host, int64_t time, struct processes *out, struct error *err);
void processes_release(struct processes *processes); /* a zeroed one is empty */

/* Adds to `to` the processes of an earlier reading that are no longer there, marked as ended: what they had used by
 * then is all that is known. -1 for want of memory. */
int processes_keep_ended(struct processes *to, const struct processes *earlier, struct error *err);

/* Processes of one name together. */
struct process_use {
	char name[PROCESS_NAME];
	pid_t pid;    /* of the one that used most */
	bool ended;   /* that one has */
	size_t count; /* processes of that name that used any */
	int64_t used; /* clock ticks, together */
	int64_t most; /* of that one */
};

/* CPU time between two readings by name, those that used most first; without process `except`. *out is the
 * caller's (mem_free) and NULL when nobody used any. */
int processes_between(const struct processes *before, const struct processes *after, pid_t except,
                      struct process_use **out, size_t *count, struct error *err);

/* CPU time of one process between two readings, clock ticks; 0 when it is not there. */
int64_t processes_used(const struct processes *before, const struct processes *after, pid_t pid);

#endif
