/* A program that runs beside tare and talks with it: start, watch, end.
 *
 * Commands that are timed from outside are started by the spawner (host/command.h); this is for programs that time
 * themselves, where starting may cost what it will. The program gets a process group of its own and is killed when
 * the thread that started it ends. */
#ifndef TARE_HOST_PROGRAM_H
#define TARE_HOST_PROGRAM_H

#include "base/error.h"
#include "host/cpuset.h"
#include "host/host.h"

#include <stdbool.h>
#include <stddef.h>

struct program_request {
	const char *const *argv;   /* ends with NULL; the first is looked for in PATH if it has no '/' */
	const char *const *env;    /* "NAME=value" to set besides tare's own; ends with NULL; NULL: none */
	const char *directory;     /* NULL: tare's own */
	const struct cpuset *cpus; /* NULL: as tare's own */
	int out, err;              /* where standard output and error go; standard input is /dev/null */
	const int *fds;            /* become descriptors 3, 4, … of the program */
	size_t fd_count;           /* at most 4 */
	bool sweep;                /* what it leaves behind outside of its group is killed too (host/leftover.h) */
};

struct program {
	pid_t pid;  /* 0: none */
	int pidfd;  /* readable when it has ended */
	bool ended; /* and reaped: */
	int code;   /* exit status, or -1 */
	int signal; /* that killed it, or 0 */
	bool sweep;
};

/* Starts the program; a start that fails says why, and nothing is left behind. */
int program_start(const struct host *host, const struct program_request *request, struct program *out,
                  struct error *err);

/* Waits until it has ended or the deadline (an instant of clock_now()) has come; true when it has ended. */
bool program_wait(const struct host *host, struct program *program, int64_t deadline);

/* Kills it and reaps it. Whenever it ends, the rest of its process group is killed with it, and by `sweep` its other
 * descendants too. */
void program_kill(const struct host *host, struct program *program);

/* Frees what is left of it, killing it if it runs. A zeroed one is fine. */
void program_release(const struct host *host, struct program *program);

#endif
