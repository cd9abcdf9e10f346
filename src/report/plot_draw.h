/* The plots as drawings on a part of a canvas, so that two can stand side by side. For plot*.c alone. */
#ifndef TARE_REPORT_PLOT_DRAW_H
#define TARE_REPORT_PLOT_DRAW_H

#include "report/axis.h"
#include "report/canvas.h"
#include "report/chart.h"
#include "report/frame.h"

enum { PLOT_LEAST_WIDTH = 24, PLOT_LEAST_HEIGHT = 6 };

size_t plot_width(const struct look *look);                   /* at least PLOT_LEAST_WIDTH */
size_t plot_height(const struct look *look, size_t suitable); /* at least PLOT_LEAST_HEIGHT */

/* The values to show; false, with a line written to `out` instead of the plot, when there are none. */
bool plot_has_values(const struct axis_range *range, const struct look *look, struct buffer *out);

/* Writes the canvas and, where there is something to say about values outside, one more line. */
int plot_finish(struct canvas *canvas, const struct axis_range *range, const char *unit, const struct look *look,
                struct buffer *out, struct error *err);

/* Any chart into a part of the canvas; the parts of it that have files of their own. */
void plot_chart(struct canvas *canvas, struct canvas_area area, const struct chart *chart);
void plot_draw_sequence(struct canvas *canvas, struct canvas_area area, const struct frame *frame,
                        const struct chart *chart);
void plot_draw_acf(struct canvas *canvas, const struct frame *frame, const struct chart *chart);

#endif
