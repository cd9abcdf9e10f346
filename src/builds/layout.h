/* A random layout of a program: in which order its functions and data lie, and what lies between them.
 *
 * Decided by a seed and the names alone; then told to the linker in its own language. GNU ld gets its own script back,
 * with the names put in front of the patterns that would have taken them; gold gets a list; lld shuffles by itself and
 * gets only the padding. Padding is sections without meaning in one more object file (pad_object.h).
 *
 * Functions of a kind stay together as the linker keeps them (unlikely, exit, startup, hot, the rest): it is
 * the layout that is random, not what the compiler found out. */
#ifndef TARE_BUILDS_LAYOUT_H
#define TARE_BUILDS_LAYOUT_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/random.h"

#include <stdbool.h>

/* What may vary: a set of these. */
enum vary {
	VARY_OBJECTS = 1,   /* the order of object files on the link line */
	VARY_FUNCTIONS = 2, /* the order of functions */
	VARY_DATA = 4,      /* the order of variables and constants */
	VARY_PADDING = 8,   /* room before and between them */
	VARY_ALL = 15,
};

enum layout_group {
	LAYOUT_UNLIKELY, /* .text.unlikely.* */
	LAYOUT_EXIT,
	LAYOUT_STARTUP,
	LAYOUT_HOT,
	LAYOUT_TEXT,
	LAYOUT_RODATA,
	LAYOUT_DATA,
	LAYOUT_BSS,
	LAYOUT_GROUPS
};

struct layout_part {
	const char *name; /* of the section */
	size_t padding;   /* bytes; 0: a section of the program */
};

struct layout {
	struct layout_part *parts[LAYOUT_GROUPS];
	size_t counts[LAYOUT_GROUPS];
};

/* `names`, each once, in an order that does not depend on the seed; they must outlive the layout, which lives in the
 * arena. -1: no memory. */
int layout_plan(struct layout *layout, struct arena *arena, const char *const *names, size_t count, unsigned vary,
                struct random *random, struct error *err);

enum layout_group layout_group_of(const char *name);

/* The linker's own script (what `ld --verbose` prints between its rules of '=') with the layout in it; false: this is
 * no script that it understands, and `out` is of no use. */
bool layout_script(const struct layout *layout, const char *verbose, struct buffer *out);

/* A file for gold's --section-ordering-file. */
void layout_list(const struct layout *layout, struct buffer *out);

#endif
