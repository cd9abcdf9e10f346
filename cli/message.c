#include "cli/message.h"

#include "base/memory.h"
#include "cli/output.h"
#include "report/text.h"
#include "report/text_width.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { USUAL_WIDTH = 80 };

/* What to do next is a line of its own. An indented line is one to type: with line breaks in it, a copy would not run. */
static void wrap_lines(const char *head, const char *text, struct buffer *out)
{
	SCOPED(buffer) struct buffer line = {0};
	size_t indent = strlen(head);
	buffer_text_add(out, head);
	for (const char *at = text; *at; indent = 0) {
		size_t length = strcspn(at, "\n");
		buffer_clear(&line);
		buffer_add(&line, at, length);
		out->out_of_memory |= line.out_of_memory;
		if (indent == 0 && at[0] == ' ')
			buffer_printf(out, "%s\n", buffer_text(&line));
		else
			text_wrap(out, buffer_text(&line), indent, indent);
		at += length + (at[length] == '\n');
	}
}

/* Breaks a line at blanks, and indents what follows as its beginning is. Colours take no column. */
static void narrow_line(const char *line, size_t length, size_t width, struct buffer *out)
{
	size_t indent = strspn(line, " "), start = 0, blank = 0, column = 0, column_of_blank = 0;
	for (size_t i = 0; i < length; i++) {
		if (line[i] == '\033')
			i += strcspn(line + i, "m");
		else if (((unsigned char)line[i] & 0xc0) != 0x80)
			column++;
		if (line[i] == ' ' && i >= indent) {
			blank = i;
			column_of_blank = column;
		}
		if (column <= width || blank <= start)
			continue;
		buffer_add(out, line + start, blank - start);
		buffer_char(out, '\n');
		buffer_repeat(out, " ", indent);
		column = indent + column - column_of_blank;
		start = blank + 1;
	}
	buffer_add(out, line + start, length - start);
}

/* Sentences are made for 80 columns, and with signs that may be longer without Unicode; a narrower terminal would break
 * them inside words. Tables fit already, and of a line to type a copy must run. */
static void narrow(const struct buffer *text, bool to_stderr, struct buffer *out)
{
	SCOPED(buffer) struct buffer line = {0}, plain = {0};
	size_t width = output_columns(to_stderr);
	bool ascii = output_charset() == TEXT_ASCII;
	for (const char *at = buffer_text(text); (ascii || width < USUAL_WIDTH) && *at;) {
		size_t length = strcspn(at, "\n");
		buffer_clear(&line);
		buffer_clear(&plain);
		buffer_add(&line, at, length);
		if (ascii)
			text_to_ascii(&plain, buffer_text(&line));
		const struct buffer *shown = ascii ? &plain : &line;
		bool typed = strncmp(at, "  tare ", 7) == 0, fits = width >= USUAL_WIDTH && shown->length == length;
		narrow_line(buffer_text(shown), shown->length, typed || fits ? shown->length : width, out);
		at += length;
		if (*at)
			buffer_char(out, *at++);
	}
	out->out_of_memory |= line.out_of_memory || plain.out_of_memory;
}

/* Wrapped for a terminal alone: a log has each message on one line. Without memory the words come out all the same. */
static void say(const char *head, const char *text)
{
	SCOPED(buffer) struct buffer wrapped = {0}, narrowed = {0};
	if (isatty(STDERR_FILENO))
		wrap_lines(head, text, &wrapped);
	else if (output_charset() == TEXT_ASCII)
		buffer_printf(&wrapped, "%s%s\n", head, text);
	narrow(&wrapped, true, &narrowed);
	fflush(stdout);
	if (narrowed.length > 0 && !narrowed.out_of_memory)
		fputs(buffer_text(&narrowed), stderr);
	else if (wrapped.length > 0 && !wrapped.out_of_memory)
		fputs(buffer_text(&wrapped), stderr);
	else
		fprintf(stderr, "%s%s\n", head, text);
}

static int print_error(const char *text, enum error_kind kind)
{
	say("tare: ", text);
	return error_exit_code(kind);
}

/* A file that cannot be written is found before measuring, and again when the reason for not measuring is to be written
 * to it: of that it was said already. */
static char ended_by[1600];

int message_error(const struct error *err)
{
	error_text(err, ended_by, sizeof(ended_by));
	return print_error(ended_by, err->kind);
}

/* Names of files and subjects, and what other programs say, are among the words. */
static void clean_lines(const char *text, struct buffer *out)
{
	SCOPED(buffer) struct buffer line = {0};
	for (const char *at = text; *at;) {
		size_t length = strcspn(at, "\n");
		buffer_clear(&line);
		buffer_add(&line, at, length);
		text_clean(out, buffer_text(&line), TEXT_UNICODE);
		buffer_text_add(out, at[length] ? "\n" : "");
		at += length + (at[length] == '\n');
	}
}

void message_failure(int status, const struct error *err, int *code)
{
	char text[sizeof(ended_by)];
	if (status == 0)
		return;
	error_text(err, text, sizeof(text));
	int own = strcmp(text, ended_by) == 0 ? error_exit_code(err->kind) : print_error(text, err->kind);
	mem_forget_ran_out(); /* it is told, and the next output may fit */
	if (*code == 0)
		*code = own;
}

void message_note(const char *format, ...)
{
	va_list args;
	char text[4096];
	SCOPED(buffer) struct buffer clean = {0};
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	clean_lines(text, &clean);
	say("tare: note: ", buffer_text(&clean));
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
	SCOPED(buffer) struct buffer narrowed = {0};
	narrow(text, to_stderr, &narrowed);
	return message_write(to_stderr, narrowed.length > 0 && !narrowed.out_of_memory ? &narrowed : text, err);
}

int message_write(bool to_stderr, const struct buffer *text, struct error *err)
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

int message_finish(int status, bool to_stderr, struct buffer *text, struct error *err)
{
	if (status == 0)
		status = message_print_to(to_stderr, text, err);
	buffer_release(text);
	return status;
}

void message_log(const struct buffer *lines)
{
	SCOPED(buffer) struct buffer clean = {0};
	clean_lines(buffer_text(lines), &clean);
	if (clean.length > 0 && buffer_text(&clean)[clean.length - 1] != '\n')
		buffer_char(&clean, '\n');
	fflush(stdout);
	fputs(buffer_text(&clean), stderr);
}

int message_help(const struct command *command)
{
	struct buffer text = {0};
	struct error err;
	options_help(command, &text);
	return message_finish(0, false, &text, &err) == 0 ? 0 : message_error(&err);
}
