#include "cli/reading.h"

#include "base/moment.h"
#include "base/parse.h"
#include "base/pattern.h"
#include "base/text.h"
#include "cli/measure_options.h"
#include "cli/message.h"
#include "cli/stored.h"
#include "design/fit.h"
#include "exchange/import.h"
#include "exchange/merge.h"
#include "model/experiment.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

/* "50" iterations of every run, or "50%" of those that each has. */
static int parse_skip(const char *text, struct analysis_options *analysis, struct error *err)
{
	int64_t count = 0;
	double share = 0;
	if (!strchr(text, '%')) {
		if (parse_integer(text, 0, 1000000000, &count, err) != 0)
			return error_on(err, "--skip");
	} else if (parse_percent(text, &share, err) != 0) {
		return error_on(err, "--skip");
	} else if (!(share >= 0 && share < 1)) {
		return error_full(err, ERROR_USAGE, "--skip", NULL, "must be under 100 per cent");
	}
	analysis->skip = (long)count;
	analysis->skip_share = share;
	return 0;
}

int reading_analysis(const struct reading_options *options, struct analysis_options *analysis, struct error *err)
{
	analysis_options_init(analysis);
	if (options->confidence) {
		if (measure_parse_confidence(options->confidence, &analysis->confidence, err) != 0)
			return -1;
		analysis->confidence_one = analysis->confidence;
	}
	if (!isnan(options->margin))
		analysis->margin = options->margin;
	if (!isnan(options->share_margin))
		analysis->share_margin = options->share_margin;
	analysis->method = options->method;
	if (options->skip && parse_skip(options->skip, analysis, err) != 0)
		return -1;
	analysis->block = (size_t)options->block;
	analysis->seed = options->seed ? (uint64_t)options->seed : 1;
	analysis->deciding = options->metrics.count ? options->metrics.items[0] : NULL;
	for (int state = STEADY_INDEPENDENT; options->state && state <= STEADY_NEVER; state++)
		if (strcmp(steady_name((enum steady_state)state), options->state) == 0)
			analysis->state = (enum steady_state)state;
	return 0;
}

bool reading_wants(const struct reading_options *options, const char *metric)
{
	for (size_t i = 0; i < options->metrics.count; i++)
		if (strcmp(options->metrics.items[i], metric) == 0)
			return true;
	return options->metrics.count == 0;
}

/* Those from this one on. */
static void drop_metrics(struct subject *subject, size_t from)
{
	for (size_t m = from; m < subject->metric_count; m++)
		series_release(&subject->metrics[m].series);
	subject->metric_count = from;
}

/* Subjects keep the metrics that were asked for; none left anywhere is an error that names what there is. */
static int choose_metrics(const struct reading_options *options, struct result *result, struct error *err)
{
	size_t kept = 0;
	SCOPED(buffer) struct buffer present = {0};
	for (size_t s = 0; s < result->subject_count; s++) {
		struct subject *subject = &result->subjects[s];
		size_t left = 0;
		for (size_t m = 0; m < subject->metric_count; m++) {
			if (reading_wants(options, subject->metrics[m].metric.name)) {
				struct measurement keep = subject->metrics[m];
				subject->metrics[m] = subject->metrics[left];
				subject->metrics[left++] = keep;
			} else if (s == 0) {
				buffer_printf(&present, "%s%s", present.length ? ", " : "", subject->metrics[m].metric.name);
			}
		}
		drop_metrics(subject, left);
		kept += left;
	}
	if (kept > 0 || options->metrics.count == 0)
		return 0;
	error_set(err, ERROR_NO_DATA, "there is no metric '%.60s'", options->metrics.items[0]);
	return error_next(err, "there are: %.200s", buffer_text(&present));
}

/* Comparisons of a document, by the new places of its subjects (UINT32_MAX: left out). */
static void move_comparisons(struct result *result, const uint32_t *places)
{
	size_t kept = 0;
	for (size_t i = 0; i < result->comparison_count; i++) {
		struct comparison moved = result->comparisons[i];
		moved.base = places[moved.base];
		moved.new_ = places[moved.new_];
		if (moved.base != UINT32_MAX && moved.new_ != UINT32_MAX)
			result->comparisons[kept++] = moved;
	}
	result->comparison_count = kept;
}

/* The subjects that --filter keeps. Each stays on its side of the pairs; a ranking of all is none of some. */
static int choose_subjects(const char *text, struct result *result, struct error *err)
{
	SCOPED(name_filter) struct name_filter filter = {0};
	if (!text)
		return 0;
	if (name_filter_init(&filter, text, err) != 0)
		return -1;
	size_t count = result->subject_count;
	uint32_t kept = 0, *places = arena_alloc(&result->arena, count + 1, sizeof(*places));
	if (!places)
		return error_memory(err);
	for (size_t s = 0; s < count; s++) {
		int keeps = name_filter_keeps(&filter, result->subjects[s].name);
		if (keeps < 0)
			return error_memory(err);
		places[s] = keeps ? kept++ : UINT32_MAX;
	}
	if (kept == count)
		return 0;
	if (kept == 0) {
		error_full(err, ERROR_NO_DATA, "--filter", NULL, "no name matches '%.100s'", text);
		return error_next(err, "the first one is named '%.100s'", result->subjects[0].name);
	}
	for (size_t s = 0; s < count; s++) {
		result->subjects[s].side = result_side(result, s);
		if (places[s] == UINT32_MAX)
			drop_metrics(&result->subjects[s], 0);
		else
			result->subjects[places[s]] = result->subjects[s];
	}
	result->subject_count = kept;
	result->ranking = NULL;
	move_comparisons(result, places);
	return 0;
}

/* A file, or what is saved under @… in the store. */
static int read_argument(const char *argument, const struct import_options *import, struct result *out,
                         struct error *err)
{
	SCOPED(result) struct result stored = result_empty();
	if (!stored_is_named(argument))
		return import_file(argument, import, out, err);
	return stored_read(argument, &stored, err) == 0 ? merge_results(out, &stored, err) : -1;
}

/* Numbers of a part look like those of the whole. */
static int note_unfinished(struct result *result, struct error *err)
{
	const char *unfinished = result_unfinished(result);
	if (unfinished && result_warn(result, "unfinished", "the session %s: these are the values until then",
	                              unfinished_words(unfinished)) != 0)
		return error_memory(err);
	return 0;
}

static bool waits_for_terminal(const struct text_list *files)
{
	bool standard = files->count == 0;
	for (size_t i = 0; i < files->count; i++)
		standard |= strcmp(files->items[i], "-") == 0;
	return standard && isatty(STDIN_FILENO);
}

int reading_files(const struct reading_options *options, const struct text_list *files, struct pair_names *names,
                  struct result *out, struct error *err)
{
	struct import_options import = {
		.columns = options->columns, .unit = options->unit, .format = options->format, .pair_names = names};
	if (options->better)
		import.better = strcmp(options->better, "higher") == 0 ? IMPORT_BETTER_HIGHER : IMPORT_BETTER_LOWER;
	if (waits_for_terminal(files))
		message_note("reading standard input; Ctrl-D ends it");
	if (files->count == 0 && import_file("-", &import, out, err) != 0)
		return -1;
	for (size_t i = 0; i < files->count; i++) {
		size_t before = out->subject_count;
		if (read_argument(files->items[i], &import, out, err) != 0)
			return -1;
		/* Who comes from a tool that compares what it is given does not expect this. */
		if (files->count == 2 && i == 1 && before > 0 && out->subject_count == before)
			message_note("%s adds runs to those of %s; 'tare compare' compares the two", files->items[1],
			             files->items[0]);
	}
	if (choose_subjects(options->filter, out, err) != 0 || note_unfinished(out, err) != 0)
		return -1;
	return choose_metrics(options, out, err);
}

/* How a result that tare measured was looked at on the way: its intervals stay as wide as that asks for. */
static enum looking looked(const struct result *result)
{
	const char *rule = result->stopped.rule ? result->stopped.rule : "", *design = result->design.name;
	for (int looking = LOOKED_ONCE; result->stopped.looks && looking <= LOOKED_FOR_VERDICT; looking++)
		if (strcmp(looking_name((enum looking)looking), result->stopped.looks) == 0)
			return (enum looking)looking;
	/* An early document does not say it. */
	bool compared = result->comparison_count > 0 || result->design.paired ||
	                (result->subject_count > 1 && !result->subjects[0].benchmark);
	if (strcmp(rule, stop_rule_name(STOP_PRECISION)) == 0)
		return LOOKED_FOR_PRECISION;
	if (strcmp(rule, stop_rule_name(STOP_AUTO)) != 0 && strcmp(rule, stop_rule_name(STOP_VERDICT)) != 0)
		return LOOKED_ONCE;
	return compared && (!design || strcmp(design, design_name(DESIGN_SOLO)) != 0) ? LOOKED_FOR_VERDICT
	                                                                              : LOOKED_FOR_PRECISION;
}

/* A table of tare's has no comparisons; how they were judged is in one of its cells. */
static void judged_in_table(const struct reading_options *options, const struct result *result,
                            struct analysis_options *analysis)
{
	const struct stopped *stopped = &result->stopped;
	if (result->version || !stopped->looks || !result->design.paired)
		return;
	if (!analysis->deciding)
		analysis->deciding = stopped->metric;
	if (!analysis->block)
		analysis->block = stopped->block;
	if (!options->confidence && stopped->alpha > 0)
		analysis->confidence = 1 - stopped->alpha;
	if (isnan(options->margin) && stopped->margin > 0)
		analysis->margin = stopped->margin;
}

void reading_as_measured(const struct reading_options *options, const struct result *result,
                         struct analysis_options *analysis)
{
	const struct comparison *first = result->comparisons;
	bool alike = true;
	analysis->looking = looked(result);
	analysis->weight = result->stopped.weight;
	if (result->comparison_count == 0) {
		judged_in_table(options, result, analysis);
		return;
	}
	for (size_t i = 1; i < result->comparison_count; i++)
		alike &= strcmp(result->comparisons[i].metric, first->metric) == 0;
	if (alike && !analysis->deciding)
		analysis->deciding = first->metric;
	/* One look at so many pairs makes units of its own. */
	if (!analysis->block && analysis->looking != LOOKED_ONCE)
		analysis->block = first->block;
	/* The level asked for: that of an interval among several is higher. */
	if (!options->confidence && result->stopped.alpha > 0)
		analysis->confidence = 1 - result->stopped.alpha;
	else if (!options->confidence && result->comparison_count == 1 && first->ci.level > 0)
		analysis->confidence = first->ci.level;
	if (isnan(options->margin) && first->margin > 0)
		analysis->margin = first->margin;
}

int reading_compare(const struct reading_options *options, struct result *result,
                    const struct analysis_options *analysis, struct error *err)
{
	size_t count = 0, stored = result->comparison_count;
	if (stored > 0 || result->subject_count > 1)
		result->stopped.alpha = 1 - analysis->confidence;
	if (stored == 0 || !analysis->by_benchmark) {
		result->comparison_count = 0;
		return analyse_comparisons(result, analysis, err);
	}
	struct couple *couples = arena_alloc(&result->arena, stored, sizeof(*couples));
	if (!couples)
		return error_memory(err);
	for (size_t i = 0; i < stored; i++) {
		const struct comparison *c = &result->comparisons[i];
		const char *metric = reading_wants(options, c->metric) ? c->metric : NULL;
		bool known = false;
		for (size_t k = 0; k < count && !known; k++)
			known = couples[k].base == c->base && couples[k].new_ == c->new_ && text_same(couples[k].metric, metric);
		if (!known)
			couples[count++] = (struct couple){.base = c->base, .new_ = c->new_, .metric = metric};
	}
	result->comparison_count = 0;
	return analyse_couples(result, couples, count, analysis, err);
}

void reading_drop_comparisons(const struct reading_options *options, struct result *result)
{
	size_t kept = 0;
	for (size_t i = 0; i < result->comparison_count; i++)
		if (reading_wants(options, result->comparisons[i].metric))
			result->comparisons[kept++] = result->comparisons[i];
	result->comparison_count = kept;
}

int reading_describe(struct result *result, int argc, char **argv, uint64_t seed, struct error *err)
{
	char now[MOMENT_TEXT];
	result->version = TARE_VERSION;
	if (!result->started)
		result->started = arena_strdup(&result->arena, moment_text((int64_t)time(NULL) * 1000, now));
	result->argc = (size_t)argc + 1;
	result->argv = arena_alloc(&result->arena, result->argc, sizeof(*result->argv));
	if (!result->started || !result->argv)
		return error_memory(err);
	result->argv[0] = "tare";
	for (int i = 0; i < argc; i++)
		result->argv[i + 1] = argv[i];
	result->seed = seed;
	return 0;
}
