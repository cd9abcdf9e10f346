/* One benchmark of a harness program: chosen, granted iterations, left.
 *
 * Nothing that the program sends is believed unread: answers are copied and checked (measure/answer.h), and a claim of
 * more wall time than has passed here is garbage. */
#include "measure/harness_talk.h"

#include "host/clock.h"
#include "host/proc.h"
#include "measure/answer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The reply to a command that is answered by its last line alone. */
static struct harness_outcome simple_answer(struct harness *harness, int64_t deadline, int64_t limit)
{
	char *line;
	struct error err;
	struct harness_outcome result = harness_hear(harness, deadline, limit, &line);
	if (result.end != HARNESS_OK)
		return result;
	if (strcmp(line, "ok") == 0)
		return harness_well();
	if (strncmp(line, "skip", 4) == 0 && (line[4] == ' ' || !line[4]))
		return harness_outcome_of(HARNESS_SKIPPED, 0, "%s", line[4] ? line + 5 : "");
	if (strncmp(line, "fail", 4) == 0 && (line[4] == ' ' || !line[4]))
		return harness_outcome_of(HARNESS_FAILED, 0, "%s", line[4] ? line + 5 : "");
	answer_begin(&harness->reply, &harness->grant);
	if (answer_take_line(&harness->reply, line, &err) == ANSWER_BAD)
		return harness_garbage(harness, err.what);
	return harness_garbage(harness, "it gives an invalid answer");
}

struct harness_outcome harness_select(struct harness *harness, const char *benchmark, int64_t limit)
{
	char line[LINES_MAX];
	int64_t deadline = clock_now(&harness->host) + limit;
	harness->notes = harness->fresh = 0;
	int length = snprintf(line, sizeof(line), "select %s\n", benchmark);
	if (length < 0 || (size_t)length >= sizeof(line))
		return harness_outcome_of(HARNESS_FAILED, 0, "its name is too long");
	struct harness_outcome result = harness_tell(harness, line, limit);
	if (result.end == HARNESS_OK)
		result = simple_answer(harness, deadline, limit);
	if (harness_alive(harness))
		harness_look_at_output(harness);
	return result;
}

struct harness_outcome harness_leave(struct harness *harness, int64_t limit, uint32_t *notes)
{
	int64_t deadline = clock_now(&harness->host) + limit;
	struct harness_outcome result = harness_tell(harness, "end\n", limit);
	if (result.end == HARNESS_OK)
		result = simple_answer(harness, deadline, limit);
	if (harness_alive(harness)) {
		pid_t child;
		harness_look_at_output(harness);
		if (proc_children(&harness->host, harness->program.pid, &child, 1) > 0)
			harness->fresh |= HARNESS_LEFTOVER;
	}
	if (notes)
		*notes = harness->notes | harness->fresh;
	harness->notes = harness->fresh = 0;
	return result;
}

struct harness_outcome harness_grant(struct harness *harness, const struct harness_grant *grant)
{
	harness->grant = (struct tare_grant){
		.sequence = harness->grant.sequence + 1,
		.invocations = grant->invocations,
		.metrics = grant->metrics,
		.counters = grant->counters,
	};
	harness->grant.checksum = tare_grant_checksum(&harness->grant);
	harness->limit = grant->limit;
	harness->granted = clock_now(&harness->host);
	if (harness->maps) {
		struct tare_map *map = harness->shared.place;
		map->grant.invocations = harness->grant.invocations;
		map->grant.metrics = harness->grant.metrics;
		map->grant.counters = harness->grant.counters;
		map->grant.checksum = harness->grant.checksum;
		tare_sequence_store(&map->grant.sequence, harness->grant.sequence);
		return harness_tell(harness, "go\n", grant->limit);
	}
	char words[256], line[300];
	snprintf(line, sizeof(line), "run %s\n", answer_run_words(&harness->grant, words, sizeof(words)));
	return harness_tell(harness, line, grant->limit);
}

/* Reads the answer into harness->reply. */
static struct harness_outcome take_answer(struct harness *harness, int64_t deadline)
{
	struct error err;
	if (harness->maps) {
		struct harness_outcome result = simple_answer(harness, deadline, harness->limit);
		if (result.end != HARNESS_OK)
			return result;
		if (answer_from_map(harness->shared.place, &harness->head, &harness->grant, &harness->reply, &err) != 0)
			return harness_garbage(harness, err.what);
		return harness_well();
	}
	answer_begin(&harness->reply, &harness->grant);
	for (;;) {
		char *line;
		struct harness_outcome result = harness_hear(harness, deadline, harness->limit, &line);
		if (result.end != HARNESS_OK)
			return result;
		enum answer_line taken = answer_take_line(&harness->reply, line, &err);
		if (taken == ANSWER_BAD)
			return harness_garbage(harness, err.what);
		if (taken == ANSWER_DONE)
			return harness_well();
	}
}

static int64_t known(const struct tare_answer *a, uint32_t bit, uint64_t value)
{
	return (a->present & bit) && value <= INT64_MAX ? (int64_t)value : -1;
}

static void fill_sample(const struct harness *harness, int64_t elapsed, struct harness_sample *out)
{
	const struct tare_reply *reply = &harness->reply;
	const struct tare_answer *a = &reply->answer;
	*out = (struct harness_sample){
		.invocations = a->invocations,
		.segments = a->segments,
		.wall = known(a, TARE_HAS_WALL, a->wall),
		.cpu = known(a, TARE_HAS_CPU, a->cpu),
		.delay = known(a, TARE_HAS_DELAY, a->delay),
		.process_cpu = known(a, TARE_HAS_PROCESS_CPU, a->process_cpu),
		.minor_faults = known(a, TARE_HAS_USAGE, a->minor_faults),
		.major_faults = known(a, TARE_HAS_USAGE, a->major_faults),
		.voluntary_switches = known(a, TARE_HAS_USAGE, a->voluntary_switches),
		.involuntary_switches = known(a, TARE_HAS_USAGE, a->involuntary_switches),
		.cpu_first = (int)known(a, TARE_HAS_CPUS, a->cpu_first),
		.cpu_last = (int)known(a, TARE_HAS_CPUS, a->cpu_last),
		.counter_share = NAN,
		.items = a->items,
		.bytes = a->bytes,
		.elapsed = elapsed,
		.threads = reply->threads,
		.thread_count = a->thread_count,
		.metrics = reply->metrics,
		.metric_count = a->metric_count,
		.unit_name = a->unit_name[0] ? a->unit_name : NULL,
		.unit_unit = a->unit_name[0] ? a->unit_unit : NULL,
		.unit_higher_is_better = a->unit_better != 0,
		.unit_total = a->unit_total,
		.unit_stride = a->unit_stride,
		.units = reply->units,
		.unit_count = a->unit_count,
		.notes = harness->fresh,
		.printed = harness->fresh & HARNESS_PRINTED ? harness->printed : "",
	};
	for (int i = 0; i < TARE_COUNTER_COUNT; i++)
		out->counters[i] = a->counters & 1u << i ? (int64_t)a->counter[i] : -1;
	if (a->counters && a->counter_enabled)
		out->counter_share = (double)a->counter_running / (double)a->counter_enabled;
}

struct harness_outcome harness_collect(struct harness *harness, struct harness_sample *out)
{
	struct harness_outcome result = take_answer(harness, harness->granted + harness->limit);
	int64_t elapsed = clock_now(&harness->host) - harness->granted;
	if (result.end != HARNESS_OK)
		return result;
	harness_look_at_output(harness);
	harness_look_at_cpus(harness);
	const struct tare_answer *a = &harness->reply.answer;
	if (a->status != TARE_STATUS_OK)
		return harness_outcome_of(a->status == TARE_STATUS_SKIPPED ? HARNESS_SKIPPED : HARNESS_FAILED, 0, "%s",
		                          a->reason);
	/* Another clock than ours may run a little faster. */
	if ((double)a->wall > 1.01 * (double)elapsed + 1e7)
		return harness_garbage(harness, "it claims more time than has passed");
	fill_sample(harness, elapsed, out);
	harness->notes |= harness->fresh;
	harness->fresh = 0;
	return harness_well();
}

struct harness_outcome harness_iterate(struct harness *harness, const struct harness_grant *grant,
                                       struct harness_sample *out)
{
	struct harness_outcome result = harness_grant(harness, grant);
	return result.end == HARNESS_OK ? harness_collect(harness, out) : result;
}

static double per_invocation(const struct harness_sample *sample, int64_t time, double fixed, double loop)
{
	if (time < 0 || sample->invocations == 0)
		return NAN;
	double invocations = (double)sample->invocations;
	double rest = (double)time - fixed - loop * invocations;
	return rest > 0 ? rest / invocations : 0;
}

double harness_wall_per_invocation(const struct harness_sample *sample, const struct harness_overhead *overhead)
{
	double starts = (double)sample->segments / (double)sample->thread_count; /* of one thread */
	return per_invocation(sample, sample->wall, starts * overhead->fixed_wall, overhead->loop);
}

double harness_cpu_per_invocation(const struct harness_sample *sample, const struct harness_overhead *overhead)
{
	double threads = (double)sample->thread_count; /* the CPU time is the sum over them */
	return per_invocation(sample, sample->cpu, (double)sample->segments * overhead->fixed_cpu,
	                      threads * overhead->loop);
}
