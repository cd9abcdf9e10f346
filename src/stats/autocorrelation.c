/* r_k = Σ_{i ≤ n−k} (x_i − x̄)(x_{i+k} − x̄) / Σ (x_i − x̄)²  (Box and Jenkins; NIST StRD; R's acf).
 *
 * Few lags of a series are summed directly, many by GSL's FFT of the padded series (Wiener and
 * Khinchin): n log n. Deviations are divided by the largest, so that squares neither overflow nor
 * vanish. With n independent values r_k has mean about −1/n and standard error about 1/√n.
 *
 * Ljung and Box (1978), Biometrika 65:297: under independence about χ² with as many degrees of
 * freedom as lags, too large for heavy tails (use ranks: stats/independence.h). */
#include "stats/autocorrelation.h"

#include "base/memory.h"
#include "stats/summary.h"

#include <gsl/gsl_fft_halfcomplex.h>
#include <gsl/gsl_fft_real.h>
#include <math.h>
#include <stdbool.h>

/* Where the mean is and what to divide deviations by. */
struct centring {
	double mean, mean_low, scale;
};

static double deviation(const struct centring *centring, double x)
{
	return ((x - centring->mean) - centring->mean_low) * centring->scale;
}

static enum stats_status find_centring(const double *x, size_t n, struct centring *out)
{
	enum stats_status status = stats_check_finite(x, n);
	if (status != STATS_OK)
		return status;
	if (n < 2)
		return STATS_TOO_FEW;
	struct running sums = {0};
	double least = x[0], most = x[0];
	running_add_all(&sums, x, n);
	for (size_t i = 1; i < n; i++) {
		least = x[i] < least ? x[i] : least;
		most = x[i] > most ? x[i] : most;
	}
	if (least == most)
		return STATS_CONSTANT;
	*out = (struct centring){sums.mean, sums.mean_low, 1};
	double largest = fmax(fabs(deviation(out, least)), fabs(deviation(out, most)));
	out->scale = 1 / largest;
	return isfinite(largest) && isfinite(out->scale) ? STATS_OK : STATS_NOT_DEFINED;
}

enum stats_status autocorrelation_lag1(const double *x, size_t n, double *out)
{
	struct centring centring;
	enum stats_status status = find_centring(x, n, &centring);
	if (status != STATS_OK)
		return status;
	double before = deviation(&centring, x[0]), squares = before * before, products = 0;
	for (size_t i = 1; i < n; i++) {
		double now = deviation(&centring, x[i]);
		squares += now * now;
		products += before * now;
		before = now;
	}
	*out = products / squares;
	return STATS_OK;
}

static void sum_directly(const double *d, size_t n, size_t lags, double squares, double *out)
{
	for (size_t k = 1; k <= lags; k++) {
		/* Four sums do not wait for each other. */
		double products[4] = {0};
		size_t i = 0;
		for (; i + k + 4 <= n; i += 4)
			for (size_t j = 0; j < 4; j++)
				products[j] += d[i + j] * d[i + k + j];
		for (; i + k < n; i++)
			products[0] += d[i] * d[i + k];
		out[k - 1] = (products[0] + products[1] + products[2] + products[3]) / squares;
	}
}

/* d has `padded` entries, a power of two of at least n + lags, zeros behind the first n. */
static void sum_by_fft(double *d, size_t padded, size_t lags, double *out)
{
	gsl_fft_real_radix2_transform(d, 1, padded);
	/* Halfcomplex order: the real part at i, the imaginary one at padded − i. */
	d[0] *= d[0];
	d[padded / 2] *= d[padded / 2];
	for (size_t i = 1; i < padded / 2; i++) {
		d[i] = d[i] * d[i] + d[padded - i] * d[padded - i];
		d[padded - i] = 0;
	}
	gsl_fft_halfcomplex_radix2_inverse(d, 1, padded);
	for (size_t k = 1; k <= lags; k++)
		out[k - 1] = d[k] / d[0];
}

enum stats_status autocorrelation(const double *x, size_t n, size_t lags, double *out)
{
	struct centring centring;
	enum stats_status status = find_centring(x, n, &centring);
	if (status != STATS_OK)
		return status;
	if (lags == 0 || lags >= n)
		return STATS_BAD_ARGUMENT;
	size_t padded = 2, doublings = 1;
	for (; padded < n + lags; doublings++)
		padded *= 2;
	/* A butterfly costs some eight times a multiplication and addition. */
	bool direct = (double)lags * (double)n <= 8. * (double)padded * (double)doublings;
	double *d = direct ? mem_alloc(n, sizeof(*d)) : mem_zalloc(padded, sizeof(*d));
	if (!d)
		return STATS_NO_MEMORY;
	double squares = 0;
	for (size_t i = 0; i < n; i++) {
		d[i] = deviation(&centring, x[i]);
		squares += d[i] * d[i];
	}
	if (direct)
		sum_directly(d, n, lags, squares, out);
	else
		sum_by_fft(d, padded, lags, out);
	mem_free(d);
	return STATS_OK;
}

double ljung_box_statistic(const double *r, size_t lags, size_t n)
{
	double sum = 0, count = (double)n;
	for (size_t k = 1; k <= lags; k++)
		sum += r[k - 1] * r[k - 1] / (count - (double)k);
	return count * (count + 2) * sum;
}
