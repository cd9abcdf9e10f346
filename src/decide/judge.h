/* A judge takes pairs as they are measured, makes units of them, and says what they show so far.
 *
 * It is the one place where pairs become a verdict (docs/methods.md, "The verdict"): a session asks it after each
 * unit, the analysis of a finished result asks it once. */
#ifndef TARE_DECIDE_JUDGE_H
#define TARE_DECIDE_JUDGE_H

#include "base/error.h"
#include "stats/verdict.h"

#include <stdbool.h>
#include <stddef.h>

struct judge_options {
	struct verdict_options verdict;
	size_t block;   /* pairs in a unit; 1: every pair is a unit and the total alone is judged; 0: units end
	                   where judge_end_unit() says */
	bool has_order; /* order[] is known; else one stratum */
	bool sides;     /* duet: the order is the CPU side of base */
};

struct judge {
	struct judge_options options;
	struct verdict_sum sum;
	double *base, *new_; /* the unit that is being filled */
	unsigned char *order;
	size_t filled, capacity;
	double *unit_base, *unit_new, *unit_log; /* each unit's means and typical log ratio */
	size_t units, unit_capacity;
	const char *trouble; /* why a unit could not be used, or NULL */
};

void judge_init(struct judge *judge, const struct judge_options *options);
void judge_release(struct judge *judge);
void judge_clear(struct judge *judge); /* no pairs any more; the options stay */

/* One pair; order 0: base first, 1: new first. A pair with a NaN is left out. -1: out of memory. */
int judge_add(struct judge *judge, double base, double new_, unsigned char order, struct error *err);

/* Ends the unit that is being filled (used with block 0); an empty one is nothing. */
int judge_end_unit(struct judge *judge, struct error *err);

/* What the whole units so far show. The correlation of neighbouring units is allowed for;
 * *correlated tells whether there is any. */
enum stats_status judge_look(const struct judge *judge, struct verdict_numbers *out, bool *correlated);

/* The last look when nothing more will be measured: with few units by t, marked quick. */
enum stats_status judge_last_look(const struct judge *judge, struct verdict_numbers *out, bool *correlated);

#endif
