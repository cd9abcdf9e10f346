#include "report/plots.h"

#include "base/memory.h"
#include "report/figure_values.h"
#include "report/figures.h"
#include "report/overview.h"
#include "report/plot.h"
#include "report/watched.h"

#include <string.h>

/* "subject  metric", on two lines where they do not fit into one. */
static void put_heading(const char *subject, const char *metric, const struct look *look, struct buffer *out)
{
	size_t width = look_width(look), name = text_width(subject, look->charset);
	bool one = name + 2 + text_width(metric, look->charset) <= width;
	buffer_char(out, '\n');
	text_fit(out, subject, width, look->charset);
	buffer_text_add(out, one ? "  " : "\n  ");
	text_fit(out, metric, width - 2, look->charset);
	buffer_char(out, '\n');
}

/* What the signs of a plot mean. */
static void put_legend(const struct look *look, const char *unicode, const char *ascii, struct buffer *out)
{
	look_begin(look, EMPHASIS_FAINT, out);
	text_fit(out, look->charset == TEXT_ASCII ? ascii : unicode, look_width(look), look->charset);
	look_end(look, EMPHASIS_FAINT, out);
	buffer_char(out, '\n');
}

int plots_monitoring(const struct result *result, const char *metric, const struct look *look, struct buffer *out,
                     struct error *err)
{
	enum { MOST_SUBJECTS = 4 };
	if (!result->monitoring.recorded || result->monitoring.trace_count == 0)
		return 0;
	for (size_t s = 0; s < result->subject_count && s < MOST_SUBJECTS; s++) {
		const struct measurement *m = subject_find_metric(&result->subjects[s], metric);
		if (!m || m->series.n == 0)
			continue;
		struct plot_series plot = {.values = m->series.values, .n = m->series.n, .unit = m->metric.unit};
		put_heading(result->subjects[s].name, metric, look, out);
		if (plot_sequence(&plot, look, out, err) != 0 || plots_watched(result, s, m, look, out, err) != 0)
			return -1;
	}
	return 0;
}

/* One run after its warm-up; runs of one value are one series, of several machines that of the first. False where that is too short to look for
 * dependence. */
static bool one_run(const struct measurement *m, struct plot_series *out)
{
	enum { LEAST = 10 };
	const struct series *series = &m->series;
	unsigned last = series->depth - 2;
	struct plot_series plot = {.values = series->values, .n = series->n, .unit = m->metric.unit};
	if (series->groups[last] < series->n) {
		size_t first = series->starts[last][1];
		plot.n = first;
		if (first >= m->skip + LEAST) {
			plot.values += m->skip;
			plot.n -= m->skip;
		}
	} else if (figure_by_machine(m)) {
		plot.n = series->starts[0][1];
	}
	*out = plot;
	return plot.n >= LEAST;
}

/* Each value against those 1 to 4 before it. */
static int plots_lags(struct plot_series *plot, uint64_t seed, const struct look *look, struct buffer *out,
                      struct error *err)
{
	enum { LAGS = 4 };
	for (plot->lag = 1; plot->lag <= LAGS; plot->lag++)
		if (plot_beside_shuffled(PLOT_LAG, plot, seed, look, out, err) != 0)
			return -1;
	return 0;
}

/* What Kalibera and Jones look at: values in order, the lags and the autocorrelation, each beside the same values
 * shuffled. */
static int plots_dependence(const struct measurement *m, uint64_t seed, const struct look *look, struct buffer *out,
                            struct error *err)
{
	struct plot_series plot;
	if (!one_run(m, &plot))
		return 0;
	if (plot_beside_shuffled(PLOT_SEQUENCE, &plot, seed, look, out, err) != 0 ||
	    plots_lags(&plot, seed, look, out, err) != 0)
		return -1;
	return plot_beside_shuffled(PLOT_ACF, &plot, seed, look, out, err);
}

int plots_measurement(const struct result *result, const struct subject *subject, const struct measurement *m,
                      uint64_t seed, const struct look *look, struct buffer *out, struct error *err)
{
	if (m->series.n == 0)
		return 0;
	struct plot_mark warmups[FIGURE_APART];
	struct plot_series plot = figure_series(m);
	const struct measurement *main = subject_find_metric(subject, overview_metric(result));
	plot.marks = warmups;
	plot.mark_count = figure_warmups(m, &plot, warmups);
	put_heading(subject_title(subject), m->metric.name, look, out);
	if (plot_sequence(&plot, look, out, err) != 0)
		return -1;
	/* Under one metric is enough: the others are of the same runs. */
	if (result->monitoring.recorded && m == (main ? main : subject->metrics) &&
	    plots_watched(result, (size_t)(subject - result->subjects), m, look, out, err) != 0)
		return -1;
	if (plot_histogram(&plot, m->median, look, out, err) != 0)
		return -1;
	return plots_dependence(m, seed, look, out, err);
}

static struct plot_strip strip_of(const struct measurement *m, const char *name)
{
	return (struct plot_strip){.name = name,
	                           .values = m->series.values,
	                           .n = m->series.n,
	                           .median = m->median,
	                           .low = m->described->median_ci.low,
	                           .high = m->described->median_ci.high};
}

/* All subjects on one axis. */
static int strips(const struct result *result, const char *metric, const struct look *look, struct buffer *out,
                  struct error *err)
{
	struct plot_strip *all = mem_zalloc(result->subject_count, sizeof(*all));
	const char *unit = "";
	size_t count = 0;
	if (!all)
		return error_memory(err);
	for (size_t s = 0; s < result->subject_count; s++) {
		const struct measurement *m = subject_find_metric(&result->subjects[s], metric);
		if (!m || m->n == 0)
			continue;
		unit = m->metric.unit;
		all[count++] = strip_of(m, subject_title(&result->subjects[s]));
	}
	int status = count ? plot_strips(all, count, unit, look, out, err) : 0;
	mem_free(all);
	return status;
}

/* Whether the two sides of every comparison have the same name, as those of two files or of a suite have. */
static bool same_names(const struct result *result)
{
	for (size_t i = 0; i < result->comparison_count; i++) {
		const struct comparison *c = &result->comparisons[i];
		if (strcmp(subject_title(&result->subjects[c->base]), subject_title(&result->subjects[c->new_])) != 0)
			return false;
	}
	return result->comparison_count > 0;
}

/* The two sides of each comparison on an axis of their own. */
static int strips_by_comparison(const struct result *result, const struct look *look, struct buffer *out,
                                struct error *err)
{
	for (size_t i = 0; i < result->comparison_count; i++) {
		const struct comparison *c = &result->comparisons[i];
		const struct measurement *base = subject_find_metric(&result->subjects[c->base], c->metric);
		const struct measurement *new_ = subject_find_metric(&result->subjects[c->new_], c->metric);
		struct plot_strip both[2];
		size_t count = 0;
		if (base && base->n > 0)
			both[count++] = strip_of(base, "base");
		if (new_ && new_->n > 0)
			both[count++] = strip_of(new_, "new");
		if (count == 0)
			continue;
		put_heading(subject_title(&result->subjects[c->new_]), c->metric, look, out);
		if (plot_strips(both, count, (base ? base : new_)->metric.unit, look, out, err) != 0)
			return -1;
	}
	return 0;
}

static int forest(const struct result *result, const struct look *look, struct buffer *out, struct error *err)
{
	struct plot_ratio *all = figure_forest(result);
	if (!all)
		return error_memory(err);
	buffer_text_add(out, "\nchange of new against base\n");
	int status = plot_forest(all, result->comparison_count, look, out, err);
	put_legend(look, "\u25cf change, \u251c\u2500\u2524 its interval, \u2591 margin: inside it is the same",
	           "o change, |-| its interval, . margin: inside it is the same", out);
	mem_free(all);
	return status;
}

static int distributions(const struct result *result, const char *metric, const struct look *look, struct buffer *out,
                         struct error *err)
{
	int status = same_names(result) ? strips_by_comparison(result, look, out, err)
	                                : strips(result, metric, look, out, err);
	put_legend(look, "\u2582\u2585\u2588 values, \u2503 median, [ ] its interval",
	           ".:# values, | median, [ ] its interval", out);
	return status;
}

int plots_overview(const struct result *result, const char *metric, const struct look *look, struct buffer *out,
                   struct error *err)
{
	int status = distributions(result, metric, look, out, err);
	return status == 0 && result->comparison_count ? forest(result, look, out, err) : status;
}

/* ---- one plot ---- */

static int of_subject(const struct subject *subject, const struct measurement *m, enum figure figure,
                      const struct look *look, struct buffer *out, struct error *err)
{
	enum { SEED = 1 };
	struct plot_mark warmups[FIGURE_APART];
	struct plot_series plot = figure_series(m), run;
	plot.marks = warmups;
	plot.mark_count = figure_warmups(m, &plot, warmups);
	put_heading(subject_title(subject), m->metric.name, look, out);
	if (figure == FIGURE_SEQUENCE)
		return plot_sequence(&plot, look, out, err);
	if (figure == FIGURE_HISTOGRAM)
		return plot_histogram(&plot, m->median, look, out, err);
	if (!one_run(m, &run)) {
		buffer_text_add(out, "too few values\n");
		return 0;
	}
	return figure == FIGURE_LAG ? plots_lags(&run, SEED, look, out, err)
	                            : plot_beside_shuffled(PLOT_ACF, &run, SEED, look, out, err);
}

int plots_check(const char *name, struct error *err)
{
	switch (figure_by_name(name)) {
	case FIGURE_DENSITY:
	case FIGURE_RATIO:
	case FIGURE_FOREST:
	case FIGURE_SEQUENCE:
	case FIGURE_HISTOGRAM:
	case FIGURE_LAG:
	case FIGURE_ACF: return 0;
	default: break;
	}
	if (!name[0])
		return 0;
	error_set(err, ERROR_USAGE, "the terminal does not draw '%.60s'", name);
	error_on(err, "--plot");
	return error_next(err, "'tare report RESULT --plot %.60s -o %.60s.svg' draws it", name, name);
}

int plots_one(const struct result *result, const char *metric, const char *name, const struct look *look,
              struct buffer *out, struct error *err)
{
	enum figure figure = figure_by_name(name);
	if (figure == FIGURE_DENSITY)
		return distributions(result, metric, look, out, err);
	if (figure == FIGURE_RATIO || figure == FIGURE_FOREST)
		return result->comparison_count ? forest(result, look, out, err)
		                                : error_set(err, ERROR_NO_DATA, "there is no comparison to draw");
	for (size_t s = 0; s < result->subject_count; s++) {
		const struct measurement *m = subject_find_metric(&result->subjects[s], metric);
		if (m && m->series.n > 0 && of_subject(&result->subjects[s], m, figure, look, out, err) != 0)
			return -1;
	}
	return 0;
}
