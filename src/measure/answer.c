/* Checking answers. What comes from a measured program may be anything: it is copied first, and only the copy is
 * read. */
#include "measure/answer.h"

#include "base/parse.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char *const counter_names[] = {
#define NAME(symbol, name, type, config) name,
	TARE_COUNTERS(NAME)
#undef NAME
};

static const struct {
	uint32_t bit;
	const char *word;
} metric_words[] = {
	{TARE_HAS_CPU, "cpu"},
	{TARE_HAS_DELAY, "delay"},
	{TARE_HAS_PROCESS_CPU, "process-cpu"},
	{TARE_HAS_USAGE, "usage"},
};
enum { METRIC_WORDS = sizeof(metric_words) / sizeof(metric_words[0]) };

static bool is_text(const char *text, size_t size)
{
	return memchr(text, '\0', size) != NULL;
}

static bool is_word(const char *text, size_t size)
{
	if (!is_text(text, size) || !text[0])
		return false;
	for (const unsigned char *c = (const unsigned char *)text; *c; c++)
		if (*c <= ' ' || *c == 0x7f)
			return false;
	return true;
}

static int check(const struct tare_reply *reply, struct error *err)
{
	const struct tare_answer *a = &reply->answer;
	if (a->status < TARE_STATUS_OK || a->status > TARE_STATUS_FAILED)
		return error_set(err, ERROR_SUBJECT, "its answer has no status");
	if (!is_text(a->reason, sizeof(a->reason)) || !is_text(a->unit_name, sizeof(a->unit_name)) ||
	    !is_text(a->unit_unit, sizeof(a->unit_unit)))
		return error_set(err, ERROR_SUBJECT, "its answer has a text without end");
	if (a->status != TARE_STATUS_OK)
		return 0;
	if (!(a->present & TARE_HAS_WALL))
		return error_set(err, ERROR_SUBJECT, "its answer has no wall time");
	if (a->segments == 0 || a->thread_count == 0)
		return error_set(err, ERROR_SUBJECT, "its answer is of no thread");
	if (!isfinite(a->items) || !isfinite(a->bytes) || a->items < 0 || a->bytes < 0)
		return error_set(err, ERROR_SUBJECT, "its answer has items or bytes that are not numbers");
	for (uint32_t i = 0; i < a->metric_count; i++) {
		const struct tare_metric *m = &reply->metrics[i];
		if (!is_word(m->name, sizeof(m->name)) || !is_text(m->unit, sizeof(m->unit)) || !isfinite(m->value))
			return error_set(err, ERROR_SUBJECT, "its answer has a metric without name or number");
	}
	for (uint32_t i = 0; i < a->unit_count; i++)
		if (!isfinite(reply->units[i]))
			return error_set(err, ERROR_SUBJECT, "its answer has a unit reading that is not a number");
	return 0;
}

int answer_from_map(const struct tare_map *map, const struct tare_map_head *head, const struct tare_grant *sent,
                    struct tare_reply *out, struct error *err)
{
	static const char scribbled[] = "it wrote over the memory that it shares with tare";
	uint64_t sequence = tare_sequence_load(&map->reply.answer.sequence);
	if (memcmp(&map->head, head, sizeof(*head)) != 0 || memcmp(&map->grant, sent, sizeof(*sent)) != 0)
		return error_set(err, ERROR_SUBJECT, "%s", scribbled);
	if (!tare_reply_copy(out, &map->reply) || sequence != sent->sequence || out->answer.sequence != sent->sequence ||
	    out->answer.invocations != sent->invocations || out->answer.checksum != tare_answer_checksum(out))
		return error_set(err, ERROR_SUBJECT, "%s", scribbled);
	return check(out, err);
}

void answer_begin(struct tare_reply *reply, const struct tare_grant *grant)
{
	memset(&reply->answer, 0, sizeof(reply->answer));
	reply->answer.sequence = grant->sequence;
	reply->answer.invocations = grant->invocations;
	reply->answer.segments = 1;
}

/* The next word of *rest, or NULL. */
static char *next_word(char **rest)
{
	char *word = *rest;
	if (!word || !*word)
		return NULL;
	char *space = strchr(word, ' ');
	if (space)
		*space = '\0';
	*rest = space ? space + 1 : NULL;
	return word;
}

/* `count` whole numbers and nothing after them. */
static int read_integers(char *rest, uint64_t *out, size_t count, struct error *err)
{
	for (size_t i = 0; i < count; i++) {
		const char *word = next_word(&rest);
		int64_t value;
		if (!word || parse_integer(word, 0, INT64_MAX, &value, err) != 0)
			return -1;
		out[i] = (uint64_t)value;
	}
	return rest && *rest ? -1 : 0;
}

static int read_real(char *rest, double *out, struct error *err)
{
	const char *word = next_word(&rest);
	return word && !(rest && *rest) ? parse_double(word, out, err) : -1;
}

static int copy_word(char *to, size_t size, const char *word)
{
	if (!word || strlen(word) >= size)
		return -1;
	memset(to, 0, size);
	memcpy(to, word, strlen(word) + 1);
	return 0;
}

/* A name, a unit ("-": none) and a direction. */
static int read_kind(char **rest, char *name, char *unit, uint32_t *better)
{
	if (copy_word(name, TARE_NAME_SIZE, next_word(rest)) != 0)
		return -1;
	const char *word = next_word(rest);
	if (word && strcmp(word, "-") == 0)
		word = "";
	if (copy_word(unit, TARE_UNIT_SIZE, word) != 0)
		return -1;
	word = next_word(rest);
	if (!word || (strcmp(word, "higher") != 0 && strcmp(word, "lower") != 0))
		return -1;
	*better = strcmp(word, "higher") == 0;
	return 0;
}

static int take_metric(struct tare_reply *reply, char *rest, struct error *err)
{
	if (reply->answer.metric_count == TARE_METRICS_MAX)
		return -1;
	struct tare_metric *m = &reply->metrics[reply->answer.metric_count];
	memset(m, 0, sizeof(*m));
	if (read_kind(&rest, m->name, m->unit, &m->better) != 0 || read_real(rest, &m->value, err) != 0)
		return -1;
	reply->answer.metric_count++;
	return 0;
}

static int take_units(struct tare_reply *reply, char *rest, struct error *err)
{
	struct tare_answer *a = &reply->answer;
	uint64_t numbers[2];
	if (read_kind(&rest, a->unit_name, a->unit_unit, &a->unit_better) != 0 ||
	    read_integers(rest, numbers, 2, err) != 0 || numbers[1] > UINT32_MAX)
		return -1;
	a->unit_total = numbers[0];
	a->unit_stride = (uint32_t)numbers[1];
	return 0;
}

static int take_unit(struct tare_reply *reply, char *rest, struct error *err)
{
	struct tare_answer *a = &reply->answer;
	if (!a->unit_name[0] || a->unit_count == TARE_UNITS_MAX || read_real(rest, &reply->units[a->unit_count], err) != 0)
		return -1;
	a->unit_count++;
	return 0;
}

static int take_thread(struct tare_reply *reply, char *rest, struct error *err)
{
	uint64_t numbers[4];
	if (reply->answer.thread_count == TARE_THREADS_MAX || read_integers(rest, numbers, 4, err) != 0)
		return -1;
	struct tare_thread_times *times = &reply->threads[reply->answer.thread_count++];
	*times = (struct tare_thread_times){
		.start = numbers[0], .wall = numbers[1], .cpu = numbers[2], .delay = numbers[3]};
	return 0;
}

static int take_counter(struct tare_answer *a, char *rest, struct error *err)
{
	const char *name = next_word(&rest);
	for (int i = 0; name && i < TARE_COUNTER_COUNT; i++) {
		if (strcmp(name, counter_names[i]) != 0)
			continue;
		a->counters |= 1u << i;
		return read_integers(rest, &a->counter[i], 1, err);
	}
	return -1;
}

/* Lines that hold one or two whole numbers: where these go, and what is known afterwards. */
static int take_numbers(struct tare_answer *a, const char *key, char *rest, struct error *err)
{
	uint64_t cpu_first = a->cpu_first, cpu_last = a->cpu_last;
	const struct {
		const char *key;
		uint64_t *first, *second;
		uint32_t present;
	} lines[] = {
		{"wall", &a->wall, NULL, TARE_HAS_WALL},
		{"cpu", &a->cpu, NULL, TARE_HAS_CPU},
		{"delay", &a->delay, NULL, TARE_HAS_DELAY},
		{"process-cpu", &a->process_cpu, NULL, TARE_HAS_PROCESS_CPU},
		{"segments", &a->segments, NULL, 0},
		{"faults", &a->minor_faults, &a->major_faults, 0}, /* the next line makes both known */
		{"switches", &a->voluntary_switches, &a->involuntary_switches, TARE_HAS_USAGE},
		{"counted", &a->counter_enabled, &a->counter_running, 0},
		{"cpus", &cpu_first, &cpu_last, TARE_HAS_CPUS},
	};
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		uint64_t numbers[2];
		if (strcmp(key, lines[i].key) != 0)
			continue;
		if (read_integers(rest, numbers, lines[i].second ? 2 : 1, err) != 0)
			return -1;
		*lines[i].first = numbers[0];
		if (lines[i].second)
			*lines[i].second = numbers[1];
		a->present |= lines[i].present;
		a->cpu_first = (uint32_t)cpu_first;
		a->cpu_last = (uint32_t)cpu_last;
		return 0;
	}
	return -1;
}

static int take(struct tare_reply *reply, const char *key, char *rest, struct error *err)
{
	if (strcmp(key, "metric") == 0)
		return take_metric(reply, rest, err);
	if (strcmp(key, "units") == 0)
		return take_units(reply, rest, err);
	if (strcmp(key, "unit") == 0)
		return take_unit(reply, rest, err);
	if (strcmp(key, "thread") == 0)
		return take_thread(reply, rest, err);
	if (strcmp(key, "counter") == 0)
		return take_counter(&reply->answer, rest, err);
	if (strcmp(key, "items") == 0)
		return read_real(rest, &reply->answer.items, err);
	if (strcmp(key, "bytes") == 0)
		return read_real(rest, &reply->answer.bytes, err);
	return take_numbers(&reply->answer, key, rest, err);
}

static enum answer_line finish(struct tare_reply *reply, uint32_t status, const char *reason, struct error *err)
{
	struct tare_answer *a = &reply->answer;
	a->status = status;
	snprintf(a->reason, sizeof(a->reason), "%s", reason ? reason : "");
	if (a->thread_count == 0) {
		a->thread_count = 1;
		reply->threads[0] = (struct tare_thread_times){.wall = a->wall, .cpu = a->cpu, .delay = a->delay};
	}
	return check(reply, err) == 0 ? ANSWER_DONE : ANSWER_BAD;
}

enum answer_line answer_take_line(struct tare_reply *reply, char *line, struct error *err)
{
	char shown[64];
	snprintf(shown, sizeof(shown), "%s", line);
	char *rest = line;
	const char *key = next_word(&rest);
	if (key && strcmp(key, "ok") == 0)
		return finish(reply, TARE_STATUS_OK, NULL, err);
	if (key && strcmp(key, "skip") == 0)
		return finish(reply, TARE_STATUS_SKIPPED, rest, err);
	if (key && strcmp(key, "fail") == 0)
		return finish(reply, TARE_STATUS_FAILED, rest, err);
	if (key && strcmp(key, "error") == 0) {
		error_set(err, ERROR_SUBJECT, "it answers: %s", rest ? rest : "error");
		return ANSWER_BAD;
	}
	if (key && take(reply, key, rest, err) == 0)
		return ANSWER_MORE;
	error_set(err, ERROR_SUBJECT, "it gives an invalid answer: \"%s\"", shown);
	return ANSWER_BAD;
}

char *answer_run_words(const struct tare_grant *grant, char *text, size_t size)
{
	int used = snprintf(text, size, "%" PRIu64, grant->invocations);
	for (size_t i = 0; i < METRIC_WORDS; i++)
		if (grant->metrics & metric_words[i].bit)
			used += snprintf(text + used, size - (size_t)used, " %s", metric_words[i].word);
	for (int i = 0; i < TARE_COUNTER_COUNT; i++)
		if (grant->counters & 1u << i)
			used += snprintf(text + used, size - (size_t)used, " %s", counter_names[i]);
	return text;
}
