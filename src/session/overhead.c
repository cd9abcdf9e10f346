/* --overhead: pairs of runs with and without unit readings, in random order. Without means: TARE_READINGS=0 in the
 * environment, which a program that can do so takes as a request to report none, and its output thrown away unread.
 *
 * They come after the session; a time that was given holds for them too. */
#include "session/state.h"

#include "base/random.h"
#include "decide/overhead.h"

#include <math.h>

enum { PAIRS = 10, LEAST_PAIRS = 2 };

static int time_one(struct session *session, bool readings, double *seconds, struct error *err)
{
	source_want_readings(session->source, readings);
	int lost = session_single(session, 0, false, err);
	source_want_readings(session->source, true);
	*seconds = session_value(session, 0, METRIC_WALL);
	return lost < 0 ? -1 : 0;
}

int session_measure_overhead(struct session *session, struct error *err)
{
	const struct experiment *e = session->experiment;
	double with[PAIRS], without[PAIRS], first, second, pair = 2 * session->round_time;
	struct random random;
	size_t n = 0;
	random_stream(&random, e->seed, 7);
	for (int i = 0; i < PAIRS && !session_is_stopped(session); i++) {
		double before = session_elapsed(session);
		if (e->max_time && before + pair > session->budget) {
			if (n >= LEAST_PAIRS)
				break;
			return result_warn(session->result, "overhead",
			                   "what unit readings cost was not measured: no time was left for it (--max-time)") == 0
			           ? 0
			           : error_memory(err);
		}
		bool with_first = random_below(&random, 2) != 0;
		if (time_one(session, with_first, &first, err) != 0 || time_one(session, !with_first, &second, err) != 0)
			return -1;
		pair = session_elapsed(session) - before;
		session_tell(session, "what readings cost", &session->questions[0]);
		if (source_cancelled(session->source))
			return error_set(err, ERROR_INTERRUPTED, "interrupted");
		if (isnan(first) || isnan(second))
			continue;
		with[n] = with_first ? first : second;
		without[n++] = with_first ? second : first;
	}
	struct overhead_result *overhead = arena_alloc(&session->result->arena, 1, sizeof(*overhead));
	if (!overhead)
		return error_memory(err);
	overhead_of(without, with, n, experiment_confidence_one(e), overhead);
	session->result->subjects[0].overhead = overhead;
	return 0;
}
