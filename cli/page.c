#include "cli/page.h"

#include "analysis/suite.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/output.h"
#include "base/scoped.h"
#include "exchange/document.h"
#include "report/figures.h"
#include "report/html.h"
#include "report/overview.h"
#include "report/raw.h"
#include "report/pdf.h"
#include "report/svg_history.h"

/* A value takes up to 22 bytes of text. Whole data may take 2 MB, thinned ones half of that. */
enum { WHOLE_VALUES = 90000, THINNED_VALUES = 30000 };

static size_t series_count(const struct result *result)
{
	size_t count = 0;
	for (size_t s = 0; s < result->subject_count; s++)
		count += result->subjects[s].metric_count;
	return count;
}

static int embed(const struct result *result, struct buffer *data, struct html_result *item, struct error *err)
{
	SCOPED(result) struct result thinned = result_empty();
	size_t series = series_count(result);
	item->values = item->embedded = raw_values(result);
	if (series == 0 || item->values <= WHOLE_VALUES)
		return document_write(result, data, err);
	if (raw_thinned(result, THINNED_VALUES / series, &thinned, err) != 0)
		return -1;
	item->embedded = raw_values(&thinned);
	return document_write(&thinned, data, err);
}

struct suite_view page_view(const struct result *result)
{
	struct suite suite;
	suite_of(result, NO_SIDE, &suite);
	return (struct suite_view){.sort_by_change = true, .geometric_mean = suite.ratio, .geometric_ci = suite.ci};
}

int page_save(const struct page *page_of, const char *path, struct error *err)
{
	const struct result *results = page_of->results;
	size_t count = page_of->count;
	struct html_result *items = mem_zalloc(count, sizeof(*items));
	struct buffer *data = mem_zalloc(count, sizeof(*data)), page = {0};
	int status = items && data ? 0 : error_memory(err);
	for (size_t i = 0; i < count && status == 0; i++) {
		items[i].result = &results[i];
		items[i].view = page_view(&results[i]);
		items[i].source = page_of->sources ? page_of->sources[i] : NULL;
		status = embed(&results[i], &data[i], &items[i], err);
		if (status == 0)
			items[i].data = buffer_text(&data[i]);
	}
	if (status == 0)
		status = html_write(&(struct html_page){page_of->title, items, count, page_of->history, page_of->home}, &page,
		                    err);
	if (status == 0)
		status = output_write(path, &page, err);
	for (size_t i = 0; i < count && data; i++)
		buffer_release(&data[i]);
	buffer_release(&page);
	mem_free(data);
	mem_free(items);
	return status;
}

int page_save_one(const struct result *result, const char *path, struct error *err)
{
	return page_save(&(struct page){.results = result, .count = 1}, path, err);
}

static const struct svg_options plot_options = {.id = "plot", .width = 720, .standalone = true};

/* A drawing goes to a file by the end of its name. */
static int save_drawing(const struct buffer *svg, const char *path, struct error *err)
{
	SCOPED(buffer) struct buffer pdf = {0};
	if (!text_ends_with(path, ".pdf"))
		return output_write(path, svg, err);
	return pdf_of_drawing(svg, &pdf, err) == 0 ? output_write(path, &pdf, err) : -1;
}

int page_save_history_plot(const struct history *history, const char *path, struct error *err)
{
	SCOPED(buffer) struct buffer svg = {0};
	return svg_history(&history->series[0], &plot_options, &svg, err) == 0 ? save_drawing(&svg, path, err) : -1;
}

int page_no_plot(const char *plot, struct error *err)
{
	SCOPED(buffer) struct buffer names = {0};
	for (enum figure figure = FIGURE_RATIO; figure < FIGURE_COUNT; figure++)
		buffer_printf(&names, "%s%s", figure ? ", " : "", figure_name(figure));
	buffer_text_add(&names, ", history");
	if (plot[0])
		error_set(err, ERROR_USAGE, "there is no plot '%.60s'", plot);
	else
		error_set(err, ERROR_USAGE, "which plot?");
	error_on(err, "--plot");
	return error_next(err, "plots are %s", buffer_text(&names));
}

/* What to draw: the comparison and subject that were asked for, or the first. */
static int choose(const struct result *result, const char *subject, struct figure_source *source, struct error *err)
{
	const struct subject *found = subject ? result_find_subject(result, subject) : NULL;
	if (subject && !found)
		return error_full(err, ERROR_USAGE, "--subject", NULL, "no subject is named '%.100s'", subject);
	source->subject = found ? (size_t)(found - result->subjects) : 0;
	for (size_t i = 0; i < result->comparison_count && !source->comparison; i++)
		if (!found || result->comparisons[i].new_ == source->subject || result->comparisons[i].base == source->subject)
			source->comparison = &result->comparisons[i];
	if (source->comparison && !found)
		source->subject = source->comparison->new_;
	return 0;
}

/* The unit readings of the first performance index that has any. */
static const char *readings_metric(const struct subject *subject)
{
	for (size_t i = 0; i < subject->metric_count; i++)
		if (subject->metrics[i].phases)
			return subject->metrics[i].metric.name;
	return NULL;
}

int page_save_plot(const struct result *result, const char *plot, const char *subject, const char *metric,
                   const char *path, struct error *err)
{
	enum figure figure = figure_by_name(plot);
	struct figure_source source = {.result = result, .metric = metric ? metric : overview_metric(result)};
	SCOPED(buffer) struct buffer svg = {0};
	if (figure == FIGURE_COUNT)
		return page_no_plot(plot, err);
	if (result->subject_count == 0)
		return error_set(err, ERROR_NO_DATA, "nothing was measured");
	if (choose(result, subject, &source, err) != 0)
		return -1;
	if (figure == FIGURE_PHASES && !metric && readings_metric(&result->subjects[source.subject]))
		source.metric = readings_metric(&result->subjects[source.subject]);
	return figure_draw(&source, figure, &plot_options, &svg, err) == 0 ? save_drawing(&svg, path, err) : -1;
}
