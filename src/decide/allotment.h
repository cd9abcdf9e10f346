/* Who is measured next in a suite: the time that is left goes where it can still decide something. */
#ifndef TARE_DECIDE_ALLOTMENT_H
#define TARE_DECIDE_ALLOTMENT_H

#include <stdbool.h>
#include <stddef.h>

/* One benchmark of the suite, as far as it is known now. */
struct allotment {
	bool open;      /* not decided, and its count of runs is not reached */
	size_t units;   /* measured so far */
	size_t least;   /* units before which nothing can be decided */
	double missing; /* units that it still needs, about; INFINITY: not known */
	double cost;    /* seconds of one unit */
};

/* Fills `chosen` (room for n) with the indices of those that get one unit in the next round, and returns how many;
 * `left` in seconds, INFINITY: no limit. 0: nobody is open, or nobody's unit fits into the time. */
size_t allotment_next(const struct allotment *all, size_t n, double left, size_t *chosen);

#endif
