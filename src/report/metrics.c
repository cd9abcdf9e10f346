/* OpenMetrics text: a line for each number, labels in quotes, "# EOF" at the end. */
#include "report/ci_report.h"

#include "base/format.h"
#include "report/markup.h"
#include "report/suite_report.h"

#include <math.h>

static void put_line(struct buffer *out, const char *name, const char *benchmark, const char *metric, const char *unit,
                     double value)
{
	char number[FORMAT_MAX];
	if (!isfinite(value))
		return;
	buffer_printf(out, "%s{benchmark=\"", name);
	markup_label(out, benchmark);
	buffer_text_add(out, "\",metric=\"");
	markup_label(out, metric);
	if (unit) {
		buffer_text_add(out, "\",unit=\"");
		markup_label(out, unit);
	}
	buffer_printf(out, "\"} %s\n", format_exact(number, sizeof(number), value));
}

struct family {
	const char *name, *help;
};

static const struct family ratios[] = {{"tare_ratio", "new over base"},
                                       {"tare_ratio_low", "low end of its interval"},
                                       {"tare_ratio_high", "high end of its interval"}};
static const struct family means[] = {{"tare_mean", "mean of a subject"},
                                      {"tare_mean_low", "low end of its interval"},
                                      {"tare_mean_high", "high end of its interval"}};

/* The lines of a family must stand together. */
static void put_family(struct buffer *out, const struct result *results, size_t count, size_t which, bool of_ratios)
{
	const struct family *family = of_ratios ? &ratios[which] : &means[which];
	buffer_printf(out, "# TYPE %s gauge\n# HELP %s %s\n", family->name, family->name, family->help);
	for (size_t r = 0; r < count; r++) {
		const struct result *result = &results[r];
		for (size_t i = 0; of_ratios && i < result->comparison_count; i++) {
			const struct comparison *c = &result->comparisons[i];
			const double values[] = {c->ratio, c->ci.low, c->ci.high};
			put_line(out, family->name, suite_label(result, c), c->metric, NULL, values[which]);
		}
		for (size_t s = 0; !of_ratios && s < result->subject_count; s++)
			for (size_t m = 0; m < result->subjects[s].metric_count; m++) {
				const struct measurement *one = &result->subjects[s].metrics[m];
				const double values[] = {one->mean, one->ci.low, one->ci.high};
				if (!metric_counts_iterations(&one->metric))
					put_line(out, family->name, subject_title(&result->subjects[s]), one->metric.name, one->metric.unit,
					         values[which]);
			}
	}
}

int metrics_write(const struct result *results, size_t count, struct buffer *out, struct error *err)
{
	for (size_t which = 0; which < 3; which++)
		put_family(out, results, count, which, true);
	for (size_t which = 0; which < 3; which++)
		put_family(out, results, count, which, false);
	buffer_text_add(out, "# EOF\n");
	return buffer_error(out, err);
}
