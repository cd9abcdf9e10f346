/* SPDX-License-Identifier: MIT */
/* One iteration: the benchmark function called once, its loop timed.
 *
 * States of a context: idle → ready (function called) → timing ⇄ paused → done. What is timed lies between the last
 * statement of tare_clock_start and the first of tare_more or tare_pause: the loop and half of each of two clock reads.
 * CPU clock, schedstat, usage and counters are read outside it, on both sides in mirrored order. */
#include "harness/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void tare_clock_start(struct tare *t)
{
	t->segments++;
	t->state = TARE_TIMING;
	if (t->metrics & TARE_HAS_CPU)
		t->cpu_started = tare_thread_cpu();
	clock_gettime(CLOCK_MONOTONIC, &t->started);
}

static void tare_clock_stop(struct tare *t, const struct timespec *now)
{
	if (t->metrics & TARE_HAS_CPU)
		t->cpu += tare_thread_cpu() - t->cpu_started;
	t->wall += tare_nanoseconds(&t->started, now);
	if (t->segments == 1)
		t->first_start = t->started;
	t->last_end = *now;
	t->state = TARE_PAUSED;
}

/* The next invocations for the loop, set up. */
static uint64_t tare_next_batch(struct tare *t)
{
	const struct tare_options *options = &t->instance->benchmark->options;
	uint64_t batch = t->left;
	if (options->batch && options->batch < batch)
		batch = options->batch;
	t->left -= batch;
	if (batch && options->invocation.set_up)
		options->invocation.set_up(t);
	return t->status == TARE_STATUS_NONE ? batch : 0;
}

uint64_t tare_begin(struct tare *t)
{
	if (t->state != TARE_READY) {
		tare_fail(t, t->state == TARE_IDLE ? "a TARE_LOOP is outside the benchmark's own function"
		                                   : "it has more than one TARE_LOOP");
		return 0;
	}
	if (t->status != TARE_STATUS_NONE)
		return 0;
	t->left = t->invocations;
	uint64_t batch = tare_next_batch(t);
	if (t->status != TARE_STATUS_NONE)
		return 0;
	if (t->pool)
		tare_pool_meet(t->pool, 1);
	else
		tare_counters_start(t);
	tare_reading_before(t);
	tare_clock_start(t);
	return batch;
}

uint64_t tare_more(struct tare *t)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (t->state == TARE_PAUSED)
		tare_fail(t, "the loop ended between tare_pause and tare_resume");
	if (t->state != TARE_TIMING)
		return 0;
	const struct tare_options *options = &t->instance->benchmark->options;
	tare_clock_stop(t, &now);
	if (t->left == 0 || t->status != TARE_STATUS_NONE) {
		tare_reading_after(t);
		tare_counters_stop(t);
	}
	if (t->invocations && options->invocation.tear_down)
		options->invocation.tear_down(t);
	uint64_t batch = t->left && t->status == TARE_STATUS_NONE ? tare_next_batch(t) : 0;
	if (batch)
		tare_clock_start(t);
	else
		t->state = TARE_DONE;
	return batch;
}

void tare_pause(struct tare *t)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (t->state == TARE_TIMING)
		tare_clock_stop(t, &now);
	else
		tare_fail(t, "tare_pause outside the loop, or twice");
}

void tare_resume(struct tare *t)
{
	if (t->state == TARE_PAUSED)
		tare_clock_start(t);
	else
		tare_fail(t, "tare_resume without tare_pause");
}

/* Calls a function of the benchmark, if it has it. A child that this makes must not come back as if it were the suite. */
static void tare_enter(struct tare *t, tare_function function)
{
	pid_t before = getpid();
	if (function)
		function(t);
	if (getpid() != before)
		_exit(0);
}

void tare_call(struct tare *t)
{
	t->state = TARE_READY;
	tare_enter(t, t->instance->benchmark->registration->function);
	if (t->state == TARE_READY && t->status == TARE_STATUS_NONE)
		tare_fail(t, "its function has no TARE_LOOP");
	if (t->state == TARE_READY && t->pool)
		tare_pool_meet(t->pool, 0);
	if (t->state == TARE_TIMING || t->state == TARE_PAUSED)
		tare_fail(t, "its loop was left early, by break, return or goto");
	if (t->status != TARE_STATUS_NONE)
		tare_counters_stop(t); /* a loop that did not come to its end may have left them running */
	t->state = TARE_IDLE;
}

static void tare_reset(struct tare *t, const struct tare_grant *grant)
{
	t->metrics = grant->metrics;
	t->counters_wanted = grant->counters;
	t->counters = 0;
	t->invocations = grant->invocations;
	t->left = 0;
	t->state = TARE_IDLE;
	t->status = TARE_STATUS_NONE;
	t->reason[0] = '\0';
	t->wall = t->cpu = t->segments = 0;
	t->items = t->bytes = 0;
	t->report_count = 0;
	t->unit_count = 0;
	t->unit_stride = 1;
	t->unit_total = 0;
}

/* What the threads have in common: a value that one of them lacks is not known. */
static uint32_t tare_present(const struct tare_selected *selected)
{
	uint32_t present = TARE_HAS_WALL | TARE_HAS_CPU | TARE_HAS_DELAY | TARE_HAS_USAGE | TARE_HAS_PROCESS_CPU |
	                   TARE_HAS_CPUS;
	for (unsigned i = 0; i < selected->instance->threads; i++) {
		const struct tare *t = &selected->contexts[i];
		uint32_t known = t->before.present & t->after.present;
		if (i > 0)
			known |= TARE_HAS_PROCESS_CPU; /* read by the first thread alone */
		known |= TARE_HAS_WALL | (t->metrics & TARE_HAS_CPU);
		if (t->segments != 1) /* these would hold the untimed parts too */
			known &= (uint32_t)(TARE_HAS_WALL | TARE_HAS_CPU | TARE_HAS_CPUS);
		present &= known;
	}
	return present;
}

static void tare_collect_thread(struct tare_reply *reply, const struct tare *t, const struct timespec *first_start)
{
	struct tare_answer *answer = &reply->answer;
	struct tare_thread_times *times = &reply->threads[t->thread];
	times->start = tare_nanoseconds(first_start, &t->first_start);
	times->wall = t->wall;
	times->cpu = t->cpu;
	times->delay = t->after.delay - t->before.delay;
	answer->segments += t->segments;
	answer->cpu += times->cpu;
	answer->delay += times->delay;
	answer->minor_faults += t->after.minor_faults - t->before.minor_faults;
	answer->major_faults += t->after.major_faults - t->before.major_faults;
	answer->voluntary_switches += t->after.voluntary_switches - t->before.voluntary_switches;
	answer->involuntary_switches += t->after.involuntary_switches - t->before.involuntary_switches;
	answer->items += t->items * (double)t->invocations;
	answer->bytes += t->bytes * (double)t->invocations;
}

static int tare_is_earlier(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec < b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec < b->tv_nsec);
}

static void tare_collect_times(const struct tare_selected *selected, struct tare_reply *reply)
{
	struct tare_answer *answer = &reply->answer;
	const struct tare *contexts = selected->contexts;
	const struct tare *first = contexts;
	const struct tare *last = contexts;
	unsigned threads = selected->instance->threads;
	uint64_t longest = 0;
	for (unsigned i = 0; i < threads; i++) {
		if (tare_is_earlier(&contexts[i].first_start, &first->first_start))
			first = &contexts[i];
		if (tare_is_earlier(&last->last_end, &contexts[i].last_end))
			last = &contexts[i];
		if (contexts[i].wall > longest)
			longest = contexts[i].wall;
	}
	for (unsigned i = 0; i < threads; i++)
		tare_collect_thread(reply, &contexts[i], &first->first_start);
	answer->thread_count = threads;
	/* With untimed parts the span from start to end says nothing; the slowest thread does. */
	answer->wall = answer->segments == threads ? tare_nanoseconds(&first->first_start, &last->last_end) : longest;
	answer->process_cpu = contexts[0].after.process_cpu - contexts[0].before.process_cpu;
	answer->cpu_first = contexts[0].before.cpu_number;
	answer->cpu_last = contexts[0].after.cpu_number;
	answer->present = tare_present(selected);
}

static void tare_collect_units(const struct tare_selected *selected, struct tare_reply *reply)
{
	const struct tare_options *options = &selected->instance->benchmark->options;
	struct tare_answer *answer = &reply->answer;
	if (!options->unit_name[0])
		return;
	memcpy(answer->unit_name, options->unit_name, sizeof(answer->unit_name));
	memcpy(answer->unit_unit, options->unit_unit, sizeof(answer->unit_unit));
	answer->unit_better = options->unit_better == TARE_HIGHER;
	answer->unit_stride = 1;
	for (unsigned i = 0; i < selected->instance->threads; i++)
		if (selected->contexts[i].unit_stride > answer->unit_stride)
			answer->unit_stride = selected->contexts[i].unit_stride;
	for (unsigned i = 0; i < selected->instance->threads; i++) {
		struct tare *t = &selected->contexts[i];
		while (t->unit_stride < answer->unit_stride)
			tare_units_thin(t);
		memcpy(reply->units + answer->unit_count, t->units, t->unit_count * sizeof(*t->units));
		answer->unit_count += t->unit_count;
		answer->unit_total += t->unit_total;
	}
}

/* The first thread that has something to say speaks for all. */
static void tare_collect_status(const struct tare_selected *selected, struct tare_answer *answer)
{
	answer->status = TARE_STATUS_OK;
	for (unsigned i = 0; i < selected->instance->threads; i++) {
		const struct tare *t = &selected->contexts[i];
		if (t->status == TARE_STATUS_NONE)
			continue;
		answer->status = t->status;
		memcpy(answer->reason, t->reason, sizeof(answer->reason));
		return;
	}
}

void tare_iterate(struct tare_selected *selected, const struct tare_grant *grant, struct tare_reply *reply)
{
	struct tare *t = selected->contexts;
	const struct tare_options *options = &selected->instance->benchmark->options;
	struct tare_answer *answer = &reply->answer;
	memset(answer, 0, sizeof(*answer));
	for (unsigned i = 0; i < selected->instance->threads; i++)
		tare_reset(&selected->contexts[i], grant);
	tare_enter(t, options->iteration.set_up);
	if (t->status == TARE_STATUS_NONE) {
		if (selected->pool)
			tare_pool_run(selected->pool);
		else
			tare_call(t);
		tare_enter(t, options->iteration.tear_down);
	}
	answer->sequence = grant->sequence;
	answer->invocations = grant->invocations;
	tare_collect_status(selected, answer);
	if (answer->status == TARE_STATUS_OK) {
		tare_collect_times(selected, reply);
		tare_counters_collect(t, answer);
		tare_collect_units(selected, reply);
		answer->metric_count = t->report_count;
		memcpy(reply->metrics, t->reports, t->report_count * sizeof(*t->reports));
	}
	fflush(stdout); /* so that what a benchmark prints is laid at its own door */
}

void tare_select(struct tare_selected *selected, struct tare_instance *instance, struct tare_reply *reply)
{
	struct tare_grant nothing;
	memset(&nothing, 0, sizeof(nothing));
	memset(selected, 0, sizeof(*selected));
	memset(&reply->answer, 0, sizeof(reply->answer));
	const struct tare_options *options = &instance->benchmark->options;
	selected->instance = instance;
	selected->contexts = (struct tare *)tare_allocate(instance->threads, sizeof(*selected->contexts));
	instance->data = NULL;
	for (unsigned i = 0; i < instance->threads; i++) {
		struct tare *t = &selected->contexts[i];
		t->instance = instance;
		t->thread = i;
		t->schedstat = -2;
		tare_counters_init(t);
		if (options->unit_name[0]) {
			t->unit_capacity = TARE_UNITS_MAX / instance->threads;
			t->units = (double *)tare_allocate(t->unit_capacity, sizeof(*t->units));
		}
		tare_reset(t, &nothing);
	}
	if (instance->threads > 1) {
		selected->pool = tare_pool_start(selected->contexts, instance->threads);
		if (!selected->pool)
			tare_fail(selected->contexts, "the system gives no %u threads", instance->threads);
	}
	if (selected->contexts->status == TARE_STATUS_NONE)
		tare_enter(selected->contexts, options->run.set_up);
	selected->up = selected->contexts->status == TARE_STATUS_NONE;
	tare_collect_status(selected, &reply->answer);
}

void tare_deselect(struct tare_selected *selected)
{
	if (!selected->instance)
		return;
	const struct tare_options *options = &selected->instance->benchmark->options;
	if (selected->up)
		tare_enter(selected->contexts, options->run.tear_down);
	tare_pool_stop(selected->pool);
	for (unsigned i = 0; i < selected->instance->threads; i++) {
		struct tare *t = &selected->contexts[i];
		if (t->schedstat >= 0)
			close(t->schedstat);
		tare_counters_close(t);
		free(t->units);
	}
	free(selected->contexts);
	memset(selected, 0, sizeof(*selected));
}
