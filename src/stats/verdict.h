/* The verdict rule: is new different from base, the same, or can nothing be said yet?
 *
 * Add pairs and units as they are measured, mark the looks, and look as often as wanted: adding is O(1) once the unit is
 * made, a look takes some microseconds. Ratios are new over base; nothing here knows which direction is good, except
 * where a slow iteration lies.
 *
 * A *pair* is a pair of runs: the total is over pairs. A *unit* is a block of pairs (single runs) or a pair of runs with
 * iterations: typical and the slow share are over units. Independent runs of two sides have the total alone. */
#ifndef TARE_STATS_VERDICT_H
#define TARE_STATS_VERDICT_H

#include "stats/critical.h"
#include "stats/total.h"
#include "stats/unit.h"

enum {
	VERDICT_RULE = 2,        /* the edition of the rule, as results record it */
	VERDICT_LEAST_PAIRS = 5, /* for one look; below it there is no verdict */
	VERDICT_FIRST_LOOK = 6,  /* pairs, where any number of looks follow */
	VERDICT_LEAST_UNITS = 5, /* for typical and the slow share */
	VERDICT_FIRM_PAIRS = 10, /* below it a result is marked quick */
};

struct verdict_options {
	double alpha;        /* 0.01 for 99 % */
	double alpha_same;   /* for "same"; 0: alpha. They differ among several comparisons */
	double margin;       /* 0.01: a ratio within [1/1.01, 1.01] is "the same" */
	double share_margin; /* 0.03: slow share may differ by three percentage points and be "the same"; NaN: 3 margins */
	double quantum;      /* clock step in the unit of the values; 0: negligible */
	double weight;       /* share of alpha that these pairs have, where others were looked at before; 0: all of it */
	double inflation;    /* factor on the c of typical, and of a total without pairs, for correlated units; ≥ 1 */
	enum critical_rule rule; /* CRITICAL_ANYTIME while looking for a verdict */
	size_t least_pairs;      /* below it the verdict is undecided */
	bool runs;               /* a pair is a pair of runs with iterations, and a unit of its own */
	bool total_alone;        /* no typical, no share */
	bool higher_is_better;   /* must match what the units were made with */
	enum total_kind kind;    /* of which means the total is */
};

/* alpha as given, margins 1 % and 3 points, any number of looks from the sixth pair on. */
struct verdict_options verdict_defaults(double alpha);

/* For the last look, when fewer pairs were measured than the first of many looks needs: one look with t. */
struct verdict_options verdict_last_look(const struct verdict_options *options, size_t pairs);

/* The margin of the slow share, a fraction: as asked for, or from the margin of the ratio. */
double verdict_share_margin(double share_margin, double margin);

/* The next number of pairs, or of units, worth a look after n: 6, 7, 8, 10, 12, 15, 18 … a fifth more each. */
size_t verdict_next_look(size_t n);

enum ratio_verdict {
	RATIO_UNDECIDED,
	RATIO_LOWER, /* new/base below 1: faster where lower is better */
	RATIO_HIGHER,
	RATIO_MIXED, /* typical, total and share point in different directions */
	RATIO_SAME,  /* shown, with scope typical or also total */
};

enum verdict_part_bit { VERDICT_TYPICAL = 1, VERDICT_TOTAL = 2, VERDICT_SHARE = 4, VERDICT_PAIRS = 8 };

/* One of the three numbers. */
struct verdict_part {
	bool used;       /* it takes part in this verdict; otherwise the rest is NaN */
	bool unbounded;  /* interval has no bound at its alpha */
	double estimate; /* ratio; for the share a difference of fractions */
	double se;       /* of the log ratio (typical), of the share; NaN for a Fieller total and for counts */
	double c, c_same;
	struct interval interval;      /* at this part's share of alpha */
	struct interval same_interval; /* at alpha, for "same" */
	int direction;                 /* of the excluding interval in terms of the ratio: −1, 1; 0 includes no effect */
	bool inside;                   /* same_interval lies within the margin */
};

/* A mean over units at one look. */
struct verdict_mean {
	bool known;
	double mean, se, runs, df;
	double extra; /* on either side, for the clock */
};

enum share_kind { SHARE_NONE, SHARE_OF_RUNS, SHARE_COUNTED };

/* All that one look saw: from it the parts follow at any alpha. */
struct verdict_evidence {
	enum critical_rule rule;
	double weight, inflation; /* as in the options */
	bool paired;
	struct total total;
	double total_clock; /* in the log ratio */
	struct verdict_mean typical;
	enum share_kind share_kind;
	struct verdict_mean share;
	struct share_counts counts;
	size_t share_looks; /* that the counts were looked at; 0: once, as planned */
};

/* The looks at which each part spoke plainest against "no effect": what was shown once stays shown. Logarithms of e,
 * 0: there was none. */
struct verdict_best {
	double total, typical, share;
	struct verdict_evidence at_total, at_typical, at_share;
};

struct verdict_numbers {
	enum ratio_verdict verdict;
	bool same_typical, same_total; /* scope of RATIO_SAME */
	unsigned decided_by;           /* bits of the parts that exclude "no effect" */
	unsigned unresolved;           /* bits of the parts that keep it undecided, or that scope total waits for */
	struct verdict_part typical, total, share;
	double share_base, share_new; /* fractions; NaN when the share is not used */
	size_t units, pairs;          /* pairs: of values, also inside runs */
	size_t runs;                  /* pairs of runs, or the smaller number of runs */
	bool quick;                   /* fewer than 10 of them */
	bool coarse_clock;            /* 0.6·q/t above a quarter of the margin: no typical, no share */
	double order_effect; /* mean over units, log ratio; duet by sides: of total; NaN when orders are not known */
	double order_half;   /* half-width of its interval at alpha; NaN */
	double disagreement; /* W = ln total − typical; NaN without typical */
	double disagreement_t, c_warn;
	bool disagree;            /* |W| beyond chance: the tail moved otherwise than the middle */
	double total_times_wider; /* interval of total over that of typical, logs; NaN, or INFINITY */
	struct verdict_evidence evidence;
	struct verdict_best best;
};

/* Over pairs and units; a zeroed struct is empty. */
struct verdict_sum {
	struct total_sum total;
	struct comoment units; /* base, new, typical */
	struct share_sum share;
	struct share_counts counts, looked; /* so far, and at the last look that the share had */
	size_t share_looks, next_share_look;
	struct running typical, typical_plus, typical_minus, order_effect, median_base, median_new, spread;
	size_t pairs;
	struct verdict_best best;
};

/* One pair of runs, which holds `values` pairs of values; values may be of any sign (side 0), or positive with a side. */
void verdict_add_pair(struct verdict_sum *sum, double base, double new_, int side, size_t values);
void verdict_add_unit(struct verdict_sum *sum, const struct unit *unit);

/* One of the looks of CRITICAL_ANYTIME, for what is to stay shown; with another rule it does nothing. */
void verdict_mark(struct verdict_sum *sum, const struct verdict_options *options);

/* STATS_EMPTY, STATS_TOO_FEW below two pairs; STATS_NOT_DEFINED when the base's mean is 0, or one is negative;
 * STATS_BAD_ARGUMENT for options outside their range. Otherwise *out is filled, also when undecided. */
enum stats_status verdict_look(const struct verdict_sum *sum, const struct verdict_options *options,
                               struct verdict_numbers *out);

/* Independent runs: means of the runs of each side (of kinds of totals see total_unpaired), at least two each. */
enum stats_status verdict_unpaired(const struct running *base, const struct running *new_,
                                   const struct verdict_options *options, struct verdict_numbers *out);

/* The same look with other alphas or margins: intervals and verdict anew. */
void verdict_again(struct verdict_numbers *numbers, const struct verdict_options *options);

/* The smallest alpha at which the looks so far give "different"; at most 1. */
double verdict_difference_p(const struct verdict_numbers *numbers);

/* The smallest alpha at which typical (or the total, as asked for or where there is nothing else) lies within the margin
 * at the last look. */
double verdict_same_p(const struct verdict_numbers *numbers, const struct verdict_options *options, bool total);

/* The interval of a part at an alpha of its own, from the last look alone. −∞ … ∞ where it has no bound. */
struct interval verdict_interval(const struct verdict_numbers *numbers, enum verdict_part_bit part, double alpha);

/* The smallest alpha at which new lies beyond a limit on the bad side. `worse` 1: a higher ratio is worse, limit ≥ 1;
 * −1: a lower one, limit ≤ 1. Beyond: typical or total wholly past `limit`, or the slow share above `share_limit`. */
double verdict_beyond_p(const struct verdict_numbers *numbers, int worse, double limit, double share_limit);

/* Whether one-sided skew could explain a called difference of typical (private_sd: typical_private_sd). */
bool verdict_skew_note(const struct verdict_numbers *numbers, double private_sd);

#endif
