/* Benchmarks of Go: a compiled test binary (`go test -c`), or `go test` itself. What there is shows only when it runs, since
 * benchmarks start benchmarks: the list is one iteration of each. Patterns have a part for each level of a name. */
#include "adapters/adapter.h"

#include "base/buffer.h"

#include <string.h>

static bool is_go_test(const char *const *words)
{
	return strcmp(adapter_base_name(words[0]), "go") == 0 && words[1] && strcmp(words[1], "test") == 0;
}

static bool recognises(const struct adapter_program *program)
{
	return is_go_test(program->words) || (adapter_has_text(program->text, program->length, "test.benchtime") &&
	                                      adapter_has_text(program->text, program->length, "Go build"));
}

/* Where part `level` of a name begins, and its length; false: it has none. */
static bool part_of(const char *name, size_t level, const char **part, size_t *length)
{
	for (; level > 0; level--) {
		name = strchr(name, '/');
		if (!name)
			return false;
		name++;
	}
	*part = name;
	*length = strcspn(name, "/");
	return true;
}

/* "^(BenchmarkA|BenchmarkB)$/^(x|y)$": more may match, which is left unread. */
static const char *pattern(struct adapter_command *out, const struct adapter_request *request)
{
	struct buffer text = {0};
	bool more = true;
	for (size_t level = 0; more; level++) {
		const char **parts = arena_alloc(out->arena, request->count, sizeof(*parts));
		size_t n = 0, length;
		const char *part;
		for (size_t i = 0; parts && i < request->count; i++)
			if (part_of(request->keys[i], level, &part, &length))
				parts[n++] = level == 0 ? arena_printf(out->arena, "Benchmark%.*s", (int)length, part)
				                        : arena_strndup(out->arena, part, length);
		more = n > 0;
		for (size_t i = 0; i < n; i++)
			if (!parts[i])
				out->out_of_memory = true;
		out->out_of_memory |= !parts;
		if (!more || out->out_of_memory)
			break;
		buffer_text_add(&text, level > 0 ? "/" : "");
		buffer_text_add(&text, adapter_pattern(out, parts, n));
	}
	const char *copy = buffer_error(&text, NULL) == 0 ? arena_strdup(out->arena, buffer_text(&text)) : NULL;
	buffer_release(&text);
	out->out_of_memory |= !copy;
	return copy ? copy : "";
}

static void command(const struct adapter_request *request, struct adapter_command *out)
{
	const char *prefix = is_go_test(adapter_without_env(request->words)) ? "-" : "-test.";
	adapter_words(out, request->words);
	adapter_word(out, "%srun=^$", prefix);
	/* Names come with their results then, whatever is printed in between. */
	adapter_word(out, "%sv", prefix);
	if (request->only_list) {
		adapter_word(out, "%sbench=.", prefix);
		adapter_word(out, "%sbenchtime=1x", prefix);
		adapter_word(out, "%scount=1", prefix);
		return;
	}
	adapter_word(out, "%sbench=%s", prefix, pattern(out, request));
	adapter_word(out, "%sbenchtime=%.6fs", prefix, request->seconds / (double)request->repetitions);
	adapter_word(out, "%scount=%zu", prefix, request->repetitions);
}

const struct adapter go_adapter = {
	.name = "go",
	.framework = "Go's testing package",
	.format = "go",
	.list = ADAPTER_RESULTS,
	.repetitions = 10,
	.why = {"panic: ", "    "},
	.ends_with_fail = true,
	.recognises = recognises,
	.command = command,
};
