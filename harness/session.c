/* SPDX-License-Identifier: MIT */
/* Obeying the controller: one command a line, each answered by lines of information and a last one that says how it
 * went (docs/protocol.md). `go` is `run` with grant and answer in the shared mapping. */
#include "harness/internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const tare_counter_names[] = {
#define TARE_COUNTER_NAME(symbol, name, type, config) name,
	TARE_COUNTERS(TARE_COUNTER_NAME)
#undef TARE_COUNTER_NAME
};

struct tare_talk {
	struct tare_suite *suite;
	struct tare_channel *channel;
	const struct tare_loops *loops;
	struct tare_selected selected; /* instance NULL: none */
	struct tare_reply reply;
};

static const char *tare_better_word(uint32_t better)
{
	return better ? "higher" : "lower";
}

static const char *tare_unit_word(const char *unit)
{
	return unit[0] ? unit : "-";
}

static void tare_put_status(struct tare_talk *talk)
{
	const struct tare_answer *answer = &talk->reply.answer;
	if (answer->status == TARE_STATUS_OK)
		tare_channel_put(talk->channel, "ok\n");
	else
		tare_channel_put(talk->channel, "%s %s\n", answer->status == TARE_STATUS_SKIPPED ? "skip" : "fail",
		                 answer->reason);
}

static void tare_do_list(struct tare_talk *talk)
{
	for (size_t i = 0; i < talk->suite->count; i++) {
		const struct tare_instance *instance = &talk->suite->instances[i];
		const struct tare_options *options = &instance->benchmark->options;
		tare_channel_put(talk->channel, "bench %s\n", instance->name);
		for (size_t k = 0; k < options->parameter_count; k++)
			tare_channel_put(talk->channel, "param %s %s\n", options->parameters[k].name, instance->values[k]);
		for (size_t k = 0; k < options->default_count; k++)
			tare_channel_put(talk->channel, "default %s %s\n", options->defaults[k].option, options->defaults[k].value);
	}
	tare_channel_put(talk->channel, "ok\n");
}

static void tare_do_select(struct tare_talk *talk, const char *name)
{
	struct tare_instance *instance = tare_suite_find(talk->suite, name);
	tare_deselect(&talk->selected);
	if (!instance) {
		tare_channel_put(talk->channel, "error no benchmark is called %s\n", name);
		return;
	}
	tare_select(&talk->selected, instance, &talk->reply);
	if (talk->reply.answer.status != TARE_STATUS_OK)
		tare_deselect(&talk->selected);
	tare_put_status(talk);
}

/* "run 5000 cpu delay cycles": what it does not know it leaves out. -1: no count. */
static int tare_read_run(char *words, struct tare_grant *grant)
{
	char *rest, *end;
	const char *count = strtok_r(words, " ", &rest);
	memset(grant, 0, sizeof(*grant));
	if (!count || count[0] < '0' || count[0] > '9')
		return -1;
	grant->invocations = strtoull(count, &end, 10);
	if (*end)
		return -1;
	for (const char *word = strtok_r(NULL, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		if (strcmp(word, "cpu") == 0)
			grant->metrics |= TARE_HAS_CPU;
		else if (strcmp(word, "delay") == 0)
			grant->metrics |= TARE_HAS_DELAY;
		else if (strcmp(word, "process-cpu") == 0)
			grant->metrics |= TARE_HAS_PROCESS_CPU;
		else if (strcmp(word, "usage") == 0)
			grant->metrics |= TARE_HAS_USAGE;
		for (int i = 0; i < TARE_COUNTER_COUNT; i++)
			if (strcmp(word, tare_counter_names[i]) == 0)
				grant->counters |= 1u << i;
	}
	return 0;
}

static void tare_put_times(struct tare_channel *channel, const struct tare_reply *reply)
{
	const struct tare_answer *a = &reply->answer;
	tare_channel_put(channel, "wall %" PRIu64 "\n", a->wall);
	tare_channel_put(channel, "segments %" PRIu64 "\n", a->segments);
	if (a->present & TARE_HAS_CPU)
		tare_channel_put(channel, "cpu %" PRIu64 "\n", a->cpu);
	if (a->present & TARE_HAS_DELAY)
		tare_channel_put(channel, "delay %" PRIu64 "\n", a->delay);
	if (a->present & TARE_HAS_PROCESS_CPU)
		tare_channel_put(channel, "process-cpu %" PRIu64 "\n", a->process_cpu);
	if (a->present & TARE_HAS_USAGE) {
		tare_channel_put(channel, "faults %" PRIu64 " %" PRIu64 "\n", a->minor_faults, a->major_faults);
		tare_channel_put(channel, "switches %" PRIu64 " %" PRIu64 "\n", a->voluntary_switches, a->involuntary_switches);
	}
	if (a->present & TARE_HAS_CPUS)
		tare_channel_put(channel, "cpus %" PRIu32 " %" PRIu32 "\n", a->cpu_first, a->cpu_last);
	for (uint32_t i = 0; a->thread_count > 1 && i < a->thread_count; i++) {
		const struct tare_thread_times *t = &reply->threads[i];
		tare_channel_put(channel, "thread %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", t->start, t->wall, t->cpu,
		                 t->delay);
	}
	for (int i = 0; i < TARE_COUNTER_COUNT; i++)
		if (a->counters & 1u << i)
			tare_channel_put(channel, "counter %s %" PRIu64 "\n", tare_counter_names[i], a->counter[i]);
	if (a->counters)
		tare_channel_put(channel, "counted %" PRIu64 " %" PRIu64 "\n", a->counter_enabled, a->counter_running);
}

static void tare_put_metrics(struct tare_channel *channel, const struct tare_reply *reply)
{
	const struct tare_answer *a = &reply->answer;
	char number[TARE_REAL_SIZE];
	if (a->items > 0)
		tare_channel_put(channel, "items %s\n", tare_real_text(number, a->items));
	if (a->bytes > 0)
		tare_channel_put(channel, "bytes %s\n", tare_real_text(number, a->bytes));
	for (uint32_t i = 0; i < a->metric_count; i++) {
		const struct tare_metric *m = &reply->metrics[i];
		tare_channel_put(channel, "metric %s %s %s %s\n", m->name, tare_unit_word(m->unit), tare_better_word(m->better),
		                 tare_real_text(number, m->value));
	}
	if (!a->unit_name[0])
		return;
	tare_channel_put(channel, "units %s %s %s %" PRIu64 " %" PRIu32 "\n", a->unit_name, tare_unit_word(a->unit_unit),
	                 tare_better_word(a->unit_better), a->unit_total, a->unit_stride);
	for (uint32_t i = 0; i < a->unit_count; i++)
		tare_channel_put(channel, "unit %s\n", tare_real_text(number, reply->units[i]));
}

static void tare_do_run(struct tare_talk *talk, char *words)
{
	struct tare_grant grant;
	if (!talk->selected.instance || tare_read_run(words, &grant) < 0) {
		tare_channel_put(talk->channel, "error %s\n",
		                 talk->selected.instance ? "run needs a number of invocations" : "no benchmark is selected");
		return;
	}
	tare_iterate(&talk->selected, &grant, &talk->reply);
	if (talk->reply.answer.status == TARE_STATUS_OK) {
		tare_put_times(talk->channel, &talk->reply);
		tare_put_metrics(talk->channel, &talk->reply);
	}
	tare_put_status(talk);
}

static void tare_do_go(struct tare_talk *talk)
{
	struct tare_map *map = talk->channel->map;
	struct tare_grant grant;
	if (!map || !talk->selected.instance) {
		tare_channel_put(talk->channel, "error %s\n", map ? "no benchmark is selected" : "there is no mapping");
		return;
	}
	uint64_t sequence = tare_sequence_load(&map->grant.sequence);
	memcpy(&grant, &map->grant, sizeof(grant));
	if (grant.sequence != sequence || grant.checksum != tare_grant_checksum(&grant)) {
		tare_channel_put(talk->channel, "error the grant in the mapping is damaged\n");
		return;
	}
	struct tare_reply *reply = &talk->reply;
	tare_iterate(&talk->selected, &grant, reply);
	reply->answer.checksum = tare_answer_checksum(reply);
	reply->answer.sequence = 0;
	tare_reply_copy(&map->reply, reply);
	tare_sequence_store(&map->reply.answer.sequence, grant.sequence);
	tare_channel_put(talk->channel, "ok\n");
}

static void tare_do_calibrate(struct tare_talk *talk)
{
	struct tare_overhead overhead;
	char number[TARE_REAL_SIZE];
	tare_calibrate(talk->loops, &overhead);
	tare_channel_put(talk->channel, "resolution %s\n", tare_real_text(number, overhead.resolution));
	tare_channel_put(talk->channel, "fixed %s\n", tare_real_text(number, overhead.fixed_wall));
	tare_channel_put(talk->channel, "fixed-cpu %s\n", tare_real_text(number, overhead.fixed_cpu));
	tare_channel_put(talk->channel, "loop %s\n", tare_real_text(number, overhead.loop));
	tare_channel_put(talk->channel, "loop-limit %s\n", tare_real_text(number, overhead.loop_limit));
	tare_channel_put(talk->channel, "ok\n");
}

/* 0 when the controller wants no more. */
static int tare_obey(struct tare_talk *talk, char *line)
{
	char *space = strchr(line, ' ');
	char *words = space ? space + 1 : line + strlen(line);
	if (space)
		*space = '\0';
	if (strcmp(line, "go") == 0)
		tare_do_go(talk);
	else if (strcmp(line, "run") == 0)
		tare_do_run(talk, words);
	else if (strcmp(line, "tare") == 0)
		tare_channel_put(talk->channel, "tare %d c %s%s\n", TARE_PROTOCOL_VERSION, TARE_VERSION,
		                 talk->channel->map ? " map" : "");
	else if (strcmp(line, "list") == 0)
		tare_do_list(talk);
	else if (strcmp(line, "select") == 0)
		tare_do_select(talk, words);
	else if (strcmp(line, "calibrate") == 0)
		tare_do_calibrate(talk);
	else if (strcmp(line, "end") == 0 || strcmp(line, "quit") == 0) {
		tare_deselect(&talk->selected);
		tare_channel_put(talk->channel, "ok\n");
	} else
		tare_channel_put(talk->channel, "error unknown command %s\n", line);
	return strcmp(line, "quit") != 0;
}

int tare_session(struct tare_suite *suite, struct tare_channel *channel, const struct tare_loops *loops)
{
	struct tare_talk *talk = (struct tare_talk *)tare_allocate(1, sizeof(*talk));
	talk->suite = suite;
	talk->channel = channel;
	talk->loops = loops;
	char *line;
	int more = 1;
	while (more && (line = tare_channel_line(channel)) != NULL) {
		more = tare_obey(talk, line);
		tare_channel_flush(channel);
	}
	tare_deselect(&talk->selected); /* the controller may have died without a word */
	free(talk);
	return more;
}
