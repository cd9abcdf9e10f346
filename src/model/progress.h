/* How far a session is, and what it knows so far. */
#ifndef TARE_MODEL_PROGRESS_H
#define TARE_MODEL_PROGRESS_H

#include "model/result.h"

struct session;
struct question;

/* What is known of one number. */
struct session_estimate {
	const char *subject; /* what it speaks of, or NULL: nothing known yet */
	const char *against; /* of a ratio: what it is compared with; NULL: the reference */
	bool is_ratio;       /* else a value of `unit` */
	const char *unit;
	double estimate, low, high; /* NaN: not known yet */
	double target;              /* relative half-width to reach; NaN: something else is waited for */
	const char *criteria;       /* "cv@0.01+kld": what is waited for; NULL: the target, or a verdict */
	bool decided;               /* no more is asked of it */
	enum verdict verdict;       /* of a ratio, so far */
	const struct phase *phase;  /* of the unit readings of the last round; NULL: it has none */
	size_t readings;            /* of that round */
};

enum { SESSION_ESTIMATES = 8 };

struct session_progress {
	const char *phase;            /* "warm-up", "trying turns", "measuring" */
	size_t runs;                  /* of every subject, so far */
	size_t pairs;                 /* 0: no pairs */
	size_t done, asked;           /* benchmarks of a suite that are decided, and all of them; 0: no suite */
	size_t untouched;             /* of them: without a run yet */
	size_t left_out;              /* of them: skipped, or lost by a failure; neither decided nor open */
	struct session_estimate most; /* what needs most */
	struct session_estimate each[SESSION_ESTIMATES]; /* where there are several: as many as find room */
	size_t each_count;
	double elapsed, budget;          /* seconds */
	double left;                     /* until the end as far as known, at most the budget's rest */
	double used, waited;             /* of the time of the last run: on a CPU, and waiting for one; NaN: not known */
	struct session *session;         /* for session_others() */
	const struct question *question; /* the one in hand, or NULL */
};

#endif
