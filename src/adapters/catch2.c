/* Catch2, versions 2 and 3. A benchmark is part of a test case, which runs as a whole: those beside it are measured too. A
 * process gives one value, the mean of so many samples as take about the time; resampling would only cost time. What
 * there is shows only when it runs: the list is one sample of each. */
#include "adapters/adapter.h"

#include "base/buffer.h"

#include <string.h>

/* A sample takes about so long where the benchmark is short: many times the resolution of its clock. */
static const double SAMPLE_TIME = 200e-6;

static bool recognises(const struct adapter_program *program)
{
	return adapter_has_text(program->text, program->length, "benchmark-samples") &&
	       adapter_has_text(program->text, program->length, "BenchmarkResults");
}

/* The first `length` bytes of a name as the command line wants it: commas and brackets have a meaning there. */
static void add_test(struct buffer *spec, const char *name, size_t length)
{
	buffer_text_add(spec, spec->length ? ",\"" : "\"");
	for (const char *c = name; c < name + length; c++) {
		if (strchr("\\,[\"*", *c))
			buffer_char(spec, '\\');
		buffer_char(spec, *c);
	}
	buffer_char(spec, '"');
}

static bool begins_with(const char *key, const char *other, size_t length)
{
	return strncmp(key, other, length) == 0 && key[length] == '/';
}

/* The test cases of "TEST CASE/BENCHMARK", each once. Both may have a '/': what is no test case matches nothing. */
static void add_tests(const struct adapter_request *request, struct adapter_command *out)
{
	struct buffer spec = {0};
	for (size_t i = 0; i < request->count; i++) {
		const char *key = request->keys[i];
		for (const char *slash = strchr(key + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
			size_t length = (size_t)(slash - key), k = 0;
			while (k < i && !begins_with(request->keys[k], key, length))
				k++;
			if (k == i)
				add_test(&spec, key, length);
		}
	}
	out->out_of_memory |= buffer_error(&spec, NULL) != 0;
	adapter_word(out, "%s", buffer_text(&spec));
	buffer_release(&spec);
}

static void command(const struct adapter_request *request, struct adapter_command *out)
{
	double samples = request->only_list ? 1 : request->seconds / SAMPLE_TIME;
	out->results = adapter_path(out, request, "results.xml");
	adapter_words(out, request->words);
	if (!request->only_list)
		add_tests(request, out);
	else if (!adapter_without_env(
				 request->words)[1]) /* those that are hidden for being benchmarks, and all that are not hidden */
		adapter_word(out, "[!benchmark],~[.]");
	adapter_word(out, "--reporter");
	adapter_word(out, "xml");
	adapter_word(out, "--out");
	adapter_word(out, "%s", out->results);
	adapter_word(out, "--benchmark-no-analysis");
	adapter_word(out, "--benchmark-samples");
	adapter_word(out, "%.0f", samples < 1 ? 1 : samples);
	adapter_word(out, "--benchmark-warmup-time");
	adapter_word(out, "%.0f", request->only_list ? 1 : request->seconds * 250 + 1);
}

const struct adapter catch2_adapter = {
	.name = "catch2",
	.framework = "Catch2",
	.format = "catch2",
	.list = ADAPTER_RESULTS,
	.repetitions = 1,
	.ends_with_fail = true,
	.recognises = recognises,
	.command = command,
};
