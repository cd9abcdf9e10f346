/* A program started by `tare cc` on behalf of the compiler's caller: no spawner, so that signals, terminal and standard
 * files are as the caller has them. */
#ifndef TARE_BUILDS_CHILD_H
#define TARE_BUILDS_CHILD_H

#include "base/buffer.h"
#include "base/error.h"
#include "host/host.h"

/* What a program prints on standard output (its standard error goes nowhere). The exit status; -1 and err when it could
 * not be started or was killed. */
int child_ask(const struct host *host, const char *path, const char *const *argv, struct buffer *out,
              struct error *err);

/* Runs a program with everything inherited and waits for it. SIGTERM and SIGHUP are passed on; SIGINT and SIGQUIT,
 * which a terminal sends to both, are left to it. *status is as wait4 has it. */
int child_run(const struct host *host, const char *path, const char *const *argv, const char *const *env, int *status,
              struct error *err);

/* Becomes the program. Returns only on failure: -1 and err. env: NULL for tare's own. */
int child_become(const struct host *host, const char *path, const char *const *argv, const char *const *env,
                 struct error *err);

/* Ends as a child has ended: by the same signal, or with the value to exit with. */
int child_end_like(const struct host *host, int status);

#endif
