/* The build as a level: every source tree is built again and again, each time by another seed, and measured each
 * time. */
#ifndef TARE_CLI_BUILDS_USE_H
#define TARE_CLI_BUILDS_USE_H

#include "builds/copies.h"
#include "cli/measure.h"
#include "cli/options.h"

struct builds_options {
	const char *levels;
	int64_t builds;
	bool keep;
};

/* Rows of an option table for a struct `type` that holds `struct builds_options builds`. */
#define BUILDS_OPTIONS(type) \
	{0, "levels", "LIST", OPTION_TEXT, offsetof(type, builds.levels), "build,run: every build is a repetition too", 0, \
	 0, NULL,     0}, \
		{0, \
	     "builds", \
	     "N", \
	     OPTION_INTEGER, \
	     offsetof(type, builds.builds), \
	     "how many (10); means --levels build,run", \
	     2, \
	     10000, \
	     NULL, \
	     0}, \
	{ \
		0, "keep-builds", NULL, OPTION_FLAG, offsetof(type, builds.keep), NULL, 0, 0, NULL, 0 \
	}

/* A source tree: subjects with the same folder and the same build share it. */
struct build_tree {
	const char *source;  /* absolute */
	const char *command; /* that builds it */
	size_t suite;        /* number of the suite file that names it; trees of two files are built apart */
};

struct builds_use {
	bool wanted;
	size_t count; /* builds of each tree */
	bool given;   /* by the user: no more than these */
	bool keep;
	const char *command; /* --build, or NULL */
	struct build_tree *trees;
	size_t tree_count;
	size_t *tree_of; /* by subject of the experiment */
	struct arena arena;
	struct copies copies;
	struct spawner *spawner; /* of our own, where nobody else has one */
};

/* Reads --levels and what goes with it; use->wanted says whether the build is among them. */
int builds_use_read(struct builds_use *use, const struct builds_options *options, struct error *err);

/* Finds the trees of the subjects. `command` is --build, for those that have no build of their own, or NULL.
 * ERROR_USAGE where a subject has none, and for rules that runs inside of a build have not. */
int builds_use_plan(struct builds_use *use, const struct experiment *experiment, const char *command,
                    struct error *err);

/* Builds and measures, build by build; what was measured is in `result` also on failure. The experiment may have
 * some of the subjects that were planned for. */
int builds_use_run(struct builds_use *use, const struct instrument *instrument, const struct experiment *experiment,
                   struct spawner *spawner, int cancel, const struct session_observer *observer, bool quiet,
                   struct result *result, bool *missing, struct error *err);

/* What would be done, without doing it. */
void builds_use_describe(const struct builds_use *use, const struct experiment *experiment, struct buffer *out);

void builds_use_release(struct builds_use *use); /* also of a zeroed one */

#endif
