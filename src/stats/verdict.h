/* The verdict rule: is new different from base, the same, or can nothing be said yet?
 *
 * Add units as they are measured and look as often as wanted: adding is O(1) once the unit is made, a
 * look is O(1) and well under a microsecond. Ratios are new over base; nothing here knows which
 * direction is good, except where a slow iteration lies.
 *
 * Three ways: paired units with typical, total and slow share; paired units with the total alone (a unit
 * is one pair, or the clock is too coarse for medians); two independent sets of runs (total alone). */
#ifndef TARE_STATS_VERDICT_H
#define TARE_STATS_VERDICT_H

#include "stats/critical.h"
#include "stats/total.h"
#include "stats/unit.h"

struct verdict_options {
	double alpha;            /* 0.01 for 99 % */
	double margin;           /* 0.01: a ratio within [1/1.01, 1.01] is "the same" */
	double share_margin;     /* 0.01: slow share may differ by one percentage point and be "the same" */
	double quantum;          /* clock step in the unit of the values; 0: negligible */
	double inflation;        /* factor on every c, for correlated runs; 1 normally */
	enum critical_rule rule; /* CRITICAL_ANYTIME while looking after each unit */
	size_t least_units;      /* below it the verdict is undecided */
	bool total_alone;        /* a unit is a single pair: no typical, no share, the whole alpha */
	bool higher_is_better;   /* must match what the units were made with */
};

/* alpha as given, margins 1 %, any number of looks from 10 units on. */
struct verdict_options verdict_defaults(double alpha);

/* For the last look when the budget ended early: R ≥ 10 keeps the options; from 5 units on one look
 * with t; below that nothing can be decided. The result is marked quick. */
struct verdict_options verdict_last_look(const struct verdict_options *options, size_t units);

/* The first look of m comparisons in one experiment: the smallest R ≥ 10 at which the anytime
 * constant of alpha/m is below 8; where alpha/m is so small that it never is, the R at which it is least. */
size_t verdict_first_look(double alpha, size_t comparisons);

enum ratio_verdict {
	RATIO_UNDECIDED,
	RATIO_LOWER, /* new/base below 1: faster where lower is better */
	RATIO_HIGHER,
	RATIO_MIXED, /* typical, total and share point in different directions */
	RATIO_SAME,  /* shown, with scope typical or also total */
};

enum verdict_part_bit { VERDICT_TYPICAL = 1, VERDICT_TOTAL = 2, VERDICT_SHARE = 4, VERDICT_UNITS = 8 };

/* One of the three numbers. */
struct verdict_part {
	bool used;       /* it takes part in this verdict; otherwise the rest is NaN */
	bool unbounded;  /* interval has no bound at its alpha */
	double estimate; /* ratio; for the share a difference of fractions */
	double se;       /* of the log ratio (typical), of the share; NaN for a Fieller total */
	double t;        /* statistic of "no effect", the clock's share taken off */
	double c, c_same;
	struct interval interval;      /* at this part's share of alpha */
	struct interval same_interval; /* at 2·alpha, for "same" */
	int direction;                 /* of the excluding interval in terms of the ratio: −1, 1; 0 includes no effect */
	bool inside;                   /* same_interval lies within the margin */
};

struct verdict_numbers {
	enum ratio_verdict verdict;
	bool same_typical, same_total; /* scope of RATIO_SAME; also set while a difference is not shown */
	unsigned decided_by;           /* bits of the parts that exclude "no effect" */
	unsigned unresolved;           /* bits of the parts that keep it undecided, or that scope total waits for */
	struct verdict_part typical, total, share;
	double share_base, share_new; /* fractions; NaN when the share is not used */
	size_t units, pairs;
	bool quick;          /* fewer than 10 units */
	bool coarse_clock;   /* 0.6·q/t above a quarter of the margin: no typical, no share */
	double clock_term;   /* 0.6·q/t, in the log ratio */
	double order_effect; /* mean over units, log ratio; NaN when orders are not known */
	double side_effect;  /* duet by sides, of total; NaN otherwise */
	double disagreement; /* W = ln total − typical; NaN without typical */
	double disagreement_t, c_warn;
	bool disagree;              /* |W| beyond chance: the tail moved otherwise than the middle */
	double total_times_wider;   /* interval of total over that of typical, logs; NaN, or INFINITY */
	struct total total_numbers; /* for questions about other ratios than 1 */
	double inflation;           /* of the look that these numbers are of, as its options had them */
	enum critical_rule rule;
};

/* Over units; a zeroed struct is empty. */
struct verdict_sum {
	struct total_sum total;
	struct share_sum share;
	struct running typical, typical_plus, typical_minus, order_effect, median_base, median_new;
	size_t pairs;
};

void verdict_add(struct verdict_sum *sum, const struct unit *unit);

/* Adds a single pair for options.total_alone; values may be of any sign (side 0), or positive with a side. */
void verdict_add_pair(struct verdict_sum *sum, double base, double new_, int side);

/* STATS_EMPTY, STATS_TOO_FEW below two units; STATS_NOT_DEFINED when the base's mean is 0, or one is negative;
 * STATS_BAD_ARGUMENT for options outside their range. Otherwise *out is filled, also when undecided. */
enum stats_status verdict_look(const struct verdict_sum *sum, const struct verdict_options *options,
                               struct verdict_numbers *out);

/* Independent runs: means of the runs of each side, at least two each. */
enum stats_status verdict_unpaired(const struct running *base, const struct running *new_,
                                   const struct verdict_options *options, struct verdict_numbers *out);

/* The smallest alpha at which the same look at the same data gives "different", or "same" of the scope (total: also
 * total); at most 1. For Holm over the comparisons of an experiment; the margins stay, and of the options they
 * alone are read. */
double verdict_difference_p(const struct verdict_numbers *numbers);
double verdict_same_p(const struct verdict_numbers *numbers, const struct verdict_options *options, bool total);

/* The same for another question: does new lie beyond a limit on the bad side? `worse` 1: a higher ratio is
 * worse, limit ≥ 1; −1: a lower one, limit ≤ 1. Beyond: typical or total wholly past `limit`, or the slow
 * share above `share_limit`. Short of: typical (a lone total otherwise) and share wholly before them at 2·alpha. */
double verdict_beyond_p(const struct verdict_numbers *numbers, int worse, double limit, double share_limit);
double verdict_short_of_p(const struct verdict_numbers *numbers, int worse, double limit, double share_limit);

/* Whether one-sided skew could explain a called difference of typical (private_sd: typical_private_sd). */
bool verdict_skew_note(const struct verdict_numbers *numbers, double private_sd);

#endif
