#include "report/prediction_text.h"

#include "base/format.h"
#include "base/scoped.h"
#include "model/metric.h"
#include "report/table.h"
#include "report/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void basis_words(const struct prediction_basis *basis, struct buffer *out)
{
	char speed[FORMAT_MAX], alpha[FORMAT_MAX];
	if (basis->source == PREDICT_BY_LINE)
		buffer_printf(out, "by %s %s%s and a fixed time of %s, in %s time, from %zu rounds\n",
		              format_significant(speed, sizeof(speed), basis->speed, 4), basis->unit[0] ? basis->unit : "units",
		              "/s", format_quantity(alpha, sizeof(alpha), basis->alpha, NAN, "s"), basis->metric,
		              basis->rounds);
	else
		buffer_printf(out, "by the unit readings %s of %zu runs%s\n", basis->index, basis->rounds,
		              basis->stable_only ? "; the stable phase alone: set-up and warm-up are not in it" : "");
}

static void put_time(struct table *table, double seconds, double low, double high)
{
	char a[FORMAT_MAX], b[FORMAT_MAX];
	double half = (high - low) / 2;
	struct format_scale scale = format_scale_for(seconds, "s");
	int digits = format_decimals(seconds / scale.divisor, half / scale.divisor);
	if (isnan(seconds)) {
		table_cell(table, EMPHASIS_NONE, "-");
		table_cell(table, EMPHASIS_NONE, "-");
		return;
	}
	table_cell(table, EMPHASIS_NONE, format_quantity(a, sizeof(a), seconds, half, "s"));
	table_cellf(table, EMPHASIS_NONE, "[%s, %s]", format_fixed(a, sizeof(a), low / scale.divisor, digits),
	            format_fixed(b, sizeof(b), high / scale.divisor, digits));
}

int prediction_text(const struct prediction_list *predictions, const struct look *look, struct buffer *out,
                    struct error *err)
{
	const struct prediction_basis *basis = predictions->basis;
	SCOPED(table) struct table table = {0};
	char heading[40], time[80], a[FORMAT_MAX];
	bool beyond = false, wall = strcmp(basis->metric, metric_of(METRIC_WALL).name) != 0;
	snprintf(heading, sizeof(heading), "%s %% interval", format_level(a, sizeof(a), predictions->level));
	snprintf(time, sizeof(time), "%.60s time", basis->metric);
	table_column(&table, "work", TABLE_DECIMAL, TABLE_FIXED);
	table_column(&table, time, TABLE_DECIMAL, TABLE_FIXED);
	table_column(&table, heading, TABLE_LEFT, TABLE_FIXED);
	if (wall) {
		table_column(&table, "wall time", TABLE_DECIMAL, TABLE_FIXED);
		table_column(&table, heading, TABLE_LEFT, TABLE_FIXED);
	}
	for (size_t i = 0; i < predictions->count; i++) {
		const struct prediction *p = &predictions->items[i];
		table_row(&table);
		table_cellf(&table, EMPHASIS_NONE, "%.10g %s%s", p->work, basis->unit, p->beyond ? " *" : "");
		put_time(&table, p->seconds, p->low, p->high);
		if (wall)
			put_time(&table, p->wall, p->wall_low, p->wall_high);
		beyond |= p->beyond;
	}
	int status = table_text(&table, look, out, err);
	basis_words(basis, out);
	if (beyond)
		text_wrap(out,
		          "* more than twice the largest amount measured: the line may bend; measure larger amounts to be sure",
		          0, 2);
	return status;
}
