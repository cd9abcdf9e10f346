/* A two-sample test of scores at the best of all places.
 *
 * A piece [a, b) of L values is centred at its median c and turned into normal scores y with respect to the
 * pooled noise of the series about its levels (stats/score.h). For a split with m₁ and m₂ values
 *
 *	D = ȳ₂ − ȳ₁,   T² = D²/(V τ²),   V = max(v(1/m₁ + 1/m₂), v₁/m₁ + v₂/m₂)
 *
 * v the larger of the noise's and the piece's own variance within the two sides, v₁ and v₂ those of each side (with
 * the noise's variance counted in as if from ten values more), τ² the long-run factor (stats/longrun.h).
 * m₁m₂/L·(ȳ₂ − ȳ₁)² is half the E-divisive statistic of Matteson and James (2014, JASA 109:334) for exponent 2, so its
 * largest value is the E-divisive split of the scores. T has about N = n/τ² degrees of freedom and becomes a normal
 * deviate z.
 *
 * The largest z over all places of one piece, James, James and Siegmund (1987, Biometrika 74:71):
 *
 *	P(max z > c) ≈ φ(c)·((c − 1/c)·2 ln((L − m)/m) + 4/c),   m the least segment
 *
 * for a Brownian bridge divided by its standard deviation; 1.3 to 1.8 times the truth for discrete time. It is raised
 * by a quarter more: together that is what the uncertainty of τ² and the search at several scales use up (measured: 0.2
 * to 1.2 % false alarms at 1 % over 16 kinds of noise and 50 to 3000 values, `make rates`). A piece whose other end
 * was searched too pays for that search: the factor n/m*, m* the shorter of the sides that have a change point at both
 * ends (1 when there is none).
 *
 * Scores of nearly constant series (more than half tied) are skewed; there the difference is referred to a
 * gamma distribution with its skewness by the signed root of the deviance, and unequal variances are what
 * unequal means look like, so v₁ and v₂ are left out.
 *
 * Assumes: level changes, not trends; noise of one shape and of short memory. A noise that is much larger in
 * one part of the series raises the false alarms there (1.5 to 3 % at 1 % when it trebles in one half). */
#include "stats/split.h"

#include "base/memory.h"
#include "stats/quantile.h"

#include <math.h>
#include <string.h>

enum { RUNNING_HALF = 5, CENTRE = 1025, ROUGH_CENTRE = 65 };

static const double RHO_ROUGH_MAX = 0.95;
static const double GENEROSITY = 0.85;
static const double UNCERTAINTY = 1.25; /* of the noise: what p values are raised by */
static const double PRIOR = 10;         /* values that the pooled variance counts for in the variance of one side */

enum stats_status split_model_init(struct split_model *model, const double *x, size_t n, size_t min_segment)
{
	*model = (struct split_model){.x = x, .n = n, .min_segment = min_segment};
	model->y = mem_alloc(n, sizeof(double));
	model->scratch = mem_alloc(n, sizeof(double));
	if (model->y && model->scratch)
		return STATS_OK;
	split_model_release(model);
	return STATS_NO_MEMORY;
}

void split_model_release(struct split_model *model)
{
	score_table_release(&model->table);
	mem_free(model->y);
	mem_free(model->scratch);
	*model = (struct split_model){0};
}

static double median_between(const struct split_model *model, size_t from, size_t to)
{
	memcpy(model->scratch, model->x + from, (to - from) * sizeof(double));
	return median_in_place(model->scratch, to - from);
}

/* What a searched place takes out of the residuals, in units of the long-run variance: about the mean of the largest z²
 * in noise. Set so that AR(1) noise up to 0.9 keeps its false alarms at alpha. */
static double search_cost(size_t n, size_t min_segment)
{
	return 2.2 + 0.3 * log((double)n / (double)min_segment);
}

static void centre_segment(double *y, size_t from, size_t to)
{
	double sum = 0;
	for (size_t i = from; i < to; i++)
		sum += y[i];
	double mean = sum / (double)(to - from);
	for (size_t i = from; i < to; i++)
		y[i] -= mean;
}

enum stats_status split_model_fit(struct split_model *model, const size_t *points, size_t count)
{
	size_t *ends = mem_alloc(count + 1, sizeof(*ends));
	if (!ends)
		return STATS_NO_MEMORY;
	if (count)
		memcpy(ends, points, count * sizeof(*ends));
	ends[count] = model->n;
	size_t start = 0;
	for (size_t k = 0; k <= count; k++) {
		double median = median_between(model, start, ends[k]);
		for (size_t i = start; i < ends[k]; i++)
			model->y[i] = model->x[i] - median;
		start = ends[k];
	}
	model->rough = false;
	enum stats_status status = score_table_build(&model->table, model->y, model->n);
	if (status == STATS_OK) {
		start = 0;
		for (size_t k = 0; k <= count; k++) {
			score_all(&model->table, model->y + start, ends[k] - start, 0, model->y + start);
			centre_segment(model->y, start, ends[k]);
			start = ends[k];
		}
		longrun_fit(model->y, ends, count + 1, search_cost(model->n, model->min_segment), &model->noise);
	}
	mem_free(ends);
	return status;
}

/* Lag-1 correlation of an AR(1) from clipped differences: E(x₂ − x₀)²/E(x₁ − x₀)² = 1 + ρ. */
static double rough_correlation(const struct split_model *model)
{
	size_t count = model->n < 3 ? 0 : model->n - 2;
	if (count == 0)
		return 0;
	double *sizes = model->scratch, two = 0, one = 0;
	for (size_t i = 0; i < count; i++)
		sizes[i] = fabs(model->x[i + 2] - model->x[i]);
	double limit = 3 * 1.4826 * median_in_place(sizes, count);
	if (!(limit > 0)) /* mostly constant: a few steps would pass for correlation */
		return 0;
	for (size_t i = 0; i < count; i++) {
		double a = fmin(fabs(model->x[i + 1] - model->x[i]), limit);
		double b = fmin(fabs(model->x[i + 2] - model->x[i]), limit);
		one += a * a;
		two += b * b;
	}
	return one > 0 ? fmin(fmax(two / one - 1, 0), RHO_ROUGH_MAX) : 0;
}

enum stats_status split_model_fit_roughly(struct split_model *model)
{
	size_t n = model->n, kept = n < SCORE_TABLE_MAX ? n : SCORE_TABLE_MAX;
	for (size_t k = 0; k < kept; k++) {
		size_t i = kept == n ? k : (size_t)((double)k * (double)n / (double)kept);
		size_t from = i < RUNNING_HALF ? 0 : i - RUNNING_HALF;
		size_t to = n - i <= RUNNING_HALF ? n : i + RUNNING_HALF + 1;
		model->y[k] = model->x[i] - median_between(model, from, to);
	}
	enum stats_status status = score_table_build(&model->table, model->y, kept);
	if (status != STATS_OK)
		return status;
	double squares = 0;
	for (size_t k = 0; k < kept; k++) {
		double score = score_of(&model->table, model->y[k]);
		squares += score * score;
	}
	double rho = rough_correlation(model);
	model->rough = true;
	model->noise = (struct longrun){.factor = (1 + rho) / (1 - rho), .variance = squares / (double)kept, .order = 1};
	return STATS_OK;
}

/* Of long pieces the median of every kth value: the centre need not be exact, only the same for both sides. */
static double centre_of(const struct split_model *model, size_t from, size_t to)
{
	size_t length = to - from, most = model->rough ? ROUGH_CENTRE : CENTRE;
	if (length <= most)
		return median_between(model, from, to);
	for (size_t k = 0; k < most; k++)
		model->scratch[k] = model->x[from + (size_t)((double)k * (double)length / (double)most)];
	return median_in_place(model->scratch, most);
}

/* m₁m₂/L·(ȳ₂ − ȳ₁)² of a split after t of `total` values, `away` = Σ_{i<t} (y_i − ȳ). For skewed scores it is divided
 * by 1 + γz/3, γ the skewness of the difference, which is what without_skewness() does to first order. */
static inline double gain_at(double away, double t, double total, double skewness)
{
	double product = t * (total - t), gain = away * away * total / product;
	if (skewness == 0)
		return gain;
	double asymmetry = skewness * (2 * t - total) / sqrt(product * total);
	return gain / (1 + fmax(0, away < 0 ? asymmetry : -asymmetry) * sqrt(gain) / 3);
}

/* The place in y[0 … length) with the largest gain; the first on ties. */
static size_t best_place(const double *y, size_t length, size_t least, double sum, double skewness)
{
	double before = 0, best = -1, mean = sum / (double)length;
	size_t place = least;
	for (size_t t = 1; t <= length - least; t++) {
		before += y[t - 1];
		if (t < least)
			continue;
		double gain = gain_at(before - mean * (double)t, (double)t, (double)length, skewness);
		/* Rounding must not prefer the later of two equal places. */
		if (gain > best * (1 + 1e-12)) {
			best = gain;
			place = t;
		}
	}
	return place;
}

struct split_side {
	double count, mean, squares; /* squares about the mean */
};

static struct split_side side_of(const double *y, size_t count)
{
	struct split_side side = {.count = (double)count};
	for (size_t i = 0; i < count; i++)
		side.mean += y[i];
	side.mean /= side.count;
	for (size_t i = 0; i < count; i++)
		side.squares += (y[i] - side.mean) * (y[i] - side.mean);
	return side;
}

/* t with df degrees of freedom to the normal deviate of the same tail (Wallace 1959). */
static double normal_deviate(double t_squared, double df)
{
	return sqrt(df * log1p(t_squared / df)) * (8 * df + 1) / (8 * df + 3);
}

/* A deviate z of a sum with this skewness to the normal deviate of the same tail, through the deviance of the
 * gamma distribution. A short tail is left as it is, which errs to the safe side. */
static double without_skewness(double z, double skewness)
{
	if (skewness < 1e-6)
		return z;
	double shape = 4 / (skewness * skewness), u = z / sqrt(shape);
	return sqrt(2 * shape * (u - log1p(u)));
}

static double deviate(const struct split_model *model, struct split_side a, struct split_side b)
{
	double factor = model->noise.factor, effective = (double)model->n / factor;
	double difference = b.mean - a.mean, weights = 1 / a.count + 1 / b.count, total = a.count + b.count;
	if (difference == 0)
		return 0;
	double own = total > 2 ? (a.squares + b.squares) / (total - 2) : 0;
	double variance = fmax(own, model->noise.variance) * weights * factor;
	double z = variance > 0 ? normal_deviate(difference * difference / variance, fmax(effective - 2, 1)) : INFINITY;
	if (model->table.tied) {
		double skewness = model->noise.skewness * sqrt(factor) * (1 / (b.count * b.count) - 1 / (a.count * a.count)) /
		                  (weights * sqrt(weights));
		z = without_skewness(z, difference > 0 ? skewness : -skewness);
	} else if (!model->rough) {
		double df_a = a.count - 1 + PRIOR, df_b = b.count - 1 + PRIOR;
		double part_a = (a.squares + PRIOR * model->noise.variance) / df_a / a.count;
		double part_b = (b.squares + PRIOR * model->noise.variance) / df_b / b.count, parts = part_a + part_b;
		double df = parts * parts / (part_a * part_a / df_a + part_b * part_b / df_b) / factor;
		if (parts * factor > variance)
			z = fmin(z, normal_deviate(difference * difference / (parts * factor), fmax(df, 1)));
	}
	return fmin(z, sqrt((double)model->n));
}

/* For the search over places, in the units of the scores; 0 unless the scores are tied. */
static double scan_skewness(const struct split_model *model)
{
	bool matters = model->table.tied && model->noise.variance > 0;
	return matters ? model->noise.skewness / sqrt(model->noise.variance) : 0;
}

static double score_piece(struct split_model *model, size_t from, size_t to)
{
	double sum = 0;
	score_all(&model->table, model->x + from, to - from, centre_of(model, from, to), model->y);
	for (size_t i = 0; i < to - from; i++)
		sum += model->y[i];
	return sum;
}

static void compare_sides(const struct split_model *model, size_t from, size_t at, size_t to, struct split *out)
{
	struct split_side before = side_of(model->y, at - from), after = side_of(model->y + (at - from), to - at);
	*out = (struct split){at, deviate(model, before, after), after.mean - before.mean};
}

bool split_best(struct split_model *model, size_t from, size_t to, size_t least, struct split *out)
{
	if (to - from < 2 * least)
		return false;
	double sum = score_piece(model, from, to);
	size_t place = best_place(model->y, to - from, least, sum, scan_skewness(model));
	compare_sides(model, from, from + place, to, out);
	return true;
}

void split_gains(struct split_model *model, size_t from, size_t to)
{
	double sum = score_piece(model, from, to), *y = model->y, before = 0, squares = 0, best = 0;
	double total = (double)(to - from), mean = sum / total, skewness = scan_skewness(model);
	for (size_t t = 0; t < to - from; t++) {
		double value = y[t];
		y[t] = t == 0 ? 0 : gain_at(before - mean * (double)t, (double)t, total, skewness);
		best = fmax(best, y[t]);
		before += value;
		squares += (value - mean) * (value - mean);
	}
	double variance = (squares - best) / total;
	for (size_t t = 0; t < to - from && variance > 0; t++)
		y[t] /= variance;
}

void split_at(struct split_model *model, size_t from, size_t at, size_t to, struct split *out)
{
	score_piece(model, from, to);
	compare_sides(model, from, at, to, out);
}

bool split_is_candidate(const struct split_model *model, double z, size_t length, double critical)
{
	double scales = log((double)model->n / (double)length);
	return z > GENEROSITY * sqrt(critical * critical + 2 * scales);
}

/* P(max z > c) over the places of a piece; meant for c ≥ 1.5, above 1 for small c. */
static double largest_deviate_tail(double c, size_t length, size_t least)
{
	double density = exp(-c * c / 2) / sqrt(2 * M_PI);
	double places = 2 * log((double)(length - least) / (double)least);
	return UNCERTAINTY * density * ((c - 1 / c) * places + 4 / c);
}

double split_p_value(const struct split_model *model, double z, size_t from, size_t at, size_t to)
{
	if (z < 1.5)
		return 1;
	size_t searched = model->n;
	if (from > 0 && at - from < searched)
		searched = at - from;
	if (to < model->n && to - at < searched)
		searched = to - at;
	double tail = largest_deviate_tail(z, to - from, model->min_segment);
	return fmin(1, tail * (double)model->n / (double)searched);
}

double split_critical(size_t n, size_t min_segment, double alpha)
{
	double low = 1.5, high = 40;
	for (int i = 0; i < 60; i++) {
		double c = (low + high) / 2;
		if (largest_deviate_tail(c, n, min_segment) > alpha)
			low = c;
		else
			high = c;
	}
	return high;
}
