/* The work of one machine: the chunks of a slot that are not done yet. */
#ifndef TARE_FLEET_WORKER_H
#define TARE_FLEET_WORKER_H

#include "fleet/folder.h"

struct fleet_work {
	size_t done, skipped; /* chunks measured now, and found done */
	size_t twice;         /* of the former: another attempt was first, and its result stays */
};

/* Measures with programs copied to local disk; each chunk is published as soon as it is whole. `tare` is the program to
 * measure with, `cancel` readable when it is to end. -1 and err: a chunk failed; the folder says so too (failed/K.N). */
int fleet_work(const struct fleet_folder *folder, size_t slot, const char *tare, int cancel, struct fleet_work *out,
               struct error *err);

#endif
