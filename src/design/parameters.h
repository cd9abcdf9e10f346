/* Parameter scans: `-P size 1 8`, `-D 2`, `-L compiler gcc,clang` make one subject for
 * every combination, with `{size}` in the command replaced. */
#ifndef TARE_DESIGN_PARAMETERS_H
#define TARE_DESIGN_PARAMETERS_H

#include "base/arena.h"
#include "base/error.h"
#include "model/result.h"

#include <stddef.h>

struct parameter_axis {
	const char *name;
	const char **values;
	size_t count;
};

/* "1", "8", step "2" (NULL: 1) → 1 3 5 7; decimal places as in the texts. At most 100 000 values. */
int parameter_range(struct arena *arena, const char *name, const char *low, const char *high, const char *step,
                    struct parameter_axis *out, struct error *err);

/* "a,b\,c,d" → a | b,c | d */
int parameter_list(struct arena *arena, const char *name, const char *values, struct parameter_axis *out,
                   struct error *err);

/* Puts the axis behind the others, or in the place of one of the first `replaceable` that has its name. -1 if another one
 * has it. `axes` has room for one more. */
int parameter_add(struct parameter_axis *axes, size_t *count, size_t replaceable, const struct parameter_axis *axis,
                  struct error *err);

/* Number of combinations of the axes. */
size_t parameter_combinations(const struct parameter_axis *axes, size_t count);

/* The values of combination `index`, the last axis moving fastest: `count` entries. */
void parameter_combination(const struct parameter_axis *axes, size_t count, size_t index, struct parameter *out);

/* `text` with every {name} replaced; NULL when out of memory. */
char *parameter_substitute(struct arena *arena, const char *text, const struct parameter *values, size_t count);

#endif
