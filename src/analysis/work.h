/* What the parts of one measurement's analysis share. */
#ifndef TARE_ANALYSIS_WORK_H
#define TARE_ANALYSIS_WORK_H

#include "analysis/analysis.h"
#include "analysis/kept.h"
#include "stats/summary.h"

enum {
	FIRM_RUNS = 10,               /* below it a result is quick: it may have missed slow runs that make up a quarter */
	MOST_FOR_MODES = 100000,      /* values looked at for modes and for the clock's step */
	MOST_FOR_DEPENDENCE = 1 << 17 /* values of a run looked at for dependence */
};

struct work {
	struct result *result;
	const struct subject *subject;
	struct measurement *m;
	const struct analysis_options *options;
	struct kept kept;
	unsigned unit_level;
	struct kept_units units;
	struct summary summary;       /* of the units */
	struct description described; /* of m, until it has it */
	struct level_share levels[NESTED_MAX_DEPTH];
	bool proportion; /* the values are failures and successes, 0 and 1 */
};

/* A warning about this metric of this subject. */
int work_warn(struct work *work, const char *code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Fills a confidence from an interval or the reason why there is none. */
void work_interval(struct confidence *ci, double level, const struct interval *interval, enum stats_status status,
                   const char *method);
/* The interval of the median is not told, and why. */
void work_withhold_median(struct work *work, const char *why);

/* The values are iterations (or parts of them) of a run, not runs of a build. */
bool work_has_iterations(const struct series *series);

/* Warm-up and steady state with their evidence, and which iterations are used. -1: out of memory. */
int work_find_state(struct work *work, double precision, struct error *err);

/* Mean, spread, median and outliers of work->units; what pooling would have claimed. */
void work_describe_units(struct work *work, double level);

/* What each level of work->kept adds, with intervals, and what ignoring it would have claimed. -1: out of memory. */
int work_describe_levels(struct work *work, double level, struct error *err);

/* Levels, dependence, clock, slope and modes of work->kept. -1: out of memory. */
int work_describe(struct work *work, double level, struct error *err);

#endif
