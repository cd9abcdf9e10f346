/* JMH: a jar of benchmarks, by its documented command line: -lp lists, with parameters; one fork, one iteration of warm-up and some
 * measured ones of a fixed time. The mode is the benchmark's own. */
#include "adapters/adapter.h"

#include "base/buffer.h"

#include <stdlib.h>
#include <string.h>

enum { AXES_MOST = 16, VALUES_MOST = 64 };

struct jmh_axis {
	char *name, *values[VALUES_MOST];
	size_t count;
};

/* The jar's directory of files names the list of benchmarks. */
static bool recognises(const struct adapter_program *program)
{
	return strcmp(adapter_base_name(program->words[0]), "java") == 0 &&
	       adapter_has_text(program->script, program->script_length, "META-INF/BenchmarkList");
}

/* ---- the list ---- */

static int by_name(const void *a, const void *b)
{
	const struct jmh_axis *x = a, *y = b;
	return strcmp(x->name, y->name);
}

/* Every combination of values. */
static void add_names(struct arena *arena, struct buffer *out, const char *name, const struct jmh_axis *axes,
                      size_t count)
{
	if (count == 0) {
		buffer_printf(out, "%s\n", name);
		return;
	}
	for (size_t i = 0; i < axes->count; i++) {
		const char *longer = arena_printf(arena, "%s/%s=%s", name, axes->name, axes->values[i]);
		out->out_of_memory |= !longer;
		if (longer)
			add_names(arena, out, longer, axes + 1, count - 1);
	}
}

/*   param "size" = {10, 100} */
static bool read_axis(char *line, struct jmh_axis *axis)
{
	static const char start[] = "  param \"";
	if (strncmp(line, start, sizeof(start) - 1) != 0)
		return false;
	axis->name = line + sizeof(start) - 1;
	char *end = strstr(axis->name, "\" = {"), *close = strrchr(line, '}'), *values = end ? end + 5 : NULL;
	if (!end || !close || close < values)
		return false;
	*end = *close = '\0';
	for (axis->count = 0; values && axis->count < VALUES_MOST;) {
		char *comma = strstr(values, ", ");
		if (comma)
			*comma = '\0';
		axis->values[axis->count++] = values;
		values = comma ? comma + 2 : NULL;
	}
	return true;
}

static char *names(struct arena *arena, char *list)
{
	struct jmh_axis axes[AXES_MOST];
	struct buffer out = {0};
	const char *name = NULL;
	size_t count = 0;
	for (char *line; (line = strsep(&list, "\n"));) {
		line[strcspn(line, "\r")] = '\0';
		if (name && count < AXES_MOST && read_axis(line, &axes[count])) {
			count++;
			continue;
		}
		if (name) {
			qsort(axes, count, sizeof(*axes), by_name);
			add_names(arena, &out, name, axes, count);
		}
		name = *line && !strchr(line, ' ') && strcmp(line, "Benchmarks:") != 0 ? line : NULL;
		count = 0;
	}
	if (name)
		add_names(arena, &out, name, axes, count);
	char *text = buffer_error(&out, NULL) == 0 ? arena_strdup(arena, buffer_text(&out)) : NULL;
	buffer_release(&out);
	return text;
}

/* ---- a process ---- */

/* -p NAME=VALUE,VALUE for all values of the parameter that are wanted: other combinations that come of it are left unread. */
static void add_parameters(const struct adapter_request *request, struct adapter_command *out)
{
	struct jmh_axis axes[AXES_MOST];
	size_t count = 0;
	for (size_t i = 0; i < request->count; i++) {
		char *rest = arena_strdup(out->arena, request->keys[i]), *part;
		out->out_of_memory |= !rest;
		for (strsep(&rest, "/"); (part = strsep(&rest, "/"));) {
			char *value = strchr(part, '=');
			size_t a = 0, v = 0;
			if (!value)
				continue;
			*value++ = '\0';
			while (a < count && strcmp(axes[a].name, part) != 0)
				a++;
			if (a == AXES_MOST)
				continue;
			if (a == count)
				axes[count++] = (struct jmh_axis){.name = part};
			while (v < axes[a].count && strcmp(axes[a].values[v], value) != 0)
				v++;
			if (v == axes[a].count && v < VALUES_MOST)
				axes[a].values[axes[a].count++] = value;
		}
	}
	for (size_t a = 0; a < count; a++) {
		const char *values = axes[a].values[0];
		for (size_t v = 1; v < axes[a].count && values; v++)
			values = arena_printf(out->arena, "%s,%s", values, axes[a].values[v]);
		out->out_of_memory |= !values;
		adapter_word(out, "-p");
		adapter_word(out, "%s=%s", axes[a].name, values ? values : "");
	}
}

/* The names without their parameters, each once. */
static const char *pattern(const struct adapter_request *request, struct adapter_command *out)
{
	const char **plain = arena_alloc(out->arena, request->count, sizeof(*plain));
	size_t n = 0;
	for (size_t i = 0; plain && i < request->count; i++) {
		size_t k = 0;
		plain[n] = arena_strndup(out->arena, request->keys[i], strcspn(request->keys[i], "/"));
		out->out_of_memory |= !plain[n];
		while (k < n && plain[n] && strcmp(plain[k], plain[n]) != 0)
			k++;
		n += k == n && plain[n];
	}
	out->out_of_memory |= !plain;
	return plain ? adapter_pattern(out, plain, n) : "";
}

static void command(const struct adapter_request *request, struct adapter_command *out)
{
	adapter_words(out, request->words);
	if (request->only_list) {
		adapter_word(out, "-lp");
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
	add_parameters(request, out);
	adapter_word(out, "%s", pattern(request, out));
}

const struct adapter jmh_adapter = {
	.name = "jmh",
	.framework = "JMH",
	.format = "jmh",
	.list = ADAPTER_LINES,
	.repetitions = 5,
	.has_parameters = true,
	.recognises = recognises,
	.command = command,
	.names = names,
};
