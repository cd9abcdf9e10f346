/* The options of builds that are repeated (session/builds.h). */
#ifndef TARE_CLI_BUILDS_USE_H
#define TARE_CLI_BUILDS_USE_H

#include "cli/options.h"
#include "session/builds.h"

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

#endif
