/* t test of the slope of a least-squares line, its variance multiplied by the long-run factor of the residuals.
 *
 *	t = b/√(s²τ²/Σ(i − ī)²),  n/τ² − 2 degrees of freedom
 *
 * The line takes out of the residuals about what two means would, and being straight more of the slow ones; the factor
 * is corrected as if it were four (stats/longrun.h). A few wild values make s² large and the test weak, not false. */
#include "stats/slope.h"

#include "stats/distribution.h"
#include "stats/longrun.h"
#include "stats/regression.h"

#include <math.h>

struct slope slope_of(const double *x, size_t n, double *places, double *residuals)
{
	const struct slope none = {1, 0};
	struct line line;
	struct longrun noise;
	for (size_t i = 0; i < n; i++)
		places[i] = (double)i;
	if (line_fit(places, x, n, &line) != STATS_OK || line.slope == 0)
		return none;
	for (size_t i = 0; i < n; i++)
		residuals[i] = x[i] - line_at(&line, places[i]);
	longrun_fit(residuals, &n, 1, 3, &noise);
	double df = fmax((double)n / noise.factor - 2, 1);
	double t = fabs(line.slope) / (line.slope_se * sqrt(noise.factor));
	return (struct slope){2 * t_cdf(-t, df), fabs(line.slope) * (double)n / line.residual_sd};
}
