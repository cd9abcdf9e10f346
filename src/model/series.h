/* A series: the measured values of one metric of one subject, with their levels.
 *
 * The tree of levels is kept flat, so that ten million values stay near 8 bytes
 * each. depth levels, outermost first, at least two; level k of the first
 * depth − 1 has groups[k] groups, and group g spans starts[k][g] … starts[k][g+1] − 1
 * in the groups of the next level, or in `values` for the last grouping level.
 * A command measured R times is levels run, iteration with R groups of one value.
 * A value that was lost (a failed sample of a pair) is NaN. */
#ifndef TARE_MODEL_SERIES_H
#define TARE_MODEL_SERIES_H

#include "base/error.h"
#include "model/level.h"

#include <stddef.h>
#include <stdint.h>

struct series {
	unsigned depth;
	enum level levels[LEVEL_COUNT];
	uint32_t groups[LEVEL_COUNT - 1];
	uint32_t group_capacity[LEVEL_COUNT - 1];
	uint32_t capacity;
	size_t n;
	double *values;
	uint32_t *starts[LEVEL_COUNT - 1]; /* groups[k] + 1 entries; where group_capacity[k] is 0, behind the values */
	/* Where the data came with pair keys (model/pairing.h): the pair of each value, and the run, with its build and
	 * machine, that each innermost group is. Equal numbers are equal keys. NULL: not known. */
	uint32_t *pair_key, *run_key;
};

/* Empty, with these levels (2 to LEVEL_COUNT, outermost first). */
void series_init(struct series *series, const enum level *levels, unsigned depth);
void series_release(struct series *series);

/* Gives up the keys. */
void series_forget_pairs(struct series *series);

/* Appends a value, to a series without keys. `open` is the outermost level index (0 … depth − 1) at which a new
 * group begins with this value: 0 a new outermost group, depth − 1 the next value in
 * the same innermost group. The first value opens all. -1 and err when out of memory
 * or past 2^32 − 2 values. */
int series_append(struct series *series, unsigned open, double value, struct error *err);

/* All values of `from` behind those of `to`, whose innermost levels are the same and which may have more outside them;
 * the first of them opens `open`. Keys are not kept. */
int series_append_all(struct series *to, const struct series *from, unsigned open, struct error *err);

/* Outermost group g of a series with three levels or more as a series of its own, without that level; `out` is not initialised before. -1: no memory, and
 * nothing to release. */
int series_group(struct series *out, const struct series *from, size_t g, struct error *err);

/* The same values as one group of a new outermost level. -1: no memory, and nothing is changed. */
int series_wrap(struct series *series, enum level level, struct error *err);

/* The values of outermost group g: first index, and count by *n. */
size_t series_span(const struct series *series, size_t g, size_t *n);

#endif
