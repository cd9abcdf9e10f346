/* tare cc: a compiler with a random layout. */
#include "builds/cc.h"
#include "builds/layout.h"
#include "builds/linker.h"
#include "cli/commands.h"
#include "cli/message.h"

#include <stdlib.h>
#include <string.h>

struct cc_options {
	bool check;
	const char *vary;
	const char *const *words; /* the compiler and its arguments */
	size_t count;
};

#define OFFSET(field) offsetof(struct cc_options, field)

static const struct option cc_options[] = {
	OPTION(0, "vary", "WHAT,…", OPTION_TEXT, OFFSET(vary), "objects, functions, data, padding (all of them)"),
	OPTION(0, "check", NULL, OPTION_FLAG, OFFSET(check), "say what can vary with this compiler and linker"),
	{0},
};

static const struct {
	const char *name;
	unsigned bit;
} kinds[] = {{"objects", VARY_OBJECTS}, {"functions", VARY_FUNCTIONS}, {"data", VARY_DATA}, {"padding", VARY_PADDING}};

enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static int read_vary(const char *text, unsigned *out, struct error *err)
{
	*out = text ? 0 : VARY_ALL;
	for (const char *at = text; at && *at;) {
		size_t length = strcspn(at, ","), kind = 0;
		while (kind < KINDS && (strlen(kinds[kind].name) != length || strncmp(at, kinds[kind].name, length) != 0))
			kind++;
		if (kind == KINDS)
			return error_full(err, ERROR_USAGE, "--vary", "choose among objects, functions, data and padding",
			                  "'%.*s' does not vary", (int)(length < 60 ? length : 60), at);
		*out |= kinds[kind].bit;
		at += length + (at[length] == ',');
	}
	return 0;
}

static int run(const void *given, const struct text_list *others, struct error *err)
{
	const struct cc_options *options = given;
	SCOPED(cc) struct cc cc = {.vary = 0};
	SCOPED(buffer) struct buffer text = {0};
	unsigned vary;
	if (options->count == 0 || others->count > 0)
		return error_full(err, ERROR_USAGE, NULL, "write it after two dashes: tare cc -- gcc -O2 -c file.c",
		                  "no compiler is named");
	if (read_vary(options->vary, &vary, err) != 0 || cc_open(&cc, options->words, options->count, vary, err) != 0)
		return -1;
	if (!options->check)
		return cc_compile(&cc, err);
	return cc_check(&cc, &text, err) == 0 ? message_print(&text, err) : -1;
}

static int cc_main(const struct command *command, int argc, char **argv)
{
	struct cc_options options = {0};
	int own = 1;
	while (own < argc && strcmp(argv[own], "--") != 0)
		own++;
	if (own < argc) {
		options.words = (const char *const *)(uintptr_t)(argv + own + 1);
		options.count = (size_t)(argc - own - 1);
	}
	return act(command, own, argv, &options, run);
}

const struct command command_cc = {
	.name = "cc",
	.summary = "compile and link with a seeded random layout",
	.usage = "tare cc [options] -- CC [arguments]",
	.about = "Runs the compiler CC. With TARE_BUILD_SEED set, the program gets a random\n"
			 "layout from that seed: order of object files, functions and data, and padding.\n"
			 "The same seed gives the same program. Without it, CC runs as if tare were not\n"
			 "there.\n"
			 "\n"
			 "  make CC='tare cc -- gcc' CXX='tare cc -- g++'",
	.options = cc_options,
	.main = cc_main,
};

/* ---- in the linker's place ---- */

bool cc_stage_is_meant(const char *name)
{
	const char *slash = strrchr(name, '/');
	return strncmp(slash ? slash + 1 : name, "ld", 2) == 0 && getenv(LINKER_PATH_VARIABLE);
}

int cc_stage_main(int argc, char **argv)
{
	struct host host = host_real();
	struct error err;
	uint64_t seed = 0;
	const char *vary = getenv(LINKER_VARY_VARIABLE);
	if (compiler_seed(getenv(BUILD_SEED_VARIABLE), &seed, &err) == 0)
		linker_stage(&host, getenv(LINKER_PATH_VARIABLE), argc, argv, seed, vary ? (unsigned)atoi(vary) : VARY_ALL,
		             &err);
	else
		error_set(&err, ERROR_USAGE, "a linker started by tare cc needs %s", BUILD_SEED_VARIABLE);
	return message_error(&err);
}
