/* SPDX-License-Identifier: MIT */
/* What TARE_CONFIGURE says of a benchmark: parameters, hooks, defaults.
 *
 * A wrong call does not end the program here: the first one is kept in `problem` and reported with the benchmark's name
 * when the suite is built. */
#include "harness/internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TARE_VALUES_MAX = 10000 }; /* of one parameter */

void *tare_allocate(size_t count, size_t size)
{
	void *block = calloc(count ? count : 1, size);
	if (!block) {
		fputs("tare-bench: out of memory\n", stderr);
		exit(1);
	}
	return block;
}

void *tare_reallocate(void *block, size_t count, size_t size)
{
	void *larger = count <= SIZE_MAX / size ? realloc(block, count * size) : NULL;
	if (!larger) {
		fputs("tare-bench: out of memory\n", stderr);
		exit(1);
	}
	return larger;
}

char *tare_duplicate(const char *text, size_t length)
{
	char *copy = (char *)tare_allocate(length + 1, 1);
	memcpy(copy, text, length);
	return copy;
}

static __attribute__((format(printf, 2, 3))) void tare_options_problem(struct tare_options *o, const char *format, ...)
{
	if (o->problem[0])
		return;
	va_list args;
	va_start(args, format);
	vsnprintf(o->problem, sizeof(o->problem), format, args);
	va_end(args);
}

int tare_word_is_plain(const char *text)
{
	if (!text || !text[0])
		return 0;
	for (const unsigned char *c = (const unsigned char *)text; *c; c++)
		if (*c <= ' ' || *c == 0x7f)
			return 0;
	return 1;
}

char **tare_split(const char *comma_separated, size_t *count)
{
	char **words = NULL;
	*count = 0;
	for (const char *from = comma_separated; from && *from;) {
		const char *end = from + strcspn(from, ",");
		const char *next = *end ? end + 1 : end;
		while (from < end && (*from == ' ' || *from == '\t'))
			from++;
		while (end > from && (end[-1] == ' ' || end[-1] == '\t'))
			end--;
		if (end > from) {
			words = (char **)tare_reallocate(words, *count + 1, sizeof(*words));
			words[(*count)++] = tare_duplicate(from, (size_t)(end - from));
		}
		from = next;
	}
	return words;
}

void tare_split_release(char **words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(words[i]);
	free(words);
}

void tare_options_release(struct tare_options *o)
{
	for (size_t i = 0; i < o->parameter_count; i++) {
		tare_split_release(o->parameters[i].values, o->parameters[i].count);
		free(o->parameters[i].name);
	}
	for (size_t i = 0; i < o->default_count; i++) {
		free(o->defaults[i].option);
		free(o->defaults[i].value);
	}
	free(o->parameters);
	free(o->defaults);
	memset(o, 0, sizeof(*o));
}

/* Takes over `values`. */
static void tare_add_parameter(struct tare_options *o, const char *name, char **values, size_t count)
{
	if (!tare_word_is_plain(name) || strpbrk(name, "/=,"))
		tare_options_problem(o, "\"%s\" cannot be the name of a parameter: no white space, '/', '=' or ','",
		                     name ? name : "");
	else if (count == 0)
		tare_options_problem(o, "the parameter %s has no values", name);
	for (size_t i = 0; i < count; i++)
		if (!tare_word_is_plain(values[i]))
			tare_options_problem(o, "the parameter %s has a value with white space: \"%s\"", name, values[i]);
	for (size_t i = 0; i < o->parameter_count; i++)
		if (name && strcmp(o->parameters[i].name, name) == 0)
			tare_options_problem(o, "the parameter %s is given twice", name);
	if (o->problem[0]) {
		tare_split_release(values, count);
		return;
	}
	o->parameters = (struct tare_parameter *)tare_reallocate(o->parameters, o->parameter_count + 1,
	                                                         sizeof(*o->parameters));
	struct tare_parameter *parameter = &o->parameters[o->parameter_count++];
	parameter->name = tare_duplicate(name, strlen(name));
	parameter->values = values;
	parameter->count = count;
}

void tare_values(struct tare_options *o, const char *name, const char *comma_separated)
{
	size_t count;
	char **values = tare_split(comma_separated, &count);
	if (name && strcmp(name, "threads") == 0)
		tare_options_problem(o, "threads are set with tare_threads()");
	tare_add_parameter(o, name, values, count);
}

static void tare_add_number(char ***values, size_t *count, int64_t number)
{
	char text[32];
	int length = snprintf(text, sizeof(text), "%" PRId64, number);
	*values = (char **)tare_reallocate(*values, *count + 1, sizeof(**values));
	(*values)[(*count)++] = tare_duplicate(text, (size_t)length);
}

void tare_range(struct tare_options *o, const char *name, int64_t first, int64_t last, int64_t step)
{
	if (step <= 0 || first > last) {
		tare_options_problem(o, "the range of %s needs first <= last and step > 0", name ? name : "");
		return;
	}
	uint64_t steps = ((uint64_t)last - (uint64_t)first) / (uint64_t)step;
	if (steps >= TARE_VALUES_MAX) {
		tare_options_problem(o, "the range of %s has more than %d values", name ? name : "", TARE_VALUES_MAX);
		return;
	}
	char **values = NULL;
	size_t count = 0;
	for (uint64_t i = 0; i <= steps; i++)
		tare_add_number(&values, &count, (int64_t)((uint64_t)first + i * (uint64_t)step));
	tare_add_parameter(o, name, values, count);
}

void tare_powers(struct tare_options *o, const char *name, int64_t first, int64_t last, int64_t factor)
{
	if (first <= 0 || first > last || factor < 2) {
		tare_options_problem(o, "the powers of %s need 0 < first <= last and factor >= 2", name ? name : "");
		return;
	}
	char **values = NULL;
	size_t count = 0;
	int64_t value = first;
	while (value < last) {
		tare_add_number(&values, &count, value);
		value = value > last / factor ? last : value * factor;
	}
	tare_add_number(&values, &count, last);
	tare_add_parameter(o, name, values, count);
}

void tare_threads(struct tare_options *o, const char *comma_separated)
{
	size_t count;
	char **values = tare_split(comma_separated, &count);
	for (size_t i = 0; i < count; i++) {
		char *end;
		long threads = strtol(values[i], &end, 10);
		if (*end || threads < 1 || threads > TARE_THREADS_MAX)
			tare_options_problem(o, "\"%s\" is not a number of threads from 1 to %d", values[i], TARE_THREADS_MAX);
	}
	tare_add_parameter(o, "threads", values, count);
}

static struct tare_hooks tare_hooks_of(tare_function set_up, tare_function tear_down)
{
	struct tare_hooks hooks;
	hooks.set_up = set_up;
	hooks.tear_down = tear_down;
	return hooks;
}

void tare_each_run(struct tare_options *o, tare_function set_up, tare_function tear_down)
{
	o->run = tare_hooks_of(set_up, tear_down);
}

void tare_each_iteration(struct tare_options *o, tare_function set_up, tare_function tear_down)
{
	o->iteration = tare_hooks_of(set_up, tear_down);
}

void tare_each_invocation(struct tare_options *o, uint64_t batch, tare_function set_up, tare_function tear_down)
{
	if (batch == 0)
		tare_options_problem(o, "tare_each_invocation needs a batch of at least 1");
	o->batch = batch;
	o->invocation = tare_hooks_of(set_up, tear_down);
}

void tare_default(struct tare_options *o, const char *option, const char *value)
{
	if (!tare_word_is_plain(option) || !tare_word_is_plain(value)) {
		tare_options_problem(o, "tare_default(\"%s\", \"%s\"): both must be words", option ? option : "",
		                     value ? value : "");
		return;
	}
	o->defaults = (struct tare_option_default *)tare_reallocate(o->defaults, o->default_count + 1,
	                                                            sizeof(*o->defaults));
	o->defaults[o->default_count].option = tare_duplicate(option, strlen(option));
	o->defaults[o->default_count].value = tare_duplicate(value, strlen(value));
	o->default_count++;
}

void tare_unit_metric(struct tare_options *o, const char *name, const char *unit, enum tare_better better)
{
	if (!tare_word_is_plain(name) || strlen(name) >= sizeof(o->unit_name) ||
	    (unit && unit[0] && !tare_word_is_plain(unit)) || (unit && strlen(unit) >= sizeof(o->unit_unit))) {
		tare_options_problem(o, "tare_unit_metric: name or unit is too long or has white space");
		return;
	}
	snprintf(o->unit_name, sizeof(o->unit_name), "%s", name);
	snprintf(o->unit_unit, sizeof(o->unit_unit), "%s", unit ? unit : "");
	o->unit_better = better;
}
