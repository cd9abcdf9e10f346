#include "builds/cc.h"

#include "base/scoped.h"
#include "builds/child.h"
#include "builds/layout.h"
#include "builds/linker.h"
#include "builds/place.h"
#include "host/search.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cc_open(struct cc *cc, const char *const *words, size_t count, unsigned vary, struct error *err)
{
	*cc = (struct cc){.host = host_real(), .vary = vary};
	if (compiler_read(&cc->compiler, &cc->arena, &cc->host, words, count, err) != 0)
		return -1;
	return search_program(&cc->host, words[0], NULL, cc->program, sizeof(cc->program), err);
}

void cc_release(struct cc *cc)
{
	arena_release(&cc->arena);
}

/* ---- the linker ---- */

static int find_linker(struct cc *cc, struct error *err)
{
	struct words question = {.arena = &cc->arena};
	SCOPED(buffer) struct buffer answer = {0};
	const char *named = cc->compiler.linker_path;
	if (compiler_question(&cc->compiler, &question, err) != 0)
		return -1;
	if (!named) {
		if (child_ask(&cc->host, cc->program, question.items, &answer, err) < 0)
			return -1;
		named = answer.length ? arena_strndup(&cc->arena, buffer_text(&answer), strcspn(buffer_text(&answer), "\n"))
		                      : cc->compiler.linker;
		if (!named)
			return error_memory(err);
	}
	return search_program(&cc->host, named, NULL, cc->linker, sizeof(cc->linker), err);
}

/* A folder in which tare lies under the linker's name. */
static int make_folder(struct cc *cc, struct error *err)
{
	char self[4096];
	ssize_t length = cc->host.sys->readlink("/proc/self/exe", self, sizeof(self) - 1);
	if (length <= 0)
		return error_system(err, errno, "cannot find the file of tare itself");
	self[length] = '\0';
	if (place_make(&cc->host, cc->folder, sizeof(cc->folder), "the linker of the compiler", err) != 0)
		return -1;
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

int cc_compile(struct cc *cc, struct error *err)
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

int cc_check(struct cc *cc, struct buffer *out, struct error *err)
{
	struct linker linker;
	if (find_linker(cc, err) != 0 || linker_ask(&cc->host, cc->linker, &linker, err) != 0)
		return -1;
	bool orders = linker_orders(&linker);
	buffer_printf(out, "compiler: %s\nlinker: %s, %s\n", cc->program, cc->linker,
	              linker.name[0] ? linker.name : "which does not say what it is");
	buffer_text_add(out, "order of object files: yes\n");
	if (orders)
		buffer_printf(out, "order of functions and data: yes, by %s\n", linker_means(&linker));
	else
		buffer_printf(
			out, "order of functions and data: no; it needs GNU ld, gold, or lld from version 13 on (-fuse-ld=…)\n");
	buffer_printf(out, "padding: %s\n",
	              !orders                      ? "no"
	              : linker.kind == LINKER_GOLD ? "yes, but not with --gc-sections"
	                                           : "yes");
	buffer_printf(out, "-frandom-seed: %s\n", cc->compiler.clang ? "not needed, clang draws no random numbers" : "yes");
	return 0;
}
