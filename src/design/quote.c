#include "design/quote.h"

#include "base/format.h"
#include "base/scoped.h"
#include "design/outlook.h"

#include <math.h>
#include <string.h>

static const double most_seconds = 3600;

/* The calibration with this very command, else the CPU-bound program's. */
static const struct calibration_program *nearest_program(const struct calibration *calibration,
                                                         const struct experiment *e)
{
	const char *command = e->subjects[e->reference].command;
	for (size_t i = 0; command && i < calibration->program_count; i++)
		if (calibration->programs[i].command && strcmp(calibration->programs[i].command, command) == 0)
			return &calibration->programs[i];
	return calibration_find(calibration, "cpu");
}

static const struct calibration_design *nearest_design(const struct calibration_program *program, const char *name)
{
	const struct calibration_design *design = calibration_find_design(program, name);
	return design ? design : calibration_find_design(program, program->best);
}

struct wish {
	const char *what; /* "a precision", … */
	double width;
	enum outlook_kind kind;
};

static bool wish_of(const struct experiment *e, struct wish *out)
{
	if (e->stop == STOP_PRECISION)
		*out = (struct wish){"a precision", e->precision, OUTLOOK_PRECISION};
	else if ((e->stop == STOP_AUTO || e->stop == STOP_VERDICT) && !isnan(e->gate))
		*out = (struct wish){"a gate", e->gate, OUTLOOK_SAME};
	else if (e->stop == STOP_AUTO || e->stop == STOP_VERDICT)
		*out = (struct wish){"a margin", e->margin, OUTLOOK_SAME};
	else
		return false;
	return out->width > 0;
}

/* "; about 3 min would do" */
static void add_advice(struct buffer *out, double seconds)
{
	char time[FORMAT_MAX];
	if (isinf(seconds))
		buffer_text_add(out, "; an hour would not do");
	else
		buffer_printf(out, "; about %s would do", format_duration(time, sizeof(time), (int64_t)(seconds * 1e9)));
}

const char *quote_reach(const struct calibration *calibration, const struct experiment *e, struct result *result)
{
	const struct calibration_program *program = e->subject_count > 1 ? nearest_program(calibration, e) : NULL;
	const struct calibration_design *design = program ? nearest_design(program, e->design) : NULL;
	double alpha = isnan(e->confidence) ? 0.01 : 1 - e->confidence,
		   budget = e->max_time ? (double)e->max_time / 1e9 : 60;
	char wanted[FORMAT_MAX], reached[FORMAT_MAX], time[FORMAT_MAX];
	SCOPED(buffer) struct buffer text = {0};
	struct wish wish;
	if (!design || e->runs > 0 || !wish_of(e, &wish))
		return NULL;
	double width = outlook_half_width(design, budget, alpha, wish.kind);
	double needed = outlook_seconds(design, wish.width, alpha, wish.kind, budget, most_seconds);
	/* How many pairs the time holds is known of this very command alone. */
	bool too_short = isnan(width) && program->command && isfinite(needed) && needed > budget;
	if (!(width > wish.width) && !too_short)
		return NULL;
	buffer_printf(&text, "%s of %s is out of reach in %s: ", wish.what,
	              format_percent(wanted, sizeof(wanted), wish.width, wish.width, 0),
	              format_duration(time, sizeof(time), (int64_t)(budget * 1e9)));
	if (too_short)
		buffer_text_add(&text, "too few pairs fit into the time for a verdict (tare calibrate)");
	else
		buffer_printf(&text, "this machine comes to %s with %s in %s (tare calibrate)",
		              format_percent(reached, sizeof(reached), width, width / 2, 0), calibration_kind(program->name),
		              design->name);
	add_advice(&text, needed);
	int failed = result_warn(result, "out-of-reach", "%s", buffer_text(&text));
	return failed ? NULL : result->warnings[result->warning_count - 1].text;
}

int quote_result(const struct calibration *calibration, const struct experiment *e, struct result *result,
                 struct error *err)
{
	struct calibration_quote *quote = &result->calibration;
	const struct calibration_program *program = calibration ? nearest_program(calibration, e) : NULL;
	const struct calibration_design *design = program ? nearest_design(program, result->design.name) : NULL;
	quote->why = calibration ? "the calibration says nothing about this"
	                         : "this machine was not calibrated: tare calibrate does it";
	for (size_t t = calibration_time(10); design && t < CALIBRATION_TIME_COUNT && !isfinite(quote->change); t++) {
		quote->change = design->visible[t];
		quote->seconds = calibration_times[t];
	}
	if (!design || !isfinite(quote->change))
		return 0;
	quote->program = arena_strdup(&result->arena, program->name);
	quote->design = arena_strdup(&result->arena, design->name);
	quote->made = arena_strdup(&result->arena, program->made ? program->made : "");
	return quote->program && quote->design && quote->made ? 0 : error_memory(err);
}
