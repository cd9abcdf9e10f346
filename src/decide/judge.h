/* A judge takes pairs as they are measured, makes units of them, and says what they show so far.
 *
 * It is the one place where pairs become a verdict (docs/methods.md, "Two subjects"): a session asks it at its looks, the analysis of a finished result
 * feeds it the same pairs and asks once. The looks are the judge's own, at numbers of pairs and of units that grow by a
 * fifth each (stats/verdict.h), so both see the same of them. */
#ifndef TARE_DECIDE_JUDGE_H
#define TARE_DECIDE_JUDGE_H

#include "base/error.h"
#include "stats/verdict.h"

#include <stdbool.h>
#include <stddef.h>

struct judge_options {
	struct verdict_options verdict;
	size_t block;   /* pairs of single runs in a unit; 0: pairs of runs with iterations, each a unit that ends where
	                   judge_end_unit() says */
	bool once;      /* one look at pairs of single runs, when all are there: judge_divide() makes units of them; else
	                   every `block` of them is a unit */
	bool has_order; /* order[] is known; else one stratum */
	bool sides;     /* duet: the order is the CPU side of base */
};

struct judge {
	struct judge_options options;
	struct verdict_sum sum;
	double *base, *new_; /* the unit that is being filled; of one look all pairs, until they are divided */
	unsigned char *order;
	size_t filled, capacity;
	struct share_counts counted;             /* units of one pair: slow runs of the groups that are full */
	double *unit_base, *unit_new, *unit_log; /* each unit's means and typical log ratio */
	size_t units, unit_capacity;
	size_t next_pairs, next_units; /* numbers at which to look again */
	bool due;                      /* the last pair or unit was one to look at */
	double order_effect;           /* of one look: what the first place adds, log ratio */
	const char *trouble;           /* why units cannot be used, or NULL */
	bool unfit;                    /* a value has no mean of the kind that is asked for */
};

void judge_init(struct judge *judge, const struct judge_options *options);
void judge_release(struct judge *judge);
void judge_clear(struct judge *judge); /* no pairs any more; the options stay */

/* One pair; order 0: base first, 1: new first. A pair with a NaN is left out. -1: out of memory. */
int judge_add(struct judge *judge, double base, double new_, unsigned char order, struct error *err);

/* Ends the unit that is being filled (used with block 0); an empty one is nothing. */
int judge_end_unit(struct judge *judge, struct error *err);

/* How many units one look at so many pairs makes: none of fewer than 10, five of 10 to 17, ten of 60 to 230, then more as
 * their number to the power of 2/3: units grow with the pairs, so that their medians get surer where a program has several
 * speeds. Sizes are odd, for the median of an even number may lie between two speeds; they differ by two at most, and the
 * last pair may be left over. */
size_t judge_units(size_t pairs);
size_t judge_unit_start(size_t pairs, size_t units, size_t unit); /* the first pair of it, from 0 */

/* Of one look (`once`), when all pairs are there: makes units of them. */
int judge_divide(struct judge *judge, struct error *err);

/* Pairs of runs so far. */
size_t judge_pairs(const struct judge *judge);

/* What the pairs so far show; STATS_NOT_POSITIVE where the means are harmonic or geometric and a value has none. What
 * correlates is allowed for; *correlated tells whether neighbours do, beyond what
 * independent ones may. */
enum stats_status judge_look(const struct judge *judge, struct verdict_numbers *out, bool *correlated);

/* The last look when nothing more will be measured: with fewer pairs than the first look needs by t, marked quick. */
enum stats_status judge_last_look(const struct judge *judge, struct verdict_numbers *out, bool *correlated);

#endif
