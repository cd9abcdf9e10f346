/* The stable speed from rounds of different work amounts: what the rounds show, whether that is enough, and whether the
 * line holds at all (docs/methods.md, "Sessions of readings, and of work amounts"). */
#ifndef TARE_DECIDE_WORK_FIT_H
#define TARE_DECIDE_WORK_FIT_H

#include "model/experiment.h"
#include "model/result.h"
#include "stats/work_line.h"
#include "stats/wps.h"

#include <stdbool.h>

struct work_goal {
	double shortest; /* seconds that a round should take at least */
	double from;     /* rounds of less work only looked for the first that was long enough: they are not used. Infinite:
	                           not known yet */
	double precision;       /* relative half-width of the speed's interval to reach */
	double level;           /* of the intervals */
	double autocorrelation; /* of what the line leaves, at most */
	size_t least;           /* rounds used before the session may end, ≥ 3 */
	bool once;              /* one look at rounds fixed before */
};

/* What a session asks of its line: its preset's numbers, or what the experiment says itself. Without a preset rounds of
 * half a second, its precision, 10 rounds; quick: 0.5 s, 10 %, 8; normal: 1 s, 5 %, 10; strict: 5 s, 5 %, 20 rounds. */
struct work_goal work_goal_for(const struct experiment *experiment);
/* Seconds that such a session may take, where nobody says. */
double work_budget_for(const struct experiment *experiment);

struct work_fit {
	enum stats_status status; /* STATS_OK, STATS_UNBOUNDED: the rest is known */
	struct work_line line;    /* through the rounds in use */
	struct wps
		wps; /* which rounds these are; speed and alpha by the weighted line, with the looks allowed for: t·√(1 + 5/rounds).
	                             wps.line is the unweighted one */
	double prediction_error; /* root mean square of the residuals over the predicted times, relative */
	struct interval ratios;  /* the middle share of times over predicted times, as large as the level; NaN: not known */
	double low_speed, high_speed; /* in the lower and the upper half of the amounts; NaN */
	size_t subsession;     /* neighbouring rounds to merge until what the line leaves is not correlated; 0: not found */
	bool halves_differ;    /* clearly, and by more than a tenth */
	const char *refused;   /* why there is no such speed, or NULL */
	const char *instead;   /* what to do then */
	bool final;            /* refused, and more rounds will not change that */
	const char *waits_for; /* not refused and not enough: what is missing; or NULL */
	bool enough;
	double missing; /* rounds, about; INFINITY: not known */
};

/* False when out of memory. Rounds in the order they ran. */
bool work_fit(const double *work, const double *seconds, size_t n, const struct work_goal *goal, struct work_fit *out);

/* The work that could have been done in alpha, by the end of its interval that is nearer to 0: rounds of less are
 * overhead for the most part. 0: alpha may be 0. */
double work_fit_besides(const struct work_fit *fit);

/* Seconds that `work` will take, with the interval of one more round. Rounds far beyond those measured vary as much in
 * relative terms as these do. */
struct interval work_fit_predict(const struct work_fit *fit, double work, double *seconds);

#endif
