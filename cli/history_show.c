/* tare history show: one experiment with everything known about it. */
#include "cli/history.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/stored.h"
#include "report/overview.h"
#include "report/text_width.h"
#include "report/words.h"
#include "store/loader.h"
#include "base/moment.h"

#include <string.h>

static void line(struct buffer *out, const char *what, const char *text)
{
	if (!text || !text[0])
		return;
	buffer_printf(out, "%-11s ", what);
	text_clean(out, text, TEXT_UNICODE);
	buffer_char(out, '\n');
}

static void list_words(struct buffer *out, const struct result *result)
{
	struct buffer words = {0};
	for (size_t i = 0; i < result->argc; i++) {
		buffer_text_add(&words, i ? " " : "");
		words_argument(result->argv[i], &words);
	}
	line(out, "command", buffer_text(&words));
	buffer_release(&words);
}

static void list_programs(struct buffer *out, const struct store_facts *facts)
{
	for (size_t i = 0; i < facts->program_count; i++) {
		const struct store_program *program = &facts->programs[i];
		bool known = !program->path[0];
		for (size_t j = 0; j < i; j++)
			known |= strcmp(facts->programs[j].path, program->path) == 0;
		if (known)
			continue;
		line(out, "program", program->path);
		line(out, "  build-id", program->build_id);
		line(out, "  sha256", program->hash);
	}
}

static void describe(struct buffer *out, const struct store_facts *facts, const struct result *result)
{
	char when[MOMENT_TEXT];
	struct buffer tags = {0};
	buffer_printf(out, "%-11s @%lld\n", "experiment", (long long)facts->id);
	line(out, "name", facts->name);
	line(out, "started", moment_text(facts->started, when));
	line(out, "state", facts->orphaned ? "killed: its finished rounds are here" : facts->state);
	buffer_printf(out, "%-11s %zu\n", "rounds", facts->rounds);
	for (size_t i = 0; i < facts->tag_count; i++)
		buffer_printf(&tags, "%s%s", i ? ", " : "", facts->tags[i]);
	line(out, "tags", buffer_text(&tags));
	if (facts->commit[0]) {
		buffer_printf(out, "%-11s %s%s%s%s\n", "commit", facts->commit, facts->branch[0] ? " on " : "", facts->branch,
		              facts->dirty == 1   ? ", with changes"
		              : facts->dirty == 0 ? ""
		                                  : ", changes not known");
	}
	line(out, "machine", facts->stratum);
	line(out, "kernel", facts->kernel);
	buffer_printf(out, "%-11s %llu\n", "seed", (unsigned long long)result->seed);
	if (result->argc > 0)
		list_words(out, result);
	list_programs(out, facts);
	buffer_release(&tags);
}

static int show(const struct history_options *options, struct store *store, int64_t id, struct buffer *out,
                struct error *err)
{
	struct arena arena = {0};
	struct store_facts facts;
	struct result result;
	struct look look = output_look(options->color, options->ascii, false);
	look.verbose = true;
	result_init(&result);
	int status = store_facts(store, id, &arena, &facts, err);
	if (status == 0)
		status = stored_load(store, id, &result, err);
	if (status == 0 && strcmp(facts.state, "running") == 0) /* one that was killed has no estimates yet */
		status = stored_estimate(&result, facts.metric[0] ? facts.metric : NULL, err);
	if (status == 0) {
		describe(out, &facts, &result);
		buffer_char(out, '\n');
		status = overview_text(&result, &look, out, err);
	}
	result_release(&result);
	arena_release(&arena);
	return status;
}

int history_show(const struct history_options *options, const struct text_list *arguments, struct error *err)
{
	struct text_list last = {(const char *[]){"@last"}, 1};
	const struct text_list *which = arguments->count > 0 ? arguments : &last;
	struct store *store = history_open(options, STORE_READ, err);
	struct buffer out = {0};
	int status = store ? 0 : -1;
	for (size_t i = 0; status == 0 && i < which->count; i++) {
		int64_t id = 0;
		if (i > 0)
			buffer_char(&out, '\n');
		status = history_find(store, which->items[i], &id, err);
		if (status == 0)
			status = show(options, store, id, &out, err);
	}
	if (status == 0)
		status = message_print(&out, err);
	buffer_release(&out);
	store_close(store);
	return status;
}
