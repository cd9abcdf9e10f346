/* The frame of a terminal plot: title, y labels at the left, x labels below, the area inside. */
#ifndef TARE_REPORT_FRAME_H
#define TARE_REPORT_FRAME_H

#include "report/axis.h"
#include "report/canvas.h"

struct frame {
	struct canvas_area inner; /* where the data go */
	struct axis x, y;
};

/* Draws the frame into `area` (at least 12 × 5) and fills `frame`. The unit of the y axis is added to
 * the title; x_title, if any, stands at its right. */
void frame_draw(struct canvas *canvas, struct canvas_area area, const char *title, const char *x_title,
                const struct axis_want *x, const struct axis_want *y, struct frame *frame);

/* An axis line with ticks and, below it, labels that neither overlap nor leave x … x + width. */
void frame_x_axis(struct canvas *canvas, struct axis *axis, const char *unit, const struct canvas_area *inner,
                  size_t left, size_t right);

/* Column and row in dots of a value; outside … the nearest edge. */
size_t frame_across(const struct canvas *canvas, const struct frame *frame, double x);
size_t frame_down(const struct canvas *canvas, const struct frame *frame, double y);

/* A dot at (x, y); an arrow at the edge where y lies outside. Values that are not finite are ignored. */
void frame_point(struct canvas *canvas, const struct frame *frame, double x, double y, enum emphasis emphasis);

/* "3 above, up to 812 ms; 2 below, down to 1 ms; 4 lost"; 0 when there is nothing to say. */
int frame_note(const struct axis_range *range, const char *unit, char *note, size_t size);

#endif
