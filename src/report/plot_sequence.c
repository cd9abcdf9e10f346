/* Values against their index: drift, phases, warm-up and bursts that a mean hides. */
#include "report/plot_draw.h"

#include <stdio.h>

static size_t column_of(const struct canvas *canvas, const struct frame *frame, double x)
{
	return frame->inner.x + frame_across(canvas, frame, x) / canvas_dots_across(canvas);
}

static void draw_upright(struct canvas *canvas, const struct frame *frame, double x, const char *unicode, char ascii,
                         enum emphasis emphasis)
{
	size_t column = column_of(canvas, frame, x);
	for (size_t row = 0; row < frame->inner.height; row++)
		canvas_under(canvas, column, frame->inner.y + row, unicode, ascii, emphasis);
}

/* How each kind of mark is drawn: the line behind the dots, the sign on the axis, and what it means. */
static const struct {
	const char *line, *sign, *meaning;
	char plain_line, plain_sign;
	enum emphasis emphasis;
} mark_looks[] = {
	[PLOT_WARMUP] = {"\u250a", "\u25b3", "warmed up", ':', 'w', EMPHASIS_FIRST},
	[PLOT_CHANGE] = {"\u2506", "\u25b2", "change", '!', 'c', EMPHASIS_WARN},
	[PLOT_SETUP] = {"\u250a", "\u25c7", "set up", ':', 's', EMPHASIS_FIRST},
};

/* Ends of set-up and warm-up, and changes: a line behind the dots and an arrow on the axis. */
static void draw_marks(struct canvas *canvas, const struct frame *frame, const struct plot_series *series)
{
	for (size_t i = 0; i < series->mark_count; i++) {
		enum plot_mark_kind kind = series->marks[i].kind;
		/* Between the last value before and the first after. */
		double x = (double)series->marks[i].index + 0.5;
		draw_upright(canvas, frame, x, mark_looks[kind].line, mark_looks[kind].plain_line, mark_looks[kind].emphasis);
		canvas_sign(canvas, column_of(canvas, frame, x), frame->inner.y + frame->inner.height, mark_looks[kind].sign,
		            mark_looks[kind].plain_sign, mark_looks[kind].emphasis);
	}
}

/* What the signs mean, at the right of the title. */
static void draw_legend(struct canvas *canvas, struct canvas_area area, const struct plot_series *series)
{
	static const enum plot_mark_kind order[] = {PLOT_SETUP, PLOT_WARMUP, PLOT_CHANGE};
	bool plain = canvas->charset == TEXT_ASCII, kinds[3] = {false};
	char text[64] = "";
	for (size_t i = 0; i < series->mark_count; i++)
		kinds[series->marks[i].kind] = true;
	for (size_t i = 0, used = 0; i < 3; i++) {
		enum plot_mark_kind kind = order[i];
		const char plain_sign[] = {mark_looks[kind].plain_sign, '\0'};
		if (kinds[kind])
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s %s", used ? "  " : "",
			                         plain ? plain_sign : mark_looks[kind].sign, mark_looks[kind].meaning);
	}
	size_t width = text_width(text, canvas->charset);
	if (width < area.width / 2)
		canvas_text(canvas, area.x + area.width - width, area.y, width, TEXT_LEFT, text, EMPHASIS_FAINT);
}

void plot_draw_sequence(struct canvas *canvas, struct canvas_area area, const struct frame *frame,
                        const struct chart *chart)
{
	const struct plot_series *series = &chart->series;
	size_t runs = chart_runs(series);
	for (size_t run = 0; run < runs; run++) {
		size_t first = chart_run_start(series, run), end = chart_run_start(series, run + 1);
		size_t shift = series->overlaid ? first : 0;
		/* Neighbouring runs one after the other get two colours in turns. */
		enum emphasis emphasis = runs > 1 && run % 2 ? EMPHASIS_SECOND : EMPHASIS_FIRST;
		for (size_t i = first; i < end; i++)
			frame_point(canvas, frame, (double)(i - shift + 1), series->values[i], emphasis);
	}
	draw_marks(canvas, frame, series);
	if (!series->overlaid && runs > 1 && runs <= frame->inner.width / 6)
		for (size_t run = 1; run < runs; run++)
			draw_upright(canvas, frame, (double)chart_run_start(series, run) + 0.5, "\u2502", '|', EMPHASIS_FAINT);
	draw_legend(canvas, area, series);
}

int plot_sequence(const struct plot_series *series, const struct look *look, struct buffer *out, struct error *err)
{
	struct axis_range range = axis_range_bulk(series->values, series->n);
	if (!plot_has_values(&range, look, out))
		return buffer_error(out, err);
	struct canvas canvas;
	struct chart chart;
	size_t width = plot_width(look), height = plot_height(look, 12);
	if (canvas_init(&canvas, width, height, look->charset, err) < 0)
		return -1;
	chart_sequence(&chart, series, &range);
	plot_chart(&canvas, (struct canvas_area){0, 0, width, height}, &chart);
	return plot_finish(&canvas, &range, series->unit, look, out, err);
}
