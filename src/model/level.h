/* Levels: where repetition happens, outermost first. */
#ifndef TARE_MODEL_LEVEL_H
#define TARE_MODEL_LEVEL_H

/* A byte each, for there may be many. */
enum level {
	LEVEL_MACHINE,
	LEVEL_BUILD,
	LEVEL_RUN,
	LEVEL_ITERATION,
	LEVEL_INVOCATION,
	LEVEL_COUNT
} __attribute__((packed));

/* Runs and their iterations, as most series have them. */
extern const enum level levels_of_runs[2];

/* "machine" … "invocation". */
const char *level_name(enum level level);

/* The level of that name, or LEVEL_COUNT. */
enum level level_by_name(const char *name);

#endif
