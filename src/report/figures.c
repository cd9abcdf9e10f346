/* Which figure shows what; the drawing itself is in svg_*.c, the values come from figure_values.c. */
#include "report/figures.h"

#include "base/memory.h"
#include "report/figure_values.h"
#include "report/indices.h"
#include "report/suite_report.h"
#include "report/svg_plots.h"
#include "report/words.h"
#include "report/watched.h"
#include "stats/changepoint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MARKS = 24 }; /* in a sequence */

static const struct {
	const char *name, *caption;
} about[FIGURE_COUNT] = {
	[FIGURE_RATIO] = {"ratio",
                      "Change of new against base with its interval. The shaded band is the margin: an interval inside "
                      "it means the same."},
	[FIGURE_DENSITY] =
		{"density",
         "Distribution: dots are single values, the line the median with its interval, the curve (from 20 values on) "
         "the density."},
	[FIGURE_SEQUENCE] = {"sequence", "Values in the order in which they were measured."},
	[FIGURE_PAIRS] = {"pairs", "Each dot is a pair; the dashed line is their ratio."},
	[FIGURE_PAIR_RATIOS] =
		{"pair-ratios",
         "New over base for each pair, in the order measured. The thick line is the ratio, the band around "
         "it its interval, the band around 0 the margin."},
	[FIGURE_ORDER] = {"order",
                      "Pair ratios by the order inside the pair, or by the CPU side. Where the two differ, the order "
                      "matters; the estimate corrects for it."},
	[FIGURE_LAG] = {"lag",
                    "Each value against the one before, beside the same values shuffled. A difference between the two "
                    "clouds is dependence. Runs, or machines, are first shifted to the same mean."},
	[FIGURE_ACF] =
		{"acf", "Correlation of values this many places apart, beside the same values shuffled. Bars outside the band "
                "are more than chance explains."},
	[FIGURE_LEVELS] = {"levels",
                       "How much each level of repetition adds to the variance: repeat the level that adds most."},
	[FIGURE_HISTOGRAM] = {"histogram", "How many values fall into each bin."},
	[FIGURE_PHASES] = {"phases", "Unit readings of all runs, overlaid."},
	[FIGURE_FOREST] = {"forest",
                       "Every comparison with its interval, from worst to best. The shaded band is the margin."},
};

const char *figure_name(enum figure figure)
{
	return about[figure].name;
}

enum figure figure_by_name(const char *name)
{
	enum figure figure = FIGURE_RATIO;
	while (figure < FIGURE_COUNT && strcmp(about[figure].name, name) != 0)
		figure++;
	return figure;
}

bool figure_of_subject(enum figure figure)
{
	return figure == FIGURE_SEQUENCE || figure == FIGURE_LAG || figure == FIGURE_ACF || figure == FIGURE_LEVELS ||
	       figure == FIGURE_HISTOGRAM || figure == FIGURE_PHASES;
}

/* The ratio turned so that above 1 is worse; NaN where it is not known. */
static double worse_ratio(const struct result *result, const struct comparison *comparison)
{
	const struct measurement *m = subject_find_metric(&result->subjects[comparison->base], comparison->metric);
	return m && m->metric.better == BETTER_HIGHER ? 1 / comparison->ratio : comparison->ratio;
}

struct figure_place {
	size_t index;
	double worse;
};

static int by_worse(const void *a, const void *b)
{
	const struct figure_place *x = a, *y = b;
	if (isnan(x->worse) || isnan(y->worse))
		return isnan(x->worse) != isnan(y->worse) ? isnan(x->worse) - isnan(y->worse)
		                                          : (x->index > y->index) - (x->index < y->index);
	if (x->worse != y->worse)
		return x->worse < y->worse ? 1 : -1;
	return (x->index > y->index) - (x->index < y->index);
}

void figure_sort_comparisons(const struct result *result, size_t *order)
{
	size_t count = result->comparison_count;
	struct figure_place *places = mem_alloc(count, sizeof(*places));
	for (size_t i = 0; i < count; i++) {
		order[i] = i;
		if (places)
			places[i] = (struct figure_place){i, worse_ratio(result, &result->comparisons[i])};
	}
	/* Without memory for it they stay in their own order, which is right too. */
	if (!places)
		return;
	qsort(places, count, sizeof(*places), by_worse);
	for (size_t i = 0; i < count; i++)
		order[i] = places[i].index;
	mem_free(places);
}

static const struct measurement *measurement_of(const struct figure_source *source, size_t subject)
{
	const struct measurement *m = subject_find_metric(&source->result->subjects[subject], source->metric);
	return m && m->series.n > 0 ? m : NULL;
}

/* The unit readings of the metric, or the metric itself where it is one of them; NULL: there are none. */
static const struct measurement *readings_of(const struct figure_source *source)
{
	const struct subject *subject = &source->result->subjects[source->subject];
	char name[256];
	snprintf(name, sizeof(name), "%.200s%s", source->metric, METRIC_UNITS);
	const struct measurement *m = subject_find_metric(subject, source->metric);
	if (!m || !m->phases)
		m = subject_find_metric(subject, name);
	return m && m->phases && m->phase_count > 0 && m->series.n > 1 ? m : NULL;
}

bool figure_fits(const struct figure_source *source, enum figure figure)
{
	const struct comparison *c = source->comparison;
	if (figure == FIGURE_FOREST)
		return source->result->comparison_count > 0;
	if (figure == FIGURE_PHASES)
		return readings_of(source) != NULL;
	if (figure_of_subject(figure)) {
		const struct measurement *m = measurement_of(source, source->subject);
		if (!m)
			return false;
		if (figure == FIGURE_LEVELS)
			return m->described->level_count > 1;
		/* From one machine to the next there is no order, and a line for each makes a tangle; the page of a fleet has
		 * a ratio for each. */
		if (figure == FIGURE_SEQUENCE)
			return !figure_by_machine(m);
		return m->series.n >= (figure == FIGURE_HISTOGRAM ? 2 : 10);
	}
	if (figure == FIGURE_DENSITY)
		return c ? measurement_of(source, c->base) || measurement_of(source, c->new_)
		         : measurement_of(source, source->subject) != NULL;
	if (!c)
		return false;
	if (figure == FIGURE_RATIO)
		return isfinite(c->ratio) || isfinite(comparison_total(c)->ratio);
	const struct measurement *base = measurement_of(source, c->base);
	if (figure == FIGURE_PAIR_RATIOS && base && figure_by_machine(base))
		return false;
	return figure_pairs_exist(source->result, c) && (figure != FIGURE_ORDER || figure_orders_exist(source->result, c));
}

static int draw_ratio(const struct figure_source *source, const struct svg_options *options, struct buffer *out,
                      struct error *err)
{
	const struct comparison *c = source->comparison;
	struct plot_ratio rows[2];
	struct buffer notes[2] = {{0}};
	size_t count = 0;
	enum emphasis emphasis = verdict_emphasis(c->verdict);
	/* Single pairs, or a clock too coarse for medians: the total alone was judged. */
	if (c->pairs && isfinite(c->ratio) && !isnan(c->paired->share_difference))
		rows[count++] = (struct plot_ratio){"typical", c->ratio, c->ci.low, c->ci.high, c->margin, emphasis, NULL};
	enum emphasis second = count ? EMPHASIS_NONE : emphasis;
	const struct ratio_estimate *total = comparison_total(c);
	if (isfinite(total->ratio))
		rows[count++] = (struct plot_ratio){words_by_ranks(c) ? "median" : "total",
		                                    total->ratio,
		                                    total->ci.low,
		                                    total->ci.high,
		                                    c->margin,
		                                    second,
		                                    NULL};
	else if (count == 0)
		rows[count++] = (struct plot_ratio){"ratio", c->ratio, c->ci.low, c->ci.high, c->margin, emphasis, NULL};
	for (size_t i = 0; i < count; i++) {
		words_change(rows[i].ratio, rows[i].low, rows[i].high, &notes[i]);
		rows[i].note = buffer_text(&notes[i]);
	}
	int status = svg_forest(rows, count, options, out, err);
	if (status == 0 && (notes[0].out_of_memory || notes[1].out_of_memory))
		status = error_memory(err);
	buffer_release(&notes[0]);
	buffer_release(&notes[1]);
	return status;
}

static int draw_density(const struct figure_source *source, const struct svg_options *options, struct buffer *out,
                        struct error *err)
{
	struct plot_strip strips[2];
	double *values[2] = {NULL, NULL};
	const char *unit = "";
	size_t count = 0;
	const struct comparison *c = source->comparison;
	size_t subjects[2] = {c ? c->base : source->subject, c ? c->new_ : source->subject};
	int status = 0;
	for (size_t i = 0; i < (c ? 2 : 1) && status == 0; i++) {
		const struct measurement *m = measurement_of(source, subjects[i]);
		size_t n;
		if (!m)
			continue;
		if (figure_kept_values(m, &values[count], &n) != 0)
			status = error_memory(err);
		unit = m->metric.unit;
		strips[count] = (struct plot_strip){figure_subject_name(source->result, c, subjects[i]),
		                                    values[count],
		                                    status == 0 ? n : 0,
		                                    m->median,
		                                    m->described->median_ci.low,
		                                    m->described->median_ci.high,
		                                    EMPHASIS_NONE};
		count++;
	}
	if (status == 0)
		status = svg_density(strips, count, unit, options, out, err);
	mem_free(values[0]);
	mem_free(values[1]);
	return status;
}

/* Warm-up first, then where the level of the rest of a single run changed. -1: no memory. */
static int find_marks(const struct measurement *m, struct plot_series *plot, struct plot_mark *marks, size_t most)
{
	enum { LEAST = 20, LONGEST = 100000, SEGMENT = 8 };
	struct changepoint_options options = {.alpha = 0.01, .min_segment = SEGMENT};
	struct changepoints changes = {0};
	plot->marks = marks;
	plot->mark_count = figure_warmups(m, plot, marks);
	size_t skip = plot->mark_count ? marks[0].index : 0;
	if (plot->run_count > 1 || plot->n < skip + LEAST || plot->n > LONGEST)
		return 0;
	for (size_t i = skip; i < plot->n; i++)
		if (!isfinite(plot->values[i]))
			return 0;
	enum stats_status status = changepoint_find(plot->values + skip, plot->n - skip, &options, NULL, 0, &changes);
	for (size_t i = 0; status == STATS_OK && i < changes.count && plot->mark_count < most; i++)
		marks[plot->mark_count++] = (struct plot_mark){skip + changes.points[i].at, PLOT_CHANGE};
	changepoints_release(&changes);
	return status == STATS_NO_MEMORY ? -1 : 0;
}

/* Runs over each other share the points: as many as let each be seen. */
static size_t sequence_points(const struct plot_series *plot, size_t points)
{
	enum { POINTS_OF_RUN = 96, MOST_RUNS = 24 };
	if (plot->overlaid && points == 0)
		return POINTS_OF_RUN * (plot->run_count < MOST_RUNS ? plot->run_count : MOST_RUNS);
	return points;
}

static size_t phases_points(const struct plot_series *plot, size_t points)
{
	enum { POINTS_OF_RUN = 400, MOST_RUNS = 16 };
	return points ? points : POINTS_OF_RUN * (plot->run_count < MOST_RUNS ? plot->run_count : MOST_RUNS);
}

static int draw_sequence(const struct figure_source *source, const struct measurement *m,
                         const struct svg_options *options, struct buffer *out, struct error *err)
{
	struct plot_mark marks[MOST_MARKS];
	struct plot_series plot = figure_series(m);
	struct svg_options more = *options;
	more.points = sequence_points(&plot, options->points);
	if (find_marks(m, &plot, marks, MOST_MARKS) != 0)
		return error_memory(err);
	/* What the machine did meanwhile stands below, where a run can be told by its place. */
	if (source->result->monitoring.trace_count > 0 && watched_first_run(source->result, source->subject, m) != SIZE_MAX)
		return svg_watched(source->result, source->subject, m, &plot, options, out, err);
	return svg_sequence(&plot, &more, out, err);
}

/* The usual run's phases, in a plot whose longest run has so many readings. */
static size_t find_phases(const struct measurement *m, struct plot_mark *marks)
{
	struct usual_phases usual;
	size_t longest = 0;
	for (size_t g = 0; g < m->series.groups[0]; g++) {
		size_t n;
		series_span(&m->series, g, &n);
		longest = n > longest ? n : longest;
	}
	return indices_usual_phases(m, &usual) ? indices_marks(&usual, longest, marks) : 0;
}

static struct plot_series phases_series(const struct measurement *m, struct plot_mark marks[USUAL_MARKS])
{
	return (struct plot_series){.title = m->metric.name,
	                            .values = m->series.values,
	                            .n = m->series.n,
	                            .unit = m->metric.unit,
	                            .starts = m->series.starts[0],
	                            .run_count = m->series.groups[0],
	                            .overlaid = true,
	                            .marks = marks,
	                            .mark_count = find_phases(m, marks)};
}

static int draw_phases(const struct measurement *m, const struct svg_options *options, struct buffer *out,
                       struct error *err)
{
	struct plot_mark marks[USUAL_MARKS];
	struct plot_series plot = phases_series(m, marks);
	struct svg_options more = *options;
	more.points = phases_points(&plot, options->points);
	return svg_sequence(&plot, &more, out, err);
}

static size_t count_marks(const struct plot_mark *marks, size_t count, enum plot_mark_kind kind)
{
	size_t of_kind = 0;
	for (size_t i = 0; i < count; i++)
		of_kind += marks[i].kind == kind;
	return of_kind;
}

static void caption_strokes(struct buffer *out)
{
	buffer_text_add(out, " Each stroke reaches from the lowest to the highest of neighbouring values; the line through "
	                     "them is their median.");
}

static int caption_sequence(const struct measurement *m, size_t points, struct buffer *out)
{
	struct plot_mark marks[MOST_MARKS];
	struct plot_series plot = figure_series(m);
	if (find_marks(m, &plot, marks, MOST_MARKS) != 0)
		return -1;
	if (svg_sequence_has_strokes(&plot, &(struct svg_options){.points = sequence_points(&plot, points)}))
		caption_strokes(out);
	if (plot.overlaid)
		buffer_text_add(out, " Each run has one of three colours.");
	size_t changes = count_marks(marks, plot.mark_count, PLOT_CHANGE);
	if (changes < plot.mark_count)
		buffer_text_add(out, " Shaded: warm-up, left out of the numbers.");
	if (changes > 0)
		buffer_text_add(out, changes == 1 ? " Dashed line: where the level changed."
		                                  : " Dashed lines: where the level changed.");
	return 0;
}

static void caption_phases(const struct measurement *m, size_t points, struct buffer *out)
{
	struct plot_mark marks[USUAL_MARKS];
	struct plot_series plot = phases_series(m, marks);
	size_t count = plot.mark_count;
	if (svg_sequence_has_strokes(&plot, &(struct svg_options){.points = phases_points(&plot, points)}))
		caption_strokes(out);
	if (plot.run_count > 1)
		buffer_text_add(out, " Each run has one of three colours.");
	bool set_up = count_marks(marks, count, PLOT_SETUP) > 0, warm_up = count_marks(marks, count, PLOT_WARMUP) > 0;
	if (set_up || warm_up)
		buffer_printf(out, " Shaded: %s of the usual run.",
		              !warm_up ? "set-up"
		              : set_up ? "set-up and warm-up"
		                       : "warm-up");
	if (count_marks(marks, count, PLOT_CHANGE) > 0)
		buffer_text_add(out, " After the dashed line: cool-down.");
	if (count > 0)
		buffer_text_add(out, " Only the rest counts.");
}

static int caption_of_pairs(const struct figure_source *source, enum figure figure, size_t points, struct buffer *out)
{
	struct figure_pairs pairs;
	if (figure_pairs_of(source->result, source->comparison, &pairs) != 0)
		return -1;
	if (figure == FIGURE_PAIRS)
		buffer_text_add(out, svg_pairs_apart(&pairs.plot) ? " Each axis has its own range: no pair is near equal."
		                                                  : " On the solid line both are equal.");
	else if (svg_series_has_strokes(pairs.plot.n, svg_points(&(struct svg_options){.points = points})))
		caption_strokes(out);
	figure_pairs_release(&pairs);
	return 0;
}

int figure_caption(const struct figure_source *source, enum figure figure, size_t points, struct buffer *out,
                   struct error *err)
{
	int status = 0;
	buffer_text_add(out, about[figure].caption);
	if (figure == FIGURE_SEQUENCE)
		status = caption_sequence(measurement_of(source, source->subject), points, out);
	else if (figure == FIGURE_PHASES)
		caption_phases(readings_of(source), points, out);
	else if (figure == FIGURE_PAIRS || figure == FIGURE_PAIR_RATIOS)
		status = caption_of_pairs(source, figure, points, out);
	return status == 0 ? buffer_error(out, err) : error_memory(err);
}

static int draw_subject(const struct figure_source *source, enum figure figure, const struct svg_options *options,
                        struct buffer *out, struct error *err)
{
	const struct measurement *m = measurement_of(source, source->subject);
	const struct description *described = m->described;
	struct plot_level levels[LEVEL_COUNT];
	if (figure == FIGURE_SEQUENCE)
		return draw_sequence(source, m, options, out, err);
	if (figure == FIGURE_PHASES)
		return draw_phases(readings_of(source), options, out, err);
	if (figure == FIGURE_LEVELS) {
		for (size_t i = 0; i < described->level_count; i++)
			levels[i] = (struct plot_level){level_name(described->levels[i].level),
			                                fmax(described->levels[i].variance, 0)};
		return svg_levels(levels, described->level_count, options, out, err);
	}
	struct plot_series plot;
	struct figure_kept kept;
	if (figure_kept_series(m, figure != FIGURE_HISTOGRAM, &plot, &kept) != 0)
		return error_memory(err);
	plot.overlaid = false;
	int status = figure == FIGURE_LAG   ? svg_beside_shuffled(PLOT_LAG, &plot, 1, options, out, err)
	             : figure == FIGURE_ACF ? svg_beside_shuffled(PLOT_ACF, &plot, 1, options, out, err)
	                                    : svg_histogram(&plot, m->median, options, out, err);
	figure_kept_release(&kept);
	return status;
}

static int draw_pairs(const struct figure_source *source, enum figure figure, const struct svg_options *options,
                      struct buffer *out, struct error *err)
{
	struct figure_pairs pairs;
	if (figure_pairs_of(source->result, source->comparison, &pairs) != 0)
		return error_memory(err);
	int status;
	if (figure == FIGURE_PAIRS) {
		status = svg_pairs(&pairs.plot, options, out, err);
	} else if (figure == FIGURE_PAIR_RATIOS) {
		status = svg_pair_ratios(&pairs.plot, options, out, err);
	} else {
		struct plot_strip strips[2];
		double *ratios = NULL;
		struct svg_options titled = *options;
		titled.title = "pair ratios by order";
		status = figure_by_order(source->result, source->comparison, strips, &ratios) == 0
		             ? svg_density(strips, 2, "%", &titled, out, err)
		             : error_memory(err);
		mem_free(ratios);
	}
	figure_pairs_release(&pairs);
	return status;
}

struct plot_ratio *figure_forest(const struct result *result)
{
	struct plot_ratio *rows = mem_zalloc(result->comparison_count, sizeof(*rows));
	size_t *order = mem_alloc(result->comparison_count, sizeof(*order));
	if (rows && order)
		figure_sort_comparisons(result, order);
	for (size_t i = 0; rows && order && i < result->comparison_count; i++) {
		const struct comparison *c = &result->comparisons[order[i]];
		struct told_number told = words_told(c);
		rows[i] = (struct plot_ratio){.name = suite_label(result, c),
		                              .ratio = told.ratio,
		                              .low = told.ci->low,
		                              .high = told.ci->high,
		                              .margin = c->margin,
		                              .emphasis = verdict_emphasis(c->verdict),
		                              .note = verdict_name(c->verdict)};
	}
	if (!order) {
		mem_free(rows);
		rows = NULL;
	}
	mem_free(order);
	return rows;
}

static int draw_forest(const struct result *result, const struct svg_options *options, struct buffer *out,
                       struct error *err)
{
	struct plot_ratio *rows = figure_forest(result);
	int status = rows ? svg_forest(rows, result->comparison_count, options, out, err) : error_memory(err);
	mem_free(rows);
	return status;
}

int figure_draw(const struct figure_source *source, enum figure figure, const struct svg_options *options,
                struct buffer *out, struct error *err)
{
	if (!figure_fits(source, figure))
		return error_full(
			err, ERROR_NO_DATA, NULL,
			"pairs need a paired design, sequence and pair-ratios a single machine, levels and autocorrelation more values",
			"this result has nothing for the plot '%s'", about[figure].name);
	if (figure == FIGURE_FOREST)
		return draw_forest(source->result, options, out, err);
	if (figure == FIGURE_RATIO)
		return draw_ratio(source, options, out, err);
	if (figure == FIGURE_DENSITY)
		return draw_density(source, options, out, err);
	if (figure_of_subject(figure))
		return draw_subject(source, figure, options, out, err);
	return draw_pairs(source, figure, options, out, err);
}
