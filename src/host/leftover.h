/* What a command leaves behind when it ends: found, killed, waited for.
 *
 * The caller is a subreaper (PR_SET_CHILD_SUBREAPER): whatever outlives its parent below it,
 * daemons in sessions of their own too, becomes its child. So "no children" means "nothing
 * left", and a command is charged for what its orphans have used. */
#ifndef TARE_HOST_LEFTOVER_H
#define TARE_HOST_LEFTOVER_H

#include "host/command.h"

/* Reaps every child of the caller that has ended and kills the others (`keep`: leaves them
 * alone), until none is left or some seconds have passed. Adds their use of the machine to
 * the report and counts them there. */
void leftover_settle(const struct host *host, bool keep, struct command_report *report);

/* While a command runs: reaps orphans of it that have ended, so that they do not pile up, and adds their use. */
void leftover_reap(const struct host *host, pid_t command, struct command_report *report);

/* Kills the children of the caller but for `spare_count` ids; returns how many there were, -1 when
 * /proc cannot be read. */
int leftover_kill(const struct host *host, const pid_t *spare, size_t spare_count);

/* The same where the caller has other children: makes it a subreaper before a program is started, and after that
 * program was reaped kills and reaps what the caller has adopted meanwhile, some seconds at most. Where such programs
 * run beside each other, which of them left what cannot be told: it is killed after the last. What the caller starts in
 * between and is to live on is spared. */
void leftover_expect(const struct host *host);
void leftover_spare(pid_t pid);
void leftover_sweep(const struct host *host);

/* Adds what wait4 says of a child to the report. */
void leftover_add_usage(struct command_report *report, const struct rusage *usage);

#endif
