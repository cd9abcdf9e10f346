/* Normal scores with respect to a sample of noise: a monotone map that turns values of any
 * distribution into nearly normal ones, so that one outlier or a heavy tail weighs no more than
 * its rank. */
#ifndef TARE_STATS_SCORE_H
#define TARE_STATS_SCORE_H

#include "stats/status.h"

#include <stdbool.h>

/* At most so many values of the sample are kept, taken at even distances. */
enum { SCORE_TABLE_MAX = 2048, SCORE_GUIDE = 8192 };

struct score_table {
	size_t n;           /* values of the sample kept */
	double *sample;     /* ascending */
	size_t distinct;    /* how many values there are */
	double *values;     /* ascending, each once */
	double *at, *below; /* score of values[k], and of what lies between values[k − 1] and values[k] */
	bool tied;          /* more than half of the sample is one value */
	/* The middle of the values cut into cells of equal width: guide[c] values are below the start of cell c. */
	double guide_start, cells_per_unit; /* 0: the middle has no width */
	size_t guide_tail;                  /* values below and above the middle */
	unsigned short guide[SCORE_GUIDE + 1];
	double *quantiles; /* Φ⁻¹(k/2n), k = 0 … 2n, bounded */
};

/* Replaces what the table held; a zeroed table is empty. n ≥ 1, no NaN. On STATS_NO_MEMORY the table is
 * still valid for release. */
enum stats_status score_table_build(struct score_table *table, const double *noise, size_t n);
void score_table_release(struct score_table *table);

/* The score of u: Φ⁻¹ of its mid-rank in the sample over n, never beyond ±Φ⁻¹(1 − 1/2n) inside the range of the
 * sample. Outside, it goes on along the line through the origin and the extreme (at most 1000 times as far):
 * what no noise has reached is evidence in proportion. */
double score_of(const struct score_table *table, double u);

/* y[i] = score_of(x[i] − centre) for i < n; y may be x. */
void score_all(const struct score_table *table, const double *x, size_t n, double centre, double *y);

/* How many distinct values of the sample are below x. */
size_t score_bin(const struct score_table *table, double x);

#endif
