/* Ctrl-C and its kin: a descriptor that becomes readable, so that what was measured can still be told. */
#ifndef TARE_CLI_INTERRUPT_H
#define TARE_CLI_INTERRUPT_H

#include "base/error.h"

/* From now on SIGINT, SIGTERM and SIGHUP make *fd readable. A second one ends the program at once. */
int interrupt_open(int *fd, struct error *err);
void interrupt_close(void);

#endif
