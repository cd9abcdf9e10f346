/* Collecting by summaries: for fleets whose samples would not fit into memory. */
#ifndef TARE_FLEET_GATHER_H
#define TARE_FLEET_GATHER_H

#include "fleet/collect.h"

/* Whether the files of these slots are so large that only their summaries are read. */
bool fleet_is_large(const struct fleet_folder *folder, const struct fleet_look *look);

/* As fleet_collect(); each subject has one value a machine, its mean. */
int fleet_gather(const struct fleet_folder *folder, const struct fleet_look *look, struct result *out,
                 struct error *err);

#endif
