/* Tukey (1977), Exploratory Data Analysis: fences at Q1 − 1.5·IQR, Q3 + 1.5·IQR (mild) and at 3·IQR
 * (severe). Of normal values 0.7 % are mild and 2 in a million severe; of skewed ones more, which is
 * no fault of theirs. */
#include "stats/outliers.h"

#include "stats/quantile.h"

enum outlier outlier_of(const struct outliers *fences, double x)
{
	if (x < fences->inner.low)
		return x < fences->outer.low ? OUTLIER_LOW_SEVERE : OUTLIER_LOW_MILD;
	if (x > fences->inner.high)
		return x > fences->outer.high ? OUTLIER_HIGH_SEVERE : OUTLIER_HIGH_MILD;
	return OUTLIER_NONE;
}

static void count(struct outliers *outliers, enum outlier mark)
{
	outliers->low_severe += mark == OUTLIER_LOW_SEVERE;
	outliers->low_mild += mark == OUTLIER_LOW_MILD;
	outliers->high_mild += mark == OUTLIER_HIGH_MILD;
	outliers->high_severe += mark == OUTLIER_HIGH_SEVERE;
}

enum stats_status outliers_of(const double *x, size_t n, signed char *marks, struct outliers *out)
{
	enum stats_status status = stats_check_finite(x, n);
	if (status != STATS_OK)
		return status;
	if (n < 4)
		return STATS_TOO_FEW;
	double q[2];
	status = quantiles_of(x, n, (const double[]){0.25, 0.75}, 2, 7, q);
	if (status != STATS_OK)
		return status;
	double q1 = q[0], q3 = q[1], iqr = q3 - q1;
	struct outliers found = {.inner = {q1 - 1.5 * iqr, q3 + 1.5 * iqr}, .outer = {q1 - 3 * iqr, q3 + 3 * iqr}};
	for (size_t i = 0; i < n; i++) {
		enum outlier mark = outlier_of(&found, x[i]);
		count(&found, mark);
		if (marks)
			marks[i] = (signed char)mark;
	}
	*out = found;
	return STATS_OK;
}
