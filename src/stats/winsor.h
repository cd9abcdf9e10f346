/* Winsorising: one value that lies far outside all the others is replaced by its neighbour. */
#ifndef TARE_STATS_WINSOR_H
#define TARE_STATS_WINSOR_H

#include <stdbool.h>
#include <stddef.h>

/* Replaces in place the value that lies more than `fraction` of the others' range outside that
 * range by the nearest of the others, and says whether it did. At most one value: where both
 * ends qualify, the one farther out. Below three values nothing is replaced; n finite values. */
bool winsor_one(double *x, size_t n, double fraction);

#endif
