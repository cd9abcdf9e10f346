/* Starting one program, as cheaply and as exactly as can be.
 *
 * The new process shares the starter's memory until execve (vfork), so nothing is copied, and a
 * start that fails says why through that memory: a missing program is never a fast one. What
 * can be done before the clock starts (standard files, directory, CPUs) the starter has done to
 * itself; the new process inherits it. */
#ifndef TARE_HOST_LAUNCH_H
#define TARE_HOST_LAUNCH_H

#include "host/command.h"

struct launch {
	/* in */
	const struct host *host;
	const char *path;
	char *const *argv, *const *env;
	const sigset_t *mask; /* of signals, for the program */
	pid_t starter;        /* getpid() of the caller: the program dies with it */
	void *stack;          /* LAUNCH_STACK bytes for the time until execve */
	/* out */
	pid_t pid;
	int errnum;     /* why it could not be started */
	uint32_t stage; /* enum start_stage */
	int64_t asked, executed;
	int64_t start_cpu;   /* CPU time of the new process until execve */
	int64_t start_delay; /* time that it has waited for a CPU until then; -1: not known */
};

enum { LAUNCH_STACK = 64 * 1024 };

/* 0: the program runs, in a process group of its own. -1: errnum and stage; nothing is left. */
int launch_start(struct launch *launch);

#endif
