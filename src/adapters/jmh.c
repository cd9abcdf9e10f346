/* JMH: a jar of benchmarks, by its documented command line: -l lists; one fork, one iteration of warm-up and some measured
 * ones of a fixed time. The mode is the benchmark's own. */
#include "adapters/adapter.h"

#include <string.h>

/* The jar's directory of files names the list of benchmarks. */
static bool recognises(const struct adapter_program *program)
{
	return strcmp(adapter_base_name(program->words[0]), "java") == 0 &&
	       adapter_has_text(program->script, program->script_length, "META-INF/BenchmarkList");
}

static void command(const struct adapter_request *request, struct adapter_command *out)
{
	adapter_words(out, request->words);
	if (request->only_list) {
		adapter_word(out, "-l");
		return;
	}
	double milliseconds = 1000 * request->seconds / (double)(request->repetitions + 1);
	out->results = adapter_path(out, request, "results.json");
	const char *const words[] = {"-f", "1", "-wi", "1", "-rf", "json", "-rff", out->results, NULL};
	adapter_words(out, words);
	adapter_word(out, "-i");
	adapter_word(out, "%zu", request->repetitions);
	adapter_word(out, "-r");
	adapter_word(out, "%.0fms", milliseconds + 1);
	adapter_word(out, "-w");
	adapter_word(out, "%.0fms", milliseconds + 1);
	adapter_word(out, "%s", adapter_pattern(out, request->keys, request->count));
}

static char *name_in_line(char *line)
{
	return strchr(line, ' ') || strcmp(line, "Benchmarks:") == 0 ? NULL : line;
}

const struct adapter jmh_adapter = {
	.name = "jmh",
	.framework = "JMH",
	.format = "jmh",
	.list = ADAPTER_LINES,
	.repetitions = 5,
	.recognises = recognises,
	.command = command,
	.name_in_line = name_in_line,
};
