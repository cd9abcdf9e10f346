/* criterion: a compiled bench binary, or `cargo bench`, whose words after "--" go to the binary. Its data go to a folder of
 * ours (CRITERION_HOME), where the last measurement of every benchmark is called "new". criterion takes at least ten
 * samples. */
#include "adapters/adapter.h"

#include <string.h>

static bool is_cargo(const char *const *words)
{
	if (strcmp(adapter_base_name(words[0]), "cargo") != 0)
		return false;
	for (size_t i = 1; words[i]; i++)
		if (strcmp(words[i], "bench") == 0)
			return true;
	return false;
}

static bool recognises(const struct adapter_program *program)
{
	return is_cargo(program->words) || (adapter_has_text(program->text, program->length, "CRITERION_HOME") &&
	                                    adapter_has_text(program->text, program->length, "measurement-time"));
}

static void command(const struct adapter_request *request, struct adapter_command *out)
{
	bool cargo = is_cargo(adapter_without_env(request->words)), divided = false;
	adapter_words(out, request->words);
	for (size_t i = 0; request->words[i]; i++)
		divided |= strcmp(request->words[i], "--") == 0;
	if (cargo && !divided)
		adapter_word(out, "--");
	if (!cargo)
		adapter_word(out, "--bench");
	if (request->only_list) {
		adapter_word(out, "--list");
		return;
	}
	out->results = adapter_path(out, request, "criterion");
	adapter_set(out, "CRITERION_HOME=%s", out->results);
	adapter_word(out, "--noplot");
	adapter_word(out, "--sample-size=10");
	adapter_word(out, "--nresamples=1001");
	/* Version 0.3 takes whole seconds alone. */
	adapter_word(out, "--warm-up-time=1");
	adapter_word(out, "--measurement-time=%.0f", request->seconds < 1 ? 1 : request->seconds);
	adapter_word(out, "%s", adapter_pattern(out, request->keys, request->count));
}

/* "name: bench" (0.3), "name: benchmark" */
static char *name_in_line(char *line)
{
	char *colon = strrchr(line, ':');
	if (!colon || (strcmp(colon, ": bench") != 0 && strcmp(colon, ": benchmark") != 0))
		return NULL;
	*colon = '\0';
	return line;
}

const struct adapter criterion_adapter = {
	.name = "criterion",
	.framework = "criterion",
	.format = "criterion",
	.why = {"thread '"},
	.list = ADAPTER_LINES,
	.repetitions = 10,
	.recognises = recognises,
	.command = command,
	.name_in_line = name_in_line,
};
