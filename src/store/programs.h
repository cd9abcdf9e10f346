/* The files that the commands of an experiment run. */
#ifndef TARE_STORE_PROGRAMS_H
#define TARE_STORE_PROGRAMS_H

#include "model/experiment.h"
#include "store/store.h"

/* One per subject, in the arena; path NULL: not known. NULL: no memory. */
struct store_program *store_programs_of(const struct experiment *experiment, struct arena *arena);

#endif
