/* Made-up series with a known change of level or none, and how often the searches say so. */
#ifndef TARE_TESTS_COVERAGE_CHANGES_H
#define TARE_TESTS_COVERAGE_CHANGES_H

#include "base/random.h"

#include <stdbool.h>
#include <stddef.h>

/* Of variance 1 but for the lognormal, the heavy-tailed and the discrete ones. */
enum noise {
	NOISE_NORMAL,
	NOISE_EXPONENTIAL,
	NOISE_LOGNORMAL, /* sigma 1 */
	NOISE_CAUCHY,
	NOISE_T3,          /* Student's t, 3 degrees of freedom */
	NOISE_OUTLIERS,    /* normal, 5 % of them ten times as large */
	NOISE_BIMODAL,     /* 20 % ten standard deviations higher */
	NOISE_FIVE_VALUES, /* 0 … 4 alike */
	NOISE_ROUNDED,     /* normal, to whole numbers */
	NOISE_COIN,        /* 0 or 1 */
	NOISE_MOSTLY_ONE,  /* 95 % 1, else 0 */
	NOISE_PERIODIC,    /* normal and a sine of period 40 */
	NOISE_AR_02,       /* first-order autoregressions */
	NOISE_AR_05,
	NOISE_AR_08,
	NOISE_AR_09,
	NOISE_COUNT
};

const char *noise_name(enum noise noise);
void noise_series(struct random *random, enum noise noise, double *x, size_t n);

enum finder { FINDER_EDM, FINDER_EDIVISIVE };

/* n values with a change after the first `at`, or none when it is 0. */
struct change_case {
	enum finder finder;
	enum noise noise;
	size_t n, at;
	double shift;         /* of the first values, downwards, in standard deviations of the noise */
	double step;          /* values are rounded to multiples of it; 0: not */
	double before, after; /* shares of ones before and after the change; 0, 0: `noise` and `shift` hold */
	size_t tolerance;     /* found means: within so many places */
	double published;     /* per cent, of the finder to beat; negative: none */
};

struct change_rates {
	size_t series, any, found;
	size_t place_covered, size_covered; /* of those found by FINDER_EDIVISIVE: the intervals hold the truth */
};

struct change_rates changes_simulate(const struct change_case *change, size_t series, uint64_t seed);

/* The cases of the published rates in `file` (tests/known/changepoint_rates.json) for this finder: without a change,
 * then with one. Returns how many, at most `most`; ends the program when the file cannot be read. */
size_t changes_published(const char *file, enum finder finder, struct change_case *cases, size_t most);

/* The simulation error of a rate of p in so many series. */
double changes_error(double p, size_t series);

/* Whether a rate is worse than it may be by more than two simulation errors: false alarms above 1 %, detections below
 * the published rate (which has an error of 1000 series itself). Nothing is claimed of edivisive on up to five periods
 * of a sine. */
bool changes_broken(const struct change_case *change, const struct change_rates *rates);

#endif
