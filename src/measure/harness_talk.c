/* Talking to a harness program, and what its silence means.
 *
 * Its death is seen through a process descriptor, for its children may keep its pipes open. What it prints goes to
 * files without a name, which are looked at and emptied after each step, so that output is laid at the right door and
 * the last words of a crash can be shown. */
#include "measure/harness_talk.h"

#include "host/clock.h"
#include "host/proc.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
	ERRORS_MAX = 8 << 20,  /* bytes of standard error after which all but its end is forgotten between steps */
	OUTPUT_MAX = 16 << 20, /* bytes of either after which that happens in the middle of a step */
	LOOK = 100000000,      /* ns between two looks while a step lasts, in the first iteration and of one that prints; */
	SELDOM = 1000000000,   /* else: time is measured meanwhile, and a wake-up of ours disturbs it */
};

const char *harness_end_name(enum harness_end end)
{
	switch (end) {
#define X(symbol, name) \
	case symbol: return name;
		HARNESS_ENDS(X)
#undef X
	}
	return "";
}

bool harness_alive(const struct harness *harness)
{
	return harness->program.pid > 0 && !harness->program.ended;
}

pid_t harness_pid(const struct harness *harness)
{
	return harness->program.pid;
}

int64_t harness_threads(const struct harness *harness)
{
	int64_t count;
	return proc_status_number(&harness->host, harness->program.pid, "Threads", &count) == 0 ? count : -1;
}

bool harness_has_map(const struct harness *harness)
{
	return harness->maps;
}

const char *harness_language(const struct harness *harness)
{
	return harness->language;
}

struct harness_outcome harness_well(void)
{
	return (struct harness_outcome){.end = HARNESS_OK};
}

struct harness_outcome harness_outcome_of(enum harness_end end, int code, const char *format, ...)
{
	struct harness_outcome result = {.end = end, .code = code};
	va_list args;
	va_start(args, format);
	vsnprintf(result.text, sizeof(result.text), format, args);
	va_end(args);
	return result;
}

/* The last line of standard error that says something, as printable text; "" if there is none. */
static void last_words(struct harness *harness, char *text, size_t size)
{
	char tail[512];
	size_t length = shared_file_tail(&harness->host, harness->err, tail, sizeof(tail));
	while (length > 0 && (unsigned char)tail[length - 1] <= ' ')
		tail[--length] = '\0';
	const char *line = strrchr(tail, '\n');
	snprintf(text, size, "%.*s", (int)size - 1, line ? line + 1 : tail);
	for (char *c = text; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
}

/* After the program has ended by itself: how. */
struct harness_outcome harness_death(struct harness *harness)
{
	char words[HARNESS_PRINTED_SHOWN];
	const struct program *program = &harness->program;
	last_words(harness, words, sizeof(words));
	const char *comma = words[0] ? "; its last words: " : "";
	if (program->signal)
		return harness_outcome_of(HARNESS_CRASHED, program->signal, "crashed with signal %d (%s)%s%s", program->signal,
		                          strsignal(program->signal), comma, words);
	return harness_outcome_of(HARNESS_EXITED, program->code, "ended with exit code %d%s%s", program->code, comma,
	                          words);
}

struct harness_outcome harness_garbage(struct harness *harness, const char *what)
{
	program_kill(&harness->host, &harness->program);
	return harness_outcome_of(HARNESS_GARBAGE, 0, "%s", what);
}

/* A program that prints without end must not fill the machine's memory. */
static void bound_output(struct harness *harness)
{
	if (shared_file_size(&harness->host, harness->out) > OUTPUT_MAX ||
	    shared_file_held(&harness->host, harness->err) > OUTPUT_MAX)
		harness_look_at_output(harness);
}

bool harness_await_end(struct harness *harness)
{
	int64_t now = clock_now(&harness->host), deadline = now + HARNESS_STOP_LIMIT;
	while (!program_wait(&harness->host, &harness->program, now + LOOK) && now + LOOK < deadline) {
		bound_output(harness);
		now = clock_now(&harness->host);
	}
	return harness->program.ended;
}

/* What a failed wait for a line means; the program is gone afterwards. */
struct harness_outcome harness_lose(struct harness *harness, enum lines_status status, int64_t limit)
{
	int errnum = errno;
	if (status == LINES_ENDED) {
		if (!harness_await_end(harness))
			program_kill(&harness->host, &harness->program);
		return harness_death(harness);
	}
	program_kill(&harness->host, &harness->program);
	if (status == LINES_LATE)
		return harness_outcome_of(HARNESS_HUNG, 0, "did not answer within %.3g s", (double)limit / 1e9);
	if (status == LINES_CANCELLED)
		return harness_outcome_of(HARNESS_CANCELLED, 0, "cancelled");
	if (status == LINES_TOO_LONG)
		return harness_outcome_of(HARNESS_GARBAGE, 0,
		                          "it gives an invalid answer: a line without end, or bytes that are not text");
	return harness_outcome_of(HARNESS_LOST, errnum, "cannot talk to the program: %s", strerror(errnum));
}

struct harness_outcome harness_gone(void)
{
	return harness_outcome_of(HARNESS_LOST, 0, "the program has ended before");
}

struct harness_outcome harness_tell(struct harness *harness, const char *line, int64_t limit)
{
	if (!harness_alive(harness))
		return harness_gone();
	enum lines_status status = lines_send(&harness->host, &harness->lines, line);
	return status == LINES_OK ? harness_well() : harness_lose(harness, status, limit);
}

enum lines_status harness_receive(struct harness *harness, int64_t deadline, char **line)
{
	const struct host *host = &harness->host;
	int64_t pause = harness->grant.sequence > 1 && !harness->prints ? SELDOM : LOOK;
	for (;;) {
		int64_t look = clock_now(host) + pause;
		enum lines_status status = lines_receive(host, &harness->lines, harness->program.pidfd, harness->cancel,
		                                         look < deadline ? look : deadline, line);
		if (status != LINES_LATE || look >= deadline)
			return status;
		bound_output(harness);
	}
}

struct harness_outcome harness_hear(struct harness *harness, int64_t deadline, int64_t limit, char **line)
{
	if (!harness_alive(harness))
		return harness_gone();
	enum lines_status status = harness_receive(harness, deadline, line);
	return status == LINES_OK ? harness_well() : harness_lose(harness, status, limit);
}

/* A text that was read with the line before counts as an answer. */
static bool has_news(const struct harness *harness, int64_t now)
{
	return !harness_alive(harness) || harness->lines.used > harness->lines.start ||
	       now >= harness->granted + harness->limit;
}

size_t harness_first_done(struct harness *const pair[2])
{
	const struct host *host = &pair[0]->host;
	struct pollfd fds[5] = {{pair[0]->lines.from, POLLIN, 0},
	                        {pair[0]->program.pidfd, POLLIN, 0},
	                        {pair[1]->lines.from, POLLIN, 0},
	                        {pair[1]->program.pidfd, POLLIN, 0},
	                        {pair[0]->cancel, POLLIN, 0}};
	for (;;) {
		int64_t now = clock_now(host);
		for (size_t i = 0; i < 2; i++)
			if (has_news(pair[i], now))
				return i;
		int64_t first = pair[0]->granted + pair[0]->limit, second = pair[1]->granted + pair[1]->limit;
		int64_t look = now + SELDOM, deadline = first < second ? first : second;
		struct timespec left = clock_left(now, look < deadline ? look : deadline);
		int ready = host->sys->ppoll(fds, 5, &left, NULL);
		if ((ready < 0 && errno != EINTR) || (ready > 0 && (fds[0].revents || fds[1].revents || fds[4].revents)))
			return 0;
		if (ready > 0)
			return 1;
		bound_output(pair[0]);
		bound_output(pair[1]);
	}
}

/* What the program printed since the last look. */
void harness_look_at_output(struct harness *harness)
{
	if (shared_file_size(&harness->host, harness->out) > 0) {
		shared_file_head(&harness->host, harness->out, harness->printed, sizeof(harness->printed));
		shared_file_clear(&harness->host, harness->out);
		harness->fresh |= HARNESS_PRINTED;
		harness->prints = true;
	}
	shared_file_trim(&harness->host, harness->err, ERRORS_MAX);
}

void harness_look_at_cpus(struct harness *harness)
{
	struct cpuset now;
	if (!harness->pinned || cpuset_of_process(&harness->host, harness->program.pid, &now, NULL) != 0)
		return;
	if (cpuset_equal(&now, &harness->cpus))
		return;
	cpuset_pin(&harness->host, harness->program.pid, &harness->cpus, NULL);
	harness->fresh |= HARNESS_MOVED;
}
