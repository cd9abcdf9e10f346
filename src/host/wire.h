/* Messages between tare and its spawner over stream sockets: a header, a body, open descriptors.
 *
 * Fields are of fixed width and in the byte order of the machine, since both ends are the
 * same program. Interrupted and partial transfers are continued. */
#ifndef TARE_HOST_WIRE_H
#define TARE_HOST_WIRE_H

#include "host/command.h"

enum wire_type {
	WIRE_RUN = 1,   /* tare → lane: struct wire_run and strings; answered by WIRE_REPORT */
	WIRE_SERIES,    /* tare → lane: orders for several runs, one after the other; answered by WIRE_REPORT */
	WIRE_CANCEL,    /* tare → lane: kill the command; no answer of its own */
	WIRE_COUNT,     /* tare → lane: struct wire_count; answered by WIRE_COUNTED */
	WIRE_COUNTED,   /* lane → tare: struct wire_counted */
	WIRE_REPORT,    /* lane → tare: struct command_report, of a series one for each run */
	WIRE_NEW_LANE,  /* tare → spawner: struct wire_lane; answered by WIRE_LANE */
	WIRE_LANE,      /* spawner → tare: struct wire_lane, with the lane's socket */
	WIRE_KILL_LANE, /* tare → spawner: struct wire_lane; no answer */
	WIRE_QUIT,      /* tare → spawner: end everything; the socket closes when that is done */
};

enum { WIRE_MAGIC = 0x74617265, WIRE_FDS_MAX = 3, WIRE_BODY_MAX = 8 << 20 };

struct wire_header {
	uint32_t magic, type, size, fd_count; /* size of the body in bytes */
};

/* Then the strings, each with its NUL: path, directory, argv, env. */
struct wire_run {
	uint32_t flags, argc, envc, pad;
	uint32_t stdio[3];
	uint32_t meeting;      /* number of the meeting to start at, 0: at once */
	uint32_t participants; /* bit i: lane i takes part */
	uint32_t unused;
	int64_t timeout;
	struct cpuset cpus; /* empty: all that tare may use */
};

/* Of a series: before each order, which is a struct wire_run with its strings and begins at a multiple of 8. */
struct wire_order {
	uint32_t size, unused;
};

struct wire_count {
	uint32_t count, with_energy;
	struct {
		uint32_t type, unused;
		uint64_t config;
	} events[COUNTERS_MAX];
};

struct wire_counted {
	int32_t problem, energy_problem; /* 0, or -1 with the texts */
	uint32_t user_only, counted;     /* bit i of counted: event i is counted */
	struct error why, energy_why;
};

struct wire_lane {
	int32_t index, pid, problem; /* problem: errno */
};

/* Sends one message of up to two parts. 0, or -1 with errno. */
int wire_send(const struct host *host, int socket, uint32_t type, const void *first, size_t first_size,
              const void *second, size_t second_size, const int *fds, size_t fd_count);

/* A received message. A zeroed one is empty; it keeps its memory for the next. */
struct wire_message {
	struct wire_header header;
	char *body;
	size_t capacity;
	int fds[WIRE_FDS_MAX]; /* header.fd_count of them, to be closed by the receiver */
};

/* 1: received, 0: the other end has closed, -1: errno (EPROTO: not a message; ENOMEM). */
int wire_receive(const struct host *host, int socket, struct wire_message *message);
void wire_message_release(struct wire_message *message);

#endif
