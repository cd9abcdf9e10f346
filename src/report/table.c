/* Building a table, and the writers whose layout is trivial. Text layout: table_text.c. */
#include "report/table.h"

#include "base/cell.h"
#include "base/array.h"
#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void table_release(struct table *table)
{
	arena_release(&table->arena);
	mem_free(table->columns);
	buffer_release(&table->cells);
	mem_free(table->rows);
	memset(table, 0, sizeof(*table));
}

static const char *keep(struct table *table, const char *text)
{
	const char *copy = arena_strdup(&table->arena, text);
	if (!copy)
		table->out_of_memory = true;
	return copy;
}

void table_column(struct table *table, const char *heading, enum table_align align, enum table_column_kind kind)
{
	if (table->out_of_memory || table->row_count > 0)
		return;
	if (array_reserve(&table->columns, &table->column_capacity, table->column_count + 1) != 0) {
		table->out_of_memory = true;
		return;
	}
	const char *copy = keep(table, heading);
	if (copy)
		table->columns[table->column_count++] = (struct table_column){copy, align, kind};
}

void table_row(struct table *table)
{
	if (table->out_of_memory || table->column_count == 0)
		return;
	if (array_reserve(&table->rows, &table->row_capacity, table->row_count + 1) != 0) {
		table->out_of_memory = true;
		return;
	}
	table->rows[table->row_count++] = (struct table_row){table->cells.length, table->rule_next};
	table->rule_next = false;
	table->filled = 0;
}

void table_cell(struct table *table, enum emphasis emphasis, const char *text)
{
	if (table->out_of_memory || table->row_count == 0 || table->filled == table->column_count)
		return;
	buffer_char(&table->cells, (char)emphasis);
	buffer_add(&table->cells, text, strlen(text) + 1);
	table->out_of_memory = table->cells.out_of_memory;
	table->filled++;
}

void table_cellf(struct table *table, enum emphasis emphasis, const char *format, ...)
{
	char text[512];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	table_cell(table, emphasis, text);
}

struct format_scale table_scale(const struct table *table, double value, const char *unit)
{
	return format_scale_for(table->time_unit > 0 && strcmp(unit, "s") == 0 ? table->time_unit : value, unit);
}

struct table_cell table_cell_at(const struct table *table, size_t row, size_t column)
{
	size_t at = table->rows[row].start;
	size_t end = row + 1 < table->row_count ? table->rows[row + 1].start : table->cells.length;
	for (size_t i = 0; at < end && i < column; i++)
		at += strlen(table->cells.data + at + 1) + 2;
	return at < end ? (struct table_cell){table->cells.data + at + 1, (enum emphasis)table->cells.data[at]}
	                : (struct table_cell){"", EMPHASIS_NONE};
}

void table_rule(struct table *table)
{
	table->rule_next = table->row_count > 0;
}

static int finish(const struct table *table, const struct buffer *out, struct error *err)
{
	return table->out_of_memory ? error_memory(err) : buffer_error(out, err);
}

int table_csv(const struct table *table, struct buffer *out, struct error *err)
{
	for (size_t i = 0; i < table->column_count; i++) {
		buffer_text_add(out, i ? "," : "");
		cell_put(out, table->columns[i].heading);
	}
	buffer_text_add(out, table->column_count ? "\n" : "");
	for (size_t row = 0; row < table->row_count; row++) {
		for (size_t i = 0; i < table->column_count; i++) {
			buffer_text_add(out, i ? "," : "");
			cell_put(out, table_cell_at(table, row, i).text);
		}
		buffer_char(out, '\n');
	}
	return finish(table, out, err);
}

/* GitHub turns "@name" and "#12" into mentions after all escapes are undone; an invisible
 * break after the sign is what its own bots use. */
void markdown_escape(struct buffer *out, const char *text)
{
	struct text_walk walk = {.at = text};
	struct text_glyph glyph;
	while (text_next(&walk, &glyph)) {
		for (unsigned i = 0; i < glyph.length; i++) {
			char c = glyph.text[i];
			if (c == '&')
				buffer_text_add(out, "&amp;");
			else if (c == '<')
				buffer_text_add(out, "&lt;");
			else if (c == '>')
				buffer_text_add(out, "&gt;");
			else if (c == '@' || c == '#')
				buffer_printf(out, "%c&#8203;", c);
			else if (strchr("\\`*_[]|~$", c))
				buffer_printf(out, "\\%c", c);
			else
				buffer_char(out, c);
		}
	}
}

static void markdown_cell(struct buffer *out, struct table_cell cell)
{
	bool strong = cell.text[0] && (cell.emphasis == EMPHASIS_STRONG || cell.emphasis == EMPHASIS_BAD);
	buffer_text_add(out, strong ? " **" : " ");
	markdown_escape(out, cell.text);
	buffer_text_add(out, strong ? "** |" : " |");
}

int table_markdown(const struct table *table, struct buffer *out, struct error *err)
{
	if (table->column_count == 0)
		return finish(table, out, err);
	buffer_char(out, '|');
	for (size_t i = 0; i < table->column_count; i++)
		markdown_cell(out, (struct table_cell){table->columns[i].heading, EMPHASIS_NONE});
	buffer_text_add(out, "\n|");
	for (size_t i = 0; i < table->column_count; i++)
		buffer_text_add(out, table->columns[i].align == TABLE_LEFT ? "---|" : "---:|");
	buffer_char(out, '\n');
	for (size_t row = 0; row < table->row_count; row++) {
		buffer_char(out, '|');
		for (size_t i = 0; i < table->column_count; i++)
			markdown_cell(out, table_cell_at(table, row, i));
		buffer_char(out, '\n');
	}
	return finish(table, out, err);
}

/* Signs that plain LaTeX has no glyph for in text. */
static const char *latex_sign(const char *glyph)
{
	static const char *const signs[][2] = {
		{"\\", "\\textbackslash{}"},
		{"{", "\\{"},
		{"}", "\\}"},
		{"$", "\\$"},
		{"&", "\\&"},
		{"#", "\\#"},
		{"%", "\\%"},
		{"_", "\\_"},
		{"^", "\\textasciicircum{}"},
		{"~", "\\textasciitilde{}"},
		{"<", "\\textless{}"},
		{">", "\\textgreater{}"},
		{"|", "\\textbar{}"},
		{"\"", "{\\ttfamily\\char34}"}, /* \textquotedbl needs another font encoding than the usual one */
		{"\u00b1", "$\\pm$"},
		{"\u00d7", "$\\times$"},
		{"\u2212", "$-$"},
		{"\u00b5", "$\\mu$"},
		{"\u03c3", "$\\sigma$"},
		{"\u2264", "$\\le$"},
		{"\u2265", "$\\ge$"},
		{"\u2248", "$\\approx$"},
		{"\u2026", "\\dots{}"},
		{"\u2714", "$+$"},
		{"\u2718", "$-$"},
		{"\u25c6", "$\\pm$"},
		{"[", "{[}"},
		{"]", "{]}"},
	};
	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
		if (strcmp(glyph, signs[i][0]) == 0)
			return signs[i][1];
	return NULL;
}

/* Whether a negative percentage begins here, "-5.1 %": its sign is no hyphen. */
static bool is_minus(const char *text, const char *at)
{
	size_t digits = at[0] == '-' ? strspn(at + 1, "0123456789.") : 0;
	bool begins = at == text || at[-1] == ' ' || at[-1] == '[';
	return begins && digits > 0 && strncmp(at + 1 + digits, " %", 2) == 0;
}

void latex_escape(struct buffer *out, const char *text)
{
	struct text_walk walk = {.at = text};
	struct text_glyph glyph;
	for (const char *at = text; text_next(&walk, &glyph); at = walk.at) {
		if (is_minus(text, at)) {
			buffer_text_add(out, "$-$");
			continue;
		}
		if (at[0] == '-' && at[1] == '-') {
			buffer_text_add(out, "-{}"); /* "--fast" is no dash */
			continue;
		}
		/* An escape of ours starts with the one character of it that LaTeX minds. */
		const char *sign = latex_sign(glyph.text);
		if (!sign && glyph.text[0] == '\\' && glyph.length > 1)
			buffer_printf(out, "\\textbackslash{}%s", glyph.text + 1);
		else
			buffer_text_add(out, sign ? sign : glyph.text);
	}
}

static void latex_row_end(struct buffer *out, bool last)
{
	buffer_text_add(out, last ? " \\\\\n" : " & ");
}

int table_latex(const struct table *table, struct buffer *out, struct error *err)
{
	size_t last = table->column_count - 1;
	if (table->column_count == 0)
		return finish(table, out, err);
	buffer_text_add(out, "\\begin{tabular}{");
	for (size_t i = 0; i <= last; i++)
		buffer_char(out, table->columns[i].align == TABLE_LEFT ? 'l' : 'r');
	buffer_text_add(out, "}\n\\toprule\n");
	for (size_t i = 0; i <= last; i++) {
		latex_escape(out, table->columns[i].heading);
		latex_row_end(out, i == last);
	}
	buffer_text_add(out, "\\midrule\n");
	for (size_t row = 0; row < table->row_count; row++) {
		buffer_text_add(out, table->rows[row].rule ? "\\midrule\n" : "");
		for (size_t i = 0; i <= last; i++) {
			struct table_cell cell = table_cell_at(table, row, i);
			bool strong = cell.emphasis == EMPHASIS_STRONG;
			buffer_text_add(out, strong ? "\\textbf{" : "");
			latex_escape(out, cell.text);
			buffer_text_add(out, strong ? "}" : "");
			latex_row_end(out, i == last);
		}
	}
	buffer_text_add(out, "\\bottomrule\n\\end{tabular}\n");
	return finish(table, out, err);
}
