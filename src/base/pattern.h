/* Extended regular expressions. Want of memory is told as that, never as a wrong expression or as no match. */
#ifndef TARE_BASE_PATTERN_H
#define TARE_BASE_PATTERN_H

#include "base/error.h"

#include <regex.h>

/* ERROR_USAGE says what is wrong with the text. After 0, regfree() it. */
int pattern_compile(regex_t *pattern, const char *text, struct error *err);

/* 1: somewhere in the text; 0: nowhere; -1: out of memory. */
int pattern_matches(const regex_t *pattern, const char *text);

#endif
