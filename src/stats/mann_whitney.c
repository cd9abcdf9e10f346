/* U = #{a_i > b_j} + ½·#{a_i = b_j}. Mann and Whitney (1947), Ann. Math. Stat. 18:50.
 *
 * Exact p value: the permutation distribution of U given the ties. Groups of equal values are taken
 * in ascending order; when k of the values so far belong to a and j of the next t equal ones do, 2U
 * grows by j·(2·(earlier values of b) + (t − j)), in C(t, j) ways. The counts by (k, 2U) are a table
 * that each group updates in place. Without ties all steps of 2U are even and the table is halved.
 * Two-sided p: twice the smaller of P(U ≤ u) and P(U ≥ u), at most 1, as in R and benchstat. With two
 * distinct values U is linear in a hypergeometric count, and p is that of Fisher's exact test: all counts
 * that are no likelier than the observed one.
 *
 * Otherwise z with variance n_a·n_b/12·((N + 1) − Σ(t³ − t)/(N(N − 1))) and a continuity correction of
 * ½, as R does (R does so for any tie).
 *
 * Assumes exchangeable values under "no difference": independent runs, not iterations. A difference
 * of spread alone also moves it. */
#include "stats/mann_whitney.h"

#include "base/memory.h"
#include "stats/distribution.h"
#include "stats/rank.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* Steps of the table's updates that are still worth it: some 50 ms. */
static const double affordable_steps = 1e8;

/* What the ranks say about the pooled sample. */
struct pooled {
	size_t n, na;  /* na: of the side that is counted, the smaller one */
	size_t *group; /* sizes of the groups of equal values, ascending */
	size_t groups;
	double u; /* of that side */
};

static double choose(size_t n, size_t k)
{
	double ways = 1;
	for (size_t i = 0; i < k; i++)
		ways = ways * (double)(n - i) / (double)(i + 1);
	return ways;
}

/* Fisher's exact test: k of the `low` smaller values belong to a, hypergeometric. */
static double two_values_p(const struct pooled *pooled)
{
	unsigned n = (unsigned)pooled->n, na = (unsigned)pooled->na, low = (unsigned)pooled->group[0], high = n - low;
	/* 2U − n_a·n_b = n_a·low − k·n, by counting. */
	double k = ((double)na * low - (2 * pooled->u - (double)na * (n - na))) / n;
	double seen = gsl_ran_hypergeometric_pdf((unsigned)nearbyint(k), low, high, na), p = 0;
	for (unsigned i = na > high ? na - high : 0; i <= na && i <= low; i++) {
		double probability = gsl_ran_hypergeometric_pdf(i, low, high, na);
		if (probability <= seen * (1 + 1e-7)) /* equal up to rounding, as R's fisher.test has it */
			p += probability;
	}
	return fmin(1, p);
}

/* counts[k·width + u]: ways to give k of the values so far to a with U (doubled with ties) = u. */
static void add_group(double *counts, size_t width, size_t na, size_t before, size_t size, size_t scale)
{
	/* From large k down, so that an entry is read before it is written: entries move to larger k only. */
	for (size_t k = na + 1; k-- > 0;) {
		size_t most = k < size ? k : size;
		for (size_t j = most; j > 0; j--) {
			size_t had = k - j; /* a's before this group */
			if (had > before)
				continue;
			size_t step = scale * j * (2 * (before - had) + (size - j)) / 2;
			if (step >= width)
				continue;
			double ways = choose(size, j);
			double *to = counts + k * width + step;
			const double *from = counts + had * width;
			for (size_t u = 0; u + step < width; u++)
				to[u] += ways * from[u];
		}
	}
}

static enum stats_status table_p(const struct pooled *pooled, size_t scale, double *p)
{
	size_t na = pooled->na, nb = pooled->n - na, width = scale * na * nb + 1;
	double *counts = mem_zalloc((na + 1) * width, sizeof(*counts));
	if (!counts)
		return STATS_NO_MEMORY;
	counts[0] = 1;
	size_t before = 0;
	for (size_t g = 0; g < pooled->groups; g++) {
		add_group(counts, width, na, before, pooled->group[g], scale);
		before += pooled->group[g];
	}
	size_t seen = (size_t)(pooled->u * (double)scale);
	double all = 0, below = 0, above = 0;
	for (size_t u = 0; u < width; u++) {
		double ways = counts[na * width + u];
		all += ways;
		below += u <= seen ? ways : 0;
		above += u >= seen ? ways : 0;
	}
	mem_free(counts);
	*p = fmin(1, 2 * fmin(below, above) / all);
	return STATS_OK;
}

static enum stats_status exact_p(const struct pooled *pooled, double *p, bool *exact)
{
	double na = (double)pooled->na, nb = (double)pooled->n - na;
	size_t scale = pooled->groups == pooled->n ? 1 : 2;
	*exact = true;
	if (pooled->groups == 2 && pooled->n <= UINT32_MAX) {
		*p = two_values_p(pooled);
		return STATS_OK;
	}
	if ((na + nb) * na * na * nb * (double)scale <= affordable_steps)
		return table_p(pooled, scale, p);
	*exact = false;
	return STATS_OK;
}

/* Sizes of the groups of equal values from the ranks: a group of t around rank r fills places r ± (t − 1)/2. */
static void find_groups(struct pooled *pooled, const double *ranks, size_t *places)
{
	memset(places, 0, 2 * (pooled->n + 1) * sizeof(*places));
	for (size_t i = 0; i < pooled->n; i++)
		places[(size_t)(2 * ranks[i])]++;
	for (size_t twice_rank = 0; twice_rank < 2 * (pooled->n + 1); twice_rank++)
		if (places[twice_rank])
			pooled->group[pooled->groups++] = places[twice_rank];
}

static enum stats_status test_ranks(const double *ranks, double ties, size_t na, size_t nb, size_t *work,
                                    struct mann_whitney *out)
{
	size_t n = na + nb;
	double product = (double)na * (double)nb, count = (double)n, rank_sum = 0;
	for (size_t i = 0; i < na; i++)
		rank_sum += ranks[i];
	struct mann_whitney result = {.u = rank_sum - (double)na * ((double)na + 1) / 2, .p = 1, .exact = true};
	struct pooled pooled = {.n = n, .na = na, .group = work, .u = result.u};
	if (nb < na) {
		pooled.na = nb;
		pooled.u = product - result.u;
	}
	find_groups(&pooled, ranks, work + n);
	if (pooled.groups > 1) {
		double sd = sqrt(product / 12 * (count + 1 - ties / (count * (count - 1))));
		result.z = (result.u - product / 2) / sd;
		enum stats_status status = exact_p(&pooled, &result.p, &result.exact);
		if (status != STATS_OK)
			return status;
		if (!result.exact)
			result.p = fmin(1, 2 * normal_cdf(-(fabs(result.u - product / 2) - 0.5) / sd));
	}
	*out = result;
	return STATS_OK;
}

enum stats_status mann_whitney(const double *a, size_t na, const double *b, size_t nb, struct mann_whitney *out)
{
	if (na == 0 || nb == 0)
		return STATS_EMPTY;
	size_t n = na + nb;
	double *values = mem_alloc(2 * n, sizeof(*values)), ties = 0;
	size_t *work = mem_alloc(3 * n + 2, sizeof(*work));
	enum stats_status status = values && work ? STATS_OK : STATS_NO_MEMORY;
	if (status == STATS_OK) {
		memcpy(values, a, na * sizeof(*values));
		memcpy(values + na, b, nb * sizeof(*values));
		status = ranks_of(values, n, values + n, &ties);
	}
	if (status == STATS_OK)
		status = test_ranks(values + n, ties, na, nb, work, out);
	mem_free(values);
	mem_free(work);
	return status;
}
