/* The command line of a linker, as a compiler driver gives it: which words are object files, and what else decides
 * whether their order and the order of what is in them may change.
 *
 * Objects change places only with their neighbours: a library, a group, an option or a start file between two of them
 * keeps them apart, since a library is searched where it stands. */
#ifndef TARE_BUILDS_LINK_LINE_H
#define TARE_BUILDS_LINK_LINE_H

#include "base/random.h"
#include "builds/objects.h"
#include "builds/words.h"

struct link_line {
	struct words words; /* without the name of the program */
	bool *movable;      /* an object file that may change places with a movable neighbour */
	bool from_file;     /* some words came from a file */
	const char *output; /* "a.out" unless given */
	bool relocatable;   /* ld -r: no program yet */
	bool scripted;      /* the user says where sections go: a script, an ordering file */
	bool has_objects;
};

/* Reads the words (argv[1…]). What the files hold, static libraries found by -l and -L included, goes to `objects`.
 * Nothing is changed. -1: no memory. */
int link_line_read(struct link_line *line, struct arena *arena, const struct host *host, const char *const *words,
                   size_t count, struct objects *objects, struct error *err);

/* Shuffles every run of neighbours. */
void link_line_shuffle(struct link_line *line, struct random *random);

/* The words that decide which script GNU ld would take: options without files, libraries, plug-ins and output. */
int link_line_options(const struct link_line *line, struct words *out, struct error *err);

#endif
