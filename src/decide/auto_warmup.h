/* Where the warm-up of a run ends, by tare's own rule. Pure: arrays in, places out. */
#ifndef TARE_DECIDE_AUTO_WARMUP_H
#define TARE_DECIDE_AUTO_WARMUP_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum {
	WARMUP_LEAST = 15, /* iterations in a run before its warm-up can be looked for */
	WARMUP_RUNS = 3,   /* after which it is asked whether what was left out matters */
};

struct warmup_look {
	size_t skip; /* iterations to leave out: at least 1 */
	bool more;   /* the run is too short to tell, or the rest still steps or drifts */
};

/* What is asked of the warm-up; relative to the mean. */
struct warmup_wanted {
	double tolerance; /* the precision wanted, 0.01: by how much the rest may drift */
	double own; /* precision wanted of the run's own mean; INFINITY where it is a ratio to another side that counts */
	double
		width; /* half-width that the interval over runs will have at least, for each unit of √within (see below): what
	                   * is kept of a warm-up is small beside it; INFINITY: beside the tolerance alone */
	size_t rest; /* iterations that later runs will measure: what is kept must not shift the mean of so many */
};

/* The first run, n iterations so far. -1: no memory. */
int warmup_look(const double *x, size_t n, const struct warmup_wanted *wanted, struct warmup_look *out,
                struct error *err);

/* By how much of the mean what is kept of a warm-up may shift it: an eighth of the tolerance, or of the interval over
 * runs where that will be shorter; `width` as above, `within` as below. */
double warmup_allowed(double tolerance, double width, double within, double mean);

/* Noise of a steady part: `spread` 1.4826·MAD, `within` the variance of the mean of k iterations, times k. */
struct warmup_noise {
	double spread, within;
};

int warmup_noise_of(const double *x, size_t n, struct warmup_noise *out, struct error *err);

/* Where the measured part of a later run steps: iterations of it to leave out too, which would else shift its mean by
 * more than `allowed` of itself; 0: nowhere. -1: no memory. */
int warmup_step(const double *x, size_t n, const struct warmup_noise *noise, double allowed, size_t *step,
                struct error *err);

/* One run for warmup_matters(). */
struct warmup_run {
	const double *values; /* positive */
	size_t n;
};

/* 1: the first `skip` iterations of these runs would shift the mean of one that measures `rest` more by more than
 * `allowed`, and by more than chance does; 0: they would not; -1: no memory. Runs that are not longer than `skip`, or
 * have a NaN, are not looked at. */
int warmup_matters(const struct warmup_run *runs, size_t count, size_t skip, size_t rest, double allowed,
                   struct error *err);

#endif
