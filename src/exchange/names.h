/* Names: text to small numbers, in order of first appearance, by a hash table. */
#ifndef TARE_EXCHANGE_NAMES_H
#define TARE_EXCHANGE_NAMES_H

#include "base/arena.h"

#include <stddef.h>
#include <stdint.h>

#define NAMES_NONE UINT32_MAX

struct names {
	struct arena arena;
	const char **text; /* by number; NUL-terminated copies (which may hold NULs of their own) */
	uint32_t *length;
	uint32_t count, room;
	uint32_t last;   /* that names_id gave */
	uint32_t *slots; /* number + 1; 0: free */
	uint32_t slot_count;
};

/* A zeroed struct is empty and valid. */
void names_release(struct names *names);

/* The number of the text, which is copied when new; NAMES_NONE when out of memory. */
uint32_t names_id(struct names *names, const char *text, size_t length);

/* The number of the text or NAMES_NONE. */
uint32_t names_find(const struct names *names, const char *text, size_t length);

#endif
