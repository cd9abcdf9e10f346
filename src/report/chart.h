/* What a plot of a series shows, worked out once: its heading, its axes and what is in it. Drawn twice, in characters
 * (plot_draw.h) and as SVG (svg_draw.h). */
#ifndef TARE_REPORT_CHART_H
#define TARE_REPORT_CHART_H

#include "report/dependence.h"
#include "report/plot.h"

struct chart {
	enum plot_kind kind;
	const char *heading; /* the series' own, or in `own` */
	char own[40];
	struct axis_want x, y;
	const char *x_title;       /* NULL: the axis speaks for itself */
	struct plot_series series; /* values that are shown in order, or each against an earlier one */
	size_t lag;                /* PLOT_LAG: so many before it */
	double acf[DEPENDENCE_LAGS_MAX];
	size_t lags;
	double band; /* PLOT_ACF: ±, in which 95 % of the bars of independent values lie (Box and Jenkins: 1.96/√n) */
};

/* Runs of a series: one where there are no borders. */
size_t chart_runs(const struct plot_series *series);
size_t chart_run_start(const struct plot_series *series, size_t run); /* up to the number of runs */
size_t chart_run_of(const struct plot_series *series, size_t index);

void chart_sequence(struct chart *chart, const struct plot_series *series, const struct axis_range *range);

/* A plot and the same one of the same values in random order: what looks the same on both sides is chance (Kalibera and
 * Jones 2013, section 6). */
struct chart_pair {
	struct chart sides[2];
	struct axis_range range; /* of the values as measured */
	double *space;
};

/* `columns`: room for bars on a side. Where no value can be shown it has the range and the first heading alone. -1: no
 * memory. */
int chart_pair_init(struct chart_pair *pair, enum plot_kind kind, const struct plot_series *series, uint64_t seed,
                    size_t columns, struct error *err);
void chart_pair_release(struct chart_pair *pair);

#endif
