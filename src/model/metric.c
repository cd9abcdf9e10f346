#include "model/metric.h"

#include <string.h>

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

bool metric_is_in_turns(const char *name, const char *at_once)
{
	size_t length = strlen(at_once);
	return strncmp(name, at_once, length) == 0 && strcmp(name + length, METRIC_IN_TURNS) == 0;
}

bool metric_is_same(const char *a, const char *b)
{
	return strcmp(a, b) == 0 || metric_is_in_turns(a, b) || metric_is_in_turns(b, a);
}
