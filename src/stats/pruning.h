/* Candidates for change points, tested and pruned until all that are left pass. */
#ifndef TARE_STATS_PRUNING_H
#define TARE_STATS_PRUNING_H

#include "stats/split.h"

struct candidate {
	size_t at;
	double z, p_value; /* of the last test; 0 before it */
	bool stale;        /* a neighbour has changed since it was tested */
};

/* A zeroed one with alpha and an initialised model has no candidates. */
struct pruning {
	struct split_model model;
	double alpha;
	struct candidate *items; /* ascending, model.min_segment apart and from the ends */
	size_t count, capacity;
	size_t *places; /* room for as many positions */
};

void pruning_release(struct pruning *pruning);

/* Puts a place before item k. These return STATS_OK or STATS_NO_MEMORY. */
enum stats_status pruning_insert(struct pruning *pruning, size_t k, size_t at);

/* The model's noise about the levels between all candidates. */
enum stats_status pruning_fit_noise(struct pruning *pruning);

/* Adds the best split of each segment where it passes; *added says how many. */
enum stats_status pruning_add_missed(struct pruning *pruning, size_t *added);

/* Tests each candidate with its neighbours as borders, moving it to the best place, and drops the weakest of each
 * neighbourhood as long as one is above alpha. */
void pruning_eliminate(struct pruning *pruning);

/* Searches the segments that are left, each time with the noise about the best new place's levels too, and eliminates
 * again, until nothing is added. */
enum stats_status pruning_search_segments(struct pruning *pruning);

#endif
