/* Stop rules of Laaber et al. (2020), section 4.2. Its text, its fork of JMH and the code
 * behind its tables differ; v_i is the criterion after iteration i; with the window of five that the
 * paper has:
 *
 *	            warm-up (i ≥ 5; KLD i ≥ 6)              runs (f ≥ 2)
 *	published
 *	  CV        max over k = 1…4 of v_{i−k} − v_i < t   |v_f − v_{f−1}| < t
 *	  RCIW      max of the window < t                   v_f < t
 *	  KLD       mean of the window > t                  v_f > t
 *	paper
 *	  CV, RCIW  max − min of the window ≤ t             max − min of all runs so far ≤ t
 *	  KLD       mean of the window > t                  mean of all runs so far > t
 *	fork
 *	  CV, RCIW  max over k of |v_{i−k} − v_i| < t       |v_f − v_{f−1}| < t
 *	  KLD       mean of the window > t                  v_f > t
 *
 * The published rule of CV has no absolute value, so a rising CV never holds it back. */
#include "stats/stop_rules.h"

#include <math.h>
#include <string.h>

double stop_threshold(enum stop_criterion criterion)
{
	switch (criterion) {
	case CRITERION_CV: return 0.01;
	case CRITERION_RCIW: return 0.03;
	case CRITERION_KLD: return 0.99;
	case CRITERION_COUNT: break;
	}
	return NAN;
}

const char *stop_criterion_name(enum stop_criterion criterion)
{
	static const char *const names[CRITERION_COUNT] = {"cv", "rciw", "kld"};
	return names[criterion];
}

bool stop_variant_by_name(const char *name, enum stop_variant *out)
{
	static const char *const variants[] = {"published", "paper", "fork"};
	for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++)
		if (strcmp(variants[i], name) == 0) {
			*out = (enum stop_variant)i;
			return true;
		}
	return false;
}

static double smallest(const double *v, size_t n)
{
	double value = v[0];
	for (size_t i = 1; i < n; i++)
		value = fmin(value, v[i]);
	return value;
}

static double largest(const double *v, size_t n)
{
	double value = v[0];
	for (size_t i = 1; i < n; i++)
		value = fmax(value, v[i]);
	return value;
}

static double mean(const double *v, size_t n)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += v[i];
	return sum / (double)n;
}

/* fmin and fmax skip NaN, so it is looked for apart. */
static bool has_nan(const double *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (isnan(v[i]))
			return true;
	return false;
}

/* v: the values that a variability rule looks at, the last one the current. */
static bool variability_holds(enum stop_criterion criterion, enum stop_variant variant, double threshold,
                              const double *v, size_t n)
{
	double now = v[n - 1], high = largest(v, n), low = smallest(v, n);
	switch (variant) {
	case STOP_PUBLISHED: return criterion == CRITERION_CV ? high - now < threshold : high < threshold;
	case STOP_PAPER: return high - low <= threshold;
	case STOP_FORK: return fmax(high - now, now - low) < threshold;
	}
	return false;
}

bool stop_warmup(enum stop_criterion criterion, enum stop_variant variant, double threshold, size_t window,
                 const double *values, size_t n)
{
	size_t first_look = criterion == CRITERION_KLD ? window + 1 : window;
	if (window == 0 || n < first_look || has_nan(values + n - window, window))
		return false;
	if (criterion == CRITERION_KLD)
		return mean(values + n - window, window) > threshold;
	return variability_holds(criterion, variant, threshold, values + n - window, window);
}

bool stop_runs(enum stop_criterion criterion, enum stop_variant variant, double threshold, const double *values,
               size_t n)
{
	if (n < 2 || isnan(values[n - 1]))
		return false;
	if (variant == STOP_PAPER) {
		size_t skip = criterion == CRITERION_KLD ? 1 : 0;
		if (has_nan(values + skip, n - skip))
			return false;
		if (criterion == CRITERION_KLD)
			return mean(values + skip, n - skip) > threshold;
		return variability_holds(criterion, variant, threshold, values, n);
	}
	if (criterion == CRITERION_KLD)
		return values[n - 1] > threshold;
	if (criterion == CRITERION_RCIW && variant == STOP_PUBLISHED)
		return values[n - 1] < threshold;
	return fabs(values[n - 1] - values[n - 2]) < threshold;
}
