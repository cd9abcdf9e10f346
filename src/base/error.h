/* The error record: what was tried, on what, why it failed, what to do next.
 *
 * A function that can fail returns 0 or -1 (or a pointer or NULL) and takes a
 * `struct error *err` last; it fills the record only when it fails. `err` may
 * be NULL where the caller does not care. Words are put together in one place,
 * error_text(); libraries never print.
 */
#ifndef TARE_BASE_ERROR_H
#define TARE_BASE_ERROR_H

#include <stddef.h>

/* kind, exit code of the program, meaning */
#define ERROR_KINDS(X) \
	X(ERROR_NONE, 0, "no error") \
	X(ERROR_SYSTEM, 1, "the system refused something") \
	X(ERROR_MEMORY, 1, "out of memory") \
	X(ERROR_INPUT, 1, "a file cannot be read or is malformed") \
	X(ERROR_INTERNAL, 1, "a bug in tare") \
	X(ERROR_USAGE, 2, "wrong options or arguments") \
	X(ERROR_NO_DATA, 5, "nothing usable was measured or found") \
	X(ERROR_SUBJECT, 5, "a measured program failed") \
	X(ERROR_TIMEOUT, 124, "a trial ran past its time limit") \
	X(ERROR_INTERRUPTED, 130, "interrupted")

enum error_kind {
#define X(kind, code, meaning) kind,
	ERROR_KINDS(X)
#undef X
};

struct error {
	enum error_kind kind;
	int errnum;     /* errno, or 0 */
	char what[256]; /* what was tried, and what is wrong with it */
	char on[512];   /* the file, option or program it was tried on, or "" */
	char next[256]; /* what the user can do, or "" */
	char type[256]; /* the line to type for it, or "" */
	long line;      /* position in `on`, 0: unknown */
	long column;
};

/* Fills the record and returns -1, so that `return error_set(...)` reads well. */
int error_set(struct error *err, enum error_kind kind, const char *what, ...) __attribute__((format(printf, 3, 4)));

/* All at once: `on` (the file, option or program) and `next` (what to do) are texts as they are, or NULL. */
int error_full(struct error *err, enum error_kind kind, const char *on, const char *next, const char *what, ...)
	__attribute__((format(printf, 5, 6)));

/* As error_set with ERROR_SYSTEM and the given errno. */
int error_system(struct error *err, int errnum, const char *what, ...) __attribute__((format(printf, 3, 4)));

/* As error_set with ERROR_MEMORY. Inline, so that analyzers see that it is -1. */
void error_fill_memory(struct error *err);
static inline int error_memory(struct error *err)
{
	error_fill_memory(err);
	return -1;
}

/* Adds where and what next to a record that is already set; return -1. */
int error_on(struct error *err, const char *on, ...) __attribute__((format(printf, 2, 3)));
int error_at(struct error *err, const char *file, long line, long column);
int error_next(struct error *err, const char *next, ...) __attribute__((format(printf, 2, 3)));
int error_type(struct error *err, const char *line);

/* Up to three lines: "on:line:column: what: why" and, if known, "next" and "  line to type". At most
 * `size` bytes with the final NUL; control characters are shown as \xHH. */
void error_text(const struct error *err, char *text, size_t size);

int error_exit_code(enum error_kind kind);

#endif
