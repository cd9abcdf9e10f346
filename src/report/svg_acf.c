/* Autocorrelations as bars, with the band in which 95 % lie when values are independent. */
#include "report/svg_draw.h"

#include "base/format.h"

#include <math.h>
#include <stdio.h>

void svg_acf_panel(const struct chart *chart, struct svg_box box, struct buffer *out)
{
	struct svg_panel panel = {0};
	svg_panel_layout(&panel, box, chart->heading, chart->x_title, NULL, &chart->x, &chart->y, 0);
	svg_panel_draw(&panel, out);
	double top = svg_panel_y(&panel, chart->band), bottom = svg_panel_y(&panel, -chart->band),
		   zero = svg_panel_y(&panel, 0);
	svg_rect(out, "band", (struct svg_box){panel.inner.x, top, panel.inner.width, bottom - top},
	         "95 % of the bars of independent values lie in this band");
	double step = svg_panel_x(&panel, 2) - svg_panel_x(&panel, 1), thick = fmax(1, fmin(10, step * 0.7));
	for (size_t i = 0; i < chart->lags; i++) {
		if (!isfinite(chart->acf[i]))
			continue;
		double end = svg_panel_y(&panel, chart->acf[i]), x = svg_panel_x(&panel, (double)(i + 1));
		char title[64];
		char value[FORMAT_MAX];
		snprintf(title, sizeof(title), "lag %zu: %.20s", i + 1, format_fixed(value, sizeof(value), chart->acf[i], 3));
		svg_rect(out, fabs(chart->acf[i]) > chart->band ? "bar warn" : "bar one",
		         (struct svg_box){x - thick / 2, fmin(end, zero), thick, fmax(fabs(end - zero), 0.5)}, title);
	}
	svg_line(out, "axis", panel.inner.x, zero, panel.inner.x + panel.inner.width, zero);
}
