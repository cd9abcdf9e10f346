/* Starting commands, seen from tare: open the spawner first, while the process is small; run
 * commands; close it. Nothing that it has started survives spawner_close(), nor tare itself. */
#ifndef TARE_HOST_SPAWNER_H
#define TARE_HOST_SPAWNER_H

#include "host/command.h"

struct spawner;

/* Forks the spawner. Call it early: a command's peak memory is known only above that of this process
 * now. `host` must outlive the spawner. NULL and err on failure. */
struct spawner *spawner_open(const struct host *host, struct error *err);

/* Nothing is to be run for a while: the lanes end, beside what the caller does next. They come back when they are
 * needed. */
void spawner_rest(struct spawner *spawner);

/* Nothing will be run any more: the spawner ends beside what the caller does next. NULL is accepted. */
void spawner_quit(struct spawner *spawner);

/* Kills what runs, waits until nothing is left, frees. NULL is accepted. */
void spawner_close(struct spawner *spawner);

/* Runs commands: one, or several at once, each in a lane of its own, all starting at one instant.
 *
 * What became of each is in reports[0 … count − 1]; the function itself fails (-1, err) only when
 * nothing can be started any more. A lane that dies is replaced at its next use.
 * `cancel` is a descriptor, or -1: when it becomes readable the commands are killed and reported
 * as cancelled; it is not read. Captured output is complete when the function returns. */
int spawner_run(struct spawner *spawner, const struct command_request *requests, size_t count, int cancel,
                struct command_report *reports, struct error *err);

/* Runs up to SERIES_MAX commands of one lane one after the other; nothing but the lane wakes up between them. It ends
 * with the first one that does not exit with status 0: *ran says how many have reports. Their standard files are
 * STDIO_NULL or STDIO_INHERIT. Else as spawner_run. */
int spawner_run_series(struct spawner *spawner, const struct command_request *requests, size_t count, int cancel,
                       struct command_report *reports, size_t *ran, struct error *err);

/* From now on: when a command still runs at this instant (clock_now), `late` is called, once; 0: never. */
void spawner_watch_clock(struct spawner *spawner, int64_t instant, void (*late)(void *context), void *context);

struct spawner_counted {
	uint32_t counted;             /* bit i: event i is counted */
	bool user_only;               /* without the kernel's part, for want of permission */
	bool energy;                  /* energy is measured */
	struct error why, energy_why; /* why nothing is counted, in one line; kind ERROR_NONE: something is */
};

/* Counts these events, at most COUNTERS_MAX, and if asked energy, for every command from now on;
 * neither ends it. -1 and err only when the spawner failed. */
int spawner_count(struct spawner *spawner, const struct counter_event *events, size_t count, bool with_energy,
                  struct spawner_counted *out, struct error *err);

/* The machine that it was opened with. */
const struct host *spawner_host(const struct spawner *spawner);

/* For tests and messages: the ids of the spawner and of a lane, 0 when it does not exist. */
pid_t spawner_pid(const struct spawner *spawner);
pid_t spawner_lane_pid(const struct spawner *spawner, unsigned lane);

#endif
