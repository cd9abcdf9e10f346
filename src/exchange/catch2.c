/* Catch2's XML (`-r xml`): a file is a run, and a benchmark has one value, its mean in nanoseconds: samples are not written.
 * A benchmark is called by its test case, the sections that it is in and its own name, "TEST CASE/SECTION/BENCHMARK".
 * Catch2 writes one tag a line. */
#include "exchange/formats.h"

#include "base/buffer.h"
#include "base/parse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool catch2_matches(const char *head, size_t length, const struct import_options *options)
{
	const char *root = strstr(head, "<Catch");
	(void)length;
	(void)options;
	return root && (strncmp(root, "<Catch name=", 12) == 0 || strncmp(root, "<Catch2TestRun", 14) == 0) &&
	       head[strspn(head, " \t\r\n")] == '<';
}

/* Where the character reference at `text` ends; its UTF-8 is added to `out`. */
static const char *add_reference(const char *text, struct buffer *out)
{
	static const struct {
		const char *name, *value;
	} named[] = {{"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&quot;", "\""}, {"&apos;", "'"}};
	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++) {
		size_t length = strlen(named[i].name);
		if (strncmp(text, named[i].name, length) == 0) {
			buffer_text_add(out, named[i].value);
			return text + length;
		}
	}
	buffer_char(out, *text);
	return text + 1;
}

/* The value of an attribute of the tag on this line, in `out`; false when it has none of that name. */
static bool attribute(const char *line, const char *name, struct buffer *out)
{
	size_t length = strlen(name);
	buffer_clear(out);
	for (const char *at = strstr(line, name); at; at = strstr(at + 1, name)) {
		if (at == line || at[-1] != ' ' || strncmp(at + length, "=\"", 2) != 0)
			continue;
		for (at += length + 2; *at && *at != '"';)
			if (*at == '&')
				at = add_reference(at, out);
			else
				buffer_char(out, *at++);
		return *at == '"';
	}
	return false;
}

enum { SECTIONS_MOST = 64, PATH_MOST = 4096 }; /* deeper or longer ones are left out of names */

struct catch2_reading {
	struct import *import;
	struct subject_index index;
	struct buffer line, test, name, value;
	char path[PATH_MOST];              /* of the open sections: "/OUTER/INNER" */
	size_t outside[SECTIONS_MOST + 1]; /* length of the path outside of each */
	size_t depth;                      /* open sections */
	bool open;                         /* inside of a benchmark that has no value yet */
};

static struct subject *benchmark_of(struct catch2_reading *r)
{
	struct import *import = r->import;
	buffer_clear(&r->value);
	buffer_printf(&r->value, "%s%s/%s", buffer_text(&r->test), r->path, buffer_text(&r->name));
	struct subject *subject = import_subject(import, &r->index, buffer_text(&r->value), buffer_text(&r->value));
	return subject && import_text_copy(import, buffer_text(&r->value), &subject->benchmark) == 0 ? subject : NULL;
}

static int take_mean(struct catch2_reading *r, const char *line)
{
	struct unit_scale scale;
	double ns = NAN;
	if (!attribute(line, "value", &r->value) || parse_number_prefix(buffer_text(&r->value), r->value.length, &ns) == 0)
		ns = NAN;
	struct subject *subject = benchmark_of(r);
	struct measurement *metric = subject ? import_metric_in(r->import, subject, "wall", "ns", &scale) : NULL;
	return metric ? import_value(r->import, metric, 0, units_convert(&scale, ns)) : -1;
}

static int take_failure(struct catch2_reading *r, const char *line)
{
	struct buffer why = {0};
	if (!attribute(line, "message", &why))
		buffer_text_add(&why, "failed");
	struct subject *subject = benchmark_of(r);
	int status = subject ? import_failure(r->import, subject, buffer_text(&why), 0) : -1;
	buffer_release(&why);
	return status;
}

/* An assertion of a test case failed, or it crashed: none of its benchmarks did what it was to do. */
static int take_end(struct catch2_reading *r, const char *line)
{
	struct result *out = r->import->out;
	int status = 0;
	if (!attribute(line, "success", &r->value) || strcmp(buffer_text(&r->value), "false") != 0)
		return 0;
	for (size_t i = 0; status == 0 && i < out->subject_count; i++) {
		const char *name = out->subjects[i].name;
		if (strncmp(name, buffer_text(&r->test), r->test.length) == 0 && name[r->test.length] == '/')
			status = import_failure(r->import, &out->subjects[i], "its test case failed", 0);
	}
	return status;
}

static void enter_section(struct catch2_reading *r, const char *line)
{
	size_t length = strlen(r->path);
	if (r->depth++ >= SECTIONS_MOST)
		return;
	r->outside[r->depth] = length;
	if (attribute(line, "name", &r->value) && r->value.length + 1 < PATH_MOST - length)
		snprintf(r->path + length, PATH_MOST - length, "/%s", buffer_text(&r->value));
}

static void leave_section(struct catch2_reading *r)
{
	if (r->depth > 0 && r->depth <= SECTIONS_MOST)
		r->path[r->outside[r->depth]] = '\0';
	r->depth -= r->depth > 0;
}

static int take_line(struct catch2_reading *r, const char *line)
{
	const char *tag = line + strspn(line, " \t");
	if (strncmp(tag, "<TestCase ", 10) == 0) {
		attribute(tag, "name", &r->test);
		r->path[0] = '\0';
		r->depth = 0;
	} else if (strncmp(tag, "<Section ", 9) == 0)
		enter_section(r, tag);
	else if (strncmp(tag, "</Section>", 10) == 0)
		leave_section(r);
	else if (strncmp(tag, "<BenchmarkResults ", 18) == 0)
		r->open = attribute(tag, "name", &r->name);
	else if (strncmp(tag, "<OverallResult ", 15) == 0)
		return take_end(r, tag);
	else if (r->open && (strncmp(tag, "<mean ", 6) == 0 || strncmp(tag, "<failed", 7) == 0)) {
		r->open = false;
		return tag[1] == 'm' ? take_mean(r, tag) : take_failure(r, tag);
	}
	return 0;
}

/* Lines of the input have a length and no end of their own. */
static const char *terminated(struct buffer *copy, const char *line, size_t length)
{
	buffer_clear(copy);
	buffer_add(copy, line, length);
	return buffer_text(copy);
}

static int catch2_read(struct import *import)
{
	struct catch2_reading reading = {.import = import};
	char *line;
	size_t length;
	int more, status = 0;
	while (status == 0 && (more = input_line(import->input, &line, &length, import->err)) == 1)
		status = take_line(&reading, terminated(&reading.line, line, length));
	if (status == 0 && more < 0)
		status = -1;
	if (status == 0)
		status = buffer_error(&reading.line, import->err) || buffer_error(&reading.test, import->err) ||
		         buffer_error(&reading.name, import->err) || buffer_error(&reading.value, import->err);
	map_release(&reading.index.keys);
	buffer_release(&reading.line);
	buffer_release(&reading.test);
	buffer_release(&reading.name);
	buffer_release(&reading.value);
	return status ? -1 : 0;
}

const struct text_format catch2_format = {"catch2", catch2_matches, catch2_read};
