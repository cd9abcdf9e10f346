#include "cli/live.h"

#include "base/buffer.h"
#include "base/format.h"
#include "cli/output.h"
#include "report/text_width.h"

#include <math.h>
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
	buffer_printf(&line, "%-12s%s", heading, text);
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
		buffer_printf(&text, "%zu of %zu benchmarks decided; ", now->done, now->asked);
	buffer_printf(&text, "%zu %s", now->pairs ? now->pairs : now->runs, now->pairs ? "pairs" : "runs");
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

/* The half-width, and how near it is to its target: full where it has reached it. */
static void put_interval(struct live *live, const struct session_progress *now)
{
	enum { BAR = 20 };
	struct buffer text = {0};
	char a[FORMAT_MAX], b[FORMAT_MAX], c[FORMAT_MAX];
	double half = (now->high - now->low) / 2, relative = half / fabs(now->estimate);
	if (isnan(now->estimate))
		buffer_text_add(&text, "not known yet");
	else if (now->is_ratio)
		buffer_printf(&text, "%s: %s [%s, %s]", now->subject ? now->subject : "",
		              format_percent(a, sizeof(a), now->estimate - 1, half, 1),
		              format_percent(b, sizeof(b), now->low - 1, half, 1),
		              format_percent(c, sizeof(c), now->high - 1, half, 1));
	else
		buffer_printf(&text, "%s%s%s \xc2\xb1 %s", now->subject ? now->subject : "", now->subject ? ": " : "",
		              format_quantity(a, sizeof(a), now->estimate, half, now->unit),
		              format_percent(b, sizeof(b), relative, relative / 10, 0));
	put_line(live, "interval", buffer_text(&text));
	buffer_clear(&text);
	if (isnan(now->target) || !(relative > 0)) {
		buffer_text_add(&text, now->is_ratio ? "a verdict" : "not known yet");
	} else {
		double share = fmin(now->target / relative, 1);
		buffer_printf(&text, "\xc2\xb1 %s  [", format_percent(a, sizeof(a), now->target, now->target / 10, 0));
		for (int i = 0; i < BAR; i++)
			buffer_char(&text, i < (int)(share * BAR) ? '#' : '.');
		buffer_char(&text, ']');
	}
	put_line(live, "target", buffer_text(&text));
	buffer_release(&text);
}

static void put_limits(struct live *live, const struct session_progress *now)
{
	char text[200];
	if (isnan(now->used))
		return;
	double waited = isnan(now->waited) ? 0 : now->waited, rest = fmax(1 - now->used - waited, 0);
	const char *what = now->used >= waited && now->used >= rest ? "the CPU"
	                   : waited >= rest                         ? "others on the CPU"
	                                                            : "something else than the CPU";
	snprintf(text, sizeof(text), "%s: %.0f %% on a CPU, %.0f %% waiting for one, %.0f %% for other things", what,
	         100 * now->used, 100 * waited, 100 * rest);
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
	put_interval(live, now);
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
