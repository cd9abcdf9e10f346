/* The usual case is one call that says that there are no children. */
#include "host/leftover.h"

#include "host/clock.h"
#include "host/proc.h"

#include <errno.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

enum {
	CHILDREN_MAX = 64, /* looked at in one step */
	STEP = 1000000,    /* ns between two looks */
	PATIENCE = 5,      /* s for the killed to end */
};

static int64_t time_of(struct timeval time)
{
	return (int64_t)time.tv_sec * CLOCK_NS_PER_SECOND + (int64_t)time.tv_usec * 1000;
}

void leftover_add_usage(struct command_report *report, const struct rusage *usage)
{
	report->user += time_of(usage->ru_utime);
	report->system += time_of(usage->ru_stime);
	if ((int64_t)usage->ru_maxrss * 1024 > report->peak_rss)
		report->peak_rss = (int64_t)usage->ru_maxrss * 1024;
	report->minor_faults += usage->ru_minflt;
	report->major_faults += usage->ru_majflt;
	report->voluntary_switches += usage->ru_nvcsw;
	report->involuntary_switches += usage->ru_nivcsw;
	report->blocks_in += usage->ru_inblock;
	report->blocks_out += usage->ru_oublock;
}

static int contains(const pid_t *list, size_t count, pid_t pid)
{
	for (size_t i = 0; i < count; i++)
		if (list[i] == pid)
			return 1;
	return 0;
}

static void note_leftover(const struct host *host, pid_t pid, struct command_report *report)
{
	struct proc_stat stat;
	report->leftovers++;
	if (!report->leftover_name[0] && proc_stat(host, pid, &stat) == 0)
		snprintf(report->leftover_name, COMMAND_NAME, "%.*s", COMMAND_NAME - 1, stat.name);
}

static bool reap(const struct host *host, pid_t pid, struct command_report *report)
{
	struct rusage usage;
	int status;
	if (host->sys->wait4(pid, &status, WNOHANG, &usage) != pid)
		return false;
	leftover_add_usage(report, &usage);
	return true;
}

/* Takes one child that has ended. One that was killed was a leftover; one that ended by itself, if
 * only while we were about to kill it, was not. */
static void take_ended(const struct host *host, const siginfo_t *info, struct command_report *report)
{
	if (info->si_code == CLD_KILLED && info->si_status == SIGKILL)
		note_leftover(host, info->si_pid, report);
	else
		report->adopted++;
	reap(host, info->si_pid, report);
}

void leftover_reap(const struct host *host, pid_t command, struct command_report *report)
{
	for (;;) {
		siginfo_t info = {.si_pid = 0};
		if (host->sys->waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0 ||
		    info.si_pid == command || !reap(host, info.si_pid, report))
			return;
		report->adopted++;
	}
}

static void note_kept(const struct host *host, struct command_report *report)
{
	pid_t children[CHILDREN_MAX];
	int count = proc_children(host, getpid(), children, CHILDREN_MAX);
	for (int i = 0; i < count; i++)
		note_leftover(host, children[i], report);
}

int leftover_kill(const struct host *host, const pid_t *spare, size_t spare_count)
{
	pid_t children[CHILDREN_MAX];
	int count = proc_children(host, getpid(), children, CHILDREN_MAX), killed = 0;
	if (count < 0)
		return -1;
	for (int i = 0; i < count; i++)
		if (!contains(spare, spare_count, children[i])) {
			host->sys->kill(children[i], SIGKILL);
			killed++;
		}
	return killed;
}

void leftover_settle(const struct host *host, bool keep, struct command_report *report)
{
	int64_t deadline = 0;
	for (;;) {
		siginfo_t info = {.si_pid = 0};
		int got = host->sys->waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT);
		if (got != 0 && errno == EINTR)
			continue;
		if (got != 0 && errno == ECHILD)
			return;
		if (got == 0 && info.si_pid != 0) {
			take_ended(host, &info, report);
			continue;
		}
		if (keep) {
			note_kept(host, report);
			return;
		}
		int killed = leftover_kill(host, NULL, 0);
		int64_t now = clock_now(host);
		if (deadline == 0)
			deadline = now + (int64_t)PATIENCE * CLOCK_NS_PER_SECOND;
		if (now > deadline) {
			report->unkillable = killed > 0 ? (uint32_t)killed : 1;
			report->leftovers += report->unkillable;
			return;
		}
		struct timespec step = {.tv_nsec = STEP};
		host->sys->ppoll(NULL, 0, &step, NULL);
	}
}

/* ---- programs beside other children ---- */

static struct {
	int programs;               /* that may leave something behind */
	pid_t others[CHILDREN_MAX]; /* that the caller had before the first of them, or started beside them */
	int other_count;            /* -1: not known, and nothing is killed */
} expected;

static bool has_children(const struct host *host)
{
	siginfo_t info = {.si_pid = 0};
	return host->sys->waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}

void leftover_expect(const struct host *host)
{
	if (expected.programs++ > 0)
		return;
	expected.other_count = has_children(host) ? proc_children(host, getpid(), expected.others, CHILDREN_MAX) : 0;
	if (expected.other_count == CHILDREN_MAX || host->sys->prctl(PR_SET_CHILD_SUBREAPER, 1) != 0)
		expected.other_count = -1;
}

void leftover_spare(pid_t pid)
{
	if (expected.programs == 0 || expected.other_count < 0)
		return;
	if (expected.other_count == CHILDREN_MAX)
		expected.other_count = -1;
	else
		expected.others[expected.other_count++] = pid;
}

/* Kills and reaps; how many are still to end. */
static int end_adopted(const struct host *host)
{
	pid_t children[CHILDREN_MAX];
	int left = 0, count = has_children(host) ? proc_children(host, getpid(), children, CHILDREN_MAX) : 0;
	for (int i = 0; i < count; i++)
		if (!contains(expected.others, (size_t)expected.other_count, children[i]) &&
		    host->sys->kill(children[i], SIGKILL) == 0) {
			host->sys->wait4(children[i], NULL, WNOHANG, NULL);
			left++; /* and what it leaves behind in its turn */
		}
	return left;
}

void leftover_sweep(const struct host *host)
{
	if (--expected.programs > 0)
		return;
	int64_t deadline = clock_now(host) + (int64_t)PATIENCE * CLOCK_NS_PER_SECOND;
	while (expected.other_count >= 0 && end_adopted(host) > 0 && clock_now(host) < deadline) {
		struct timespec step = {.tv_nsec = STEP};
		host->sys->ppoll(NULL, 0, &step, NULL);
	}
	host->sys->prctl(PR_SET_CHILD_SUBREAPER, 0);
}
