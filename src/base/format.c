/* snprintf with the locale's decimal point undone. */
#include "base/format.h"

#include "base/parse.h"

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static char *with_dot(char *text)
{
	const char *point = localeconv()->decimal_point;
	size_t width = strlen(point);
	if (width == 1 && *point == '.')
		return text;
	char *at = width ? strstr(text, point) : NULL;
	if (at) {
		*at = '.';
		memmove(at + 1, at + width, strlen(at + width) + 1);
	}
	return text;
}

char *format_exact(char *text, size_t size, double value)
{
	if (!isfinite(value)) {
		snprintf(text, size, "null");
		return text;
	}
	snprintf(text, size, "%.15g", value);
	with_dot(text);
	double back;
	if (parse_number_prefix(text, strlen(text), &back) == 0 || back != value) {
		snprintf(text, size, "%.17g", value);
		with_dot(text);
	}
	return text;
}

char *format_fixed(char *text, size_t size, double value, int digits)
{
	if (isnan(value))
		snprintf(text, size, "-");
	else if (isinf(value))
		snprintf(text, size, value > 0 ? "inf" : "-inf");
	else if (fabs(value) >= 1e15)
		snprintf(text, size, "%.6g", value);
	else if (digits == FORMAT_EXPONENT)
		snprintf(text, size, value == 0 ? "0" : "%.3e", value);
	else
		snprintf(text, size, "%.*f", digits, value);
	with_dot(text);
	/* "-0.00" says nothing that "0.00" does not. */
	if (text[0] == '-' && text[1] && strspn(text + 1, "0.") == strlen(text + 1))
		memmove(text, text + 1, strlen(text));
	return text;
}

enum { MOST_PLACES = 12 };

static int magnitude(double value)
{
	return value == 0 || !isfinite(value) ? 0 : (int)floor(log10(fabs(value)));
}

static int clamp(int value, int low, int high)
{
	return value < low ? low : value > high ? high : value;
}

char *format_significant(char *text, size_t size, double value, int significant)
{
	if (isfinite(value) && value != 0 && (fabs(value) < 1e-4 || fabs(value) >= 1e15)) {
		snprintf(text, size, "%.*e", clamp(significant - 1, 0, 16), value);
		return with_dot(text);
	}
	/* Rounding may carry into the next decade: 9.996 with three digits is 10.0. */
	int digits = clamp(significant - 1 - magnitude(value), 0, MOST_PLACES);
	double rounded = isfinite(value) ? round(value * pow(10, digits)) / pow(10, digits) : value;
	digits = clamp(significant - 1 - magnitude(rounded), 0, MOST_PLACES);
	return format_fixed(text, size, value, digits);
}

char *format_p_value(char *text, size_t size, double p)
{
	char number[FORMAT_MAX];
	if (p < 0.001)
		snprintf(text, size, "< 0.001");
	else
		snprintf(text, size, "= %s", format_significant(number, sizeof(number), p, 2));
	return text;
}

int format_decimals(double value, double half_width)
{
	double size = fmax(fabs(value), isfinite(half_width) ? half_width : 0);
	if (size > 0 && size < 1e-9)
		return FORMAT_EXPONENT;
	if (!(half_width > 0) || !isfinite(half_width))
		return clamp(3 - magnitude(value), 0, MOST_PLACES);
	int digits = 1 - magnitude(half_width);
	/* Never fewer than two digits of the value, never more than ten; of 0 and what rounding left of it none. */
	int least = fabs(value) < 1e-9 ? digits : 1 - magnitude(value), most = 9 - magnitude(value);
	return clamp(clamp(digits, least, most < least ? least : most), 0, MOST_PLACES);
}

/* A unit of others may be of any length: what does not fit ends with "…", behind a whole character of UTF-8. */
static void copy_unit(char *to, size_t size, const char *unit)
{
	static const char dots[] = "\xe2\x80\xa6";
	size_t length = strlen(unit);
	if (length < size) {
		memcpy(to, unit, length + 1);
		return;
	}
	length = size - sizeof(dots);
	while (length > 0 && ((unsigned char)unit[length] & 0xc0) == 0x80)
		length--;
	snprintf(to, size, "%.*s%s", (int)length, unit, dots);
}

struct format_scale format_scale_for(double value, const char *unit)
{
	static const struct {
		const char *unit, *name;
		double divisor;
	} scales[] = {
		{"s", "s", 1},
		{"s", "ms", 1e-3},
		{"s", "\xc2\xb5s", 1e-6},
		{"s", "ns", 1e-9},
		{"s", "ps", 1e-12},
		{"bytes", "GB", 1e9},
		{"bytes", "MB", 1e6},
		{"bytes", "kB", 1e3},
		{"bytes", "B", 1},
		{"bytes/s", "GB/s", 1e9},
		{"bytes/s", "MB/s", 1e6},
		{"bytes/s", "kB/s", 1e3},
		{"bytes/s", "B/s", 1},
		{"items/s", "G/s", 1e9},
		{"items/s", "M/s", 1e6},
		{"items/s", "k/s", 1e3},
		{"items/s", "/s", 1},
		{"1/s", "G/s", 1e9},
		{"1/s", "M/s", 1e6},
		{"1/s", "1/s", 1},
		{"", "G", 1e9},
		{"", "M", 1e6},
		{"", "", 1},
	};
	struct format_scale scale = {1, ""};
	double size = isfinite(value) ? fabs(value) : 0; /* what is not known keeps the plain unit */
	bool known = false;
	for (size_t i = 0; i < sizeof(scales) / sizeof(scales[0]); i++) {
		if (strcmp(unit, scales[i].unit) != 0)
			continue;
		known = true;
		scale.divisor = scales[i].divisor;
		snprintf(scale.unit, sizeof(scale.unit), "%s", scales[i].name);
		if (size >= scales[i].divisor * 0.9995 || (size == 0 && scales[i].divisor == 1))
			break;
	}
	if (!known)
		copy_unit(scale.unit, sizeof(scale.unit), unit);
	return scale;
}

char *format_scaled(char *text, size_t size, double value, double half_width, const struct format_scale *scale)
{
	double shown = value / scale->divisor;
	bool nothing = value == 0 && !(half_width > 0);
	format_fixed(text, size, shown, nothing ? 0 : format_decimals(shown, half_width / scale->divisor));
	if (scale->unit[0]) {
		size_t used = strlen(text);
		snprintf(text + used, size - used, " %s", scale->unit);
	}
	return text;
}

char *format_quantity(char *text, size_t size, double value, double half_width, const char *unit)
{
	struct format_scale scale = format_scale_for(value, unit);
	return format_scaled(text, size, value, half_width, &scale);
}

static int percent_digits(double percent, double half)
{
	return half > 0 && isfinite(half) ? clamp(1 - magnitude(half), 0, 6) : clamp(1 - magnitude(percent), 1, 4);
}

static char *put_percent(char *text, size_t size, double percent, int digits, int with_sign)
{
	char number[FORMAT_MAX];
	format_fixed(number, sizeof(number), percent, digits);
	snprintf(text, size, "%s%s %%", with_sign && percent > 0 && number[0] != '-' ? "+" : "", number);
	return text;
}

char *format_percent(char *text, size_t size, double fraction, double half_width, int with_sign)
{
	return put_percent(text, size, fraction * 100, percent_digits(fraction * 100, half_width * 100), with_sign);
}

char *format_percent_end(char *text, size_t size, double fraction, double half_width, int with_sign)
{
	double percent = fraction * 100;
	int digits = percent_digits(percent, half_width * 100), shown = digits;
	while (shown <= digits + 2 && fabs(percent) * pow(10, shown) < 0.5)
		shown++;
	return put_percent(text, size, percent, shown > digits + 2 ? digits : shown, with_sign);
}

char *format_level(char *text, size_t size, double level)
{
	/* What is left to 100 % tells levels apart: three digits of it are enough, of a level that was divided by many. */
	double left = 100 - 100 * level;
	if (isnan(level))
		snprintf(text, size, "-");
	else if (left > 0 && left < 10)
		snprintf(text, size, "%.*g", clamp(4 - magnitude(left), 5, 10), 100 * level);
	else
		snprintf(text, size, "%.10g", 100 * level);
	return with_dot(text);
}

char *format_duration(char *text, size_t size, int64_t nanoseconds)
{
	double seconds = (double)nanoseconds / 1e9;
	if (nanoseconds > 0 && nanoseconds < 1000)
		snprintf(text, size, "%lld ns", (long long)nanoseconds);
	else if (nanoseconds > 0 && nanoseconds < 999500)
		snprintf(text, size, "%.0f \u00b5s", seconds * 1e6);
	else if (seconds < 0.9995)
		snprintf(text, size, "%.0f ms", seconds * 1e3);
	else if (seconds < 9.95)
		snprintf(text, size, "%.1f s", seconds);
	else if (seconds < 119.5)
		snprintf(text, size, "%.0f s", seconds);
	else if (seconds < 7170)
		snprintf(text, size, "%.0f min %.0f s", floor((seconds + 0.5) / 60), floor(fmod(seconds + 0.5, 60)));
	else
		snprintf(text, size, "%.0f h %.0f min", floor((seconds + 30) / 3600), floor(fmod((seconds + 30) / 60, 60)));
	return with_dot(text);
}
