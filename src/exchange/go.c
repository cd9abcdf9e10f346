/* Go's benchmark text (the format of golang.org/x/perf): lines of results between lines
 * "key: value" that hold for what follows, and "Unit" lines about units.
 *
 * A line is a run. What tells subjects apart, besides the name: the package, and every key
 * that has more than one value in the file (except dates). Parts /key=value of a name and the
 * number of CPUs after its last '-' are parameters. With -v the name stands on a line before its results: so one that
 * itself ends with '-' and a number is known on one CPU, where no number of CPUs follows. A benchmark that prints has its
 * name before what it prints, and its numbers on a line behind that. What 'go test -json' writes is read as the text in its events. */
#include "exchange/formats.h"

#include "base/moment.h"
#include "base/buffer.h"
#include "base/array.h"
#include "base/memory.h"
#include "base/parse.h"
#include "exchange/go_events.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { KEYS_MAX = 256, WORD_MAX = 1 << 16 };

struct go_subject {
	uint32_t state;
	uint32_t test, failed; /* the last that it has a result of, and of those the last that failed, + 1 */
};

struct go {
	struct import *import;
	struct subject_index index; /* by name and configuration */
	int moment_rank;            /* how well `moment` says when the runs were made; 0: nothing does */
	int64_t moment;
	struct map keys; /* of "key: value" lines */
	struct map values;
	uint32_t current[KEYS_MAX]; /* value + 1 of each key; 0: not set */
	uint32_t first[KEYS_MAX];   /* the value + 1 that the first result saw */
	bool varies[KEYS_MAX];
	struct map states; /* distinct configurations, as arrays of `current` */
	uint32_t state;    /* of the results that come now */
	bool state_known, any;
	struct map units; /* with a direction of their own */
	enum better *better;
	struct go_subject *subjects; /* what is known of each, in their order */
	size_t subject_room;
	uint32_t test;         /* number of the `go test` of a package that is being read */
	struct buffer waiting; /* the name of a benchmark whose numbers have not come yet */
	bool alone;            /* nothing stood behind it on its line */
	struct buffer named;   /* the last one that stood alone: with -v it has no CPUs behind it */
	bool counted;          /* they began: its line has a count, and no value that makes sense */
	size_t odd;
	long odd_line;
};

struct word {
	const char *text;
	size_t length;
};

static bool next_word(const char **at, const char *end, struct word *word)
{
	while (*at < end && (**at == ' ' || **at == '\t' || **at == '\r'))
		(*at)++;
	word->text = *at;
	while (*at < end && **at != ' ' && **at != '\t' && **at != '\r')
		(*at)++;
	word->length = (size_t)(*at - word->text);
	return word->length > 0;
}

static bool is_count(const struct word *word)
{
	for (size_t i = 0; i < word->length; i++)
		if (!isdigit((unsigned char)word->text[i]))
			return false;
	return word->length > 0 && word->length < 20;
}

static bool starts_name(const char *at, const char *end)
{
	return end - at >= 9 && memcmp(at, "Benchmark", 9) == 0 && (end - at == 9 || !islower((unsigned char)at[9]));
}

/* A result's name and count; `at` is then before its first value. */
static bool starts_result(const char **at, const char *end, struct word *name)
{
	struct word count;
	return starts_name(*at, end) && next_word(at, end, name) && next_word(at, end, &count) && is_count(&count);
}

static bool number_of(const struct word *word, double *value)
{
	return word->length > 0 && parse_number_prefix(word->text, word->length, value) == word->length;
}

/* The numbers of a benchmark that has printed something, "     100\t  123.4 ns/op"; `at` is then before the first value. */
static bool starts_numbers(const char **at, const char *end)
{
	struct word count, value, unit;
	double number;
	if (!next_word(at, end, &count) || !is_count(&count))
		return false;
	const char *behind = *at;
	return next_word(&behind, end, &value) && number_of(&value, &number) && next_word(&behind, end, &unit) &&
	       unit.length == 5 && memcmp(unit.text, "ns/op", 5) == 0;
}

static bool go_matches(const char *head, size_t length, const struct import_options *options)
{
	(void)options;
	if (go_is_events(head))
		return true;
	bool named = false;
	for (const char *at = head, *end = head + length; at < end;) {
		const char *newline = memchr(at, '\n', (size_t)(end - at)), *stop = newline ? newline : end;
		const char *result = at, *numbers = at;
		struct word name, value, unit;
		double number;
		if (starts_result(&result, stop, &name) && next_word(&result, stop, &value) && number_of(&value, &number) &&
		    next_word(&result, stop, &unit))
			return true;
		if (named && starts_numbers(&numbers, stop))
			return true;
		named |= starts_name(at, stop);
		at = newline ? newline + 1 : end;
	}
	return false;
}

/* ---- configuration ---- */

/* When the runs were made, as far as a key says: the stamp of the run itself, a date, the time of the commit. The
 * earliest of the best of these is the result's. */
static int take_moment(struct go *go, const char *key, size_t key_length, const char *value, size_t length)
{
	static const char *const best_last[] = {"commit-time", "date", "runstamp"};
	char text[64], name[32], written[MOMENT_TEXT];
	int64_t when;
	struct error unused;
	snprintf(name, sizeof(name), "%.*s", (int)(key_length < 31 ? key_length : 31), key);
	snprintf(text, sizeof(text), "%.*s", (int)(length < 63 ? length : 63), value);
	for (int rank = 0; rank < 3; rank++) {
		if (strcmp(name, best_last[rank]) != 0 || rank + 1 < go->moment_rank || moment_parse(text, &when, &unused) != 0)
			continue;
		if (rank + 1 == go->moment_rank && when >= go->moment)
			continue;
		go->moment_rank = rank + 1;
		go->moment = when;
		return import_text_copy(go->import, moment_text(when, written), &go->import->out->started);
	}
	return 0;
}

/* "key: value"; keys begin with a small letter and have no blanks or capitals. */
static int read_key(struct go *go, const char *line, size_t length, bool *is_key)
{
	size_t n = 0;
	*is_key = false;
	while (n < length && line[n] != ':' && !isspace((unsigned char)line[n]) && !isupper((unsigned char)line[n]))
		n++;
	if (n == 0 || n == length || line[n] != ':' || !islower((unsigned char)line[0]) ||
	    (n + 1 < length && line[n + 1] != ' ' && line[n + 1] != '\t'))
		return 0;
	*is_key = true;
	size_t start = n + 1;
	while (start < length && isspace((unsigned char)line[start]))
		start++;
	uint32_t key = map_text(&go->keys, line, n), value = map_text(&go->values, line + start, length - start);
	if (key == MAP_NONE || value == MAP_NONE)
		return error_memory(go->import->err);
	if (take_moment(go, line, n, line + start, length - start) != 0)
		return -1;
	if (key < KEYS_MAX) {
		go->current[key] = start < length ? value + 1 : 0;
		go->state_known = false;
	}
	return 0;
}

/* Dates and the like change from line to line and tell nothing apart; a runtime does. */
static bool is_moment(const char *key)
{
	static const char *const words[] = {"date", "time", "datetime", "builddate", "buildtime"};
	for (size_t length; *key; key += length + (key[length] != '\0')) {
		length = strcspn(key, "-_.");
		if (length >= 5 && memcmp(key + length - 5, "stamp", 5) == 0)
			return true;
		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			if (strlen(words[i]) == length && memcmp(key, words[i], length) == 0)
				return true;
	}
	return false;
}

static int find_state(struct go *go)
{
	if (go->state_known)
		return 0;
	uint32_t used = go->keys.count < KEYS_MAX ? go->keys.count : KEYS_MAX, state[KEYS_MAX] = {0};
	for (uint32_t k = 0; k < used; k++) {
		if (is_moment(go->keys.text[k]))
			continue;
		state[k] = go->current[k];
		if (go->any)
			go->varies[k] |= go->current[k] != go->first[k];
		else
			go->first[k] = go->current[k];
	}
	go->any = true;
	go->state = map_text(&go->states, (const char *)state, sizeof(state));
	go->state_known = true;
	return go->state == MAP_NONE ? error_memory(go->import->err) : 0;
}

/* "Unit ns/op better=lower assume=exact" */
static int read_unit(struct go *go, const char *line, size_t length)
{
	const char *at = line + 4, *end = line + length;
	struct word unit, setting;
	if (!next_word(&at, end, &unit))
		return 0;
	while (next_word(&at, end, &setting)) {
		bool higher = setting.length == 13 && memcmp(setting.text, "better=higher", 13) == 0;
		bool lower = setting.length == 12 && memcmp(setting.text, "better=lower", 12) == 0;
		if (!higher && !lower)
			continue;
		uint32_t known = go->units.count, id = map_text(&go->units, unit.text, unit.length);
		enum better *list = id == MAP_NONE || id < known ? go->better : mem_resize(go->better, id + 1, sizeof(*list));
		if (id == MAP_NONE || !list)
			return error_memory(go->import->err);
		go->better = list;
		list[id] = higher ? BETTER_HIGHER : BETTER_LOWER;
	}
	return 0;
}

/* ---- results ---- */

/* What the subject of a name is found by, in the present configuration. */
static struct word make_key(const struct go *go, const struct word *word, struct buffer *key)
{
	struct word name = {word->text + 9, word->length - 9};
	/* "Benchmark/name" is how a name that begins with a small letter is written. */
	if (name.length > 1 && name.text[0] == '/') {
		name.text++;
		name.length--;
	}
	buffer_add(key, name.text, name.length);
	buffer_printf(key, "\x1f%u", go->state);
	return name;
}

static struct subject *find_subject(struct go *go, const struct word *word)
{
	struct import *import = go->import;
	struct buffer key = {0};
	struct word name = make_key(go, word, &key);
	/* The CPUs after the last '-' are kept in the key and cut from the name. */
	size_t cut = name.length;
	while (cut > 0 && isdigit((unsigned char)name.text[cut - 1]))
		cut--;
	bool is_whole = go->named.length == word->length && memcmp(go->named.data, word->text, word->length) == 0;
	bool has_cpus = cut < name.length && cut > 1 && name.text[cut - 1] == '-' && !is_whole;
	char *shown = arena_strndup(&import->out->arena, name.text, has_cpus ? cut - 1 : name.length);
	size_t before = import->out->subject_count;
	struct subject *subject = key.out_of_memory || !shown
	                              ? NULL
	                              : import_subject(import, &go->index, buffer_text(&key), *shown ? shown : "Benchmark");
	buffer_release(&key);
	if (!subject)
		goto no_memory;
	if (import->out->subject_count == before)
		return subject;
	if (array_reserve(&go->subjects, &go->subject_room, before + 1) != 0)
		goto no_memory;
	go->subjects[before] = (struct go_subject){.state = go->state};
	subject->benchmark = subject->name;
	for (char *part = strchr(shown, '/'); part; part = strchr(part + 1, '/')) {
		size_t length = strcspn(part + 1, "/");
		char *equals = memchr(part + 1, '=', length);
		if (!equals || equals == part + 1)
			continue;
		char *key_text = arena_strndup(&import->out->arena, part + 1, (size_t)(equals - part - 1));
		char *value = arena_strndup(&import->out->arena, equals + 1, length - (size_t)(equals - part));
		if (!key_text || !value || result_add_parameter(import->out, subject, key_text, value) != 0)
			goto no_memory;
	}
	if (has_cpus) {
		char *cpus = arena_strndup(&import->out->arena, name.text + cut, name.length - cut);
		if (!cpus || result_add_parameter(import->out, subject, "cpus", cpus) != 0)
			goto no_memory;
	}
	return subject;
no_memory:
	error_memory(import->err);
	return NULL;
}

static int add_value(struct go *go, struct subject *subject, const struct word *unit_word, double value)
{
	char unit[256], own[32];
	struct unit_scale scale;
	if (unit_word->length >= sizeof(unit))
		return 0;
	memcpy(unit, unit_word->text, unit_word->length);
	unit[unit_word->length] = '\0';
	bool time = strcmp(unit, "ns/op") == 0 || strcmp(unit, "sec/op") == 0;
	const char *name = time ? "wall" : unit;
	bool is_new = !subject_find_metric(subject, name);
	struct measurement *metric = import_metric_in(go->import, subject, name, units_of_go(unit, own, sizeof(own)),
	                                              &scale);
	if (!metric)
		return -1;
	uint32_t told = map_find_text(&go->units, unit, unit_word->length);
	if (is_new && told != MAP_NONE && go->import->options->better == IMPORT_BETTER_BY_UNIT)
		metric->metric.better = go->better[told];
	return import_value(go->import, metric, 0, units_convert(&scale, value));
}

/* The benchmark that is waited for ended, or its file did, after its count and before a value: a run that is missing. */
static int give_up_waiting(struct go *go)
{
	struct buffer key = {0};
	bool lost = go->counted && go->waiting.length > 0;
	int status = lost ? find_state(go) : 0;
	if (lost && status == 0) {
		make_key(go, &(struct word){go->waiting.data, go->waiting.length}, &key);
		uint32_t at = map_find_text(&go->index.keys, buffer_text(&key), key.length);
		struct subject *subject = at == MAP_NONE ? NULL : &go->import->out->subjects[at];
		status = subject ? import_failure(go->import, subject, "no value", subject_runs(subject)) : 0;
	}
	buffer_release(&key);
	buffer_clear(&go->waiting);
	return status;
}

static int wait_for_numbers(struct go *go, const struct word *name, bool counted)
{
	if (give_up_waiting(go) != 0)
		return -1;
	buffer_add(&go->waiting, name->text, name->length);
	go->counted = counted;
	return 0;
}

static int read_result(struct go *go, const char *at, const char *end, const struct word *name)
{
	struct word value, unit;
	double number;
	const char *check = at;
	size_t pairs = 0;
	/* All pairs must make sense before any counts: logs get mixed into the results. */
	while (next_word(&check, end, &value)) {
		if (!number_of(&value, &number) || !next_word(&check, end, &unit)) {
			go->odd_line = go->odd++ == 0 ? go->import->input->line : go->odd_line;
			return wait_for_numbers(go, name, true);
		}
		pairs++;
	}
	if (pairs == 0)
		return wait_for_numbers(go, name, true);
	if (find_state(go) != 0)
		return -1;
	struct subject *subject = find_subject(go, name);
	if (subject)
		go->subjects[subject - go->import->out->subjects].test = go->test + 1;
	while (subject && next_word(&at, end, &value) && next_word(&at, end, &unit))
		if (number_of(&value, &number) && add_value(go, subject, &unit, number) != 0)
			return -1;
	return subject ? 0 : -1;
}

static bool begins(const char *line, size_t length, const char *word)
{
	size_t n = strlen(word);
	return length >= n && memcmp(line, word, n) == 0 && (length == n || isspace((unsigned char)line[n]));
}

/* go test failed, or the program did: it does not say of which benchmarks the numbers can be trusted. */
static int take_failure(struct go *go, const char *what)
{
	struct result *out = go->import->out;
	for (size_t s = 0; s < out->subject_count; s++) {
		struct go_subject *own = &go->subjects[s];
		if (own->test != go->test + 1 || own->failed == own->test)
			continue;
		own->failed = own->test;
		if (import_failure(go->import, &out->subjects[s], what, subject_runs(&out->subjects[s])) != 0)
			return -1;
	}
	return 0;
}

/* Where the output of one `go test` ends, and how. */
static int read_end(struct go *go, const char *line, size_t length)
{
	/* A test program that is started by itself has no go test that would print FAIL. */
	static const char *const ends[] = {"FAIL", "panic:", "fatal error:", "signal:"};
	static const char *const words[] = {"FAIL", "panic", "fatal error", "signal"};
	bool failed = begins(line, length, "FAIL");
	int status = 0;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (status == 0 && begins(line, length, ends[i]))
			status = take_failure(go, words[i]);
	/* After PASS a program may still fail: it is told in the line of its package. */
	if (begins(line, length, "ok") || begins(line, length, "goos:") || (failed && length > 4)) {
		status = status == 0 ? give_up_waiting(go) : status;
		go->test++;
	}
	return status;
}

static int read_line(struct go *go, const char *line, size_t length)
{
	const char *at = line, *end = line + length;
	struct word name;
	bool is_key;
	if (starts_result(&at, end, &name))
		return give_up_waiting(go) == 0 ? read_result(go, at, end, &name) : -1;
	at = line;
	if (go->waiting.length > 0 && starts_numbers(&at, end)) {
		struct buffer waited = go->waiting;
		go->waiting = (struct buffer){0};
		name = (struct word){waited.data, waited.length};
		if (go->alone) /* it was the line of the result, and not one of -v before it */
			buffer_clear(&go->named);
		int status = read_result(go, at, end, &name);
		buffer_release(&waited);
		return status;
	}
	if (starts_name(line, end) && next_word(&line, end, &name)) {
		go->alone = name.length == length;
		if (go->alone) {
			buffer_clear(&go->named);
			buffer_add(&go->named, name.text, name.length);
		}
		return wait_for_numbers(go, &name, false);
	}
	if (length > 5 && memcmp(line, "Unit ", 5) == 0)
		return read_unit(go, line, length);
	if (read_end(go, line, length) != 0)
		return -1;
	return read_key(go, line, length, &is_key);
}

/* ---- the end ---- */

static int add_configuration(struct go *go)
{
	struct result *out = go->import->out;
	for (size_t s = 0; s < out->subject_count; s++) {
		uint32_t state[KEYS_MAX];
		memcpy(state, go->states.text[go->subjects[s].state], sizeof(state));
		for (uint32_t k = 0; k < go->keys.count && k < KEYS_MAX; k++) {
			bool tells = go->varies[k] || strcmp(go->keys.text[k], "pkg") == 0;
			if (tells && state[k] &&
			    result_add_parameter(out, &out->subjects[s], go->keys.text[k], go->values.text[state[k] - 1]) != 0)
				return error_memory(go->import->err);
		}
	}
	static const char *const host_keys[] = {"cpu", "goos"};
	const char **host[] = {&out->host.cpu, &out->host.os};
	for (size_t i = 0; i < 2; i++) {
		uint32_t key = map_find_text(&go->keys, host_keys[i], strlen(host_keys[i]));
		if (key < KEYS_MAX && go->first[key] && !go->varies[key] &&
		    import_text_copy(go->import, go->values.text[go->first[key] - 1], host[i]) != 0)
			return -1;
	}
	if (go->odd == 0)
		return 0;
	return import_warn(go->import, "unmapped", "%zu line%s like results and %s none, the first is line %ld", go->odd,
	                   go->odd == 1 ? " begins" : "s begin", go->odd == 1 ? "is" : "are", go->odd_line);
}

/* The whole lines of what events have said so far; the rest stays. */
static int read_output(struct go *go, struct buffer *text)
{
	const char *at = buffer_text(text), *stop;
	struct buffer rest = {0};
	int status = 0;
	for (; status == 0 && (stop = strchr(at, '\n')); at = stop + 1)
		if (stop - at < WORD_MAX)
			status = read_line(go, at, (size_t)(stop - at));
	buffer_text_add(&rest, at);
	buffer_release(text);
	*text = rest;
	return status;
}

static int read_events(struct go *go)
{
	struct import *import = go->import;
	struct buffer text = {0};
	char *line;
	size_t length;
	int more = 1, status = 0;
	bool running = false;
	while (status == 0 && (more = input_line(import->input, &line, &length, import->err)) == 1) {
		status = go_events_add(import->input, line, length, &text, &running, import->err);
		if (status == 0)
			status = read_output(go, &text);
	}
	buffer_release(&text);
	if (status == 0 && more == 0 && running)
		status = take_failure(go, "broken off");
	return more < 0 ? -1 : status;
}

static int read_lines(struct go *go)
{
	struct import *import = go->import;
	char *line;
	size_t length;
	int more = 1, status = 0;
	while (status == 0 && (more = input_line(import->input, &line, &length, import->err)) == 1)
		status = length < WORD_MAX ? read_line(go, line, length) : 0;
	return more < 0 ? -1 : status;
}

static int go_read(struct import *import)
{
	struct go *go = mem_zalloc(1, sizeof(*go));
	if (!go)
		return error_memory(import->err);
	go->import = import;
	const struct input *input = import->input;
	/* The window holds what the format was recognised by. */
	char first[256];
	snprintf(first, sizeof(first), "%.*s", (int)(input->end - input->at < 255 ? input->end - input->at : 255),
	         input->block + input->at);
	int status = go_is_events(first) ? read_events(go) : read_lines(go);
	if (status == 0)
		status = give_up_waiting(go);
	if (status == 0)
		status = add_configuration(go);
	struct map *names[] = {&go->index.keys, &go->keys, &go->values, &go->states, &go->units};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		map_release(names[i]);
	buffer_release(&go->waiting);
	buffer_release(&go->named);
	mem_free(go->better);
	mem_free(go->subjects);
	mem_free(go);
	return status;
}

const struct text_format go_format = {"go", go_matches, go_read};
