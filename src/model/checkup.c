#include "model/checkup.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void checkup_release(struct checkup *checkup)
{
	arena_release(&checkup->arena);
	memset(checkup, 0, sizeof(*checkup));
}

struct finding *checkup_add(struct checkup *checkup, const char *name, const char *title, int weight)
{
	struct finding *finding = &checkup->lost;
	if (checkup->count < CHECKUP_MAX)
		finding = &checkup->findings[checkup->count++];
	else
		checkup->out_of_memory = true;
	*finding = (struct finding){.name = name, .title = title, .weight = weight, .number = NAN};
	return finding;
}

__attribute__((format(printf, 2, 0))) static const char *print(struct checkup *checkup, const char *format,
                                                               va_list args)
{
	va_list again;
	va_copy(again, args);
	int length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	char *text = length < 0 ? NULL : arena_alloc(&checkup->arena, (size_t)length + 1, 1);
	if (!text) {
		checkup->out_of_memory = true;
		return NULL;
	}
	vsnprintf(text, (size_t)length + 1, format, args);
	return text;
}

void finding_says(struct checkup *checkup, struct finding *finding, enum finding_state state, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	finding->state = state;
	finding->value = print(checkup, format, args);
	va_end(args);
}

void finding_unknown(struct checkup *checkup, struct finding *finding, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	finding->state = FINDING_UNKNOWN;
	finding->why = print(checkup, format, args);
	va_end(args);
}

void finding_cost(struct checkup *checkup, struct finding *finding, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	finding->cost = print(checkup, format, args);
	va_end(args);
}

void finding_advice(struct checkup *checkup, struct finding *finding, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	finding->advice = print(checkup, format, args);
	va_end(args);
}

void finding_command(struct checkup *checkup, struct finding *finding, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	finding->command = print(checkup, format, args);
	va_end(args);
}

/* Whether b must stand before a. */
static bool out_of_order(const struct finding *a, const struct finding *b)
{
	/* Not known comes last. */
	if (a->state != b->state)
		return b->state > a->state;
	return a->state >= FINDING_COULD_BE_BETTER && b->weight > a->weight;
}

void checkup_order(struct checkup *checkup)
{
	/* Insertion: a few dozen, and equal ones must keep their order. */
	for (size_t i = 1; i < checkup->count; i++) {
		struct finding moving = checkup->findings[i];
		size_t at = i;
		for (; at > 0 && out_of_order(&checkup->findings[at - 1], &moving); at--)
			checkup->findings[at] = checkup->findings[at - 1];
		checkup->findings[at] = moving;
	}
}

size_t checkup_count(const struct checkup *checkup, enum finding_state state)
{
	size_t count = 0;
	for (size_t i = 0; i < checkup->count; i++)
		count += checkup->findings[i].state == state;
	return count;
}

const struct finding *checkup_find(const struct checkup *checkup, const char *name)
{
	for (size_t i = 0; i < checkup->count; i++)
		if (strcmp(checkup->findings[i].name, name) == 0)
			return &checkup->findings[i];
	return NULL;
}

const struct finding *checkup_first(const struct checkup *checkup)
{
	const struct finding *first = NULL;
	for (size_t i = 0; i < checkup->count; i++) {
		const struct finding *finding = &checkup->findings[i];
		if (finding->state >= FINDING_COULD_BE_BETTER && (!first || out_of_order(first, finding)))
			first = finding;
	}
	return first;
}

const char *finding_state_name(enum finding_state state)
{
	switch (state) {
	case FINDING_OK: return "ok";
	case FINDING_COULD_BE_BETTER: return "could be better";
	case FINDING_BAD: return "bad";
	case FINDING_UNKNOWN: break;
	}
	return "not known";
}
