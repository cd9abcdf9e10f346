/* Axes for plots of every kind: a range, round ticks (1, 2 or 5 times a power of ten) and
 * their labels in friendly units. The same code serves the terminal and SVG. */
#ifndef TARE_REPORT_AXIS_H
#define TARE_REPORT_AXIS_H

#include <stdbool.h>
#include <stddef.h>

enum { AXIS_TICKS_MAX = 32, AXIS_LABEL_MAX = 112 };

enum axis_scale {
	AXIS_LINEAR,
	AXIS_LOG,
	AXIS_COUNT, /* linear with whole ticks: an index, a lag, a number of things */
};

struct axis_tick {
	double at;
	char label[AXIS_LABEL_MAX]; /* UTF-8, never empty */
};

struct axis {
	enum axis_scale scale;
	double low, high;  /* low < high, finite; both positive on a log axis */
	char unit[32];     /* unit of the labels; "" where there is none or each label has its own (log, count) */
	size_t tick_count; /* 2 or more */
	struct axis_tick ticks[AXIS_TICKS_MAX]; /* ascending, low ≤ at ≤ high */
};

/* What to ask of an axis, where a layout has yet to find the number of ticks. */
struct axis_want {
	enum axis_scale scale;
	double low, high;
	const char *unit;
};

/* An axis that covers low … high with at most `most` ticks (2 to AXIS_TICKS_MAX; less counts as 2).
 * Anything may be asked: a range that is empty, too narrow for its numbers to differ in nine
 * digits, reversed or not finite is widened to one that can be drawn; so is a log axis that
 * reaches zero or below (it then shows six decades). */
void axis_init(struct axis *axis, enum axis_scale scale, double low, double high, const char *unit, size_t most);

/* As axis_init on the same range, with another number of ticks. */
void axis_retick(struct axis *axis, const char *unit, size_t most);

/* Where a value lies: 0 at low, 1 at high, beyond them outside; NaN for what cannot be placed. */
double axis_place(const struct axis *axis, double value);

/* The smallest of 1, 2 or 5 times a power of ten that is at least x > 0. */
double axis_round_up(double x);

/* A number with the decimals that its neighbours at distance `step` need; exponent form where
 * `size`, the largest magnitude on the axis, is over 1e7 or under 1e-3. AXIS_LABEL_MAX bytes. */
void axis_label(char *label, double value, double step, double size);

/* False for NaN, infinities and what is beyond 1e300. */
bool axis_can_show(double value);

/* The values to show of an array that may hold lost (NaN) and infinite ones. */
struct axis_range {
	size_t finite;       /* values that can be drawn */
	size_t lost;         /* the others: NaN, infinite */
	size_t below, above; /* finite ones outside low … high */
	double min, max;     /* of all finite ones; NaN when there are none */
	double low, high;    /* to show */
	double spread;       /* between the 5 % and 95 % points, about; 0 when not known */
};

/* All finite values. */
struct axis_range axis_range_all(const double *values, size_t n);

/* As axis_range_all, but leaves out a few values so far away that the others could not be
 * told apart: at most 5 % on a side, when they would take more than 4/5 of the axis.
 * A plot must still show that they exist (below, above, min, max). */
struct axis_range axis_range_bulk(const double *values, size_t n);

/* Adds to below and above those of the values that lie outside low … high. */
void axis_range_count(struct axis_range *range, const double *values, size_t n);

#endif
