/* A recording: pairs of one program against itself in one design, and what they say of the machine.
 *
 * It is made in slices; between two slices other things were measured, so that no unit and no experiment
 * spans the gap. */
#ifndef TARE_ANALYSIS_RECORDING_H
#define TARE_ANALYSIS_RECORDING_H

#include "base/error.h"
#include "model/calibration.h"

#include <stdbool.h>
#include <stddef.h>

/* A zeroed one is empty. */
struct recording {
	double *base, *new_;
	unsigned char *order; /* 0: base first, or on the first side */
	size_t count, capacity;
	size_t *slices; /* the first pair of each */
	size_t slice_count, slice_capacity;
	double seconds; /* that all slices took together */
	bool sides;     /* duet */
	double quantum; /* clock step of the values */
};

void recording_release(struct recording *recording);

/* -1: no memory. The first pair needs a slice. */
int recording_begin_slice(struct recording *recording, struct error *err);
int recording_add(struct recording *recording, double base, double new_, unsigned char order, struct error *err);

/* The clock step that the values of both sides show, where none is known: of a program's own numbers. -1: no memory. */
int recording_find_quantum(struct recording *recording, struct error *err);

/* Fills pairs, pair_seconds and spreads. A spread of fewer than five units stays unknown; where all do, that of ten
 * pairs is reckoned from single ones, of which there must be ten. */
int recording_spreads(const struct recording *recording, struct calibration_design *out, struct error *err);

/* Short experiments of `pairs` pairs in units of `block`, disjoint, with looks after every unit as `tare run` has them:
 * how many of them called a difference that cannot be there. Fills the alarm fields. `alpha` as 0.01. */
int recording_alarms(const struct recording *recording, size_t block, size_t pairs, double alpha,
                     struct calibration_design *out, struct error *err);

/* How many experiments of so many pairs the recording holds. */
size_t recording_experiments(const struct recording *recording, size_t pairs);

/* Median of all values; NaN of none, or without memory. */
double recording_median(const struct recording *recording);

/* What a CPU costs: from the logs of its times less the mean of all CPUs in the same round, the median with its
 * 99 % interval. -1: no memory. */
int recording_cpu_effect(const double *logs, size_t rounds, struct calibration_cpu *out, struct error *err);

#endif
