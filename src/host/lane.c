/* The life of a lane:
 *
 *   idle ── request ──> prepared ──(meeting)──> running ── end ──> settled ── report ──> idle
 *
 * A request is prepared before the clock starts: standard files, directory and CPUs are set in the
 * lane itself, and the command inherits them; being on the CPU of its command, a lane that wakes
 * at the command's end disturbs no other CPU. While a command runs, the lane sleeps in one
 * ppoll() for a child's end (a signalfd, which every kernel has), a cancel or the end of tare (its
 * socket), the end of the spawner (a signal), and the time limit. The clock is read first thing
 * after that call.
 *
 * Whatever happens, a lane that ends has killed all that it started; if it is itself killed, its
 * command dies by PR_SET_PDEATHSIG and the rest by the spawner, whose children they become. */
#include "host/lane_internal.h"

#include "base/memory.h"
#include "host/clock.h"
#include "host/launch.h"
#include "host/leftover.h"
#include "host/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

static uint32_t read_signals(struct lane *lane)
{
	struct signalfd_siginfo info[8];
	uint32_t events = 0;
	ssize_t n = lane->sys->read(lane->signals, info, sizeof(info));
	for (ssize_t i = 0; i < n / (ssize_t)sizeof(info[0]); i++)
		events |= info[i].ssi_signo == SIGCHLD ? EVENT_CHILD : EVENT_GONE;
	return events;
}

uint32_t lane_wait(struct lane *lane, int64_t deadline)
{
	struct pollfd watched[] = {{.fd = lane->signals, .events = POLLIN},
	                           {.fd = lane->start->socket, .events = POLLIN},
	                           {.fd = lane->wake, .events = POLLIN}};
	struct timespec left;
	if (deadline)
		left = clock_left(clock_now(lane->host), deadline);
	int n = lane->sys->ppoll(watched, 3, deadline ? &left : NULL, NULL);
	lane->woke = clock_now(lane->host);
	uint32_t events = 0;
	if (n < 0) {
		if (errno != EINTR)
			lane->gone = true;
		return errno == EINTR ? 0 : EVENT_GONE;
	}
	if (n == 0)
		events |= EVENT_TIME;
	if (watched[0].revents)
		events |= read_signals(lane);
	if (watched[1].revents)
		events |= EVENT_MESSAGE;
	if (watched[2].revents) {
		uint64_t count;
		events |= EVENT_WAKE;
		if (lane->sys->read(lane->wake, &count, sizeof(count)) < 0 && errno != EAGAIN && errno != EINTR)
			events |= EVENT_GONE;
	}
	if (events & EVENT_GONE)
		lane->gone = true;
	return events;
}

bool lane_told_to_stop(struct lane *lane)
{
	struct wire_message message = {.body = NULL};
	int got = wire_receive(lane->host, lane->start->socket, &message);
	for (uint32_t i = 0; got == 1 && i < message.header.fd_count; i++)
		lane->sys->close(message.fds[i]);
	bool cancelled = got == 1 && message.header.type == WIRE_CANCEL;
	if (!cancelled)
		lane->gone = true;
	wire_message_release(&message);
	return true;
}

static void run(struct lane *lane, struct wire_message *message, struct command_report *report)
{
	struct rusage usage = {.ru_maxrss = 0};
	memset(report, 0, sizeof(*report));
	report->leader_run = report->leader_delay = report->process_run = report->process_delay = report->energy =
		report->migrations = -1;
	report->rss_floor = lane->sys->getrusage(RUSAGE_SELF, &usage) == 0 ? (int64_t)usage.ru_maxrss * 1024 : -1;
	lane_run(lane, message, report);
}

static int send_reports(struct lane *lane, size_t count)
{
	if (lane->gone)
		return -1;
	return wire_send(lane->host, lane->start->socket, WIRE_REPORT, lane->reports, count * sizeof(*lane->reports), NULL,
	                 0, NULL, 0);
}

static int serve_run(struct lane *lane)
{
	run(lane, &lane->message, &lane->reports[0]);
	for (uint32_t i = 0; i < lane->message.header.fd_count; i++)
		lane->sys->close(lane->message.fds[i]);
	return send_reports(lane, 1);
}

/* The first run that does not end well is the last one: what is to be done about it is tare's business. */
static int serve_series(struct lane *lane)
{
	char *at = lane->message.body;
	size_t left = lane->message.header.size, count = 0;
	bool well = lane->message.header.fd_count == 0;
	while (well && !lane->gone && left > 0 && count < SERIES_MAX) {
		const struct wire_order *order = (const void *)at;
		if (left < sizeof(*order) || order->size > left - sizeof(*order))
			return -1;
		struct wire_message one = {.header.size = order->size, .body = at + sizeof(*order)};
		struct command_report *report = &lane->reports[count++];
		run(lane, &one, report);
		well = report->result == COMMAND_EXITED && report->code == 0;
		at += sizeof(*order) + order->size;
		left -= sizeof(*order) + order->size;
	}
	return count > 0 ? send_reports(lane, count) : -1;
}

static int serve_count(struct lane *lane)
{
	const struct wire_count *asked = (const void *)lane->message.body;
	if (lane->message.header.size != sizeof(*asked) || asked->count > COUNTERS_MAX)
		return -1;
	struct counter_event events[COUNTERS_MAX];
	for (uint32_t i = 0; i < asked->count; i++)
		events[i] = (struct counter_event){"", asked->events[i].type, asked->events[i].config};
	struct wire_counted answer;
	memset(&answer, 0, sizeof(answer));
	counters_release(lane->host, &lane->counters);
	rapl_release(lane->host, &lane->rapl);
	if (asked->count > 0)
		answer.problem = counters_open(lane->host, events, asked->count, &lane->counters, &answer.why);
	if (asked->with_energy)
		answer.energy_problem = rapl_open(lane->host, &lane->rapl, &answer.energy_why);
	answer.user_only = lane->counters.user_only;
	for (size_t i = 0; i < lane->counters.count; i++)
		if (lane->counters.fds[i][0] >= 0 || lane->counters.fds[i][1] >= 0)
			answer.counted |= UINT32_C(1) << i;
	return wire_send(lane->host, lane->start->socket, WIRE_COUNTED, &answer, sizeof(answer), NULL, 0, NULL, 0);
}

static int serve_message(struct lane *lane)
{
	if (wire_receive(lane->host, lane->start->socket, &lane->message) != 1)
		return -1;
	switch (lane->message.header.type) {
	case WIRE_RUN: return serve_run(lane);
	case WIRE_SERIES: return serve_series(lane);
	case WIRE_COUNT: return serve_count(lane);
	case WIRE_CANCEL: /* it came after the end of what it was meant for */ return 0;
	default: return -1;
	}
}

static int set_up(struct lane *lane)
{
	sigset_t watched;
	sigemptyset(&watched);
	sigaddset(&watched, SIGCHLD);
	sigaddset(&watched, SIGTERM);
	lane->self = getpid();
	lane->wake = lane->start->meeting->wake[lane->start->index];
	lane->stack = mem_alloc(LAUNCH_STACK, 1);
	lane->sys->prctl(PR_SET_NAME, (unsigned long)(uintptr_t) "tare-lane");
	if (!lane->stack || lane->sys->prctl(PR_SET_CHILD_SUBREAPER, 1) != 0 ||
	    (lane->signals = lane->sys->signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK)) < 0 ||
	    (lane->null_device = lane->sys->open("/dev/null", O_RDWR | O_CLOEXEC, 0)) < 0 ||
	    cpuset_of_process(lane->host, 0, &lane->all, NULL) != 0)
		return -1;
	lane->home = lane->sys->open(".", O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
	lane->schedstat = proc_schedstat_open(lane->host);
	taskstats_open(lane->host, &lane->taskstats);
	lane->pinned = lane->all;
	for (int i = 0; i < 3; i++)
		lane->used[i] = true;
	return 0;
}

/* The first request is told why, and the lane ends: one that is gone without a word passes for one that was killed. */
static void refuse(struct lane *lane, int problem)
{
	sigset_t none;
	sigemptyset(&none);
	lane->sys->sigprocmask(SIG_SETMASK, &none, NULL); /* so that SIGTERM ends the wait */
	if (wire_receive(lane->host, lane->start->socket, &lane->message) != 1 ||
	    (lane->message.header.type != WIRE_RUN && lane->message.header.type != WIRE_SERIES))
		return;
	lane->reports[0] = (struct command_report){
		.result = COMMAND_NOT_STARTED, .stage = START_LANE, .code = problem ? problem : ENOMEM};
	send_reports(lane, 1);
}

void lane_serve(const struct lane_start *start)
{
	struct lane lane = {.start = start, .host = start->host, .sys = start->host->sys};
	errno = 0;
	if (set_up(&lane) != 0) {
		refuse(&lane, errno);
		return;
	}
	while (!lane.gone) {
		uint32_t events = lane_wait(&lane, 0);
		if (lane.gone || ((events & EVENT_MESSAGE) && serve_message(&lane) != 0))
			break;
		/* What a kept daemon has left ends as a zombie of ours. */
		if (events & EVENT_CHILD)
			while (lane.sys->wait4(-1, NULL, WNOHANG, NULL) > 0)
				;
	}
	struct command_report ignored = {.result = COMMAND_EXITED};
	leftover_settle(lane.host, false, &ignored);
}
