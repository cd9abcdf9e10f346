/* Made-up fleets of machines whose truth is known: how often what is said of them holds. */
#ifndef TARE_TESTS_COVERAGE_FLEETS_H
#define TARE_TESTS_COVERAGE_FLEETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fleets_noise {
	FLEETS_NORMAL,
	FLEETS_UNEQUAL, /* inside a machine: between a quarter and four times as much */
	FLEETS_SKEWED,  /* between machines: exponential */
	FLEETS_HEAVY,   /* between machines: t with three degrees of freedom */
};

struct fleets_cell {
	const char *name;
	size_t machines;
	enum fleets_noise noise;
	double interaction; /* sd between machines; inside a machine it is 1, of the machine's mean 0.22 */
	bool two_kinds;     /* every other machine is of a kind that differs by 3 */
	double lost;        /* share of machines without a result */
	double bad;         /* the first machine is off by so many sd between machine means */
	double least;       /* coverage at 99 % that must hold */
};

extern const struct fleets_cell fleets_cells[];
extern const size_t fleets_cell_count;

struct fleets_outcome {
	double pool, these, next; /* share of the intervals at 99 % that hold: mean of the pool, of these, a new machine */
	double unstratified;      /* the pool with its kinds ignored */
	double accused;           /* a machine was named that is like the others */
	double found;             /* the bad one was named */
	double called;            /* F test below 1 % */
};
void fleets_simulate(const struct fleets_cell *cell, int fleets, uint64_t seed, struct fleets_outcome *out);

/* Looks after every machine from the eighth on, up to `machines`, no difference at all; fast machines are also those
 * that a change favours and come first in order of arrival. Share of fleets in which a difference is called at 99 %. */
struct fleets_looks {
	double drawn, arrival;
};
void fleets_look(size_t machines, int fleets, uint64_t seed, struct fleets_looks *out);

#endif
