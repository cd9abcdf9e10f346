/* nanobench: a program whose main() calls it. It has no command line: a process runs all of its benchmarks, each for the time
 * that the program gives it, and prints a table, which has one value of each. What there is shows only when it runs. */
#include "adapters/adapter.h"

/* What the implementation asks the environment for. */
static bool recognises(const struct adapter_program *program)
{
	return adapter_has_text(program->text, program->length, "NANOBENCH_ENDLESS") &&
	       adapter_has_text(program->text, program->length, "NANOBENCH_SUPPRESS_WARNINGS");
}

static void command(const struct adapter_request *request, struct adapter_command *out)
{
	adapter_words(out, request->words);
	adapter_set(out, "NANOBENCH_SUPPRESS_WARNINGS=1");
}

const struct adapter nanobench_adapter = {
	.name = "nanobench",
	.framework = "nanobench",
	.format = "nanobench",
	.list = ADAPTER_RESULTS,
	.repetitions = 1,
	.runs_all = true,
	.recognises = recognises,
	.command = command,
};
