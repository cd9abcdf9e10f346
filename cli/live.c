#include "cli/progress.h"

#include "base/buffer.h"
#include "cli/output.h"
#include "base/scoped.h"
#include "report/progress_text.h"
#include "report/text_width.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
	/* In the background it would be stopped for changing the terminal. */
	live->on = wanted && progress->terminal && !progress->none && tcgetpgrp(STDIN_FILENO) == getpgrp();
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

/* Lines that are too long for the terminal are cut. */
static void show(struct live *live, const struct buffer *text, const struct look *look)
{
	SCOPED(buffer) struct buffer line = {0}, shown = {0};
	for (const char *at = buffer_text(text); *at; live->lines++) {
		size_t length = strcspn(at, "\n");
		buffer_clear(&line);
		buffer_clear(&shown);
		buffer_add(&line, at, length);
		text_fit(&shown, buffer_text(&line), look_width(look) - 1, look->charset);
		fprintf(stderr, "%s\x1b[K\n", buffer_text(&shown));
		at += length + (at[length] == '\n');
	}
}

static void remember_phase(struct live *live, const char *phase)
{
	bool same = live->phase_count > 0 && strcmp(live->phases[live->phase_count - 1], phase) == 0;
	if (!same && live->phase_count < LIVE_PHASES)
		snprintf(live->phases[live->phase_count++], sizeof(live->phases[0]), "%s", phase);
}

static void add_phases(const struct live *live, struct buffer *out)
{
	SCOPED(buffer) struct buffer text = {0};
	for (size_t i = 0; i < live->phase_count; i++)
		buffer_printf(&text, "%s%s", i ? " > " : "", live->phases[i]);
	progress_heading(out, "phase", buffer_text(&text));
}

/* The other benchmarks of a suite, as many as the terminal has lines for. */
static void add_others(const struct session_progress *now, const struct look *look, struct buffer *out)
{
	enum { MOST = 100, BELOW = 4 }; /* what limits, q, how many more there are, and the line of the cursor */
	struct session_estimate others[MOST];
	size_t lines = output_lines(), used = BELOW;
	for (const char *c = buffer_text(out); *c; c++)
		used += *c == '\n';
	size_t room = lines <= used ? 0 : lines - used < MOST ? lines - used : MOST;
	size_t count = session_others(now, others, room), shown = count < room ? count : room;
	char text[64];
	for (size_t i = 0; i < shown; i++)
		progress_row(i == 0 ? "others" : "", &others[i], look, out);
	snprintf(text, sizeof(text), "and %zu more", count - shown);
	if (shown > 0 && count > shown)
		progress_heading(out, "", text);
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
	struct look look = output_look("never", live->plain->ascii, true);
	SCOPED(buffer) struct buffer text = {0};
	progress_heading(&text, "measured", live->title);
	add_phases(live, &text);
	progress_state(now, &look, &text);
	add_others(now, &look, &text);
	progress_limits(now, &text);
	progress_heading(&text, "", live->enough ? "stops after this round" : "q stops here and keeps the result");
	show(live, &text, &look);
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
