/* Units of other tools brought to ours: seconds, bytes, bytes/s; others stay as they are. */
#ifndef TARE_EXCHANGE_UNITS_H
#define TARE_EXCHANGE_UNITS_H

#include "model/result.h"

#include <stdbool.h>
#include <stddef.h>

struct unit_scale {
	const char *name;        /* "s", "bytes", "bytes/s", or what was given */
	double multiply, divide; /* value in `name` = value · multiply ÷ divide; one of the two is 1 */
};

/* What a unit means. A time per operation (ns/op, ms/iter) is a time. `text` is kept by
 * pointer when it is none of those known. */
struct unit_scale units_meaning(const char *text);

static inline double units_convert(const struct unit_scale *unit, double value)
{
	return unit->divide == 1 ? value * unit->multiply : value / unit->divide;
}

/* The unit that a column's name carries at its end: iteration_time_ns, "wall (ms)", total[us],
 * sec/op. True with the unit's text and the length of what stands before it. A trailing "min"
 * is a minimum, not minutes. Of a rate in words (requests_per_second) that is the whole name, and the unit is made of
 * them: requests/s. */
bool units_in_name(const char *name, char *unit, size_t size, size_t *stem);

/* The unit in one of Go's, which may begin with what is measured: p99-ns/op, text-bytes; else the name itself.
 * `unit` has room for it. */
const char *units_of_go(const char *name, char *unit, size_t size);

/* The direction that a metric of this unit has, or of this name: higher is better for a throughput that is not a time,
 * and for qps, hit-rate and a name that ends in the unit of a rate if they have no unit, are named after it, or are in
 * per cent. */
enum better units_better(const char *name, const char *unit);

#endif
