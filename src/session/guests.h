/* What the files of guests share: processes of other frameworks in a session (guests.c). */
#ifndef TARE_SESSION_GUESTS_H
#define TARE_SESSION_GUESTS_H

#include "adapters/guest.h"
#include "session/programs.h"

enum { GROUP_MOST = 64, LOST_MOST = 2 /* then it gets its own */ };
#define GUEST_MOST_TIME 0.5 /* seconds of a benchmark in a run */

/* What a session knows of a benchmark of a guest. */
struct guest_benchmark {
	size_t repetitions;
	unsigned lost;   /* processes with others in which it had no values */
	double cost;     /* seconds of its last run */
	double own_time; /* seconds of a repetition, where the framework does not take ours; 0: it does */
	double seconds;  /* that a run of each side is asked to take */
	double spent;    /* seconds of `runs` runs that were asked for so */
	size_t runs;
};

struct guests {
	struct spawner *spawner;
	struct guest **guests;      /* by side */
	struct guest_benchmark *of; /* by benchmark of the session */
	double tried, seconds;      /* of a benchmark when it is tried, and in a run unless it has its own */
	/* The processes that ran last: */
	struct guest_run *runs;     /* by side */
	size_t members[GROUP_MOST]; /* the benchmarks in them; SIZE_MAX: taken */
	size_t member_count;
};

/* Processes that are to run. */
struct guest_group {
	const size_t *members; /* each.count of them */
	bool at_once;
	const size_t *order;     /* of the sides, where they are not at once */
	struct guest_order each; /* what every process does, but for the benchmarks' names; limit 0: what suits them */
};

/* Processes of the sides on stage. What each reports is in guests->runs. */
int guests_run_group(struct session *session, const struct guest_group *group, struct error *err);

/* The side that has no values of member `at`, or SIZE_MAX. */
size_t guests_side_without(const struct session *session, size_t at);

/* What the process of the side says of why; as bench_take_outcome. */
int guests_lose(struct session *session, struct question *b, size_t side, size_t at, struct error *err);

#endif
