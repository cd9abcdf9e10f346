/* One start of one command, as the spawner sees it: what is asked, and what came of it.
 *
 * The report has fixed-width fields only: it travels over a socket as it is. */
#ifndef TARE_HOST_COMMAND_H
#define TARE_HOST_COMMAND_H

#include "base/buffer.h"
#include "host/counters.h"
#include "host/cpuset.h"

enum stdio_mode {
	STDIO_NULL,    /* /dev/null */
	STDIO_INHERIT, /* what tare itself was started with */
	STDIO_FILE,    /* an open descriptor of the caller */
	STDIO_CAPTURE, /* a pipe whose bytes go to a buffer (output only) */
	STDIO_SAME,    /* standard error: the same place as standard output */
};

struct command_stdio {
	uint32_t mode; /* enum stdio_mode */
	int fd;        /* STDIO_FILE: stays open and the caller's; input is read from its offset */
	int64_t most;  /* STDIO_FILE of shared_file(): more bytes are forgotten while it is waited for; 0: none are */
	struct buffer *capture; /* STDIO_CAPTURE: filled up to its maximum, the rest is read and dropped */
};

enum command_flags {
	COMMAND_KEEP = 1,   /* what it leaves behind runs on until the spawner closes (for a server that --setup starts) */
	COMMAND_REFILL = 2, /* with others at once: started again until all of them have ended once */
};

struct command_request {
	unsigned lane;             /* 0 … LANES_MAX − 1: where it runs; commands that run at once need a lane each */
	const char *path;          /* the program, as execve takes it */
	const char *const *argv;   /* ends with NULL; at least one */
	const char *const *env;    /* "NAME=value" to set, "NAME" to remove; ends with NULL; NULL: as tare's own */
	const char *variable;      /* one more of them; NULL: none */
	const char *directory;     /* NULL: tare's own */
	uint32_t pad;              /* bytes of a variable that nobody reads, which moves the stack; 0: none */
	uint32_t flags;            /* enum command_flags */
	const struct cpuset *cpus; /* NULL: as tare's own */
	int64_t timeout;           /* ns from the start, 0: none */
	struct command_stdio stdio[3];
};

enum { COMMAND_PAD_MAX = 1 << 16, LANES_MAX = 8, SERIES_MAX = 48, COMMAND_NAME = 64 };

enum command_result {
	COMMAND_EXITED,      /* code: exit status */
	COMMAND_SIGNALED,    /* code: the signal; not one of ours */
	COMMAND_TIMED_OUT,   /* killed after `timeout` */
	COMMAND_CANCELLED,   /* killed because the caller asked for it */
	COMMAND_STOPPED,     /* killed because it was stopped for using the terminal; code: the signal */
	COMMAND_NOT_STARTED, /* stage says what failed, code: errno */
	COMMAND_PEER_LOST,   /* never started, because another one that it was to run with could not */
	COMMAND_LOST,        /* the process that watched over it was killed; so was the command */
};

enum start_stage {
	START_PROGRAM,   /* execve */
	START_PROCESS,   /* making a process */
	START_DIRECTORY, /* entering the working directory */
	START_CPUS,      /* pinning */
	START_STDIO,     /* its standard files */
	START_MEMORY,    /* room for arguments and environment */
	START_LANE,      /* the set-up of the process that starts it */
};

/* Instants and durations in ns, -1: not known. CPU time, faults, switches and blocks are those
 * of the command and of all descendants that have ended. */
struct command_report {
	uint32_t result; /* enum command_result */
	int32_t code;
	uint32_t stage;   /* enum start_stage */
	uint32_t stops;   /* times it was stopped by a signal and continued */
	int64_t asked;    /* instant before the process was made */
	int64_t executed; /* instant before execve */
	int64_t ended;    /* instant at which its end was seen */
	int64_t user, system;
	int64_t leader_run;                 /* CPU time of its first thread by the scheduler's account, from `asked` on */
	int64_t leader_delay;               /* time that its first thread waited for a CPU, from `executed` on */
	int64_t process_run, process_delay; /* the same of all threads; only where it was one process of several */
	int64_t start_cpu;                  /* part of the CPU time that was used before execve */
	int64_t peak_rss;                   /* bytes, of the largest process of the command */
	int64_t rss_floor; /* bytes: the peak of the process that started it, which peak_rss cannot be below */
	int64_t minor_faults, major_faults;
	int64_t voluntary_switches, involuntary_switches;
	int64_t blocks_in, blocks_out;    /* of 512 bytes */
	int64_t migrations;               /* times that its first thread was moved to another CPU; -1: not known */
	int64_t energy;                   /* µJ of the whole machine meanwhile */
	uint32_t adopted;                 /* descendants that outlived their parent and had ended by then */
	uint32_t leftovers;               /* descendants that were still alive after the command's end, killed or kept */
	uint32_t unkillable;              /* of them, those that did not end within some seconds */
	uint32_t refills;                 /* complete further runs of COMMAND_REFILL */
	char leftover_name[COMMAND_NAME]; /* of one leftover */
	struct counter_value counters[COUNTERS_MAX]; /* of the run alone */
};

#endif
