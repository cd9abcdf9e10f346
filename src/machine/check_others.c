/* Who else wants the CPUs: load, pressure, run queue, processes by name.
 *
 * With fewer than 15 threads that want a CPU for every 100 CPUs, and not more than one, a measured
 * program mostly finds its CPU free: ok. Above three for every four CPUs it mostly does not: bad.
 * Pressure is the share of time in which some thread had to wait; noise the CPU time that others use. */
#include "machine/patient.h"

#include "base/memory.h"
#include "host/proc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUEUE_OK           0.15 /* threads for each CPU */
#define QUEUE_TOLERABLE    0.75
#define PRESSURE_OK        0.02 /* share of time */
#define PRESSURE_TOLERABLE 0.20
#define NOISE_OK           0.05 /* CPUs */
#define NOISE_TOLERABLE    0.25 /* of all CPUs */
#define NOISE_SHOWN        0.02 /* CPUs: a clock tick in half a second */
#define UNSEEN_SHOWN       0.10 /* CPUs */

enum { NAMES_SHOWN = 3 };

static enum finding_state state_of_queue(const struct patient *patient, double threads)
{
	double cpus = (double)patient_cpus(patient);
	return state_by_limits(threads, fmin(QUEUE_OK * cpus, 1), QUEUE_TOLERABLE * cpus);
}

static const char wait_or_stop[] = "Wait until other programs are done, or stop them.";

static void check_load(struct patient *patient)
{
	struct checkup *out = patient->out;
	struct finding *f = checkup_add(out, "load", "load", 80);
	char text[128], one[16], five[16], fifteen[16];
	double load = info_load(patient->host);
	if (isnan(load) || proc_read_line(patient->host, "/proc/loadavg", text, sizeof(text)) <= 0 ||
	    sscanf(text, "%15s %15s %15s", one, five, fifteen) != 3) {
		finding_unknown(out, f, "/proc/loadavg cannot be read");
		return;
	}
	f->number = load;
	f->unit = "threads";
	size_t cpus = patient_cpus(patient);
	finding_says(out, f, state_of_queue(patient, load), "%s on %zu %s (5 min: %s, 15 min: %s)", one, cpus,
	             words_plural(cpus, "CPU", "CPUs"), five, fifteen);
	if (f->state == FINDING_OK)
		return;
	finding_cost(out, f, "Others wanted CPUs in the last minute: measured programs wait for a turn.");
	finding_advice(out, f, "%s", wait_or_stop);
}

/* Share of the look in which some thread waited; NaN: not known. */
static double pressure_share(const struct patient *patient, enum pressure what)
{
	int64_t before = patient->before.pressure[what], after = patient->after.pressure[what];
	double seconds = glance_seconds(&patient->before, &patient->after);
	if (before < 0 || after < 0 || seconds <= 0)
		return NAN;
	return fmin((double)(after - before) / 1e6 / seconds, 1);
}

static void check_pressure(struct patient *patient)
{
	static const char *const titles[PRESSURE_COUNT] = {"CPU", "memory", "I/O"};
	static const char *const costs[PRESSURE_COUNT] = {
		"Threads wait for a CPU: wall times grow by the wait.",
		"Threads stand still while the kernel looks for free memory.",
		"Threads wait for the disk: programs that read or write files take longer.",
	};
	static const char *const advices[PRESSURE_COUNT] = {
		wait_or_stop,
		"Free memory: stop what uses most of it.",
		"Wait until the disk is quiet.",
	};
	struct checkup *out = patient->out;
	struct finding *f = checkup_add(out, "pressure", "pressure", 78);
	char text[128] = "", share_text[WORDS_MAX];
	int worst = -1;
	double worst_share = -1;
	for (int i = 0; i < PRESSURE_COUNT; i++) {
		double share = pressure_share(patient, (enum pressure)i);
		size_t used = strlen(text);
		if (isnan(share))
			continue;
		snprintf(text + used, sizeof(text) - used, "%s%s %s", used ? ", " : "", titles[i],
		         words_percent(share_text, share));
		if (share > worst_share) {
			worst_share = share;
			worst = i;
		}
	}
	if (worst < 0) {
		finding_unknown(out, f, "this kernel does not report it (/proc/pressure needs PSI, switched on by psi=1)");
		return;
	}
	f->number = worst_share;
	f->unit = "";
	finding_says(out, f, state_by_limits(worst_share, PRESSURE_OK, PRESSURE_TOLERABLE), "%s of the time", text);
	if (f->state == FINDING_OK)
		return;
	finding_cost(out, f, "%s", costs[worst]);
	finding_advice(out, f, "%s", advices[worst]);
}

static void check_run_queue(struct patient *patient)
{
	struct checkup *out = patient->out;
	struct finding *f = checkup_add(out, "run-queue", "run queue", 82);
	char number[WORDS_MAX];
	if (isnan(patient->runnable)) {
		finding_unknown(out, f, "/proc/loadavg cannot be read");
		return;
	}
	f->number = patient->runnable;
	f->unit = "threads";
	size_t cpus = patient_cpus(patient);
	words_number(number, patient->runnable);
	finding_says(out, f, state_of_queue(patient, patient->runnable), "%s other %s a CPU now, on %zu %s", number,
	             strcmp(number, "1") == 0 ? "thread wants" : "threads want", cpus, words_plural(cpus, "CPU", "CPUs"));
	if (f->state == FINDING_OK)
		return;
	finding_cost(out, f, "Measured programs wait for a CPU, or are moved to another one.");
	finding_advice(out, f, "%s", wait_or_stop);
}

/* CPUs' worth of time that was used and that no process seen accounts for. */
static double unseen_use(const struct patient *patient, int64_t seen_ticks)
{
	const struct glance *before = &patient->before, *after = &patient->after;
	double seconds = glance_seconds(before, after);
	if (!before->has_cpu_times || !after->has_cpu_times || !before->processes.complete || !after->processes.complete)
		return 0;
	int64_t busy = (after->cpu_times.total - after->cpu_times.idle - after->cpu_times.steal) -
	               (before->cpu_times.total - before->cpu_times.idle - before->cpu_times.steal);
	double unseen = (double)(busy - seen_ticks) * (double)proc_tick() / 1e9 / seconds;
	return unseen >= UNSEEN_SHOWN ? unseen : 0;
}

static void add_part(char *text, size_t size, const char *part)
{
	size_t used = strlen(text);
	snprintf(text + used, size - used, "%s%s", used ? ", " : "", part);
}

/* "cc1 180 % (2 processes), chrome 12 %, …" */
static void name_noise(char *text, size_t size, const struct process_use *uses, size_t count, double per_tick)
{
	size_t shown = 0;
	text[0] = '\0';
	for (size_t i = 0; i < count && (double)uses[i].used * per_tick >= NOISE_SHOWN; i++, shown++) {
		char part[PROCESS_NAME + 2 * WORDS_MAX], percent[WORDS_MAX];
		if (shown == NAMES_SHOWN) {
			add_part(text, size, "…");
			return;
		}
		words_percent(percent, (double)uses[i].used * per_tick);
		if (uses[i].count > 1)
			snprintf(part, sizeof(part), "%s %s (%zu processes)", uses[i].name, percent, uses[i].count);
		else
			snprintf(part, sizeof(part), "%s %s", uses[i].name, percent);
		add_part(text, size, part);
	}
}

/* Whether `pid` started `self`, or what started it. */
static bool is_ancestor(const struct host *host, pid_t pid, pid_t self)
{
	enum { STEPS_MAX = 100 };
	struct proc_stat stat;
	for (int i = 0; i < STEPS_MAX && self > 0 && proc_stat(host, self, &stat) == 0; i++) {
		self = stat.parent;
		if (self == pid)
			return true;
	}
	return false;
}

/* Stopping one process helps when it is the only one of its name and still there; a shell that is stopped stops tare
 * with it. Kernel threads, in brackets, cannot be stopped. */
static bool can_stop(const struct patient *patient, const struct process_use *use, pid_t self)
{
	return use->count == 1 && !use->ended && use->name[0] != '[' && !is_ancestor(patient->host, use->pid, self);
}

static void say_noise(struct patient *patient, struct finding *f, const struct process_use *uses, size_t count,
                      double seen, double unseen, double per_tick, pid_t self)
{
	struct checkup *out = patient->out;
	char text[512], part[2 * WORDS_MAX], percent[WORDS_MAX];
	bool whole = patient->after.processes.whole, container = patient->description.container[0] && !whole;
	name_noise(text, sizeof(text), uses, count, per_tick);
	if (unseen > 0) {
		snprintf(part, sizeof(part), "%s %s", words_percent(percent, unseen),
		         whole       ? "in short-lived processes"
		         : container ? "outside this container"
		                     : "in processes that are hidden here");
		add_part(text, sizeof(text), part);
	}
	f->number = seen + unseen;
	f->unit = "CPUs";
	double tolerable = NOISE_TOLERABLE * (double)patient_cpus(patient);
	enum finding_state state = state_by_limits(seen + unseen, NOISE_OK, tolerable);
	finding_says(out, f, state, "%s", text[0] ? text : "none");
	if (state == FINDING_OK)
		return;
	finding_cost(out, f, "They take CPU time and caches from what is measured (100 %% is one CPU).");
	bool most_is_seen = count > 0 && (double)uses[0].used * per_tick >= unseen;
	if (most_is_seen && can_stop(patient, &uses[0], self)) {
		finding_advice(out, f, "Stop %s while you measure.", uses[0].name);
		finding_command(out, f, "kill -STOP %d   # afterwards: kill -CONT %d", (int)uses[0].pid, (int)uses[0].pid);
	} else if (container && !most_is_seen) {
		finding_advice(out, f, "Measure on a machine that no one else uses, or when they are done.");
	} else {
		finding_advice(out, f, "%s", wait_or_stop);
	}
}

static void check_noisy(struct patient *patient)
{
	struct checkup *out = patient->out;
	struct finding *f = checkup_add(out, "noisy", "noisy processes", 84);
	const struct glance *before = &patient->before, *after = &patient->after;
	double seconds = glance_seconds(before, after);
	struct process_use *uses = NULL;
	size_t count = 0;
	char text[32];
	if (!before->processes.list || !after->processes.list || seconds <= 0) {
		finding_unknown(out, f, "%s", seconds <= 0 ? "no time passed between two looks" : "/proc cannot be listed");
		return;
	}
	pid_t self = patient_status(patient->host, "Pid", text, sizeof(text)) == 0 ? (pid_t)atoi(text) : 0;
	if (processes_between(&before->processes, &after->processes, self, &uses, &count, NULL) != 0) {
		out->out_of_memory = true;
		return;
	}
	int64_t ticks = 0;
	for (size_t i = 0; i < count; i++)
		ticks += uses[i].used;
	double per_tick = (double)proc_tick() / 1e9 / seconds, seen = (double)ticks * per_tick;
	double unseen = unseen_use(patient, ticks + processes_used(&before->processes, &after->processes, self));
	say_noise(patient, f, uses, count, seen, unseen, per_tick, self);
	mem_free(uses);
}

void check_others(struct patient *patient)
{
	check_load(patient);
	check_pressure(patient);
	check_run_queue(patient);
	check_noisy(patient);
}
