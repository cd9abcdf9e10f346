/* What the gate says: a sentence for people, the last line for programs. */
#include "report/words.h"

#include "base/format.h"
#include "report/table.h"
#include "report/text_width.h"

#include <math.h>
#include <string.h>

static const char *const gate_states[] = {"stays open", "stays open", "is broken", "held", "failed"};

static bool is_by_typical(const struct comparison *c)
{
	return c->gated->ci.method && strcmp(c->gated->ci.method, "typical") == 0;
}

/* The interval turned so that above 1 is worse. */
static void turn(const struct result *result, const struct comparison *c, const struct confidence *ci, double *low,
                 double *high)
{
	const struct measurement *m = subject_find_metric(&result->subjects[c->base], c->metric);
	bool higher = m && m->metric.better == BETTER_HIGHER;
	*low = higher ? 1 / ci->high : ci->low;
	*high = higher ? 1 / ci->low : ci->high;
}

/* Why it is open although the interval lies beyond the limit, or whatever it says. */
static void add_doubt(const struct result *result, const struct comparison *c, struct buffer *out)
{
	double low, high;
	turn(result, c, &c->gated->ci, &low, &high);
	if (c->units == 1 && c->unresolved)
		buffer_printf(out, "; %s", c->unresolved);
	else if (low > 1 + c->gated->limit && result->comparison_count > 1)
		buffer_printf(out, ", which is not certain enough among %zu comparisons", result->comparison_count);
	else if (low > 1 + c->gated->limit)
		buffer_text_add(out, ", which is not certain enough");
}

/* The usual run held it, and the total may be worse: ratio of it, or nothing. */
static bool is_total_open(const struct result *result, const struct comparison *c)
{
	double low, high;
	const struct confidence *total = &comparison_total(c)->ci;
	if (c->gate != GATE_HELD || !is_by_typical(c) || (isnan(total->low) && !total->unbounded))
		return false;
	turn(result, c, total, &low, &high);
	return total->unbounded || high > 1 + c->gated->limit;
}

static void add_open_total(const struct result *result, const struct comparison *c, struct buffer *out)
{
	if (!is_total_open(result, c))
		return;
	buffer_text_add(out, "; the total may be worse by more: ");
	words_change_interval(&comparison_total(c)->ci, out);
}

/* ": typical [-0.1 %, +10.0 %] at 98 %"; for an open gate also how long a decision would take. */
static void add_gate_interval(const struct result *result, const struct comparison *c, struct buffer *out)
{
	char level[FORMAT_MAX];
	if (!isnan(c->gated->ci.low) && !c->gated->ci.unbounded) {
		/* Whatever the method: without medians of pairs it is the ratio of the totals. */
		buffer_printf(out, ": %s ", is_by_typical(c) ? "typical" : "total");
		/* Printed even if it is very wide, because it decided. */
		if (c->gate == GATE_OPEN)
			words_change_interval(&c->gated->ci, out);
		else
			words_ends(&c->gated->ci, out);
		buffer_printf(out, " at %s %%", format_level(level, sizeof(level), c->gated->ci.level));
	}
	if (c->gate == GATE_OPEN)
		add_doubt(result, c, out);
	add_open_total(result, c, out);
	if (c->gate == GATE_OPEN && isfinite(c->more_time))
		words_more_time(c, "; ", out);
}

void words_gate_of(const struct result *result, const struct comparison *c, struct buffer *out)
{
	char limit[FORMAT_MAX];
	if (c->gate == GATE_NONE)
		return;
	buffer_printf(out, "the gate of %s %% %s", format_level(limit, sizeof(limit), c->gated->limit),
	              gate_states[c->gate]);
	if (c->gate_why)
		buffer_printf(out, ": %s", c->gate_why);
	else
		add_gate_interval(result, c, out);
}

/* "; the total of 2 of 20 may be worse by more". */
static void add_open_totals(const struct result *result, struct buffer *out)
{
	size_t open = 0;
	for (size_t i = 0; i < result->comparison_count; i++)
		open += is_total_open(result, &result->comparisons[i]);
	if (open > 0)
		buffer_printf(out, "; the total of %zu of %zu may be worse by more", open, result->comparison_count);
}

static const struct comparison *only_comparison(const struct result *result)
{
	return result->comparison_count == 1 ? &result->comparisons[0] : NULL;
}

void words_gate(const struct result *result, struct buffer *out)
{
	const struct gate_result *gate = &result->gate;
	const struct comparison *only = only_comparison(result);
	char limit[FORMAT_MAX];
	if (isnan(gate->limit))
		return;
	buffer_printf(out, "the gate of %s %% %s", format_level(limit, sizeof(limit), gate->limit),
	              gate_states[gate->state]);
	if (gate->state != GATE_HELD) {
		buffer_text_add(out, ": ");
		words_gate_reason(result, out);
	} else if (only && !gate->why) {
		add_gate_interval(result, only, out);
	} else if (!only) {
		add_open_totals(result, out);
	}
}

void words_gate_reason(const struct result *result, struct buffer *out)
{
	const struct gate_result *gate = &result->gate;
	const struct comparison *worst = gate->worst < result->comparison_count ? &result->comparisons[gate->worst]
	                                                                        : only_comparison(result);
	text_clean(out, gate->why ? gate->why : gate->about ? gate->about : "", TEXT_UNICODE);
	if (!gate->why)
		buffer_text_add(out, gate->state == GATE_BROKEN ? " is worse by more" : " may be worse by more");
	if (!gate->why && worst && gate->state != GATE_FAILED)
		add_gate_interval(result, worst, out);
}

void words_gate_markdown(const struct result *result, struct buffer *out)
{
	struct buffer words = {0};
	words_gate(result, &words);
	if (words.length > 0) {
		buffer_text_add(out, "\n**");
		markdown_escape(out, buffer_text(&words));
		buffer_text_add(out, "**\n");
	}
	out->out_of_memory |= words.out_of_memory;
	buffer_release(&words);
}

static const char *gate_word(const struct gate_result *gate, const struct comparison *worst)
{
	return gate->interrupted            ? "interrupted"
	       : gate->state == GATE_FAILED ? "failed"
	                                    : verdict_name(worst ? worst->verdict : VERDICT_UNDECIDED);
}

static const char *gate_subject(const struct result *result, const struct comparison *worst)
{
	if (!worst)
		return result->gate.about;
	if (result->comparison_count < 2)
		return NULL;
	const struct subject *subject = &result->subjects[worst->new_];
	return subject->side != NO_SIDE && subject->benchmark ? subject->benchmark : subject_title(subject);
}

/* The estimate that the interval belongs to. */
static double gate_ratio(const struct comparison *c, const struct confidence *by)
{
	bool total = by == &c->gated->ci && by->method && strcmp(by->method, "total") == 0;
	return total && isfinite(comparison_total(c)->ratio) ? comparison_total(c)->ratio : c->ratio;
}

void words_gate_line(const struct result *result, double level, struct buffer *out)
{
	char a[FORMAT_MAX] = "-", b[FORMAT_MAX] = "-", c[FORMAT_MAX] = "-", d[FORMAT_MAX], limit[FORMAT_MAX];
	const struct gate_result *gate = &result->gate;
	const struct comparison *worst = gate->worst < result->comparison_count ? &result->comparisons[gate->worst] : NULL;
	const char *name = gate_subject(result, worst);
	/* If runs failed, the numbers describe only those that did not. */
	bool known = worst && gate->state != GATE_FAILED;
	/* The gate's own interval: that of the verdict may be at another level, and would contradict it. */
	const struct confidence *by = worst && !isnan(worst->gated->limit) ? &worst->gated->ci : worst ? &worst->ci : NULL;
	double ratio = known ? gate_ratio(worst, by) : NAN;
	if (isfinite(ratio))
		format_fixed(a, sizeof(a), ratio, 4);
	if (known && isfinite(by->low) && !by->unbounded) {
		format_fixed(b, sizeof(b), fmax(by->low, 0),
		             4); /* the interval of a method may reach below 0, a ratio cannot */
		format_fixed(c, sizeof(c), by->high, 4);
	}
	/* The level that was asked for; intervals of a selection have a higher one. */
	if (worst && !isnan(worst->confidence))
		level = worst->confidence;
	else if (worst && !isnan(worst->ci.level))
		level = worst->ci.level;
	buffer_printf(out, "verdict: %s ratio=%s low=%s high=%s confidence=%s gate=%s limit=%s%%", gate_word(gate, worst),
	              a, b, c, format_level(d, sizeof(d), level), gate_name(gate->state),
	              format_level(limit, sizeof(limit), gate->limit));
	if (name) {
		buffer_text_add(out, " name=");
		text_clean(out, name, TEXT_UNICODE);
	}
	buffer_char(out, '\n');
}
