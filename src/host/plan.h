/* A request for a command taken apart: what execve needs, in memory that is kept for the next. */
#ifndef TARE_HOST_PLAN_H
#define TARE_HOST_PLAN_H

#include "host/wire.h"

struct plan {
	const struct wire_run *run;
	const char *path, *directory; /* directory "": as it is */
	char **argv, **env;
	int stdio[3]; /* descriptors for STDIO_FILE and STDIO_CAPTURE, else -1 */
	/* kept from plan to plan */
	char **vectors; /* argv and env, one array */
	size_t vector_capacity;
	char *pad; /* "TARE_PAD=xxx" of the largest size so far */
	size_t pad_capacity;
};

/* Points into the message, which must stay, and into the environment of this process. A zeroed
 * plan is valid. -1: out of memory, or not a request. */
int plan_make(struct plan *plan, struct wire_message *message);

#endif
