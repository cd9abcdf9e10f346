#include "cli/live.h"

#include "base/buffer.h"
#include "base/format.h"
#include "cli/output.h"
#include "model/result.h"
#include "report/text_width.h"

#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { HEADING = 12 }; /* columns of the left column */

/* Keys come one by one and are not shown; signals by keys stay. */
static void change_keyboard(struct live *live)
{
	struct termios now;
	if (tcgetattr(STDIN_FILENO, &live->before) != 0)
		return;
	now = live->before;
	now.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	now.c_cc[VMIN] = 0;
	now.c_cc[VTIME] = 0;
	live->raw = tcsetattr(STDIN_FILENO, TCSANOW, &now) == 0;
}

void live_begin(struct live *live, struct progress *progress, const char *title, bool wanted)
{
	*live = (struct live){.plain = progress, .title = title};
	live->on = wanted && progress->terminal && !progress->none && isatty(STDIN_FILENO);
	if (live->on)
		change_keyboard(live);
}

/* To the first line of what is shown, which is gone then. */
static void clear(struct live *live)
{
	if (live->lines > 0)
		fprintf(stderr, "\r\x1b[%zuA\x1b[J", live->lines);
	live->lines = 0;
}

void live_end(struct live *live)
{
	if (!live->on)
		return;
	clear(live);
	fflush(stderr);
	if (live->raw)
		tcsetattr(STDIN_FILENO, TCSANOW, &live->before);
	live->on = live->raw = false;
}

static void read_keys(struct live *live)
{
	struct pollfd keys = {STDIN_FILENO, POLLIN, 0};
	char key;
	while (live->raw && poll(&keys, 1, 0) > 0 && (keys.revents & POLLIN) && read(STDIN_FILENO, &key, 1) == 1)
		live->enough |= key == 'q' || key == 'Q';
}

static void put_line(struct live *live, const char *heading, const char *text)
{
	struct look look = output_look("never", false, true);
	struct buffer line = {0}, shown = {0};
	buffer_printf(&line, "%-*s%s", HEADING, heading, text);
	text_fit(&shown, buffer_text(&line), look_width(&look) - 1, look.charset);
	fprintf(stderr, "%s\x1b[K\n", buffer_text(&shown));
	live->lines++;
	buffer_release(&line);
	buffer_release(&shown);
}

static void remember_phase(struct live *live, const char *phase)
{
	bool same = live->phase_count > 0 && strcmp(live->phases[live->phase_count - 1], phase) == 0;
	if (!same && live->phase_count < LIVE_PHASES)
		snprintf(live->phases[live->phase_count++], sizeof(live->phases[0]), "%s", phase);
}

static void put_phases(struct live *live, const struct session_progress *now)
{
	struct buffer text = {0};
	char a[FORMAT_MAX];
	for (size_t i = 0; i < live->phase_count; i++)
		buffer_printf(&text, "%s%s", i ? " > " : "", live->phases[i]);
	put_line(live, "phase", buffer_text(&text));
	buffer_clear(&text);
	if (now->asked)
		buffer_printf(&text, "%zu of %zu benchmarks decided, %zu open, %zu not begun", now->done, now->asked,
		              now->asked - now->done - now->left_out - now->untouched, now->untouched);
	if (now->left_out)
		buffer_printf(&text, ", %zu left out", now->left_out);
	if (now->asked)
		buffer_text_add(&text, "; ");
	size_t rounds = now->pairs ? now->pairs : now->runs;
	buffer_printf(&text, "%zu %s%s", rounds, now->pairs ? "pair" : "run", rounds == 1 ? "" : "s");
	put_line(live, "rounds", buffer_text(&text));
	buffer_clear(&text);
	buffer_text_add(&text, format_duration(a, sizeof(a), (int64_t)(now->elapsed * 1e9)));
	if (isfinite(now->budget))
		buffer_printf(&text, " of %s", format_duration(a, sizeof(a), (int64_t)(now->budget * 1e9)));
	if (isfinite(now->left))
		buffer_printf(&text, ", about %s left", format_duration(a, sizeof(a), (int64_t)(now->left * 1e9)));
	put_line(live, "time", buffer_text(&text));
	buffer_release(&text);
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
static void put_round(struct live *live, const struct session_estimate *now)
{
	struct buffer text = {0};
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
	put_line(live, "last round", buffer_text(&text));
	buffer_release(&text);
}

/* Names come last, and where a line is too long, they are what is cut. */
static void add_name(const struct session_estimate *now, struct buffer *text)
{
	static const char *const between = " against ";
	struct look look = output_look("never", false, true);
	size_t width = look_width(&look), used = HEADING + text_width(buffer_text(text), look.charset) + 3;
	size_t room = width > used ? width - used : 0;
	if (!now->subject)
		return;
	if (now->against)
		room = room > strlen(between) ? (room - strlen(between)) / 2 : 0;
	buffer_text_add(text, "  ");
	text_fit(text, now->subject, room, look.charset);
	if (now->against) {
		buffer_text_add(text, between);
		text_fit(text, now->against, room, look.charset);
	}
}

static void put_one(struct live *live, const struct session_estimate *now)
{
	struct buffer text = {0};
	add_interval(now, &text);
	add_name(now, &text);
	put_line(live, "interval", buffer_text(&text));
	buffer_clear(&text);
	add_target(now, 20, &text);
	put_line(live, "target", buffer_text(&text));
	buffer_release(&text);
}

static const char *word_of(const struct session_estimate *now)
{
	return !now->decided ? "open" : now->verdict != VERDICT_UNDECIDED ? verdict_name(now->verdict) : "decided";
}

/* One line of several, the first of which has a heading. */
static void put_row(struct live *live, const char *heading, const struct session_estimate *now)
{
	struct buffer text = {0};
	add_interval(now, &text);
	if ((now->is_ratio || now->criteria) && isnan(now->target)) {
		buffer_printf(&text, ", %s", word_of(now));
	} else if (!isnan(now->target)) {
		buffer_text_add(&text, ", target ");
		add_target(now, 10, &text);
	}
	add_name(now, &text);
	put_line(live, heading, buffer_text(&text));
	buffer_release(&text);
}

static void put_each(struct live *live, const struct session_progress *now)
{
	for (size_t i = 0; i < now->each_count; i++)
		put_row(live, i == 0 ? "interval" : "", &now->each[i]);
	for (size_t i = 0; i < now->each_count; i++)
		put_round(live, &now->each[i]);
}

/* The other benchmarks of a suite, as many as the terminal has lines for. */
static void put_others(struct live *live, const struct session_progress *now)
{
	enum { MOST = 100, BELOW = 4 }; /* what limits, q, how many more there are, and the line of the cursor */
	struct session_estimate others[MOST];
	size_t lines = output_lines(), used = live->lines + BELOW;
	size_t room = lines <= used ? 0 : lines - used < MOST ? lines - used : MOST;
	size_t count = session_others(now, others, room), shown = count < room ? count : room;
	char text[64];
	for (size_t i = 0; i < shown; i++)
		put_row(live, i == 0 ? "others" : "", &others[i]);
	snprintf(text, sizeof(text), "and %zu more", count - shown);
	if (shown > 0 && count > shown)
		put_line(live, "", text);
}

static void put_limits(struct live *live, const struct session_progress *now)
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
	put_line(live, "limited by", text);
}

void live_update(void *context, const struct session_progress *now)
{
	struct live *live = context;
	if (!live->on) {
		progress_update(live->plain, now);
		return;
	}
	read_keys(live);
	remember_phase(live, now->phase);
	if (live->lines > 0 && now->elapsed - live->last < 0.1)
		return;
	live->last = now->elapsed;
	clear(live);
	put_line(live, "measured", live->title);
	put_phases(live, now);
	if (now->each_count > 0)
		put_each(live, now);
	else
		put_one(live, &now->most);
	put_others(live, now);
	put_limits(live, now);
	put_line(live, "", live->enough ? "stops after this round" : "q stops here and keeps the result");
	fflush(stderr);
}

void live_note(void *context, const char *text)
{
	struct live *live = context;
	if (live->on)
		clear(live);
	progress_note(live->plain, text);
}

bool live_enough(void *context)
{
	struct live *live = context;
	if (live->on)
		read_keys(live);
	return live->enough;
}
