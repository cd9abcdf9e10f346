#include "stats/status.h"

#include <gsl/gsl_errno.h>
#include <math.h>

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

enum stats_status stats_check_finite(const double *x, size_t n)
{
	if (n == 0)
		return STATS_EMPTY;
	for (size_t i = 0; i < n; i++)
		if (!isfinite(x[i]))
			return STATS_NOT_FINITE;
	return STATS_OK;
}
