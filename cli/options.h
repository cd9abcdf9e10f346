/* Option tables: one table per command drives parsing, --help, shell completion
 * and the check against the man page.
 *
 * An option stores into the command's own struct at `offset`, as its kind says. */
#ifndef TARE_CLI_OPTIONS_H
#define TARE_CLI_OPTIONS_H

#include "base/buffer.h"
#include "base/error.h"
#include "base/scoped.h"
#include "base/text_list.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum option_kind {
	OPTION_FLAG,     /* bool, set to true */
	OPTION_TEXT,     /* const char *; the last one wins */
	OPTION_LIST,     /* struct text_list; every use adds one */
	OPTION_INTEGER,  /* int64_t in [low, high] */
	OPTION_NUMBER,   /* double in [low, high] */
	OPTION_PERCENT,  /* double, a fraction; the text in per cent, in [low, high] per cent */
	OPTION_DURATION, /* int64_t nanoseconds, more than 0 */
	OPTION_CHOICE,   /* const char *, one of `choices` */
	OPTION_OPTIONAL, /* const char *: what stands behind "=", or the next word where that is one of `choices`; else "" */
	OPTION_DOCUMENT, /* const char *: the next word, a file to write; "-" where that is an option or a result */
};

struct option {
	char letter;          /* 0: long form only */
	const char *name;     /* without the dashes */
	const char *argument; /* shown in help, e.g. "FILE"; NULL for a flag */
	enum option_kind kind;
	size_t offset;
	const char *help;    /* one line; NULL: accepted but not listed in --help (the man page has it) */
	double low, high;    /* for numbers; both 0: no limit */
	const char *choices; /* for OPTION_CHOICE and OPTION_OPTIONAL: "auto|always|never" */
	int values;          /* for OPTION_LIST: how many values one use takes and adds; 0: one */
};

/* Rows of a table of options: plain ones, numbers within limits, and those with a list of what they may be. */
#define OPTION(letter, name, argument, kind, place, help) OPTION_OF(letter, name, argument, kind, place, NULL, help)
#define OPTION_WITHIN(letter, name, argument, kind, place, low, high, help) \
	{ \
		letter, name, argument, kind, place, help, low, high, NULL, 0 \
	}
#define OPTION_OF(letter, name, argument, kind, place, choices, help) \
	{ \
		letter, name, argument, kind, place, help, 0, 0, choices, 0 \
	}

/* An option that a similar tool has, and what to type here. */
struct foreign_option {
	const char *name;   /* without the dashes */
	const char *answer; /* "--filter REGEX chooses benchmarks" */
};

/* Options on the first screen of help, under a heading. */
struct help_group {
	const char *title;
	const char *names; /* of options, separated by blanks */
};

struct command {
	const char *name;
	const char *summary;                  /* one line for `tare --help` */
	const char *usage;                    /* "tare analyze [options] FILE…" */
	const char *about;                    /* a few lines for --help: what it does, with an example */
	const struct option *options;         /* ends with a name of NULL */
	const struct help_group *screen;      /* ends with a title of NULL; NULL: all that have a help text */
	const struct foreign_option *foreign; /* ends with a name of NULL; NULL: none */
	const char *subcommands;              /* "list|show", the first argument; NULL: none */
	int (*main)(const struct command *command, int argc, char **argv); /* argv[0] is the command's name */
};

/* Every command, ending with NULL. */
extern const struct command *const commands[];
const struct command *command_find(const char *name); /* or NULL */

/* Parses argv[1…] into `target`; what is no option goes to `arguments` (in order; owned by the caller:
 * text_list_release). Options and arguments may be mixed; "--" ends the options. *help is set, and
 * parsing stops, at -h or --help. given[i] is set where the option at place i of the table was given; `given` may be
 * NULL. -1 with a message that names the nearest option or the choices. */
enum { OPTIONS_MOST = 256 };
int options_parse(const struct command *command, int argc, char **argv, void *target, bool given[OPTIONS_MOST],
                  struct text_list *arguments, bool *help, struct error *err);

/* Whether a name is one of those in a text, which blanks separate. */
bool option_is_among(const char *name, const char *names);

/* Whether the option can take its value from the next word. */
bool option_takes_word(const struct option *option);

/* The option that a word of a command line is, or the one with a value behind letters of flags. */
struct option_word {
	const struct option *option; /* NULL: none, or flags alone */
	size_t flags;                /* letters before it */
	size_t values;               /* words after this one that are its values */
};

/* `next`: the word behind it, or NULL. */
struct option_word option_word_of(const struct option *table, const char *word, const char *next);

/* An option by its long name, or NULL. */
const struct option *option_find(const struct command *command, const char *name);

/* Reads a text as the value of an option into `target`; a flag from true or false. -1 and err, which does not name
 * it. */
int option_store(const struct option *option, const char *text, void *target, struct error *err);

/* Frees the lists that parsing filled. */
void options_release(const struct command *command, void *target);

/* The text of `tare COMMAND --help`, at most 80 columns wide. */
void options_help(const struct command *command, struct buffer *out);

#endif
