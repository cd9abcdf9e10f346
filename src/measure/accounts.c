/* What each number of the report means, and when it means nothing. */
#include "measure/accounts.h"

#include "base/format.h"
#include "host/search.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

_Static_assert((int)OUTCOME_COUNTERS == (int)COUNTERS_MAX, "one place for every counter");

enum {
	CUT = 2000,     /* ns that wait4 cuts off user and system time together */
	SLACK = 1000,   /* ns that a zombie may still be on its way off another CPU */
	EXCESS = 50000, /* ns of CPU time and waiting over the wall time: they are read at slightly other instants */
};

static void say(struct outcome *outcome, enum outcome_status status, const char *text)
{
	outcome->status = status;
	snprintf(outcome->text, sizeof(outcome->text), "%s", text);
}

static void say_not_started(const struct host *host, const struct trial_request *request,
                            const struct command_report *report, struct outcome *outcome)
{
	struct error err = {0};
	char list[100], path[4096];
	const char *program = request->program ? request->program : request->argv[0];
	outcome->status = OUTCOME_NOT_STARTED;
	switch (report->stage) {
	case START_DIRECTORY:
		snprintf(outcome->text, OUTCOME_TEXT, "the directory '%.100s' cannot be entered: %s", request->directory,
		         strerror(report->code));
		return;
	case START_CPUS:
		cpuset_format(request->cpus, list, sizeof(list));
		if (report->code == EPERM || report->code == ENOSYS) {
			snprintf(outcome->text, OUTCOME_TEXT, "it cannot be bound to CPU %s: %s", list, strerror(report->code));
			snprintf(outcome->next, OUTCOME_TEXT,
			         "the container forbids it (sched_setaffinity); --design shuffled does without");
			return;
		}
		snprintf(outcome->text, OUTCOME_TEXT, "it may not run on CPU %s", list);
		snprintf(outcome->next, OUTCOME_TEXT, "choose others with --cpus; a container may have fewer than the machine");
		return;
	case START_STDIO:
		snprintf(outcome->text, OUTCOME_TEXT, "its standard files cannot be set: %s", strerror(report->code));
		return;
	case START_MEMORY: snprintf(outcome->text, OUTCOME_TEXT, "no memory for its arguments"); return;
	case START_LANE:
		snprintf(outcome->text, OUTCOME_TEXT, "the process that is to start it cannot set itself up: %s",
		         strerror(report->code));
		snprintf(outcome->next, OUTCOME_TEXT, "it needs /dev/null, and room for some more open files (ulimit -n)");
		return;
	default:
		if (request->directory && program[0] != '/')
			snprintf(path, sizeof(path), "%s/%s", request->directory, program);
		else
			snprintf(path, sizeof(path), "%s", program);
		search_explain(host, path, report->code, &err);
		snprintf(outcome->text, OUTCOME_TEXT, "%.120s%s%.60s", err.what, err.errnum ? ": " : "",
		         err.errnum ? strerror(err.errnum) : "");
		snprintf(outcome->next, OUTCOME_TEXT, "%.199s", err.next);
	}
}

static bool is_expected(const struct trial_request *request, int code)
{
	for (size_t i = 0; i < request->expected_exit_count; i++)
		if (request->expected_exits[i] == code)
			return true;
	return request->expected_exit_count == 0 && code == 0;
}

static void take_status(const struct host *host, const struct trial_request *request,
                        const struct command_report *report, struct outcome *outcome)
{
	char limit[FORMAT_MAX];
	outcome->code = report->code;
	switch ((enum command_result)report->result) {
	case COMMAND_EXITED:
		outcome->status = OUTCOME_OK;
		if (is_expected(request, report->code))
			break;
		outcome->status = request->any_exit ? OUTCOME_OK : OUTCOME_EXIT;
		snprintf(outcome->text, OUTCOME_TEXT, "exit %d", report->code);
		break;
	case COMMAND_SIGNALED:
		outcome->status = OUTCOME_SIGNAL;
		snprintf(outcome->text, OUTCOME_TEXT, "signal %d (%s)", report->code, strsignal(report->code));
		break;
	case COMMAND_TIMED_OUT:
		outcome->status = OUTCOME_TIMEOUT;
		snprintf(outcome->text, OUTCOME_TEXT, "ran past its time limit of %s",
		         format_duration(limit, sizeof(limit), request->timeout));
		break;
	case COMMAND_CANCELLED: say(outcome, OUTCOME_CANCELLED, "interrupted"); break;
	case COMMAND_STOPPED:
		say(outcome, OUTCOME_DISTURBED, "stopped, because it wanted to use the terminal");
		snprintf(outcome->next, OUTCOME_TEXT, "give it its input with --input FILE");
		break;
	case COMMAND_NOT_STARTED: say_not_started(host, request, report, outcome); break;
	case COMMAND_PEER_LOST: say(outcome, OUTCOME_DISTURBED, "not run, because its partner could not be started"); break;
	case COMMAND_LOST: say(outcome, OUTCOME_DISTURBED, "killed with the process that watched over it"); break;
	}
	if (outcome->status == OUTCOME_OK && report->stops > 0)
		say(outcome, OUTCOME_DISTURBED, "stopped by a signal and continued");
}

static void set(struct outcome *outcome, enum metric_id metric, int64_t value)
{
	outcome->raw[metric] = value;
	outcome->why[metric] = NULL;
}

static bool is_single_threaded(const struct command_report *report)
{
	int64_t left = report->leader_run - (report->user + report->system);
	return report->leader_run >= 0 && report->adopted == 0 && report->leftovers == 0 && left >= -SLACK &&
	       left <= CUT + SLACK;
}

/* The kernel tells user from system time by what the timer tick hit; only their sum is exact. What the starter had used
 * before the program began is no part of either. */
static void split_cpu(const struct command_report *report, int64_t cpu, struct outcome *outcome)
{
	double all = (double)(report->user + report->system);
	int64_t user = all > 0 ? (int64_t)((double)cpu * ((double)report->user / all)) : cpu;
	set(outcome, METRIC_USER, user);
	set(outcome, METRIC_SYSTEM, cpu - user);
}

static void take_times(const struct command_report *report, struct outcome *outcome)
{
	int64_t wall = report->ended - report->executed;
	int64_t cpu = report->user + report->system;
	outcome->single_threaded = is_single_threaded(report);
	if (outcome->single_threaded)
		cpu = report->leader_run;
	cpu -= report->start_cpu;
	set(outcome, METRIC_WALL, wall);
	cpu = cpu > 0 ? cpu : 0;
	set(outcome, METRIC_CPU, cpu);
	split_cpu(report, cpu, outcome);
	outcome->why[METRIC_DELAY] = outcome->why[METRIC_NET] = "the kernel does not report how long it waited for a CPU";
	if (report->leader_delay < 0)
		return;
	outcome->why[METRIC_DELAY] = outcome->why[METRIC_NET] = "known only for one thread of one process";
	/* The sum over the threads of one process, where the kernel tells it; it is no part of the wall time. */
	if (!outcome->single_threaded && report->process_delay >= 0 && report->adopted == 0 && report->leftovers == 0)
		set(outcome, METRIC_DELAY, report->process_delay);
	if (!outcome->single_threaded)
		return;
	int64_t net = wall - report->leader_delay;
	outcome->why[METRIC_DELAY] = outcome->why[METRIC_NET] =
		"the kernel reports a longer wait than its wall time has room for";
	if (net < cpu - EXCESS)
		return;
	set(outcome, METRIC_DELAY, report->leader_delay);
	set(outcome, METRIC_NET, net > cpu ? net : cpu);
}

static void take_counters(const struct command_report *report, struct outcome *outcome)
{
	static const struct counter_value zero = {0, 0, 0};
	for (int i = 0; i < COUNTERS_MAX; i++) {
		double share;
		if (counter_difference(&zero, &report->counters[i], &outcome->counters[i], &share) == 0)
			outcome->counter_share = fmin(outcome->counter_share, share);
	}
}

void accounts_take(const struct host *host, const struct trial_request *request, const struct command_report *report,
                   struct outcome *outcome)
{
	take_status(host, request, report, outcome);
	outcome->started = report->executed;
	outcome->ended = report->ended;
	outcome->leftovers = report->leftovers;
	outcome->unkillable = report->unkillable;
	snprintf(outcome->leftover, sizeof(outcome->leftover), "%s", report->leftover_name);
	outcome->refills = report->refills;
	outcome->rss_floor = report->rss_floor > 0 ? report->rss_floor : -1;
	if (outcome->status != OUTCOME_OK)
		return;
	take_times(report, outcome);
	set(outcome, METRIC_RSS, report->peak_rss);
	set(outcome, METRIC_FAULTS, report->minor_faults + report->major_faults);
	set(outcome, METRIC_MAJOR_FAULTS, report->major_faults);
	set(outcome, METRIC_SWITCHES, report->voluntary_switches + report->involuntary_switches);
	set(outcome, METRIC_PREEMPTIONS, report->involuntary_switches);
	outcome->why[METRIC_MIGRATIONS] = outcome->single_threaded
	                                      ? "the kernel does not report it, or the run was too short to ask"
	                                      : "known only for one thread of one process";
	if (outcome->single_threaded && report->migrations >= 0)
		set(outcome, METRIC_MIGRATIONS, report->migrations);
	set(outcome, METRIC_BLOCKS_IN, report->blocks_in * 512);
	set(outcome, METRIC_BLOCKS_OUT, report->blocks_out * 512);
	outcome->why[METRIC_ENERGY] = "not measured";
	if (report->energy >= 0)
		set(outcome, METRIC_ENERGY, report->energy);
	take_counters(report, outcome);
}
