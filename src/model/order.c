#include "model/order.h"

#include "base/buffer.h"

#include <stdlib.h>
#include <string.h>

size_t side_read(const char *letter)
{
	return letter && letter[0] >= 'A' && letter[0] <= 'Z' && !letter[1] ? (size_t)(letter[0] - 'A') : NO_SIDE;
}

const char *side_letter(size_t side, char text[2])
{
	text[0] = (char)('A' + side % SIDE_LETTERS);
	text[1] = '\0';
	return side < SIDE_LETTERS ? text : NULL;
}

const char *order_text(struct arena *arena, const size_t *order, size_t sides)
{
	struct buffer text = {0};
	if (sides == 2) /* by far the most: shared */
		return order[0] == 0 ? "AB" : "BA";
	for (size_t i = 0; i < sides; i++) {
		if (sides <= SIDE_LETTERS)
			buffer_char(&text, (char)('A' + order[i]));
		else
			buffer_printf(&text, "%s%zu", i ? "," : "", order[i]);
	}
	char *copy = buffer_error(&text, NULL) == 0 ? arena_strdup(arena, buffer_text(&text)) : NULL;
	buffer_release(&text);
	return copy;
}

/* The side at `*at`, which moves on to the next; NO_SIDE at the end and where there is none. */
static size_t next_side(const char **at, bool numbers)
{
	char *end;
	if (!numbers)
		return **at >= 'A' && **at <= 'Z' ? (size_t)(*(*at)++ - 'A') : NO_SIDE;
	unsigned long side = strtoul(*at, &end, 10);
	if (end == *at)
		return NO_SIDE;
	*at = *end == ',' ? end + 1 : end;
	return side;
}

bool order_read(const char *text, size_t sides, size_t *order)
{
	bool numbers = strchr(text, ',') != NULL;
	for (size_t i = 0; i < sides; i++) {
		order[i] = next_side(&text, numbers);
		if (order[i] >= sides)
			return false;
		for (size_t j = 0; j < i; j++)
			if (order[j] == order[i])
				return false;
	}
	return *text == '\0';
}

size_t order_place(const char *text, size_t side)
{
	bool numbers = strchr(text, ',') != NULL;
	size_t found;
	for (size_t place = 0; (found = next_side(&text, numbers)) != NO_SIDE; place++)
		if (found == side)
			return place;
	return SIZE_MAX;
}
