#include "report/monitor_text.h"

#include "base/format.h"
#include "base/memory.h"
#include "report/text_width.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_WIDTH = 18, SPARK_WIDTH = 16 };

/* "12.3 MB/s", "45 %", "3 tasks": a value of a gauge with its unit. Returns `text`. */
static char *gauge_text(char *text, size_t size, double value, enum gauge_kind kind, const char *unit)
{
	char number[FORMAT_MAX];
	if (kind == GAUGE_USE || kind == GAUGE_SHARE) {
		double percent = value * 100;
		/* A little is not nothing. */
		snprintf(text, size, percent > 0 && percent < 0.5 ? "<1 %%" : "%.0f %%", percent);
		return text;
	}
	if (strcmp(unit, "B/s") == 0 || strcmp(unit, "bytes") == 0) {
		format_quantity(number, sizeof(number), value, fabs(value) / 50, "bytes");
		snprintf(text, size, "%s%s", number, strcmp(unit, "B/s") == 0 ? "/s" : "");
		return text;
	}
	if (strcmp(unit, "s") == 0)
		return format_quantity(text, size, value, fabs(value) / 50, "s");
	snprintf(text, size, "%s%s%s", format_significant(number, sizeof(number), value, value >= 1000 ? 4 : 3),
	         strcmp(unit, "1/s") == 0 ? "/s"
	         : unit[0]                ? " "
	                                  : "",
	         strcmp(unit, "1/s") == 0 ? "" : unit);
	return text;
}

/* A component: its readings, and the one that says how busy it is. */
struct monitor_row {
	const char *component;
	size_t first; /* of its readings */
	size_t use;   /* of the largest use; SIZE_MAX: none */
	bool alive;   /* any value is known */
};

static int busiest_first(const void *a, const void *b, void *context)
{
	const struct monitor_row *x = a, *y = b;
	const struct gauge_reading *readings = context;
	double use_x = x->use == SIZE_MAX ? -1 : readings[x->use].value,
		   use_y = y->use == SIZE_MAX ? -1 : readings[y->use].value;
	if (use_x != use_y)
		return use_x < use_y ? 1 : -1;
	return x->first < y->first ? -1 : x->first > y->first;
}

static size_t gather(const struct monitor_view *view, struct monitor_row *rows)
{
	size_t count = 0;
	for (size_t i = 0; i < view->count; i++) {
		const struct gauge_reading *reading = &view->readings[i];
		if (isnan(reading->value))
			continue;
		size_t r = 0;
		while (r < count && strcmp(rows[r].component, reading->component) != 0)
			r++;
		if (r == count)
			rows[count++] = (struct monitor_row){
				.component = reading->component, .first = i, .use = SIZE_MAX, .alive = true};
		if (reading->kind == GAUGE_USE &&
		    (rows[r].use == SIZE_MAX || view->readings[rows[r].use].value < reading->value))
			rows[r].use = i;
	}
	return count;
}

static void add_spark(const struct monitor_view *view, size_t index, const struct look *look, struct buffer *out)
{
	static const char *const blocks[] = {"\u2581", "\u2582", "\u2583", "\u2584",
	                                     "\u2585", "\u2586", "\u2587", "\u2588"};
	static const char ascii[] = "_.,-=+*#";
	double recent[SPARK_WIDTH];
	size_t n = view->recent && index != SIZE_MAX ? view->recent(view->context, index, recent, SPARK_WIDTH) : 0;
	buffer_repeat(out, " ", SPARK_WIDTH - n);
	for (size_t i = 0; i < n; i++) {
		int step = isnan(recent[i]) ? -1 : recent[i] >= 1 ? 7 : (int)(recent[i] * 8);
		if (step < 0)
			buffer_char(out, ' ');
		else if (look->charset == TEXT_ASCII)
			buffer_char(out, ascii[step]);
		else
			buffer_text_add(out, blocks[step]);
	}
}

/* The other readings of a component, those that fit. What is nothing is left out. */
static void add_details(const struct monitor_view *view, const struct monitor_row *row, size_t width,
                        const struct look *look, struct buffer *out)
{
	struct buffer text = {0};
	for (size_t i = row->first; i < view->count; i++) {
		const struct gauge_reading *reading = &view->readings[i];
		char value[FORMAT_MAX + 32], word[GAUGE_WORD + FORMAT_MAX + 40];
		if (strcmp(reading->component, row->component) != 0 || i == row->use || isnan(reading->value) ||
		    reading->value == 0)
			continue;
		snprintf(word, sizeof(word), "%s%s %s", text.length ? ", " : "", reading->quantity,
		         gauge_text(value, sizeof(value), reading->value, reading->kind, reading->unit));
		if (text_width(buffer_text(&text), look->charset) + text_width(word, look->charset) > width)
			continue;
		buffer_text_add(&text, word);
	}
	text_fit(out, buffer_text(&text), width, look->charset);
	if (text.out_of_memory)
		out->out_of_memory = true;
	buffer_release(&text);
}

static void add_row(const struct monitor_view *view, const struct monitor_row *row, const struct look *look,
                    struct buffer *out)
{
	double use = row->use == SIZE_MAX ? NAN : view->readings[row->use].value;
	enum emphasis emphasis = use > view->limit ? EMPHASIS_BAD : use > view->limit / 2 ? EMPHASIS_STRONG : EMPHASIS_NONE;
	char value[FORMAT_MAX + 32];
	text_field(out, row->component, NAME_WIDTH, TEXT_LEFT, look->charset);
	look_begin(look, emphasis, out);
	if (isnan(use))
		buffer_text_add(out, "       ");
	else
		buffer_printf(out, " %5s%c", gauge_text(value, sizeof(value), use, GAUGE_USE, ""),
		              use > view->limit ? '!' : ' ');
	look_end(look, emphasis, out);
	add_spark(view, row->use, look, out);
	buffer_text_add(out, "  ");
	size_t used = NAME_WIDTH + 7 + SPARK_WIDTH + 2;
	add_details(view, row, look_width(look) > used + 1 ? look_width(look) - used - 1 : 0, look, out);
	buffer_char(out, '\n');
}

int monitor_text(const struct monitor_view *view, const struct look *look, struct buffer *out, struct error *err)
{
	struct monitor_row *rows = mem_zalloc(view->count + 1, sizeof(*rows));
	if (!rows)
		return error_memory(err);
	size_t count = gather(view, rows), near = 0;
	qsort_r(rows, count, sizeof(*rows), busiest_first, (void *)(uintptr_t)view->readings);
	for (size_t i = 0; i < count; i++)
		near += rows[i].use != SIZE_MAX && view->readings[rows[i].use].value > view->limit;
	if (view->head) {
		text_fit(out, view->head, look_width(look) - 1, look->charset);
		buffer_char(out, '\n');
	}
	if (near == 0)
		buffer_printf(out, "nothing is above %.0f %%\n", view->limit * 100);
	else
		buffer_printf(out, "%zu component%s above %.0f %%\n", near, near == 1 ? " is" : "s are", view->limit * 100);
	size_t shown = view->rows && view->rows < count ? view->rows : count;
	for (size_t i = 0; i < shown; i++)
		add_row(view, &rows[i], look, out);
	if (shown < count)
		buffer_printf(out, "%zu more\n", count - shown);
	mem_free(rows);
	return buffer_error(out, err);
}
