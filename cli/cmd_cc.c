/* tare cc: a compiler with a random layout. */
#include "builds/child.h"
#include "builds/compiler.h"
#include "builds/layout.h"
#include "builds/linker.h"
#include "cli/cc_stage.h"
#include "cli/commands.h"
#include "cli/message.h"
#include "host/search.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cc_options {
	bool check;
	const char *vary;
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
		if (kind == KINDS) {
			error_set(err, ERROR_USAGE, "'%.*s' does not vary", (int)(length < 60 ? length : 60), at);
			error_on(err, "--vary");
			return error_next(err, "choose among objects, functions, data and padding");
		}
		*out |= kinds[kind].bit;
		at += length + (at[length] == ',');
	}
	return 0;
}

struct cc {
	struct host host;
	struct arena arena;
	struct compiler compiler;
	char program[4096];    /* of the compiler */
	char linker[4096];     /* the real one */
	char folder[4096];     /* with tare under its name; "": none */
	char name[4096 + 300]; /* tare's file in it */
	unsigned vary;
};

/* ---- the linker ---- */

static int find_linker(struct cc *cc, struct error *err)
{
	struct words question = {.arena = &cc->arena};
	struct buffer answer = {0};
	const char *named = cc->compiler.linker_path;
	int status = compiler_question(&cc->compiler, &question, err);
	if (status == 0 && !named)
		status = child_ask(&cc->host, cc->program, question.items, &answer, err) < 0 ? -1 : 0;
	if (status == 0 && !named) {
		named = answer.length ? arena_strndup(&cc->arena, buffer_text(&answer), strcspn(buffer_text(&answer), "\n"))
		                      : cc->compiler.linker;
		status = named ? 0 : error_memory(err);
	}
	buffer_release(&answer);
	return status == 0 ? search_program(&cc->host, named, NULL, cc->linker, sizeof(cc->linker), err) : -1;
}

/* A folder in which tare lies under the linker's name. */
static int make_folder(struct cc *cc, struct error *err)
{
	char self[4096];
	const char *place = getenv("TMPDIR");
	ssize_t length = cc->host.sys->readlink("/proc/self/exe", self, sizeof(self) - 1);
	if (length <= 0)
		return error_system(err, errno, "cannot find the file of tare itself");
	self[length] = '\0';
	snprintf(cc->folder, sizeof(cc->folder), "%.4000s/tare-cc-XXXXXX", place && place[0] == '/' ? place : "/tmp");
	if (!mkdtemp(cc->folder)) {
		int errnum = errno;
		cc->folder[0] = '\0';
		error_system(err, errnum, "cannot make a folder in which the compiler finds its linker");
		return error_next(err, "set TMPDIR to a folder that can be written");
	}
	snprintf(cc->name, sizeof(cc->name), "%s/%s", cc->folder, cc->compiler.linker_path ? "ld" : cc->compiler.linker);
	if (cc->host.sys->symlink(self, cc->name) != 0)
		return error_system(err, errno, "cannot make a link to tare");
	return 0;
}

static void remove_folder(struct cc *cc)
{
	if (!cc->folder[0])
		return;
	cc->host.sys->unlink(cc->name);
	cc->host.sys->rmdir(cc->folder);
}

/* ---- compiling ---- */

static int set_variables(const struct cc *cc, struct error *err)
{
	char number[16];
	snprintf(number, sizeof(number), "%u", cc->vary);
	if (setenv(LINKER_PATH_VARIABLE, cc->linker, 1) != 0 || setenv(LINKER_VARY_VARIABLE, number, 1) != 0)
		return error_memory(err);
	return 0;
}

/* Compiles and links; the exit code, or -1 and err. */
static int compile_and_link(struct cc *cc, uint64_t seed, struct error *err)
{
	struct words words = {.arena = &cc->arena};
	int status = 0;
	int failed = find_linker(cc, err) != 0 || make_folder(cc, err) != 0 || set_variables(cc, err) != 0 ||
	             compiler_words(&cc->compiler, seed, cc->folder, &words, err) != 0 ||
	             child_run(&cc->host, cc->program, words.items, NULL, &status, err) != 0;
	remove_folder(cc);
	return failed ? -1 : child_end_like(&cc->host, status);
}

static int compile(struct cc *cc, struct error *err)
{
	struct words words = {.arena = &cc->arena};
	uint64_t seed = 0;
	int unseeded = compiler_seed(getenv(BUILD_SEED_VARIABLE), &seed, err);
	if (unseeded < 0)
		return -1;
	if (unseeded || !cc->compiler.compiles)
		return child_become(&cc->host, cc->program, cc->compiler.given.items, NULL, err);
	if (cc->compiler.links)
		return compile_and_link(cc, seed, err);
	if (compiler_words(&cc->compiler, seed, NULL, &words, err) != 0)
		return -1;
	return child_become(&cc->host, cc->program, words.items, NULL, err);
}

/* ---- what can be done ---- */

static int check(struct cc *cc, struct error *err)
{
	struct linker linker;
	if (find_linker(cc, err) != 0 || linker_ask(&cc->host, cc->linker, &linker, err) != 0)
		return -1;
	bool orders = linker_orders(&linker);
	printf("compiler: %s\nlinker: %s, %s\n", cc->program, cc->linker,
	       linker.name[0] ? linker.name : "which does not say what it is");
	printf("order of object files: yes\n");
	if (orders)
		printf("order of functions and data: yes, by %s\n", linker_means(&linker));
	else
		printf("order of functions and data: no; it needs GNU ld, gold, or lld from version 13 on (-fuse-ld=…)\n");
	printf("padding: %s\n", !orders ? "no" : linker.kind == LINKER_GOLD ? "yes, but not with --gc-sections" : "yes");
	printf("-frandom-seed: %s\n", cc->compiler.clang ? "not needed, clang draws no random numbers" : "yes");
	return 0;
}

static int run(const struct cc_options *options, const char *const *words, size_t count, struct error *err)
{
	struct cc cc = {.host = host_real()};
	int code = -1;
	if (read_vary(options->vary, &cc.vary, err) == 0 &&
	    compiler_read(&cc.compiler, &cc.arena, &cc.host, words, count, err) == 0 &&
	    search_program(&cc.host, words[0], NULL, cc.program, sizeof(cc.program), err) == 0)
		code = options->check ? check(&cc, err) : compile(&cc, err);
	arena_release(&cc.arena);
	return code;
}

static int cc_main(const struct command *command, int argc, char **argv)
{
	struct cc_options options = {0};
	struct text_list none = {0};
	struct error err;
	bool help = false;
	int own = 1, code = 0;
	while (own < argc && strcmp(argv[own], "--") != 0)
		own++;
	if (options_parse(command, own, argv, &options, NULL, &none, &help, &err) != 0) {
		code = message_error(&err);
	} else if (help) {
		code = message_help(command);
	} else if (own + 1 >= argc || none.count > 0) {
		error_set(&err, ERROR_USAGE, "no compiler is named");
		error_next(&err, "write it behind two dashes: tare cc -- gcc -O2 -c file.c");
		code = message_error(&err);
	} else {
		code = run(&options, (const char *const *)(uintptr_t)(argv + own + 1), (size_t)(argc - own - 1), &err);
		if (code < 0)
			code = message_error(&err);
	}
	text_list_release(&none);
	options_release(command, &options);
	return code;
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
