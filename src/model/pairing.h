/* Pairing: series whose values carry pair keys become series whose values at the same place are pairs. */
#ifndef TARE_MODEL_PAIRING_H
#define TARE_MODEL_PAIRING_H

#include "base/error.h"
#include "model/series.h"

#include <stddef.h>
#include <stdint.h>

struct pairing {
	size_t dropped; /* values that had no partner, of all series together */
	uint32_t *kept; /* which values of the first series stayed, in their new order; NULL: all, as they were */
	size_t kept_count;
	uint32_t twice; /* the pair key that occurs twice, where that is the error */
};

void pairing_release(struct pairing *pairing);

/* Aligns at least two series with pair keys: only pairs that all of them have stay, in the order of the first, with
 * its levels; of two series a value that is NaN in one becomes NaN in both. The keys are given up.
 * Equal pair keys are partners only in equal runs, unless the runs of the series have no key in common: then the pair
 * key alone counts. Returns 1 when aligned; 0 when there is no pair in common; -1 and err when a key occurs twice in a
 * series (ERROR_INPUT) or memory ran out. Where it is not 1 the series are as they were. */
int pairing_align(struct series *const *series, size_t count, struct pairing *out, struct error *err);

#endif
