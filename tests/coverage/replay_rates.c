/* The whole table of replayed sessions: series × preset. Fails when a claim does not hold. */
#include "coverage/replay.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	static const char *const presets[] = {"", "quick", "normal", "strict"};
	size_t sessions = argc > 1 ? (size_t)atol(argv[1]) : 1000;
	int broken = 0;
	gsl_set_error_handler_off();
	printf("replayed sessions, 95 %% intervals, %zu each; simulation error at 95 %%: %.1f points\n", sessions,
	       100 * sqrt(0.05 * 0.95 / (double)sessions));
	for (int preset = PRESET_QUICK; preset <= PRESET_STRICT; preset++)
		for (int series = 0; series < REPLAY_SERIES; series++) {
			struct replay r = replay_sessions((enum replay_series)series, (enum preset)preset, sessions, 1);
			double cover = (double)r.covered / (double)r.finished,
				   pilot = replay_pilot((enum replay_series)series, (enum preset)preset);
			double error = sqrt(0.05 * 0.95 / (double)sessions);
			bool claims = replay_claims((enum replay_series)series, (enum preset)preset);
			bool fails = claims &&
			             (r.finished < sessions || cover + 2 * error < 0.93 || (pilot > 0 && r.median >= pilot));
			printf("%-7s %-14s covers %5.1f %%  ends %5.1f %%  median %5.0f readings", presets[preset],
			       replay_name((enum replay_series)series), 100 * cover, 100 * (double)r.finished / (double)sessions,
			       r.median);
			if (pilot > 0)
				printf("  (Pilot %.0f)", pilot);
			printf("%s\n", fails ? "  BROKEN" : claims ? "" : "  the warm-up is longer than the session: not visible");
			fflush(stdout);
			broken += fails;
		}
	return broken > 0;
}
