#include "model/metric.h"

static const struct {
	const char *name, *unit;
	double scale, step;
} metrics[METRIC_COUNT] = {
#define X(id, name, unit, scale, step) {name, unit, scale, step},
	METRICS(X)
#undef X
};

struct metric metric_of(enum metric_id id)
{
	return (struct metric){.name = metrics[id].name, .unit = metrics[id].unit, .better = BETTER_LOWER};
}

double metric_scale(enum metric_id id)
{
	return metrics[id].scale;
}

double metric_step(enum metric_id id)
{
	return metrics[id].step * metrics[id].scale;
}
