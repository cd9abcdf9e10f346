/* Energy of the processor packages, from the kernel's powercap files (RAPL).
 *
 * It is the energy of whole packages, whoever used it, and the hardware adds to it about
 * once in a millisecond. Most systems let only root read it. */
#ifndef TARE_HOST_RAPL_H
#define TARE_HOST_RAPL_H

#include "base/error.h"
#include "host/host.h"

enum { RAPL_MAX = 8 };

struct rapl {
	size_t count;
	int fds[RAPL_MAX];
	int64_t range[RAPL_MAX]; /* µJ at which the counter starts again at 0 */
};

struct rapl_reading {
	int64_t energy[RAPL_MAX]; /* µJ; -1: not read */
};

/* Opens the packages; -1 when there are none that may be read, and `err` says why. */
int rapl_open(const struct host *host, struct rapl *out, struct error *err);
void rapl_release(const struct host *host, struct rapl *rapl); /* a zeroed one is empty */

void rapl_read(const struct host *host, const struct rapl *rapl, struct rapl_reading *out);

/* µJ of all packages between two readings less than one round of a counter apart; -1: not known. */
int64_t rapl_difference(const struct rapl *rapl, const struct rapl_reading *before, const struct rapl_reading *after);

#endif
