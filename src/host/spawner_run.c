/* Requests to lanes, and waiting for their reports.
 *
 * While commands run, tare sleeps. It wakes for the first output of a command that is captured and
 * then looks at the pipe every millisecond at most: a pipe holds a megabyte, and a reader that is
 * asleep in poll() costs the writer a wake-up with every line. */
#include "host/spawner_internal.h"

#include "host/capture.h"
#include "host/clock.h"
#include "host/shared.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum {
	GRACE = 10,      /* s beyond a command's time limit until its lane counts as stuck */
	CALM = 1000000,  /* ns between two readings of a pipe */
	TRIM = 10000000, /* ns between two looks at files in memory */
};

/* One command under way. */
struct flight {
	const struct command_request *request;
	struct command_report *report;
	size_t
		series; /* so many requests and reports from there on, one after the other; 0: it is one of several at once */
	size_t ran; /* of a series */
	struct capture captures[3]; /* by standard file; that of the input is never open */
	bool reported;
};

struct flights {
	struct spawner *spawner;
	struct flight all[LANES_MAX];
	size_t count, reported;
	int64_t deadline; /* until the lanes must have answered; 0: none */
	bool cancelled, killed;
};

static void add_string(struct buffer *strings, const char *text)
{
	buffer_add(strings, text, strlen(text) + 1);
}

static struct wire_run run_of(const struct command_request *request)
{
	struct wire_run run = {.flags = request->flags, .pad = request->pad, .timeout = request->timeout};
	if (request->cpus)
		run.cpus = *request->cpus;
	for (int i = 0; i < 3; i++)
		run.stdio[i] = request->stdio[i].mode;
	for (run.argc = 0; request->argv[run.argc]; run.argc++)
		;
	for (run.envc = 0; request->env && request->env[run.envc]; run.envc++)
		;
	run.envc += request->variable != NULL;
	return run;
}

/* The strings of a request, to spawner->strings. */
static int add_strings(struct spawner *spawner, const struct command_request *request, const struct wire_run *run)
{
	struct buffer *strings = &spawner->strings;
	add_string(strings, request->path);
	add_string(strings, request->directory ? request->directory : "");
	for (uint32_t i = 0; i < run->argc; i++)
		add_string(strings, request->argv[i]);
	for (uint32_t i = 0; request->env && request->env[i]; i++)
		add_string(strings, request->env[i]);
	if (request->variable)
		add_string(strings, request->variable);
	if (!strings->out_of_memory)
		return 0;
	errno = ENOMEM;
	return -1;
}

static int send_request(struct spawner *spawner, struct flight *flight, uint32_t meeting, uint32_t participants)
{
	const struct command_request *request = flight->request;
	struct wire_run run = run_of(request);
	int fds[WIRE_FDS_MAX];
	size_t fd_count = 0;
	run.meeting = meeting;
	run.participants = participants;
	for (int i = 0; i < 3; i++) {
		if (request->stdio[i].mode == STDIO_FILE)
			fds[fd_count++] = request->stdio[i].fd;
		else if (request->stdio[i].mode == STDIO_CAPTURE)
			fds[fd_count++] = flight->captures[i].to;
	}
	buffer_clear(&spawner->strings);
	if (add_strings(spawner, request, &run) != 0)
		return -1;
	return wire_send(spawner->host, spawner->lanes[request->lane].socket, WIRE_RUN, &run, sizeof(run),
	                 spawner->strings.data, spawner->strings.length, fds, fd_count);
}

/* An order begins with its size and at a multiple of 8, where structs may lie. */
static int send_series(struct spawner *spawner, const struct flight *flight)
{
	struct buffer *body = &spawner->strings;
	buffer_clear(body);
	for (size_t i = 0; i < flight->series; i++) {
		struct wire_run run = run_of(&flight->request[i]);
		struct wire_order order = {0, 0};
		size_t at = body->length;
		buffer_add(body, (const char *)&order, sizeof(order));
		buffer_add(body, (const char *)&run, sizeof(run));
		if (add_strings(spawner, &flight->request[i], &run) != 0)
			return -1;
		while (body->length % 8)
			buffer_char(body, '\0');
		if (body->out_of_memory) {
			errno = ENOMEM;
			return -1;
		}
		order.size = (uint32_t)(body->length - at - sizeof(order));
		memcpy(body->data + at, &order, sizeof(order));
	}
	return wire_send(spawner->host, spawner->lanes[flight->request->lane].socket, WIRE_SERIES, body->data, body->length,
	                 NULL, 0, NULL, 0);
}

/* A lane that was killed while idle is noticed here: a new one gets the request. */
static int send_to_lane(struct spawner *spawner, struct flight *flight, uint32_t meeting, uint32_t participants,
                        struct error *err)
{
	unsigned lane = flight->request->lane;
	for (int attempt = 0;; attempt++) {
		if (spawner_need_lane(spawner, lane, err) != 0)
			return -1;
		if ((flight->series ? send_series(spawner, flight) : send_request(spawner, flight, meeting, participants)) == 0)
			return 0;
		int problem = errno;
		/* Part of a message may have been sent: that lane can no longer be talked to. */
		spawner_drop_lane(spawner, lane);
		if (problem == E2BIG)
			return error_system(err, problem, "the command line and the environment are too long");
		if (problem == ENOMEM)
			return error_memory(err);
		if (attempt == 1)
			return error_system(err, problem, "the process that starts the commands does not answer");
	}
}

static int check_request(const struct command_request *request, size_t index, const struct command_request *all,
                         struct error *err)
{
	bool good = request->lane < LANES_MAX && request->path && request->argv && request->argv[0] &&
	            request->pad <= COMMAND_PAD_MAX && request->timeout >= 0 && request->stdio[0].mode != STDIO_CAPTURE &&
	            request->stdio[0].mode != STDIO_SAME && request->stdio[1].mode != STDIO_SAME;
	for (size_t i = 0; i < index; i++)
		good = good && all[i].lane != request->lane;
	for (int i = 0; i < 3; i++)
		good = good && request->stdio[i].mode <= STDIO_SAME &&
		       (request->stdio[i].mode != STDIO_CAPTURE || request->stdio[i].capture);
	return good ? 0 : error_set(err, ERROR_INTERNAL, "a request for a command is malformed");
}

static int open_captures(struct spawner *spawner, struct flight *flight, struct error *err)
{
	for (int i = 1; i < 3; i++) {
		const struct command_stdio *stdio = &flight->request->stdio[i];
		if (stdio->mode == STDIO_CAPTURE && capture_open(spawner->host, &flight->captures[i], stdio->capture) != 0) {
			error_system(err, errno, "cannot make a pipe for the output of a command");
			return error_next(err, "the limit of open files may be reached (ulimit -n)");
		}
	}
	return 0;
}

static int begin(struct flights *flights, const struct command_request *requests, struct command_report *reports,
                 struct error *err)
{
	struct spawner *spawner = flights->spawner;
	uint32_t participants = 0, meeting = 0;
	for (size_t i = 0; i < flights->count; i++) {
		struct flight *flight = &flights->all[i];
		if (check_request(&requests[i], i, requests, err) != 0 ||
		    spawner_need_lane(spawner, requests[i].lane, err) != 0)
			return -1;
		*flight = (struct flight){.request = &requests[i],
		                          .report = &reports[i],
		                          .captures = {{.from = -1, .to = -1}, {.from = -1, .to = -1}, {.from = -1, .to = -1}}};
		participants |= UINT32_C(1) << requests[i].lane;
	}
	if (flights->count > 1)
		meeting = ++spawner->meetings ? spawner->meetings : ++spawner->meetings;
	int64_t longest = 0;
	bool unlimited = false;
	for (size_t i = 0; i < flights->count; i++) {
		struct flight *flight = &flights->all[i];
		if (open_captures(spawner, flight, err) != 0 || send_to_lane(spawner, flight, meeting, participants, err) != 0)
			return -1;
		for (int k = 0; k < 3; k++) /* the command's end is the lane's business now */
			if (flight->captures[k].to >= 0) {
				spawner->sys->close(flight->captures[k].to);
				flight->captures[k].to = -1;
			}
		unlimited = unlimited || requests[i].timeout == 0;
		longest = requests[i].timeout > longest ? requests[i].timeout : longest;
	}
	if (!unlimited)
		flights->deadline = clock_now(spawner->host) + longest + (int64_t)GRACE * CLOCK_NS_PER_SECOND;
	return 0;
}

static void take_report(struct flights *flights, struct flight *flight)
{
	struct spawner *spawner = flights->spawner;
	struct wire_message *message = &spawner->message;
	unsigned lane = flight->request->lane;
	int got = wire_receive(spawner->host, spawner->lanes[lane].socket, message);
	size_t size = sizeof(*flight->report), most = flight->series ? flight->series : 1;
	flight->ran = got == 1 ? message->header.size / size : 0;
	if (flight->ran > 0 && flight->ran <= most && message->header.type == WIRE_REPORT &&
	    message->header.size == flight->ran * size) {
		memcpy(flight->report, message->body, flight->ran * size);
		if (flight->report->result == COMMAND_NOT_STARTED && flight->report->stage == START_LANE)
			spawner_drop_lane(spawner, lane); /* it ends: the next request gets another one */
	} else {
		flight->ran = 1;
		memset(flight->report, 0, sizeof(*flight->report));
		flight->report->result = COMMAND_LOST;
		spawner_drop_lane(spawner, lane);
	}
	flight->reported = true;
	flights->reported++;
}

static void cancel(struct flights *flights)
{
	struct spawner *spawner = flights->spawner;
	flights->cancelled = true;
	flights->deadline = clock_now(spawner->host) + (int64_t)GRACE * CLOCK_NS_PER_SECOND;
	for (size_t i = 0; i < flights->count; i++)
		if (!flights->all[i].reported) /* a failure shows as a lost lane */
			wire_send(spawner->host, spawner->lanes[flights->all[i].request->lane].socket, WIRE_CANCEL, NULL, 0, NULL,
			          0, NULL, 0);
}

/* The lanes have had their time: the spawner kills those that have not answered. -1: not even that helps. */
static int overdue(struct flights *flights, struct error *err)
{
	struct spawner *spawner = flights->spawner;
	if (flights->killed)
		return error_set(err, ERROR_SYSTEM, "a command cannot be killed");
	flights->killed = true;
	flights->deadline = clock_now(spawner->host) + (int64_t)GRACE * CLOCK_NS_PER_SECOND;
	for (size_t i = 0; i < flights->count; i++)
		if (!flights->all[i].reported)
			spawner_kill_lane(spawner, flights->all[i].request->lane);
	return 0;
}

static void drain(struct flights *flights, bool *full)
{
	*full = false;
	for (size_t i = 0; i < flights->count; i++)
		for (int k = 0; k < 3; k++)
			if (flights->all[i].captures[k].from >= 0) {
				capture_drain(flights->spawner->host, &flights->all[i].captures[k]);
				*full = *full || flights->all[i].captures[k].full;
			}
}

/* What is written to files in memory must not fill it. Whether there are such files. */
static bool trim(const struct flights *flights)
{
	bool any = false;
	for (size_t i = 0; i < flights->count; i++)
		for (int k = 0; k < 3; k++) {
			const struct command_stdio *stdio = &flights->all[i].request->stdio[k];
			if (stdio->most == 0)
				continue;
			shared_file_trim(flights->spawner->host, stdio->fd, stdio->most);
			any = true;
		}
	return any;
}

/* What to watch: reports, the wish to cancel and, unless the pipes are to be left alone, output. */
static nfds_t fill_watched(const struct flights *flights, int cancel_fd, bool pipes, struct pollfd *watched)
{
	nfds_t n = 0;
	for (size_t i = 0; i < flights->count; i++) {
		const struct flight *flight = &flights->all[i];
		int socket = flight->reported ? -1 : flights->spawner->lanes[flight->request->lane].socket;
		watched[n++] = (struct pollfd){.fd = socket, .events = POLLIN};
	}
	watched[n++] = (struct pollfd){.fd = flights->cancelled ? -1 : cancel_fd, .events = POLLIN};
	for (size_t i = 0; pipes && i < flights->count; i++)
		for (int k = 0; k < 3; k++)
			watched[n++] = (struct pollfd){.fd = flights->all[i].captures[k].from, .events = POLLIN};
	return n;
}

void spawner_watch_clock(struct spawner *spawner, int64_t instant, void (*late)(void *context), void *context)
{
	spawner->late_at = instant;
	spawner->late = late;
	spawner->late_context = context;
}

static void tell_late(struct spawner *spawner)
{
	if (!spawner->late_at || clock_now(spawner->host) < spawner->late_at)
		return;
	spawner->late_at = 0;
	spawner->late(spawner->late_context);
}

/* The earlier of two instants, either of which may be none. */
static int64_t sooner(int64_t a, int64_t b)
{
	return !a || (b && b < a) ? b : a;
}

static int wait_for_reports(struct flights *flights, int cancel_fd, struct error *err)
{
	const struct host *host = flights->spawner->host;
	bool calm = false, full = false; /* calm: output was read a moment ago */
	while (flights->reported < flights->count) {
		struct pollfd watched[4 * LANES_MAX + 1];
		nfds_t n = fill_watched(flights, cancel_fd, !calm, watched);
		bool again = trim(flights);
		int64_t now = clock_now(host), until = sooner(flights->deadline, flights->spawner->late_at);
		if (calm || again)
			until = sooner(until, now + (calm ? CALM : TRIM));
		struct timespec left = clock_left(now, until);
		int ready = host->sys->ppoll(watched, n, until ? &left : NULL, NULL);
		if (ready < 0 && errno != EINTR)
			return error_system(err, errno, "cannot wait for the end of a command");
		if (ready < 0)
			continue;
		tell_late(flights->spawner);
		bool output = calm;
		for (nfds_t i = flights->count + 1; i < n; i++)
			output = output || watched[i].revents != 0;
		if (output)
			drain(flights, &full);
		calm = output && !full && !calm;
		for (size_t i = 0; i < flights->count; i++)
			if (watched[i].revents || (!flights->all[i].reported && watched[i].fd < 0))
				take_report(flights, &flights->all[i]);
		if (watched[flights->count].revents)
			cancel(flights);
		if (flights->deadline && clock_now(host) > flights->deadline && overdue(flights, err) != 0)
			return -1;
	}
	drain(flights, &full); /* takes more than a pipe holds */
	for (size_t i = 0; i < flights->count; i++)
		for (int k = 0; k < 3; k++)
			if (flights->all[i].captures[k].problem)
				return error_system(err, flights->all[i].captures[k].problem, "cannot read the output of a command");
	return 0;
}

int spawner_run(struct spawner *spawner, const struct command_request *requests, size_t count, int cancel_fd,
                struct command_report *reports, struct error *err)
{
	struct flights flights = {.spawner = spawner, .count = count};
	if (count == 0 || count > LANES_MAX)
		return error_set(err, ERROR_INTERNAL, "%zu commands at once", count);
	for (size_t i = 0; i < count; i++)
		for (int k = 0; k < 3; k++)
			flights.all[i].captures[k].from = flights.all[i].captures[k].to = -1;
	int result = begin(&flights, requests, reports, err);
	if (result == 0)
		result = wait_for_reports(&flights, cancel_fd, err);
	for (size_t i = 0; i < count; i++) {
		/* After a failure nobody will read the reports that are still to come. */
		if (result != 0 && requests[i].lane < LANES_MAX)
			spawner_drop_lane(spawner, requests[i].lane);
		for (int k = 0; k < 3; k++)
			capture_close(spawner->host, &flights.all[i].captures[k]);
	}
	return result;
}

static int check_series(const struct command_request *requests, size_t count, struct error *err)
{
	bool good = count > 0 && count <= SERIES_MAX;
	for (size_t i = 0; good && i < count; i++) {
		if (check_request(&requests[i], 0, requests, err) != 0)
			return -1;
		good = requests[i].lane == requests[0].lane;
		for (int k = 0; k < 3; k++)
			good = good && (requests[i].stdio[k].mode == STDIO_NULL || requests[i].stdio[k].mode == STDIO_INHERIT);
	}
	return good ? 0 : error_set(err, ERROR_INTERNAL, "a series of commands is malformed");
}

int spawner_run_series(struct spawner *spawner, const struct command_request *requests, size_t count, int cancel_fd,
                       struct command_report *reports, size_t *ran, struct error *err)
{
	struct flights flights = {.spawner = spawner, .count = 1};
	struct flight *flight = &flights.all[0];
	int64_t all = 0;
	bool unlimited = false;
	*flight = (struct flight){.request = requests, .report = reports, .series = count};
	for (int k = 0; k < 3; k++)
		flight->captures[k].from = flight->captures[k].to = -1;
	*ran = 0;
	if (check_series(requests, count, err) != 0)
		return -1;
	for (size_t i = 0; i < count; i++) {
		unlimited = unlimited || requests[i].timeout == 0 || requests[i].timeout > INT64_MAX / 2 / SERIES_MAX;
		all += unlimited ? 0 : requests[i].timeout;
	}
	int result = send_to_lane(spawner, flight, 0, 0, err);
	if (!unlimited)
		flights.deadline = clock_now(spawner->host) + all + (int64_t)GRACE * CLOCK_NS_PER_SECOND;
	if (result == 0)
		result = wait_for_reports(&flights, cancel_fd, err);
	if (result != 0)
		spawner_drop_lane(spawner, requests[0].lane);
	*ran = flight->ran;
	return result;
}
