/* Generated workloads: phases of unit readings, and speed, alpha and prediction over work amounts. usage:
 * workload-rates [SESSIONS [SEED]]. Fails when phases are right in fewer than 95 % of the rounds, or an interval holds
 * its truth in fewer than 95 % of the sessions by more than two simulation errors, or when more than two sessions of a
 * hundred need over 20 minutes (of the workload's time). On the wandering machine, whose rounds resemble their
 * neighbours, 90 % are claimed, and five of a hundred may need longer: what is done about it is a guard
 * (stats/runcorr.h), and a session that happens to see little of the wandering ends early. Of a machine that is slow for
 * many rounds at a time nothing is claimed: its figures show the limit. */
#include "coverage/workloads.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static double share(size_t part, size_t whole)
{
	return whole ? 100 * (double)part / (double)whole : 0;
}

int main(int argc, char **argv)
{
	size_t sessions = argc > 1 ? (size_t)atol(argv[1]) : 200;
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	double error = 100 * sqrt(0.05 * 0.95 / (double)sessions);
	int broken = 0;
	gsl_set_error_handler_off();
	printf("generated workloads, %zu sessions each; simulation error at 95 %%: %.1f points\n", sessions, error);
	for (int w = 0; w < WORKLOADS; w++) {
		struct workload_rates r = workload_sessions((enum workload)w, sessions, seed);
		double speed = share(r.speed, r.ended), alpha = share(r.alpha, r.ended),
			   predicted = share(r.predicted, r.ended);
		double claimed = w == WORKLOAD_WANDER ? 90 : 95, ends = w == WORKLOAD_WANDER ? 95 : 98;
		bool misses = share(r.phases, r.rounds) < 95 || share(r.ended, r.sessions) < ends ||
		              fmin(fmin(speed, alpha), predicted) < claimed - 2 * error;
		bool fails = misses && w != WORKLOAD_SLOW_AT_TIMES;
		printf(
			"%-18s phases within 2 %%: %5.1f %% of rounds; over work: ended %5.1f %%, median %3.0f rounds, speed held %5.1f %%, alpha %5.1f %%, "
			"prediction %5.1f %%%s\n",
			workload_name((enum workload)w), share(r.phases, r.rounds), share(r.ended, r.sessions), r.readings, speed,
			alpha, predicted, fails ? "  BROKEN" : "");
		fflush(stdout);
		broken += fails;
	}
	return broken > 0;
}
