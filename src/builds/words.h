/* Words of a command line as compilers and linkers take them: with files of words, "@FILE", inside. */
#ifndef TARE_BUILDS_WORDS_H
#define TARE_BUILDS_WORDS_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"
#include "host/host.h"

#include <stdbool.h>

struct words {
	struct arena *arena;
	const char **items; /* ends with NULL */
	size_t count, room;
};

int words_add(struct words *words, const char *word, struct error *err);

/* Adds words; one that is "@FILE", where that file can be read, is replaced by the words in the file: divided by white
 * space, quoted by ' and ", a backslash taking the next character as it is; files within files too. `expanded` (or
 * NULL) says whether there was one. */
int words_expand(struct words *words, const struct host *host, const char *const *items, size_t count, bool *expanded,
                 struct error *err);

/* Such a file, from words. */
void words_write(const char *const *items, size_t count, struct buffer *out);

#endif
