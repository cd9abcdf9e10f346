/* Going on with what was measured before: --append and --resume. */
#ifndef TARE_CLI_AGAIN_H
#define TARE_CLI_AGAIN_H

#include "cli/options.h"
#include "model/experiment.h"
#include "store/loader.h"

/* The earlier result. */
struct again {
	bool loaded;
	bool broken; /* --resume goes on with it, with all that was asked for */
	struct result result;
	const char *file;         /* the caller's; NULL: it is in the store, or there is none */
	int64_t id;               /* in the store, else 0 */
	struct store_facts facts; /* zeroed for a file */
};
void again_release(struct again *again);

/* Reads the result that --append names, a file or @…, or the last one that was interrupted or killed (ERROR_NO_DATA:
 * there is none). */
int again_load(struct again *again, const char *argument, struct error *err);
int again_load_broken(struct again *again, struct error *err);

/* Its command line, with "--append=…" as the first option and the options that were `given` beside --append or --resume
 * as its last, which win: words in its arena, argv[0] is "run". -1 and err where it is not known. */
int again_words(struct again *again, const struct command *command, int given_count, char *const *given, int *argc,
                char ***argv, struct error *err);

/* Of the options given beside --resume none may change what a run is; -1 and err names one that does. */
int again_check_options(const struct command *command, int given_count, char *const *given, struct error *err);

/* The error where a result's command line is not known. */
int again_not_known(const struct again *again, struct error *err);

/* Its tags, added to others. They live as long as it. */
int again_tags(const struct again *again, struct text_list *tags, struct error *err);

/* The experiment goes on with it, in its design. */
void again_set(struct experiment *experiment, const struct again *again);

/* -1 and err: a command of the same name runs another program now. What is not known of them is not compared, which a note
 * says of a file. */
int again_check_programs(const struct again *again, const struct experiment *experiment, struct error *err);

#endif
