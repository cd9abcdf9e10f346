#include "analysis/analysis.h"

#include "analysis/measurement.h"
#include "analysis/one_process.h"
#include "base/map.h"
#include "model/experiment.h"

#include <math.h>
#include <string.h>

static const char *const looking_names[] = {
	[LOOKED_ONCE] = "once", [LOOKED_FOR_PRECISION] = "precision", [LOOKED_FOR_VERDICT] = "verdict"};

const char *looking_name(enum looking looking)
{
	return looking_names[looking];
}

void analysis_options_init(struct analysis_options *options)
{
	memset(options, 0, sizeof(*options));
	options->confidence_one = 0.95;
	options->confidence = 0.99;
	options->margin = 0.01;
	options->share_margin = NAN;
	options->gate = NAN;
	options->skip = -1;
	options->selection = true;
	options->seed = 1;
}

struct analysis_options analysis_options_of(const struct experiment *experiment)
{
	struct analysis_options options;
	analysis_options_init(&options);
	options.confidence = experiment_confidence(experiment);
	options.confidence_one = experiment_confidence_one(experiment);
	options.margin = experiment->margin;
	options.share_margin = experiment->share_margin;
	options.gate = experiment->gate;
	return options;
}

static bool is_zero_or_one(const struct measurement *m)
{
	for (size_t i = 0; i < m->series.n; i++)
		if (isfinite(m->series.values[i]) && m->series.values[i] != 0 && m->series.values[i] != 1)
			return false;
	return true;
}

/* One allocation here and three there are counts, not runs that all succeeded: a number without a unit is one for all
 * subjects if it is for one. */
static int find_counts(struct result *result, struct error *err)
{
	struct map counts = {0};
	int status = 0;
	for (int pass = 0; status == 0 && pass < 2; pass++)
		for (size_t s = 0; status == 0 && s < result->subject_count; s++)
			for (size_t i = 0; status == 0 && i < result->subjects[s].metric_count; i++) {
				struct measurement *m = &result->subjects[s].metrics[i];
				const char *name = m->metric.name;
				if (m->metric.unit[0] != '\0')
					continue;
				if (pass == 1)
					m->is_count = map_find_text(&counts, name, strlen(name)) != MAP_NONE;
				else if (!is_zero_or_one(m) && map_text(&counts, name, strlen(name)) == MAP_NONE)
					status = error_memory(err);
			}
	map_release(&counts);
	return status;
}

int analyse_subjects(struct result *result, const struct analysis_options *options, struct error *err)
{
	if (result_make_titles(result) != 0)
		return error_memory(err);
	if (find_counts(result, err) != 0)
		return -1;
	for (size_t s = 0; s < result->subject_count; s++) {
		struct subject *subject = &result->subjects[s];
		for (size_t m = 0; m < subject->metric_count; m++) {
			if (one_process_find(result, subject, &subject->metrics[m], err) != 0)
				return -1;
			size_t warnings = result->warning_count;
			if (!metric_counts_iterations(&subject->metrics[m].metric) &&
			    analyse_measurement(result, subject, &subject->metrics[m], options, err) != 0)
				return -1;
			/* What is strange about a mean that says nothing is no news. */
			if (subject_is_over_work(subject, &subject->metrics[m]))
				result_drop_warnings(result, warnings);
		}
	}
	return 0;
}
