/* The plots as drawings on a part of a canvas, so that two can stand side by side. For plot*.c alone. */
#ifndef TARE_REPORT_PLOT_DRAW_H
#define TARE_REPORT_PLOT_DRAW_H

#include "report/axis.h"
#include "report/canvas.h"
#include "report/plot.h"

enum { PLOT_LEAST_WIDTH = 24, PLOT_LEAST_HEIGHT = 6 };

size_t plot_width(const struct look *look);                   /* at least PLOT_LEAST_WIDTH */
size_t plot_height(const struct look *look, size_t suitable); /* at least PLOT_LEAST_HEIGHT */

/* The values to show; false, with a line written to `out` instead of the plot, when there are none. */
bool plot_has_values(const struct axis_range *range, const struct look *look, struct buffer *out);

/* Writes the canvas and, where there is something to say about values outside, one more line. */
int plot_finish(struct canvas *canvas, const struct axis_range *range, const char *unit, const struct look *look,
                struct buffer *out, struct error *err);

void plot_draw_sequence(struct canvas *canvas, struct canvas_area area, const struct plot_series *series,
                        const struct axis_range *range);
void plot_draw_lag(struct canvas *canvas, struct canvas_area area, const struct plot_series *series, size_t lag,
                   const struct axis_range *range);

/* y from `low` to `high`. */
void plot_draw_acf(struct canvas *canvas, struct canvas_area area, const char *title, const double *acf, size_t lags,
                   size_t n, double low, double high);
/* The range that shows these autocorrelations and the band. */
void plot_acf_range(const double *acf, size_t lags, size_t n, double *low, double *high);

#endif
