/* SPDX-License-Identifier: MIT */
/* tare/protocol.h: how tare and a benchmark program talk; the words are in docs/protocol.md.
 *
 * The environment variable TARE_CHANNEL names the descriptors: "VERSION IN OUT [MAP]". Commands and replies are lines
 * of text on two pipes. MAP, if it is present and the program says that it uses it, is one shared mapping of this
 * layout in which an iteration is granted and answered without any text; a line on the pipe still wakes the other side,
 * because a pipe also shows when its other end has died.
 *
 * Fixed-width fields at their natural alignment, no pointers, native byte order: the same for 32- and 64-bit programs.
 * Each side writes only its own part. Either may be killed at any instruction or, being wrong, write anywhere: the
 * reader copies a part out, then checks sequence and checksum of the copy, and believes nothing else. */
#ifndef TARE_PROTOCOL_H
#define TARE_PROTOCOL_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define TARE_PROTOCOL_VERSION 1
#define TARE_CHANNEL_VARIABLE "TARE_CHANNEL"
#define TARE_MAP_MAGIC        UINT64_C(0x3150414d45524154) /* "TAREMAP1" in memory of a little-endian machine */

enum {
	TARE_LINE_MAX = 4096, /* bytes of a line with its newline */
	TARE_THREADS_MAX = 256,
	TARE_METRICS_MAX = 16,
	TARE_UNITS_MAX = 4096,
	TARE_NAME_SIZE = 48, /* of a metric, with the final NUL */
	TARE_UNIT_SIZE = 16,
	TARE_REASON_SIZE = 256
};

/* What a grant asks for besides the wall time, and what an answer contains. */
enum {
	TARE_HAS_CPU = 1 << 0,         /* CPU time of the thread */
	TARE_HAS_DELAY = 1 << 1,       /* time it was ready to run and waited for a CPU */
	TARE_HAS_PROCESS_CPU = 1 << 2, /* CPU time of all threads of the process */
	TARE_HAS_USAGE = 1 << 3,       /* page faults and context switches of the thread */
	TARE_HAS_CPUS = 1 << 4,        /* the CPU at the start and at the end (answers only) */
	TARE_HAS_WALL = 1 << 5         /* answers only; always set when the status is ok */
};

/* Counters, one bit each in the order of this list: symbol, name in the text, perf event type (0 hardware, 1 software),
 * config. */
#define TARE_COUNTERS(X) \
	X(TARE_COUNTER_CYCLES, "cycles", 0, 0) \
	X(TARE_COUNTER_INSTRUCTIONS, "instructions", 0, 1) \
	X(TARE_COUNTER_CACHE_REFERENCES, "cache-references", 0, 2) \
	X(TARE_COUNTER_CACHE_MISSES, "cache-misses", 0, 3) \
	X(TARE_COUNTER_BRANCHES, "branches", 0, 4) \
	X(TARE_COUNTER_BRANCH_MISSES, "branch-misses", 0, 5) \
	X(TARE_COUNTER_TASK_CLOCK, "task-clock", 1, 1) \
	X(TARE_COUNTER_PAGE_FAULTS, "page-faults", 1, 2)

enum tare_counter {
#define TARE_COUNTER_SYMBOL(symbol, name, type, config) symbol,
	TARE_COUNTERS(TARE_COUNTER_SYMBOL)
#undef TARE_COUNTER_SYMBOL
		TARE_COUNTER_COUNT
};

enum tare_answer_status {
	TARE_STATUS_NONE, /* no answer yet */
	TARE_STATUS_OK,
	TARE_STATUS_SKIPPED, /* `reason` says why */
	TARE_STATUS_FAILED
};

struct tare_map_head { /* the controller's, never changed after the start */
	uint64_t magic;
	uint32_t version;
	uint32_t size; /* bytes of the mapping */
};

struct tare_grant {       /* the controller's */
	uint64_t sequence;    /* 1, 2, … */
	uint64_t invocations; /* of each thread; 0 measures an empty loop */
	uint32_t metrics;     /* TARE_HAS_… */
	uint32_t counters;    /* bits 1 << TARE_COUNTER_… */
	uint64_t checksum;    /* of the fields above */
};

struct tare_answer {   /* the program's */
	uint64_t checksum; /* of everything that follows and of the used part of the arrays (tare_answer_checksum) */
	uint64_t sequence; /* that of the grant */
	uint64_t invocations;
	uint64_t segments; /* times the clock was started and stopped; 1 without untimed parts */
	uint64_t wall;     /* nanoseconds, raw; threads: from the first start to the last end */
	uint64_t cpu;      /* nanoseconds; threads: the sum */
	uint64_t delay;
	uint64_t process_cpu;
	uint64_t minor_faults, major_faults;
	uint64_t voluntary_switches, involuntary_switches;
	uint64_t counter[TARE_COUNTER_COUNT];
	uint64_t counter_enabled, counter_running; /* nanoseconds; running < enabled: multiplexed */
	double items, bytes;                       /* handled in this iteration by all threads; 0: not reported */
	uint64_t unit_total;                       /* readings made; every unit_stride-th is kept */
	uint32_t unit_stride;
	uint32_t unit_count;
	uint32_t status;       /* enum tare_answer_status */
	uint32_t present;      /* TARE_HAS_… */
	uint32_t counters;     /* bits of the counters that are known */
	uint32_t thread_count; /* entries of threads[]; 1 for an ordinary benchmark */
	uint32_t metric_count;
	uint32_t cpu_first, cpu_last;
	uint32_t unit_better; /* 0 lower, 1 higher */
	char unit_name[TARE_NAME_SIZE];
	char unit_unit[TARE_UNIT_SIZE];
	char reason[TARE_REASON_SIZE];
};

struct tare_thread_times {
	uint64_t start; /* nanoseconds after the first thread's start */
	uint64_t wall, cpu, delay;
};

struct tare_metric {
	double value;
	uint32_t better; /* 0 lower, 1 higher */
	uint32_t reserved;
	char name[TARE_NAME_SIZE];
	char unit[TARE_UNIT_SIZE];
};

/* An answer with all its arrays; the program fills its own copy and copies the used part into the mapping. */
struct tare_reply {
	struct tare_answer answer;
	struct tare_thread_times threads[TARE_THREADS_MAX];
	struct tare_metric metrics[TARE_METRICS_MAX];
	double units[TARE_UNITS_MAX];
};

struct tare_map {
	struct tare_map_head head;
	struct tare_grant grant;
	struct tare_reply reply;
};

/* A checksum against accidents, not against malice. `size` is a multiple of 8. */
static inline uint64_t tare_checksum(uint64_t start, const void *bytes, size_t size)
{
	const unsigned char *from = (const unsigned char *)bytes;
	uint64_t sum = start ^ UINT64_C(0xcbf29ce484222325);
	for (size_t i = 0; i < size; i += 8) {
		uint64_t word;
		memcpy(&word, from + i, 8);
		sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		sum ^= sum >> 32;
	}
	return sum;
}

static inline uint64_t tare_grant_checksum(const struct tare_grant *grant)
{
	return tare_checksum(0, grant, offsetof(struct tare_grant, checksum));
}

/* The counts of the answer must be within the sizes of the arrays (see tare_reply_copy). */
static inline uint64_t tare_answer_checksum(const struct tare_reply *reply)
{
	const struct tare_answer *answer = &reply->answer;
	const size_t skip = sizeof(answer->checksum);
	uint64_t sum = tare_checksum(0, (const unsigned char *)answer + skip, sizeof(*answer) - skip);
	sum = tare_checksum(sum, reply->threads, answer->thread_count * sizeof(reply->threads[0]));
	sum = tare_checksum(sum, reply->metrics, answer->metric_count * sizeof(reply->metrics[0]));
	return tare_checksum(sum, reply->units, answer->unit_count * sizeof(reply->units[0]));
}

/* Copies an answer and the used part of its arrays; returns 0 if a count exceeds its array. Only the copy is
 * examined, because the other side may be writing. */
static inline int tare_reply_copy(struct tare_reply *to, const struct tare_reply *from)
{
	const struct tare_answer *answer = &to->answer;
	memcpy(&to->answer, &from->answer, sizeof(to->answer));
	if (answer->thread_count > TARE_THREADS_MAX || answer->metric_count > TARE_METRICS_MAX ||
	    answer->unit_count > TARE_UNITS_MAX)
		return 0;
	memcpy(to->threads, from->threads, answer->thread_count * sizeof(to->threads[0]));
	memcpy(to->metrics, from->metrics, answer->metric_count * sizeof(to->metrics[0]));
	memcpy(to->units, from->units, answer->unit_count * sizeof(to->units[0]));
	return 1;
}

/* The sequence number publishes a grant or an answer: write everything else first. */
static inline void tare_sequence_store(uint64_t *sequence, uint64_t value)
{
	__atomic_store_n(sequence, value, __ATOMIC_RELEASE);
}

static inline uint64_t tare_sequence_load(const uint64_t *sequence)
{
	return __atomic_load_n(sequence, __ATOMIC_ACQUIRE);
}

#endif
