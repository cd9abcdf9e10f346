#include "design/parameters.h"

#include "base/buffer.h"
#include "base/format.h"
#include "base/parse.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_VALUES = 100000, MAX_DECIMALS = 30 };
static const double beyond = 1e15; /* written with an exponent, and not exactly */

/* Of a number: 1.5e-3 is 0.0015 and has four. */
static long decimals_in(const char *text)
{
	const char *dot = text ? strchr(text, '.') : NULL, *exponent = text ? strpbrk(text, "eE") : NULL;
	long decimals = dot ? (long)strspn(dot + 1, "0123456789") : 0;
	long power = exponent ? strtol(exponent + 1, NULL, 10) : 0;
	if (power >= decimals)
		return 0;
	return power < -MAX_DECIMALS ? MAX_DECIMALS + 1 : decimals - power;
}

int parameter_range(struct arena *arena, const char *name, const char *low, const char *high, const char *step,
                    struct parameter_axis *out, struct error *err)
{
	double from, to, by = 1;
	if (parse_double(low, &from, err) != 0 || parse_double(high, &to, err) != 0 ||
	    (step && parse_double(step, &by, err) != 0))
		return error_on(err, "parameter %s", name);
	if (!(by > 0) || to < from) {
		if (by > 0)
			error_set(err, ERROR_USAGE, "the range from %s to %s is empty", low, high);
		else
			error_set(err, ERROR_USAGE, "the step %s is not above 0", step);
		return error_on(err, "parameter %s", name);
	}
	double steps = floor((to - from) / by * (1 + 1e-12) + 1e-9);
	if (steps >= MAX_VALUES) {
		error_set(err, ERROR_USAGE, "more than %d values", MAX_VALUES);
		return error_on(err, "parameter %s", name);
	}
	long digits = decimals_in(low) > decimals_in(step) ? decimals_in(low) : decimals_in(step);
	if (digits > MAX_DECIMALS || fabs(from) >= beyond || to >= beyond) {
		error_set(err, ERROR_USAGE, "values of more than 15 digits, or with more than %d decimals", MAX_DECIMALS);
		return error_on(err, "parameter %s", name);
	}
	struct parameter_axis axis = {name, NULL, (size_t)steps + 1};
	axis.values = arena_alloc(arena, axis.count, sizeof(*axis.values));
	if (!axis.values)
		return error_memory(err);
	for (size_t i = 0; i < axis.count; i++) {
		char text[FORMAT_MAX];
		axis.values[i] = arena_strdup(arena, format_fixed(text, sizeof(text), from + (double)i * by, (int)digits));
		if (!axis.values[i])
			return error_memory(err);
	}
	*out = axis;
	return 0;
}

int parameter_list(struct arena *arena, const char *name, const char *values, struct parameter_axis *out,
                   struct error *err)
{
	size_t most = 1;
	for (const char *c = values; *c; c++)
		most += *c == ',';
	struct parameter_axis axis = {name, arena_alloc(arena, most, sizeof(char *)), 0};
	char *text = arena_strdup(arena, values);
	if (!axis.values || !text)
		return error_memory(err);
	/* Unescapes in place: what is written is never longer than what was read. */
	char *write = text, *start = text;
	for (const char *read = text;; read++) {
		if (*read == '\\' && (read[1] == ',' || read[1] == '\\')) {
			*write++ = *++read;
		} else if (*read == ',' || *read == '\0') {
			bool end = *read == '\0';
			*write++ = '\0';
			axis.values[axis.count++] = start;
			start = write;
			if (end)
				break;
		} else {
			*write++ = *read;
		}
	}
	*out = axis;
	return 0;
}

int parameter_add(struct parameter_axis *axes, size_t *count, size_t replaceable, const struct parameter_axis *axis,
                  struct error *err)
{
	size_t i = 0;
	while (i < *count && strcmp(axes[i].name, axis->name) != 0)
		i++;
	if (i < *count && i >= replaceable)
		return error_full(err, ERROR_USAGE, NULL, "put all its values into one list", "parameter %.60s is given twice",
		                  axis->name);
	axes[i] = *axis;
	*count += i == *count;
	return 0;
}

size_t parameter_combinations(const struct parameter_axis *axes, size_t count)
{
	size_t product = 1;
	for (size_t i = 0; i < count; i++)
		if (__builtin_mul_overflow(product, axes[i].count, &product))
			return SIZE_MAX;
	return product;
}

void parameter_combination(const struct parameter_axis *axes, size_t count, size_t index, struct parameter *out)
{
	for (size_t i = count; i-- > 0;) {
		out[i].name = axes[i].name;
		out[i].value = axes[i].values[index % axes[i].count];
		index /= axes[i].count;
	}
}

char *parameter_substitute(struct arena *arena, const char *text, const struct parameter *values, size_t count)
{
	struct buffer out = {0};
	while (*text) {
		size_t i = 0, length = 0;
		for (; *text == '{' && i < count; i++) {
			length = strlen(values[i].name);
			if (strncmp(text + 1, values[i].name, length) == 0 && text[1 + length] == '}')
				break;
		}
		if (*text == '{' && i < count) {
			buffer_text_add(&out, values[i].value);
			text += length + 2;
		} else {
			buffer_char(&out, *text++);
		}
	}
	char *copy = buffer_error(&out, NULL) == 0 ? arena_strdup(arena, buffer_text(&out)) : NULL;
	buffer_release(&out);
	return copy;
}
