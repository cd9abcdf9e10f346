/* What a measurement of a given length will be able to say, from the spreads of a calibration. */
#ifndef TARE_DESIGN_OUTLOOK_H
#define TARE_DESIGN_OUTLOOK_H

#include "model/calibration.h"

/* Which interval. */
enum outlook_kind {
	OUTLOOK_FIXED,     /* reported after a fixed time (--stop fixed) */
	OUTLOOK_PRECISION, /* that must get short enough for --stop precision */
	OUTLOOK_VERDICT,   /* that must exclude 1 for "different" (--stop auto, verdict) */
	OUTLOOK_SAME,      /* that must lie inside the margin for "same", or inside the gate */
};

/* Relative half-width of the interval of new/base that `tare run` has after `seconds` in this design, at 1 − alpha;
 * typical's, or the total's where single pairs are judged. NaN when the time holds too few units for a statement or the
 * spread is not known. */
double outlook_half_width(const struct calibration_design *design, double seconds, double alpha,
                          enum outlook_kind kind);

/* The smallest relative change that 9 of 10 such experiments find, with a look after every unit. */
double outlook_visible(const struct calibration_design *design, double seconds, double alpha);

/* The seconds, `from` (> 0) to `most`, that a half-width of at most `wanted` takes; INFINITY: more. */
double outlook_seconds(const struct calibration_design *design, double wanted, double alpha, enum outlook_kind kind,
                       double from, double most);

/* Fills half_width and visible for calibration_times, at 99 %. */
void outlook_fill(struct calibration_design *design);

/* The design of the program that sees most in ten seconds (in the longest time where none sees anything by then); NULL:
 * none is known. And over all programs: the least geometric mean over the programs that it was measured with, of
 * those designs that every program has. */
const char *outlook_best(const struct calibration_program *program);
const char *outlook_best_of_all(const struct calibration_program *programs, size_t count);

#endif
