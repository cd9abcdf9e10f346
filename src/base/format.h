/* Numbers as text, independent of the locale.
 *
 * For machines: format_exact(), which reads back to the same double. For people:
 * as many digits as the uncertainty deserves, with a unit that suits the size.
 * All write at most `size` bytes with the final NUL and return `text`. */
#ifndef TARE_BASE_FORMAT_H
#define TARE_BASE_FORMAT_H

#include <stddef.h>
#include <stdint.h>

enum { FORMAT_MAX = 64 }; /* every function below fits into this many bytes */

/* 15 significant digits where they suffice, else 17; "null" for what is not finite. */
char *format_exact(char *text, size_t size, double value);

enum { FORMAT_EXPONENT = -1 };

/* `digits` decimal places, fixed notation, the decimal point a dot; FORMAT_EXPONENT: four digits and an exponent. */
char *format_fixed(char *text, size_t size, double value, int digits);

/* `significant` digits without exponent where the number is between 1e-4 and 1e15. */
char *format_significant(char *text, size_t size, double value, int significant);

/* A p-value with its sign: "= 0.59", or "< 0.001", below which its size says nothing. */
char *format_p_value(char *text, size_t size, double p);

/* How many decimal places a value deserves whose uncertainty is `half_width`: the
 * half-width itself would show two significant digits; 0 to 12, or FORMAT_EXPONENT below 1e-9, where places would show
 * zeros. A half-width that is 0, infinite or not known gives what shows `value` with four significant digits. */
int format_decimals(double value, double half_width);

/* A unit for a value: scale to divide by, and its name, for seconds, bytes and
 * plain counts. Other units stay as they are with scale 1. */
struct format_scale {
	double divisor;
	char unit[32]; /* with "" for a plain number */
};
struct format_scale format_scale_for(double value, const char *unit);

/* value with digits chosen from half_width, and its unit: "12.34 ms". */
char *format_quantity(char *text, size_t size, double value, double half_width, const char *unit);

/* The same in a scale that was chosen before. */
char *format_scaled(char *text, size_t size, double value, double half_width, const struct format_scale *scale);

/* A fraction as signed or unsigned per cent with digits from half_width: "+1.8 %". */
char *format_percent(char *text, size_t size, double fraction, double half_width, int with_sign);

/* The same for an end of an interval: one that lies close to 0 says on which side, with up to two more digits: "0.04 %". */
char *format_percent_end(char *text, size_t size, double fraction, double half_width, int with_sign);

/* A confidence level in per cent, with no more digits than it has (at most ten): 0.95 is "95", 0.975 "97.5". */
char *format_level(char *text, size_t size, double level);

/* A duration for progress and messages: "850 ms", "6.1 s", "2 min 5 s"; "400 µs" and "20 ns" below a millisecond. */
char *format_duration(char *text, size_t size, int64_t nanoseconds);

#endif
