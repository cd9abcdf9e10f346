#include "report/progress_text.h"

#include "base/format.h"
#include "base/scoped.h"
#include "report/text_width.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { HEADING = 12 /* columns of the left column */, SUBJECT_WIDTH = 8 };

/* "8 pairs", or of one command "8 runs". */
static void add_count(const struct session_progress *now, struct buffer *out)
{
	size_t count = now->pairs ? now->pairs : now->runs;
	buffer_printf(out, "%zu %s%s", count, now->pairs ? "pair" : "run", count == 1 ? "" : "s");
}

/* ---- one line ---- */

static void add_estimate(const struct session_progress *now, const struct look *look, struct buffer *line)
{
	char a[FORMAT_MAX], b[FORMAT_MAX], c[FORMAT_MAX];
	if (isnan(now->most.estimate))
		return;
	double half = (now->most.high - now->most.low) / 2;
	if (now->most.is_ratio) {
		buffer_text_add(line, "  ");
		text_fit(line, now->most.subject, SUBJECT_WIDTH, look->charset);
		buffer_printf(line, " %s", format_percent(a, sizeof(a), now->most.estimate - 1, half, 1));
		if (isfinite(half))
			buffer_printf(line, " [%s, %s]", format_percent(b, sizeof(b), now->most.low - 1, half, 1),
			              format_percent(c, sizeof(c), now->most.high - 1, half, 1));
	} else {
		buffer_printf(line, "  %s%s%s", now->most.subject ? now->most.subject : "", now->most.subject ? " " : "",
		              format_quantity(a, sizeof(a), now->most.estimate, half, now->most.unit));
		if (isfinite(half) && now->most.estimate != 0)
			buffer_printf(
				line, " \xc2\xb1 %s",
				format_percent(b, sizeof(b), half / fabs(now->most.estimate), half / fabs(now->most.estimate) / 10, 0));
	}
}

void progress_line(const struct session_progress *now, const struct look *look, bool whole, struct buffer *line)
{
	char elapsed[FORMAT_MAX], budget[FORMAT_MAX], left[FORMAT_MAX];
	buffer_text_add(line, now->phase);
	if (now->asked) {
		buffer_printf(line, "  %zu of %zu decided", now->done, now->asked);
		if (now->left_out)
			buffer_printf(line, ", %zu left out", now->left_out);
	} else if (now->pairs || now->runs) {
		buffer_text_add(line, "  ");
		add_count(now, line);
	}
	if (now->asked && now->most.subject && isnan(now->most.estimate)) /* an estimate names it */
		buffer_printf(line, "  %s", now->most.subject);
	add_estimate(now, look, line);
	buffer_printf(line, "  %s", format_duration(elapsed, sizeof(elapsed), (int64_t)(now->elapsed * 1e9)));
	if (isfinite(now->budget))
		buffer_printf(line, " of %s", format_duration(budget, sizeof(budget), (int64_t)(now->budget * 1e9)));
	SCOPED(buffer) struct buffer rest = {0};
	if (isfinite(now->left) && now->left >= 1) {
		buffer_printf(&rest, ", about %s ", format_duration(left, sizeof(left), (int64_t)(now->left * 1e9)));
		/* Where the time ends first, that is what is left. */
		if (isnan(now->most.target) || now->left >= now->budget - now->elapsed)
			buffer_text_add(&rest, "left");
		else
			buffer_printf(&rest, "more for \xc2\xb1%s",
			              format_percent(budget, sizeof(budget), now->most.target, now->most.target / 10, 0));
	}
	/* A line that wraps cannot be rewritten; what is left can be told from the time before it. */
	bool fits = text_width(buffer_text(line), look->charset) + rest.length < look_width(look);
	if (fits || whole)
		buffer_text_add(line, buffer_text(&rest));
}

/* ---- several lines ---- */

void progress_heading(struct buffer *out, const char *heading, const char *text)
{
	buffer_printf(out, "%-*s", HEADING, heading);
	text_clean(out, text, TEXT_UNICODE);
	buffer_char(out, '\n');
}

/* What it is at, and how far. */
static void add_rounds(const struct session_progress *now, struct buffer *out)
{
	SCOPED(buffer) struct buffer text = {0};
	char a[FORMAT_MAX];
	if (now->asked)
		buffer_printf(&text, "%zu of %zu benchmarks decided, %zu open, %zu not begun", now->done, now->asked,
		              now->asked - now->done - now->left_out - now->untouched, now->untouched);
	if (now->left_out)
		buffer_printf(&text, ", %zu left out", now->left_out);
	if (now->asked)
		buffer_text_add(&text, "; ");
	add_count(now, &text);
	progress_heading(out, "rounds", buffer_text(&text));
	buffer_clear(&text);
	buffer_text_add(&text, format_duration(a, sizeof(a), (int64_t)(now->elapsed * 1e9)));
	if (isfinite(now->budget))
		buffer_printf(&text, " of %s", format_duration(a, sizeof(a), (int64_t)(now->budget * 1e9)));
	if (isfinite(now->left))
		buffer_printf(&text, ", about %s left", format_duration(a, sizeof(a), (int64_t)(now->left * 1e9)));
	progress_heading(out, "time", buffer_text(&text));
}

static void add_interval(const struct session_estimate *now, struct buffer *text)
{
	char a[FORMAT_MAX], b[FORMAT_MAX], c[FORMAT_MAX];
	double half = (now->high - now->low) / 2, relative = half / fabs(now->estimate);
	if (isnan(now->estimate))
		buffer_text_add(text, "not known yet");
	else if (now->is_ratio && isnan(half))
		buffer_text_add(text, format_percent(a, sizeof(a), now->estimate - 1, 0.01, 1));
	else if (now->is_ratio)
		buffer_printf(text, "%s [%s, %s]", format_percent(a, sizeof(a), now->estimate - 1, half, 1),
		              format_percent(b, sizeof(b), now->low - 1, half, 1),
		              format_percent(c, sizeof(c), now->high - 1, half, 1));
	else if (isnan(half))
		buffer_text_add(text, format_quantity(a, sizeof(a), now->estimate, fabs(now->estimate) / 100, now->unit));
	else
		buffer_printf(text, "%s \xc2\xb1 %s", format_quantity(a, sizeof(a), now->estimate, half, now->unit),
		              format_percent(b, sizeof(b), relative, relative / 10, 0));
}

/* How near the half-width is to its target: full where it has reached it. */
static void add_target(const struct session_estimate *now, int bar, struct buffer *text)
{
	char a[FORMAT_MAX];
	double relative = (now->high - now->low) / 2 / fabs(now->estimate);
	if (isnan(now->target)) {
		buffer_printf(text, "%s%s",
		              now->criteria   ? "stable by "
		              : now->is_ratio ? "a verdict"
		                              : "not known yet",
		              now->criteria ? now->criteria : "");
		return;
	}
	double share = isnan(relative) ? 0 : relative > 0 ? fmin(now->target / relative, 1) : 1;
	buffer_printf(text, "\xc2\xb1 %s  [", format_percent(a, sizeof(a), now->target, now->target / 10, 0));
	for (int i = 0; i < bar; i++)
		buffer_char(text, i < (int)(share * bar) ? '#' : '.');
	buffer_char(text, ']');
}

static void add_share(struct buffer *out, const char *name, size_t part, size_t all)
{
	if (part > 0)
		buffer_printf(out, ", %s %.0f %%", name, 100 * (double)part / (double)all);
}

/* The parts of the last round. */
static void add_round(const struct session_estimate *now, struct buffer *out)
{
	SCOPED(buffer) struct buffer text = {0};
	const struct phase *phase = now->phase;
	if (!phase || now->readings == 0)
		return;
	buffer_printf(&text, "%s: %zu readings", now->subject, now->readings);
	if (phase->to > phase->from) {
		add_share(&text, "set-up", phase->set_up, now->readings);
		add_share(&text, "warm-up", phase->from - phase->set_up, now->readings);
		add_share(&text, "stable", phase->to - phase->from, now->readings);
		add_share(&text, "cool-down", now->readings - phase->to, now->readings);
	} else {
		buffer_text_add(&text, ", none of its phases lasts for more than half of it");
	}
	progress_heading(out, "last round", buffer_text(&text));
}

/* Names come last, and where a line is too long, they are what is cut. */
static void add_name(const struct session_estimate *now, const struct look *look, struct buffer *text)
{
	static const char *const between = " against ";
	size_t width = look_width(look), used = HEADING + text_width(buffer_text(text), look->charset) + 3;
	size_t room = width > used ? width - used : 0;
	if (!now->subject)
		return;
	if (now->against)
		room = room > strlen(between) ? (room - strlen(between)) / 2 : 0;
	buffer_text_add(text, "  ");
	text_fit(text, now->subject, room, look->charset);
	if (now->against) {
		buffer_text_add(text, between);
		text_fit(text, now->against, room, look->charset);
	}
}

static void add_one(const struct session_estimate *now, const struct look *look, struct buffer *out)
{
	SCOPED(buffer) struct buffer text = {0};
	add_interval(now, &text);
	add_name(now, look, &text);
	progress_heading(out, "interval", buffer_text(&text));
	buffer_clear(&text);
	add_target(now, 20, &text);
	progress_heading(out, "target", buffer_text(&text));
}

static const char *word_of(const struct session_estimate *now)
{
	return !now->decided ? "open" : now->verdict != VERDICT_UNDECIDED ? verdict_name(now->verdict) : "decided";
}

void progress_row(const char *heading, const struct session_estimate *now, const struct look *look, struct buffer *out)
{
	SCOPED(buffer) struct buffer text = {0};
	add_interval(now, &text);
	if ((now->is_ratio || now->criteria) && isnan(now->target)) {
		buffer_printf(&text, ", %s", word_of(now));
	} else if (!isnan(now->target)) {
		buffer_text_add(&text, ", target ");
		add_target(now, 10, &text);
	}
	add_name(now, look, &text);
	progress_heading(out, heading, buffer_text(&text));
}

void progress_limits(const struct session_progress *now, struct buffer *out)
{
	char text[200];
	if (isnan(now->used))
		return;
	double waited = isnan(now->waited) ? 0 : now->waited, rest = fmax(1 - now->used - waited, 0);
	bool computes = now->used >= waited && now->used >= rest;
	if (isnan(now->waited)) { /* of several threads or processes the kernel does not say what they wait for */
		snprintf(text, sizeof(text), "%s: %.0f %% running, %.0f %% waiting",
		         computes ? "the CPU" : "waiting, for the CPU or something else", 100 * now->used, 100 * rest);
	} else {
		const char *what = computes ? "the CPU" : waited >= rest ? "others on the CPU" : "something else";
		snprintf(text, sizeof(text), "%s: %.0f %% running, %.0f %% queueing, %.0f %% other waits", what,
		         100 * now->used, 100 * waited, 100 * rest);
	}
	progress_heading(out, "limited by", text);
}

void progress_state(const struct session_progress *now, const struct look *look, struct buffer *out)
{
	add_rounds(now, out);
	if (now->each_count == 0)
		add_one(&now->most, look, out);
	for (size_t i = 0; i < now->each_count; i++)
		progress_row(i == 0 ? "interval" : "", &now->each[i], look, out);
	for (size_t i = 0; i < now->each_count; i++)
		add_round(&now->each[i], out);
}
