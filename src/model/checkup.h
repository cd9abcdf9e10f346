/* What doctor found out about a machine, as plain data.
 *
 * A finding is one thing that decides how well the machine measures: what it is, whether that
 * is good, what it costs, and how to mend it. Its texts live in the checkup's arena. Filling
 * never fails at the call: a checkup that ran out of memory remembers it; check once, at the
 * end. */
#ifndef TARE_MODEL_CHECKUP_H
#define TARE_MODEL_CHECKUP_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

enum finding_state { FINDING_UNKNOWN, FINDING_OK, FINDING_COULD_BE_BETTER, FINDING_BAD };

struct finding {
	const char *name;  /* a short word that stays the same, "turbo" */
	const char *title; /* for people, at most 16 columns */
	enum finding_state state;
	int weight;          /* among findings of one state the heaviest matters most */
	const char *value;   /* NULL: not known, see why */
	const char *why;     /* why it is not known; else NULL */
	double number;       /* the value where it is one number; else NaN */
	const char *unit;    /* of that number: "CPUs", "s", "bytes", "" for a fraction; else NULL */
	const char *cost;    /* what it does to measurements, a sentence; NULL when there is nothing to say */
	const char *advice;  /* what to do about it, "switch it off"; or NULL */
	const char *command; /* a shell command that does it, for the user to run; or NULL */
};

enum { CHECKUP_MAX = 48 };

struct checkup {
	struct arena arena;
	const char *cpu, *os, *kernel; /* NULL: not known */
	struct finding findings[CHECKUP_MAX];
	size_t count;
	double seconds; /* that looking took */
	bool out_of_memory;
	struct finding lost; /* what is filled in when there is no room */
};

/* A zeroed checkup is valid and empty. */
void checkup_release(struct checkup *checkup);

/* A new finding, not known as yet. `name` and `title` are kept, not copied. */
struct finding *checkup_add(struct checkup *checkup, const char *name, const char *title, int weight);

/* Its value and what to think of it; or why there is none. */
void finding_says(struct checkup *checkup, struct finding *finding, enum finding_state state, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void finding_unknown(struct checkup *checkup, struct finding *finding, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

void finding_cost(struct checkup *checkup, struct finding *finding, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void finding_advice(struct checkup *checkup, struct finding *finding, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void finding_command(struct checkup *checkup, struct finding *finding, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Bad ones first, then what could be better, what is ok, what is not known; the first two by weight, the
 * others in the order in which they were added. */
void checkup_order(struct checkup *checkup);

size_t checkup_count(const struct checkup *checkup, enum finding_state state);
const struct finding *checkup_find(const struct checkup *checkup, const char *name); /* or NULL */

/* What to mend first: the heaviest bad finding, else the heaviest that could be better; NULL: nothing. */
const struct finding *checkup_first(const struct checkup *checkup);

/* "ok", "could be better", "bad", "not known". */
const char *finding_state_name(enum finding_state state);

#endif
