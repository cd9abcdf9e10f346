/* Plain numbers that are the iterations of one process. */
#ifndef TARE_ANALYSIS_ONE_PROCESS_H
#define TARE_ANALYSIS_ONE_PROCESS_H

#include "model/result.h"

/* A list of 1000 bare numbers or more that depend on each other, each taken for a run for want of anything else, is made
 * one run with as many iterations, and a warning ("one-process") says so. */
int one_process_find(struct result *result, struct subject *subject, struct measurement *m, struct error *err);

#endif
