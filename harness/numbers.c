/* SPDX-License-Identifier: MIT */
/* Reals as text: a benchmark may have called setlocale(), and the decimal point must stay a dot. */
#include "harness/internal.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static locale_t tare_plain_locale(void)
{
	static locale_t plain; /* made once, kept; (locale_t)0 leaves the locale as it is */
	if (!plain)
		plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
	return plain;
}

const char *tare_real_text(char text[TARE_REAL_SIZE], double value)
{
	locale_t before = uselocale(tare_plain_locale());
	snprintf(text, TARE_REAL_SIZE, "%.17g", value);
	uselocale(before);
	return text;
}

int tare_real_parse(const char *text, double *value)
{
	char *end;
	locale_t before = uselocale(tare_plain_locale());
	double parsed = strtod(text, &end);
	uselocale(before);
	if (end == text || *end || !isfinite(parsed))
		return 0;
	*value = parsed;
	return 1;
}
