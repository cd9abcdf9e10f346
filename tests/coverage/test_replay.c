/* A small part of replay-rates with a fixed seed. Simulation error of a coverage of 95 % over 120 sessions: 2 points; a
 * rate under 93 % by more than two of them fails. */
#include "coverage/replay.h"

#include "support/known.h"

static void check(enum replay_series series, enum preset preset)
{
	enum { SESSIONS = 120 };
	struct replay r = replay_sessions(series, preset, SESSIONS, 1);
	double pilot = replay_pilot(series, preset);
	if (r.finished != SESSIONS)
		fail_msg("%s: %zu of %d sessions ended", replay_name(series), r.finished, SESSIONS);
	if (100 * r.covered < 89 * r.finished)
		fail_msg("%s: %zu of %zu covered", replay_name(series), r.covered, r.finished);
	if (pilot > 0 && r.median >= pilot)
		fail_msg("%s: %g readings, Pilot %g", replay_name(series), r.median, pilot);
}

static void quick(void **state)
{
	(void)state;
	for (int series = 0; series < REPLAY_WARMUP; series++)
		check((enum replay_series)series, PRESET_QUICK);
}

static void normal(void **state)
{
	(void)state;
	check(REPLAY_IID_2, PRESET_NORMAL);
	check(REPLAY_IID_10, PRESET_NORMAL);
	check(REPLAY_AR_50, PRESET_NORMAL);
	check(REPLAY_WARMUP, PRESET_NORMAL);
}

static void strict(void **state)
{
	(void)state;
	check(REPLAY_IID_2, PRESET_STRICT);
	check(REPLAY_WARMUP, PRESET_STRICT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quick),
		cmocka_unit_test(normal),
		cmocka_unit_test(strict),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
