#include "model/plan.h"

#include <math.h>
#include <string.h>

void repeat_plan_init(struct repeat_plan *plan)
{
	*plan = (struct repeat_plan){.confidence = NAN, .precision = NAN, .budget = NAN, .elapsed = NAN};
}

void repeat_plan_release(struct repeat_plan *plan)
{
	arena_release(&plan->arena);
	repeat_plan_init(plan);
}

static bool same(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

const struct plan_subject *plan_find(const struct repeat_plan *plan, const char *benchmark, const char *command)
{
	for (size_t i = 0; i < plan->subject_count; i++) {
		const struct plan_subject *subject = &plan->subjects[i];
		if (benchmark ? same(subject->benchmark, benchmark) : !subject->benchmark && same(subject->command, command))
			return subject;
	}
	return NULL;
}

size_t plan_count(const struct plan_subject *subject, enum level level, bool compared)
{
	for (size_t k = 0; k < subject->level_count; k++) {
		const struct plan_level *l = &subject->levels[k];
		if (l->level == level)
			return compared && l->ratio_count ? l->ratio_count : l->count;
	}
	return 0;
}
