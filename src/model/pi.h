/* --pi NAME:UNIT[:WORD…]:FROM, where FROM runs to the end of the argument: regex=EXPRESSION (POSIX extended; its first
 * group), column=K (from 1), csv=HEADING or json=PATH. The words between unit and FROM, in any order:
 *
 *	higher, lower                     which is better
 *	units                             unit readings: every number of a run
 *	watch                             shown, but not waited for
 *	arithmetic, harmonic, geometric   the mean
 *	width=10%                         width of the interval to reach, relative to the mean
 *	confidence=95                     of its interval, in per cent
 *	ac=0.2                            autocorrelation above which neighbours are merged, in (0, 1]
 *	stdout, stderr, file=PATH, fifo=PATH   where the program writes it; a colon in a path is written \: */
#ifndef TARE_MODEL_PI_H
#define TARE_MODEL_PI_H

#include "model/experiment.h"

/* Texts go to the arena. Without a direction the unit decides: for rates, higher is better. */
int pi_parse(struct arena *arena, const char *text, struct performance_index *out, struct error *err);

#endif
