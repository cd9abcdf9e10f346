/* The C library's regexec(), which a test can let run out of memory. Included once a program. */
#ifndef TARE_TESTS_SUPPORT_SHORT_REGEX_H
#define TARE_TESTS_SUPPORT_SHORT_REGEX_H

#include <dlfcn.h>
#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

static bool regex_short_of_memory;

/* By another name here: the C libraries do not agree on the type of `matches`. */
int short_regexec(const regex_t *regex, const char *text, size_t count, regmatch_t *matches,
                  int flags) __asm__("regexec");

int short_regexec(const regex_t *regex, const char *text, size_t count, regmatch_t *matches, int flags)
{
	int (*real)(const regex_t *, const char *, size_t, regmatch_t *, int);
	*(void **)&real = dlsym(RTLD_NEXT, "regexec");
	return regex_short_of_memory ? REG_ESPACE : real(regex, text, count, matches, flags);
}

#endif
