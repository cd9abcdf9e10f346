/* What happened between two looks at the machine, and what was not the same at the end.
 *
 * The current frequency is recorded and never warned of: an idle CPU rests at a low one before the first run. What
 * the kernel allows, who governs it, and how often heat slowed a CPU do tell. The load average rises by our own
 * runs, by own·(1 − exp(−t/60 s)); only what goes beyond that is a jump. */
#include "measure/disturbance.h"

#include "base/buffer.h"
#include "base/format.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const double load_memory = 60; /* seconds over which the load average forgets */
static const double clock_step = 0.1; /* seconds: more than a slow correction moves the clock in any measurement */
static const double slow_correction = 5e-4; /* of the time: the most that the kernel slews a clock */

void disturbance_begin(struct disturbance_watch *watch, const struct host *host, const int *cpus, size_t count)
{
	watch->cpu_count = count < 2 ? count : 2;
	memcpy(watch->cpus, cpus, watch->cpu_count * sizeof(*cpus));
	moment_take(host, watch->cpus, watch->cpu_count, &watch->before);
}

static double seconds_between(const struct moment *before, const struct moment *after)
{
	return (double)(after->at - before->at) / 1e9;
}

/* The growth of a count; NaN where it is not known at either end. */
static double growth(int64_t before, int64_t after)
{
	return before < 0 || after < before ? NAN : (double)(after - before);
}

static double known(int64_t number)
{
	return number < 0 ? NAN : (double)number;
}

static void fill_pressure(const struct moment *before, const struct moment *after, struct disturbance *out)
{
	double *shares[MOMENT_PRESSURES] = {&out->pressure_cpu, &out->pressure_io, &out->pressure_memory};
	double seconds = seconds_between(before, after);
	for (int i = 0; i < MOMENT_PRESSURES; i++)
		*shares[i] = seconds > 0 ? fmin(growth(before->waited[i], after->waited[i]) / 1e6 / seconds, 1) : NAN;
	/* fmin() takes the number where the other is not one. */
	for (int i = 0; i < MOMENT_PRESSURES; i++)
		if (before->waited[i] < 0 || after->waited[i] < 0)
			*shares[i] = NAN;
	out->pressure_why = "this kernel does not report it (/proc/pressure needs PSI)";
}

static void fill(const struct moment *before, const struct moment *after, struct disturbance *out)
{
	out->recorded = true;
	out->load_start = before->load;
	out->load_end = after->load;
	out->load_why = "/proc/loadavg cannot be read";
	out->steal = before->has_cpu_times && after->has_cpu_times ? info_steal(&before->cpu_times, &after->cpu_times)
	                                                           : NAN;
	out->steal_why = before->has_cpu_times ? "too short a time" : "/proc/stat cannot be read";
	fill_pressure(before, after, out);
	out->throttled_periods = growth(before->throttled, after->throttled);
	out->throttled_seconds = growth(before->throttled_time, after->throttled_time) / 1e9;
	out->throttled_why = "the control group does not report it";
	out->slowed_by_heat = growth(before->slowed_by_heat, after->slowed_by_heat);
	out->heat_why = "this CPU does not tell";
	out->frequency_start = known(before->frequency);
	out->frequency_end = known(after->frequency);
	out->frequency_why = "this machine does not tell";
}

static void say(struct buffer *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(struct buffer *text, const char *format, ...)
{
	va_list args;
	char sentence[400];
	va_start(args, format);
	vsnprintf(sentence, sizeof(sentence), format, args);
	va_end(args);
	buffer_printf(text, "%s%s", text->length ? "; " : "", sentence);
}

static void compare_speed(const struct moment *before, const struct moment *after, struct buffer *text)
{
	char a[FORMAT_MAX], b[FORMAT_MAX];
	if (strcmp(before->governor, after->governor) != 0)
		say(text, "the frequency governor was '%.40s' and is '%.40s'", before->governor, after->governor);
	if (before->highest_frequency > 0 && after->highest_frequency > 0 &&
	    before->highest_frequency != after->highest_frequency)
		say(text, "the highest frequency allowed was %s GHz and is %s GHz",
		    format_significant(a, sizeof(a), (double)before->highest_frequency / 1e9, 3),
		    format_significant(b, sizeof(b), (double)after->highest_frequency / 1e9, 3));
	if (growth(before->slowed_by_heat, after->slowed_by_heat) > 0)
		say(text, "a CPU measured on was slowed by heat %.0f times",
		    growth(before->slowed_by_heat, after->slowed_by_heat));
}

static void compare_limits(const struct moment *before, const struct moment *after, struct buffer *text)
{
	char a[256], b[256];
	if (before->has_allowed && after->has_allowed && !cpuset_equal(&before->allowed, &after->allowed))
		say(text, "the CPUs allowed were %s and are %s", cpuset_format(&before->allowed, a, sizeof(a)),
		    cpuset_format(&after->allowed, b, sizeof(b)));
	if (before->quota == after->quota)
		return;
	format_significant(a, sizeof(a), before->quota, 3);
	format_significant(b, sizeof(b), after->quota, 3);
	say(text, "the quota was %s and is %s", isinf(before->quota) ? "unlimited" : a,
	    isinf(after->quota) ? "unlimited" : b);
}

static void compare_clocks(const struct moment *before, const struct moment *after, struct buffer *text)
{
	char number[FORMAT_MAX];
	double step = (double)(after->real_offset - before->real_offset) / 1e9;
	double slept = (double)(after->sleep_offset - before->sleep_offset) / 1e9;
	if (slept > clock_step)
		say(text, "the machine slept for %s s", format_significant(number, sizeof(number), slept, 2));
	/* The real clock goes on during sleep. */
	if (fabs(step - slept) > clock_step + slow_correction * seconds_between(before, after))
		say(text, "the clock was set by %s s", format_significant(number, sizeof(number), step - slept, 2));
}

static void compare_load(const struct moment *before, const struct moment *after, size_t own, struct buffer *text)
{
	char a[FORMAT_MAX], b[FORMAT_MAX];
	double ours = (double)own * (1 - exp(-seconds_between(before, after) / load_memory));
	double cpus = after->has_allowed ? (double)cpuset_count(&after->allowed) : 1;
	double least = fmax(1, 0.25 * fmax(cpus, before->load)), rise = after->load - before->load;
	if (rise > ours + least || rise < -least)
		say(text, "the load was %s and is %s", format_fixed(a, sizeof(a), before->load, 1),
		    format_fixed(b, sizeof(b), after->load, 1));
}

int disturbance_end(const struct disturbance_watch *watch, const struct host *host, size_t own, struct result *result,
                    struct error *err)
{
	struct moment after;
	struct buffer text = {0};
	moment_take(host, watch->cpus, watch->cpu_count, &after);
	fill(&watch->before, &after, &result->disturbance);
	compare_speed(&watch->before, &after, &text);
	compare_limits(&watch->before, &after, &text);
	compare_clocks(&watch->before, &after, &text);
	compare_load(&watch->before, &after, own, &text);
	int status = buffer_error(&text, err);
	if (status == 0 && text.length > 0) {
		result->disturbance.changed = arena_strdup(&result->arena, buffer_text(&text));
		if (!result->disturbance.changed ||
		    result_warn(result, "machine-changed", "the machine was not the same at the end: %s", buffer_text(&text)) !=
		        0)
			status = error_memory(err);
	}
	buffer_release(&text);
	return status;
}
