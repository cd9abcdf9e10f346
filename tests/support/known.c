#include "support/known.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

json_t *known_load(const char *name)
{
	char path[1024];
	json_error_t problem;
	snprintf(path, sizeof(path), "%s/%s", TESTS_KNOWN, name);
	json_t *document = json_load_file(path, 0, &problem);
	if (!document) {
		fprintf(stderr, "%s:%d: %s\n", path, problem.line, problem.text);
		exit(1);
	}
	return document;
}

static size_t flatten(const json_t *array, double *out, size_t n)
{
	size_t i;
	json_t *element;
	json_array_foreach(array, i, element)
	{
		if (json_is_array(element))
			n = flatten(element, out, n);
		else if (out)
			out[n++] = json_is_null(element) ? NAN : json_number_value(element);
		else
			n++;
	}
	return n;
}

double *known_array(const json_t *array, size_t *n)
{
	*n = flatten(array, NULL, 0);
	double *values = malloc((*n ? *n : 1) * sizeof(*values));
	if (!values)
		abort();
	flatten(array, values, 0);
	return values;
}

double known_number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);
	if (!json_is_number(value)) {
		fprintf(stderr, "known answer '%s' is missing or no number\n", key);
		exit(1);
	}
	return json_number_value(value);
}

void known_assert_close(double actual, double expected, double tolerance, const char *what, const char *file, int line)
{
	double limit = expected == 0 ? tolerance : tolerance * fabs(expected);
	if (actual == expected || fabs(actual - expected) <= limit)
		return;
	print_error("%s is %.17g, expected %.17g (off by %.3g, allowed %.3g)\n", what, actual, expected,
	            fabs(actual - expected), limit);
	_fail(file, line);
}
