/* `tare cc`: a compiler driver with a random layout, by the seed in TARE_BUILD_SEED.
 *
 * Compiling: every function and variable in a section of its own, and the compiler's own random numbers fixed. Linking:
 * the driver is told to look for the linker in a folder where tare lies under its name (linker.h). Everything else is
 * the driver's: it reads its own options, and what it prints and returns stays as it is. */
#ifndef TARE_BUILDS_COMPILER_H
#define TARE_BUILDS_COMPILER_H

#include "builds/words.h"

#include <stdint.h>

#define BUILD_SEED_VARIABLE "TARE_BUILD_SEED"

struct compiler {
	struct words given; /* the command as it was given, the compiler first */
	size_t options_at;  /* place of the first word after the compiler's name */
	bool clang;
	bool compiles, links;    /* makes code; makes a program. Neither: it is only asked something */
	bool seeded;             /* the user gives -frandom-seed */
	const char *linker;      /* its name for the driver: "ld", "ld.gold", … */
	const char *linker_path; /* where the user names a file, or NULL */
};

/* Reads a command: `words` after "--". -1: no memory, or there is no compiler (ERROR_USAGE). */
int compiler_read(struct compiler *compiler, struct arena *arena, const struct host *host, const char *const *words,
                  size_t count, struct error *err);

/* The words for a seed. `folder` holds tare under the linker's name; NULL where nothing is linked. */
int compiler_words(const struct compiler *compiler, uint64_t seed, const char *folder, struct words *out,
                   struct error *err);

/* The words that ask the driver for its linker; the answer is one line. */
int compiler_question(const struct compiler *compiler, struct words *out, struct error *err);

/* TARE_BUILD_SEED as a number. 1: there is none; -1 and err: it is no number. */
int compiler_seed(const char *text, uint64_t *seed, struct error *err);

#endif
