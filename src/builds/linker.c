#include "builds/linker.h"

#include "builds/child.h"
#include "builds/layout.h"
#include "builds/link_line.h"
#include "builds/pad_object.h"
#include "host/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void linker_identify(const char *version, struct linker *out)
{
	static const char lld[] = "LLD ";
	memset(out, 0, sizeof(*out));
	snprintf(out->name, sizeof(out->name), "%.*s", (int)strcspn(version, "\n"), version);
	const char *llvm = strstr(out->name, lld);
	if (strncmp(out->name, "GNU gold", 8) == 0)
		out->kind = LINKER_GOLD;
	else if (strncmp(out->name, "GNU ld", 6) == 0)
		out->kind = LINKER_GNU;
	else if (llvm)
		out->kind = LINKER_LLD;
	if (llvm)
		out->major = atoi(llvm + strlen(lld));
}

bool linker_orders(const struct linker *linker)
{
	return linker->kind == LINKER_LLD ? linker->major >= 13 : linker->kind != LINKER_OTHER;
}

const char *linker_means(const struct linker *linker)
{
	if (!linker_orders(linker))
		return NULL;
	return linker->kind == LINKER_GNU    ? "its own script with the order in it"
	       : linker->kind == LINKER_GOLD ? "--section-ordering-file"
	                                     : "--shuffle-sections";
}

int linker_ask(const struct host *host, const char *path, struct linker *out, struct error *err)
{
	struct buffer text = {0};
	int status = child_ask(host, path, (const char *const[]){path, "--version", NULL}, &text, err);
	if (status >= 0)
		linker_identify(buffer_text(&text), out);
	buffer_release(&text);
	return status < 0 ? -1 : 0;
}

/* ---- the stage ---- */

struct link_stage {
	const struct host *host;
	struct arena arena;
	const char *path;
	struct linker linker;
	struct link_line line;
	struct objects objects;
	struct layout layout;
	struct random random;
	unsigned vary;
	struct words added; /* before the user's words */
};

/* A file in memory with this content, under a name that the linker can open. */
static const char *memory_file(struct link_stage *stage, const struct buffer *content, struct error *err)
{
	if (buffer_error(content, err) != 0)
		return NULL;
	int fd = stage->host->sys->memfd_create("tare-cc", 0);
	if (fd < 0) {
		error_system(err, errno, "cannot make a file in memory");
		return NULL;
	}
	if (file_write(stage->host->sys, fd, content->data, content->length, err) != 0)
		return NULL;
	const char *name = arena_printf(&stage->arena, "/proc/self/fd/%d", fd);
	if (!name)
		error_memory(err);
	return name;
}

/* What the program is called decides too, so that the programs of one build get layouts of their own; not its folder,
 * which is another one in every build. */
static void seed_stage(struct link_stage *stage, uint64_t seed)
{
	const char *slash = strrchr(stage->line.output, '/');
	uint64_t key = 0xcbf29ce484222325;
	for (const char *c = slash ? slash + 1 : stage->line.output; *c; c++)
		key = (key ^ (unsigned char)*c) * 0x100000001b3;
	random_seed(&stage->random, seed * 0x9e3779b97f4a7c15 + key);
}

/* GNU ld: the script that it would have used, with the order in it. */
static int add_script(struct link_stage *stage, struct error *err)
{
	struct words ask = {.arena = &stage->arena};
	struct buffer verbose = {0}, script = {0};
	int status = words_add(&ask, stage->path, err);
	if (status == 0)
		status = link_line_options(&stage->line, &ask, err);
	if (status == 0)
		status = words_add(&ask, "--verbose", err);
	if (status == 0)
		status = child_ask(stage->host, stage->path, ask.items, &verbose, err) < 0 ? -1 : 0;
	/* A script that is not understood is left as it is: the order of objects still varies. */
	if (status == 0 && layout_script(&stage->layout, buffer_text(&verbose), &script)) {
		const char *file = memory_file(stage, &script, err);
		status = !file || words_add(&stage->added, "-T", err) != 0 || words_add(&stage->added, file, err) != 0 ? -1 : 0;
	}
	buffer_release(&verbose);
	buffer_release(&script);
	return status;
}

static int add_list(struct link_stage *stage, struct error *err)
{
	struct buffer list = {0};
	layout_list(&stage->layout, &list);
	const char *file = memory_file(stage, &list, err);
	buffer_release(&list);
	return !file || words_add(&stage->added, "--section-ordering-file", err) != 0 ||
	               words_add(&stage->added, file, err) != 0
	           ? -1
	           : 0;
}

/* lld draws the order itself; 0 would be the time of day and -1 the reverse. */
static int add_shuffles(struct link_stage *stage, struct error *err)
{
	static const struct {
		unsigned vary;
		const char *sections;
	} kinds[] = {{VARY_FUNCTIONS, ".text.*"}, {VARY_DATA, ".rodata.*"}, {VARY_DATA, ".data.*"}, {VARY_DATA, ".bss.*"}};
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		unsigned seed = 1 + (unsigned)random_below(&stage->random, 1u << 30);
		const char *word = arena_printf(&stage->arena, "--shuffle-sections=%s=%u", kinds[i].sections, seed);
		if (!word)
			return error_memory(err);
		if ((stage->vary & kinds[i].vary) && words_add(&stage->added, word, err) != 0)
			return -1;
	}
	return 0;
}

static int add_order(struct link_stage *stage, struct error *err)
{
	bool any = false;
	for (size_t group = 0; group < LAYOUT_GROUPS; group++)
		any |= stage->layout.counts[group] > 0;
	if (!any || !linker_orders(&stage->linker))
		return 0;
	switch (stage->linker.kind) {
	case LINKER_GNU: return add_script(stage, err);
	case LINKER_GOLD: return add_list(stage, err);
	case LINKER_LLD: return add_shuffles(stage, err);
	default: return 0;
	}
}

/* The object with the padding, in front of the first of the user's. */
static int add_padding(struct link_stage *stage, struct words *out, struct error *err)
{
	struct buffer object = {0};
	bool any = false;
	for (size_t group = 0; group < LAYOUT_GROUPS; group++)
		for (size_t i = 0; i < stage->layout.counts[group]; i++)
			any |= stage->layout.parts[group][i].padding > 0;
	if (!any)
		return 0;
	pad_object_write(&stage->layout, &stage->objects, stage->linker.kind == LINKER_LLD, &object);
	const char *file = memory_file(stage, &object, err);
	buffer_release(&object);
	return file ? words_add(out, file, err) : -1;
}

static int change(struct link_stage *stage, uint64_t seed, struct error *err)
{
	struct link_line *line = &stage->line;
	seed_stage(stage, seed);
	if (stage->vary & VARY_OBJECTS)
		link_line_shuffle(line, &stage->random);
	if (line->relocatable || line->scripted)
		return 0;
	/* Of clang's whole-program optimisation the sections come to be in the linker: lld shuffles those too. */
	if (!stage->objects.known)
		return stage->linker.kind == LINKER_LLD && linker_orders(&stage->linker) ? add_shuffles(stage, err) : 0;
	objects_sort(&stage->objects);
	if (layout_plan(&stage->layout, &stage->arena, stage->objects.names, stage->objects.count, stage->vary,
	                &stage->random, err) != 0)
		return -1;
	return add_order(stage, err);
}

/* The words of the linker: its name, ours, the user's with the padding among them. */
static int compose(struct link_stage *stage, const char *name, struct words *out, struct error *err)
{
	const struct link_line *line = &stage->line;
	bool padded = line->relocatable || line->scripted || !line->has_objects;
	int status = words_add(out, name, err);
	for (size_t i = 0; i < stage->added.count && status == 0; i++)
		status = words_add(out, stage->added.items[i], err);
	for (size_t i = 0; i < line->words.count && status == 0; i++) {
		if (line->movable[i] && !padded) {
			status = add_padding(stage, out, err);
			padded = true;
		}
		if (status == 0)
			status = words_add(out, line->words.items[i], err);
	}
	return status;
}

/* What came from files may be too long for a command line. */
static int pack(struct link_stage *stage, struct words *words, struct error *err)
{
	struct buffer text = {0};
	if (!stage->line.from_file)
		return 0;
	words_write(words->items + 1, words->count - 1, &text);
	const char *file = memory_file(stage, &text, err);
	const char *word = file ? arena_printf(&stage->arena, "@%s", file) : NULL;
	buffer_release(&text);
	if (!word)
		return file ? error_memory(err) : -1;
	words->count = 1;
	return words_add(words, word, err);
}

int linker_stage(const struct host *host, const char *path, int argc, char **argv, uint64_t seed, unsigned vary,
                 struct error *err)
{
	struct link_stage stage = {.host = host, .path = path, .vary = vary};
	stage.objects.arena = stage.added.arena = &stage.arena;
	struct words words = {.arena = &stage.arena};
	const char *const *given = (const char *const *)(uintptr_t)(argv + 1);
	size_t count = argc > 1 ? (size_t)argc - 1 : 0;
	if (link_line_read(&stage.line, &stage.arena, host, given, count, &stage.objects, err) == 0 &&
	    (!stage.line.has_objects || linker_ask(host, path, &stage.linker, err) == 0) &&
	    change(&stage, seed, err) == 0 && compose(&stage, path, &words, err) == 0 && pack(&stage, &words, err) == 0)
		child_become(host, path, words.items, NULL, err);
	arena_release(&stage.arena);
	return -1;
}
