/* Machines are a random sample of a pool.
 *
 *	this pool        x̄ ± t(k−S)·s/√k           s² pooled inside the S strata
 *	these machines   x̄ ± t(ν)·√(Σv_j)/k        ν = (Σv_j)²/Σ(v_j²/ν_j), Satterthwaite (1946)
 *	the next one     x̄ ± t(k−1)·s_all·√(1 + 1/k)
 *	interaction      s² − v̄, F = s²/v̄ with k − S and ν; limits of Ting et al. (1990)
 *	odd one          e_j/√(max(s_(j)², v_j)·(1 − 1/n_s)), t with k − S − 1, Bonferroni (Cook and Weisberg 1982, for v_j = 0)
 *
 * Means are not weighted by their precision: weights that are estimated from few machines make intervals too short
 * (DerSimonian and Laird's: 85 to 96 % of 99 at 3 to 8 machines; docs/methods.md, "Several machines"), and the level is
 * never dropped, however small it looks. Strata are counted by their machines, so that the mean over strata is the mean
 * over machines.
 *
 * Assumed: machine means are nearly normal and machines independent; skewed ones cover 97 to 98 of 99 %. Strata of one
 * machine add to the mean and not to s. */
#include "stats/fleet.h"

#include "stats/distribution.h"
#include "stats/variance.h"

#include <math.h>

static enum stats_status check(const struct fleet_machine *machines, size_t count, size_t *strata)
{
	size_t highest = 0;
	if (count == 0)
		return STATS_EMPTY;
	for (size_t i = 0; i < count; i++) {
		if (!isfinite(machines[i].mean))
			return STATS_NOT_FINITE;
		if (machines[i].stratum > highest)
			highest = machines[i].stratum;
	}
	if (highest >= count)
		return STATS_BAD_ARGUMENT;
	*strata = highest + 1;
	return STATS_OK;
}

/* Count, mean and sum of squares of a stratum; SIZE_MAX: of all. */
static size_t sums(const struct fleet_machine *machines, size_t count, size_t stratum, double *mean, double *squares)
{
	size_t n = 0;
	*mean = *squares = 0;
	for (size_t i = 0; i < count; i++) {
		if (stratum != SIZE_MAX && machines[i].stratum != stratum)
			continue;
		double off = machines[i].mean - *mean;
		*mean += off / (double)++n;
		*squares += off * (machines[i].mean - *mean);
	}
	return n;
}

static void find_within(const struct fleet_machine *machines, size_t count, struct fleet *fleet)
{
	double sum = 0, parts = 0;
	for (size_t i = 0; i < count; i++) {
		double v = machines[i].variance;
		if (!(v >= 0) || !(machines[i].df > 0))
			return;
		sum += v;
		parts += v * v / machines[i].df;
	}
	fleet->within = sum / (double)count;
	fleet->within_df = parts > 0 ? sum * sum / parts : INFINITY;
}

enum stats_status fleet_of(const struct fleet_machine *machines, size_t count, struct fleet *out)
{
	struct fleet fleet = {.machines = count, .sd = NAN, .sd_all = NAN, .within = NAN, .within_df = NAN};
	double mean, squares, inside = 0;
	enum stats_status status = check(machines, count, &fleet.strata);
	if (status != STATS_OK)
		return status;
	for (size_t s = 0; s < fleet.strata; s++) {
		if (sums(machines, count, s, &mean, &squares) == 0)
			return STATS_BAD_ARGUMENT;
		inside += squares;
	}
	sums(machines, count, SIZE_MAX, &fleet.mean, &squares);
	fleet.df = (double)(count - fleet.strata);
	if (fleet.df > 0)
		fleet.sd = sqrt(inside / fleet.df);
	if (count > 1)
		fleet.sd_all = sqrt(squares / (double)(count - 1));
	find_within(machines, count, &fleet);
	*out = fleet;
	return STATS_OK;
}

static enum stats_status around(double mean, double half_width, struct interval *out)
{
	if (isnan(half_width))
		return STATS_TOO_FEW;
	*out = (struct interval){mean - half_width, mean + half_width};
	return isinf(half_width) ? STATS_UNBOUNDED : STATS_OK;
}

enum stats_status fleet_pool(const struct fleet *fleet, enum critical_rule rule, double alpha, struct interval *out)
{
	double k = (double)fleet->machines;
	if (!(alpha > 0 && alpha < 1))
		return STATS_BAD_ARGUMENT;
	if (isnan(fleet->sd))
		return STATS_TOO_FEW;
	double c = critical_value(rule, alpha, k, fleet->df);
	return around(fleet->mean, isinf(c) ? INFINITY : c * fleet->sd / sqrt(k), out);
}

enum stats_status fleet_these(const struct fleet *fleet, double alpha, struct interval *out)
{
	if (!(alpha > 0 && alpha < 1))
		return STATS_BAD_ARGUMENT;
	if (isnan(fleet->within))
		return STATS_TOO_FEW;
	double se = sqrt(fleet->within / (double)fleet->machines);
	return around(fleet->mean, se > 0 ? critical_t(alpha, fleet->within_df) * se : 0, out);
}

enum stats_status fleet_next(const struct fleet *fleet, double alpha, struct interval *out)
{
	double k = (double)fleet->machines;
	if (!(alpha > 0 && alpha < 1))
		return STATS_BAD_ARGUMENT;
	if (isnan(fleet->sd_all))
		return STATS_TOO_FEW;
	return around(fleet->mean, critical_t(alpha, k - 1) * fleet->sd_all * sqrt(1 + 1 / k), out);
}

enum stats_status fleet_stratum(const struct fleet *fleet, const struct fleet_machine *machines, size_t stratum,
                                double alpha, struct fleet_stratum *out)
{
	struct fleet_stratum found = {.interval = {-INFINITY, INFINITY}};
	double squares;
	if (!(alpha > 0 && alpha < 1) || stratum >= fleet->strata)
		return STATS_BAD_ARGUMENT;
	found.machines = sums(machines, fleet->machines, stratum, &found.mean, &squares);
	if (!isnan(fleet->sd))
		around(found.mean, critical_t(alpha, fleet->df) * fleet->sd / sqrt((double)found.machines), &found.interval);
	*out = found;
	return STATS_OK;
}

enum stats_status fleet_interaction(const struct fleet *fleet, double confidence, struct fleet_interaction *out)
{
	if (!(confidence > 0 && confidence < 1))
		return STATS_BAD_ARGUMENT;
	if (isnan(fleet->sd) || isnan(fleet->within))
		return STATS_TOO_FEW;
	double between = fleet->sd * fleet->sd;
	if (!(fleet->within > 0) || !isfinite(fleet->within_df))
		return STATS_NOT_DEFINED;
	struct interval limits = variance_difference_limits(between, fleet->df, fleet->within, fleet->within_df,
	                                                    (1 - confidence) / 2);
	*out = (struct fleet_interaction){
		.sd = sqrt(fmax(between - fleet->within, 0)),
		.interval = {sqrt(fmax(limits.low, 0)), sqrt(fmax(limits.high, 0))},
		.f = between / fleet->within,
		.p = f_upper_tail(between / fleet->within, fleet->df, fleet->within_df),
	};
	return STATS_OK;
}

enum stats_status fleet_odd(const struct fleet *fleet, const struct fleet_machine *machines, struct fleet_odd *out)
{
	struct fleet_odd found = {.t = 0};
	if (!(fleet->df >= 2))
		return STATS_TOO_FEW;
	double all = fleet->sd * fleet->sd * fleet->df;
	if (!(all > 0))
		return STATS_CONSTANT;
	for (size_t s = 0; s < fleet->strata; s++) {
		double mean, squares, n = (double)sums(machines, fleet->machines, s, &mean, &squares);
		for (size_t i = 0; n > 1 && i < fleet->machines; i++) {
			if (machines[i].stratum != s)
				continue;
			double e = machines[i].mean - mean, room = 1 - 1 / n;
			/* What is left without it; rounding may take it below 0 where all others are equal. */
			double rest = fmax(all - e * e / room, 0) / (fleet->df - 1);
			/* A machine that scatters more by itself than machines differ is noisy, not odd. */
			if (machines[i].variance > rest)
				rest = machines[i].variance;
			double t = e == 0 ? 0 : e / sqrt(rest * room);
			if (fabs(t) > fabs(found.t))
				found = (struct fleet_odd){.machine = i, .t = t};
		}
	}
	found.p = fmin(1, 2 * (double)fleet->machines * t_cdf(-fabs(found.t), fleet->df - 1));
	*out = found;
	return STATS_OK;
}

/* The mean of a machine with r runs varies by T_m² + T_r²/r, so that k machines need r = T_r²/((h·√k/t)² − T_m²). With
 * the costs c_m and c_r of one more, and t for a large k, the cheapest r is √(c_m/c_r)·T_r/T_m (Cochran 1977, two
 * stages); here t is that of k machines, and a T_m of 0 needs no case of its own. */
enum stats_status fleet_plan(const struct fleet_needs *needs, struct fleet_counts *out)
{
	bool priced = needs->machine_cost >= 0 && needs->run_cost > 0;
	double best = INFINITY;
	if (!(needs->half_width > 0) || !(needs->machine_sd >= 0) || !(needs->run_sd >= 0) || needs->runs == 0)
		return STATS_BAD_ARGUMENT;
	for (size_t k = needs->machines_least; k <= FLEET_PLAN_MOST; k++) {
		double n = (double)k, df = n - (double)needs->strata;
		double t = df > 0 ? critical_value(needs->rule, needs->alpha, n, df) : INFINITY;
		double unit = needs->half_width / t, room = unit * unit * n - needs->machine_sd * needs->machine_sd;
		double runs = room > 0 ? fmax(ceil(needs->run_sd * needs->run_sd / room), 1) : INFINITY;
		if (priced && n * needs->machine_cost >= best)
			break;
		if (!priced)
			runs = runs <= (double)needs->runs ? (double)needs->runs : INFINITY;
		double cost = priced ? n * (needs->machine_cost + runs * needs->run_cost) : n * runs;
		if (cost < best && runs < 1e9) {
			best = cost;
			*out = (struct fleet_counts){k, (size_t)runs};
			if (!priced)
				break;
		}
	}
	return isinf(best) ? STATS_UNBOUNDED : STATS_OK;
}

size_t fleet_prefix(const bool *open, size_t count)
{
	size_t n = 0;
	while (n < count && !open[n])
		n++;
	return n;
}

size_t fleet_wave(size_t now, size_t most)
{
	static const size_t first[] = {8, 12, 16, 24};
	size_t next = now + now / 2;
	for (size_t i = sizeof(first) / sizeof(first[0]); i > 0; i--)
		if (now < first[i - 1])
			next = first[i - 1];
	return next < most ? next : most;
}
