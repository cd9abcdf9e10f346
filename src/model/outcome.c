#include "model/outcome.h"

#include <math.h>
#include <string.h>

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
