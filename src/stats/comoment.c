/* Welford's update for several quantities:
 *
 *	δ_i = x_i − m_i,  m_i ← m_i + δ_i/n,  M_ij ← M_ij + δ_i·(x_j − m_j)
 *
 * with m_j already updated, which makes M symmetric. Bennett et al. (2009), IEEE Cluster, eq. 3.
 * No sum of squares, and x is taken relative to the first observation: times of 10⁹ ns with a
 * spread of 1 ns keep their digits. */
#include "stats/comoment.h"

#include <math.h>

void comoment_add(struct comoment *moments, const double *x, unsigned dimensions)
{
	double n = (double)++moments->n;
	double relative[COMOMENT_MAX];
	for (unsigned i = 0; i < dimensions; i++) {
		if (moments->n == 1)
			moments->origin[i] = x[i];
		relative[i] = x[i] - moments->origin[i];
		double delta = relative[i] - moments->shift[i];
		moments->shift[i] += delta / n;
		for (unsigned j = 0; j <= i; j++)
			moments->products[i][j] += delta * (relative[j] - moments->shift[j]);
	}
}

double comoment_mean(const struct comoment *moments, unsigned i)
{
	return moments->n == 0 ? NAN : moments->origin[i] + moments->shift[i];
}

double comoment_covariance(const struct comoment *moments, unsigned i, unsigned j)
{
	if (moments->n < 2)
		return NAN;
	return (i >= j ? moments->products[i][j] : moments->products[j][i]) / (double)(moments->n - 1);
}
