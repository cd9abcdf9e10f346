#include "exchange/identity.h"

#include <stdio.h>
#include <string.h>

static uint32_t identity_of(struct map *known, const struct subject *subject, const char *name)
{
	struct buffer key = {0};
	buffer_text_add(&key, name);
	buffer_printf(&key, "\x1f%s", subject->program ? subject->program : "");
	for (size_t i = 0; i < subject->parameter_count; i++)
		buffer_printf(&key, "\x1f%s\x1f%s", subject->parameters[i].name, subject->parameters[i].value);
	uint32_t id = key.out_of_memory ? MAP_NONE : map_text(known, buffer_text(&key), key.length);
	buffer_release(&key);
	return id;
}

uint32_t identity_number(struct map *known, const struct subject *subject)
{
	return identity_of(known, subject, subject->name);
}

int identity_make_unique(struct subject *subjects, size_t count, struct arena *arena, size_t *renamed,
                         struct error *err)
{
	struct map known = {0};
	int status = 0;
	*renamed = 0;
	for (size_t i = 0; status == 0 && i < count; i++) {
		const char *name = subjects[i].name;
		uint32_t before = known.count, id = identity_of(&known, &subjects[i], name);
		for (size_t k = 2; status == 0 && id != MAP_NONE && id < before; k++) {
			name = arena_printf(arena, "%s #%zu", subjects[i].name, k);
			id = name ? identity_of(&known, &subjects[i], name) : MAP_NONE;
		}
		if (id == MAP_NONE)
			status = error_memory(err);
		else if (name != subjects[i].name)
			++*renamed;
		subjects[i].repeated = name != subjects[i].name;
		if (status == 0)
			subjects[i].name = name;
	}
	map_release(&known);
	return status;
}
