/* Autocorrelations as bars, with the band ±1.96/√n in which 95 % lie when values are independent. */
#include "report/svg_draw.h"

#include "base/format.h"
#include "report/plot_draw.h"

#include <math.h>
#include <stdio.h>

void svg_acf_panel(const double *acf, size_t lags, size_t n, double low, double high, const char *heading,
                   struct svg_box box, struct buffer *out)
{
	struct svg_panel panel = {0};
	svg_panel_layout(&panel, box, heading, "lag", NULL, &(struct axis_want){AXIS_COUNT, 0, (double)lags + 1, ""},
	                 &(struct axis_want){AXIS_LINEAR, low, high, ""}, 0);
	svg_panel_draw(&panel, out);
	double band = n > 0 ? fmin(1, 1.96 / sqrt((double)n)) : 1;
	double top = svg_panel_y(&panel, band), bottom = svg_panel_y(&panel, -band), zero = svg_panel_y(&panel, 0);
	svg_rect(out, "band", (struct svg_box){panel.inner.x, top, panel.inner.width, bottom - top},
	         "95 % of the bars of independent values lie in this band");
	double step = svg_panel_x(&panel, 2) - svg_panel_x(&panel, 1), thick = fmax(1, fmin(10, step * 0.7));
	for (size_t i = 0; i < lags; i++) {
		if (!isfinite(acf[i]))
			continue;
		double end = svg_panel_y(&panel, acf[i]), x = svg_panel_x(&panel, (double)(i + 1));
		char title[64];
		char value[FORMAT_MAX];
		snprintf(title, sizeof(title), "lag %zu: %.20s", i + 1, format_fixed(value, sizeof(value), acf[i], 3));
		svg_rect(out, fabs(acf[i]) > band ? "bar warn" : "bar one",
		         (struct svg_box){x - thick / 2, fmin(end, zero), thick, fmax(fabs(end - zero), 0.5)}, title);
	}
	svg_line(out, "axis", panel.inner.x, zero, panel.inner.x + panel.inner.width, zero);
}

int svg_acf(const double *acf, size_t lags, size_t n, const struct svg_options *options, struct buffer *out,
            struct error *err)
{
	struct axis_range range = axis_range_all(acf, lags);
	if (range.finite == 0)
		return svg_nothing(&range, options, "autocorrelation", out, err);
	double width = svg_width(options), height = svg_height(options, 200), low, high;
	size_t outside = 0;
	for (size_t i = 0; i < lags; i++)
		outside += fabs(acf[i]) > 1.96 / sqrt((double)n);
	char description[160];
	snprintf(description, sizeof(description),
	         "autocorrelation at lags 1 to %zu of %zu values; %zu lie outside the band of independent values", lags, n,
	         outside);
	plot_acf_range(acf, lags, n, &low, &high);
	svg_open(out, options, width, height, "autocorrelation", description);
	svg_acf_panel(acf, lags, n, low, high, "autocorrelation", svg_inside(width, height), out);
	svg_close(out);
	return buffer_error(out, err);
}
