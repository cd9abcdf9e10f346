#include "exchange/identity.h"

#include <ctype.h>
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

/* What a longer word or number goes on with. */
static bool goes_on(char c)
{
	return isalnum((unsigned char)c) || (unsigned char)c >= 0x80 || c == '.' || c == '_' || c == '-';
}

/* Also behind the dashes of an option, "--size=10". */
static bool begins(const char *name, const char *at)
{
	while (at > name && at[-1] == '-')
		at--;
	return at == name || !goes_on(at[-1]);
}

bool identity_has_part(const char *name, const char *part)
{
	for (const char *at = name; (at = strstr(at, part)) != NULL; at++)
		if ((!goes_on(*part) || begins(name, at)) && !goes_on(at[strlen(part)]))
			return true;
	return false;
}

void identity_full_name(const struct subject *subject, struct buffer *out)
{
	buffer_clear(out);
	buffer_text_add(out, subject->name);
	for (size_t i = 0; i < subject->parameter_count; i++) {
		struct buffer part = {0};
		buffer_printf(&part, "%s=%s", subject->parameters[i].name, subject->parameters[i].value);
		if (part.out_of_memory)
			out->out_of_memory = true;
		else if (!identity_has_part(subject->name, buffer_text(&part)))
			buffer_printf(out, " %s", buffer_text(&part));
		buffer_release(&part);
	}
}
