/* The side of tare: opening, lanes, counters, closing. */
#include "host/spawner_internal.h"

#include "base/memory.h"
#include "host/spawner_process.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { PATIENCE = 15 /* s for an answer */ };

/* Forks with all signals blocked, so that none hits the child before it is ready; 0 in tare. */
static int fork_process(struct spawner *spawner)
{
	const struct syscalls *sys = spawner->sys;
	sigset_t all, before;
	int pair[2];
	sigfillset(&all);
	if (sys->socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
		return -1;
	if (sys->sigprocmask(SIG_SETMASK, &all, &before) != 0) {
		sys->close(pair[0]);
		sys->close(pair[1]);
		return -1;
	}
	spawner->pid = sys->fork();
	if (spawner->pid == 0) {
		sys->close(pair[0]);
		_exit((int)spawner_process_serve(spawner->host, pair[1], &before));
	}
	int problem = errno;
	sys->sigprocmask(SIG_SETMASK, &before, NULL);
	sys->close(pair[1]);
	if (spawner->pid < 0) {
		sys->close(pair[0]);
		errno = problem;
		return -1;
	}
	spawner->socket = pair[0];
	return 0;
}

void spawner_drop_lane(struct spawner *spawner, unsigned index)
{
	if (spawner->lanes[index].socket >= 0)
		spawner->sys->close(spawner->lanes[index].socket);
	spawner->lanes[index].socket = -1;
	spawner->lanes[index].pid = 0;
}

/* Waits for a descriptor to become readable or to close, some seconds at most. They are counted one by one: when all
 * processes were stopped for a while (job control, a frozen control group) the clock has gone on, and nobody is
 * late. */
static int wait_readable(const struct spawner *spawner, int fd)
{
	for (int seconds = 0; seconds < PATIENCE;) {
		struct pollfd watched = {.fd = fd, .events = POLLIN};
		struct timespec one = {.tv_sec = 1};
		int n = spawner->sys->ppoll(&watched, 1, &one, NULL);
		if (n > 0)
			return 0;
		if (n < 0 && errno != EINTR)
			return -1;
		seconds += n == 0;
	}
	errno = ETIMEDOUT;
	return -1;
}

/* Fills err with what is known of the end of the spawner, which has just closed its socket or does not answer. */
static int say_end(struct spawner *spawner, int problem, struct error *err)
{
	static const char *const words[] = {
#define X(end, text) text,
		SPAWNER_ENDS(X)
#undef X
	};
	siginfo_t info = {.si_pid = 0};
	for (int looks = 0; looks < 100 && info.si_pid == 0; looks++) {
		struct timespec step = {.tv_nsec = 2000000};
		if (spawner->sys->waitid(P_PID, (id_t)spawner->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0)
			break;
		if (info.si_pid == 0)
			spawner->sys->ppoll(NULL, 0, &step, NULL);
	}
	if (info.si_pid == 0)
		error_system(err, problem, "the process that starts the commands does not answer");
	else if (info.si_code != CLD_EXITED)
		error_set(err, ERROR_SYSTEM, "the process that starts the commands was killed by signal %d (%s)",
		          info.si_status, strsignal(info.si_status));
	else
		error_set(err, ERROR_SYSTEM, "the process that starts the commands has ended: %s",
		          info.si_status >= 0 && (size_t)info.si_status < sizeof(words) / sizeof(words[0])
		              ? words[info.si_status]
		              : "nobody knows why");
	if (info.si_pid != 0 && info.si_code == CLD_EXITED && info.si_status == SPAWNER_NO_SET_UP)
		return error_next(err, "the limit of open files may be reached (ulimit -n)");
	return error_next(err, "it may have been killed, by hand or because memory ran out; run tare again");
}

/* The next message on a socket, which must be of this type and size. */
static int expect(struct spawner *spawner, int socket, uint32_t type, size_t size)
{
	struct wire_message *message = &spawner->message;
	if (wait_readable(spawner, socket) != 0)
		return -1;
	int got = wire_receive(spawner->host, socket, message);
	if (got == 1 && message->header.type == type && message->header.size == size)
		return 0;
	for (uint32_t i = 0; got == 1 && i < message->header.fd_count; i++)
		spawner->sys->close(message->fds[i]);
	if (got >= 0)
		errno = got == 0 ? ECONNRESET : EPROTO;
	return -1;
}

static int send_count(struct spawner *spawner, unsigned index, struct wire_counted *out)
{
	int socket = spawner->lanes[index].socket;
	if (wire_send(spawner->host, socket, WIRE_COUNT, &spawner->counting, sizeof(spawner->counting), NULL, 0, NULL, 0) !=
	        0 ||
	    expect(spawner, socket, WIRE_COUNTED, sizeof(*out)) != 0) {
		spawner_drop_lane(spawner, index);
		return -1;
	}
	memcpy(out, spawner->message.body, sizeof(*out));
	return 0;
}

/* Questions and answers are out of step: from here on the spawner cannot be talked to. It ends, and one that does not
 * answer is not waited for. */
static void give_up(struct spawner *spawner)
{
	int problem = errno;
	if (problem == ETIMEDOUT)
		spawner->sys->kill(spawner->pid, SIGKILL);
	for (unsigned i = 0; i < LANES_MAX; i++)
		spawner_drop_lane(spawner, i);
	spawner->sys->close(spawner->socket);
	spawner->socket = -1;
	errno = problem;
}

static int ask_for_lane(struct spawner *spawner, unsigned index)
{
	struct wire_lane lane = {.index = (int32_t)index};
	if (spawner->socket < 0) {
		errno = ECONNRESET;
		return -1;
	}
	if (wire_send(spawner->host, spawner->socket, WIRE_NEW_LANE, &lane, sizeof(lane), NULL, 0, NULL, 0) == 0)
		return 0;
	give_up(spawner);
	return -1;
}

static int take_lane(struct spawner *spawner, unsigned index)
{
	struct wire_lane lane;
	if (expect(spawner, spawner->socket, WIRE_LANE, sizeof(lane)) != 0) {
		give_up(spawner);
		return -1;
	}
	memcpy(&lane, spawner->message.body, sizeof(lane));
	if (lane.problem || spawner->message.header.fd_count != 1) {
		errno = lane.problem ? lane.problem : EPROTO;
		return -1;
	}
	spawner->lanes[index].socket = spawner->message.fds[0];
	spawner->lanes[index].pid = lane.pid;
	return 0;
}

/* The lane that spawner_open() has asked for. */
static int take_first_lane(struct spawner *spawner)
{
	spawner->lane_asked = false;
	return take_lane(spawner, 0);
}

static int new_lane(struct spawner *spawner, unsigned index)
{
	if (spawner->lane_asked) {
		int taken = take_first_lane(spawner);
		if (index == 0)
			return taken;
	}
	return ask_for_lane(spawner, index) == 0 ? take_lane(spawner, index) : -1;
}

/* Fills err where a new lane could not be made or told what to count, with errno. */
static int no_lane(struct spawner *spawner, struct error *err)
{
	int problem = errno;
	if (spawner->socket < 0)
		return say_end(spawner, problem, err);
	error_system(err, problem, "the process that starts the commands cannot make another one");
	return error_next(err, "the limit of processes or of open files may be reached (ulimit -u, ulimit -n)");
}

int spawner_need_lane(struct spawner *spawner, unsigned index, struct error *err)
{
	struct wire_counted ignored;
	if (index >= LANES_MAX)
		return error_set(err, ERROR_INTERNAL, "lane %u of %d", index, LANES_MAX);
	if (spawner->lanes[index].socket >= 0)
		return 0;
	bool counting = spawner->counting.count > 0 || spawner->counting.with_energy;
	if (new_lane(spawner, index) == 0 && (!counting || send_count(spawner, index, &ignored) == 0))
		return 0;
	return no_lane(spawner, err);
}

void spawner_kill_lane(struct spawner *spawner, unsigned index)
{
	struct wire_lane lane = {.index = (int32_t)index};
	if (wire_send(spawner->host, spawner->socket, WIRE_KILL_LANE, &lane, sizeof(lane), NULL, 0, NULL, 0) != 0)
		spawner_drop_lane(spawner, index);
}

int spawner_count(struct spawner *spawner, const struct counter_event *events, size_t count, bool with_energy,
                  struct spawner_counted *out, struct error *err)
{
	struct wire_counted answer;
	if (count > COUNTERS_MAX)
		return error_set(err, ERROR_INTERNAL, "%zu counters of %d", count, COUNTERS_MAX);
	memset(&spawner->counting, 0, sizeof(spawner->counting));
	spawner->counting.count = (uint32_t)count;
	spawner->counting.with_energy = with_energy;
	for (size_t i = 0; i < count; i++) {
		spawner->counting.events[i].type = events[i].type;
		spawner->counting.events[i].config = events[i].config;
	}
	/* Lanes that are there learn it by being replaced; the first one answers for all. */
	spawner_rest(spawner);
	if (new_lane(spawner, 0) != 0 || send_count(spawner, 0, &answer) != 0)
		return no_lane(spawner, err);
	*out = (struct spawner_counted){.counted = answer.counted,
	                                .user_only = answer.user_only != 0,
	                                .energy = with_energy && answer.energy_problem == 0,
	                                .why = answer.why,
	                                .energy_why = answer.energy_why};
	return 0;
}

struct spawner *spawner_open(const struct host *host, struct error *err)
{
	struct spawner *spawner = mem_zalloc(1, sizeof(*spawner));
	if (!spawner) {
		error_memory(err);
		return NULL;
	}
	spawner->host = host;
	spawner->sys = host->sys;
	for (int i = 0; i < LANES_MAX; i++)
		spawner->lanes[i].socket = -1;
	if (fork_process(spawner) != 0) {
		error_system(err, errno, "cannot start the process that starts the commands");
		error_next(err, "the limit of processes or of open files may be reached (ulimit -u, ulimit -n)");
		mem_free(spawner);
		return NULL;
	}
	/* Nearly everyone wants a lane: it is made while the caller prepares. A failure is told when the lane is needed. */
	spawner->lane_asked = ask_for_lane(spawner, 0) == 0;
	return spawner;
}

void spawner_rest(struct spawner *spawner)
{
	for (unsigned i = 0; i < LANES_MAX; i++)
		spawner_drop_lane(spawner, i);
}

void spawner_quit(struct spawner *spawner)
{
	struct wire_lane nothing = {0, 0, 0};
	if (!spawner || spawner->quitting)
		return;
	if (spawner->lane_asked)
		take_first_lane(spawner);
	spawner_rest(spawner);
	if (spawner->socket < 0)
		return;
	spawner->quitting = true;
	if (wire_send(spawner->host, spawner->socket, WIRE_QUIT, &nothing, sizeof(nothing), NULL, 0, NULL, 0) != 0)
		give_up(spawner);
}

void spawner_close(struct spawner *spawner)
{
	if (!spawner)
		return;
	spawner_quit(spawner);
	if (spawner->socket >= 0) {
		/* It closes its end when all that it has started is gone; one that does not answer is given up. */
		if (wait_readable(spawner, spawner->socket) != 0)
			spawner->sys->kill(spawner->pid, SIGKILL);
		spawner->sys->close(spawner->socket);
	}
	while (spawner->sys->wait4(spawner->pid, NULL, 0, NULL) < 0 && errno == EINTR)
		;
	wire_message_release(&spawner->message);
	buffer_release(&spawner->strings);
	mem_free(spawner);
}

const struct host *spawner_host(const struct spawner *spawner)
{
	return spawner->host;
}

pid_t spawner_pid(const struct spawner *spawner)
{
	return spawner->pid;
}

pid_t spawner_lane_pid(const struct spawner *spawner, unsigned lane)
{
	return lane < LANES_MAX ? spawner->lanes[lane].pid : 0;
}
