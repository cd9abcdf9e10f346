/* Known answers for tests: the JSON files of tests/known read with jansson, and comparison of doubles. */
#ifndef TARE_TESTS_SUPPORT_KNOWN_H
#define TARE_TESTS_SUPPORT_KNOWN_H

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The document tests/known/NAME; ends the program with a message when it cannot be read. */
json_t *known_load(const char *name);

/* A copy of a JSON array of numbers (free() it); nested arrays are flattened. */
double *known_array(const json_t *array, size_t *n);

/* A number at `key` of an object. */
double known_number(const json_t *object, const char *key);

/* |actual − expected| ≤ tolerance·|expected| (absolute when expected is 0); both infinite alike is equal. */
#define assert_close(actual, expected, tolerance) \
	known_assert_close((actual), (expected), (tolerance), #actual, __FILE__, __LINE__)
void known_assert_close(double actual, double expected, double tolerance, const char *what, const char *file, int line);

#endif
