#include "stats/status.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* GSL's default handler aborts the program. Every call here checks its arguments or its status,
 * so the handler is off from the start, before any thread can run. */
__attribute__((constructor)) static void gsl_never_aborts(void)
{
	gsl_set_error_handler_off();
}

const char *stats_status_text(enum stats_status status)
{
	switch (status) {
#define X(name, text) \
	case name: return text;
		STATS_STATUSES(X)
#undef X
	}
	return "unknown status";
}

enum { BLOCK = 64 }; /* values that are looked at without a branch between them */

/* An exponent whose bits are all 1 carries into the sign. */
static bool block_is_finite(const double *x)
{
	static const uint64_t exponent = 0x7ff0000000000000, one = 0x0010000000000000;
	uint64_t carried = 0;
	for (size_t i = 0; i < BLOCK; i++) {
		uint64_t bits;
		memcpy(&bits, &x[i], sizeof(bits));
		carried |= (bits & exponent) + one;
	}
	return carried >> 63 == 0;
}

enum stats_status stats_check_finite(const double *x, size_t n)
{
	size_t done = 0;
	if (n == 0)
		return STATS_EMPTY;
	for (; n - done >= BLOCK; done += BLOCK)
		if (!block_is_finite(x + done))
			return STATS_NOT_FINITE;
	for (; done < n; done++)
		if (!isfinite(x[done]))
			return STATS_NOT_FINITE;
	return STATS_OK;
}
