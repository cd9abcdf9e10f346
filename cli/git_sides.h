/* `--git`: two commits as the two sides of an experiment, from their names to programs that can be measured; and
 * `--levels build`, where each is built again and again. */
#ifndef TARE_CLI_GIT_SIDES_H
#define TARE_CLI_GIT_SIDES_H

#include "builds/checkouts.h"
#include "cli/options.h"
#include "design/subjects.h"
#include "session/builds.h"

struct git_options {
	const char *range, *build;
	int64_t build_timeout; /* ns; 0: none */
};

/* Rows of an option table for a struct `type` that holds `struct git_options git`. */
#define GIT_OPTIONS(type) \
	OPTION(0, "git", "BASE[..HEAD]", OPTION_TEXT, offsetof(type, git.range), "compare two commits"), \
		OPTION(0, "build", "CMD", OPTION_TEXT, offsetof(type, git.build), "how to build each of them"), \
		OPTION(0, "build-timeout", "TIME", OPTION_DURATION, offsetof(type, git.build_timeout), NULL)

/* Of builds that are repeated (session/builds.h). */
struct builds_options {
	const char *levels;
	int64_t builds;
	bool keep;
};

/* Rows of an option table for a struct `type` that holds `struct builds_options builds`. */
#define BUILDS_OPTIONS(type) \
	OPTION(0, "levels", "LIST", OPTION_TEXT, offsetof(type, builds.levels), \
	       "build,run: every build is a repetition too"), \
		OPTION_WITHIN(0, "builds", "N", OPTION_INTEGER, offsetof(type, builds.builds), 2, 10000, \
	                  "how many (10); means --levels build,run"), \
		OPTION(0, "keep-builds", NULL, OPTION_FLAG, offsetof(type, builds.keep), NULL)

/* Reads --levels and what goes with it; builds->wanted says whether the build is among them. */
int builds_use_read(struct builds *builds, const struct builds_options *options, struct error *err);

struct git_sides {
	struct host host;
	struct commits commits;
	struct checkouts checkouts; /* zeroed: none */
};

/* Reads which commits are meant; `command` becomes two sides, in `out`. Nothing is made yet. */
int git_sides_name(struct git_sides *git, const struct git_options *options, const char *command, struct side out[2],
                   struct error *err);

/* What can be wrong without building is said before; of a suite file, while its lines are known. Then the commits are
 * built; where builds are repeated, they are only checked out, and options->builds are planned. */
struct measure_options;
int git_sides_make(struct git_sides *git, const struct instrument *instrument, const struct git_options *git_options,
                   struct measure_options *options, struct builds *builds, struct experiment *experiment,
                   struct error *err);

/* Removes the worktrees. A zeroed one is fine. */
void git_sides_release(struct git_sides *git);

#endif
