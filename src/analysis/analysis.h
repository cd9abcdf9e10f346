/* From series to result: estimates, intervals, levels, warm-up, comparisons, warnings. */
#ifndef TARE_ANALYSIS_ANALYSIS_H
#define TARE_ANALYSIS_ANALYSIS_H

#include "base/error.h"
#include "model/result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How the looks at the data were made: it decides which constant an interval needs (docs/methods.md, "Stopping"). */
enum looking { LOOKED_ONCE, LOOKED_FOR_PRECISION, LOOKED_FOR_VERDICT };

const char *looking_name(enum looking looking); /* "once", …: stopped.looks */
enum { SKIP_AS_SET = -2 };

struct analysis_options {
	double confidence_one;   /* level for one subject, 0.95 */
	double confidence;       /* level for comparisons, 0.99 */
	double weight;           /* share of the error of comparisons that these pairs have (stopped.weight); 0: all */
	double margin;           /* 0.01 */
	double share_margin;     /* NaN: three times the margin */
	const char *method;      /* interval by name, NULL: the default (docs/methods.md) */
	long skip;               /* iterations to leave out, -1: found, SKIP_AS_SET: what each measurement has */
	double skip_share;       /* instead: this fraction of every run's iterations; 0: as `skip` says */
	enum steady_state state; /* given by the user, or STEADY_UNKNOWN: found */
	enum looking looking;
	bool looked_at_machines; /* more machines were asked for until there was a verdict */
	double allowance;        /* relative half-width added to the interval of one subject's runs; 0 */
	double gate;             /* worst change allowed, a fraction; NaN: no gate */
	bool selection;          /* allow for several comparisons */
	const double *beside;    /* p values of comparisons that were made besides these; NULL: none */
	size_t beside_count;
	size_t reference;     /* the subject that the others are compared with */
	bool by_benchmark;    /* instead: with the first of the same benchmark that another program ran */
	const char *deciding; /* metric to compare; NULL: the first that both have */
	size_t block;         /* pairs in a unit of commands; 0: from their times */
	double clock_quantum; /* of the deciding metric, seconds; 0: from the series */
	uint64_t seed;        /* for bootstraps and shuffles */
};

void analysis_options_init(struct analysis_options *options);

/* With the levels, margins and gate that an experiment was asked for. */
struct experiment;
struct analysis_options analysis_options_of(const struct experiment *experiment);

/* Fills what each measurement's series shows. -1 only when out of memory or the method is not known. */
int analyse_subjects(struct result *result, const struct analysis_options *options, struct error *err);

/* Compares every subject with the reference, or with the first one that measures the same; adds to
 * result->comparisons. Benchmarks without a metric in common are then left alone. */
int analyse_comparisons(struct result *result, const struct analysis_options *options, struct error *err);

/* Compares the given couples of subjects (indices of base and new), `count` of them; the selection and the gate
 * are over these couples together. */
struct judge;
struct couple {
	size_t base, new_;
	const char *metric;        /* to compare by; NULL: options.deciding */
	const struct judge *judge; /* that measuring stopped by: its pairs and its options are judged; NULL: the samples */
};
int analyse_couples(struct result *result, const struct couple *couples, size_t count,
                    const struct analysis_options *options, struct error *err);

/* The gate over all comparisons of a result, each of which several machines decide (machines_conclude). */
int analyse_machine_gates(struct result *result, const struct analysis_options *options, struct error *err);

#endif
