/* Gather: rows that carry keys become series with levels.
 *
 * Rows come in any order; each names its series and its machine, build, run, iteration and
 * pair where the data has such columns. Rows that arrive grouped cost 8 bytes and nothing
 * else; only when a group that was left comes back is a group number kept for every row (4
 * bytes), and the values are put in order at the end, in place. Inside a group the order is
 * that of the rows. */
#ifndef TARE_EXCHANGE_GATHER_H
#define TARE_EXCHANGE_GATHER_H

#include "base/error.h"
#include "base/map.h"
#include "exchange/pair_names.h"
#include "model/series.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which keys the rows have. */
struct gather_plan {
	bool machine, build, run, iteration, pair, order;
	bool invocations; /* build, run and iteration are runs, iterations and invocations */
};

struct gather_key {
	uint32_t machine, build; /* small numbers: equal means the same; 0 where there is none */
	uint32_t run;
	uint32_t pair;
	double iteration;
	uint8_t order; /* 0: not known */
	bool more;     /* another value of the row before: same group */
};

struct gather_segment {
	uint32_t machine, build, first_group;
};

struct gather_maps {
	struct map segments; /* machine and build, once there are two */
	struct map groups;   /* segment and run, once a group has come back */
};

struct gather_series {
	double *values;
	uint32_t *pair;      /* per row, where the plan has pairs */
	uint8_t *order;      /* per row, where the plan has an order */
	uint32_t *row_group; /* per row, once a group has come back */
	uint32_t rows;
	size_t row_room;
	uint32_t *start;        /* per group: its first row (while groups are in order); `first` while that is enough */
	uint32_t *run;          /* per group: its run key, where the plan has runs */
	uint32_t *segment;      /* per group, once a group has come back: which segment */
	uint32_t groups, group; /* group: the one of the last row */
	size_t group_room;
	uint32_t first[2]; /* of a series with one group: a block for each of a million would leave as many holes */
	struct gather_segment *segments; /* groups with the same machine and build; one that is shared where room is 0 */
	uint32_t segment_count, current_segment;
	size_t segment_room;
	struct gather_maps *maps; /* NULL as long as rows arrive grouped */
	double last_iteration;
	bool unordered; /* an iteration number went down inside a run */
};

void gather_release(struct gather_series *series);

/* Adds a row. A run begins where the run key changes; without run keys where the iteration
 * does not grow; without either, with every row. */
int gather_add(struct gather_series *series, const struct gather_plan *plan, const struct gather_key *key, double value,
               struct error *err);

/* What rows were told apart by is no longer needed. */
void gather_release_maps(struct gather_series *series);

/* Used by the two below: from here on every row says which group it belongs to. */
int gather_scatter(struct gather_series *series, const struct gather_plan *plan, struct error *err);

/* Puts the rows in order: groups in the order of their first row, those of one machine and
 * build together. Call once, after the last row. */
int gather_finish(struct gather_series *series, const struct gather_plan *plan, struct error *err);

/* Moves the gathered values into an empty series of the plan's levels (machine and build where
 * the plan has them, run, iteration), with their keys where the plan has pairs. */
int gather_to_series(struct gather_series *from, const struct gather_plan *plan, struct pair_names *names,
                     struct series *to, struct error *err);

/* The levels of the plan, outermost first; their number is returned. */
unsigned gather_levels(const struct gather_plan *plan, enum level *levels);

#endif
