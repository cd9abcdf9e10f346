/* What the two files of the lane share. */
#ifndef TARE_HOST_LANE_INTERNAL_H
#define TARE_HOST_LANE_INTERNAL_H

#include "host/lane.h"
#include "host/plan.h"
#include "host/rapl.h"
#include "host/taskstats.h"

enum lane_event {
	EVENT_CHILD = 1,   /* a child has changed */
	EVENT_MESSAGE = 2, /* there is something to read from tare */
	EVENT_WAKE = 4,    /* look at the meeting again */
	EVENT_TIME = 8,    /* the deadline has passed */
	EVENT_GONE = 16,   /* tare or the spawner has ended, or nothing can be waited for */
};

struct lane {
	const struct lane_start *start;
	const struct host *host;
	const struct syscalls *sys;
	int signals, wake, null_device, home;
	int schedstat; /* the scheduler's account of the lane itself; -1: there is none */
	pid_t self;
	int64_t woke; /* instant at which the last wait ended */
	bool gone;    /* nobody is left to report to, or this lane cannot go on: kill, and end */
	struct cpuset all, pinned;
	bool used[3]; /* this standard file is not the null device */
	bool away;    /* not in the directory that tare was started in */
	void *stack;
	struct wire_message message;
	struct command_report reports[SERIES_MAX];
	struct plan plan;
	struct counters counters;
	struct rapl rapl;
	struct taskstats_link taskstats;
};

/* Sleeps until something happens, at most until `deadline` (0: for ever); reads the clock first
 * thing after that, into lane->woke. Returns enum lane_event. */
uint32_t lane_wait(struct lane *lane, int64_t deadline);

/* Reads what tare says while a command runs. It may only cancel: returns true. Anything else, or
 * nothing, sets lane->gone. */
bool lane_told_to_stop(struct lane *lane);

/* How the lane itself has waited so far. */
struct lane_waits {
	int64_t delay;  /* ns in the run queue; -1: not known */
	int64_t slices; /* how often it was given a CPU */
	int64_t sleeps; /* how often it gave it up by itself */
};

/* When a command ended whose end the lane saw at `woke`. The lane shares the command's CPU: where other work wants that
 * CPU too, the lane gets to see the end late, by as much as it stood in the run queue since it went to sleep. That wait
 * is the lane's, not the command's, and is taken off; never more than leaves the command the time that it has run and
 * waited itself, until `least`. If the lane did anything but sleep once between the two readings, it was preempted
 * before it slept or after it woke, and which wait was which is not known: nothing is taken off. */
int64_t lane_end_of_run(int64_t woke, int64_t least, const struct lane_waits *asleep, const struct lane_waits *awake);

/* Runs the command that a message asks for, from preparation to the last of its descendants. */
void lane_run(struct lane *lane, struct wire_message *message, struct command_report *report);

#endif
