/* Which work amount to run next (Li et al. 2016, sections III-A and III-E; docs/methods.md, "Sessions of readings,
 * and of work amounts"). Pure: it knows only amounts and seconds. */
#ifndef TARE_DESIGN_WORK_H
#define TARE_DESIGN_WORK_H

#include "base/error.h"
#include "base/random.h"

#include <stdbool.h>
#include <stddef.h>

enum { WORK_PARTS = 3 };

struct work_rule {
	double low, high;      /* amounts allowed, 0 ≤ low < high; whole numbers where both are */
	double shortest;       /* seconds; shorter rounds are not used */
	double first_estimate; /* seconds in which there should be one */
	size_t rounds;         /* that it should be made of, at most */
	size_t least;          /* rounds that the session needs in any case */
	uint64_t seed;         /* of the order of amounts */
};

struct work_session {
	struct work_rule rule;
	struct random random;
	double *work, *seconds; /* of all rounds */
	size_t n, capacity;
	bool whole;                      /* amounts are whole numbers */
	bool found;                      /* a round was long enough: `from` is the least amount to use */
	bool too_short;                  /* even the largest amount takes less than `shortest`: that no longer counts */
	size_t since_found;              /* rounds */
	double from;                     /* the least amount of new rounds */
	double first;                    /* rounds with less work are not used */
	double *planned;                 /* amounts of the first estimate, in random order */
	size_t planned_count;            /* still to come */
	unsigned char parts[WORK_PARTS]; /* of the amounts, that come next */
	size_t parts_left;
};

void work_session_init(struct work_session *session, const struct work_rule *rule);
void work_session_release(struct work_session *session);

/* A round that went well: its amount and how long it took (> 0). */
int work_session_add(struct work_session *session, double work, double seconds, struct error *err);

/* Work below this is overhead for the most part: rounds with less are no longer asked for. */
void work_session_raise(struct work_session *session, double from);

/* The amount of the next round: doubled while rounds are too short or hardly longer than the first; then, in random
 * order, as many as make a first estimate in time; then middles of wide gaps, of every three rounds one at each end.
 * `left`: seconds that the session still has; amounts are so small that the rounds it needs in any case fit. NaN: out
 * of memory. */
double work_session_next(struct work_session *session, double left);

/* The same where rounds give unit readings: doubled while rounds are too short, and grown by the readings that are
 * still missing (`readings` of `wanted` in stable phases so far), at most five times the mean so far
 * (stats/work_amounts.h); then the largest so far. */
double work_session_next_for_units(struct work_session *session, double wanted, double readings);

/* Whether a round is too short to be used, though larger ones are possible. */
bool work_session_is_short(const struct work_session *session, double work, double seconds);

#endif
