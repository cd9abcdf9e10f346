/* Several machines: which they are, and what a comparison says of them. Plain data. */
#ifndef TARE_MODEL_MACHINES_H
#define TARE_MODEL_MACHINES_H

#include "base/error.h"
#include "model/confidence.h"

#include <stdbool.h>
#include <stddef.h>

struct result;

struct machine_info {
	const char *id;     /* hash of the system's id and the node's name */
	const char *name;   /* or NULL */
	const char *cpu;    /* model, or NULL */
	long cpus;          /* 0: not known */
	size_t results;     /* documents that it has given */
	const char **order; /* as design.order, of its own pairs or runs; NULL: not known */
	size_t order_count;
};

/* One machine in a comparison. */
struct machine_ratio {
	size_t machine;       /* index into design.machines */
	double ratio;         /* typical where all machines have it, else total */
	struct confidence ci; /* of this machine alone */
	double total, share;  /* NaN: not known */
	size_t units;
};

/* Machines with the same CPU model. */
struct machine_stratum {
	const char *name;
	size_t machines;
	double ratio;
	struct confidence ci;
};

struct machines_result {
	const char *statement; /* "pool" or "these": what ratio, interval and verdict of the comparison speak of */
	struct machine_ratio *each;
	size_t count;
	struct confidence pool, these, next; /* of the ratio: this pool, these machines, a further machine */
	struct machine_stratum *strata;
	size_t stratum_count;
	double sd; /* of the log ratio between machines, what each scatters by taken off; NaN: not known */
	const char *sd_why;
	struct confidence sd_ci;
	double depends_p; /* F test of "it does not depend on the machine"; NaN */
	size_t odd;       /* index into `each` of the machine that is not like the others; SIZE_MAX: none */
	double odd_p;     /* of the least like the others, after Bonferroni; NaN: not looked for */
	double without;   /* ratio without the odd one; NaN */
	struct confidence without_ci;
	/* With a gate, among several comparisons before Holm's correction; broken_p NaN: no gate was asked for. */
	double broken_p; /* smallest alpha at which it is broken */
	bool holds;
	struct confidence broken_ci,
		open_ci;                     /* that break it (not known: slow runs do), and that it holds by or waits for */
	size_t plan_machines, plan_runs; /* would bring the pool's interval within the margin at the least cost; 0: decided,
	                                  * or not known */
};

/* Gives the series of all subjects a machine level and the result the list of its one machine, unless it has them.
 * -1: no memory. */
int machines_make_level(struct result *result, struct error *err);

/* The machine of a result that has one, by its id; NULL: not known, or several. */
const char *machines_only(const struct result *result);

/* Whether two results are of different machines for certain. */
bool machines_differ(const struct result *a, const struct result *b);

/* Moves the samples of `from`, which is of one machine, into `into`, as a further machine or behind those of the same
 * one. Subjects that only one of them has get a lost value on the machines where they are missing. The levels inside
 * must be the same: else -1, ERROR_INPUT, and `into` as it was. `from` is empty afterwards. */
int machines_add(struct result *into, struct result *from, struct error *err);

#endif
