#include "report/paper.h"

#include "report/indices.h"
#include "report/overview.h"
#include "report/words.h"
#include "report/work_text.h"

static int put_table(void (*fill)(const struct result *, struct table *), const struct result *result,
                     struct buffer *out, struct error *err)
{
	struct table table = {0};
	fill(result, &table);
	int status = table_latex(&table, out, err);
	table_release(&table);
	return status;
}

static void put_paragraph(const char *text, struct buffer *out)
{
	buffer_char(out, '\n');
	latex_escape(out, text);
	buffer_char(out, '\n');
}

/* What a session with performance indices is about. */
static int put_indices(const struct result *result, size_t s, struct buffer *out, struct error *err)
{
	struct table table = {0};
	if (!indices_any(&result->subjects[s]))
		return 0;
	if (result->subject_count > 1)
		put_paragraph(subject_title(&result->subjects[s]), out);
	buffer_char(out, '\n');
	indices_table(&result->subjects[s], &table);
	int status = table_latex(&table, out, err);
	table_release(&table);
	return status;
}

/* Times of different work amounts have no mean: of these the line through them is told. */
static int put_works(const struct result *result, struct buffer *out, struct error *err)
{
	for (size_t s = 0; s < result->subject_count; s++) {
		const struct subject *subject = &result->subjects[s];
		struct table table = {0};
		struct buffer rounds = {0};
		put_paragraph(subject_title(subject), out);
		if (!work_any(subject))
			continue;
		buffer_char(out, '\n');
		work_table(subject->work, &table);
		int status = table_latex(&table, out, err);
		table_release(&table);
		work_words(subject->work, &rounds);
		put_paragraph(buffer_text(&rounds), out);
		buffer_release(&rounds);
		if (status != 0)
			return -1;
	}
	return 0;
}

int paper_latex(const struct result *result, struct buffer *out, struct error *err)
{
	struct buffer text = {0};
	buffer_text_add(out, "% made by tare " TARE_VERSION "; needs \\usepackage{booktabs}\n");
	bool by_work = result->subject_count > 0 && result->subjects[0].work;
	int status = by_work ? put_works(result, out, err) : put_table(overview_subjects, result, out, err);
	if (status == 0 && result->comparison_count > 0) {
		buffer_char(out, '\n');
		status = put_table(overview_comparisons, result, out, err);
	}
	for (size_t s = 0; s < result->subject_count && status == 0; s++)
		status = put_indices(result, s, out, err);
	for (size_t i = 0; i < result->comparison_count && status == 0; i++) {
		buffer_clear(&text);
		words_effect(result, &result->comparisons[i], &text);
		buffer_char(&text, '.');
		put_paragraph(buffer_text(&text), out);
	}
	buffer_clear(&text);
	words_methods(result, &text);
	if (status == 0)
		put_paragraph(buffer_text(&text), out);
	buffer_release(&text);
	return status == 0 ? buffer_error(out, err) : status;
}

void paper_methods_markdown(const struct result *result, struct buffer *out)
{
	struct buffer text = {0};
	words_methods(result, &text);
	if (text.length > 0) {
		buffer_text_add(out, "\n<details><summary>How it was measured</summary>\n\n");
		markdown_escape(out, buffer_text(&text));
		buffer_text_add(out, "\n\n</details>\n");
	}
	buffer_release(&text);
}
