/* A table with a row for every value, which imports again with all levels and pairs. The metric that decided comes
 * first, for the first that two subjects share is what they are compared by. */
#include "exchange/exporters.h"

#include "base/cell.h"
#include "base/format.h"
#include "base/memory.h"
#include "exchange/judged.h"
#include "exchange/units.h"

#include <math.h>
#include <string.h>

struct csv_out {
	struct exporting *exporting;
	bool programs, better, levels[LEVEL_COUNT], order, paired;
	struct map parameters;
	struct buffer judged; /* for the next row; empty behind the first */
	bool has_judged;
	struct buffer failures; /* of the subject at hand, for its next row */
	bool has_failures;
};

/* Runs that failed one after the other in the same way are told together. */
static void write_failures(const struct result *result, const struct subject *subject, struct buffer *out)
{
	const struct failure *list = subject->failures;
	const char *unfinished = subject->unfinished ? subject->unfinished : result_unfinished(result);
	for (size_t i = 0, same; i < subject->failure_count; i += same) {
		for (same = 1; i + same < subject->failure_count && strcmp(list[i].what, list[i + same].what) == 0;)
			same++;
		buffer_printf(out, "%s%zu ", i ? "; " : "", same);
		for (const char *at = list[i].what; *at; at++)
			buffer_char(out, *at == ';' ? ',' : *at);
	}
	if (unfinished)
		buffer_printf(out, "%ssession %s", out->length ? "; " : "", unfinished);
}

static int survey(struct csv_out *csv)
{
	const struct result *result = csv->exporting->result;
	csv->paired = result->design.paired;
	csv->order = csv->paired && result->design.order;
	for (size_t s = 0; s < result->subject_count; s++) {
		const struct subject *subject = &result->subjects[s];
		csv->programs |= subject->benchmark || subject->program;
		write_failures(result, subject, &csv->failures);
		csv->has_failures |= csv->failures.length > 0;
		buffer_clear(&csv->failures);
		for (size_t p = 0; p < subject->parameter_count; p++) {
			const char *name = subject->parameters[p].name;
			if (map_text(&csv->parameters, name, strlen(name)) == MAP_NONE)
				return error_memory(csv->exporting->err);
		}
		for (size_t m = 0; m < subject->metric_count; m++) {
			const struct measurement *metric = &subject->metrics[m];
			csv->order |= csv->paired && metric->order;
			csv->better |= metric->metric.better != units_better(metric->metric.name, metric->metric.unit);
			for (unsigned k = 0; k < metric->series.depth; k++)
				csv->levels[metric->series.levels[k]] = true;
		}
	}
	return 0;
}

static void put_header(const struct csv_out *csv)
{
	struct buffer *out = csv->exporting->out;
	buffer_text_add(out, "subject");
	if (csv->programs)
		buffer_text_add(out, ",benchmark,program");
	for (uint32_t p = 0; p < csv->parameters.count; p++) {
		buffer_char(out, ',');
		struct buffer name = {0};
		buffer_printf(&name, "parameter:%s", csv->parameters.text[p]);
		cell_put(out, buffer_text(&name));
		buffer_release(&name);
	}
	buffer_text_add(out, ",metric,unit");
	if (csv->better)
		buffer_text_add(out, ",better");
	for (int level = LEVEL_MACHINE; level <= LEVEL_ITERATION; level++)
		if (csv->levels[level] || level >= LEVEL_RUN)
			buffer_printf(out, ",%s", level_name((enum level)level));
	if (csv->paired)
		buffer_text_add(out, ",pair");
	if (csv->order)
		buffer_text_add(out, ",order");
	if (csv->has_judged)
		buffer_text_add(out, ",judged");
	if (csv->has_failures)
		buffer_text_add(out, ",failures");
	buffer_text_add(out, ",value\n");
}

/* What is the same in every row of a metric. */
static void put_front(const struct csv_out *csv, struct buffer *front, const struct subject *subject,
                      const struct measurement *metric)
{
	buffer_clear(front);
	cell_put(front, subject->name);
	if (csv->programs) {
		buffer_char(front, ',');
		cell_put(front, subject->benchmark ? subject->benchmark : "");
		buffer_char(front, ',');
		cell_put(front, subject->program ? subject->program : "");
	}
	for (uint32_t p = 0; p < csv->parameters.count; p++) {
		buffer_char(front, ',');
		for (size_t i = 0; i < subject->parameter_count; i++) {
			if (strcmp(subject->parameters[i].name, csv->parameters.text[p]) == 0) {
				cell_put(front, subject->parameters[i].value);
				break;
			}
		}
	}
	buffer_char(front, ',');
	cell_put(front, metric->metric.name);
	buffer_char(front, ',');
	cell_put(front, metric->metric.unit);
	if (csv->better)
		buffer_text_add(front, metric->metric.better == BETTER_HIGHER ? ",higher" : ",lower");
}

/* 1-based places of a value: of its machine, its build in it, and so on. */
struct places {
	size_t of[LEVEL_COUNT];
	size_t run; /* from 0, over all groups around it */
};

static void put_order(const struct csv_out *csv, const struct measurement *m, const struct places *places, size_t index)
{
	const struct design_info *design = &csv->exporting->result->design;
	bool own = m->order && !design->order_of_runs;
	const char **order = own ? m->order : design->order;
	size_t entry = design->order_of_runs ? places->run : index;
	buffer_char(csv->exporting->out, ',');
	cell_put(csv->exporting->out, entry < (own ? m->order_count : design->order_count) ? order[entry] : "");
}

static void put_row(struct csv_out *csv, const struct buffer *front, const struct measurement *m,
                    const struct places *places, size_t index)
{
	struct buffer *out = csv->exporting->out;
	double value = m->series.values[index];
	char number[FORMAT_MAX];
	buffer_add(out, buffer_text(front), front->length);
	for (int level = LEVEL_MACHINE; level <= LEVEL_ITERATION; level++)
		if (csv->levels[level] || level >= LEVEL_RUN)
			buffer_printf(out, ",%zu", places->of[level]);
	/* What is no pair must not become one by its place. */
	if (csv->paired && m->pair_set > 0)
		buffer_printf(out, ",%u-%zu", m->pair_set, index + 1);
	else if (csv->paired)
		buffer_printf(out, ",%zu", index + 1);
	if (csv->order)
		put_order(csv, m, places, index);
	if (csv->has_judged) {
		buffer_char(out, ',');
		cell_put(out, buffer_text(&csv->judged));
		buffer_clear(&csv->judged);
	}
	if (csv->has_failures) {
		buffer_char(out, ',');
		cell_put(out, buffer_text(&csv->failures));
		buffer_clear(&csv->failures);
	}
	buffer_char(out, ',');
	if (isfinite(value))
		buffer_text_add(out, format_exact(number, sizeof(number), value));
	buffer_char(out, '\n');
}

/* All values below group g of level k. */
static void put_group(struct csv_out *csv, const struct buffer *front, const struct measurement *m, unsigned k,
                      size_t from, size_t to, struct places *places)
{
	const struct series *series = &m->series;
	size_t *place = &places->of[series->levels[k]];
	for (size_t i = from; i < to; i++) {
		/* Invocations have no column: they go on counting as iterations of the run. */
		if (series->levels[k] == LEVEL_INVOCATION)
			places->of[LEVEL_ITERATION]++;
		else if (!(series->levels[k] == LEVEL_ITERATION && k + 1 < series->depth))
			*place = i - from + 1;
		if (k + 2 == series->depth)
			places->run = i;
		if (k + 1 == series->depth)
			put_row(csv, front, m, places, i);
		else
			put_group(csv, front, m, k + 1, series->starts[k][i], series->starts[k][i + 1], places);
		if (series->levels[k] == LEVEL_RUN)
			places->of[LEVEL_ITERATION] = 0;
	}
}

/* Its rows, unless every value was lost. */
static void put_metric(struct csv_out *csv, struct buffer *front, const struct subject *subject,
                       const struct measurement *m)
{
	const struct series *series = &m->series;
	struct places places = {.of = {1, 1, 1, 0, 0}};
	for (size_t i = 0; i < series->n; i++) {
		if (!isfinite(series->values[i]))
			continue;
		put_front(csv, front, subject, m);
		put_group(csv, front, m, 0, 0, series->groups[0], &places);
		return;
	}
}

int export_csv(struct exporting *exporting)
{
	const struct result *result = exporting->result;
	struct csv_out csv = {.exporting = exporting};
	struct buffer front = {0};
	int status = survey(&csv);
	if (csv.levels[LEVEL_INVOCATION])
		export_note(exporting, "invocations are written as iterations of their run");
	judged_write(result, &csv.judged);
	csv.has_judged = csv.judged.length > 0;
	if (status == 0)
		put_header(&csv);
	const char **judged = judged_metrics(result);
	if (!judged)
		status = error_memory(exporting->err);
	for (size_t s = 0; status == 0 && s < result->subject_count; s++) {
		const struct subject *subject = &result->subjects[s];
		const char *first = judged[s];
		buffer_clear(&csv.failures);
		write_failures(result, subject, &csv.failures);
		for (size_t m = 0; first && m < subject->metric_count; m++)
			if (strcmp(subject->metrics[m].metric.name, first) == 0)
				put_metric(&csv, &front, subject, &subject->metrics[m]);
		for (size_t m = 0; m < subject->metric_count; m++)
			if (!first || strcmp(subject->metrics[m].metric.name, first) != 0)
				put_metric(&csv, &front, subject, &subject->metrics[m]);
	}
	if (status == 0 && (front.out_of_memory || csv.judged.out_of_memory || csv.failures.out_of_memory))
		status = error_memory(exporting->err);
	mem_free(judged);
	buffer_release(&front);
	buffer_release(&csv.judged);
	buffer_release(&csv.failures);
	map_release(&csv.parameters);
	return status;
}
