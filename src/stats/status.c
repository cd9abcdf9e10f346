#include "stats/status.h"

#include <math.h>

const char *stats_status_text(enum stats_status status)
{
	switch (status) {
#define X(name, text) case name: return text;
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
