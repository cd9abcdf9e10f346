#include "cli/message.h"

#include "base/memory.h"
#include "report/text.h"
#include "report/text_width.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What to do next is a line of its own. */
static void wrap_lines(const char *head, const char *text, struct buffer *out)
{
	struct buffer line = {0};
	size_t indent = strlen(head);
	buffer_text_add(out, head);
	for (const char *at = text; *at; indent = 0) {
		size_t length = strcspn(at, "\n");
		buffer_clear(&line);
		buffer_add(&line, at, length);
		out->out_of_memory |= line.out_of_memory;
		text_wrap(out, buffer_text(&line), indent, indent);
		at += length + (at[length] == '\n');
	}
	buffer_release(&line);
}

/* Wrapped for a terminal alone: a log has each message on one line. Without memory the words come out all the same. */
static void say(const char *head, const char *text)
{
	struct buffer wrapped = {0};
	if (isatty(STDERR_FILENO))
		wrap_lines(head, text, &wrapped);
	fflush(stdout);
	if (wrapped.length > 0 && !wrapped.out_of_memory)
		fputs(buffer_text(&wrapped), stderr);
	else
		fprintf(stderr, "%s%s\n", head, text);
	buffer_release(&wrapped);
}

int message_error(const struct error *err)
{
	char text[1200];
	error_text(err, text, sizeof(text));
	say("tare: ", text);
	return error_exit_code(err->kind);
}

void message_note(const char *format, ...)
{
	va_list args;
	char text[4096];
	struct buffer clean = {0};
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	/* Names of files and subjects are among the words. What to do next is a line of its own. */
	for (char *line = text, *end; line; line = end) {
		end = strchr(line, '\n');
		if (end)
			*end++ = '\0';
		text_clean(&clean, line, TEXT_UNICODE);
		buffer_text_add(&clean, end ? "\n" : "");
	}
	say("tare: note: ", buffer_text(&clean));
	buffer_release(&clean);
}

void message_notes(const struct buffer *lines)
{
	for (const char *at = buffer_text(lines); *at;) {
		int length = (int)strcspn(at, "\n");
		message_note("%.*s", length, at);
		at += length + (at[length] == '\n');
	}
}

int message_print_to(bool to_stderr, const struct buffer *text, struct error *err)
{
	FILE *stream = to_stderr ? stderr : stdout;
	if (buffer_error(text, err) != 0)
		return -1;
	if (mem_ran_out()) /* some of it may be missing */
		return error_memory(err);
	/* A pipe that nobody reads is looked at when the program ends: first the rest is written. */
	bool whole = fwrite(buffer_text(text), 1, text->length, stream) == text->length && fflush(stream) == 0;
	if (!whole && (to_stderr || errno != EPIPE))
		return error_system(err, errno, "cannot write to standard %s", to_stderr ? "error" : "output");
	return 0;
}

int message_print(const struct buffer *text, struct error *err)
{
	return message_print_to(false, text, err);
}

void message_log(const struct buffer *lines)
{
	struct buffer clean = {0}, line = {0};
	for (const char *at = buffer_text(lines); *at;) {
		size_t length = strcspn(at, "\n");
		buffer_clear(&line);
		buffer_add(&line, at, length);
		text_clean(&clean, buffer_text(&line), TEXT_UNICODE);
		buffer_char(&clean, '\n');
		at += length + (at[length] == '\n');
	}
	fflush(stdout);
	fputs(buffer_text(&clean), stderr);
	buffer_release(&line);
	buffer_release(&clean);
}

int message_help(const struct command *command)
{
	struct buffer text = {0};
	struct error err;
	options_help(command, &text);
	int failed = message_print(&text, &err);
	buffer_release(&text);
	return failed ? message_error(&err) : 0;
}
