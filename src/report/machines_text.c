#include "report/machines_text.h"

#include "report/suite_report.h"

#include "base/format.h"
#include "report/text.h"
#include "report/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FOREST_WIDTH = 36, FORESTS_SHOWN = 3, NAME_WIDTH = 16 };

/* A name for people: that of the node, else the first digits of its id, else its number. */
static const char *name_of_machine(const struct result *result, size_t machine, char *room, size_t size)
{
	const struct machine_info *known = machine < result->design.machine_count ? &result->design.machines[machine]
	                                                                          : NULL;
	if (known && known->name && known->name[0])
		return known->name;
	if (known && known->id[0])
		snprintf(room, size, "%.8s", known->id);
	else
		snprintf(room, size, "machine %zu", machine + 1);
	return room;
}

static void add_statement(const char *label, double ratio, const struct confidence *ci, const char *note,
                          struct buffer *out)
{
	buffer_printf(out, "%s: ", label);
	if (isnan(ci->level) && !ci->unbounded) {
		buffer_printf(out, "not known, %s\n", ci->why ? ci->why : "too few machines");
		return;
	}
	if (isnan(ratio))
		words_change_interval(ci, out);
	else
		words_change_with_interval(ratio, ci, out);
	buffer_printf(out, "%s\n", note);
}

static void add_dependence(const struct machines_result *machines, struct buffer *out)
{
	char sd[FORMAT_MAX], low[FORMAT_MAX], high[FORMAT_MAX], p[FORMAT_MAX];
	if (isnan(machines->sd))
		return;
	buffer_printf(out, "%s: machines differ by sd %s (%s to %s, %s %%), F test p %s\n",
	              machines->depends_p < 0.01 ? "the change depends on the machine"
	                                         : "no dependence on the machine is shown",
	              format_percent(sd, sizeof(sd), machines->sd, NAN, 0),
	              format_percent(low, sizeof(low), machines->sd_ci.low, NAN, 0),
	              format_percent(high, sizeof(high), machines->sd_ci.high, NAN, 0), "95",
	              format_p_value(p, sizeof(p), machines->depends_p));
}

void machines_words(const struct result *result, const struct comparison *comparison, struct buffer *out)
{
	const struct machines_result *machines = comparison->machines;
	char name[32];
	if (!machines)
		return;
	bool pool = strcmp(machines->statement, "pool") == 0;
	if (pool)
		add_statement("this pool", comparison->ratio, &machines->pool, "", out);
	add_statement("these machines", comparison->ratio, &machines->these, pool ? "" : "; others may differ", out);
	if (pool)
		add_statement("the next machine", NAN, &machines->next, "", out);
	add_dependence(machines, out);
	if (result->design.strata && strcmp(result->design.strata, "none") == 0)
		buffer_text_add(out, "the machines were not grouped by CPU, as you asked\n");
	for (size_t i = 0; machines->stratum_count > 1 && i < machines->stratum_count; i++) {
		const struct machine_stratum *stratum = &machines->strata[i];
		buffer_printf(out, "%zu × %s: ", stratum->machines, stratum->name);
		words_change_with_interval(stratum->ratio, &stratum->ci, out);
		buffer_char(out, '\n');
	}
	if (machines->odd >= machines->count)
		return;
	buffer_printf(out, "%s differs from the others; without it: ",
	              name_of_machine(result, machines->each[machines->odd].machine, name, sizeof(name)));
	words_change_with_interval(machines->without, &machines->without_ci, out);
	buffer_char(out, '\n');
}

static int by_ratio(const void *a, const void *b)
{
	const struct plot_ratio *x = a, *y = b;
	return (x->ratio > y->ratio) - (x->ratio < y->ratio);
}

struct plot_ratio *machines_forest(const struct result *result, const struct comparison *comparison,
                                   struct arena *arena, size_t *count, size_t *left_out)
{
	const struct machines_result *machines = comparison->machines;
	struct plot_ratio *ratios = arena_alloc(arena, machines->count, sizeof(*ratios));
	*count = machines->count;
	*left_out = 0;
	for (size_t i = 0; ratios && i < machines->count; i++) {
		const struct machine_ratio *one = &machines->each[i];
		char room[32];
		ratios[i] = (struct plot_ratio){
			.name = arena_strdup(arena, name_of_machine(result, one->machine, room, sizeof(room))),
			.ratio = one->ratio,
			.low = one->ci.low,
			.high = one->ci.high,
			.margin = comparison->margin,
			.emphasis = i == machines->odd ? EMPHASIS_WARN : EMPHASIS_NONE,
			.note = i == machines->odd ? "odd" : NULL,
		};
		if (!ratios[i].name)
			return NULL;
	}
	if (!ratios || machines->count <= MACHINES_SHOWN)
		return ratios;
	/* The odd one is the lowest or highest of its kind, and mostly of all. */
	qsort(ratios, machines->count, sizeof(*ratios), by_ratio);
	*left_out = machines->count - MACHINES_SHOWN;
	*count = MACHINES_SHOWN;
	memmove(ratios + MACHINES_SHOWN / 2, ratios + machines->count - MACHINES_SHOWN / 2,
	        MACHINES_SHOWN / 2 * sizeof(*ratios));
	return ratios;
}

static void add_line(const struct plot_ratio *ratio, struct interval range, struct buffer *out)
{
	size_t start = out->length;
	buffer_text_add(out, "  ");
	text_clean(out, ratio->name, TEXT_UNICODE);
	size_t width = text_width(out->data ? out->data + start : "", TEXT_UNICODE);
	buffer_repeat(out, " ", width < NAME_WIDTH ? NAME_WIDTH - width : 1);
	plot_forest_line(ratio, range, FOREST_WIDTH, TEXT_UNICODE, out);
	buffer_text_add(out, "  ");
	words_change(ratio->ratio, ratio->low, ratio->high, out);
	buffer_printf(out, "%s%s\n", ratio->note ? "  " : "", ratio->note ? ratio->note : "");
}

static void add_forest(const struct result *result, const struct comparison *comparison, struct buffer *out)
{
	struct arena arena = {0};
	size_t count, left_out;
	struct plot_ratio *ratios = machines_forest(result, comparison, &arena, &count, &left_out);
	if (!ratios)
		out->out_of_memory = true;
	struct interval range = ratios ? plot_forest_range(ratios, count) : (struct interval){0, 0};
	for (size_t i = 0; ratios && i < count; i++) {
		if (left_out > 0 && i == count / 2)
			buffer_printf(out, "  … %zu more between …\n", left_out);
		add_line(&ratios[i], range, out);
	}
	arena_release(&arena);
}

void machines_text(const struct result *result, const struct comparison *comparison, struct buffer *out)
{
	struct buffer words = {0};
	if (!comparison->machines)
		return;
	machines_words(result, comparison, &words);
	for (char *at = words.data, *end; at && (end = strchr(at, '\n')) != NULL; at = end + 1) {
		*end = '\0';
		buffer_text_add(out, "  ");
		text_wrap(out, at, 2, 4);
	}
	buffer_release(&words);
	add_forest(result, comparison, out);
}

void machines_suite_text(const struct result *result, struct buffer *out)
{
	size_t machines = 0, forests = 0;
	bool pool = true;
	struct buffer words = {0};
	for (size_t i = 0; i < result->comparison_count; i++) {
		const struct machines_result *one = result->comparisons[i].machines;
		if (!one)
			return;
		machines = one->count > machines ? one->count : machines;
		pool &= strcmp(one->statement, "pool") == 0;
	}
	if (machines == 0)
		return;
	buffer_printf(&words, "%zu machines: the intervals are of %s", machines,
	              pool ? "the pool that they come from" : "these machines; others may differ");
	text_wrap(out, buffer_text(&words), 0, 2);
	buffer_release(&words);
	for (size_t i = 0; i < result->comparison_count && forests < FORESTS_SHOWN; i++) {
		const struct comparison *c = &result->comparisons[i];
		if (c->verdict == VERDICT_SAME || c->verdict == VERDICT_UNDECIDED)
			continue;
		forests++;
		text_clean(out, suite_label(result, c), TEXT_UNICODE);
		buffer_char(out, '\n');
		add_forest(result, c, out);
	}
}
