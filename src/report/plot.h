/* Plots for a terminal, as lines of text that fit look->width (0: 80) and look->height
 * (0: what suits the plot); at least 24 columns and 6 lines are taken.
 *
 * Every value has a dot: nothing is thinned. Values so far away that the others could not
 * be told apart are drawn as arrows at the edge, and a last line says how many they are
 * and how far they reach; lost (NaN) and infinite values are counted there too. Empty,
 * constant and single-valued data give a plot or a line that says so. The same input
 * gives the same text. All return 0, or -1 when there is no memory. */
#ifndef TARE_REPORT_PLOT_H
#define TARE_REPORT_PLOT_H

#include "base/buffer.h"
#include "base/error.h"
#include "report/axis.h"
#include "report/look.h"
#include "stats/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum plot_mark_kind { PLOT_WARMUP, PLOT_CHANGE, PLOT_SETUP };

struct plot_mark {
	size_t
		index; /* of the first value after the warm-up, the change or the set-up, whose mark comes before that of the warm-up */
	enum plot_mark_kind kind;
};

struct plot_series {
	const char *title; /* NULL: the plot's own words */
	const double *values;
	size_t n;
	const char *unit;
	const uint32_t *starts; /* run_count + 1 entries, as in struct series; NULL: one run */
	size_t run_count;
	bool overlaid;                 /* all runs from 0 on, instead of one after the other */
	bool by_machine;               /* a "run" here is all that one machine measured */
	const struct plot_mark *marks; /* by index into values; overlaid: index inside a run */
	size_t mark_count;
	size_t lag; /* of PLOT_LAG beside shuffled values; 0: 1 */
};

/* Values against their index. */
int plot_sequence(const struct plot_series *series, const struct look *look, struct buffer *out, struct error *err);

/* Counts in bins of a round width (Freedman and Diaconis), one line each; `median` NaN: not marked. */
int plot_histogram(const struct plot_series *series, double median, const struct look *look, struct buffer *out,
                   struct error *err);

/* The plot of that kind beside the same plot of the same values in random order. The
 * autocorrelation is that of the ranks, inside runs. Takes at least 51 columns. */
enum plot_kind { PLOT_SEQUENCE, PLOT_LAG, PLOT_ACF };
int plot_beside_shuffled(enum plot_kind kind, const struct plot_series *series, uint64_t seed, const struct look *look,
                         struct buffer *out, struct error *err);

struct plot_strip {
	const char *name;
	const double *values;
	size_t n;
	double median;    /* NaN: not marked */
	double low, high; /* interval of the median; NaN: not marked */
	enum emphasis emphasis;
};

/* The axis that shows the bulk of all of them. */
struct axis_range plot_strips_range(const struct plot_strip *strips, size_t count);

/* One line per subject on one axis: how many values where, the median and its interval. */
int plot_strips(const struct plot_strip *strips, size_t count, const char *unit, const struct look *look,
                struct buffer *out, struct error *err);

struct plot_ratio {
	const char *name;
	double ratio;     /* new over base; NaN: not known */
	double low, high; /* NaN or infinite: unbounded on that side */
	double margin;    /* 0.01: 1/1.01 to 1.01 is "same"; 0 or NaN: no band */
	enum emphasis emphasis;
	const char *note; /* at the end of the line, e.g. the verdict; or NULL */
};

/* The lower end of the band: as far below 1 as 1 + margin is above it, in ratios. */
static inline double plot_margin_low(double margin)
{
	return 1 / (1 + margin);
}

/* The range of ratios that shows `ratios`: their intervals and 1 with the margins, at most 1/3 to 3. */
struct interval plot_forest_range(const struct plot_ratio *ratios, size_t count);

/* One ratio with interval and margin band in exactly `width` columns, for a cell of a table:
 * the ratio ●, its interval ├──┤ (an arrow where it leaves the range), the margin ░, one ┊. */
void plot_forest_line(const struct plot_ratio *ratio, struct interval range, size_t width, enum text_charset charset,
                      struct buffer *out);

/* Names, lines, notes and an axis in per cent. */
int plot_forest(const struct plot_ratio *ratios, size_t count, const struct look *look, struct buffer *out,
                struct error *err);

struct plot_curve {
	const char *name;
	const double *x, *y;
	size_t n;
};

struct plot_curves {
	const char *title, *x_title;     /* y is told in the title */
	const struct plot_curve *curves; /* up to 3 are told apart by their signs */
	size_t count;
	const char *x_unit, *y_unit;
	bool x_log, y_log;
	double target; /* a horizontal line; NaN: none */
};

/* Lines through points, e.g. the width of an interval against time, both logarithmic. */
int plot_curves(const struct plot_curves *what, const struct look *look, struct buffer *out, struct error *err);

#endif
