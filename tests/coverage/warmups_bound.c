/* x_i = level + high·r(i/time) + noise with autocovariance sd²·rho^|i − j|. The information about the three parameters is that
 * of the independent innovations (x_i − rho·x_{i−1})/√(1 − rho²); the variance of the end is gᵀ I⁻¹ g, g its gradient. */
#include "warmups.h"

#include <math.h>

enum { PARAMETERS = 3 };

static void gradient(enum warmups_kind kind, double high, double time, size_t i, double *out)
{
	double u = (double)i / time;
	out[0] = 1;
	switch (kind) {
	case WARMUPS_CURVE:
		out[1] = exp(-u);
		out[2] = high * u / time * exp(-u);
		break;
	case WARMUPS_SLOW_CURVE:
		out[1] = 1 / (1 + u);
		out[2] = high * u / time / ((1 + u) * (1 + u));
		break;
	default:
		out[1] = fmax(0, 1 - u);
		out[2] = u < 1 ? high * u / time : 0;
		break;
	}
}

/* Of the place where high·r(i/time) is share·level, at level 1. */
static void end_gradient(enum warmups_kind kind, double high, double time, double share, double *out)
{
	double rest = high / share;
	switch (kind) {
	case WARMUPS_CURVE:
		out[0] = -time;
		out[1] = time / high;
		out[2] = log(rest);
		break;
	case WARMUPS_SLOW_CURVE:
		out[0] = -time * rest;
		out[1] = time / share;
		out[2] = rest - 1;
		break;
	default:
		out[0] = -time / rest;
		out[1] = time / rest / high;
		out[2] = 1 - 1 / rest;
		break;
	}
}

/* gᵀ I⁻¹ g by Cholesky's factor. */
static double quadratic(double information[PARAMETERS][PARAMETERS], const double *g)
{
	double factor[PARAMETERS][PARAMETERS] = {{0}}, y[PARAMETERS], sum = 0;
	for (int i = 0; i < PARAMETERS; i++) {
		y[i] = g[i];
		for (int j = 0; j <= i; j++) {
			double rest = information[i][j];
			for (int k = 0; k < j; k++)
				rest -= factor[i][k] * factor[j][k];
			factor[i][j] = i == j ? sqrt(rest) : rest / factor[j][j];
			y[i] -= j < i ? factor[i][j] * y[j] : 0;
		}
		y[i] /= factor[i][i];
		sum += y[i] * y[i];
	}
	return sum;
}

double warmups_bound(enum warmups_kind kind, double high, double time, double share, double sd, double rho)
{
	double information[PARAMETERS][PARAMETERS] = {{0}}, before[PARAMETERS] = {0}, now[PARAMETERS], g[PARAMETERS];
	for (size_t i = 0; i < WARMUPS_LENGTH; i++) {
		gradient(kind, high, time, i, now);
		double scale = i > 0 ? 1 / (sd * sqrt(1 - rho * rho)) : 1 / sd, r = i > 0 ? rho : 0;
		for (int a = 0; a < PARAMETERS; a++)
			for (int b = 0; b <= a; b++)
				information[a][b] += scale * scale * (now[a] - r * before[a]) * (now[b] - r * before[b]);
		for (int a = 0; a < PARAMETERS; a++)
			before[a] = now[a];
	}
	end_gradient(kind, high, time, share, g);
	double allowed = fmax(3, 0.02 * WARMUPS_LENGTH);
	return erf(allowed / sqrt(2 * quadratic(information, g)));
}
