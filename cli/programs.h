/* The files that commands run. */
#ifndef TARE_CLI_PROGRAMS_H
#define TARE_CLI_PROGRAMS_H

#include "base/arena.h"
#include "cli/options.h"
#include "model/experiment.h"
#include "store/store.h"

/* One per subject, in the arena; path NULL: not known. NULL: no memory. */
struct store_program *programs_of(const struct experiment *experiment, struct arena *arena);

/* The program of a command: its first word, as a user quotes it; in the arena. NULL: out of memory. */
const char *programs_first_word(struct arena *arena, const char *command);

/* Refuses a command that is a file of measurements, or a Python script without the right to execute it, and says what
 * to type. `command` is that of tare: "run", "bench". */
int programs_refuse_data(const struct text_list *words, const char *command, struct error *err);

#endif
