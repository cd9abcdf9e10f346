/* The outcome of one trial of a command: what became of it and, only if it was ok, its numbers.
 *
 * Times are whole nanoseconds, memory and block I/O bytes, energy microjoules; a number that is not
 * known says why. Doubles begin with outcome_value(). */
#ifndef TARE_MODEL_OUTCOME_H
#define TARE_MODEL_OUTCOME_H

#include "model/metric.h"

#include <stdbool.h>
#include <stdint.h>

enum outcome_status {
	OUTCOME_OK,          /* it ended with an expected status: the only one that carries samples */
	OUTCOME_EXIT,        /* another exit status; code */
	OUTCOME_SIGNAL,      /* killed by a signal that was not ours; code */
	OUTCOME_TIMEOUT,     /* ran past its time limit */
	OUTCOME_NOT_STARTED, /* code: errno */
	OUTCOME_DISTURBED,   /* it was stopped, or what watched over it was killed: says nothing about the command */
	OUTCOME_CANCELLED,   /* by the user */
	OUTCOME_STATUSES
};

enum { OUTCOME_COUNTERS = 8, OUTCOME_TEXT = 200 };

struct outcome {
	enum outcome_status status;
	int code;
	char text[OUTCOME_TEXT]; /* what happened: "exit 1", "signal 11 (Segmentation fault)"; "" for ok */
	char next[OUTCOME_TEXT]; /* what to do about it, or "" */
	int64_t started, ended;  /* instants, ns; 0: it never ran */
	int64_t raw[METRIC_COUNT];
	const char *why[METRIC_COUNT];      /* why the number is not known; NULL: it is */
	int64_t counters[OUTCOME_COUNTERS]; /* in the order asked for; -1: not counted */
	double
		counter_share; /* least part of the time that a counter really ran: below 1, numbers are scaled up; NaN: none */
	bool single_threaded; /* one thread of one process, as far as can be told */
	int64_t rss_floor;    /* bytes; rss cannot be seen below this; -1: not known */
	unsigned leftovers;   /* processes that it left behind; they were killed, as far as they can be */
	unsigned unkillable;  /* of them, those that live on */
	char leftover[64];    /* the name of one */
	unsigned refills;     /* complete further runs to keep a partner company */
};

/* All unknown, status OUTCOME_NOT_STARTED. */
void outcome_init(struct outcome *outcome);

/* The number in its unit; NaN when it is not known or the outcome is not ok. */
double outcome_value(const struct outcome *outcome, enum metric_id metric);

#endif
