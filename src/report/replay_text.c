#include "report/replay_text.h"

#include "base/format.h"
#include "report/table.h"
#include "report/text.h"

#include <math.h>

static void percent_cell(struct table *table, enum emphasis emphasis, double fraction, int digits)
{
	char number[FORMAT_MAX];
	if (isnan(fraction))
		table_cell(table, EMPHASIS_NONE, "-");
	else
		table_cellf(table, emphasis, "%s %%", format_fixed(number, sizeof(number), 100 * fraction, digits));
}

static void spread_cell(struct table *table, double mean, double sd, double unit, const char *sign)
{
	char a[FORMAT_MAX], b[FORMAT_MAX];
	int digits = unit * mean < 10 ? 2 : 1;
	if (isnan(mean)) {
		table_cell(table, EMPHASIS_NONE, "-");
		return;
	}
	format_fixed(a, sizeof(a), unit * mean, digits);
	if (isnan(sd))
		table_cellf(table, EMPHASIS_NONE, "%s%s", a, sign);
	else
		table_cellf(table, EMPHASIS_NONE, "%s ± %s%s", a, format_fixed(b, sizeof(b), unit * sd, digits), sign);
}

/* Time against quality: Table 3's last row and Table 2. */
static void fill_quality(struct table *table, const struct replay_row *rows, size_t count)
{
	static const char *const headings[] = {"saved", "change", "median", "90 %", "most", "<1 %", "<2 %", "<3 %"};
	table_column(table, "rule", TABLE_LEFT, TABLE_SHRINKS);
	for (size_t i = 0; i < sizeof(headings) / sizeof(*headings); i++)
		table_column(table, headings[i], TABLE_RIGHT, i == 4 ? TABLE_OPTIONAL : TABLE_FIXED);
	for (size_t i = 0; i < count; i++) {
		const struct replay_row *row = &rows[i];
		table_row(table);
		table_cell(table, EMPHASIS_NONE, row->rule);
		percent_cell(table, EMPHASIS_STRONG, row->saved, 1);
		spread_cell(table, row->change, row->change_sd, 100, " %");
		percent_cell(table, EMPHASIS_NONE, row->change_median, 2);
		percent_cell(table, EMPHASIS_NONE, row->change_p90, 1);
		percent_cell(table, EMPHASIS_NONE, row->change_most, 1);
		for (int k = 0; k < REPLAY_LIMITS; k++)
			percent_cell(table, EMPHASIS_NONE, row->under[k], 0);
	}
}

/* Comparisons and checkpoints: Table 2's first row and section 5.4. */
static void fill_checkpoints(struct table *table, const struct replay_row *rows, size_t count, bool bootstrap)
{
	table_column(table, "rule", TABLE_LEFT, TABLE_SHRINKS);
	table_column(table, "equal", TABLE_RIGHT, TABLE_FIXED);
	table_column(table, "within", TABLE_RIGHT, TABLE_FIXED);
	if (bootstrap)
		table_column(table, "bootstrap", TABLE_RIGHT, TABLE_OPTIONAL);
	table_column(table, "warm", TABLE_RIGHT, TABLE_FIXED);
	table_column(table, "stable", TABLE_RIGHT, TABLE_FIXED);
	table_column(table, "warm-up", TABLE_RIGHT, TABLE_FIXED);
	table_column(table, "runs", TABLE_RIGHT, TABLE_FIXED);
	for (size_t i = 0; i < count; i++) {
		const struct replay_row *row = &rows[i];
		table_row(table);
		table_cell(table, EMPHASIS_NONE, row->rule);
		percent_cell(table, EMPHASIS_STRONG, row->equal, 1);
		percent_cell(table, EMPHASIS_NONE, row->half_width, 1);
		if (bootstrap)
			percent_cell(table, EMPHASIS_NONE, row->equal_bootstrap, 1);
		percent_cell(table, EMPHASIS_NONE, row->warm, 0);
		percent_cell(table, EMPHASIS_NONE, row->stable, 0);
		spread_cell(table, row->warmup, row->warmup_sd, 1, "");
		spread_cell(table, row->runs, row->runs_sd, 1, "");
	}
}

static void fraction_cell(struct table *table, double value)
{
	char number[FORMAT_MAX];
	table_cell(table, EMPHASIS_NONE, isnan(value) ? "" : format_significant(number, sizeof(number), value, 10));
}

static void fill_all(struct table *table, const struct replay_row *rows, size_t count)
{
	static const char *const headings[] = {
		"rule",       "benchmarks",  "saved",           "change",  "change_sd", "change_median",
		"change_p90", "change_most", "under_1",         "under_2", "under_3",   "compared",
		"equal",      "half_width",  "equal_bootstrap", "warm",    "stable",    "warmup",
		"warmup_sd",  "runs",        "runs_sd"};
	for (size_t i = 0; i < sizeof(headings) / sizeof(*headings); i++)
		table_column(table, headings[i], TABLE_LEFT, TABLE_FIXED);
	for (size_t i = 0; i < count; i++) {
		const struct replay_row *r = &rows[i];
		const double numbers[] = {(double)r->benchmarks,
		                          r->saved,
		                          r->change,
		                          r->change_sd,
		                          r->change_median,
		                          r->change_p90,
		                          r->change_most,
		                          r->under[0],
		                          r->under[1],
		                          r->under[2],
		                          (double)r->compared,
		                          r->equal,
		                          r->half_width,
		                          r->equal_bootstrap,
		                          r->warm,
		                          r->stable,
		                          r->warmup,
		                          r->warmup_sd,
		                          r->runs,
		                          r->runs_sd};
		table_row(table);
		table_cell(table, EMPHASIS_NONE, r->rule);
		for (size_t k = 0; k < sizeof(numbers) / sizeof(*numbers); k++)
			fraction_cell(table, numbers[k]);
	}
}

static int write_table(struct table *table, enum replay_form form, const struct look *look, struct buffer *out,
                       struct error *err)
{
	int status = form == REPLAY_CSV        ? table_csv(table, out, err)
	             : form == REPLAY_MARKDOWN ? table_markdown(table, out, err)
	                                       : table_text(table, look, out, err);
	table_release(table);
	return status;
}

static void legend(const struct replay_row *row, bool bootstrap, struct buffer *out)
{
	buffer_char(out, '\n');
	text_wrap(
		out,
		"saved: share of the time of all data. change: of the mean, against all data without the first half of each "
		"run; mean ± sd, then quantiles, then the share of benchmarks below.",
		0, 2);
	if (row->compared > 0)
		text_wrap(out, "equal: the interval of the ratio to all data holds 1; within: its mean half-width.", 0, 2);
	if (row->compared > 0 && bootstrap)
		text_wrap(out, "bootstrap: equal by the paper's percentile bootstrap over all levels.", 0, 2);
	text_wrap(
		out,
		"warm: runs whose warm-up was found to be over before the cap; stable: benchmarks that reached the rule's "
		"threshold before the runs ended; then iterations left out and runs, mean ± sd over benchmarks.",
		0, 2);
}

int replay_report(const struct replay_row *rows, size_t count, bool bootstrap, enum replay_form form,
                  const struct look *look, struct buffer *out, struct error *err)
{
	struct table quality = {0}, checkpoints = {0};
	if (form == REPLAY_CSV) {
		fill_all(&quality, rows, count);
		return write_table(&quality, form, look, out, err);
	}
	fill_quality(&quality, rows, count);
	if (write_table(&quality, form, look, out, err) != 0)
		return -1;
	buffer_char(out, '\n');
	fill_checkpoints(&checkpoints, rows, count, bootstrap && rows[0].compared > 0);
	if (write_table(&checkpoints, form, look, out, err) != 0)
		return -1;
	legend(&rows[0], bootstrap, out);
	return 0;
}
