/* One command of a lane: prepare, start, wait, reap, settle. */
#include "host/lane_internal.h"

#include "host/clock.h"
#include "host/launch.h"
#include "host/leftover.h"
#include "host/proc.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum {
	DRAIN_BEFORE = 20000,  /* ns */
	LOOK_AGAIN = 10000000, /* ns: a wake-up may get lost, and nothing is measured while a lane waits for others */
	SELDOM = 1000000000,   /* ns: the same while the commands of others are measured */
	THREAD_COST = 5000,    /* ns that the least thread or child uses */
	LONG_ENOUGH = 2000000, /* ns that a run takes at least whose migrations are worth a question of some 30 µs */
};

static int fail_start(struct command_report *report, enum start_stage stage, int errnum)
{
	report->result = COMMAND_NOT_STARTED;
	report->stage = stage;
	report->code = errnum;
	return -1;
}

static int set_cpus(struct lane *lane, const struct cpuset *wanted)
{
	const struct cpuset *set = cpuset_count(wanted) > 0 ? wanted : &lane->all;
	struct error err = {0};
	if (cpuset_equal(set, &lane->pinned))
		return 0;
	if (cpuset_pin(lane->host, 0, set, &err) != 0) {
		memset(&lane->pinned, 0, sizeof(lane->pinned));
		errno = err.errnum ? err.errnum : EINVAL;
		return -1;
	}
	lane->pinned = *set;
	return 0;
}

static int set_directory(struct lane *lane, const char *directory)
{
	if (lane->away && lane->sys->fchdir(lane->home) != 0)
		return -1;
	lane->away = false;
	if (!directory[0])
		return 0;
	lane->away = true;
	return lane->sys->chdir(directory);
}

/* The lane's own descriptors 0, 1 and 2 become the command's. */
static int set_stdio(struct lane *lane)
{
	const struct plan *plan = &lane->plan;
	for (int i = 0; i < 3; i++) {
		int from = lane->null_device;
		if (plan->run->stdio[i] == STDIO_INHERIT)
			from = lane->start->inherited[i];
		else if (plan->run->stdio[i] == STDIO_FILE || plan->run->stdio[i] == STDIO_CAPTURE)
			from = plan->stdio[i];
		else if (plan->run->stdio[i] == STDIO_SAME)
			from = STDOUT_FILENO;
		if (from == lane->null_device && !lane->used[i])
			continue;
		lane->used[i] = true;
		if (lane->sys->dup2(from, i) < 0)
			return -1;
		lane->used[i] = from != lane->null_device;
	}
	return 0;
}

static void reset_stdio(struct lane *lane, int first)
{
	for (int i = first; i < 3; i++)
		if (lane->used[i] && lane->sys->dup2(lane->null_device, i) == i)
			lane->used[i] = false;
}

static int prepare(struct lane *lane, struct wire_message *message, struct command_report *report)
{
	if (plan_make(&lane->plan, message) != 0)
		return fail_start(report, START_MEMORY, ENOMEM);
	if (set_cpus(lane, &lane->plan.run->cpus) != 0)
		return fail_start(report, START_CPUS, errno);
	if (set_directory(lane, lane->plan.directory) != 0)
		return fail_start(report, START_DIRECTORY, errno);
	if (set_stdio(lane) != 0)
		return fail_start(report, START_STDIO, errno);
	return 0;
}

/* Comes to the meeting and waits for the agreed instant. */
static int meet(struct lane *lane, struct command_report *report)
{
	const struct wire_run *run = lane->plan.run;
	int64_t instant;
	enum meeting_state state;
	meeting_arrive(lane->host, lane->start->meeting, lane->start->index, run->meeting, run->participants);
	while ((state = meeting_look(lane->host, lane->start->meeting, lane->start->index, run->meeting, run->participants,
	                             &instant)) == MEETING_WAIT) {
		uint32_t events = lane_wait(lane, clock_now(lane->host) + LOOK_AGAIN);
		if (lane->gone || ((events & EVENT_MESSAGE) && lane_told_to_stop(lane))) {
			report->result = COMMAND_CANCELLED;
			return -1;
		}
	}
	if (state == MEETING_LOST) {
		report->result = COMMAND_PEER_LOST;
		return -1;
	}
	/* A wake-up that is still pending would interrupt the command that is about to start. */
	uint64_t pending;
	while (clock_now(lane->host) < instant - DRAIN_BEFORE)
		;
	lane->sys->read(lane->wake, &pending, sizeof(pending));
	while (clock_now(lane->host) < instant)
		;
	return 0;
}

/* Its group, and itself, which may have gone to another group. */
static void kill_command(const struct lane *lane, pid_t pid)
{
	lane->sys->kill(-pid, SIGKILL);
	lane->sys->kill(pid, SIGKILL);
}

/* What has become of the command: true when it has ended. Counts stops on the way; one for the
 * terminal, which no one will ever continue, is fatal. */
static bool has_ended(struct lane *lane, pid_t pid, struct command_report *report, siginfo_t *info)
{
	info->si_pid = 0;
	while (lane->sys->waitid(P_PID, (id_t)pid, info, WEXITED | WSTOPPED | WNOHANG | WNOWAIT) != 0)
		if (errno != EINTR) {
			lane->gone = true;
			kill_command(lane, pid);
			return true;
		}
	if (info->si_pid == 0) {
		leftover_reap(lane->host, pid, report);
		return false;
	}
	if (info->si_code != CLD_STOPPED)
		return true;
	report->stops++;
	if (info->si_status == SIGTTIN || info->si_status == SIGTTOU) {
		report->result = COMMAND_STOPPED;
		report->code = info->si_status;
		kill_command(lane, pid);
	}
	siginfo_t consumed;
	lane->sys->waitid(P_PID, (id_t)pid, &consumed, WSTOPPED | WNOHANG);
	return false;
}

static struct lane_waits waits_of(const struct lane *lane)
{
	struct proc_schedstat scheduled;
	struct rusage usage;
	if (proc_schedstat_read(lane->host, lane->schedstat, &scheduled) != 0 ||
	    lane->sys->getrusage(RUSAGE_SELF, &usage) != 0)
		return (struct lane_waits){.delay = -1};
	return (struct lane_waits){.delay = scheduled.delay, .slices = scheduled.slices, .sleeps = usage.ru_nvcsw};
}

/* Waits for the end of a running command, killing it at the deadline, on a cancel or when
 * nobody is left to report to. `until_all_ended`: also when the others of the meeting have ended. *asleep is how the
 * lane had waited when it went to sleep for the last time; at the first time the caller has just found out. */
static void wait_for_end(struct lane *lane, const struct launch *launch, const struct wire_run *run,
                         bool until_all_ended, struct lane_waits *asleep, struct command_report *report,
                         siginfo_t *info)
{
	int64_t deadline = run->timeout ? launch->executed + run->timeout : 0;
	report->result = COMMAND_EXITED;
	/* The first wait returns at once where the command has already ended. */
	for (uint32_t events = 0; !(events & EVENT_CHILD) || !has_ended(lane, launch->pid, report, info);) {
		/* Without a way to wait, look for the end every millisecond. */
		int64_t next = lane->gone ? clock_now(lane->host) + 1000000 : deadline;
		events = lane_wait(lane, next);
		uint32_t result = COMMAND_EXITED;
		if ((events & EVENT_TIME) && !lane->gone)
			result = COMMAND_TIMED_OUT;
		if ((events & EVENT_MESSAGE) && !lane->gone && lane_told_to_stop(lane))
			result = COMMAND_CANCELLED;
		if (lane->gone || (until_all_ended && meeting_all_ended(lane->start->meeting, run->meeting, run->participants)))
			result = COMMAND_CANCELLED;
		if (lane->gone)
			events |= EVENT_CHILD;
		if (!(events & EVENT_CHILD))
			*asleep = waits_of(lane);
		if (result == COMMAND_EXITED)
			continue;
		if (report->result == COMMAND_EXITED)
			report->result = result;
		deadline = 0;
		kill_command(lane, launch->pid);
	}
}

static void fill_report(struct command_report *report, const struct launch *launch, const siginfo_t *info,
                        const struct proc_schedstat *scheduled, const struct rusage *usage)
{
	report->asked = launch->asked;
	report->executed = launch->executed;
	report->start_cpu = launch->start_cpu;
	if (report->result == COMMAND_EXITED) {
		report->result = info->si_code == CLD_EXITED ? COMMAND_EXITED : COMMAND_SIGNALED;
		report->code = info->si_status;
	}
	if (scheduled->run >= 0) {
		report->leader_run = scheduled->run;
		report->leader_delay = launch->start_delay >= 0 ? scheduled->delay - launch->start_delay : -1;
	}
	leftover_add_usage(report, usage);
}

int64_t lane_end_of_run(int64_t woke, int64_t least, const struct lane_waits *asleep, const struct lane_waits *awake)
{
	int64_t late = awake->delay - asleep->delay;
	if (asleep->delay < 0 || late <= 0 || awake->slices - asleep->slices != 1 || awake->sleeps - asleep->sleeps != 1)
		return woke;
	int64_t ended = woke - late < least ? least : woke - late;
	return ended < woke ? ended : woke;
}

/* Where the first thread of the zombie has not used all of its CPU time there were other threads, or children. If it
 * had no children, the account of the whole process is asked for. */
static void ask_for_threads(struct lane *lane, const struct launch *launch, const struct proc_schedstat *scheduled,
                            struct command_report *report)
{
	struct rusage usage;
	siginfo_t info;
	struct proc_schedstat whole;
	struct proc_stat stat;
	struct command_report sum = {.user = 0};
	if (!lane->taskstats.usable || scheduled->run < 0 ||
	    lane->sys->waitid_usage(launch->pid, &info, WEXITED | WNOWAIT, &usage) != 0)
		return;
	leftover_add_usage(&sum, &usage);
	if (sum.user + sum.system <= scheduled->run + THREAD_COST || proc_stat(lane->host, launch->pid, &stat) != 0 ||
	    stat.child_faults > 0 || taskstats_process(lane->host, &lane->taskstats, launch->pid, &whole) != 0)
		return;
	report->process_run = whole.run;
	report->process_delay = launch->start_delay >= 0 ? whole.delay - launch->start_delay : -1;
}

/* One that is bound to one CPU has nowhere to go, and one that never gave up its first CPU went nowhere: neither is
 * asked. Of short ones it stays unknown: were it known of those that did not move, the mean would be too small. */
static void count_migrations(const struct lane *lane, const struct launch *launch,
                             const struct proc_schedstat *scheduled, struct command_report *report)
{
	report->migrations = -1;
	if (cpuset_count(&lane->pinned) == 1)
		report->migrations = 0;
	else if (lane->woke - launch->executed < LONG_ENOUGH)
		return;
	else if (scheduled->run >= 0 && scheduled->slices == 1)
		report->migrations = 0;
	else if (proc_migrations(lane->host, launch->pid, &report->migrations) != 0)
		report->migrations = -1;
}

/* Starts the command, waits for its end and reaps it. -1: not started. */
static int run_once(struct lane *lane, bool refilling, struct command_report *report)
{
	const struct plan *plan = &lane->plan;
	struct launch launch = {.host = lane->host,
	                        .path = plan->path,
	                        .argv = plan->argv,
	                        .env = plan->env,
	                        .mask = &lane->start->mask,
	                        .starter = lane->self,
	                        .stack = lane->stack};
	siginfo_t info = {.si_pid = 0};
	struct proc_schedstat scheduled;
	struct lane_waits asleep = waits_of(lane);
	if (launch_start(&launch) != 0)
		return fail_start(report, launch.stage, launch.errnum);
	/* A short command may be over before the lane gets the CPU back: then all of that wait was too late. */
	bool over = lane->sys->waitid(P_PID, (id_t)launch.pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0;
	if (!over)
		asleep = waits_of(lane);
	wait_for_end(lane, &launch, plan->run, refilling, &asleep, report, &info);
	struct lane_waits awake = waits_of(lane);
	if (proc_schedstat(lane->host, launch.pid, &scheduled) != 0)
		scheduled.run = -1;
	ask_for_threads(lane, &launch, &scheduled, report);
	count_migrations(lane, &launch, &scheduled, report);
	/* As long as it is not reaped its number cannot be another group's. */
	if (!(plan->run->flags & COMMAND_KEEP))
		lane->sys->kill(-launch.pid, SIGKILL);
	struct rusage usage = {.ru_maxrss = 0};
	int status;
	pid_t reaped;
	while ((reaped = lane->sys->wait4(launch.pid, &status, 0, &usage)) < 0 && errno == EINTR)
		;
	report->ended = lane->woke;
	/* What the lane killed did not end before that, however late the lane was; and one that slept, not only at its end,
	 * while the lane stood in the run queue from its start on may have ended at any time since. */
	bool known = report->result == COMMAND_EXITED && scheduled.run >= 0 && launch.start_delay >= 0;
	if (known && (!over || usage.ru_nvcsw <= 1)) {
		int64_t used = scheduled.run - launch.start_cpu + scheduled.delay - launch.start_delay;
		report->ended = lane_end_of_run(lane->woke, launch.executed + used, &asleep, &awake);
	}
	/* Without its accounts, or without a clock, this run says nothing. */
	if (reaped != launch.pid || launch.asked <= 0 || launch.executed < launch.asked || report->ended < launch.executed)
		lane->gone = true;
	fill_report(report, &launch, &info, &scheduled, &usage);
	return 0;
}

/* Keeps the CPU as busy as it was until the others have ended; a command that had to be killed is not started again. */
static void refill(struct lane *lane, struct command_report *report)
{
	const struct wire_run *run = lane->plan.run;
	meeting_end(lane->host, lane->start->meeting, lane->start->index, run->meeting, run->participants);
	if (report->result != COMMAND_EXITED && report->result != COMMAND_SIGNALED)
		return;
	reset_stdio(lane, STDOUT_FILENO);
	while (!lane->gone && !meeting_all_ended(lane->start->meeting, run->meeting, run->participants)) {
		struct command_report ignored = {.result = COMMAND_EXITED};
		lane->sys->lseek(STDIN_FILENO, 0, SEEK_SET);
		if (run_once(lane, true, &ignored) != 0)
			return;
		leftover_settle(lane->host, false, &ignored);
		if (ignored.result != COMMAND_EXITED)
			return;
		report->refills++;
	}
}

/* One command in its place: alone, or at the agreed instant. -1: it did not run. */
static int run_in_place(struct lane *lane, struct wire_message *message, struct command_report *report)
{
	struct rapl_reading before, after;
	if (prepare(lane, message, report) != 0)
		return -1;
	counters_renew(lane->host, &lane->counters);
	if (lane->plan.run->meeting && meet(lane, report) != 0)
		return -1;
	if (lane->rapl.count)
		rapl_read(lane->host, &lane->rapl, &before);
	if (run_once(lane, false, report) != 0)
		return -1;
	if (lane->rapl.count) {
		rapl_read(lane->host, &lane->rapl, &after);
		report->energy = rapl_difference(&lane->rapl, &before, &after);
	}
	return 0;
}

/* Of commands that run at once, one ends first. Its report would wake tare on some CPU, which would be charged to those
 * that still run, so the lane sleeps until all have ended; the last one wakes the others. */
static void let_others_end(struct lane *lane)
{
	const struct wire_run *run = lane->plan.run;
	struct meeting *meeting = lane->start->meeting;
	meeting_mark_ended(meeting, lane->start->index, run->meeting);
	if (meeting_all_ended(meeting, run->meeting, run->participants)) {
		meeting_wake(lane->host, meeting, run->participants, lane->start->index);
		return;
	}
	while (!lane->gone && !meeting_all_ended(meeting, run->meeting, run->participants)) {
		uint32_t events = lane_wait(lane, clock_now(lane->host) + SELDOM);
		if ((events & EVENT_MESSAGE) && lane_told_to_stop(lane))
			return;
	}
}

void lane_run(struct lane *lane, struct wire_message *message, struct command_report *report)
{
	bool ran = run_in_place(lane, message, report) == 0;
	const struct wire_run *run = lane->plan.run;
	if (run && run->meeting && !ran)
		meeting_fail(lane->host, lane->start->meeting, lane->start->index, run->meeting, run->participants);
	if (run && ran) {
		bool refilling = run->meeting && (run->flags & COMMAND_REFILL);
		leftover_settle(lane->host, (run->flags & COMMAND_KEEP) != 0, report);
		counters_read(lane->host, &lane->counters, report->counters);
		if (refilling)
			refill(lane, report);
		else if (run->meeting)
			let_others_end(lane);
	}
	reset_stdio(lane, STDIN_FILENO);
}
