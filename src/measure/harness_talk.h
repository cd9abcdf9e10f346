/* What the files of measure/harness.h share: the program's record, and talking to it. */
#ifndef TARE_MEASURE_HARNESS_TALK_H
#define TARE_MEASURE_HARNESS_TALK_H

#include "base/arena.h"
#include "host/lines.h"
#include "host/program.h"
#include "host/shared.h"
#include "measure/harness.h"

enum { HARNESS_PRINTED_SHOWN = 200 }; /* bytes kept of what it prints */

#define HARNESS_ANSWER_LIMIT INT64_C(10000000000) /* ns for what takes no time: list, calibrate */
#define HARNESS_STOP_LIMIT   INT64_C(2000000000)

struct harness {
	struct host host;
	struct program program;
	struct lines lines;
	struct shared shared; /* place NULL: text only */
	int out, err;         /* files for what it prints */
	int cancel;
	bool pinned;
	struct cpuset cpus;
	char *name; /* of the program, for messages */
	char language[32];
	bool maps; /* the program uses the mapping */
	struct tare_map_head head;
	struct arena arena; /* of the list */
	struct harness_benchmark *benchmarks;
	size_t benchmark_count, benchmark_capacity;
	bool listed;
	struct tare_grant grant; /* the last one sent */
	int64_t granted, limit;  /* when, and how long it may take */
	struct tare_reply reply;
	uint32_t notes, fresh; /* since the benchmark was selected; in this step */
	char printed[HARNESS_PRINTED_SHOWN];
	bool prints; /* it has ever printed something */
};

struct harness_outcome harness_well(void);
struct harness_outcome harness_gone(void); /* the program had ended before */
struct harness_outcome harness_outcome_of(enum harness_end end, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* How a program that has ended by itself did so. */
struct harness_outcome harness_death(struct harness *harness);

/* Kills a program that cannot be believed any more. */
struct harness_outcome harness_garbage(struct harness *harness, const char *what);

/* What a failed wait for a line means; the program is gone afterwards. `limit` in ns, for the words. */
struct harness_outcome harness_lose(struct harness *harness, enum lines_status status, int64_t limit);

/* Sends a line (with its newline), and receives one (without it, good until the next). */
struct harness_outcome harness_tell(struct harness *harness, const char *line, int64_t limit);
struct harness_outcome harness_hear(struct harness *harness, int64_t deadline, int64_t limit, char **line);

/* As lines_receive, and as program_wait for HARNESS_STOP_LIMIT; what the program prints without end meanwhile is thrown
 * away. */
enum lines_status harness_receive(struct harness *harness, int64_t deadline, char **line);
bool harness_await_end(struct harness *harness);

/* What it printed, and where it may run, since the last look; what is new is added to `fresh`. */
void harness_look_at_output(struct harness *harness);
void harness_look_at_cpus(struct harness *harness);

#endif
