/* Command lines that were meant for a shell, or lack their quotes: the line to type instead. */
#ifndef TARE_CLI_RUN_HINTS_H
#define TARE_CLI_RUN_HINTS_H

#include "cli/options.h"

/* Forgotten quotes: a word that is no program behind a program (`tare run ./work 100`), or an option of the program
 * that is one of tare's, too (`tare run python3 -c 'print(1)'`). -1 and err with the line to type. */
int run_hints_check_quotes(const struct text_list *words, int argc, char **argv, struct error *err);

/* Refuses a command that is a file of measurements, or a Python script without the right to execute it, and says what
 * to type. `command` is that of tare: "run", "bench". */
int run_hints_refuse_data(const struct text_list *words, const char *command, struct error *err);

/* Options of hyperfine and others that `tare run` does not have, and what to type. */
extern const struct foreign_option run_foreign_options[];

/* Whether a command could be started without a shell: its first word is a program. */
bool run_hints_can_start(const char *command);

/* Words as a shell takes them, and tare where it splits a command; plain ones as they are. */
void run_hints_put_words(struct buffer *out, const char *const *words, size_t count);

/* Where the options could not be read and a bare word stands before them (`tare run ls -l`), adds the line to type;
 * where a command needs a shell, the same line with -S. */
void run_hints_for_options(const struct text_list *words, int argc, char **argv, struct error *err);
void run_hints_for_shell(int argc, char **argv, struct error *err);

#endif
