/* Ctrl-C and its kin: a descriptor that becomes readable, so that what was measured can still be told. */
#ifndef TARE_HOST_INTERRUPT_H
#define TARE_HOST_INTERRUPT_H

#include "base/error.h"

#include <stdbool.h>

/* Whether a signal has come since interrupt_open. */
bool interrupt_came(void);

/* From now on SIGINT, SIGTERM and SIGHUP make *fd readable, except those that whoever started the program ignores
 * (nohup, a job in the background). The same one again, half a second after the first or later, ends the program at
 * once. A pipe that nobody reads is no reason to end until interrupt_close(), which makes signals what they were. */
int interrupt_open(int *fd, struct error *err);
void interrupt_close(void);

/* A pipe that nobody reads any more ends the program as it ends others, unless whoever started it ignores that. */
void interrupt_if_unread(int fd);

#endif
