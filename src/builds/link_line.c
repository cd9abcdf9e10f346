#include "builds/link_line.h"

#include "host/file.h"

#include <string.h>

/* Options of GNU ld, gold and lld whose value is the next word. One or two dashes; a single letter may also have it
 * attached, and is then a word of its own. */
static const char *const with_value[] = {
	"A",
	"F",
	"G",
	"I",
	"L",
	"O",
	"P",
	"R",
	"T",
	"Tbss",
	"Tdata",
	"Tldata-segment",
	"Trodata-segment",
	"Ttext",
	"Ttext-segment",
	"Y",
	"a",
	"architecture",
	"assert",
	"audit",
	"auxiliary",
	"b",
	"c",
	"dT",
	"default-script",
	"defsym",
	"depaudit",
	"dependency-file",
	"dynamic-linker",
	"dynamic-list",
	"e",
	"entry",
	"export-dynamic-symbol",
	"export-dynamic-symbol-list",
	"f",
	"filter",
	"fini",
	"format",
	"gpsize",
	"h",
	"hash-size",
	"image-base",
	"init",
	"just-symbols",
	"l",
	"library",
	"library-path",
	"m",
	"mllvm",
	"mri-script",
	"o",
	"oformat",
	"output",
	"plugin",
	"plugin-opt",
	"retain-symbols-file",
	"rpath",
	"rpath-link",
	"script",
	"section-ordering-file",
	"section-start",
	"soname",
	"sort-section",
	"symbol-ordering-file",
	"thread-count",
	"trace-symbol",
	"u",
	"undefined",
	"unresolved-symbols",
	"version-script",
	"wrap",
	"y",
	"z",
	"Map",
};

static const char *without_dashes(const char *word)
{
	return word + (word[0] == '-') + (word[0] == '-' && word[1] == '-');
}

static bool takes_next(const char *word)
{
	const char *name = without_dashes(word);
	for (size_t i = 0; i < sizeof(with_value) / sizeof(with_value[0]); i++)
		if (strcmp(name, with_value[i]) == 0)
			return true;
	return false;
}

/* The value of an option, attached by '=' or the next word; NULL: another option. */
static const char *value_of(const char *word, const char *next, const char *name)
{
	const char *rest = without_dashes(word);
	size_t length = strlen(name);
	if (strncmp(rest, name, length) != 0)
		return NULL;
	return rest[length] == '=' ? rest + length + 1 : rest[length] == '\0' ? next : NULL;
}

/* crt1.o, Scrt1.o, crtbeginS.o, clang_rt.crtend.o, …: begin and end of a program. Not what merely has such letters in
 * its name, like a compiler's temporary file. */
static bool is_start_file(const char *path)
{
	static const char *const kinds[] = {"", "S", "g", "gr", "r", "M", "clang_rt."};
	static const char *const parts[] = {"crt1.o", "crti.o",      "crtn.o",  "crtbegin",
	                                    "crtend", "crtfastmath", "crtprec", "crtoffload"};
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		for (size_t k = 0; k < sizeof(parts) / sizeof(parts[0]); k++) {
			size_t length = strlen(kinds[i]);
			if (strncmp(name, kinds[i], length) == 0 && strncmp(name + length, parts[k], strlen(parts[k])) == 0)
				return true;
		}
	return false;
}

static bool is_any(const char *name, const char *const *list)
{
	for (; *list; list++)
		if (strcmp(name, *list) == 0)
			return true;
	return false;
}

static void note_option(struct link_line *line, const char *word, const char *next)
{
	static const char *const relocatable[] = {"-r", "-i", "-Ur", "--relocatable", NULL};
	static const char *const scripts[] = {"T",
	                                      "script",
	                                      "dT",
	                                      "default-script",
	                                      "section-ordering-file",
	                                      "symbol-ordering-file",
	                                      "call-graph-ordering-file",
	                                      "shuffle-sections",
	                                      NULL};
	const char *output = value_of(word, next, "o");
	line->relocatable |= is_any(word, relocatable);
	for (size_t i = 0; scripts[i]; i++)
		line->scripted |= value_of(word, next, scripts[i]) != NULL;
	/* -Tfile, but not -Ttext=…, which only moves an address. */
	line->scripted |= strncmp(word, "-T", 2) == 0 && word[2] != '\0' && strchr(word, '=') == NULL && !takes_next(word);
	if (!output && word[0] == '-' && word[1] == 'o' && word[2] != '\0' && strncmp(word, "-oformat", 8) != 0)
		output = word + 2;
	if (!output)
		output = value_of(word, next, "output");
	if (output)
		line->output = output;
}

/* Where libraries are looked for, and whether a static one is taken. */
struct library_search {
	struct words folders;
	bool is_static;
};

static int look_library(struct library_search *search, const struct host *host, const char *name,
                        struct objects *objects, struct error *err)
{
	enum object_kind kind;
	for (size_t i = 0; i < search->folders.count; i++) {
		const char *shared = arena_printf(objects->arena, "%s/lib%s.so", search->folders.items[i], name);
		const char *archive = arena_printf(objects->arena, "%s/lib%s.a", search->folders.items[i], name);
		if (!shared || !archive)
			return error_memory(err);
		if (!search->is_static && file_kind(host->sys, shared) == FILE_REGULAR)
			return 0;
		if (file_kind(host->sys, archive) == FILE_REGULAR)
			return objects_look(host, archive, objects, &kind, err);
	}
	return 0;
}

static int read_option(struct link_line *line, struct library_search *search, const struct host *host, const char *word,
                       const char *next, struct objects *objects, struct error *err)
{
	static const char *const all_static[] = {"-static", "-Bstatic", "-dn", "-non_shared", "--static", NULL};
	static const char *const dynamic[] = {"-Bdynamic", "-dy", "-call_shared", NULL};
	note_option(line, word, next);
	if (is_any(word, all_static))
		search->is_static = true;
	if (is_any(word, dynamic))
		search->is_static = false;
	const char *folder = strcmp(word, "-L") == 0       ? next
	                     : strncmp(word, "-L", 2) == 0 ? word + 2
	                                                   : value_of(word, next, "library-path");
	const char *library = strcmp(word, "-l") == 0       ? next
	                      : strncmp(word, "-l", 2) == 0 ? word + 2
	                                                    : value_of(word, next, "library");
	if (folder && words_add(&search->folders, folder, err) != 0)
		return -1;
	return library ? look_library(search, host, library, objects, err) : 0;
}

int link_line_read(struct link_line *line, struct arena *arena, const struct host *host, const char *const *words,
                   size_t count, struct objects *objects, struct error *err)
{
	struct library_search search = {.folders = {.arena = arena}};
	memset(line, 0, sizeof(*line));
	line->words.arena = arena;
	line->output = "a.out";
	if (words_expand(&line->words, host, words, count, &line->from_file, err) != 0)
		return -1;
	count = line->words.count;
	line->movable = arena_alloc(arena, count + 1, sizeof(*line->movable));
	if (!line->movable)
		return error_memory(err);
	for (size_t i = 0; i < count; i++) {
		const char *word = line->words.items[i], *next = line->words.items[i + 1];
		enum object_kind kind;
		if (word[0] == '-' && word[1] != '\0') {
			if (read_option(line, &search, host, word, next, objects, err) != 0)
				return -1;
			i += next && takes_next(word);
			continue;
		}
		if (objects_look(host, word, is_start_file(word) ? NULL : objects, &kind, err) != 0)
			return -1;
		line->movable[i] = (kind == OBJECT_CODE || kind == OBJECT_BITCODE) && !is_start_file(word);
		line->has_objects |= line->movable[i];
	}
	return 0;
}

void link_line_shuffle(struct link_line *line, struct random *random)
{
	for (size_t from = 0; from < line->words.count;) {
		size_t to = from;
		while (to < line->words.count && line->movable[to])
			to++;
		if (to - from > 1)
			random_shuffle(random, line->words.items + from, to - from, sizeof(*line->words.items));
		from = to + 1;
	}
}

int link_line_options(const struct link_line *line, struct words *out, struct error *err)
{
	static const char *const left_out[] = {"o",   "output",          "l", "library", "plugin", "plugin-opt",
	                                       "Map", "dependency-file", NULL};
	for (size_t i = 0; i < line->words.count; i++) {
		const char *word = line->words.items[i], *next = line->words.items[i + 1];
		if (word[0] != '-' || word[1] == '\0')
			continue;
		bool pair = next && takes_next(word),
			 keep = !(word[1] == 'l' || (word[1] == 'o' && strncmp(word, "-oformat", 8) != 0));
		for (size_t k = 0; left_out[k]; k++)
			keep = keep && !value_of(word, next ? next : "", left_out[k]);
		if (keep && words_add(out, word, err) != 0)
			return -1;
		if (keep && pair && words_add(out, next, err) != 0)
			return -1;
		i += pair;
	}
	return 0;
}
