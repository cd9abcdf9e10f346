/* Google Benchmark: a program with benchmark::Initialize, by its documented options. Results go to a file of ours as JSON:
 * standard output belongs to the program. Iterations in a repetition are found by the framework: it raises them until they
 * take long enough by CPU time, or five times as long by the wall. On a busy machine a process often loses the CPU in its
 * first iteration, which then takes long enough by the wall: all repetitions are of one iteration (seen in half of the
 * processes at a load of 20), which is mostly cost of the loop. Its own warm-up, of one iteration, takes that blow. */
#include "adapters/adapter.h"

#include <stdlib.h>
#include <string.h>

/* Linked statically the program has the option's name, else the name of the function in the library. */
static bool recognises(const struct adapter_program *program)
{
	return adapter_has_text(program->text, program->length, "benchmark_list_tests") ||
	       adapter_has_text(program->text, program->length, "_ZN9benchmark10Initialize");
}

static const char warm_up[] = "BENCHMARK_MIN_WARMUP_TIME"; /* the default of its option --benchmark_min_warmup_time */

static void command(const struct adapter_request *request, struct adapter_command *out)
{
	adapter_words(out, request->words);
	if (request->only_list) {
		adapter_word(out, "--benchmark_list_tests=true");
		if (request->of_none)
			adapter_word(out, "--benchmark_filter=^$");
		return;
	}
	out->results = adapter_path(out, request, "results.json");
	if (!adapter_variable(request, warm_up)) /* versions before 1.7.1 have no such option and read no such variable */
		adapter_set(out, "%s=1e-9", warm_up);
	adapter_word(out, "--benchmark_list_tests=false");
	adapter_word(out, "--benchmark_filter=%s", adapter_pattern(out, request->keys, request->count));
	adapter_word(out, "--benchmark_min_time=%.6f", request->seconds / (double)request->repetitions);
	adapter_word(out, "--benchmark_repetitions=%zu", request->repetitions);
	adapter_word(out, "--benchmark_report_aggregates_only=false");
	adapter_word(out, "--benchmark_out_format=json");
	adapter_word(out, "--benchmark_out=%s", out->results);
}

/* The program's own MinTime() is part of the name, and wins. */
static double own_time(const char *key)
{
	static const char part[] = "/min_time:";
	const char *time = strstr(key, part);
	return time ? atof(time + sizeof(part) - 1) : 0;
}

static bool wants_wall(const char *key)
{
	return strstr(key, "/manual_time") || strstr(key, "/real_time");
}

const struct adapter google_adapter = {
	.name = "gbench",
	.framework = "Google Benchmark",
	.format = "gbench",
	.list = ADAPTER_LINES,
	.list_is_mixed = true,
	.repetitions = 20,
	.reports_cpu = true,
	.recognises = recognises,
	.command = command,
	.own_time = own_time,
	.wants_wall = wants_wall,
};
