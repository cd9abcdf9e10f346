#include "builds/compiler.h"

#include "base/parse.h"

#include <stdio.h>
#include <string.h>

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* Programs that are given the compiler as their first argument. */
static bool is_launcher(const char *name)
{
	static const char *const names[] = {"ccache", "sccache", "distcc", "icecc"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(base_name(name), names[i]) == 0)
			return true;
	return false;
}

static bool begins(const char *word, const char *with)
{
	return strncmp(word, with, strlen(with)) == 0;
}

/* Options that mean that nothing is made: preprocessing, dependencies alone, checking, questions. */
static bool only_asks(const char *word)
{
	static const char *const whole[] = {"-E",         "-M",        "-MM",          "-fsyntax-only",    "--version",
	                                    "--help",     "-###",      "-dumpversion", "-dumpfullversion", "-dumpmachine",
	                                    "-dumpspecs", "--analyze", "--preprocess"};
	for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++)
		if (strcmp(word, whole[i]) == 0)
			return true;
	return begins(word, "-print-") || begins(word, "--print-") || begins(word, "--help=");
}

/* Options whose value is the next word and could be taken for a file. */
static bool takes_next(const char *word)
{
	static const char *const names[] = {"-o",
	                                    "-x",
	                                    "-I",
	                                    "-L",
	                                    "-D",
	                                    "-U",
	                                    "-B",
	                                    "-l",
	                                    "-T",
	                                    "-u",
	                                    "-z",
	                                    "-e",
	                                    "-A",
	                                    "-G",
	                                    "-MF",
	                                    "-MT",
	                                    "-MQ",
	                                    "-Xlinker",
	                                    "-Xassembler",
	                                    "-Xpreprocessor",
	                                    "-Xclang",
	                                    "-include",
	                                    "-imacros",
	                                    "-isystem",
	                                    "-iquote",
	                                    "-idirafter",
	                                    "-iprefix",
	                                    "-iwithprefix",
	                                    "-iwithprefixbefore",
	                                    "-isysroot",
	                                    "-imultilib",
	                                    "-target",
	                                    "-arch",
	                                    "-mllvm",
	                                    "-aux-info",
	                                    "--param",
	                                    "-dumpbase",
	                                    "-dumpdir",
	                                    "-wrapper",
	                                    "-specs",
	                                    "-soname",
	                                    "-rpath"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(word, names[i]) == 0)
			return true;
	return false;
}

static void read_linker(struct compiler *compiler, struct arena *arena, const char *word)
{
	const char *by_path = begins(word, "--ld-path=") ? strchr(word, '=') + 1 : NULL;
	const char *name = begins(word, "-fuse-ld=") ? strchr(word, '=') + 1 : NULL;
	if (name && strchr(name, '/'))
		by_path = name;
	if (by_path)
		compiler->linker_path = by_path;
	else if (name)
		compiler->linker = arena_printf(arena, "ld.%s", name);
}

static bool is_clang(const char *name)
{
	return strstr(base_name(name), "clang") != NULL;
}

int compiler_read(struct compiler *compiler, struct arena *arena, const struct host *host, const char *const *words,
                  size_t count, struct error *err)
{
	struct words all = {.arena = arena};
	bool asks = false, compile_only = false, has_input = false;
	memset(compiler, 0, sizeof(*compiler));
	compiler->given.arena = arena;
	compiler->linker = "ld";
	compiler->options_at = count > 0 && is_launcher(words[0]) ? 2 : 1;
	if (count < compiler->options_at)
		return error_full(err, ERROR_USAGE, NULL, "write it behind two dashes: tare cc -- gcc -O2 -c file.c",
		                  "no compiler is named");
	for (size_t i = 0; i < count; i++)
		if (words_add(&compiler->given, words[i], err) != 0)
			return -1;
	compiler->clang = is_clang(words[compiler->options_at - 1]);
	if (words_expand(&all, host, words + compiler->options_at, count - compiler->options_at, NULL, err) != 0)
		return -1;
	for (size_t i = 0; i < all.count; i++) {
		const char *word = all.items[i];
		if (word[0] != '-' || word[1] == '\0') {
			has_input = true;
			continue;
		}
		asks |= only_asks(word);
		compile_only |= strcmp(word, "-c") == 0 || strcmp(word, "-S") == 0;
		has_input |= begins(word, "-l") || begins(word, "-Wl,");
		compiler->seeded |= begins(word, "-frandom-seed");
		read_linker(compiler, arena, word);
		i += takes_next(word);
	}
	if (!compiler->linker)
		return error_memory(err);
	compiler->compiles = has_input && !asks;
	compiler->links = compiler->compiles && !compile_only;
	return 0;
}

/* The compiler's own random numbers become names of symbols: they must differ between files and not between two builds
 * of a seed, so the words as they were given decide. */
static const char *random_seed_word(const struct compiler *compiler, uint64_t seed)
{
	uint64_t key = seed ^ 0xcbf29ce484222325;
	for (size_t i = 0; i < compiler->given.count; i++)
		for (const char *c = compiler->given.items[i];; c++) {
			key = (key ^ (unsigned char)*c) * 0x100000001b3;
			if (!*c)
				break;
		}
	return arena_printf(compiler->given.arena, "-frandom-seed=%016llx", (unsigned long long)key);
}

static int add_flags(const struct compiler *compiler, uint64_t seed, const char *folder, struct words *out,
                     struct error *err)
{
	const char *random_seed = random_seed_word(compiler, seed);
	const char *prefix = folder ? arena_printf(out->arena, "-B%s/", folder) : "";
	if (!random_seed || !prefix)
		return error_memory(err);
	/* Ours come first: what the user says wins. */
	if (words_add(out, "-ffunction-sections", err) != 0 || words_add(out, "-fdata-sections", err) != 0)
		return -1;
	if (!compiler->seeded && !compiler->clang && words_add(out, random_seed, err) != 0)
		return -1;
	return folder ? words_add(out, prefix, err) : 0;
}

int compiler_words(const struct compiler *compiler, uint64_t seed, const char *folder, struct words *out,
                   struct error *err)
{
	for (size_t i = 0; i < compiler->given.count; i++) {
		const char *word = compiler->given.items[i];
		if (i == compiler->options_at && add_flags(compiler, seed, folder, out, err) != 0)
			return -1;
		/* A linker that is named by its file is found by its file: ours. */
		bool by_path = folder && compiler->linker_path && (begins(word, "--ld-path=") || begins(word, "-fuse-ld=/"));
		if (by_path)
			word = arena_printf(out->arena, "--ld-path=%s/ld", folder);
		if (!word)
			return error_memory(err);
		if (words_add(out, word, err) != 0)
			return -1;
	}
	return 0;
}

int compiler_question(const struct compiler *compiler, struct words *out, struct error *err)
{
	const char *question = arena_printf(out->arena, "-print-prog-name=%s", compiler->linker);
	if (!question)
		return error_memory(err);
	for (size_t i = 0; i < compiler->given.count; i++)
		if (words_add(out, compiler->given.items[i], err) != 0)
			return -1;
	return words_add(out, question, err);
}

int compiler_seed(const char *text, uint64_t *seed, struct error *err)
{
	int64_t value;
	if (!text || !text[0])
		return 1;
	if (parse_integer(text, 0, INT64_MAX, &value, err) != 0)
		return error_on(err, "%s", BUILD_SEED_VARIABLE);
	*seed = (uint64_t)value;
	return 0;
}
