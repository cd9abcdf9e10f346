/* Variance components of nested data by analysis of variance.
 *
 * Balanced data, levels 1 (lowest) … n with counts r_i (Kalibera and Jones 2013, section 9.2):
 *	S_i² = 1/(Π_{k>i} r_k) · 1/(r_i − 1) · Σ (Ȳ_{j_n…j_i} − Ȳ_{j_n…j_{i+1}})²
 *	T_1² = S_1²,  T_i² = S_i² − S_{i−1}²/r_{i−1}.
 * It is S on the right of the last formula; the first printing and some code have T.
 *
 * Unbalanced data: Henderson's method 1 (Searle, Casella, McCulloch 1992, ch. 5). For level l,
 * with n_q values under node q and root −1 above level 0,
 *	SS_l = Σ_q n_q (ȳ_q − ȳ_parent)²,  E SS_l = Σ_{m≥l} c_lm T_m²,
 *	c_lm = A_lm − A_{l−1,m},  A_lm = Σ_{q at level m} n_q²/n_{ancestor of q at level l},
 * solved from the values upwards. Balanced data give the same T² both ways, so only this one is
 * computed; S² is computed as above, pooled over parents where their counts differ.
 *
 * Unbiased whatever the distribution, as long as the levels' effects are independent; hence
 * negative estimates where a level adds little. Then the level is left out and the rest
 * estimated as if it had never been there: its members' values are pooled in the parent. The
 * lowest level is never dropped. A level whose parents have one member each cannot be told
 * apart from its parents'.
 *
 * Intervals: T² of the lowest level by χ² (exact for normal data); T_i² above it, a difference
 * of two independent mean squares, by the modified large-sample limits of Ting et al. (1990),
 * J. Statist. Comput. Simul. 35:135 (Burdick and Graybill 1992). Unbalanced data take S² of
 * unweighted means for the mean squares and the harmonic mean of the counts for the count
 * (Burdick and Graybill, ch. 5), with Satterthwaite's degrees of freedom. */
#include "stats/variance.h"

#include "base/memory.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

/* Nodes at level l: −1 is the root, depth − 1 the values. */
static size_t nodes_at(const struct nested *data, int l)
{
	if (l < 0)
		return 1;
	return l + 1 == (int)data->depth ? data->n : data->groups[l];
}

/* Descendants at level m ≥ l of node g of level l: first … *end − 1. */
static size_t descend(const struct nested *data, int l, size_t g, int m, size_t *end)
{
	size_t first = g;
	*end = g + 1;
	if (l < 0) {
		first = 0;
		*end = nodes_at(data, 0);
		l = 0;
	}
	if (m < 0)
		*end = 1;
	for (int k = l; k < m; k++) {
		first = data->starts[k][first];
		*end = data->starts[k][*end];
	}
	return first;
}

static double values_under(const struct nested *data, int l, size_t g)
{
	size_t end, first = descend(data, l, g, (int)data->depth - 1, &end);
	return (double)(end - first);
}

/* Mean of all values under each node of each level, values counting alike; [0] is the root. */
struct value_means {
	double *level[NESTED_MAX_DEPTH];
};

static void value_means_release(struct value_means *means, unsigned depth)
{
	for (unsigned k = 0; k < depth; k++)
		mem_free(means->level[k]);
}

/* Levels −1 … depth − 2, from the lowest up: a mean is the weighted mean of its children's. */
static bool value_means_init(struct value_means *means, const struct nested *data)
{
	*means = (struct value_means){{0}};
	for (int l = (int)data->depth - 2; l >= -1; l--) {
		double *own = means->level[l + 1] = mem_alloc(nodes_at(data, l), sizeof(double));
		const double *below = l + 2 == (int)data->depth ? data->values : means->level[l + 2];
		if (!own) {
			value_means_release(means, data->depth);
			return false;
		}
		for (size_t g = 0; g < nodes_at(data, l); g++) {
			size_t end, first = descend(data, l, g, l + 1, &end);
			double sum = 0, total = values_under(data, l, g);
			for (size_t q = first + 1; q < end; q++)
				sum += values_under(data, l + 1, q) / total * (below[q] - below[first]);
			own[g] = below[first] + sum;
		}
	}
	return true;
}

static double sum_of_squares(const struct nested *data, const struct value_means *means, int parent, int level)
{
	const double *own = level + 1 == (int)data->depth ? data->values : means->level[level + 1];
	double sum = 0;
	for (size_t p = 0; p < nodes_at(data, parent); p++) {
		size_t end, first = descend(data, parent, p, level, &end);
		for (size_t q = first; q < end; q++) {
			double deviation = own[q] - means->level[parent + 1][p];
			sum += values_under(data, level, q) * deviation * deviation;
		}
	}
	return sum;
}

/* A_lm of the head of this file. */
static double squared_shares(const struct nested *data, int l, int m)
{
	if (m + 1 == (int)data->depth)
		return (double)nodes_at(data, l); /* n values of share 1/n each, under every node */
	double sum = 0;
	for (size_t p = 0; p < nodes_at(data, l); p++) {
		size_t end, first = descend(data, l, p, m, &end);
		double total = values_under(data, l, p), squares = 0;
		for (size_t q = first; q < end; q++) {
			double n = values_under(data, m, q);
			squares += n * n;
		}
		sum += squares / total;
	}
	return sum;
}

/* The levels that take part, outermost first. */
struct levels {
	int level[NESTED_MAX_DEPTH];
	int count;
};

/* t2[i] of the i-th level that takes part. */
static void solve(const struct nested *data, const struct value_means *means, const struct levels *active, double *t2)
{
	for (int i = active->count - 1; i >= 0; i--) {
		int l = active->level[i], parent = i > 0 ? active->level[i - 1] : -1;
		double rest = sum_of_squares(data, means, parent, l);
		for (int j = active->count - 1; j > i; j--) {
			int m = active->level[j];
			rest -= (squared_shares(data, l, m) - squared_shares(data, parent, m)) * t2[j];
		}
		t2[i] = rest / (squared_shares(data, l, l) - squared_shares(data, parent, l));
	}
}

static void drop_level(struct levels *active, int i)
{
	for (active->count--; i < active->count; i++)
		active->level[i] = active->level[i + 1];
}

/* The innermost level above the lowest whose T² is not positive, or −1. */
static int level_to_drop(const struct levels *active, const double *t2)
{
	for (int i = active->count - 2; i >= 0; i--)
		if (!(t2[i] > 0))
			return i;
	return -1;
}

/* Means of means at level k; the values themselves need no copy. */
static enum stats_status means_at(const struct nested *data, int k, double *room, const double **means)
{
	*means = room;
	if (k < 0)
		return nested_mean(data, room);
	if (k + 1 < (int)data->depth)
		return nested_means(data, (unsigned)k, room);
	*means = data->values;
	return STATS_OK;
}

static enum stats_status fill_s2(const struct nested *data, struct variance_components *out)
{
	size_t most = data->depth > 1 ? data->groups[data->depth - 2] : 1;
	double *room = mem_alloc(2 * most, sizeof(*room));
	if (!room)
		return STATS_NO_MEMORY;
	for (int k = 0; k < (int)data->depth; k++) {
		const double *own = NULL, *above = NULL;
		double sum = 0;
		enum stats_status status = means_at(data, k, room, &own);
		if (status == STATS_OK)
			status = means_at(data, k - 1, room + most, &above);
		if (status != STATS_OK) {
			mem_free(room);
			return status;
		}
		for (size_t p = 0; p < nodes_at(data, k - 1); p++) {
			size_t end, first = descend(data, k - 1, p, k, &end);
			for (size_t q = first; q < end; q++)
				sum += (own[q] - above[p]) * (own[q] - above[p]);
		}
		out->level[k].s2 = out->level[k].df > 0 ? sum / out->level[k].df : NAN;
	}
	mem_free(room);
	return STATS_OK;
}

static enum stats_status fill_t2(const struct nested *data, struct variance_components *out)
{
	struct levels active = {.count = 0};
	struct value_means means;
	double t2[NESTED_MAX_DEPTH];
	for (unsigned k = 0; k < data->depth; k++) {
		out->level[k].t2 = out->level[k].kept = NAN;
		if (out->level[k].df > 0)
			active.level[active.count++] = (int)k;
	}
	if (!value_means_init(&means, data))
		return STATS_NO_MEMORY;
	solve(data, &means, &active, t2);
	for (int i = 0; i < active.count; i++)
		out->level[active.level[i]].t2 = t2[i];
	for (int drop; (drop = level_to_drop(&active, t2)) >= 0;) {
		out->level[active.level[drop]].kept = 0;
		drop_level(&active, drop);
		solve(data, &means, &active, t2);
	}
	for (int i = 0; i < active.count; i++)
		out->level[active.level[i]].kept = t2[i];
	value_means_release(&means, data->depth);
	return STATS_OK;
}

/* Members per parent, harmonic mean over the parents at level k − 1, and how uneven they are. */
static void describe_counts(const struct nested *data, int k, struct variance_level *level)
{
	double shares = 0, squares = 0;
	size_t parents = nodes_at(data, k - 1);
	for (size_t p = 0; p < parents; p++) {
		size_t end, first = descend(data, k - 1, p, k, &end);
		double share = 1 / (double)(end - first);
		shares += share;
		squares += share * share;
	}
	level->harmonic = (double)parents / shares;
	level->uneven = squares / (double)parents * level->harmonic * level->harmonic;
}

enum stats_status variance_components(const struct nested *data, struct variance_components *out)
{
	enum stats_status status = nested_check(data);
	if (status != STATS_OK)
		return status;
	if (data->n < 2)
		return STATS_TOO_FEW;
	struct variance_components found = {.depth = data->depth, .balanced = nested_balanced(data)};
	for (unsigned k = 0; k < data->depth; k++) {
		double members = (double)nodes_at(data, (int)k), parents = (double)nodes_at(data, (int)k - 1);
		found.level[k].count = members / parents;
		found.level[k].df = members - parents;
		describe_counts(data, (int)k, &found.level[k]);
	}
	status = fill_s2(data, &found);
	if (status == STATS_OK)
		status = fill_t2(data, &found);
	if (status != STATS_OK)
		return status;
	for (unsigned k = 0; k < data->depth; k++)
		if (found.level[k].df > 0 && !(isfinite(found.level[k].s2) && isfinite(found.level[k].t2)))
			return STATS_NOT_DEFINED;
	*out = found;
	return STATS_OK;
}

/* Divided by this power of two variances keep their digits, and their squares neither overflow nor vanish. */
static int exponent_of(double variance)
{
	int exponent;
	frexp(variance, &exponent);
	return exponent;
}

/* g and h are the distances that give exact limits when the other square is 0. */
struct interval variance_difference_limits(double a, double df_a, double b, double df_b, double tail)
{
	int exponent = exponent_of(fmax(a, b));
	a = ldexp(a, -exponent);
	b = ldexp(b, -exponent);
	double ga = 1 - df_a / gsl_cdf_chisq_Qinv(tail, df_a), ha = df_a / gsl_cdf_chisq_Pinv(tail, df_a) - 1;
	double gb = 1 - df_b / gsl_cdf_chisq_Qinv(tail, df_b), hb = df_b / gsl_cdf_chisq_Pinv(tail, df_b) - 1;
	double f = gsl_cdf_fdist_Qinv(tail, df_a, df_b);
	double cross = ((f - 1) * (f - 1) - ga * ga * f * f - hb * hb) / f;
	double below = ga * ga * a * a + hb * hb * b * b + cross * a * b;
	f = gsl_cdf_fdist_Pinv(tail, df_a, df_b);
	cross = ((1 - f) * (1 - f) - ha * ha * f * f - gb * gb) / f;
	double above = ha * ha * a * a + gb * gb * b * b + cross * a * b;
	return (struct interval){ldexp(a - b - sqrt(fmax(below, 0)), exponent),
	                         ldexp(a - b + sqrt(fmax(above, 0)), exponent)};
}

/* Degrees of freedom of S² over means of unequal variance t + v/n_q (Satterthwaite): df·(Σw)²/(N·Σw²). */
static double unequal_df(const struct variance_level *level)
{
	double t = fmax(level->t2, 0), v = level[1].s2 / level[1].harmonic;
	int exponent = exponent_of(t + v);
	t = ldexp(t, -exponent);
	v = ldexp(v, -exponent);
	double mean = t + v, mean_square = t * t + 2 * t * v + v * v * level[1].uneven;
	return mean_square > 0 ? level->df * mean * mean / mean_square : level->df;
}

enum stats_status variance_sd_interval(const struct variance_components *components, unsigned k, double confidence,
                                       struct interval *out)
{
	if (!(confidence > 0 && confidence < 1) || k >= components->depth)
		return STATS_BAD_ARGUMENT;
	const struct variance_level *level = &components->level[k];
	double tail = (1 - confidence) / 2;
	bool lowest = k + 1 == components->depth;
	struct interval limits;
	if (!(level->df > 0) || (!lowest && !(level[1].df > 0)))
		return STATS_TOO_FEW;
	if (lowest) {
		limits.low = level->df * level->s2 / gsl_cdf_chisq_Qinv(tail, level->df);
		limits.high = level->df * level->s2 / gsl_cdf_chisq_Pinv(tail, level->df);
	} else {
		limits = variance_difference_limits(level->s2, unequal_df(level), level[1].s2 / level[1].harmonic, level[1].df,
		                                    tail);
	}
	*out = (struct interval){sqrt(fmax(limits.low, 0)), sqrt(fmax(limits.high, 0))};
	return STATS_OK;
}
