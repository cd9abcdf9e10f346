/* Widths from spreads.
 *
 *	n = ⌊(T − 3·t)/t⌋ pairs, t seconds a pair, three trial rounds; R = ⌊n/k⌋ units of k pairs (design_block)
 *	typical: half = c(3α/8, R)·E[f]·sd_k/√R       total: half = c(α/2, n)·√w·sd_1/√n;  relative: exp(half) − 1
 *
 * For "same" both take α. What is told is typical where it exists, from five units on, else the total; what is seen or
 * the same is so when either shows it. f is the factor for correlated neighbours (stats/runcorr.h); a run applies it
 * to its own, noisy autocorrelation, so its expectation is taken over r₁ ~ N(ρ − (1 + 3ρ)/R, (1 − ρ²)(R − 2)²/(R²(R −
 * 1))) (Moran 1948) with the ρ of the recording; and the sample sd of few units is small by 1/(4(R − 1)) on average. w
 * is the widening of the total (stats/total.h) at the ρ of single pairs.
 *
 * Visible with power 0.9: |ln ratio| − half must be above 0 in nine of ten: half + z₀.₉·sd/√R. Earlier looks and the
 * slow share only add to that power.
 *
 * Units of fewer than ten pairs are taken to vary as those of ten do, which makes what is promised of them up to 9 % too
 * wide.
 *
 * Below five pairs nothing can be said, with five there is one look with t. Assumed: the machine goes on as it
 * was while the recording was made. A change of load, or slow drift that the recording was too short to show, widens
 * what follows; nothing here can know that. */
#include "design/outlook.h"

#include "design/fit.h"
#include "stats/critical.h"
#include "stats/distribution.h"
#include "stats/runcorr.h"
#include "stats/verdict.h"

#include <math.h>

enum { TRIAL_ROUNDS = 3, ENOUGH_UNITS = 20 };
static const double power = 0.9;

struct reach {
	double runs; /* pairs, or units; 0: this part does not exist, or its spread is not known */
	double se;   /* of the log ratio, without the factor */
	double factor;
	double alpha_part; /* share of alpha that this part has */
};

/* The factor that a run of so many units applies on average, to a sample sd that is a little small on average. */
static double expected_factor(double lag1, double units)
{
	enum { STEPS = 25 };
	double mean = lag1 - (1 + 3 * lag1) / units, sum = 0;
	double sd = sqrt((1 - lag1 * lag1) / (units - 1)) * (units - 2) / units;
	for (int i = 0; i < STEPS; i++)
		sum += runcorr_factor(fmin(0.99, mean + sd * normal_quantile((i + 0.5) / STEPS)), units);
	return sum / STEPS * (1 - 0.25 / (units - 1));
}

/* Variance of a unit times its pairs. Few units of one size tell it badly: those of half the size, of the same pairs,
 * are weighed in by their number, var(whole) = var(half)·(1 + ρ)/2. From ENOUGH_UNITS on they stand alone: a unit is
 * the mean of two medians, and those of fewer pairs let more of a long tail through. */
static double pair_variance(const struct calibration_design *design, const struct calibration_spread *found)
{
	double sum = 0, weight = 0;
	if (found->units >= ENOUGH_UNITS)
		return found->sd * found->sd * (double)found->block;
	for (const struct calibration_spread *s = found; s >= design->spreads && s >= found - 1; s--) {
		if (isnan(s->sd) || (s->block == 1 && found->block > 1))
			continue;
		double units = s->units > 1 ? (double)s->units - 1 : 1;
		sum += units * s->sd * s->sd * (double)s->block * (s == found ? 1 : 1 + fmax(0, s->lag1));
		weight += units;
	}
	return sum / weight;
}

/* The spread of units of this size; from the next smaller or larger size where the recording was too short for it. */
static double spread_for(const struct calibration_design *design, size_t block, double *lag1)
{
	const struct calibration_spread *found = NULL;
	for (int i = 0; i < CALIBRATION_SPREADS; i++) {
		const struct calibration_spread *s = &design->spreads[i];
		if (isnan(s->sd) || (s->block == 1) != (block == 1))
			continue;
		found = s;
		if (s->block >= block)
			break;
	}
	if (!found)
		return NAN;
	*lag1 = found->lag1;
	return sqrt(pair_variance(design, found) / (double)block);
}

/* Of typical and of the total after so many seconds; false: too few pairs, or nothing is known. */
static bool reaches_of(const struct calibration_design *design, double seconds, struct reach *typical,
                       struct reach *total)
{
	double left = seconds - TRIAL_ROUNDS * design->pair_seconds, lag1;
	*typical = *total = (struct reach){0};
	if (!(design->pair_seconds > 0) || !(left > 0))
		return false;
	size_t block = design_block(design->pair_seconds, left);
	double pairs = floor(left / design->pair_seconds), units = floor(pairs / (double)block);
	if (pairs < VERDICT_LEAST_PAIRS)
		return false;
	double sd = spread_for(design, 1, &lag1);
	if (!isnan(sd))
		*total = (struct reach){
			.runs = pairs, .se = sd / sqrt(pairs), .factor = sqrt(total_widening(lag1, pairs)), .alpha_part = 0.5};
	sd = spread_for(design, block, &lag1);
	if (!isnan(sd) && units >= VERDICT_LEAST_UNITS)
		*typical = (struct reach){
			.runs = units, .se = sd / sqrt(units), .factor = expected_factor(lag1, units), .alpha_part = 3.0 / 8};
	return typical->runs > 0 || total->runs > 0;
}

static double constant(const struct reach *reach, double alpha, enum outlook_kind kind, bool few)
{
	static const enum critical_rule rules[] = {CRITICAL_FIXED, CRITICAL_PRECISION, CRITICAL_ANYTIME, CRITICAL_ANYTIME};
	double part = kind == OUTLOOK_SAME ? 1 : reach->alpha_part;
	return critical_value(few ? CRITICAL_FIXED : rules[kind], part * alpha, reach->runs, reach->runs - 1);
}

/* c·factor·se, and what is to be above it with the wanted power; INFINITY: this part has no interval. */
static double half_of(const struct reach *reach, double alpha, enum outlook_kind kind, bool few, double z)
{
	return reach->runs > 0 ? (constant(reach, alpha, kind, few) * reach->factor + z) * reach->se : INFINITY;
}

double outlook_half_width(const struct calibration_design *design, double seconds, double alpha, enum outlook_kind kind)
{
	struct reach typical, total;
	if (!reaches_of(design, seconds, &typical, &total))
		return NAN;
	bool few = total.runs > 0 && total.runs < VERDICT_FIRST_LOOK;
	double half = half_of(&typical, alpha, kind, few, 0), of_total = half_of(&total, alpha, kind, few, 0);
	if (kind == OUTLOOK_SAME || !isfinite(half))
		half = fmin(half, of_total);
	return isfinite(half) ? expm1(half) : NAN;
}

double outlook_visible(const struct calibration_design *design, double seconds, double alpha)
{
	struct reach typical, total;
	if (!reaches_of(design, seconds, &typical, &total))
		return NAN;
	bool few = total.runs > 0 && total.runs < VERDICT_FIRST_LOOK;
	double z = normal_quantile(power);
	double half = fmin(half_of(&typical, alpha, OUTLOOK_VERDICT, few, z),
	                   half_of(&total, alpha, OUTLOOK_VERDICT, few, z));
	return isfinite(half) ? expm1(half) : NAN;
}

double outlook_seconds(const struct calibration_design *design, double wanted, double alpha, enum outlook_kind kind,
                       double from, double most)
{
	/* Widths fall but for steps where the size of units changes: the first time that suffices on a fine scale. */
	for (double seconds = from; seconds <= most; seconds *= 1.05)
		if (outlook_half_width(design, seconds, alpha, kind) <= wanted)
			return seconds;
	return INFINITY;
}

void outlook_fill(struct calibration_design *design)
{
	const double alpha = 0.01;
	for (int i = 0; i < CALIBRATION_TIME_COUNT; i++) {
		design->half_width[i] = outlook_half_width(design, calibration_times[i], alpha, OUTLOOK_FIXED);
		design->visible[i] = outlook_visible(design, calibration_times[i], alpha);
	}
}

const char *outlook_best(const struct calibration_program *program)
{
	for (size_t t = calibration_time(10); t < CALIBRATION_TIME_COUNT; t++) {
		const struct calibration_design *best = NULL;
		for (size_t i = 0; i < program->design_count; i++) {
			const struct calibration_design *d = &program->designs[i];
			if (!isnan(d->visible[t]) && (!best || d->visible[t] < best->visible[t]))
				best = d;
		}
		if (best)
			return best->name;
	}
	return NULL;
}

/* ln of the product of what the design sees in ten seconds; NaN when a program does not have it. */
static double log_visible(const struct calibration_program *programs, size_t count, const char *name)
{
	double sum = 0;
	for (size_t p = 0; p < count; p++) {
		const struct calibration_design *d = calibration_find_design(&programs[p], name);
		sum += d ? log(d->visible[calibration_time(10)]) : NAN;
	}
	return sum;
}

const char *outlook_best_of_all(const struct calibration_program *programs, size_t count)
{
	const char *best = NULL;
	double least = INFINITY;
	for (size_t i = 0; count > 0 && i < programs[0].design_count; i++) {
		double sum = log_visible(programs, count, programs[0].designs[i].name);
		if (sum < least) {
			least = sum;
			best = programs[0].designs[i].name;
		}
	}
	return best ? best : count > 0 ? outlook_best(&programs[0]) : NULL;
}
