/* What a harness program has, and what its loop costs. */
#include "measure/harness_talk.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/parse.h"
#include "host/clock.h"

#include <stdio.h>
#include <string.h>

enum { BENCHMARKS_MAX = 100000 };

static int outcome_to_error(const struct harness *harness, const struct harness_outcome *result, struct error *err)
{
	if (result->end == HARNESS_CANCELLED)
		return error_set(err, ERROR_INTERRUPTED, "interrupted");
	return error_full(err, result->end == HARNESS_LOST ? ERROR_SYSTEM : ERROR_SUBJECT, harness->name, NULL, "%s",
	                  result->text);
}

static int nonsense(struct harness *harness, const char *line, struct error *err)
{
	char what[160];
	snprintf(what, sizeof(what), "it gives an invalid answer: \"%.100s\"", line);
	struct harness_outcome result = harness_garbage(harness, what);
	return outcome_to_error(harness, &result, err);
}

static int add_pair(struct harness *harness, struct harness_pair **pairs, size_t *count, char *words, struct error *err)
{
	char *space = strchr(words, ' ');
	if (!space || space == words)
		return nonsense(harness, words, err);
	*space = '\0';
	struct harness_pair *larger = mem_resize(*pairs, *count + 1, sizeof(**pairs));
	if (!larger)
		return error_memory(err);
	*pairs = larger;
	struct harness_pair pair = {arena_strdup(&harness->arena, words), arena_strdup(&harness->arena, space + 1)};
	if (!pair.name || !pair.value)
		return error_memory(err);
	larger[(*count)++] = pair;
	return 0;
}

static int add_benchmark(struct harness *harness, const char *name, struct error *err)
{
	if (!name[0] || strchr(name, ' ') || harness->benchmark_count == BENCHMARKS_MAX)
		return nonsense(harness, name, err);
	if (array_reserve(&harness->benchmarks, &harness->benchmark_capacity, harness->benchmark_count + 1) != 0)
		return error_memory(err);
	struct harness_benchmark benchmark = {.name = arena_strdup(&harness->arena, name)};
	if (!benchmark.name)
		return error_memory(err);
	harness->benchmarks[harness->benchmark_count++] = benchmark;
	return 0;
}

/* 1: more to come, 0: that was the last line, -1 */
static int take_list_line(struct harness *harness, char *line, struct error *err)
{
	struct harness_benchmark *last = harness->benchmark_count ? &harness->benchmarks[harness->benchmark_count - 1]
	                                                          : NULL;
	int status;
	if (strcmp(line, "ok") == 0)
		return 0;
	if (strncmp(line, "bench ", 6) == 0)
		status = add_benchmark(harness, line + 6, err);
	else if (last && strncmp(line, "param ", 6) == 0)
		status = add_pair(harness, &last->parameters, &last->parameter_count, line + 6, err);
	else if (last && strncmp(line, "default ", 8) == 0)
		status = add_pair(harness, &last->defaults, &last->default_count, line + 8, err);
	else
		status = nonsense(harness, line, err);
	return status == 0 ? 1 : -1;
}

int harness_list(struct harness *harness, const struct harness_benchmark **out, size_t *count, struct error *err)
{
	if (!harness->listed) {
		int64_t deadline = clock_now(&harness->host) + HARNESS_ANSWER_LIMIT;
		struct harness_outcome result = harness_tell(harness, "list\n", HARNESS_ANSWER_LIMIT);
		int more = 1;
		while (more > 0) {
			char *line = NULL;
			if (result.end == HARNESS_OK)
				result = harness_hear(harness, deadline, HARNESS_ANSWER_LIMIT, &line);
			if (result.end != HARNESS_OK)
				return outcome_to_error(harness, &result, err);
			more = take_list_line(harness, line, err);
		}
		if (more < 0) {
			program_kill(&harness->host, &harness->program);
			return -1;
		}
		harness->listed = true;
	}
	*out = harness->benchmarks;
	*count = harness->benchmark_count;
	return 0;
}

int harness_calibrate(struct harness *harness, struct harness_overhead *out, struct error *err)
{
	struct harness_overhead overhead = {0, 0, 0, 0, 0};
	const struct {
		const char *key;
		double *value;
	} keys[] = {{"resolution ", &overhead.resolution},
	            {"fixed ", &overhead.fixed_wall},
	            {"fixed-cpu ", &overhead.fixed_cpu},
	            {"loop ", &overhead.loop},
	            {"loop-limit ", &overhead.loop_limit}};
	int64_t deadline = clock_now(&harness->host) + HARNESS_ANSWER_LIMIT;
	struct harness_outcome result = harness_tell(harness, "calibrate\n", HARNESS_ANSWER_LIMIT);
	for (;;) {
		char *line = NULL;
		bool known = false;
		if (result.end == HARNESS_OK)
			result = harness_hear(harness, deadline, HARNESS_ANSWER_LIMIT, &line);
		if (result.end != HARNESS_OK)
			return outcome_to_error(harness, &result, err);
		if (strcmp(line, "ok") == 0)
			break;
		for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
			size_t length = strlen(keys[i].key);
			if (strncmp(line, keys[i].key, length) == 0)
				known = parse_double(line + length, keys[i].value, NULL) == 0 && *keys[i].value >= 0;
		}
		if (!known)
			return nonsense(harness, line, err);
	}
	harness_look_at_output(harness);
	*out = overhead;
	return 0;
}
