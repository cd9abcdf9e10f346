/* Which designs suit the subjects and the machine, and which of them is best. */
#ifndef TARE_DESIGN_FIT_H
#define TARE_DESIGN_FIT_H

#include <stdbool.h>
#include <stddef.h>

enum design_kind { DESIGN_SOLO, DESIGN_SHUFFLED, DESIGN_DUET, DESIGN_TURNS, DESIGN_SHARED, DESIGN_COUNT };

/* The first so many pairs go in turns, before any design is tried, and are judged with this share of the level: what they
 * decide needs nothing else. The rest of the level is for the pairs of the design that is chosen then. */
enum { DESIGN_FIRST_PAIRS = 10, DESIGN_PILOT_MOST = 30 };
#define DESIGN_FIRST_WEIGHT 0.25

const char *design_name(enum design_kind design);
enum design_kind design_by_name(const char *name); /* DESIGN_COUNT: no such */

/* What the trial runs have shown. */
struct design_facts {
	size_t subjects;
	size_t cpus;            /* that this process may use, affinity and quota considered */
	bool single_threaded;   /* every subject is one thread of one process */
	double least_cpu_share; /* smallest cpu / wall of the subjects: below about 0.5 they wait for something */
	double memory_needed;   /* sum of the peaks of the two largest subjects, bytes */
	double memory_free;     /* bytes */
};

/* The median, for what a few trial runs show; NaN of none. Reorders them. */
double design_middle(double *values, size_t n);

/* NULL when the design suits; else the reason why not, as the end of a sentence:
 * "duet was left out: …". */
const char *design_unfit(enum design_kind design, const struct design_facts *facts);

/* The design to take without trying any, and why. */
enum design_kind design_default(const struct design_facts *facts, const char **why);

/* Pairs in a unit: 40 when a pair takes under 10 ms, 10 when over 100 ms, else 20; fewer, an even number from 4 on, where
 * the budget holds less than 12 units of that size and at least 12 of 4: the constant of a verdict over 6 units is twice
 * that over 12. Seconds. */
size_t design_block(double pair_time, double budget);

/* Pairs for each design that is tried, 4 to 30, where one pair of each takes `rounds` times as long as a pair in turns: as many
 * as a tenth of the budget has time for, and together with the first pairs, where those are measured before, three tenths.
 * 0 when that leaves fewer. Seconds. */
size_t design_pilot_pairs(double pair_time, double rounds, bool first, double budget);

/* What a pair of this design adds to the variance of the ratio: the smaller of the variance and of (1.4826·MAD)² of n
 * log ratios of pairs; NaN below two. Reorders them. */
double design_pair_variance(double *log_ratios, size_t n);

#endif
