/* Readings that resemble their neighbours are merged, n at a time, n as small as will do; the means of the groups are then
 * taken as independent: mean ± t·s/√groups (Ferrari 1978; Li et al. 2016, section III-D). That interval is a little
 * short, 90 to 95 % at 95 %, where the merging was stopped by the very readings that it is taken of. */
#include "report/subsessions.h"

#include "base/format.h"
#include "base/memory.h"
#include "stats/autocorrelation.h"
#include "stats/critical.h"
#include "stats/subsession.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void put_found(const struct metric *metric, size_t n, double before, const struct subsession *found,
                      double level, struct buffer *out)
{
	double groups = (double)found->count;
	double half = critical_t(1 - level, groups - 1) * sqrt(found->variance / groups);
	struct format_scale scale = format_scale_for(found->mean, metric->unit);
	char mean[FORMAT_MAX], low[FORMAT_MAX], high[FORMAT_MAX], percent[FORMAT_MAX];
	char left[FORMAT_MAX], had[FORMAT_MAX];
	buffer_printf(out, "  merged      %zu of %zu readings at a time: %zu subsessions, autocorrelation %s\n",
	              found->size, n, found->count, format_fixed(left, sizeof(left), found->autocorrelation, 2));
	if (found->size > 1)
		buffer_printf(out, "              (%s before)\n", format_fixed(had, sizeof(had), before, 2));
	buffer_printf(out, "  mean        %s   %s to %s (%s %%, t over %zu subsessions)\n",
	              format_scaled(mean, sizeof(mean), found->mean, half, &scale),
	              format_scaled(low, sizeof(low), found->mean - half, half, &scale),
	              format_scaled(high, sizeof(high), found->mean + half, half, &scale),
	              format_level(percent, sizeof(percent), level), found->count);
}

static int put_series(const struct metric *metric, const char *title, const double *x, size_t n, double limit,
                      double level, struct buffer *out, struct error *err)
{
	struct subsession found;
	double before;
	enum stats_status status = subsession_find(x, n, limit, &found);
	if (status == STATS_NO_MEMORY || autocorrelation_lag1(x, n, &before) == STATS_NO_MEMORY)
		return error_memory(err);
	buffer_printf(out, "%s%s  %s, subsessions\n", out->length ? "\n" : "", title, metric->name);
	if (status == STATS_OK)
		put_found(metric, n, before, &found, level, out);
	else
		buffer_printf(out,
		              "  %zu readings are too few: however many are merged, fewer than %d groups with an\n"
		              "  autocorrelation of at most %g are left\n",
		              n, SUBSESSION_LEAST, limit);
	return 0;
}

/* Places [*from, *to) of a run without its warm-up; of unit readings its stable phase. */
static void find_kept(const struct measurement *m, size_t run, bool single, size_t *from, size_t *to)
{
	const struct series *series = &m->series;
	size_t start = series->starts[series->depth - 2][run];
	bool phased = m->phases && run < m->phase_count;
	*from = start + (phased ? m->phases[run].from : single ? 0 : measurement_left_out(m, run));
	*to = phased ? start + m->phases[run].to : series->starts[series->depth - 2][run + 1];
}

static int put_metric(const struct subject *subject, const struct measurement *m, double limit, double level,
                      struct buffer *out, struct error *err)
{
	const struct series *series = &m->series;
	size_t runs = series->groups[series->depth - 2], count = 0;
	bool single = series->n == runs; /* the runs are the readings */
	double *kept = mem_alloc(series->n, sizeof(*kept));
	int status = kept ? 0 : error_memory(err);
	for (size_t run = 0; run < runs && status == 0; run++) {
		size_t from, to;
		char title[300];
		find_kept(m, run, single, &from, &to);
		for (size_t i = from; i < to; i++)
			if (isfinite(series->values[i]))
				kept[count++] = series->values[i];
		if (single && run + 1 < runs)
			continue;
		snprintf(title, sizeof(title), runs > 1 && !single ? "%.250s, run %zu" : "%.250s", subject_title(subject),
		         run + 1);
		status = put_series(&m->metric, title, kept, count, limit, level, out, err);
		count = 0;
	}
	mem_free(kept);
	return status;
}

/* The metric itself, or its unit readings. */
static bool is_of(const struct metric *metric, const char *name)
{
	size_t length = strlen(name);
	return strncmp(metric->name, name, length) == 0 &&
	       (metric->name[length] == '\0' || strcmp(metric->name + length, METRIC_UNITS) == 0);
}

int subsessions_text(const struct result *result, const char *metric, double limit, double level, struct buffer *out,
                     struct error *err)
{
	for (size_t s = 0; s < result->subject_count; s++)
		for (size_t m = 0; m < result->subjects[s].metric_count; m++) {
			const struct measurement *one = &result->subjects[s].metrics[m];
			if (one->series.n > 0 && (!metric || is_of(&one->metric, metric)) &&
			    put_metric(&result->subjects[s], one, limit, level, out, err) != 0)
				return -1;
		}
	return 0;
}
