/* Imports for tests: from text in the test, and what must come out. */
#ifndef TARE_TESTS_SUPPORT_IMPORTS_H
#define TARE_TESTS_SUPPORT_IMPORTS_H

#include "exchange/import.h"
#include "support/known.h"

/* Imports text with a --columns option (or NULL); the test fails when it does not succeed. */
void import_text(struct result *out, const char *text, const char *columns);

/* Imports what must fail with this kind, at this line and column (0: none), with `words` in the
 * message or in what to do next. */
#define assert_refused(text, columns, kind, line, column, words) \
	imports_assert_refused(text, strlen(text), columns, kind, line, column, words, __FILE__, __LINE__)
void imports_assert_refused(const char *text, size_t length, const char *columns, enum error_kind kind, long line,
                            long column, const char *words, const char *file, int at);

/* The series of a subject by name and of its metric by name (NULL: its first one). */
const struct series *series_of(const struct result *result, const char *subject, const char *metric);

/* A series as text, levels as nested brackets: "[[1,2],[3]]"; lost values are null. Valid until the next call. */
const char *series_text(const struct series *series);

/* Whether a warning of that code holds the words. */
int has_warning(const struct result *result, const char *code, const char *words);

/* The folder of other people's data beside the checkout, or NULL: the program then
 * prints "1..0 # SKIP …" and ends (cmocka's skip() is a failure in TAP). */
const char *shared_data(void);

#endif
