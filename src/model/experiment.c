#include "model/experiment.h"

#include <math.h>
#include <string.h>

const char *stop_rule_name(enum stop_rule rule)
{
	static const char *const names[] = {"auto", "precision", "verdict", "fixed", "stable"};
	return names[rule];
}

void experiment_init(struct experiment *experiment)
{
	memset(experiment, 0, sizeof(*experiment));
	experiment->design = "auto";
	experiment->confidence = experiment->gate = NAN;
	experiment->precision = experiment->margin = 0.01;
	experiment->share_margin = NAN;
	experiment->warmup = -1;
	experiment->output = "null";
	experiment->pad = true;
	experiment->bench.max_warmup = SIZE_MAX;
	experiment->monitor.limit = 0.8;
	experiment->monitor.hold = 1000000000;
	experiment->monitor.overhead = 0.01;
}

void experiment_release(struct experiment *experiment)
{
	arena_release(&experiment->arena);
	experiment_init(experiment);
}

double experiment_confidence(const struct experiment *experiment)
{
	return isnan(experiment->confidence) ? 0.99 : experiment->confidence;
}

double experiment_confidence_one(const struct experiment *experiment)
{
	return isnan(experiment->confidence) ? 0.95 : experiment->confidence;
}
