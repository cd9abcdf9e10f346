/* tare ── spawner ──┬── lane 0 ── command
 *                   └── lane 1 ── command
 *
 * Each lane has a socket of its own to tare. When tare ends, however that happens, all sockets
 * close: the lanes kill their commands and end, and the spawner waits for them. When the
 * spawner is killed, the lanes get SIGTERM from the kernel and do the same. When a lane is
 * killed, the kernel kills its command, and what that had started becomes a child of the
 * spawner, a subreaper, which kills it and tells the other lanes not to wait for the dead one. */
#include "host/spawner_process.h"

#include "host/clock.h"
#include "host/lane.h"
#include "host/leftover.h"
#include "host/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum {
	LOOK_AGAIN = 5000000, /* ns between two looks while something is being killed */
	PATIENCE = 10,        /* s for the lanes to end by themselves */
};

struct spawner_process {
	const struct host *host;
	const struct syscalls *sys;
	int socket, signals;
	sigset_t mask;
	int inherited[3];
	struct meeting meeting;
	pid_t lanes[LANES_MAX]; /* 0: none */
	bool sweeping;          /* a lane was killed: its descendants may be our children */
	bool ending;
	enum spawner_end why; /* it ends */
	int64_t deadline;     /* of the end */
};

/* In the new process: becomes a lane, and never returns. */
static void become_lane(struct spawner_process *process, unsigned index, int socket, pid_t spawner)
{
	struct lane_start start = {.host = process->host,
	                           .meeting = &process->meeting,
	                           .index = index,
	                           .socket = socket,
	                           .mask = process->mask,
	                           .spawner = spawner};
	memcpy(start.inherited, process->inherited, sizeof(start.inherited));
	process->sys->close(process->socket);
	process->sys->close(process->signals);
	/* The request to be told and the death of the spawner may cross: look afterwards. */
	if (process->sys->prctl(PR_SET_PDEATHSIG, SIGTERM) == 0 && process->sys->getppid() == spawner)
		lane_serve(&start);
	_exit(0);
}

static int start_lane(struct spawner_process *process, unsigned index, int *socket)
{
	int pair[2];
	pid_t self = getpid();
	if (process->sys->socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
		return -1;
	meeting_set_alive(process->host, &process->meeting, index, true);
	pid_t pid = process->sys->fork();
	if (pid == 0) {
		process->sys->close(pair[0]);
		become_lane(process, index, pair[1], self);
	}
	int problem = errno;
	process->sys->close(pair[1]);
	if (pid < 0) {
		meeting_set_alive(process->host, &process->meeting, index, false);
		process->sys->close(pair[0]);
		errno = problem;
		return -1;
	}
	process->lanes[index] = pid;
	*socket = pair[0];
	return 0;
}

static void lane_ended(struct spawner_process *process, pid_t pid)
{
	for (unsigned i = 0; i < LANES_MAX; i++)
		if (process->lanes[i] == pid) {
			process->lanes[i] = 0;
			process->sweeping = true;
			meeting_set_alive(process->host, &process->meeting, i, false);
		}
}

/* Tare has seen the socket of the old lane close; it may not be quite dead yet. */
static void end_old_lane(struct spawner_process *process, pid_t pid)
{
	process->sys->kill(pid, SIGKILL);
	while (process->sys->wait4(pid, NULL, 0, NULL) < 0 && errno == EINTR)
		;
	lane_ended(process, pid);
}

static int serve_new_lane(struct spawner_process *process, struct wire_lane *lane)
{
	int socket = -1;
	unsigned index = (unsigned)lane->index;
	if (index >= LANES_MAX)
		return -1;
	if (process->lanes[index] > 0)
		end_old_lane(process, process->lanes[index]);
	lane->problem = start_lane(process, index, &socket) == 0 ? 0 : errno;
	lane->pid = process->lanes[index];
	int sent = wire_send(process->host, process->socket, WIRE_LANE, lane, sizeof(*lane), NULL, 0, &socket, socket >= 0);
	if (socket >= 0)
		process->sys->close(socket);
	return sent;
}

/* 1: done; 0: tare has gone or wants the end; -1 */
static int serve_message(struct spawner_process *process, struct wire_message *message)
{
	int got = wire_receive(process->host, process->socket, message);
	if (got != 1)
		return got;
	for (uint32_t i = 0; i < message->header.fd_count; i++)
		process->sys->close(message->fds[i]);
	struct wire_lane lane;
	if (message->header.size != sizeof(lane))
		return -1;
	memcpy(&lane, message->body, sizeof(lane));
	if (message->header.type == WIRE_NEW_LANE)
		return serve_new_lane(process, &lane) == 0 ? 1 : -1;
	if (message->header.type == WIRE_KILL_LANE && lane.index >= 0 && lane.index < LANES_MAX &&
	    process->lanes[lane.index] > 0)
		process->sys->kill(process->lanes[lane.index], SIGKILL);
	return message->header.type == WIRE_KILL_LANE ? 1 : message->header.type == WIRE_QUIT ? 0 : -1;
}

/* Reaps what has ended; kills what dead lanes have left. True when there is nothing of that left. */
static bool sweep(struct spawner_process *process)
{
	pid_t pid;
	while ((pid = process->sys->wait4(-1, NULL, WNOHANG, NULL)) > 0)
		lane_ended(process, pid);
	/* A subreaper without children has nothing left below it; only otherwise all of /proc has to be read. */
	bool childless = pid < 0 && errno == ECHILD;
	if (process->sweeping && (childless || leftover_kill(process->host, process->lanes, LANES_MAX) <= 0))
		process->sweeping = false;
	return !process->sweeping;
}

static bool any_lane(const struct spawner_process *process)
{
	for (unsigned i = 0; i < LANES_MAX; i++)
		if (process->lanes[i] > 0)
			return true;
	return false;
}

static void begin_to_end(struct spawner_process *process, enum spawner_end why)
{
	if (process->ending)
		return;
	process->ending = true;
	process->why = why;
	process->deadline = clock_now(process->host) + (int64_t)PATIENCE * CLOCK_NS_PER_SECOND;
	for (unsigned i = 0; i < LANES_MAX; i++)
		if (process->lanes[i] > 0)
			process->sys->kill(process->lanes[i], SIGTERM);
}

static void wait_and_serve(struct spawner_process *process, struct wire_message *message)
{
	struct pollfd watched[] = {{.fd = process->signals, .events = POLLIN},
	                           {.fd = process->ending ? -1 : process->socket, .events = POLLIN}};
	struct timespec pause = {.tv_nsec = LOOK_AGAIN};
	bool hurry = process->sweeping || process->ending;
	int n = process->sys->ppoll(watched, 2, hurry ? &pause : NULL, NULL);
	if (n < 0 && errno != EINTR)
		begin_to_end(process, SPAWNER_NO_WAITING);
	if (n > 0 && watched[0].revents) {
		struct signalfd_siginfo info[8];
		ssize_t size = process->sys->read(process->signals, info, sizeof(info));
		for (ssize_t i = 0; i < size / (ssize_t)sizeof(info[0]); i++)
			if (info[i].ssi_signo == SIGTERM)
				begin_to_end(process, SPAWNER_TERMINATED);
	}
	int served = n > 0 && watched[1].revents ? serve_message(process, message) : 1;
	if (served <= 0)
		begin_to_end(process, served == 0 ? SPAWNER_QUIT : SPAWNER_NO_ANSWER);
}

static int set_up(struct spawner_process *process)
{
	sigset_t watched;
	sigemptyset(&watched);
	sigaddset(&watched, SIGCHLD);
	sigaddset(&watched, SIGTERM);
	/* Ignored signals survive execve: whoever started tare may have chosen that, and children would vanish; tare itself
	 * ignores a broken pipe while it measures, and that a file grows too large; commands must not. */
	struct sigaction standard = {.sa_handler = SIG_DFL};
	if (process->sys->sigaction(SIGCHLD, &standard, NULL) != 0 ||
	    process->sys->sigaction(SIGPIPE, &standard, NULL) != 0 ||
	    process->sys->sigaction(SIGXFSZ, &standard, NULL) != 0)
		return -1;
	/* A group of its own: Ctrl-C at the terminal is tare's business. */
	process->sys->setpgid(0, 0);
	process->sys->prctl(PR_SET_NAME, (unsigned long)(uintptr_t) "tare-spawner");
	if (process->sys->prctl(PR_SET_CHILD_SUBREAPER, 1) != 0)
		return -1;
	process->signals = process->sys->signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
	if (process->signals < 0)
		return -1;
	for (int i = 0; i < 3; i++) {
		process->inherited[i] = process->sys->fcntl(i, F_DUPFD_CLOEXEC, 3);
		if (process->inherited[i] < 0)
			return -1;
	}
	return meeting_init(process->host, &process->meeting);
}

enum spawner_end spawner_process_serve(const struct host *host, int socket, const sigset_t *mask)
{
	struct spawner_process process = {.host = host, .sys = host->sys, .socket = socket, .mask = *mask};
	struct wire_message message = {.body = NULL};
	if (set_up(&process) != 0)
		return SPAWNER_NO_SET_UP;
	for (;;) {
		bool swept = sweep(&process);
		if (process.ending && swept && !any_lane(&process))
			break;
		if (process.ending && clock_now(host) > process.deadline) {
			for (unsigned i = 0; i < LANES_MAX; i++)
				if (process.lanes[i] > 0)
					process.sys->kill(process.lanes[i], SIGKILL);
			leftover_kill(host, NULL, 0);
			break;
		}
		wait_and_serve(&process, &message);
	}
	wire_message_release(&message);
	return process.why;
}
