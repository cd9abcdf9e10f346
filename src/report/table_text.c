/* The text layout of a table: measure, make it fit, write.
 *
 * A decimal column is measured in two parts, before and from the decimal point of the
 * first number in the cell; a heading wider than both widens the part before it. */
#include "report/table.h"

#include "base/memory.h"

#include <stdint.h>
#include <string.h>

enum { GAP = 2, SHRUNK = 12 /* columns that a name keeps before other columns are left out */ };

struct table_layout {
	const struct table *table;
	const struct look *look;
	size_t *widths;   /* per column; 0: left out */
	size_t *integers; /* decimal columns: columns before the point */
	size_t *wanted;   /* widths before anything had to give way */
	size_t *cells;    /* widest cell, without the heading */
	size_t limit;
};

/* Bytes before the decimal point of the first number; the whole text where there is none. */
static size_t before_point(const char *text)
{
	size_t i = strcspn(text, "0123456789");
	if (!text[i])
		return strlen(text);
	return i + strspn(text + i, "0123456789");
}

static size_t width_before_point(const struct table_layout *layout, const char *text)
{
	const char *point = text + before_point(text);
	struct text_walk walk = {.at = text, .charset = layout->look->charset};
	struct text_glyph glyph;
	size_t width = 0;
	while (walk.at < point && text_next(&walk, &glyph))
		width += glyph.width;
	return width;
}

static void measure_column(struct table_layout *layout, size_t column)
{
	const struct table *table = layout->table;
	const struct table_column *what = &table->columns[column];
	size_t widest = 0, before = 0, after = 0;
	for (size_t row = 0; row < table->row_count; row++) {
		const char *text = table_cell_at(table, row, column).text;
		size_t width = text_width(text, layout->look->charset);
		size_t front = what->align == TABLE_DECIMAL ? width_before_point(layout, text) : width;
		widest = width > widest ? width : widest;
		before = front > before ? front : before;
		after = width - front > after ? width - front : after;
	}
	layout->cells[column] = widest;
	if (what->align == TABLE_DECIMAL)
		widest = before + after;
	size_t heading = text_width(what->heading, layout->look->charset);
	if (heading > widest) {
		before += heading - widest;
		widest = heading;
	}
	layout->widths[column] = layout->wanted[column] = widest ? widest : 1;
	layout->integers[column] = before;
	/* One that says nothing of any row takes no room from the others. */
	if ((what->kind & TABLE_OPTIONAL) && layout->cells[column] == 0)
		layout->widths[column] = layout->wanted[column] = 0;
}

static size_t total_width(const struct table_layout *layout)
{
	size_t total = 0;
	for (size_t i = 0; i < layout->table->column_count; i++)
		if (layout->widths[i])
			total += layout->widths[i] + (total ? GAP : 0);
	return total;
}

/* Takes columns from the widest shrinking column, one at a time, while one is wider than `least`. */
static void shrink(struct table_layout *layout, size_t least)
{
	size_t total = total_width(layout);
	while (total > layout->limit) {
		size_t *widest = NULL;
		for (size_t i = 0; i < layout->table->column_count; i++)
			if ((layout->table->columns[i].kind & TABLE_SHRINKS) && layout->widths[i] > least &&
			    (!widest || layout->widths[i] > *widest))
				widest = &layout->widths[i];
		if (!widest)
			return;
		size_t step = *widest > layout->limit + least ? *widest - layout->limit - least : 1;
		*widest -= step;
		total -= step;
	}
}

static bool make_fit(struct table_layout *layout)
{
	shrink(layout, SHRUNK);
	for (size_t i = layout->table->column_count; i-- > 0 && total_width(layout) > layout->limit;) {
		if (!(layout->table->columns[i].kind & TABLE_OPTIONAL))
			continue;
		layout->widths[i] = 0;
	}
	if (total_width(layout) > layout->limit)
		shrink(layout, 4);
	return total_width(layout) <= layout->limit;
}

/* A column left out may have made more room than was needed. */
static void regrow(struct table_layout *layout)
{
	const size_t *wanted = layout->wanted;
	for (size_t i = 0; i < layout->table->column_count; i++) {
		size_t total = total_width(layout);
		if (!layout->widths[i] || layout->widths[i] >= wanted[i] || total >= layout->limit)
			continue;
		size_t room = layout->limit - total, missing = wanted[i] - layout->widths[i];
		layout->widths[i] += room < missing ? room : missing;
	}
}

static void write_cell(const struct table_layout *layout, size_t column, const struct table_cell *cell, bool heading,
                       struct buffer *out)
{
	const struct table_column *what = &layout->table->columns[column];
	enum text_charset charset = layout->look->charset;
	size_t width = layout->widths[column], needed = text_width(cell->text, charset), lead = 0;
	if (what->align == TABLE_DECIMAL && !heading)
		lead = layout->integers[column] - width_before_point(layout, cell->text);
	else if (what->align != TABLE_LEFT && needed < width)
		lead = width - needed;
	lead = lead > width ? width : lead;
	buffer_repeat(out, " ", lead);
	look_begin(layout->look, cell->emphasis, out);
	size_t start = out->length;
	text_fit(out, cell->text, width - lead, charset);
	size_t shown = out->length > start ? text_width(buffer_text(out) + start, charset) : 0;
	look_end(layout->look, cell->emphasis, out);
	buffer_repeat(out, " ", width - lead - shown);
}

/* Blanks at the end of a line help nobody. */
static void end_line(struct buffer *out, size_t start)
{
	while (out->length > start && out->data[out->length - 1] == ' ')
		out->data[--out->length] = '\0';
	buffer_char(out, '\n');
}

/* Two names cut short may look the same: the name of a row that does not fit its column gets a line of its own. */
static bool write_name(const struct table_layout *layout, size_t row, struct buffer *out)
{
	enum text_charset charset = layout->look->charset;
	struct table_cell cell = table_cell_at(layout->table, row, 0);
	if (!(layout->table->columns[0].kind & TABLE_SHRINKS) || text_width(cell.text, charset) <= layout->widths[0])
		return false;
	look_begin(layout->look, cell.emphasis, out);
	text_fit(out, cell.text, layout->limit, charset);
	look_end(layout->look, cell.emphasis, out);
	buffer_char(out, '\n');
	return true;
}

/* A row, or the headings where that is SIZE_MAX. */
static void write_line(const struct table_layout *layout, size_t row, struct buffer *out)
{
	static const struct table_cell above = {"", EMPHASIS_NONE};
	const struct table *table = layout->table;
	bool first = true, headings = row == SIZE_MAX, named = !headings && write_name(layout, row, out);
	size_t start = out->length;
	for (size_t i = 0; i < table->column_count; i++) {
		if (!layout->widths[i])
			continue;
		buffer_repeat(out, " ", first ? 0 : GAP);
		first = false;
		struct table_cell cell = headings          ? (struct table_cell){table->columns[i].heading, EMPHASIS_STRONG}
		                         : named && i == 0 ? above
		                                           : table_cell_at(table, row, i);
		write_cell(layout, i, &cell, headings, out);
	}
	end_line(out, start);
}

static void write_rule(const struct table_layout *layout, struct buffer *out)
{
	look_begin(layout->look, EMPHASIS_FAINT, out);
	buffer_repeat(out, layout->look->charset == TEXT_ASCII ? "-" : "\u2500", total_width(layout));
	look_end(layout->look, EMPHASIS_FAINT, out);
	buffer_char(out, '\n');
}

static void write_table(const struct table_layout *layout, struct buffer *out)
{
	write_line(layout, SIZE_MAX, out);
	if (!layout->table->compact)
		write_rule(layout, out);
	for (size_t row = 0; row < layout->table->row_count; row++) {
		if (layout->table->rows[row].rule)
			write_rule(layout, out);
		write_line(layout, row, out);
	}
}

/* Columns for the headings of the stacked form: what the widest number leaves of the line. */
static size_t stacked_headings(const struct table_layout *layout, size_t limit)
{
	const struct table *table = layout->table;
	size_t headings = 0, cells = 0;
	for (size_t i = 1; i < table->column_count; i++) {
		size_t width = text_width(table->columns[i].heading, layout->look->charset);
		headings = width > headings ? width : headings;
		width = table->columns[i].kind & TABLE_SHRINKS ? 0 : layout->cells[i];
		cells = width > cells ? width : cells;
	}
	size_t room = limit > cells + 5 ? limit - cells - 4 : 1;
	return headings > room ? room : headings;
}

/* The last resort on a very narrow terminal: one line per cell, the first as a title. */
static void write_stacked(const struct table_layout *layout, struct buffer *out)
{
	const struct table *table = layout->table;
	enum text_charset charset = layout->look->charset;
	size_t limit = layout->limit > 8 ? layout->limit : 8, headings = stacked_headings(layout, limit);
	for (size_t row = 0; row < table->row_count; row++) {
		for (size_t i = 0; i < table->column_count; i++) {
			struct table_cell cell = table_cell_at(table, row, i);
			size_t used = i ? headings + 4 : 0;
			if (i) {
				buffer_text_add(out, "  ");
				text_field(out, table->columns[i].heading, headings, TEXT_LEFT, charset);
				buffer_text_add(out, "  ");
			}
			look_begin(layout->look, i ? cell.emphasis : EMPHASIS_STRONG, out);
			text_fit(out, cell.text, limit - used, charset);
			look_end(layout->look, i ? cell.emphasis : EMPHASIS_STRONG, out);
			buffer_char(out, '\n');
		}
	}
}

int table_text(const struct table *table, const struct look *look, struct buffer *out, struct error *err)
{
	if (table->out_of_memory)
		return error_memory(err);
	size_t count = table->column_count;
	size_t *space = mem_zalloc(4 * count, sizeof(*space));
	if (!space)
		return error_memory(err);
	struct table_layout layout = {table,           look, space, space + count, space + 2 * count, space + 3 * count,
	                              look_width(look)};
	for (size_t i = 0; i < count; i++)
		measure_column(&layout, i);
	if (count > 0 && make_fit(&layout)) {
		regrow(&layout);
		write_table(&layout, out);
	} else if (count > 0) {
		write_stacked(&layout, out);
	}
	mem_free(space);
	return buffer_error(out, err);
}
