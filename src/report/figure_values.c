#include "report/figure_values.h"

#include "base/memory.h"
#include "report/figures.h"
#include "report/words.h"
#include "stats/quantile.h"

#include <math.h>
#include <string.h>

bool figure_by_machine(const struct measurement *m)
{
	const struct series *series = &m->series;
	return series->depth == 3 && series->levels[0] == LEVEL_MACHINE && series->groups[0] > 1 &&
	       series->groups[0] < series->n && series->groups[1] == series->n;
}

struct plot_series figure_series(const struct measurement *m)
{
	const struct series *series = &m->series;
	unsigned last = series->depth - 2;
	struct plot_series plot = {.values = series->values, .n = series->n, .unit = m->metric.unit};
	/* A command's runs are one value each: one line through them all says more than single points. */
	if (series->groups[last] < series->n) {
		plot.starts = series->starts[last];
		plot.run_count = series->groups[last];
		plot.overlaid = plot.run_count > FIGURE_APART;
	} else if (figure_by_machine(m)) {
		plot.starts = series->starts[0];
		plot.run_count = series->groups[0];
		plot.overlaid = plot.by_machine = true;
	}
	return plot;
}

size_t figure_warmups(const struct measurement *m, const struct plot_series *plot, struct plot_mark *marks)
{
	size_t count = 0;
	if (plot->overlaid && m->skip > 0)
		marks[count++] = (struct plot_mark){m->skip, PLOT_WARMUP};
	for (size_t run = 0; plot->starts && !plot->overlaid && run < plot->run_count; run++) {
		size_t skip = measurement_left_out(m, run), first = plot->starts[run];
		if (skip > 0 && skip < plot->starts[run + 1] - first)
			marks[count++] = (struct plot_mark){first + skip, PLOT_WARMUP};
	}
	return count;
}

static bool left_out(const struct series *series, size_t skip, size_t run, size_t index)
{
	unsigned last = series->depth - 2;
	const uint32_t *starts = series->starts[last];
	return index < starts[run] + skip;
}

/* Copies the values of `m` that count, or those of `other` at the same places. */
static size_t copy_kept(const struct measurement *m, const double *values, double *to)
{
	const struct series *series = &m->series;
	unsigned last = series->depth - 2;
	size_t count = 0;
	for (size_t run = 0; run < series->groups[last]; run++)
		for (size_t i = series->starts[last][run]; i < series->starts[last][run + 1]; i++)
			if (!left_out(series, measurement_left_out(m, run), run, i))
				to[count++] = values[i];
	return count;
}

int figure_kept_values(const struct measurement *m, double **values, size_t *n)
{
	double *kept = mem_alloc(m->series.n, sizeof(*kept));
	if (!kept)
		return -1;
	*n = copy_kept(m, m->series.values, kept);
	*values = kept;
	return 0;
}

static double mean_of(const double *values, size_t n)
{
	double sum = 0;
	size_t count = 0;
	for (size_t i = 0; i < n; i++)
		if (isfinite(values[i])) {
			sum += values[i];
			count++;
		}
	return count ? sum / (double)count : 0;
}

static void bring_to_one_mean(struct plot_series *plot, double *values)
{
	double all = mean_of(values, plot->n);
	for (size_t run = 0; plot->starts && run < plot->run_count; run++) {
		size_t first = plot->starts[run], end = plot->starts[run + 1];
		double shift = all - mean_of(values + first, end - first);
		for (size_t i = first; i < end; i++)
			values[i] += shift;
	}
}

int figure_kept_series(const struct measurement *m, bool level, struct plot_series *plot, struct figure_kept *kept)
{
	const struct series *series = &m->series;
	unsigned last = series->depth - 2;
	size_t runs = series->groups[last], n;
	struct figure_kept made = {.starts = mem_alloc(runs + 1, sizeof(*made.starts))};
	if (!made.starts || figure_kept_values(m, &made.values, &n) != 0) {
		figure_kept_release(&made);
		return -1;
	}
	made.starts[0] = 0;
	for (size_t run = 0; run < runs; run++) {
		size_t length = series->starts[last][run + 1] - series->starts[last][run];
		size_t skip = measurement_left_out(m, run);
		made.starts[run + 1] = made.starts[run] + (uint32_t)(length > skip ? length - skip : 0);
	}
	*plot = figure_series(m);
	plot->values = made.values;
	plot->n = n;
	if (plot->starts && !plot->by_machine)
		plot->starts = made.starts;
	if (level)
		bring_to_one_mean(plot, made.values);
	*kept = made;
	return 0;
}

void figure_kept_release(struct figure_kept *kept)
{
	mem_free(kept->values);
	mem_free(kept->starts);
	*kept = (struct figure_kept){0};
}

static const struct measurement *side(const struct result *result, const struct comparison *c, size_t subject)
{
	return subject_find_metric(&result->subjects[subject], c->metric);
}

const char *figure_subject_name(const struct result *result, const struct comparison *comparison, size_t subject)
{
	if (!comparison || !words_shared_name(result, comparison))
		return subject_title(&result->subjects[subject]);
	return subject == comparison->base ? "base" : "new";
}

bool figure_pairs_exist(const struct result *result, const struct comparison *comparison)
{
	const struct measurement *base = side(result, comparison, comparison->base);
	const struct measurement *new_ = side(result, comparison, comparison->new_);
	return comparison->pairs > 1 && result->design.paired && base && new_ && base->series.n > 1 &&
	       base->series.n == new_->series.n && base->series.depth == new_->series.depth;
}

int figure_pairs_of(const struct result *result, const struct comparison *comparison, struct figure_pairs *out)
{
	const struct measurement *base = side(result, comparison, comparison->base);
	const struct measurement *new_ = side(result, comparison, comparison->new_);
	struct figure_pairs pairs = {.base = mem_alloc(base->series.n, sizeof(double)),
	                             .new_ = mem_alloc(base->series.n, sizeof(double))};
	if (!pairs.base || !pairs.new_) {
		figure_pairs_release(&pairs);
		return -1;
	}
	/* A pair is left out whole: the warm-up is the longer of the two. */
	const struct measurement *longer = base->skip >= new_->skip ? base : new_;
	size_t n = copy_kept(longer, base->series.values, pairs.base);
	copy_kept(longer, new_->series.values, pairs.new_);
	for (size_t i = 0; i < n; i++)
		if (isnan(pairs.base[i]) || isnan(pairs.new_[i]))
			pairs.base[i] = pairs.new_[i] = NAN;
	pairs.plot = (struct plot_pairs){.base_name = figure_subject_name(result, comparison, comparison->base),
	                                 .new_name = figure_subject_name(result, comparison, comparison->new_),
	                                 .base = pairs.base,
	                                 .new_ = pairs.new_,
	                                 .n = n,
	                                 .unit = base->metric.unit,
	                                 .ratio = comparison->ratio,
	                                 .low = comparison->ci.low,
	                                 .high = comparison->ci.high,
	                                 .margin = comparison->margin};
	*out = pairs;
	return 0;
}

void figure_pairs_release(struct figure_pairs *pairs)
{
	mem_free(pairs->base);
	mem_free(pairs->new_);
	*pairs = (struct figure_pairs){0};
}

/* 0: as the first pair stands, 1: the other way round. */
static size_t way_of(const struct design_info *design, size_t pair)
{
	return order_place(design->order[pair], 0) != order_place(design->order[0], 0);
}

bool figure_orders_exist(const struct result *result, const struct comparison *comparison)
{
	const struct design_info *design = &result->design;
	const struct measurement *base = side(result, comparison, comparison->base);
	if (!design->order || result->subject_count != 2 || !base || design->order_count != base->series.n)
		return false;
	size_t other = 0;
	for (size_t i = 0; i < design->order_count; i++)
		other += way_of(design, i);
	return other > 1 && other + 1 < design->order_count;
}

int figure_by_order(const struct result *result, const struct comparison *comparison, struct plot_strip strips[2],
                    double **values)
{
	const struct design_info *design = &result->design;
	const struct measurement *base = side(result, comparison, comparison->base);
	const struct measurement *new_ = side(result, comparison, comparison->new_);
	size_t n = base->series.n, counts[2] = {0, 0};
	double *ratios = mem_alloc(3 * n, sizeof(*ratios));
	if (!ratios)
		return -1;
	double *space = ratios + 2 * n;
	for (size_t i = 0; i < n; i++) {
		size_t way = way_of(design, i);
		double x = base->series.values[i], y = new_->series.values[i];
		if (x > 0 && isfinite(y))
			ratios[way * n + counts[way]++] = 100 * (y / x - 1);
	}
	/* A duet's sides are as given where the first comes first, whichever of the two is the base. */
	bool duet = design->name && strcmp(design->name, "duet") == 0;
	bool as_named = order_place(design->order[0], duet ? 0 : result_side(result, comparison->base)) == 0;
	static const char *const names[2][2] = {{"base first", "new first"}, {"sides as given", "sides swapped"}};
	for (size_t way = 0; way < 2; way++) {
		memcpy(space, ratios + way * n, counts[way] * sizeof(*space));
		strips[way] = (struct plot_strip){.name = names[duet][as_named ? way : 1 - way],
		                                  .values = ratios + way * n,
		                                  .n = counts[way],
		                                  .low = NAN,
		                                  .high = NAN,
		                                  .median = counts[way] ? median_in_place(space, counts[way]) : NAN};
	}
	*values = ratios;
	return 0;
}
