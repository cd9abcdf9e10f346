/* When Laaber et al. (2020) stop: rules over the series of a criterion's values, in three variants. */
#ifndef TARE_STATS_STOP_RULES_H
#define TARE_STATS_STOP_RULES_H

#include <stdbool.h>
#include <stddef.h>

enum stop_criterion { CRITERION_CV, CRITERION_RCIW, CRITERION_KLD, CRITERION_COUNT };

enum stop_variant {
	STOP_PUBLISHED, /* the code behind the paper's numbers; reproduces its stop points */
	STOP_PAPER,     /* the paper's text */
	STOP_FORK,      /* its fork of JMH */
};

/* 0.01, 0.03 and 0.99, as in the paper. */
double stop_threshold(enum stop_criterion criterion);

const char *stop_criterion_name(enum stop_criterion criterion); /* "cv", "rciw", "kld" */
/* "published", "paper", "fork"; false: there is none of that name. */
bool stop_variant_by_name(const char *name, enum stop_variant *out);

enum { STOP_WINDOW = 5 }; /* iterations, as in the paper */

/* values[i] = the criterion after iteration i + 1, from all iterations so far; of KLD the first is
 * not defined and not looked at. True when the last of n is stable over a window of at least 1;
 * false before as many iterations (KLD: one more) and when a value that matters is NaN. */
bool stop_warmup(enum stop_criterion criterion, enum stop_variant variant, double threshold, size_t window,
                 const double *values, size_t n);

/* The same after n runs, from the second run on. */
bool stop_runs(enum stop_criterion criterion, enum stop_variant variant, double threshold, const double *values,
               size_t n);

#endif
