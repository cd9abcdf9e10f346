/* The record of what disturbed a measurement: one look at the machine before the first run and one after the last. */
#ifndef TARE_MEASURE_DISTURBANCE_H
#define TARE_MEASURE_DISTURBANCE_H

#include "host/moment.h"
#include "model/result.h"

struct disturbance_watch {
	struct moment before;
	int cpus[2];
	size_t cpu_count;
};

/* `cpus` are those that are measured on, the first two count. */
void disturbance_begin(struct disturbance_watch *watch, const struct host *host, const int *cpus, size_t count);

/* Fills result->disturbance but for the shares of runs, and warns (code "machine-changed") when the machine was not
 * the same at the end. `own` runs were there at once: so much load is our own. -1: no memory. */
int disturbance_end(const struct disturbance_watch *watch, const struct host *host, size_t own, struct result *result,
                    struct error *err);

#endif
