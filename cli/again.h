/* Going on with what was measured before: --append and --resume. */
#ifndef TARE_CLI_AGAIN_H
#define TARE_CLI_AGAIN_H

#include "cli/options.h"
#include "model/experiment.h"

/* Reads the result that --append names, a file or @…; *id is its number in the store, 0 for a file. `earlier` is
 * initialised by the caller. Its tags in the store are added to `tags` and live as long as it. */
int again_load(const char *argument, struct result *earlier, int64_t *id, struct text_list *tags, struct error *err);

/* Commands and names of an earlier result, where the user gave no commands. */
int again_commands(const struct result *earlier, struct text_list *words, struct text_list *names, struct error *err);

/* The experiment goes on with it, in its design. */
void again_set(struct experiment *experiment, const struct result *earlier);

/* The command line of the last 'tare run' that was interrupted or killed, with "--append=@ID" as its first option and
 * the options that were `given` beside --resume as its last, which win: words in the arena, argv[0] is "run".
 * ERROR_NO_DATA: there is none. */
int again_find(struct arena *arena, int given_count, char *const *given, int *argc, char ***argv, struct error *err);

#endif
