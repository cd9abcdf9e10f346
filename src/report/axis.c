/* Ticks at multiples of 1, 2 or 5 times a power of ten: the finest step that needs at most
 * the number of ticks asked for. A log axis has ticks at 1, 2, 5, at 1, or at every second,
 * fifth … decade; one of less than a decade gets the ticks of a linear axis, each with its
 * unit. */
#include "report/axis.h"

#include "base/format.h"
#include "stats/quantile.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define LARGEST  1e300 /* so that sums and differences stay finite */
#define SMALLEST 1e-290

bool axis_can_show(double value)
{
	return fabs(value) <= LARGEST;
}

static double clamp(double value, double low, double high)
{
	return value < low ? low : value > high ? high : value;
}

static void sane_linear(double *low, double *high)
{
	double a = isfinite(*low) ? *low : isfinite(*high) ? *high : 0;
	double b = isfinite(*high) ? *high : a;
	*low = clamp(fmin(a, b), -LARGEST, LARGEST);
	*high = clamp(fmax(a, b), -LARGEST, LARGEST);
	double size = fmax(fabs(*low), fabs(*high));
	if (size < SMALLEST) {
		*low = -1;
		*high = 1;
	} else if (*high - *low < 1e-9 * size) {
		double half = *high == *low ? 0.1 * size : 0.5e-9 * size;
		double middle = *low / 2 + *high / 2;
		*low = clamp(middle - half, -LARGEST, LARGEST);
		*high = clamp(middle + half, -LARGEST, LARGEST);
	}
}

static void sane_log(double *low, double *high)
{
	if (!isfinite(*high) || *high < SMALLEST)
		*high = isfinite(*low) && *low >= SMALLEST ? *low : 1;
	if (!isfinite(*low) || *low < SMALLEST)
		*low = fmax(*high / 1e6, SMALLEST);
	sane_linear(low, high);
	if (*low <= 0)
		*low = *high / 1e6;
}

double axis_round_up(double x)
{
	double power = pow(10, floor(log10(x)));
	static const double factors[] = {1, 2, 5, 10};
	for (size_t i = 0; i < 4; i++)
		if (factors[i] * power >= x * (1 - 1e-9))
			return factors[i] * power;
	return 10 * power;
}

/* "1.2e9": printf's "1.2e+09" says no more. The decimal point is a dot in every locale. */
static void exponent_form(char *label, double value, int decimals)
{
	int exponent = (int)floor(log10(fabs(value)) + 1e-9);
	double scaled = value / pow(10, exponent);
	format_fixed(label, AXIS_LABEL_MAX, scaled, decimals);
	size_t used = strlen(label);
	snprintf(label + used, AXIS_LABEL_MAX - used, "e%d", exponent);
}

void axis_label(char *label, double value, double step, double size)
{
	bool fixed = size < 1e7 && size >= 1e-3;
	if (fabs(value) < step * 1e-6)
		value = 0;
	int step_digits = (int)floor(log10(step) + 1e-9);
	if (!fixed && value != 0) {
		int digits = (int)floor(log10(fabs(value)) + 1e-9) - step_digits;
		exponent_form(label, value, digits < 0 ? 0 : digits > 12 ? 12 : digits);
		return;
	}
	format_fixed(label, AXIS_LABEL_MAX, value, fixed && step_digits < 0 ? -step_digits : 0);
}

/* Ticks at multiples of the step inside the range; false when they are more than `most`. */
static bool linear_ticks(struct axis *axis, double step, double divisor, size_t most)
{
	double first = ceil(axis->low / step - 1e-9), last = floor(axis->high / step + 1e-9);
	if (!(last - first + 1 <= (double)most))
		return false;
	axis->tick_count = 0;
	double size = fmax(fabs(axis->low), fabs(axis->high)) / divisor;
	for (double i = first; i <= last; i++) {
		struct axis_tick *tick = &axis->ticks[axis->tick_count++];
		tick->at = clamp(i * step, axis->low, axis->high);
		axis_label(tick->label, i * step / divisor, step / divisor, size);
	}
	return true;
}

/* "2 M" rather than "2" with "M" somewhere else. */
static void own_units(struct axis *axis)
{
	for (size_t i = 0; i < axis->tick_count && axis->unit[0]; i++) {
		size_t used = strlen(axis->ticks[i].label);
		if (axis->ticks[i].at != 0)
			snprintf(axis->ticks[i].label + used, AXIS_LABEL_MAX - used, " %s", axis->unit);
	}
	axis->unit[0] = '\0';
}

/* One tick gives no scale: the outermost two of a finer step, or at last the ends of the range. */
static void two_ticks(struct axis *axis, double step, double divisor)
{
	for (int finer = 0; finer < 3 && axis->tick_count < 2; finer++) {
		step = axis_round_up(step * 0.3);
		if (axis->scale != AXIS_COUNT || step >= 1)
			linear_ticks(axis, step, divisor, AXIS_TICKS_MAX);
	}
	if (axis->tick_count >= 2) {
		axis->ticks[1] = axis->ticks[axis->tick_count - 1];
	} else {
		double size = fmax(fabs(axis->low), fabs(axis->high)) / divisor,
			   fine = (axis->high - axis->low) / divisor / 100;
		axis->ticks[0].at = axis->low;
		axis->ticks[1].at = axis->high;
		axis_label(axis->ticks[0].label, axis->low / divisor, fine, size);
		axis_label(axis->ticks[1].label, axis->high / divisor, fine, size);
	}
	axis->tick_count = 2;
}

static void linear(struct axis *axis, const char *unit, size_t most)
{
	double size = fmax(fabs(axis->low), fabs(axis->high));
	struct format_scale scale = format_scale_for(size, unit);
	double step = axis_round_up((axis->high - axis->low) / (double)(most + 1));
	if (axis->scale == AXIS_COUNT && step < 1)
		step = 1;
	while (!linear_ticks(axis, step, scale.divisor, most))
		step = axis_round_up(step * 1.5);
	if (axis->tick_count < 2)
		two_ticks(axis, step, scale.divisor);
	snprintf(axis->unit, sizeof(axis->unit), "%s", scale.unit);
	if (axis->scale == AXIS_COUNT)
		own_units(axis);
}

static void label_log(char *label, double value, const char *unit)
{
	struct format_scale scale = format_scale_for(value, unit);
	double shown = value / scale.divisor;
	int digits = (int)floor(log10(shown) + 1e-9);
	if (shown >= 1e4 || shown < 1e-4 * (1 - 1e-9))
		exponent_form(label, shown, 0);
	else
		format_fixed(label, AXIS_LABEL_MAX, shown, digits < 0 ? -digits : 0);
	size_t used = strlen(label);
	if (scale.unit[0])
		snprintf(label + used, AXIS_LABEL_MAX - used, " %s", scale.unit);
}

/* Ticks at the factors in every `stride`th decade; false when they are more than `most`. */
static bool log_ticks(struct axis *axis, const char *unit, size_t factor_count, int stride, size_t most)
{
	static const double factors[] = {1, 2, 5};
	int first = (int)floor(log10(axis->low) + 1e-9), last = (int)floor(log10(axis->high) + 1e-9);
	axis->tick_count = 0;
	for (int decade = first; decade <= last; decade++) {
		if (decade % stride != 0)
			continue;
		for (size_t i = 0; i < factor_count; i++) {
			double at = factors[i] * pow(10, decade);
			if (at < axis->low * (1 - 1e-9) || at > axis->high * (1 + 1e-9))
				continue;
			if (axis->tick_count == most)
				return false;
			struct axis_tick *tick = &axis->ticks[axis->tick_count++];
			tick->at = clamp(at, axis->low, axis->high);
			label_log(tick->label, at, unit);
		}
	}
	return true;
}

static void logarithmic(struct axis *axis, const char *unit, size_t most)
{
	bool done = axis->high / axis->low >= 10 && log_ticks(axis, unit, 3, 1, most);
	for (int stride = 1; !done && axis->high / axis->low >= 10 && stride < 1000; stride++)
		done = log_ticks(axis, unit, 1, stride, most) && axis->tick_count > 0;
	if (done && axis->tick_count >= 2) {
		axis->unit[0] = '\0';
		return;
	}
	linear(axis, unit, most);
	own_units(axis);
}

void axis_retick(struct axis *axis, const char *unit, size_t most)
{
	most = most < 2 ? 2 : most > AXIS_TICKS_MAX ? AXIS_TICKS_MAX : most;
	if (axis->scale == AXIS_LOG)
		logarithmic(axis, unit, most);
	else
		linear(axis, unit, most);
}

void axis_init(struct axis *axis, enum axis_scale scale, double low, double high, const char *unit, size_t most)
{
	memset(axis, 0, sizeof(*axis));
	if (scale == AXIS_LOG)
		sane_log(&low, &high);
	else
		sane_linear(&low, &high);
	axis->scale = scale;
	axis->low = low;
	axis->high = high;
	axis_retick(axis, unit, most);
}

double axis_place(const struct axis *axis, double value)
{
	if (axis->scale == AXIS_LOG)
		return value > 0 ? log(value / axis->low) / log(axis->high / axis->low) : NAN;
	return (value - axis->low) / (axis->high - axis->low);
}

struct axis_range axis_range_all(const double *values, size_t n)
{
	struct axis_range range = {.min = NAN, .max = NAN, .low = NAN, .high = NAN};
	for (size_t i = 0; i < n; i++) {
		if (!axis_can_show(values[i])) {
			range.lost++;
			continue;
		}
		range.finite++;
		if (!(values[i] >= range.min))
			range.min = values[i];
		if (!(values[i] <= range.max))
			range.max = values[i];
	}
	range.low = range.min;
	range.high = range.max;
	return range;
}

/* The 5 % and 95 % points of a sample of at most 1000 values taken at even distances:
 * near enough to choose an axis, and ten million values cost no sort. */
static bool bulk_of(const double *values, size_t n, double *low, double *high)
{
	enum { SAMPLE = 1000 };
	double sample[SAMPLE];
	size_t count = 0, step = n / SAMPLE + 1;
	for (size_t i = 0; i < n && count < SAMPLE; i += step)
		if (axis_can_show(values[i]))
			sample[count++] = values[i];
	if (count < 10)
		return false;
	sort_doubles(sample, count);
	*low = sample[count / 20];
	*high = sample[count - 1 - count / 20];
	return *high > *low;
}

void axis_range_count(struct axis_range *range, const double *values, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		range->below += axis_can_show(values[i]) && values[i] < range->low;
		range->above += axis_can_show(values[i]) && values[i] > range->high;
	}
}

struct axis_range axis_range_bulk(const double *values, size_t n)
{
	struct axis_range range = axis_range_all(values, n);
	double low, high;
	if (range.finite == 0 || !bulk_of(values, n, &low, &high))
		return range;
	double spread = range.spread = high - low;
	/* Less than a fifth of the axis for nine tenths of the values: let the far ones go. */
	if (range.max - range.min <= 5 * spread)
		return range;
	range.low = fmax(range.min, low - 1.5 * spread);
	range.high = fmin(range.max, high + 1.5 * spread);
	axis_range_count(&range, values, n);
	return range;
}
