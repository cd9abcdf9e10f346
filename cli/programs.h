/* The files that commands run. */
#ifndef TARE_CLI_PROGRAMS_H
#define TARE_CLI_PROGRAMS_H

#include "base/arena.h"
#include "model/experiment.h"
#include "store/store.h"

/* One per subject, in the arena; path NULL: not known. NULL: no memory. */
struct store_program *programs_of(const struct experiment *experiment, struct arena *arena);

/* The program of a command: its first word, as a user quotes it; in the arena. NULL: out of memory. */
const char *programs_first_word(struct arena *arena, const char *command);

#endif
