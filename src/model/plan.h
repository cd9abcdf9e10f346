/* A plan: how many repetitions an experiment needs, from what a first experiment has shown. Plain data, in an arena.
 *
 * It mirrors the JSON "tare-plan/1" (man tare-plan). A number that is not known is NaN. */
#ifndef TARE_MODEL_PLAN_H
#define TARE_MODEL_PLAN_H

#include "base/arena.h"
#include "model/calibration.h"
#include "model/result.h"

/* One level of one subject, as the first experiment has shown it. Variances are relative to the mean squared. */
struct plan_level {
	enum level level;
	double members;         /* per parent, in the first experiment */
	double variance;        /* that it adds; at or below 0: nothing could be seen */
	double sd_low, sd_high; /* interval of its standard deviation, relative to the mean */
	double cost;            /* seconds for one more, without those below it */
	size_t count;           /* best number per parent; 0: the outermost, as many as the precision needs */
	size_t ratio_count;     /* the same where two are compared; 0: as `count` */
};

struct plan_subject {
	const char *name, *command, *benchmark; /* command or benchmark: what it is found by again */
	const char *metric, *unit;
	double mean;
	enum steady_state state;
	size_t skip; /* iterations that are warm-up */
	struct plan_level levels[LEVEL_COUNT];
	size_t level_count;
	double unit_variance; /* relative variance of the mean of one outermost member with these counts */
	double unit_cost;     /* seconds that it takes */
	size_t units;         /* outermost members for the wanted precision, or that the budget holds */
	double half_width;    /* relative, that they are expected to give */
	double pairing; /* variance of a ratio of pairs, over that of two that are measured apart; of machines what they
	                       * add to it, over what they add to two of different machines. NaN: no pairs */
};

struct repeat_plan {
	struct arena arena;
	const char *version, *made; /* RFC 3339 */
	struct calibration_machine machine;
	double confidence; /* of one system */
	double precision;  /* wanted relative half-width; NaN: a budget instead */
	double budget;     /* seconds; NaN: a precision instead */
	double elapsed;    /* seconds of the first experiment */
	struct plan_subject *subjects;
	size_t subject_count;
	const char *elsewhere; /* how this machine differs from the one of the plan; NULL: not known to. Not written */
};

/* What a half-width takes. */
struct plan_row {
	double half_width;
	size_t counts[LEVEL_COUNT]; /* per parent, outermost first; the outermost is for one system */
	double seconds;
	size_t ratio_counts[LEVEL_COUNT]; /* the same of each of two systems like this one, for their ratio */
	double ratio_seconds;             /* of both */
};

void repeat_plan_init(struct repeat_plan *plan);
void repeat_plan_release(struct repeat_plan *plan);

/* The subject with this benchmark, or else this command; NULL: there is none. */
const struct plan_subject *plan_find(const struct repeat_plan *plan, const char *benchmark, const char *command);

/* How often `level` is repeated in each of its parents, where two are `compared` or one is described; 0: the plan does
 * not say. */
size_t plan_count(const struct plan_subject *subject, enum level level, bool compared);

#endif
