/* What several machines together say: this pool, these machines, the next machine; and which of them is odd.
 *
 * A machine enters with one number, the mean of what was measured on it (a log ratio, mostly), and that number's own
 * variance. Machines have no order in time. */
#ifndef TARE_STATS_FLEET_H
#define TARE_STATS_FLEET_H

#include "stats/critical.h"
#include "stats/status.h"

#include <stdbool.h>
#include <stddef.h>

struct fleet_machine {
	double mean;     /* of the machine */
	double variance; /* of that mean, from inside the machine; NaN: not known */
	double df;       /* degrees of freedom of the variance */
	size_t stratum;  /* machines of the same kind have the same number, from 0 without gaps */
};

struct fleet {
	size_t machines, strata;
	double mean;      /* of the machines, none weighs more than another */
	double sd;        /* between machines of a stratum, pooled; NaN where no stratum has two */
	double df;        /* of sd: machines − strata */
	double sd_all;    /* between all machines, strata ignored; NaN below two */
	double within;    /* mean of the machines' own variances; NaN where one is not known */
	double within_df; /* by Satterthwaite */
};

/* STATS_EMPTY, STATS_NOT_FINITE for a mean, STATS_BAD_ARGUMENT for a stratum with no machine before the last. */
enum stats_status fleet_of(const struct fleet_machine *machines, size_t count, struct fleet *out);

/* Mean ± half-width. STATS_TOO_FEW where the spread that it needs is not known; STATS_UNBOUNDED where so few machines
 * give no bound at this alpha under CRITICAL_ANYTIME. */
enum stats_status fleet_pool(const struct fleet *fleet, enum critical_rule rule, double alpha, struct interval *out);
enum stats_status fleet_these(const struct fleet *fleet, double alpha, struct interval *out);
enum stats_status fleet_next(const struct fleet *fleet, double alpha, struct interval *out);

struct fleet_stratum {
	size_t machines;
	double mean;
	struct interval interval; /* with the pooled sd; infinite where it is not known */
};
/* Stratum number `stratum`, one look. */
enum stats_status fleet_stratum(const struct fleet *fleet, const struct fleet_machine *machines, size_t stratum,
                                double alpha, struct fleet_stratum *out);

/* Does what is measured depend on the machine? */
struct fleet_interaction {
	double sd;                /* of machine × version, what single machines scatter by taken off; 0 or more */
	struct interval interval; /* of it */
	double f, p;              /* F test of "it does not" */
};
enum stats_status fleet_interaction(const struct fleet *fleet, double confidence, struct fleet_interaction *out);

/* The machine that is least like the others of its stratum. */
struct fleet_odd {
	size_t machine;
	double t; /* externally studentised residual */
	double p; /* times the number of machines (Bonferroni), at most 1 */
};
#define FLEET_ODD_ALPHA 0.01 /* below it a machine is named */
/* STATS_TOO_FEW with fewer than two degrees of freedom (three machines of one kind). */
enum stats_status fleet_odd(const struct fleet *fleet, const struct fleet_machine *machines, struct fleet_odd *out);

/* Runs or machines? What is known for an interval of the pool that is ± half_width wide. */
struct fleet_needs {
	double machine_sd;             /* between machines, what each scatters by itself taken off */
	double run_sd;                 /* between runs on one machine */
	double machine_cost, run_cost; /* of one more, in any unit; NaN: not known, and `runs` stays */
	size_t runs;                   /* on each machine so far */
	size_t machines_least, strata;
	enum critical_rule rule;
	double alpha, half_width;
};
struct fleet_counts {
	size_t machines, runs; /* runs on each */
};
enum { FLEET_PLAN_MOST = 10000 };
/* The cheapest counts. STATS_UNBOUNDED: more than FLEET_PLAN_MOST machines. */
enum stats_status fleet_plan(const struct fleet_needs *needs, struct fleet_counts *out);

/* How many slots of the drawn order may be looked at: those before the first that is still open. */
size_t fleet_prefix(const bool *open, size_t count);

/* Machines of the next wave: 8, 12, 16, 24, then half as many again; at most `most`. */
size_t fleet_wave(size_t now, size_t most);

#endif
