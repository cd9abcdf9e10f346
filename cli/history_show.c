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
	SCOPED(buffer) struct buffer words = {0};
	for (size_t i = 0; i < result->argc; i++) {
		buffer_text_add(&words, i ? " " : "");
		words_argument(result->argv[i], &words);
	}
	line(out, "command", buffer_text(&words));
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
	SCOPED(buffer) struct buffer tags = {0};
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
}

static int show(const struct history_options *options, struct store *store, int64_t id, struct buffer *out,
                struct error *err)
{
	SCOPED(arena) struct arena arena = {0};
	SCOPED(result) struct result result = result_empty();
	struct store_facts facts;
	struct look look = output_look(options->color, options->ascii, false);
	look.verbose = true;
	if (store_facts(store, id, &arena, &facts, err) != 0 || stored_load(store, id, &result, err) != 0)
		return -1;
	if (strcmp(facts.state, "running") == 0 && /* one that was killed has no estimates yet */
	    stored_estimate(&result, facts.metric[0] ? facts.metric : NULL, err) != 0)
		return -1;
	describe(out, &facts, &result);
	buffer_char(out, '\n');
	return overview_text(&result, &look, out, err);
}

int history_show(const struct history_options *options, const struct text_list *arguments, struct error *err)
{
	struct text_list last = {(const char *[]){"@last"}, 1};
	const struct text_list *which = arguments->count > 0 ? arguments : &last;
	SCOPED(stored) struct store *store = history_open(options, STORE_READ, err);
	SCOPED(buffer) struct buffer out = {0};
	if (!store)
		return -1;
	for (size_t i = 0; i < which->count; i++) {
		int64_t id = 0;
		if (i > 0)
			buffer_char(&out, '\n');
		if (history_find(store, which->items[i], &id, err) != 0 || show(options, store, id, &out, err) != 0)
			return -1;
	}
	return message_print(&out, err);
}
