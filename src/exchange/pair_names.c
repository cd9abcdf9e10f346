#include "exchange/pair_names.h"

#include <stdio.h>

enum { COUNT_DIGITS = 9 };
static const uint32_t text_bit = 0x80000000u;

void pair_names_release(struct pair_names *names)
{
	map_release(&names->machines);
	map_release(&names->builds);
	map_release(&names->runs);
	map_release(&names->pairs);
	map_release(&names->places);
}

uint32_t pair_names_number(struct map *names, const char *text, size_t length)
{
	uint32_t number = 0;
	size_t i = 0;
	for (; i < length && i <= COUNT_DIGITS && text[i] >= '0' && text[i] <= '9'; i++)
		number = number * 10 + (uint32_t)(text[i] - '0');
	if (i == length && i > 0 && i <= COUNT_DIGITS && (text[0] != '0' || i == 1))
		return number;
	uint32_t id = map_text(names, text, length);
	return id == MAP_NONE ? MAP_NONE : text_bit | id;
}

const char *pair_names_text(const struct pair_names *names, uint32_t pair, char *buffer, size_t size)
{
	if (pair & text_bit)
		return names->pairs.text[pair & ~text_bit];
	snprintf(buffer, size, "%u", pair);
	return buffer;
}

uint32_t pair_names_place(struct pair_names *names, uint32_t machine, uint32_t build, uint32_t run)
{
	const uint32_t place[] = {machine, build, run};
	return map_text(&names->places, (const char *)place, sizeof(place));
}
