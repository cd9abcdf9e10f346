/* Dimensioning: from variances and costs to counts, times and widths (Kalibera and Jones 2013, section 9). */
#ifndef TARE_DECIDE_PLAN_H
#define TARE_DECIDE_PLAN_H

#include "base/error.h"
#include "model/plan.h"

enum {
	PLAN_LEAST = 10, /* outermost members: a precision stop looks from there on */
	PLAN_ROWS = 5
};

/* 0.5, 1, 1.5, 2.5 and 5 %. */
extern const double plan_half_widths[PLAN_ROWS];

/* Best counts below the top, by equation 3 of Kalibera and Jones (2013) with the precautions of docs/methods.md,
 * "Plans", for a subject whose levels, variances, costs and state are set. Fills count of each level, unit_variance
 * and unit_cost. Iterations that are not independent are taken once a run. False where a cost or a variance is not
 * known. */
bool plan_dimension(struct plan_subject *subject);

/* The cheapest counts that reach the half-width with at least PLAN_LEAST outermost members, by the rule that a
 * precision stop uses; for a ratio at `ratio_confidence`, of two systems like this one, unpaired (eq. 6). False: it
 * cannot be reached with a billion. */
bool plan_row(const struct plan_subject *subject, double half_width, double confidence, double ratio_confidence,
              struct plan_row *out);

/* The counts that give the shortest interval in so many seconds, and that interval's relative half-width. False: not
 * even two outermost members fit. */
bool plan_budget(const struct plan_subject *subject, double seconds, double confidence, struct plan_row *out);

/* Takes the counts of a row for the subject's own. */
void plan_take(struct plan_subject *subject, const struct plan_row *row);

/* A plan from the first experiment: subjects by `metric`, or where that is NULL by what decides there. The plan's
 * confidence and precision or budget are set. -1 and err: out of memory, or ERROR_NO_DATA where nothing can be
 * dimensioned. */
int plan_from_result(struct repeat_plan *plan, const struct result *first, const char *metric, struct error *err);

/* After an experiment that followed it: warns of what is not in the plan, of another machine, and of variances and
 * costs that moved. -1: out of memory. */
int plan_check(const struct repeat_plan *plan, struct result *result, struct error *err);

#endif
