/* From gauges to what they mean: what was near its limit, whether that is what was to be measured, and the traces.
 *
 * A component is near its limit when a gauge of its use is above the limit for longer than `hold` of measured time, or
 * for half of it where less was measured in all, or is above it on the average of the whole. Not every busy thing
 * limits: a CPU that the measured commands are not bound to, or hardly want, may be busy with anyone's work, and a
 * command that the quota of its group stops looks as if it wanted a CPU. */
#include "monitor/internal.h"

#include "base/buffer.h"
#include "base/format.h"
#include "monitor/graph.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS_STORED = 120, USES_STORED = 24, OTHERS_STORED = 24, SATURATIONS_STORED = 16 };

struct judging {
	struct monitor *monitor;
	const struct monitor_question *question;
	struct arena *arena;
	struct monitoring *out;
	double hold; /* seconds of measured time */
	int *near;   /* gauges above the limit for long enough, the busiest first */
	size_t near_count;
};

/* The number of "cpu12"; -1: not a single CPU. */
static int single_cpu(const char *component)
{
	char *end;
	if (strncmp(component, "cpu", 3) != 0 || !component[3])
		return -1;
	long number = strtol(component + 3, &end, 10);
	return *end ? -1 : (int)number;
}

static bool is_memory(const char *component)
{
	return strcmp(component, "memory") == 0;
}

/* How much of a CPU the commands wanted; NaN: not known. */
static double wanted_cpu(const struct judging *judging)
{
	const struct gauges *gauges = &judging->monitor->gauges;
	int index = gauges_find(gauges, "cpu", "wanted");
	return index == GAUGES_NONE ? NAN : gauge_any_mean(&gauges->gauges[index]);
}

/* Whether a gauge can say what limits the measured commands. */
static bool matters(const struct judging *judging, const struct gauge *gauge)
{
	int cpu = single_cpu(gauge->component);
	const struct cpuset *pinned = judging->question->pinned;
	if (gauge->kind != GAUGE_USE)
		return false;
	/* CPUs that others keep busy do not limit commands that do not want one all the time. Who names something else as
	 * under test wants to hear of them. */
	const char *cut = judging->question->cut;
	bool other = cut && !component_is("cpu", cut) && !component_is(cut, "cpu");
	bool busy_with_memory = is_memory(gauge->component) && strcmp(gauge->quantity, "pace") == 0;
	if (busy_with_memory && !(wanted_cpu(judging) > judging->monitor->options.limit))
		return false; /* whoever waits for something else does not wait for memory, however fast it is when it runs */
	if (component_is(gauge->component, "cpu") && wanted_cpu(judging) <= judging->monitor->options.limit && !other)
		return strcmp(gauge->quantity, "wanted") == 0;
	return cpu < 0 || (pinned && cpuset_has(pinned, cpu));
}

static bool is_near(const struct judging *judging, const struct gauge *gauge)
{
	/* A limit that lets through in bursts is met on the whole and not at every moment. */
	bool on_the_whole = gauge_mean(gauge) > judging->monitor->options.limit && gauge->above_total >= judging->hold;
	if (gauge->weight > 0)
		return gauge->longest_weight >= judging->hold || on_the_whole;
	return gauge->earlier_weight > 0 && gauge->earlier_mean > judging->monitor->options.limit;
}

/* Limits that are set come before what they make look busy, memory before the CPU that waits for it; then the higher
 * mean. */
static bool comes_before(const struct gauge *a, const struct gauge *b)
{
	bool group_a = strncmp(a->component, "cgroup:", 7) == 0, group_b = strncmp(b->component, "cgroup:", 7) == 0;
	if (group_a != group_b)
		return group_a;
	if (is_memory(a->component) && component_is(b->component, "cpu"))
		return true;
	if (component_is(a->component, "cpu") && is_memory(b->component))
		return false;
	return gauge_any_mean(a) > gauge_any_mean(b);
}

static int find_near(struct judging *judging, struct error *err)
{
	const struct gauges *gauges = &judging->monitor->gauges;
	judging->near = arena_alloc(judging->arena, (size_t)gauges->count + 1, sizeof(*judging->near));
	if (!judging->near)
		return error_memory(err);
	for (int i = 0; i < gauges->count; i++) {
		const struct gauge *gauge = &gauges->gauges[i];
		if (!matters(judging, gauge) || !is_near(judging, gauge))
			continue;
		size_t at = judging->near_count++;
		for (; at > 0 && comes_before(gauge, &gauges->gauges[judging->near[at - 1]]); at--)
			judging->near[at] = judging->near[at - 1];
		judging->near[at] = i;
	}
	return 0;
}

/* Whether `b` is busy only because `a` limits, or they are one thing. */
static bool explains(const struct graph *graph, const char *a, const char *b)
{
	if (strcmp(a, b) == 0 || graph_same_way(graph, a, b) || (component_is(a, "cpu") && component_is(b, "cpu")))
		return true;
	if (component_is(b, "cpu") && is_memory(a))
		return true;
	return strcmp(a, "cgroup:cpu") == 0 && (component_is(b, "cpu") || is_memory(b));
}

static int keep_saturations(struct judging *judging, const char *under_test, struct error *err)
{
	struct monitoring *out = judging->out;
	const struct gauges *gauges = &judging->monitor->gauges;
	size_t count = judging->near_count < SATURATIONS_STORED ? judging->near_count : SATURATIONS_STORED;
	out->saturations = arena_alloc(judging->arena, count + 1, sizeof(*out->saturations));
	if (!out->saturations)
		return error_memory(err);
	for (size_t i = 0; i < count; i++) {
		const struct gauge *gauge = &gauges->gauges[judging->near[i]];
		struct saturation *one = &out->saturations[i];
		one->component = arena_strdup(judging->arena, gauge->component);
		one->quantity = arena_strdup(judging->arena, gauge->quantity);
		if (!one->component || !one->quantity)
			return error_memory(err);
		bool kept = gauge->weight > 0;
		one->from = kept ? (double)(gauge->longest_from - gauges->begin) / 1e9 : NAN;
		one->seconds = kept ? gauge->longest_weight : gauge->earlier_weight;
		one->mean = kept ? gauge->longest_sum / gauge->longest_weight : gauge->earlier_mean;
		one->peak = kept ? gauge->longest_peak : gauge->earlier_peak;
		one->under_test = under_test && (component_is(gauge->component, under_test) ||
		                                 explains(&out->graph, under_test, gauge->component));
	}
	out->saturation_count = count;
	return 0;
}

static void say_saturation(const struct saturation *one, struct buffer *text)
{
	char a[FORMAT_MAX], b[FORMAT_MAX];
	buffer_printf(text, "%s (%s) at %.0f %%, up to %.0f %%, ", one->component, one->quantity, one->mean * 100,
	              one->peak * 100);
	if (isnan(one->from))
		buffer_text_add(text, "in the trial rounds");
	else
		buffer_printf(text, "for %s s from %s s on", format_significant(a, sizeof(a), one->seconds, 2),
		              format_fixed(b, sizeof(b), one->from, 1));
}

/* The highest use of what matters, for "nothing was near its limit". */
static const struct gauge *highest_use(const struct judging *judging)
{
	const struct gauges *gauges = &judging->monitor->gauges;
	const struct gauge *highest = NULL;
	for (int i = 0; i < gauges->count; i++) {
		const struct gauge *gauge = &gauges->gauges[i];
		if (matters(judging, gauge) && !isnan(gauge_any_mean(gauge)) &&
		    (!highest || gauge_any_mean(gauge) > gauge_any_mean(highest)))
			highest = gauge;
	}
	return highest;
}

/* CPUs that are busy and do not matter: the page shows them at 100 %, so the sentence says why that is no limit. */
static void say_busy_with_others(const struct judging *judging, struct buffer *text)
{
	const struct gauges *gauges = &judging->monitor->gauges;
	int index = gauges_find(gauges, "cpu", "busy");
	const struct gauge *busy = index == GAUGES_NONE ? NULL : &gauges->gauges[index];
	if (busy && !matters(judging, busy) && gauge_any_mean(busy) > judging->monitor->options.limit)
		buffer_printf(text,
		              "other programs kept the CPUs busy (%.0f %%) and the commands wanted %.0f %%; apart from that ",
		              gauge_any_mean(busy) * 100, wanted_cpu(judging) * 100);
}

static void say_nothing_near(const struct judging *judging, struct buffer *text)
{
	const struct gauge *highest = highest_use(judging);
	double limit = judging->monitor->options.limit * 100;
	say_busy_with_others(judging, text);
	buffer_printf(text, "nothing that is watched was above %.0f %%", limit);
	if (highest)
		buffer_printf(text, "; the highest was %s (%s) with a mean of %.0f %%", highest->component, highest->quantity,
		              gauge_any_mean(highest) * 100);
	if (judging->question->cut)
		buffer_printf(text,
		              ": %s does not limit, something else does (waiting for time, locks, latency, another machine)",
		              judging->question->cut);
}

/* What else than the component under test was near its limit. */
static size_t count_others(const struct monitoring *out)
{
	size_t others = 0;
	for (size_t i = 0; i < out->saturation_count; i++)
		others += !out->saturations[i].under_test;
	return others;
}

static void say_invalid(const struct monitoring *out, const char *under_test, struct buffer *text)
{
	size_t said = 0;
	buffer_printf(text, "%s is under test, but other things were near their limit: ", under_test);
	for (size_t i = 0; i < out->saturation_count; i++) {
		if (out->saturations[i].under_test)
			continue;
		if (said == 3) {
			buffer_printf(text, "; %zu more", count_others(out) - said);
			break;
		}
		buffer_text_add(text, said++ ? "; " : "");
		say_saturation(&out->saturations[i], text);
	}
}

/* Whether a CPU computes or waits. */
static void say_memory(const struct judging *judging, struct buffer *text)
{
	const struct gauges *gauges = &judging->monitor->gauges;
	int index = gauges_find(gauges, "memory", "pace");
	double pace = index == GAUGES_NONE ? NAN : gauge_any_mean(&gauges->gauges[index]);
	if (!isnan(pace))
		buffer_printf(text, "; memory at %.0f %% of its pace", pace * 100);
	else if (judging->monitor->no_traffic)
		buffer_printf(text, " (computing or waiting for memory: %s)", judging->monitor->no_traffic);
}

static int conclude(struct judging *judging, struct error *err)
{
	struct monitoring *out = judging->out;
	const struct gauges *gauges = &judging->monitor->gauges;
	const char *cut = judging->question->cut;
	const char *first = judging->near_count ? gauges->gauges[judging->near[0]].component : NULL;
	struct buffer text = {0};
	if (keep_saturations(judging, cut ? cut : first, err) != 0)
		return -1;
	out->limiting = out->saturation_count ? out->saturations[0].component : NULL;
	if (out->saturation_count == 0) {
		out->verdict = MONITOR_NOTHING;
		say_nothing_near(judging, &text);
	} else if (count_others(out) > 0) {
		out->verdict = MONITOR_INVALID;
		say_invalid(out, cut ? cut : first, &text);
	} else {
		out->verdict = cut ? MONITOR_AS_MEANT : MONITOR_LIMITED;
		buffer_text_add(&text, "limited by ");
		say_saturation(&out->saturations[0], &text);
		if (component_is(out->saturations[0].component, "cpu"))
			say_memory(judging, &text);
	}
	out->text = buffer_error(&text, err) == 0 ? arena_strdup(judging->arena, buffer_text(&text)) : NULL;
	buffer_release(&text);
	return out->text ? 0 : error_memory(err);
}

/* Four digits are more than a trace deserves, and a fifth of the size of all of them. */
static double rounded(double value)
{
	char text[FORMAT_MAX];
	return isfinite(value) ? strtod(format_significant(text, sizeof(text), value, 4), NULL) : NAN;
}

/* Slots of `step` of the gauge's own. */
static int store_trace(const struct judging *judging, int index, size_t step, struct error *err)
{
	const struct gauges *gauges = &judging->monitor->gauges;
	const struct gauge *gauge = &gauges->gauges[index];
	struct monitoring *out = judging->out;
	const float *means = gauges->means + (size_t)index * GAUGES_SLOTS,
				*peaks = gauges->peaks + (size_t)index * GAUGES_SLOTS;
	struct trace *trace = &out->traces[out->trace_count];
	*trace = (struct trace){.component = arena_strdup(judging->arena, gauge->component),
	                        .quantity = arena_strdup(judging->arena, gauge->quantity),
	                        .unit = arena_strdup(judging->arena, gauge->unit),
	                        .kind = gauge->kind,
	                        .mean = rounded(gauge_mean(gauge)),
	                        .peak = rounded(gauge->peak),
	                        .values = arena_alloc(judging->arena, out->slots + 1, sizeof(double)),
	                        .peaks = arena_alloc(judging->arena, out->slots + 1, sizeof(double))};
	if (!trace->component || !trace->quantity || !trace->unit || !trace->values || !trace->peaks)
		return error_memory(err);
	for (size_t s = 0; s < out->slots; s++) {
		double sum = 0, peak = NAN;
		size_t n = 0;
		for (size_t i = s * step; i < (s + 1) * step && i < gauges->slot; i++) {
			if (isnan(means[i]))
				continue;
			sum += (double)means[i];
			peak = fmax(peak, (double)peaks[i]);
			n++;
		}
		trace->values[s] = n ? rounded(sum / (double)n) : NAN;
		trace->peaks[s] = rounded(peak);
	}
	out->trace_count++;
	return 0;
}

/* How much a gauge is worth keeping: of uses the peak; of others only what moved, of all CPUs together and of
 * devices. */
static double worth(const struct judging *judging, const struct gauge *gauge)
{
	if (isnan(gauge->peak) || gauge->weight <= 0)
		return -1;
	if (gauge->kind == GAUGE_USE)
		return gauge->peak >= 0.05 ? gauge->peak + (matters(judging, gauge) ? 1 : 0) : -1;
	if (single_cpu(gauge->component) >= 0 || strncmp(gauge->component, "fs:", 3) == 0)
		return -1;
	if (gauge->kind == GAUGE_SHARE)
		return gauge->peak >= 0.01 ? gauge->peak : -1;
	return gauge->peak > 0 ? 0.5 : -1;
}

static int keep_traces(struct judging *judging, struct error *err)
{
	const struct gauges *gauges = &judging->monitor->gauges;
	struct monitoring *out = judging->out;
	size_t step = (gauges->slot + SLOTS_STORED - 1) / SLOTS_STORED;
	bool *kept = arena_alloc(judging->arena, (size_t)gauges->count + 1, sizeof(*kept));
	step = step ? step : 1;
	out->slots = (gauges->slot + step - 1) / step;
	out->slot = (double)gauges->slot_length / 1e9 * (double)step;
	out->traces = arena_alloc(judging->arena, USES_STORED + OTHERS_STORED, sizeof(*out->traces));
	if (!out->traces || !kept)
		return error_memory(err);
	for (int use = 1; use >= 0; use--) {
		for (size_t n = 0; n < (use ? (size_t)USES_STORED : (size_t)OTHERS_STORED); n++) {
			int best = -1;
			double most = 0;
			for (int i = 0; i < gauges->count; i++) {
				const struct gauge *gauge = &gauges->gauges[i];
				double value = kept[i] || (gauge->kind == GAUGE_USE) != use ? -1 : worth(judging, gauge);
				if (value > most) {
					most = value;
					best = i;
				}
			}
			if (best < 0)
				break;
			kept[best] = true;
			if (store_trace(judging, best, step, err) != 0)
				return -1;
		}
	}
	for (int i = 0; i < gauges->count; i++)
		out->traces_left_out += !kept[i] && worth(judging, &gauges->gauges[i]) > 0;
	return 0;
}

static int keep_unseen(struct judging *judging, struct error *err)
{
	struct monitor *monitor = judging->monitor;
	struct monitoring *out = judging->out;
	plugin_say_unseen(monitor);
	touch_say_unseen(monitor);
	if (monitor->process.no_syscall)
		monitor_say_unseen(monitor, "what the commands wait for: /proc/PID/syscall may not be read");
	if (monitor->gauges.refused)
		monitor_say_unseen(monitor, "%d gauges of devices that appeared later: there was no room for them",
		                   monitor->gauges.refused);
	out->unseen = arena_alloc(judging->arena, monitor->unseen_count + 1, sizeof(*out->unseen));
	if (!out->unseen)
		return error_memory(err);
	for (; out->unseen_count < monitor->unseen_count; out->unseen_count++)
		if (!(out->unseen[out->unseen_count] = arena_strdup(judging->arena, monitor->unseen[out->unseen_count])))
			return error_memory(err);
	return 0;
}

/* The longest time that any gauge was measured: that of the trials. */
static double measured_seconds(const struct gauges *gauges)
{
	double longest = 0;
	for (int i = 0; i < gauges->count; i++)
		longest = fmax(longest, gauges->gauges[i].weight);
	return longest;
}

int monitor_end(struct monitor *monitor, const struct monitor_question *question, struct arena *arena,
                struct monitoring *out, struct error *err)
{
	struct judging judging = {.monitor = monitor, .question = question, .arena = arena, .out = out};
	monitor_rest(monitor);
	gauges_finish(&monitor->gauges);
	judging.hold = fmin(monitor->options.hold, measured_seconds(&monitor->gauges) / 2);
	out->recorded = true;
	out->limit = monitor->options.limit;
	out->hold = monitor->options.hold;
	out->cut = question->cut ? arena_strdup(arena, question->cut) : NULL;
	out->samples = monitor->gauges.samples;
	out->cost = monitor_cost(monitor);
	if (question->cut && !out->cut)
		return error_memory(err);
	if (find_near(&judging, err) != 0 || conclude(&judging, err) != 0 || keep_traces(&judging, err) != 0)
		return -1;
	return keep_unseen(&judging, err);
}
