/* Tables in every format, at every width, with hostile cells, and with no memory. */
#include "report/table.h"

#include "base/memory.h"
#include "base/random.h"
#include "support/known.h"

#include <string.h>

static const struct look plain = {.width = 80};

static void two_rows(struct table *table)
{
	table_column(table, "name", TABLE_LEFT, TABLE_SHRINKS);
	table_column(table, "mean", TABLE_DECIMAL, TABLE_FIXED);
	table_column(table, "runs", TABLE_RIGHT, TABLE_OPTIONAL);
	table_row(table);
	table_cell(table, EMPHASIS_NONE, "old");
	table_cell(table, EMPHASIS_NONE, "12.34 ms");
	table_cell(table, EMPHASIS_NONE, "100");
	table_row(table);
	table_cell(table, EMPHASIS_GOOD, "a longer name");
	table_cell(table, EMPHASIS_STRONG, "5.6 ms");
	table_cellf(table, EMPHASIS_NONE, "%d", 7);
}

static void test_text_of_a_table(void **state)
{
	(void)state;
	struct table table = {0};
	struct buffer out = {0};
	two_rows(&table);
	assert_int_equal(table_text(&table, &plain, &out, NULL), 0);
	assert_string_equal(buffer_text(&out), "name               mean  runs\n"
	                                       "─────────────────────────────\n"
	                                       "old            12.34 ms   100\n"
	                                       "a longer name   5.6 ms      7\n");
	buffer_clear(&out);
	struct look colour = {.width = 80, .charset = TEXT_ASCII, .colour = true};
	assert_int_equal(table_text(&table, &colour, &out, NULL), 0);
	assert_non_null(strstr(buffer_text(&out), "\033[32ma longer name\033[0m   \033[1m5.6 ms\033[0m"));
	assert_non_null(strstr(buffer_text(&out), "----\033[0m\n"));
	table_release(&table);
	buffer_release(&out);
}

static void test_unit_of_times(void **state)
{
	(void)state;
	struct table by_size = {0}, in_ms = {.time_unit = 1e-3};
	assert_string_equal(table_scale(&by_size, 5, "s").unit, "s");
	assert_string_equal(table_scale(&by_size, 5e-6, "s").unit, "\xc2\xb5s");
	assert_string_equal(table_scale(&in_ms, 5, "s").unit, "ms");
	assert_string_equal(table_scale(&in_ms, 5e-6, "s").unit, "ms");
	assert_true(table_scale(&in_ms, 5e-6, "s").divisor == 1e-3);
	assert_string_equal(table_scale(&in_ms, 5e6, "bytes").unit, "MB");
	assert_string_equal(table_scale(&in_ms, 5, "MB/s").unit, "MB/s");
}

static void test_narrow_tables_move_names_lose_columns_then_their_shape(void **state)
{
	(void)state;
	struct table table = {0};
	struct buffer out = {0};
	two_rows(&table);
	struct look look = {.width = 28};
	assert_int_equal(table_text(&table, &look, &out, NULL), 0);
	assert_non_null(strstr(buffer_text(&out), "\na longer name\n   "));
	assert_non_null(strstr(buffer_text(&out), "runs"));
	buffer_clear(&out);
	look.width = 24;
	assert_int_equal(table_text(&table, &look, &out, NULL), 0);
	assert_null(strstr(buffer_text(&out), "runs"));
	assert_non_null(strstr(buffer_text(&out), "a longer name"));
	assert_non_null(strstr(buffer_text(&out), "12.34 ms"));
	buffer_clear(&out);
	look.width = 13;
	assert_int_equal(table_text(&table, &look, &out, NULL), 0);
	assert_string_equal(buffer_text(&out), "old\n  …  12.34 ms\n  …  100\na longer name\n  …  5.6 ms\n  …  7\n");
	table_release(&table);
	buffer_release(&out);
}

static void test_rules_missing_and_extra_cells(void **state)
{
	(void)state;
	struct table table = {0};
	struct buffer out = {0};
	table_column(&table, "a", TABLE_LEFT, TABLE_FIXED);
	table_column(&table, "b", TABLE_RIGHT, TABLE_FIXED);
	table_rule(&table); /* above the first row there is one already */
	table_row(&table);
	table_cell(&table, EMPHASIS_NONE, "1");
	table_rule(&table);
	table_row(&table);
	for (int i = 0; i < 5; i++)
		table_cellf(&table, EMPHASIS_NONE, "%d", i);
	struct look look = {.charset = TEXT_ASCII};
	assert_int_equal(table_text(&table, &look, &out, NULL), 0);
	assert_string_equal(buffer_text(&out), "a  b\n----\n1\n----\n0  1\n");
	table_release(&table);
	buffer_clear(&out);
	assert_int_equal(table_text(&table, &look, &out, NULL), 0);
	assert_int_equal(table_markdown(&table, &out, NULL), 0);
	assert_int_equal(table_csv(&table, &out, NULL), 0);
	assert_int_equal(table_latex(&table, &out, NULL), 0);
	assert_string_equal(buffer_text(&out), "");
	buffer_release(&out);
}

static void test_markdown_is_only_text(void **state)
{
	(void)state;
	struct table table = {0};
	struct buffer out = {0};
	table_column(&table, "a|b", TABLE_LEFT, TABLE_FIXED);
	table_column(&table, "n", TABLE_DECIMAL, TABLE_FIXED);
	table_row(&table);
	table_cell(&table, EMPHASIS_NONE, "<b>x</b> & `c` | @me #1 [l](u) *s* \\ \n");
	table_cell(&table, EMPHASIS_BAD, "2");
	assert_int_equal(table_markdown(&table, &out, NULL), 0);
	assert_string_equal(
		buffer_text(&out),
		"| a\\|b | n |\n|---|---:|\n"
		"| &lt;b&gt;x&lt;/b&gt; &amp; \\`c\\` \\| @&#8203;me #&#8203;1 \\[l\\](u) \\*s\\* \\\\ \\\\n | **2** |\n");
	table_release(&table);
	buffer_release(&out);
}

static void test_csv_keeps_all_but_control_characters(void **state)
{
	(void)state;
	struct table table = {0};
	struct buffer out = {0};
	table_column(&table, "name", TABLE_LEFT, TABLE_FIXED);
	table_column(&table, "x", TABLE_LEFT, TABLE_FIXED);
	table_row(&table);
	table_cell(&table, EMPHASIS_NONE, "a \"b\", c\nd");
	table_cell(&table, EMPHASIS_NONE, "\033\xff|");
	assert_int_equal(table_csv(&table, &out, NULL), 0);
	assert_string_equal(buffer_text(&out), "name,x\n\"a \"\"b\"\", c\nd\",\"\\x1b\xff|\"\n");
	table_release(&table);
	buffer_release(&out);
}

static void test_latex_is_only_text(void **state)
{
	(void)state;
	struct table table = {0};
	struct buffer out = {0};
	table_column(&table, "50%_#", TABLE_LEFT, TABLE_FIXED);
	table_column(&table, "µs", TABLE_RIGHT, TABLE_FIXED);
	table_row(&table);
	table_cell(&table, EMPHASIS_NONE, "\\input{x} $a$ & ~^\033");
	table_cell(&table, EMPHASIS_STRONG, "1 ± 2");
	/* A sign is no hyphen, and an option is no number. */
	table_row(&table);
	table_cell(&table, EMPHASIS_NONE, "x -9 a-1 %");
	table_cell(&table, EMPHASIS_NONE, "-5.1 % [-7 %, +3 %]");
	/* Two hyphens are no dash, and a quote is one in every font encoding. */
	table_row(&table);
	table_cell(&table, EMPHASIS_NONE, "sh -c \"x --fast\"");
	table_cell(&table, EMPHASIS_NONE, "3");
	assert_int_equal(table_latex(&table, &out, NULL), 0);
	assert_string_equal(
		buffer_text(&out),
		"\\begin{tabular}{lr}\n\\toprule\n50\\%\\_\\# & $\\mu$s \\\\\n\\midrule\n"
		"\\textbackslash{}input\\{x\\} \\$a\\$ \\& \\textasciitilde{}\\textasciicircum{}\\textbackslash{}x1b"
		" & \\textbf{1 $\\pm$ 2} \\\\\n"
		"x -9 a-1 \\% & $-$5.1 \\% {[}$-$7 \\%, +3 \\%{]} \\\\\n"
		"sh -c {\\ttfamily\\char34}x -{}-fast{\\ttfamily\\char34} & 3 \\\\\n\\bottomrule\n\\end{tabular}\n");
	table_release(&table);
	buffer_release(&out);
}

static size_t widest_line(const char *text)
{
	size_t widest = 0;
	char line[8192];
	while (*text) {
		size_t length = strcspn(text, "\n");
		assert_true(length < sizeof(line));
		memcpy(line, text, length);
		line[length] = '\0';
		size_t width = text_width(line, TEXT_UNICODE);
		widest = width > widest ? width : widest;
		text += length + (text[length] == '\n');
	}
	return widest;
}

static void test_random_tables_fit_every_width(void **state)
{
	(void)state;
	static const char *const words[] = {
		"",
		"x",
		"-12.5 ms",
		"1e9",
		"漢字",
		"\033[2J",
		"a/very/long/path/to/some/benchmark/program --with=arguments",
		"e\u0301\u0301\u0301\u0301\u0301",
		"1\u0301.5",
		"\xff\xfe",
		"n/a",
		"1234567.25 ± 3.5 %",
	};
	enum { WORDS = sizeof(words) / sizeof(words[0]) };
	struct random random;
	random_seed(&random, 7);
	struct buffer out = {0};
	for (int round = 0; round < 2000; round++) {
		struct table table = {0};
		size_t columns = 1 + random_below(&random, 7), rows = random_below(&random, 5);
		for (size_t i = 0; i < columns; i++)
			table_column(&table, words[random_below(&random, 5)], (enum table_align)random_below(&random, 3),
			             (enum table_column_kind)random_below(&random, 4));
		for (size_t row = 0; row < rows; row++) {
			table_row(&table);
			for (size_t i = 0; i < columns; i++)
				table_cell(&table, EMPHASIS_NONE, words[random_below(&random, WORDS)]);
		}
		struct look look = {.width = 8 + random_below(&random, 100), .charset = (enum text_charset)(round % 2)};
		buffer_clear(&out);
		assert_int_equal(table_text(&table, &look, &out, NULL), 0);
		assert_true(widest_line(buffer_text(&out)) <= look.width);
		buffer_clear(&out);
		assert_int_equal(table_markdown(&table, &out, NULL), 0);
		table_release(&table);
	}
	buffer_release(&out);
}

static void test_every_allocation_may_fail(void **state)
{
	(void)state;
	for (long nth = 1;; nth++) {
		struct table table = {0};
		struct buffer out = {0};
		struct error err = {0};
		mem_fail_at(nth);
		two_rows(&table);
		int status = table_text(&table, &plain, &out, &err);
		status |= table_latex(&table, &out, &err);
		int failed = mem_failed();
		mem_fail_at(0);
		assert_int_equal(status, failed ? -1 : 0);
		assert_int_equal(err.kind, failed ? ERROR_MEMORY : ERROR_NONE);
		table_release(&table);
		buffer_release(&out);
		if (!failed) {
			assert_true(nth > 5);
			return;
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text_of_a_table),
		cmocka_unit_test(test_unit_of_times),
		cmocka_unit_test(test_narrow_tables_move_names_lose_columns_then_their_shape),
		cmocka_unit_test(test_rules_missing_and_extra_cells),
		cmocka_unit_test(test_markdown_is_only_text),
		cmocka_unit_test(test_csv_keeps_all_but_control_characters),
		cmocka_unit_test(test_latex_is_only_text),
		cmocka_unit_test(test_random_tables_fit_every_width),
		cmocka_unit_test(test_every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
