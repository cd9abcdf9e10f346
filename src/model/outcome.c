#include "model/outcome.h"

#include <math.h>
#include <string.h>

static const char *const status_names[OUTCOME_STATUSES] = {"ok",          "exit",      "signal",   "timeout",
                                                           "not started", "disturbed", "cancelled"};

void outcome_init(struct outcome *outcome)
{
	memset(outcome, 0, sizeof(*outcome));
	outcome->status = OUTCOME_NOT_STARTED;
	outcome->counter_share = NAN;
	outcome->rss_floor = -1;
	for (int i = 0; i < METRIC_COUNT; i++)
		outcome->why[i] = "it did not run";
	for (int i = 0; i < OUTCOME_COUNTERS; i++)
		outcome->counters[i] = -1;
}

double outcome_value(const struct outcome *outcome, enum metric_id metric)
{
	if (outcome->status != OUTCOME_OK || outcome->why[metric])
		return NAN;
	return (double)outcome->raw[metric] * metric_scale(metric);
}

const char *outcome_status_name(enum outcome_status status)
{
	return status_names[status];
}

int64_t outcome_overlap(const struct outcome *a, const struct outcome *b)
{
	int64_t from = a->started > b->started ? a->started : b->started;
	int64_t to = a->ended < b->ended ? a->ended : b->ended;
	return to > from ? to - from : 0;
}
