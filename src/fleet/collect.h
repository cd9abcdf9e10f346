/* From the results of the slots to one result with the machine as its outermost level. */
#ifndef TARE_FLEET_COLLECT_H
#define TARE_FLEET_COLLECT_H

#include "fleet/folder.h"
#include "model/result.h"

/* A slot that counts in a look: `whole`, or given up with what it has. */
struct fleet_look {
	const size_t *slots; /* in the drawn order */
	size_t count;
	bool looked; /* it may not be the last look: the intervals allow for any number */
};

/* Reads, checks, merges, analyses and compares what these slots have. A file that is not what it should be is not used,
 * and that is said (warning "fleet"). ERROR_NO_DATA: no slot has anything. */
int fleet_collect(const struct fleet_folder *folder, const struct fleet_look *look, struct result *out,
                  struct error *err);

/* Whether a result is of one machine, and of what the fleet was prepared for. -1, ERROR_INPUT: it is not. */
int fleet_check_result(const struct fleet_folder *folder, const struct result *result, struct error *err);

/* The same of a chunk, which is read, and of its slot, with the frozen metric in place of what was confirmed in turns:
 * *out is initialised, and released where it fails. ERROR_NO_DATA: there is none. */
int fleet_read_chunk(const struct fleet_folder *folder, size_t slot, size_t chunk, struct result *out,
                     struct error *err);

/* What a comparison by this metric is judged by in the fleet: what a machine confirmed in turns, by the frozen metric. */
const char *fleet_metric(const struct fleet_experiment *experiment, const char *metric);

/* Where both sides differ as they share one CPU, their size there may be exaggerated: a warning says so. */
int fleet_warn_of_sizes(struct result *result, struct error *err);

/* Whether the fleet was prepared for a subject of that name. */
bool fleet_knows(const struct fleet_experiment *experiment, const char *name);

/* `found` becomes *out, but for what the caller has set there: version, start and command line. */
void fleet_adopt(struct result *out, struct result *found);

#endif
