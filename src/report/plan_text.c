#include "report/plan_text.h"

#include "base/format.h"
#include "report/table.h"
#include "report/text.h"
#include "report/text_width.h"

#include <math.h>
#include <stdio.h>

static const char *duration(char *text, size_t size, double seconds)
{
	return format_duration(text, size, (int64_t)(fmin(seconds, 9e9) * 1e9));
}

static void add_heading(const struct plan_subject *subject, struct buffer *out)
{
	char number[FORMAT_MAX];
	struct buffer text = {0};
	text_clean(&text, subject->name, TEXT_UNICODE);
	buffer_printf(&text, "  %s, mean %s", subject->metric,
	              format_quantity(number, sizeof(number), subject->mean, subject->mean / 100, subject->unit));
	text_wrap(out, buffer_text(&text), 0, 2);
	buffer_release(&text);
}

static void add_sd(struct table *table, const struct plan_level *level)
{
	char sd[FORMAT_MAX], low[FORMAT_MAX], high[FORMAT_MAX];
	double value = level->variance > 0 ? sqrt(level->variance) : 0, digits = value > 0 ? value : level->sd_high;
	format_percent(sd, sizeof(sd), value, digits, 0);
	if (isfinite(level->sd_low) && isfinite(level->sd_high))
		table_cellf(table, EMPHASIS_NONE, "%s (%s to %s)", sd,
		            format_percent(low, sizeof(low), level->sd_low, digits, 0),
		            format_percent(high, sizeof(high), level->sd_high, digits, 0));
	else
		table_cell(table, EMPHASIS_NONE, sd);
}

static int levels_table(const struct plan_subject *subject, const struct look *look, struct buffer *out,
                        struct error *err)
{
	struct table table = {0};
	char number[FORMAT_MAX];
	table_column(&table, "level", TABLE_LEFT, TABLE_FIXED);
	table_column(&table, "tried", TABLE_RIGHT, TABLE_FIXED);
	table_column(&table, "sd it adds", TABLE_LEFT, TABLE_FIXED);
	table_column(&table, "one costs", TABLE_RIGHT, TABLE_FIXED);
	table_column(&table, "best count", TABLE_LEFT, TABLE_FIXED);
	for (size_t k = 0; k < subject->level_count; k++) {
		const struct plan_level *level = &subject->levels[k];
		table_row(&table);
		table_cell(&table, EMPHASIS_NONE, level_name(level->level));
		table_cell(
			&table, EMPHASIS_NONE,
			format_fixed(number, sizeof(number), level->members, level->members == floor(level->members) ? 0 : 1));
		add_sd(&table, level);
		table_cell(&table, EMPHASIS_NONE, format_quantity(number, sizeof(number), level->cost, level->cost / 5, "s"));
		if (k == 0)
			table_cell(&table, EMPHASIS_NONE, "as needed");
		else
			table_cellf(&table, EMPHASIS_NONE, "%zu in each %s", level->count, level_name(level[-1].level));
	}
	int status = table_text(&table, look, out, err);
	table_release(&table);
	return status;
}

/* Their equation 3, without our limits: ⌈√(c_{i+1}/c_i · T_i²/T_{i+1}²)⌉ of each level below the outermost. */
static void add_kalibera_jones(const struct plan_subject *subject, struct buffer *out)
{
	struct buffer text = {0};
	for (size_t k = subject->level_count; k-- > 1;) {
		const struct plan_level *level = &subject->levels[k], *above = level - 1;
		double best = sqrt(above->cost / level->cost * level->variance / above->variance);
		buffer_printf(&text, "%s%s ", text.length ? ", " : "", level_name(level->level));
		if (above->variance > 0 && level->variance >= 0 && isfinite(best))
			buffer_printf(&text, "%.0f", fmax(1, ceil(best - 1e-9)));
		else
			buffer_text_add(&text, "no number (the level above shows no variance)");
	}
	if (text.length) {
		struct buffer line = {0};
		buffer_printf(&line, "counts by Kalibera and Jones (2013), equation 3: %s", buffer_text(&text));
		text_wrap(out, buffer_text(&line), 0, 2);
		buffer_release(&line);
	}
	buffer_release(&text);
}

static void add_state(const struct plan_subject *subject, struct buffer *out)
{
	struct buffer text = {0};
	switch (subject->state) {
	case STEADY_INDEPENDENT: buffer_printf(&text, "iterations are independent from %zu on", subject->skip + 1); break;
	case STEADY_INITIALISED:
		buffer_printf(&text, "iterations are steady from %zu on but depend on each other: one of each run is planned",
		              subject->skip + 1);
		break;
	case STEADY_NEVER: buffer_text_add(&text, "iterations have no steady state: one of each run is planned"); break;
	default:
		if (subject->skip > 0)
			buffer_printf(&text, "%zu iteration%s of each run %s warm-up", subject->skip, subject->skip == 1 ? "" : "s",
			              subject->skip == 1 ? "is" : "are");
		break;
	}
	for (size_t k = 0; k < subject->level_count; k++)
		if (!(subject->levels[k].variance > 0))
			buffer_printf(&text, "%s%ss add nothing that could be seen", text.length ? "; " : "",
			              level_name(subject->levels[k].level));
	if (text.length)
		text_wrap(out, buffer_text(&text), 0, 0);
	buffer_release(&text);
}

/* "14 runs × 7", outermost first. */
static void counts_cell(struct table *table, const struct plan_subject *subject, const size_t *counts)
{
	struct buffer text = {0};
	for (size_t k = 0; k < subject->level_count; k++)
		buffer_printf(&text, "%s%zu%s%s%s", k ? " \xc3\x97 " : "", counts[k], k ? "" : " ",
		              k ? "" : level_name(subject->levels[0].level), k ? "" : "s");
	table_cell(table, EMPHASIS_NONE, buffer_text(&text));
	buffer_release(&text);
}

static int widths_table(const struct repeat_plan *plan, const struct plan_subject *subject, const struct plan_row *rows,
                        size_t count, const struct look *look, struct buffer *out, struct error *err)
{
	struct table table = {0};
	char number[FORMAT_MAX], heading[FORMAT_MAX + 20];
	table_column(&table, "half-width", TABLE_DECIMAL, TABLE_FIXED);
	snprintf(heading, sizeof(heading), "one (%s %%)", format_level(number, sizeof(number), plan->confidence));
	table_column(&table, heading, TABLE_LEFT, TABLE_FIXED);
	table_column(&table, "time", TABLE_RIGHT, TABLE_FIXED);
	table_column(&table, isnan(subject->pairing) ? "ratio of two (99 %)" : "ratio of pairs (99 %)", TABLE_LEFT,
	             TABLE_FIXED);
	table_column(&table, "time", TABLE_RIGHT, TABLE_FIXED);
	for (size_t i = 0; i < count; i++) {
		table_row(&table);
		table_cell(&table, EMPHASIS_NONE, format_percent(number, sizeof(number), rows[i].half_width, NAN, 0));
		counts_cell(&table, subject, rows[i].counts);
		table_cell(&table, EMPHASIS_NONE, duration(number, sizeof(number), rows[i].seconds));
		counts_cell(&table, subject, rows[i].ratio_counts);
		table_cell(&table, EMPHASIS_NONE, duration(number, sizeof(number), rows[i].ratio_seconds));
	}
	int status = table_text(&table, look, out, err);
	table_release(&table);
	return status;
}

static void add_choice(const struct repeat_plan *plan, const struct plan_subject *subject, struct buffer *out)
{
	struct buffer text = {0};
	char number[FORMAT_MAX], time[FORMAT_MAX];
	if (subject->units == 0)
		return;
	if (isfinite(plan->budget))
		buffer_printf(&text, "%s gives about",
		              duration(time, sizeof(time), (double)subject->units * subject->unit_cost));
	else
		buffer_text_add(&text, "planned:");
	buffer_printf(&text, " \xc2\xb1 %s with %zu %s%s",
	              format_percent(number, sizeof(number), subject->half_width, subject->half_width, 0), subject->units,
	              level_name(subject->levels[0].level), subject->units == 1 ? "" : "s");
	for (size_t k = 1; k < subject->level_count; k++)
		buffer_printf(&text, " of %zu %s%s", subject->levels[k].count, level_name(subject->levels[k].level),
		              subject->levels[k].count == 1 ? "" : "s");
	if (!isfinite(plan->budget))
		buffer_printf(&text, ", about %s", duration(time, sizeof(time), (double)subject->units * subject->unit_cost));
	text_wrap(out, buffer_text(&text), 0, 2);
	buffer_release(&text);
}

int plan_text(const struct repeat_plan *plan, const struct plan_subject *subject, const struct plan_row *rows,
              size_t count, const struct look *look, struct buffer *out, struct error *err)
{
	add_heading(subject, out);
	if (levels_table(subject, look, out, err) != 0)
		return -1;
	add_kalibera_jones(subject, out);
	add_state(subject, out);
	buffer_char(out, '\n');
	if (count > 0 && widths_table(plan, subject, rows, count, look, out, err) != 0)
		return -1;
	add_choice(plan, subject, out);
	return buffer_error(out, err);
}
