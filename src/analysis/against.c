#include "analysis/against.h"

#include "analysis/across.h"
#include "analysis/matching.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/pattern.h"

#include <string.h>

/* ---- joining ---- */

static bool differ(const char *a, const char *b)
{
	return a && b && strcmp(a, b) != 0;
}

static void check_machines(struct result *to, const struct host_info *a, const struct host_info *b,
                           const struct design_info *design_a, const struct design_info *design_b)
{
	if (differ(a->cpu, b->cpu) || (a->cpus && b->cpus && a->cpus != b->cpus))
		result_warn(to, "machines",
		            "the two were measured on different machines (%s, %s): the difference may come from that",
		            a->cpu ? a->cpu : "?", b->cpu ? b->cpu : "?");
	else if (differ(a->kernel, b->kernel) || differ(a->governor, b->governor))
		result_warn(to, "settings", "kernel or CPU settings differ between the two: the difference may come from that");
	if (differ(design_a->name, design_b->name))
		result_warn(to, "designs", "one was measured in %s, the other in %s", design_a->name, design_b->name);
	else if (design_a->name && strcmp(design_a->name, "duet") == 0)
		result_warn(to, "duet-apart",
		            "both were measured in a duet with something else: the times include that contention");
}

/* What a session decided by stays known of its subjects: that of a comparison, else that of the whole. */
static void drop_comparisons(struct result *result)
{
	const char *usual = result->stopped.metric;
	if (!usual && result->comparison_count > 0 && result->comparisons[0].metric[0])
		usual = result->comparisons[0].metric;
	for (size_t i = 0; i < result->subject_count; i++)
		if (!result->subjects[i].metric)
			result->subjects[i].metric = usual;
	for (size_t i = result->comparison_count; i-- > 0;) {
		const struct comparison *c = &result->comparisons[i];
		if (c->metric[0])
			result->subjects[c->base].metric = result->subjects[c->new_].metric = c->metric;
	}
	result->comparison_count = 0;
}

static int join(struct result *old, struct result *new_, struct error *err)
{
	struct host_info host = new_->host;
	struct design_info design = new_->design, own = old->design;
	struct result *both[] = {old, new_};
	for (int i = 0; i < 2; i++) {
		whole_mark_unfinished(both[i]);
		drop_comparisons(both[i]);
		/* Which of a session's own commands are the same program says nothing of one session against another. */
		if (result_drop_warnings_of(both[i], "same-program") != 0)
			return error_memory(err);
	}
	old->elapsed += new_->elapsed; /* NaN where one is not known */
	if (result_adopt(old, new_) != 0)
		return error_memory(err);
	check_machines(old, &old->host, &host, &old->design, &design);
	old->design.order = own.paired ? NULL : own.order;
	old->design.order_count = own.paired ? 0 : own.order_count;
	return 0;
}

/* ---- comparing ---- */

/* The metric that all couples are compared by: the others are then beside it and give no notes. NULL: there are
 * several. */
static const char *deciding_metric(const struct matching *matching)
{
	const char *metric = matching->couples[0].metric;
	for (size_t i = 1; metric && i < matching->count; i++)
		if (!matching->couples[i].metric || strcmp(matching->couples[i].metric, metric) != 0)
			return NULL;
	return metric;
}

static void name_single(struct result *result, const char *const labels[2])
{
	for (size_t i = 0; i < 2 && result->subject_count == 2; i++)
		if (labels[i])
			result->subjects[i].name = labels[i];
}

static bool any_pairs(const struct result *result)
{
	for (size_t i = 0; i < result->comparison_count; i++)
		if (result->comparisons[i].pairs > 0)
			return true;
	return false;
}

/* The names of the benchmarks that the filter leaves out; the new one of a couple may have any name. */
static int find_left_out(const struct result *result, const struct matching *matching, const char *text,
                         struct map *names, struct error *err)
{
	struct name_filter filter;
	if (!text)
		return 0;
	if (name_filter_init(&filter, text, err) != 0)
		return -1;
	bool *compared = mem_zalloc(result->subject_count, sizeof(*compared));
	int status = compared ? 0 : error_memory(err);
	for (size_t i = 0; i < matching->count && status == 0; i++)
		compared[matching->couples[i].new_] = true;
	for (size_t i = 0; i < result->subject_count && status == 0; i++) {
		const struct subject *subject = &result->subjects[i];
		const char *title = subject_title(subject);
		int keeps = compared[i] ? 1 : name_filter_keeps(&filter, subject->name);
		if (keeps < 0 || (!keeps && (map_text(names, subject->name, strlen(subject->name)) == MAP_NONE ||
		                             map_text(names, title, strlen(title)) == MAP_NONE)))
			status = error_memory(err);
	}
	mem_free(compared);
	name_filter_release(&filter);
	return status;
}

/* How it is judged here, not how the old data stopped: what reads the document judges it again in the same way. */
static void record_judgement(struct result *result, const struct analysis_options *analysis)
{
	struct stopped *stopped = &result->stopped;
	stopped->alpha = 1 - analysis->confidence;
	stopped->weight = analysis->weight;
	if (stopped->rule)
		stopped->looks = looking_name(analysis->looking);
}

static int compare(struct result *result, const struct matching *matching, const struct map *left_out,
                   const struct against_options *options, struct suite *suite, uint32_t *twice, struct error *err)
{
	struct analysis_options analysis = options->analysis;
	if (analyse_across(result, matching->couples, matching->count, twice, err) != 0)
		return -1;
	*twice = UINT32_MAX;
	if (!analysis.deciding)
		analysis.deciding = deciding_metric(matching);
	record_judgement(result, &analysis);
	if (analyse_subjects(result, &analysis, err) != 0 ||
	    analyse_couples(result, matching->couples, matching->count, &analysis, err) != 0)
		return -1;
	if (!any_pairs(result) &&
	    result_warn(result, "apart",
	                "measured at different times: the difference includes what the machine did in between") != 0)
		return error_memory(err);
	suite_of(result, NO_SIDE, suite);
	if (suite->moved_together &&
	    result_warn(result, "suite-moved",
	                "the whole suite moved by about %+.1f %%: that is more often the machine than the code",
	                (suite->common_shift - 1) * 100) != 0)
		return error_memory(err);
	if (left_out->count > 0 && result_drop_warnings_about(result, left_out) != 0)
		return error_memory(err);
	return whole_settle(result, &options->whole, err);
}

int against_compare(struct result *old, struct result *new_, const struct against_options *options, struct suite *suite,
                    uint32_t *twice, struct error *err)
{
	struct matching matching;
	size_t old_count = old->subject_count;
	struct matching_options wanted = {
		.metric = options->analysis.deciding, .filter = options->filter, .by_name = options->by_name};
	*twice = UINT32_MAX;
	if (join(old, new_, err) != 0)
		return -1;
	int status = matching_find(old, old_count, &wanted, &matching, err);
	struct map left_out = {0};
	if (status == 0)
		status = find_left_out(old, &matching, options->filter, &left_out, err);
	/* Only now: a filter asks for the benchmarks' own names. */
	if (status == 0)
		name_single(old, options->labels);
	if (status == 0)
		status = compare(old, &matching, &left_out, options, suite, twice, err);
	map_release(&left_out);
	matching_release(&matching);
	return status;
}
