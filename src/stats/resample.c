/* The mean of n draws with replacement from n values, without n draws.
 *
 * That mean has cumulants κ₁ = m, κ₂ = v/n, κ₃ = μ₃/n², where m, v, μ₃ are the group's mean and
 * central moments (divided by n). A weighted sum of independent such means has the sums of
 * w·κ₁, w²·κ₂, w³·κ₃, and is drawn by the first terms of Cornish and Fisher:
 *
 *	x = κ₁ + √κ₂ · (z + g(z² − 1)/6),  g = κ₃/κ₂^{3/2},  z standard normal.
 *
 * The next terms, which are left out, are κ₄(z³ − 3z)/24 and −g²(2z³ − 5z)/36 (κ₄ standardised).
 * At z = 2.58, the ends of a 99 % interval, they are at most 0.39·|κ₄| + 0.60·g² standard
 * deviations, in the middle less; a sum over groups has smaller κ₄ and g than its worst group.
 * So a group is done by moments only when this bound is under the tolerance.
 *
 * Values that lie in clusters or on a clock's grid give sums in steps that no smooth curve
 * follows, however many they are. The steps are no wider than the widest gap between neighbours,
 * so half of that gap, too, must be under the tolerance. Cells as wide as the tolerance show it
 * without sorting: where no cell is empty no gap is wider than two of them.
 *
 * Heavy tails fail these tests because of a few values. These k extremes (what lies beyond the
 * first empty cell on either side of the median, and as many of the outer cells as it takes) are
 * then drawn exactly: the number of draws that hit them is binomial(n, k/n), each hit is one of
 * them at random, and the other draws come from the bulk, whose moments are harmless. When
 * RESAMPLE_MAX_EXTREMES or an eighth of the group are not enough (small groups, few distinct
 * values) every value is drawn. */
#include "stats/resample.h"

#include "stats/quantile.h"

#include <math.h>

/* Sums of powers of the deviations from the median: easy to extend by one value. */
struct powers {
	double n, s1, s2, s3, s4;
};

static void powers_join(struct powers *p, const struct powers *other)
{
	p->n += other->n;
	p->s1 += other->s1;
	p->s2 += other->s2;
	p->s3 += other->s3;
	p->s4 += other->s4;
}

static void powers_add(struct powers *p, double d)
{
	double d2 = d * d;
	p->n++;
	p->s1 += d;
	p->s2 += d2;
	p->s3 += d2 * d;
	p->s4 += d2 * d2;
}

struct moments {
	double mean, variance, third, fourth;
};

static struct moments moments_of(const struct powers *p)
{
	double m = p->s1 / p->n, r2 = p->s2 / p->n, r3 = p->s3 / p->n, r4 = p->s4 / p->n, m2 = m * m;
	return (struct moments){m, fmax(r2 - m2, 0), r3 - 3 * m * r2 + 2 * m * m2,
	                        r4 - 4 * m * r3 + 6 * m2 * r2 - 3 * m2 * m2};
}

/* The bound above for a bulk that is one part of a group with `total` = n × its variance. */
static double left_out(const struct powers *bulk, double total)
{
	struct moments m = moments_of(bulk);
	double skewness_squared = pow(bulk->n * m.third, 2) / pow(total, 3);
	double excess = bulk->n * (m.fourth - 3 * m.variance * m.variance) / (total * total);
	return 0.39 * fabs(excess) + 0.60 * skewness_squared;
}

enum { HALF = 128, CELLS = 2 * HALF + 1 }; /* around the median */

/* The cell of a deviation from the median; −1 or CELLS when it lies beyond them. */
static int cell_of(double d, double width)
{
	double cell = floor(d / width) + HALF;
	return cell < 0 ? -1 : cell >= CELLS ? CELLS : (int)cell;
}

/* Cells first … last around the median are the bulk. */
struct bulk {
	int first, last;
	struct powers powers;
};

static void bulk_sum(struct bulk *bulk, const struct powers *cells)
{
	bulk->powers = (struct powers){0};
	for (int c = bulk->first; c <= bulk->last; c++)
		powers_join(&bulk->powers, &cells[c]);
}

/* The widest run of filled cells around the median that is harmless, or false when the rest would
 * be more than `most` values. */
static bool find_bulk(struct bulk *bulk, const struct powers *cells, size_t n, size_t most, double total,
                      double tolerance)
{
	bulk->first = bulk->last = HALF;
	while (bulk->first > 0 && cells[bulk->first - 1].n > 0)
		bulk->first--;
	while (bulk->last + 1 < CELLS && cells[bulk->last + 1].n > 0)
		bulk->last++;
	for (;;) {
		bulk_sum(bulk, cells);
		if (bulk->powers.n + (double)most < (double)n)
			return false;
		if (left_out(&bulk->powers, total) <= tolerance)
			return true;
		if (bulk->first == bulk->last)
			return false;
		if (HALF - bulk->first > bulk->last - HALF)
			bulk->first++;
		else
			bulk->last--;
	}
}

void resample_plan(struct resample_plan *plan, const double *values, size_t n, double centre, double tolerance,
                   double *scratch, double *extreme_values)
{
	*plan = (struct resample_plan){.values = values, .n = n};
	size_t most = n / 8 < RESAMPLE_MAX_EXTREMES ? n / 8 : RESAMPLE_MAX_EXTREMES;
	if (!(tolerance > 0) || most < 2)
		return;
	for (size_t i = 0; i < n; i++)
		scratch[i] = values[i] - centre;
	double median = median_in_place(scratch, n);
	struct powers all = {0}, cells[CELLS] = {{0}};
	for (size_t i = 0; i < n; i++)
		powers_add(&all, scratch[i] - median);
	double total = moments_of(&all).variance * (double)n;
	if (!isfinite(all.s4) || !isfinite(total * total * total))
		return; /* too large for fourth powers */
	double width = tolerance * sqrt(total);
	struct bulk bulk = {.powers = all};
	if (width > 0) {
		for (size_t i = 0; i < n; i++) {
			int cell = cell_of(scratch[i] - median, width);
			if (cell >= 0 && cell < CELLS)
				powers_add(&cells[cell], scratch[i] - median);
		}
		if (!find_bulk(&bulk, cells, n, most, total, tolerance))
			return;
		for (size_t i = 0; i < n; i++) {
			int cell = cell_of(scratch[i] - median, width);
			if (cell < bulk.first || cell > bulk.last)
				extreme_values[plan->extremes++] = scratch[i];
		}
	}
	struct moments m = moments_of(&bulk.powers);
	plan->by_moments = true;
	plan->bulk_mean = median + m.mean;
	plan->bulk_variance = m.variance;
	plan->bulk_third = m.third;
	plan->no_hit = exp((double)n * log1p(-(double)plan->extremes / (double)n));
}

/* Binomial(n, k/n) by walking up the probabilities; k is small, so the walk is short. */
static size_t binomial_hits(const struct resample_plan *plan, struct random *random)
{
	double u = random_uniform(random), p = plan->no_hit;
	double odds = (double)plan->extremes / (double)(plan->n - plan->extremes);
	size_t hits = 0;
	while (u >= p && hits < plan->n) {
		u -= p;
		p *= odds * (double)(plan->n - hits) / (double)(hits + 1);
		hits++;
	}
	return hits;
}

void resample_group(const struct resample_plan *plan, double centre, double weight, struct index_source *source,
                    struct resample_sum *sum)
{
	size_t n = plan->n;
	double drawn = 0, count = (double)n;
	if (n == 1) {
		sum->mean += weight * (plan->values[0] - centre);
		return;
	}
	if (!plan->by_moments) {
		for (size_t i = 0; i < n; i++)
			drawn += plan->values[index_below(source, n)] - centre;
		sum->mean += weight * (drawn / count);
		return;
	}
	size_t hits = plan->extremes ? binomial_hits(plan, &source->random) : 0;
	for (size_t i = 0; i < hits; i++)
		drawn += plan->extreme_values[random_below(&source->random, plan->extremes)];
	double rest = (double)(n - hits), share = weight / count;
	sum->mean += share * (drawn + rest * plan->bulk_mean);
	sum->variance += share * share * rest * plan->bulk_variance;
	sum->third += share * share * share * rest * plan->bulk_third;
}

double resample_finish(const struct resample_sum *sum, struct random *random)
{
	if (!(sum->variance > 0))
		return sum->mean;
	double sd = sqrt(sum->variance), z = random_normal(random);
	return sum->mean + sd * z + sum->third / sum->variance * (z * z - 1) / 6;
}
