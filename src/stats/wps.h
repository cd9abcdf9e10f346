/* Work per second: the speed of the stable phase from rounds of different work amounts (Pilot's WPS). */
#ifndef TARE_STATS_WPS_H
#define TARE_STATS_WPS_H

#include "stats/regression.h"

/* Which series must be free of autocorrelation before neighbouring rounds count as independent. */
enum wps_merging {
	WPS_MERGE_RESIDUALS, /* what the line leaves; negative autocorrelation, which only widens, is let pass */
	WPS_MERGE_SPEEDS     /* work over time, as Pilot does: work amounts in ascending order look dependent */
};

struct wps_options {
	double shortest;              /* seconds; shorter rounds are left out; ≥ 0 */
	double autocorrelation_limit; /* in (0, 1]; 1: no merging */
	double level;                 /* of the intervals, in (0, 1) */
	enum wps_merging merging;
};

struct wps {
	size_t rounds;    /* used: neither shorter than `shortest` nor than |alpha| */
	size_t size;      /* neighbouring rounds averaged into a point of the fit */
	struct line line; /* seconds = alpha + work/speed over the points */
	double critical;  /* t with points − 2 degrees of freedom at the level */
	double alpha;     /* seconds that do not depend on the work */
	struct interval alpha_interval;
	double speed; /* work per second in the stable phase */
	struct interval speed_interval;
	double residual_squares; /* over all rounds used, also those of an incomplete last group */
	double curvature_p;      /* F test of a square term over the points; NaN when it cannot be tested */
};

/* Rounds in the order they ran; a failed round must not be among them. STATS_TOO_FEW when fewer than three points
 * are left or no merging reaches the limit, STATS_CONSTANT for equal work amounts, STATS_NOT_POSITIVE for a negative
 * work amount or a time of 0, STATS_NOT_DEFINED when the time does not grow with the work, STATS_UNBOUNDED when the
 * slope's interval reaches 0: all is written then, and the speed has its low bound and INFINITY. Allocates. */
enum stats_status wps_fit(const double *work, const double *seconds, size_t n, const struct wps_options *options,
                          struct wps *out);

#endif
