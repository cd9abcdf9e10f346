/* Which linker this is, and the stage of `tare cc` that stands in its place.
 *
 * The compiler driver finds tare under the linker's name (compiler.h), since only the linker's command line has every
 * object file, start file and library in the place where it will be. tare changes the order there, adds what the layout
 * needs (files in memory, which vanish with the process) and becomes the linker. */
#ifndef TARE_BUILDS_LINKER_H
#define TARE_BUILDS_LINKER_H

#include "base/error.h"
#include "host/host.h"

#include <stdbool.h>
#include <stdint.h>

enum linker_kind {
	LINKER_OTHER,
	LINKER_GNU,  /* GNU ld: its own script with the order in it */
	LINKER_GOLD, /* --section-ordering-file */
	LINKER_LLD,  /* --shuffle-sections, from version 13 on */
};

struct linker {
	enum linker_kind kind;
	int major;
	char name[100]; /* the first line of what --version prints, "" when it prints nothing */
};

/* From what --version prints. */
void linker_identify(const char *version, struct linker *out);
bool linker_orders(const struct linker *linker);       /* functions and data, not only objects */
const char *linker_means(const struct linker *linker); /* by what, for people */

/* Asks the program at `path`. */
int linker_ask(const struct host *host, const char *path, struct linker *out, struct error *err);

/* Variables by which tare cc tells the stage what to do. */
#define LINKER_PATH_VARIABLE "TARE_CC_LINKER" /* the real one */
#define LINKER_VARY_VARIABLE "TARE_CC_VARY"   /* a number, see enum vary */

/* Links by the linker at `path`: becomes it. Returns only on failure: -1 and err. argv[0] is what it was called. */
int linker_stage(const struct host *host, const char *path, int argc, char **argv, uint64_t seed, unsigned vary,
                 struct error *err);

#endif
