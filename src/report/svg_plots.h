/* Plots as SVG, from the same data as the terminal plots (plot.h) and a few more.
 *
 * Large series are thinned without losing extremes (thin.h); values left out of an axis are
 * arrows at its edge and counted in a note. Nothing to draw gives a drawing that says so.
 * The same input gives the same bytes. All return 0, or -1 when there is no memory. */
#ifndef TARE_REPORT_SVG_PLOTS_H
#define TARE_REPORT_SVG_PLOTS_H

#include "base/error.h"
#include "report/plot.h"
#include "report/svg.h"

/* Whether so many values in order are too many for so many points: they are strokes and a line. */
bool svg_series_has_strokes(size_t n, size_t points);
bool svg_sequence_has_strokes(const struct plot_series *series, const struct svg_options *options);

int svg_sequence(const struct plot_series *series, const struct svg_options *options, struct buffer *out,
                 struct error *err);
int svg_histogram(const struct plot_series *series, double median, const struct svg_options *options,
                  struct buffer *out, struct error *err);
int svg_beside_shuffled(enum plot_kind kind, const struct plot_series *series, uint64_t seed,
                        const struct svg_options *options, struct buffer *out, struct error *err);

/* Per subject its name, the density of its values, the values, the median and its interval. */
int svg_density(const struct plot_strip *strips, size_t count, const char *unit, const struct svg_options *options,
                struct buffer *out, struct error *err);

struct plot_pairs {
	const char *base_name, *new_name;
	const double *base, *new_; /* pair i is base[i], new_[i]; a lost one is NaN */
	size_t n;
	const char *unit;
	double ratio;     /* typical, new over base; NaN: not known */
	double low, high; /* its interval; NaN: none */
	double margin;    /* 0 or NaN: none */
};

/* Whether no value of the one side is among those of the other: then each axis of svg_pairs has its own range. */
bool svg_pairs_apart(const struct plot_pairs *pairs);

/* New against base, with the line of equal times where it can be seen. */
int svg_pairs(const struct plot_pairs *pairs, const struct svg_options *options, struct buffer *out, struct error *err);

/* New over base of each pair in order, with the ratio, its interval and the margin. */
int svg_pair_ratios(const struct plot_pairs *pairs, const struct svg_options *options, struct buffer *out,
                    struct error *err);

/* Ratios of a suite in the order given; notes are those of the terminal plot. */
int svg_forest(const struct plot_ratio *ratios, size_t count, const struct svg_options *options, struct buffer *out,
               struct error *err);

struct plot_level {
	const char *name;
	double variance; /* NaN or negative: not known */
};

/* How much of the variance each level contributes. */
int svg_levels(const struct plot_level *levels, size_t count, const struct svg_options *options, struct buffer *out,
               struct error *err);

#endif
