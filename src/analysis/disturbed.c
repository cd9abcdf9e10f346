/* A run was
 *   preempted          when it waited for a CPU for more than 1 % of its wall time (metrics "delay", "wall"), or was
 *                      taken off one ("preemptions", where it is measured); a command also for more than 0.1 ms, since
 *                      the process that starts it needs its CPU for a moment;
 *   at another frequency when its cycles per second of CPU time are more than 2 % off the median of all runs
 *                      ("cycles", "cpu": with --counters);
 *   migrated           when it moved to another CPU ("migrations"; never where it is bound to one); a command more than
 *                      once, since the kernel chooses a CPU for it when it starts. */
#include "analysis/disturbed.h"

#include "base/memory.h"
#include "stats/quantile.h"

#include <math.h>

static const double least_delay = 0.01, own_delay = 1e-4 /* s */, least_shift = 0.02;

/* Runs seen, and those of a kind. */
struct disturbed_tally {
	size_t runs, known_preempted, preempted, known_frequency, frequency, known_migrated, migrated, disturbed;
};

static const double *values_of(const struct subject *subject, const char *name, size_t n)
{
	const struct measurement *m = subject_find_metric(subject, name);
	return m && m->series.n == n ? m->series.values : NULL;
}

static bool is_known(const double *values, size_t i)
{
	return values && !isnan(values[i]);
}

/* 1, 0, or -1: not known. `own`: seconds of waiting that are tare's doing. */
static int was_preempted(const double *wall, const double *delay, const double *preemptions, double own, size_t i)
{
	bool by_delay = is_known(delay, i) && is_known(wall, i), by_count = is_known(preemptions, i);
	if (!by_delay && !by_count)
		return -1;
	return (by_delay && delay[i] > fmax(least_delay * wall[i], own)) || (by_count && preemptions[i] > 0);
}

static double frequency_of(const double *cycles, const double *cpu, size_t i)
{
	return is_known(cycles, i) && is_known(cpu, i) && cpu[i] > 0 ? cycles[i] / cpu[i] : NAN;
}

static int at_another_frequency(const double *cycles, const double *cpu, double usual, size_t i)
{
	double frequency = frequency_of(cycles, cpu, i);
	if (isnan(frequency) || isnan(usual))
		return -1;
	return fabs(frequency / usual - 1) > least_shift;
}

/* The median frequency over all runs of a subject; NaN: not known. */
static double usual_frequency(const double *cycles, const double *cpu, size_t n)
{
	double *all = cycles && cpu && n ? mem_alloc(n, sizeof(*all)) : NULL;
	size_t count = 0;
	for (size_t i = 0; all && i < n; i++) {
		all[count] = frequency_of(cycles, cpu, i);
		count += !isnan(all[count]);
	}
	double usual = count ? median_in_place(all, count) : NAN;
	mem_free(all);
	return usual;
}

static void count_subject(const struct subject *subject, bool one_cpu, struct disturbed_tally *tally)
{
	const struct measurement *first = subject_find_metric(subject, "wall");
	size_t n = first ? first->series.n : 0;
	const double *wall = n ? first->series.values : NULL;
	const double *delay = values_of(subject, "delay", n), *preemptions = values_of(subject, "preemptions", n);
	const double *cycles = values_of(subject, "cycles", n), *cpu = values_of(subject, "cpu", n);
	const double *migrations = values_of(subject, "migrations", n);
	double usual = usual_frequency(cycles, cpu, n);
	double own = subject->command ? own_delay : 0, own_moves = subject->command ? 1 : 0;
	for (size_t i = 0; i < n; i++) {
		if (isnan(wall[i]))
			continue;
		int preempted = one_cpu ? -1 : was_preempted(wall, delay, preemptions, own, i);
		int frequency = at_another_frequency(cycles, cpu, usual, i);
		bool migrated = is_known(migrations, i) && migrations[i] > own_moves;
		tally->runs++;
		tally->known_migrated += is_known(migrations, i);
		tally->migrated += migrated;
		tally->known_preempted += preempted >= 0;
		tally->preempted += preempted > 0;
		tally->known_frequency += frequency >= 0;
		tally->frequency += frequency > 0;
		tally->disturbed += preempted > 0 || frequency > 0 || migrated;
	}
}

static double share(size_t some, size_t all)
{
	return all ? (double)some / (double)all : NAN;
}

void disturbed_runs(struct result *result, bool pinned, bool one_cpu)
{
	struct disturbed_tally tally = {0};
	struct disturbance *out = &result->disturbance;
	for (size_t i = 0; i < result->subject_count; i++)
		count_subject(&result->subjects[i], one_cpu, &tally);
	out->preempted = share(tally.preempted, tally.known_preempted);
	out->preempted_why = one_cpu ? "both runs share one CPU on purpose" : "known of single-threaded commands only";
	out->frequency_changed = share(tally.frequency, tally.known_frequency);
	out->frequency_changed_why = "known with hardware counters only (--counters)";
	out->migrated = pinned && tally.runs ? 0 : share(tally.migrated, tally.known_migrated);
	out->migrated_why = tally.runs ? "known only for single-threaded commands, if the kernel reports it" : "no runs";
	bool something = tally.known_preempted || tally.known_frequency || tally.known_migrated;
	out->disturbed = something ? share(tally.disturbed, tally.runs) : NAN;
	out->disturbed_why = "neither preemption nor migration nor frequency is known";
}
