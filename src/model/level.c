#include "model/level.h"

#include <string.h>

static const char *const names[LEVEL_COUNT] = {"machine", "build", "run", "iteration", "invocation"};

const enum level levels_of_runs[2] = {LEVEL_RUN, LEVEL_ITERATION};

const char *level_name(enum level level)
{
	return names[level];
}

enum level level_by_name(const char *name)
{
	int level = 0;
	while (level < LEVEL_COUNT && strcmp(names[level], name) != 0)
		level++;
	return (enum level)level;
}
