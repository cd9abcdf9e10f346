/* One sentence on what disturbed a measurement, for readers who only need to know that something did. */
#include "report/words.h"

#include "base/format.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct disturbed {
	struct buffer *out;
	size_t told, most; /* clauses */
};

static bool add(struct disturbed *words, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns whether there was room for it. */
static bool add(struct disturbed *words, const char *format, ...)
{
	if (words->told == words->most)
		return false;
	va_list args;
	char text[200];
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	buffer_printf(words->out, "%s%s", words->told++ ? ", " : "", text);
	return true;
}

/* "3 %", "0.4 %" */
static const char *percent(char text[FORMAT_MAX], double share)
{
	double whole = share * 100;
	format_fixed(text, FORMAT_MAX, whole, whole < 1 ? 1 : 0);
	strcat(text, " %");
	return text;
}

/* How much of the time something waits for a CPU because of tare: for each run of a command, its start and its end are
 * handed from one process to another. */
static double own_pressure(const struct result *result)
{
	static const double of_a_run = 2e-4; /* s; 0.1 to 0.15 ms were measured on a virtual machine */
	double most = 0;
	for (size_t i = 0; i < result->subject_count; i++) {
		const struct subject *subject = &result->subjects[i];
		const struct measurement *wall = subject->command ? subject_find_metric(subject, "wall") : NULL;
		if (wall && wall->mean > 0)
			most = fmax(most, of_a_run / (of_a_run + wall->mean));
	}
	return most;
}

static void add_pressure(const struct result *result, struct disturbed *words)
{
	const double limits[] = {0.1 + own_pressure(result), 0.1, 0.01};
	static const char *const names[] = {"the CPUs were contended", "the disk was contended",
	                                    "the memory was contended"};
	const struct disturbance *d = &result->disturbance;
	double shares[] = {d->pressure_cpu, d->pressure_io, d->pressure_memory};
	/* Two runs that share one CPU press on it themselves. */
	bool own = result->design.name && strcmp(result->design.name, "shared") == 0;
	char number[FORMAT_MAX];
	for (int i = own ? 1 : 0; i < 3; i++)
		if (shares[i] >= limits[i])
			add(words, "%s %s of the time", names[i], percent(number, shares[i]));
}

/* The clauses in the order in which they matter. */
static void add_all(const struct result *result, struct disturbed *words)
{
	const struct disturbance *d = &result->disturbance;
	char number[FORMAT_MAX], time[FORMAT_MAX];
	if (d->preempted >= 0.05)
		add(words, "%s of the runs waited for a CPU", percent(number, d->preempted));
	if (d->migrated >= 0.05)
		add(words, "%s of the runs were moved to another CPU", percent(number, d->migrated));
	if (d->frequency_changed >= 0.05)
		add(words, "%s of the runs had another clock frequency", percent(number, d->frequency_changed));
	if (d->steal >= 0.01)
		add(words, "the hypervisor gave %s of the CPU time to others", percent(number, d->steal));
	add_pressure(result, words);
	if (d->throttled_periods > 0 && add(words, "the quota throttled the runs %.0f times", d->throttled_periods) &&
	    d->throttled_seconds > 0)
		buffer_printf(words->out, " for %s",
		              format_duration(time, sizeof(time), (int64_t)(d->throttled_seconds * 1e9)));
}

void words_disturbance(const struct result *result, bool brief, struct buffer *out)
{
	struct disturbed words = {.out = out, .most = brief ? 1 : SIZE_MAX};
	if (result->disturbance.recorded)
		add_all(result, &words);
}
