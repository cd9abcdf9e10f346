/* The build as a level: every source tree is built again and again, each time by another seed, and measured each
 * time. */
#ifndef TARE_SESSION_BUILDS_H
#define TARE_SESSION_BUILDS_H

#include "builds/copies.h"
#include "session/session.h"

enum { BUILDS_USUAL = 10 };

/* A source tree: subjects with the same folder and the same build share it. */
struct build_tree {
	const char *source;  /* absolute */
	const char *command; /* that builds it */
	size_t suite;        /* number of the suite file that names it; trees of two files are built apart */
};

struct builds {
	bool wanted;
	size_t count; /* builds of each tree */
	bool given;   /* by the user: no more than these */
	bool keep;
	int64_t timeout;     /* ns for one build; 0: none */
	const char *command; /* --build, or NULL */
	struct build_tree *trees;
	size_t tree_count;
	size_t *tree_of; /* by subject of the experiment */
	struct arena arena;
	struct copies copies;
	void (*print)(const struct buffer *text); /* what a build that failed has said; or NULL */
	void (*note)(const char *text);           /* where the builds are kept; or NULL */
};

/* Finds the trees of the subjects. `command` is --build, for those that have no build of their own, or NULL.
 * ERROR_USAGE where a subject has none, and for rules that runs inside of a build have not. */
int builds_plan(struct builds *builds, const struct experiment *experiment, const char *command, struct error *err);

/* Builds and measures, build by build, as session_run; the experiment may have some of the subjects that were planned
 * for. `quiet`: only what matters is said. */
int session_run_builds(struct builds *builds, const struct instrument *instrument, const struct experiment *experiment,
                       struct spawner *spawner, int cancel, const struct session_observer *observer, bool quiet,
                       struct result *out, bool *missing, struct error *err);

/* What would be done, without doing it. */
void builds_describe(const struct builds *builds, const struct experiment *experiment, struct buffer *out);

void builds_release(struct builds *builds); /* also of a zeroed one */

/* For the files of this folder: runs in every build, and the number of the build's seed. */
size_t builds_runs(const struct experiment *experiment);
uint64_t builds_seed(uint64_t seed, size_t build, size_t tree);

#endif
