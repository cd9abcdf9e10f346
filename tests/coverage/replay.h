/* Known series replayed as the rounds of a session: how often the interval that it ends with holds the true mean. */
#ifndef TARE_TESTS_COVERAGE_REPLAY_H
#define TARE_TESTS_COVERAGE_REPLAY_H

#include "decide/readings.h"

#include <stdint.h>

/* True mean 100 everywhere. */
enum replay_series {
	REPLAY_IID_2, /* independent, normal, coefficient of variation 2 % */
	REPLAY_IID_10,
	REPLAY_IID_25,
	REPLAY_LOGNORMAL, /* sigma 0.5 */
	REPLAY_AR_50,     /* first-order autoregression 0.5, coefficient of variation 10 % */
	REPLAY_AR_80,
	REPLAY_WARMUP, /* 40 readings 30 lower, then independent, 10 % */
	REPLAY_SERIES
};

const char *replay_name(enum replay_series series);

struct replay {
	size_t sessions, finished, covered;
	double median; /* readings of a session */
};

/* Sessions that are looked at as a session looks, of at most 10 000 readings. */
struct replay replay_sessions(enum replay_series series, enum preset preset, size_t sessions, uint64_t seed);

/* The median number of readings that Pilot needs where its intervals cover; 0: they do not, or nothing is known. */
double replay_pilot(enum replay_series series, enum preset preset);

/* Whether it can be known at all: a level that lasts longer than the least session cannot.
 *
 * Quick sessions and a warm-up of 40 readings: its first 40 readings are independent ones of mean 70 and sd 10, so of a
 * coefficient of variation of 14 %. A session that ends on them reports about 70, and cannot do otherwise. To cover in
 * 93 % at most 7 % of such sessions may end before reading 41; but independent readings of 10 % and of 25 % must end
 * before 30 and 36 at the median. A rule that sees readings alone and does not become stricter where they vary less
 * cannot do both, whatever it tests. We keep the second and say with every quick result how long a warm-up would have
 * been seen; normal and strict cover. */
bool replay_claims(enum replay_series series, enum preset preset);

#endif
