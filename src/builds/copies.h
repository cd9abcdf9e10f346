/* Source trees copied and built, again and again, each time by another seed.
 *
 * A tree is copied to the same place every time: a path that gets into the program must not make one build differ from
 * another. Of a git checkout the files that are tracked, and those that are not and are not ignored; of any other
 * folder all files, if they are not too many. The user's folder is only read.
 *
 * States: zeroed → copies_open → (copies_make, copies_build, copies_put_away) again and again → copies_close. What is
 * not closed is removed by the janitor when tare has ended, unless the builds are kept. */
#ifndef TARE_BUILDS_COPIES_H
#define TARE_BUILDS_COPIES_H

#include "builds/janitor.h"
#include "builds/tool.h"

#include <stdbool.h>
#include <stdint.h>

enum { COPIES_MOST = 26 }; /* trees: a letter each */

struct copies {
	const struct host *host;
	struct janitor janitor;
	bool keep;
	char folder[2048];
	char *places[COPIES_MOST]; /* of each tree: where builds and commands run; NULL: not copied yet */
};

/* Makes the folder for them. With `keep` it stays. `host` must outlive them. */
int copies_open(struct copies *copies, const struct host *host, bool keep, struct error *err);

/* A fresh copy of the tree that `source` (absolute) lies in: copies->places[tree] is then the copy of `source`
 * itself. */
int copies_make(struct copies *copies, const struct tool *tool, size_t tree, const char *source, struct error *err);

/* Runs the build command, by sh, with TARE_BUILD_SEED (and TARE, this program's file). `log` gets the last lines of
 * what it said, also on failure (ERROR_SUBJECT: what became of it). */
int copies_build(struct copies *copies, const struct tool *tool, size_t tree, const char *command, uint64_t seed,
                 struct buffer *log, struct error *err);

/* Build number `build` (from 0) of the tree has been measured: removed, or kept under another name. */
int copies_put_away(struct copies *copies, const struct tool *tool, size_t tree, size_t build, struct error *err);

void copies_close(struct copies *copies);

#endif
