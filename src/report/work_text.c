#include "report/work_text.h"

#include "base/format.h"
#include "report/text.h"
#include "report/text_width.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void interval_cells(struct table *table, const char *name, double value, const struct confidence *ci,
                           const char *unit, double wanted)
{
	char a[FORMAT_MAX], b[FORMAT_MAX];
	double half = isnan(ci->low) ? NAN : (ci->high - ci->low) / 2;
	struct format_scale scale = table_scale(table, value, unit);
	int digits = format_decimals(value / scale.divisor, half / scale.divisor);
	table_row(table);
	table_cell(table, EMPHASIS_NONE, name);
	table_cell(table, EMPHASIS_NONE, format_scaled(a, sizeof(a), value, half, &scale));
	if (isnan(half))
		table_cell(table, EMPHASIS_NONE, ci->unbounded ? "unbounded" : "-");
	else
		table_cellf(table, EMPHASIS_NONE, "[%s, %s]", format_fixed(a, sizeof(a), ci->low / scale.divisor, digits),
		            format_fixed(b, sizeof(b), ci->high / scale.divisor, digits));
	table_cell(table, EMPHASIS_NONE,
	           value != 0 && isfinite(half)
	               ? format_percent(a, sizeof(a), half / fabs(value), half / fabs(value) / 10, 0)
	               : "-");
	table_cell(table, EMPHASIS_NONE, isnan(wanted) ? "-" : format_percent(a, sizeof(a), wanted, wanted, 0));
}

void work_words(const struct work_result *work, struct buffer *out)
{
	char r2[FORMAT_MAX], error[FORMAT_MAX], p[FORMAT_MAX], from[FORMAT_MAX];
	buffer_printf(out, "%zu of %zu rounds used", work->used, work->rounds);
	if (work->short_rounds)
		buffer_printf(out, " (%zu with less work than %s left out)", work->short_rounds,
		              format_quantity(from, sizeof(from), work->from, NAN, work->unit));
	if (work->merged > 1)
		buffer_printf(out, ", correlated: independent in groups of %zu", work->merged);
	buffer_printf(out, "; fit: R\u00b2 %s, residuals %s of the time", format_fixed(r2, sizeof(r2), work->r_squared, 4),
	              format_percent(error, sizeof(error), work->prediction_error, work->prediction_error / 10, 0));
	if (!isnan(work->curvature_p))
		buffer_printf(out, ", curvature p %s", format_p_value(p, sizeof(p), work->curvature_p));
	if (work->metric && strcmp(work->metric, "wall") != 0)
		buffer_printf(out, "; by %s time", work->metric);
}

void work_table(const struct work_result *work, struct table *table)
{
	char heading[40] = "interval", a[FORMAT_MAX];
	if (!isnan(work->speed_ci.level))
		snprintf(heading, sizeof(heading), "%s %% interval", format_level(a, sizeof(a), work->speed_ci.level));
	table_column(table, "", TABLE_LEFT, TABLE_FIXED);
	table_column(table, "estimate", TABLE_DECIMAL, TABLE_FIXED);
	table_column(table, heading, TABLE_LEFT, TABLE_FIXED);
	table_column(table, "\xc2\xb1", TABLE_DECIMAL, TABLE_FIXED);
	table_column(table, "target", TABLE_DECIMAL, TABLE_FIXED);
	interval_cells(table, work->refused ? "speed (refused)" : "stable speed", work->speed, &work->speed_ci,
	               work->speed_unit, work->wanted);
	if (!isnan(work->wall_speed))
		interval_cells(table, "by wall time", work->wall_speed, &work->wall_speed_ci, work->speed_unit, NAN);
	interval_cells(table, "fixed time", work->alpha, &work->alpha_ci, "s", NAN);
}

bool work_any(const struct subject *subject)
{
	return subject->work && !isnan(subject->work->speed);
}

int work_text(const struct subject *subject, const struct look *look, struct buffer *out, struct error *err)
{
	struct table table = {.time_unit = look->time_unit};
	struct buffer rounds = {0};
	if (!subject->work)
		return 0;
	text_clean(out, subject->name, look->charset);
	buffer_char(out, '\n');
	if (!work_any(subject))
		return 0; /* the warning says why */
	work_table(subject->work, &table);
	int status = table_text(&table, look, out, err);
	table_release(&table);
	work_words(subject->work, &rounds);
	text_wrap(out, buffer_text(&rounds), 0, 0);
	buffer_release(&rounds);
	return status;
}
