/* Is a run steady after its warm-up, or does it still step or drift? */
#ifndef TARE_STATS_STEADY_H
#define TARE_STATS_STEADY_H

#include "stats/status.h"

#include <stdbool.h>
#include <stdint.h>

enum { STEADY_BATCHES = 12, STEADY_RUNS = 3, STEADY_ADVISED = 300 };

struct steady {
	double batch_means[STEADY_BATCHES];
	size_t batch;   /* values in a batch */
	double mean;    /* of the batch means */
	double split_t; /* largest |t| of a difference between the batches before and after a split; ∞ for a clean step */
	size_t split;   /* after this batch, 2 … 10 */
	double split_change; /* mean after − mean before */
	double trend_t;      /* of the slope over the batches */
	double trend_change; /* slope times 11: from the first batch to the last */
	double effect;       /* the larger |change| among the tests that fired, relative to |mean|; 0: none fired */
	bool unsteady;
};

/* One run from value `skip` on. `precision` is the relative target precision (0.01 for 1 %, ≥ 0): an effect of
 * at most half of it is no reason to object. STATS_TOO_FEW when fewer than 12 values are left; below
 * STEADY_ADVISED the test sees little. Allocates. */
enum stats_status steady_test(const double *x, size_t n, size_t skip, double precision, struct steady *out);

#endif
