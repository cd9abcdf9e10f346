/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tare/tare.h: measuring sessions inside a program, in C11 and C++11. Link with -ltare (pkg-config tare).
 *
 *	struct tare_session *session = tare_session_new();
 *	tare_session_preset(session, TARE_QUICK);
 *	struct tare_pi rate = {.name = "rate", .unit = "MB/s", .mean = TARE_HARMONIC};
 *	tare_session_add_pi(session, &rate, NULL);
 *	if (tare_session_run(session, workload, NULL) == TARE_OK) {
 *		struct tare_estimate e;
 *		tare_session_estimate(session, 0, &e);
 *		printf("%g MB/s, %g to %g\n", e.mean, e.low, e.high);
 *	}
 *	tare_session_free(session);
 *
 * Nothing here prints, exits or keeps state outside its handle: different handles may be used by different threads at
 * the same time, one handle by one thread at a time. Functions that can fail return a tare_status; outputs are written only on
 * TARE_OK (exceptions are documented). Times are in seconds, levels and widths are fractions (0.95, 0.1). Structs that are passed
 * in may be zeroed: 0 or NULL means the default. Later versions may add functions, and members in the reserved
 * space of structs.
 *
 * libtare uses GSL and never installs an error handler; it checks arguments before it passes them to GSL.
 * GPL-3.0-or-later, as GSL is. The benchmark harness <tare/bench.h> is another library, and MIT. */
#ifndef TARE_TARE_H
#define TARE_TARE_H

#include <stddef.h>
#include <stdint.h>

#ifndef TARE_API
#define TARE_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum tare_status {
	TARE_OK,
	TARE_NO_MEMORY,
	TARE_BAD_ARGUMENT,
	TARE_LIMIT,     /* the limit was reached before the result was precise enough; the measurements are kept */
	TARE_FAILED,    /* the workload failed or gave no reading; the measurements before it are kept */
	TARE_NOT_KNOWN, /* too few values, or the number does not exist for them */
	TARE_UNBOUNDED  /* the number is known, but its interval is unbounded: high is infinite */
};

TARE_API const char *tare_status_text(enum tare_status status);
TARE_API const char *tare_version(void);

/* ---- describing a session ---- */

struct tare_session;

enum tare_mean { TARE_ARITHMETIC, TARE_HARMONIC, TARE_GEOMETRIC };
enum tare_preset { TARE_QUICK = 1, TARE_NORMAL, TARE_STRICT };
enum tare_phases { TARE_PHASES_AUTO, TARE_PHASES_EDM, TARE_PHASES_NONE };

/* A performance index: something that every round reports. */
struct tare_pi {
	const char *name, *unit;
	enum tare_mean mean;    /* harmonic for rates of a fixed amount of work */
	double width;           /* width of the interval to reach, relative to the mean; 0: the preset's */
	double confidence;      /* 0: 0.95 */
	double autocorrelation; /* limit for neighbouring readings; 0: the preset's */
	int units;              /* rounds give unit readings, one for each unit of work */
	int watch;              /* only reported: the session does not wait until it is precise */
	int higher;             /* higher is better, as for a rate; implied by a harmonic mean */
	void *reserved[3];
};

TARE_API struct tare_session *tare_session_new(void);          /* NULL: no memory. Preset normal, no limit of rounds. */
TARE_API void tare_session_free(struct tare_session *session); /* NULL is fine */

/* Call these before the first round; afterwards they return TARE_BAD_ARGUMENT. */
TARE_API enum tare_status tare_session_preset(struct tare_session *session, enum tare_preset preset);
TARE_API enum tare_status tare_session_add_pi(struct tare_session *session, const struct tare_pi *pi, size_t *index);
/* tare chooses a work amount in [low, high] for each round, a whole number if both are. Rounds under `shortest`
 * seconds are not used (0: the preset's). Without unit readings the session then ends when the slope of
 * time over work is known precisely enough. */
TARE_API enum tare_status tare_session_work(struct tare_session *session, double low, double high, double shortest);
TARE_API enum tare_status tare_session_phases(struct tare_session *session, enum tare_phases phases);
/* At most this many seconds and rounds; 0: the preset's time (2 min, 20 min, 1 h), any number of rounds. */
TARE_API enum tare_status tare_session_limit(struct tare_session *session, double seconds, size_t rounds);
/* At least this many rounds, instead of the preset's number; ≥ 2. */
TARE_API enum tare_status tare_session_least(struct tare_session *session, size_t rounds);

/* ---- a round ---- */

struct tare_round;

TARE_API double tare_round_work(const struct tare_round *round);   /* 0 in a session without work amounts */
TARE_API size_t tare_round_number(const struct tare_round *round); /* from 0 */
/* 0 in the rounds of tare_session_overhead() that are measured without unit readings: report none in these rounds. */
TARE_API int tare_round_wants_units(const struct tare_round *round);
TARE_API enum tare_status tare_round_reading(struct tare_round *round, size_t pi, double value);
TARE_API enum tare_status tare_round_unit(struct tare_round *round, size_t pi, double value);
TARE_API enum tare_status tare_round_units(struct tare_round *round, size_t pi, const double *values, size_t n);
/* Seconds that the work of the round took, if only a part of the workload counts; by default all of it is timed. */
TARE_API enum tare_status tare_round_seconds(struct tare_round *round, double seconds);

/* ---- letting tare drive ---- */

typedef int (*tare_workload)(struct tare_round *round, void *context); /* 0: success */

/* Measures rounds until every index is precise enough (TARE_OK), a limit is reached (TARE_LIMIT) or the workload fails
 * (TARE_FAILED). */
TARE_API enum tare_status tare_session_run(struct tare_session *session, tare_workload workload, void *context);

struct tare_ratio {
	double ratio, low, high; /* second over first; its interval at `level` */
	double level;
	size_t pairs;
};

/* What unit readings cost: `pairs` pairs of rounds with and without them, in random order; the ratio of their times.
 * All rounds have the same work amount (the largest so far, otherwise the lowest). The rounds are not part of the
 * session. */
TARE_API enum tare_status tare_session_overhead(struct tare_session *session, tare_workload workload, void *context,
                                                size_t pairs, struct tare_ratio *out);

/* ---- driving it yourself ---- */

/* Begins a round, which is timed from now on; one at a time. */
TARE_API enum tare_status tare_session_begin(struct tare_session *session, struct tare_round **round);
/* Ends the round; keep = 0 drops it. TARE_FAILED if an index has no reading; the round is then dropped. */
TARE_API enum tare_status tare_session_end(struct tare_session *session, struct tare_round *round, int keep);

TARE_API int tare_session_enough(const struct tare_session *session);
/* About how many more rounds or seconds are needed; infinite: not known. */
TARE_API double tare_session_missing_rounds(const struct tare_session *session);
TARE_API double tare_session_missing_seconds(const struct tare_session *session);
/* The work amount of the next round; 0 without work amounts, NaN if there is no memory. */
TARE_API double tare_session_next_work(struct tare_session *session);

/* ---- what a session shows ---- */

/* Estimates and lines are written with TARE_UNBOUNDED and TARE_NOT_KNOWN too: what is not known yet is NaN. */

struct tare_estimate {
	double mean, low, high;
	double level;
	size_t rounds, used;    /* the others are the session's warm-up */
	double autocorrelation; /* lag 1 of the readings used */
	size_t subsession;      /* neighbours to merge until that is small; 0: not found */
	int enough;
	double missing;        /* rounds */
	const char *waits_for; /* what is missing, in words */
	void *reserved[4];
};

struct tare_line {
	double speed, speed_low, speed_high; /* work per second in the stable phase */
	double alpha, alpha_low, alpha_high; /* seconds that do not depend on the work */
	double level;
	size_t rounds, used;
	double curvature_p;
	const char *refused; /* why the line cannot be used, or NULL */
	void *reserved[4];
};

TARE_API size_t tare_session_rounds(const struct tare_session *session);
TARE_API enum tare_status tare_session_estimate(const struct tare_session *session, size_t pi,
                                                struct tare_estimate *out);
TARE_API enum tare_status tare_session_line(const struct tare_session *session, struct tare_line *out);
/* Predicts the seconds of one more round with that work, from the line. */
TARE_API enum tare_status tare_session_predict(const struct tare_session *session, double work, double level,
                                               double *seconds, double *low, double *high);
/* The stable phase [from, to) of a round's unit readings; from == to: no phase dominates. */
TARE_API enum tare_status tare_session_phase(const struct tare_session *session, size_t pi, size_t round, size_t *from,
                                             size_t *to);

/* ---- comparing two functions ---- */

enum tare_outcome { TARE_UNDECIDED, TARE_FASTER, TARE_SLOWER, TARE_MIXED, TARE_SAME };

struct tare_compare_options {
	double margin;     /* a ratio within it counts as the same; 0: 0.01 */
	double confidence; /* above 0.5; 0: 0.99 */
	double seconds;    /* at most, but the current pair of calls is completed; 0: 60 */
	uint64_t seed;     /* of the order */
	void *reserved[4];
};

struct tare_verdict {
	enum tare_outcome outcome; /* second against first: TARE_FASTER means that the second takes less time */
	double ratio, low, high;   /* of the times, second over first */
	double level;
	size_t pairs;
	void *reserved[4];
};

/* Runs the two in turns, in blocks of random order, until the data shows that one is faster or that both are the same;
 * the interval allows for the look after each block. A call should take 10 µs or more: repeat the work inside. `options` may be NULL.
 * TARE_LIMIT: undecided; *out has the ratio so far, NaN before five blocks. TARE_FAILED: a function did not return
 * 0; *out as with TARE_LIMIT. */
TARE_API enum tare_status tare_compare(int (*first)(void *context), int (*second)(void *context), void *context,
                                       const struct tare_compare_options *options, struct tare_verdict *out);
TARE_API const char *tare_outcome_text(enum tare_outcome outcome); /* "faster", … */

/* ---- statistics: arrays in, numbers out ---- */

/* An interval is written with TARE_UNBOUNDED too. */

struct tare_interval {
	double estimate, low, high;
};

TARE_API enum tare_status tare_mean_of(const double *x, size_t n, enum tare_mean mean, double level,
                                       struct tare_interval *out);
TARE_API enum tare_status tare_median_of(const double *x, size_t n, double level, struct tare_interval *out);
TARE_API enum tare_status tare_proportion_of(size_t successes, size_t n, double level, struct tare_interval *out);
/* The mean of an autocorrelated series (equal-weighted cosines). */
TARE_API enum tare_status tare_series_mean(const double *x, size_t n, double level, struct tare_interval *out);
TARE_API enum tare_status tare_autocorrelation(const double *x, size_t n, double *lag1);
TARE_API enum tare_status tare_effective_size(const double *x, size_t n, double *out);
TARE_API enum tare_status tare_subsession(const double *x, size_t n, double limit, size_t *size);
/* new over base: pairs, or independent values. */
TARE_API enum tare_status tare_ratio_paired(const double *base, const double *new_, size_t n, double level,
                                            struct tare_interval *out);
TARE_API enum tare_status tare_ratio_unpaired(const double *base, size_t base_n, const double *new_, size_t new_n,
                                              double level, struct tare_interval *out);
/* Welch: difference a − b with its interval and two-sided p. */
TARE_API enum tare_status tare_welch(const double *a, size_t na, const double *b, size_t nb, double level,
                                     struct tare_interval *difference, double *p);
/* Places where the level changes, ascending, at most `most` of them; *count is set to how many there are. */
TARE_API enum tare_status tare_change_points(const double *x, size_t n, double alpha, size_t *places, size_t most,
                                             size_t *count);
TARE_API enum tare_status tare_stable_phase(const double *x, size_t n, enum tare_phases rule, size_t *from, size_t *to);

#ifdef __cplusplus
}
#endif

#endif
