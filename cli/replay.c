#include "cli/replay.h"

#include "analysis/replay.h"
#include "cli/message.h"
#include "cli/output.h"
#include "exchange/replay_document.h"
#include "report/replay_text.h"

#include <string.h>

void replay_choices_init(struct replay_choices *choices)
{
	struct replay_options defaults;
	replay_options_init(&defaults);
	*choices = (struct replay_choices){.min_warmup = -1,
	                                   .window = (int64_t)defaults.stable.window,
	                                   .max_warmup = (int64_t)defaults.stable.max_warmup,
	                                   .iterations = (int64_t)defaults.stable.iterations,
	                                   .min_runs = -1,
	                                   .max_runs = -1,
	                                   .values = (int64_t)defaults.stable.most_values,
	                                   .precision = defaults.auto_.precision};
}

static int set_options(struct replay_options *options, const struct replay_choices *c, double confidence, uint64_t seed,
                       struct error *err)
{
	replay_options_init(options);
	options->confidence = confidence;
	options->seed = options->stable.seed = seed;
	options->bootstrap = true;
	options->start_cost = options->auto_.start_cost = c->start_cost;
	options->auto_.precision = c->precision;
	struct stable_options *s = &options->stable;
	if (c->variant)
		stop_variant_by_name(c->variant, &s->variant);
	s->window = (size_t)c->window;
	s->min_warmup = c->min_warmup > 0 ? (size_t)c->min_warmup : 0;
	s->max_warmup = (size_t)c->max_warmup;
	s->iterations = (size_t)c->iterations;
	s->warmup_runs = (size_t)c->warmup_runs;
	s->most_values = (size_t)c->values;
	if (c->min_runs > 0)
		s->min_runs = options->auto_.min_runs = (size_t)c->min_runs;
	if (c->max_runs > 0)
		s->max_runs = options->auto_.max_runs = (size_t)c->max_runs;
	if (s->min_warmup > s->max_warmup)
		return error_set(err, ERROR_USAGE, "--min-warmup is more than --max-warmup");
	if (s->min_runs > s->max_runs)
		return error_set(err, ERROR_USAGE, "--min-runs is more than --max-runs");
	return 0;
}

/* The rules of a list, with their names. */
struct rules {
	struct replay_rule *rules;
	const char **names;
	size_t count;
};

static int parse_rules(struct rules *rules, const char *text, const struct replay_options *options, struct arena *arena,
                       struct error *err)
{
	size_t most = 1;
	for (const char *c = text; *c; c++)
		most += *c == ',';
	rules->rules = arena_alloc(arena, most, sizeof(*rules->rules));
	rules->names = arena_alloc(arena, most, sizeof(*rules->names));
	if (!rules->rules || !rules->names)
		return error_memory(err);
	for (;; text++) {
		size_t length = strcspn(text, ",");
		const char *name = arena_strndup(arena, text, length);
		if (!name)
			return error_memory(err);
		if (replay_rule_parse(&rules->rules[rules->count], options, name, err) != 0)
			return error_on(err, "--replay");
		rules->names[rules->count++] = name;
		text += length;
		if (*text == '\0')
			return 0;
	}
}

/* The first metric whose series can be replayed: 0; 1: none. */
static int find_data(const struct subject *subject, struct replay_data *data, struct error *err)
{
	int status = 1;
	for (size_t m = 0; m < subject->metric_count && status == 1; m++)
		if (!metric_counts_iterations(&subject->metrics[m].metric))
			status = replay_data_init(data, &subject->metrics[m].series, REPLAY_LEAST_ITERATIONS, err);
	return status;
}

/* outcomes[rule × subjects + i] of the i-th replayed subject, names of these in `replayed`. */
static int replay_subjects(const struct result *result, const struct rules *rules, const struct replay_options *options,
                           struct replay_outcome *outcomes, const char **replayed, size_t *count, struct error *err)
{
	for (size_t s = 0; s < result->subject_count; s++) {
		struct replay_data data;
		int status = find_data(&result->subjects[s], &data, err);
		if (status == 1)
			continue;
		for (size_t k = 0; k < rules->count && status == 0; k++)
			status = replay_benchmark(&data.view, &rules->rules[k], options,
			                          &outcomes[k * result->subject_count + *count], err);
		replay_data_release(&data);
		if (status != 0)
			return -1;
		replayed[(*count)++] = result->subjects[s].name;
	}
	if (*count > 0)
		return 0;
	return error_full(err, ERROR_NO_DATA, NULL,
	                  "--columns names the columns of runs and iterations, like run=pid,iteration=i",
	                  "nothing to replay: no subject has runs of %d iterations or more", REPLAY_LEAST_ITERATIONS);
}

static int write_form(const char *path, const struct replay_row *rows, size_t count, enum replay_form form,
                      const struct look *look, struct error *err)
{
	SCOPED(buffer) struct buffer text = {0};
	return replay_report(rows, count, true, form, look, &text, err) == 0 ? output_write(path, &text, err) : -1;
}

static int write_all(const struct replay_document *document, size_t all, const struct document_paths *o,
                     const struct look *look, struct error *err)
{
	SCOPED(buffer) struct buffer json = {0}, text = {0};
	const struct replay_row *rows = document->rows;
	replay_document_write(document, &json);
	if ((o->json && output_write(o->json, &json, err) != 0) ||
	    (o->csv && write_form(o->csv, rows, document->rules, REPLAY_CSV, look, err) != 0) ||
	    (o->markdown && write_form(o->markdown, rows, document->rules, REPLAY_MARKDOWN, look, err) != 0))
		return -1;
	if (output_is_stdout(o->json) || output_is_stdout(o->csv) || output_is_stdout(o->markdown))
		return 0;
	buffer_printf(&text, "%zu benchmark%s", document->benchmarks, document->benchmarks == 1 ? "" : "s");
	if (all > document->benchmarks)
		buffer_printf(&text, "; %zu without runs of at least %d iterations left out", all - document->benchmarks,
		              REPLAY_LEAST_ITERATIONS);
	buffer_text_add(&text, "\n\n");
	return message_print(&text, err) == 0 ? write_form("-", rows, document->rules, REPLAY_TEXT, look, err) : -1;
}

int replay_result(const struct result *result, const struct replay_choices *choices, double confidence, uint64_t seed,
                  const struct document_paths *outputs, const struct look *look, struct error *err)
{
	struct replay_options options;
	SCOPED(arena) struct arena arena = {0};
	struct rules rules = {0};
	if (set_options(&options, choices, confidence, seed, err) != 0 ||
	    parse_rules(&rules, choices->rules, &options, &arena, err) != 0)
		return -1;
	struct replay_outcome *outcomes = arena_alloc(&arena, rules.count * result->subject_count, sizeof(*outcomes));
	struct replay_row *rows = arena_alloc(&arena, rules.count, sizeof(*rows));
	const char **names = arena_alloc(&arena, result->subject_count, sizeof(*names));
	if (!outcomes || !rows || !names)
		return error_memory(err);
	struct replay_document document = {.rows = rows,
	                                   .rules = rules.count,
	                                   .outcomes = outcomes,
	                                   .names = names,
	                                   .confidence = confidence,
	                                   .stride = result->subject_count};
	if (replay_subjects(result, &rules, &options, outcomes, names, &document.benchmarks, err) != 0)
		return -1;
	for (size_t k = 0; k < rules.count; k++)
		if (replay_summarise(outcomes + k * result->subject_count, document.benchmarks, rules.names[k], &rows[k]) != 0)
			return error_memory(err);
	return write_all(&document, result->subject_count, outputs, look, err);
}
