#include "builds/layout.h"

#include <string.h>

/* Where the linker puts the sections of a group: `prefix` of their names, and the words of the pattern that takes them
 * in GNU ld's script. */
static const struct {
	const char *prefix, *pattern, *padding;
} groups[LAYOUT_GROUPS] = {
	[LAYOUT_UNLIKELY] = {".text.unlikely.", "*(.text.unlikely ", ".text.unlikely.tare_"},
	[LAYOUT_EXIT] = {".text.exit.", "*(.text.exit ", ".text.exit.tare_"},
	[LAYOUT_STARTUP] = {".text.startup.", "*(.text.startup ", ".text.startup.tare_"},
	[LAYOUT_HOT] = {".text.hot.", "*(.text.hot ", ".text.hot.tare_"},
	[LAYOUT_TEXT] = {".text.", "*(.text .stub ", ".text.tare_"},
	[LAYOUT_RODATA] = {".rodata.", "*(.rodata .rodata.* ", ".rodata.tare_"},
	[LAYOUT_DATA] = {".data.", "*(.data .data.* ", ".data.tare_"},
	[LAYOUT_BSS] = {".bss.", "*(.bss .bss.* ", ".bss.tare_"},
};

enum {
	STEP = 16,         /* functions begin at multiples of it */
	FRONT_STEPS = 256, /* less than this before a group: anywhere in a page */
	SMALL_STEPS = 5,   /* less than this between two: any place in a cache line */
	MOST_PADS = 1024,  /* in a group */
	MOST_LARGE = 32,   /* of them, those that may be as large as those in front */
};

enum layout_group layout_group_of(const char *name)
{
	size_t group = 0;
	while (group + 1 < LAYOUT_GROUPS && strncmp(name, groups[group].prefix, strlen(groups[group].prefix)) != 0)
		group++;
	return (enum layout_group)group;
}

static bool is_code(size_t group)
{
	return group <= LAYOUT_TEXT;
}

/* The first of code and the first of each kind of data moves all that follows it. */
static bool has_front(size_t group)
{
	return group == LAYOUT_UNLIKELY || !is_code(group);
}

static size_t padding_size(struct random *random, bool front, size_t place)
{
	bool large = front || (place < MOST_LARGE && random_below(random, 4) == 0);
	return STEP * (size_t)random_below(random, large ? FRONT_STEPS : SMALL_STEPS);
}

static int add_padding(struct layout *layout, struct arena *arena, size_t group, size_t number, size_t bytes,
                       struct error *err)
{
	const char *name = bytes ? arena_printf(arena, "%s%zu", groups[group].padding, number) : "";
	if (!name)
		return error_memory(err);
	if (bytes)
		layout->parts[group][layout->counts[group]++] = (struct layout_part){name, bytes};
	return 0;
}

/* The names of one group in random order, with padding between them. */
static int plan_group(struct layout *layout, struct arena *arena, size_t group, const char **names, size_t count,
                      unsigned vary, struct random *random, struct error *err)
{
	size_t pads = !(vary & VARY_PADDING) ? 0 : count < MOST_PADS ? count : MOST_PADS, next = 0;
	layout->counts[group] = 0;
	layout->parts[group] = arena_alloc(arena, count + pads + 1, sizeof(*layout->parts[group]));
	if (!layout->parts[group])
		return error_memory(err);
	if (vary & (is_code(group) ? VARY_FUNCTIONS : VARY_DATA))
		random_shuffle(random, names, count, sizeof(*names));
	if ((vary & VARY_PADDING) && has_front(group) &&
	    add_padding(layout, arena, group, 0, padding_size(random, true, 0), err) != 0)
		return -1;
	for (size_t i = 0; i < count; i++) {
		layout->parts[group][layout->counts[group]++] = (struct layout_part){names[i], 0};
		if (next < pads && i + 1 < count && i * pads / count >= next) {
			next++;
			if (add_padding(layout, arena, group, next, padding_size(random, false, next), err) != 0)
				return -1;
		}
	}
	return 0;
}

int layout_plan(struct layout *layout, struct arena *arena, const char *const *names, size_t count, unsigned vary,
                struct random *random, struct error *err)
{
	const char **of_group = arena_alloc(arena, count + 1, sizeof(*of_group));
	if (!of_group)
		return error_memory(err);
	for (size_t group = 0; group < LAYOUT_GROUPS; group++) {
		size_t n = 0;
		for (size_t i = 0; i < count; i++)
			if (layout_group_of(names[i]) == group)
				of_group[n++] = names[i];
		if (plan_group(layout, arena, group, of_group, n, vary, random, err) != 0)
			return -1;
	}
	return 0;
}

/* Padding is kept even where nothing refers to it. */
static void add_group(const struct layout *layout, size_t group, struct buffer *out)
{
	for (size_t i = 0; i < layout->counts[group]; i++) {
		const struct layout_part *part = &layout->parts[group][i];
		buffer_printf(out, part->padding ? "KEEP (*(%s))\n    " : "*(%s)\n    ", part->name);
	}
}

/* The C library's start file marks where data begins (data_start), and some collect garbage from there. */
#define FIRST_DATA "*crt1.o(.data)\n    "

bool layout_script(const struct layout *layout, const char *verbose, struct buffer *out)
{
	static const char rule[] = "\n==================================================\n";
	const char *from = strstr(verbose, rule), *to = from ? strstr(from + strlen(rule), rule) : NULL;
	if (!to)
		return false;
	from += strlen(rule) - 1;
	for (size_t group = 0; group < LAYOUT_GROUPS; group++) {
		const char *pattern = strstr(from, groups[group].pattern);
		/* Groups come in the order of the script. A target whose script lacks one has no such sections to order. */
		if (!pattern || pattern > to) {
			if (group == LAYOUT_TEXT)
				return false;
			continue;
		}
		buffer_add(out, from, (size_t)(pattern - from));
		if (group == LAYOUT_DATA && layout->counts[group] > 0)
			buffer_text_add(out, FIRST_DATA);
		add_group(layout, group, out);
		from = pattern;
	}
	buffer_add(out, from, (size_t)(to - from));
	buffer_char(out, '\n');
	return true;
}

void layout_list(const struct layout *layout, struct buffer *out)
{
	for (size_t group = 0; group < LAYOUT_GROUPS; group++)
		for (size_t i = 0; i < layout->counts[group]; i++)
			buffer_printf(out, "%s\n", layout->parts[group][i].name);
}
