#include "cli/gate.h"

#include "cli/measure_options.h"
#include "cli/message.h"
#include "report/text_width.h"
#include "report/words.h"

#include <math.h>
#include <string.h>

/* Broken is worse than open, open worse than held; among equals the one that moved furthest the wrong way. */
static int badness(const struct comparison *c)
{
	return c->gate == GATE_STATE_BROKEN ? 2 : c->gate == GATE_STATE_HELD ? 0 : 1;
}

static double worse_ratio(const struct result *result, const struct comparison *c)
{
	const struct measurement *m = subject_find_metric(&result->subjects[c->base], c->metric);
	if (isnan(c->ratio))
		return 0;
	return m && m->metric.better == BETTER_HIGHER ? 1 / c->ratio : c->ratio;
}

static const struct comparison *worst(const struct result *result)
{
	const struct comparison *found = NULL;
	for (size_t i = 0; i < result->comparison_count; i++) {
		const struct comparison *c = &result->comparisons[i];
		if (!found || badness(c) > badness(found) ||
		    (badness(c) == badness(found) && worse_ratio(result, c) > worse_ratio(result, found)))
			found = c;
	}
	return found;
}

static void print_line(const struct buffer *line, bool to_stderr)
{
	struct error err;
	if (to_stderr)
		message_print_error_stream(line, &err);
	else
		message_print(line, &err);
}

/* The gate that would hold but for what vanished: says so, and the line is that of the first that did. */
static int stay_open(const struct result *result, double level, bool to_stderr)
{
	const char *first = NULL;
	struct buffer line = {0};
	size_t count = 0;
	for (size_t i = 0; i < result->warning_count; i++) {
		const struct warning *warning = &result->warnings[i];
		if (strcmp(warning->code, "only-old") != 0 || !warning->about)
			continue;
		first = first ? first : warning->about;
		count++;
	}
	buffer_text_add(&line, "the gate stays open: ");
	text_clean(&line, first ? first : "a benchmark of the old data", TEXT_UNICODE);
	if (count > 1)
		buffer_printf(&line, " and %zu more are", count - 1);
	buffer_printf(&line, "%s missing in the new data; --allow-missing of compare and bench lets it hold\n",
	              count > 1 ? "" : " is");
	words_gate_line("undecided", NAN, NULL, level, first, &line);
	print_line(&line, to_stderr);
	buffer_release(&line);
	return 4;
}

int gate_finish(const struct result *result, bool missing, bool to_stderr)
{
	const struct comparison *c = worst(result);
	struct buffer line = {0};
	double level = c && !isnan(c->confidence) ? c->confidence : c && !isnan(c->ci.level) ? c->ci.level : 0.99;
	if (missing && c && badness(c) == 0)
		return stay_open(result, level, to_stderr);
	const struct subject *subject = c && result->comparison_count > 1 ? &result->subjects[c->new_] : NULL;
	const char *name = !subject                                ? NULL
	                   : subject->letter && subject->benchmark ? subject->benchmark
	                                                           : subject_title(subject);
	words_gate_line(c ? verdict_name(c->verdict) : "undecided", c ? c->ratio : NAN, c ? &c->ci : NULL, level, name,
	                &line);
	print_line(&line, to_stderr);
	buffer_release(&line);
	return !c || badness(c) == 1 ? 4 : badness(c) == 2 ? 3 : 0;
}

int gate_failed(double gate, const char *confidence, int code, const struct error *err, bool to_stderr)
{
	struct error ignored;
	double level = 0.99;
	if (isnan(gate))
		return code;
	if (confidence && measure_parse_confidence(confidence, &level, &ignored) != 0)
		level = 0.99;
	struct buffer line = {0};
	words_gate_line(err->kind == ERROR_INTERRUPTED ? "interrupted" : "failed", NAN, NULL, level, NULL, &line);
	print_line(&line, to_stderr);
	buffer_release(&line);
	return code;
}
