/* Extended regular expressions. Want of memory is told as that, never as a wrong expression or as no match. */
#ifndef TARE_BASE_PATTERN_H
#define TARE_BASE_PATTERN_H

#include "base/error.h"

#include <regex.h>
#include <stdbool.h>

/* ERROR_USAGE says what is wrong with the text. After 0, regfree() it. */
int pattern_compile(regex_t *pattern, const char *text, struct error *err);

/* 1: somewhere in the text; 0: nowhere; -1: out of memory. */
int pattern_matches(const regex_t *pattern, const char *text);

/* Names to keep, as --filter says: those that match, or with a '-' in front those that do not. */
struct name_filter {
	regex_t regex;
	bool given, without;
};

/* NULL keeps all. An error names --filter. */
int name_filter_init(struct name_filter *filter, const char *text, struct error *err);
void name_filter_release(struct name_filter *filter);

/* 1: it is kept; 0: it is not; -1: out of memory. */
int name_filter_keeps(const struct name_filter *filter, const char *name);

#endif
