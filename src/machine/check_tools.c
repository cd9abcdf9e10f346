/* What tare measures with: the clock, the counters, the meter of energy.
 *
 * A clock is ok when a reading costs less than 100 ns, as it does where no system call is needed, and
 * bad above 1 µs. Counters that are missing could be better, never bad: time is measured without them. */
#include "machine/patient.h"

#include "base/format.h"
#include "host/clock.h"
#include "host/counters.h"
#include "host/proc.h"
#include "host/rapl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLOCK_OK = 100, CLOCK_TOLERABLE = 1000 /* ns for a reading, or between two values */ };

#define CLOCK_FOLDER "/sys/devices/system/clocksource/clocksource0"

static char *words_ns(char *text, int64_t ns)
{
	char number[FORMAT_MAX];
	if (ns < 1000)
		snprintf(text, WORDS_MAX, "%lld ns", (long long)ns);
	else
		snprintf(text, WORDS_MAX, "%s %s",
		         format_significant(number, sizeof(number), (double)ns / (ns < 1000000 ? 1e3 : 1e6), 2),
		         ns < 1000000 ? "µs" : "ms");
	return text;
}

static void check_clock(struct patient *patient)
{
	struct checkup *out = patient->out;
	struct finding *f = checkup_add(out, "clock", "clock", 68);
	struct clock_quality quality = clock_measure(patient->host);
	char source[64], others[256], duration[WORDS_MAX], cost[WORDS_MAX], resolution[WORDS_MAX];
	if (quality.cost <= 0) {
		finding_unknown(out, f, "the monotonic clock cannot be read");
		return;
	}
	proc_read_line(patient->host, CLOCK_FOLDER "/current_clocksource", source, sizeof(source));
	proc_read_line(patient->host, CLOCK_FOLDER "/available_clocksource", others, sizeof(others));
	int64_t slower = quality.cost > quality.resolution ? quality.cost : quality.resolution;
	f->number = (double)quality.cost / 1e9;
	f->unit = "s";
	finding_says(out, f, state_by_limits((double)slower, CLOCK_OK, CLOCK_TOLERABLE),
	             "%s, steps of %s, a reading takes %s", source[0] ? source : "of unknown source",
	             words_ns(resolution, quality.resolution), words_ns(cost, quality.cost));
	if (f->state == FINDING_OK)
		return;
	finding_cost(out, f, "For times below %s the clock itself costs over 1 %%.", words_ns(duration, slower * 100));
	const char *better = strstr(others, "tsc") && strcmp(source, "tsc") != 0 ? "tsc" : NULL;
	if (better) {
		finding_advice(out, f, "Use the processor's own clock.");
		finding_command(out, f, "echo %s | sudo tee " CLOCK_FOLDER "/current_clocksource", better);
	} else {
		finding_advice(out, f, "Measure longer pieces of work at once.");
	}
}

/* The names of the events that can be counted, or that cannot. */
static size_t name_events(const struct counters *counters, bool there, char *text, size_t size)
{
	size_t count = 0;
	text[0] = '\0';
	for (size_t i = 0; i < counters->count; i++) {
		bool open = counters->fds[i][0] >= 0 || counters->fds[i][1] >= 0;
		size_t used = strlen(text);
		if (open != there)
			continue;
		count++;
		snprintf(text + used, size - used, "%s%s", used ? ", " : "", counter_hardware_events[i].name);
	}
	return count;
}

static void advise_permission(struct patient *patient, struct finding *f)
{
	int64_t paranoid = -1;
	bool known = proc_read_integer(patient->host, "/proc/sys/kernel/perf_event_paranoid", &paranoid) == 0;
	if (known && paranoid > 1) {
		finding_advice(patient->out, f, "Allow it (kernel.perf_event_paranoid is %lld).", (long long)paranoid);
		finding_command(patient->out, f, "sudo sysctl kernel.perf_event_paranoid=1");
	} else if (patient->description.container[0]) {
		finding_advice(patient->out, f, "Start the container with the capability PERFMON.");
		if (strcmp(patient->description.container, "docker") == 0 ||
		    strcmp(patient->description.container, "podman") == 0)
			finding_command(patient->out, f, "%s run --cap-add PERFMON …", patient->description.container);
	}
}

static void check_counters(struct patient *patient)
{
	struct checkup *out = patient->out;
	struct finding *f = checkup_add(out, "counters", "counters", 25);
	struct counters counters;
	struct error err = {0};
	char there[160], missing[160];
	f->unit = "counters";
	if (counters_open(patient->host, counter_hardware_events, COUNTER_HARDWARE_EVENTS, &counters, &err) != 0) {
		f->number = 0;
		/* "no hardware counters: …" */
		const char *reason = strchr(err.what, ':');
		finding_says(out, f, FINDING_COULD_BE_BETTER, "none%s", reason ? reason : " on this machine");
		finding_cost(out, f, "Only time can be measured, not instructions or cache misses.");
		if (err.errnum)
			advise_permission(patient, f);
		else if (patient->description.hypervisor[0])
			finding_advice(out, f, "Measure on a real machine, or on one with a virtual PMU.");
		else
			finding_advice(out, f, "Start a kernel that knows the counters of this processor.");
		return;
	}
	size_t count = name_events(&counters, true, there, sizeof(there));
	size_t lost = name_events(&counters, false, missing, sizeof(missing));
	bool user_only = counters.user_only;
	counters_release(patient->host, &counters);
	f->number = (double)count;
	finding_says(out, f, lost == 0 && !user_only ? FINDING_OK : FINDING_COULD_BE_BETTER, "%s%s%s%s", there,
	             user_only ? "; not for the kernel's part" : "", lost ? "; no " : "", missing);
	if (user_only) {
		finding_cost(out, f, "What the kernel does for a program is not counted.");
		advise_permission(patient, f);
	} else if (lost) {
		finding_cost(out, f, "Metrics that need the missing ones cannot be measured.");
	}
}

static void check_energy(struct patient *patient)
{
	struct checkup *out = patient->out;
	struct finding *f = checkup_add(out, "energy", "energy", 0);
	struct rapl rapl = {0};
	struct error err = {0};
	if (rapl_open(patient->host, &rapl, &err) == 0) {
		finding_says(out, f, FINDING_OK, "can be read (%zu %s)", rapl.count,
		             words_plural(rapl.count, "package", "packages"));
		f->number = (double)rapl.count;
		f->unit = "packages";
		rapl_release(patient->host, &rapl);
		return;
	}
	/* No fault of the machine: times do not suffer. */
	if (err.errnum == EACCES || err.errnum == EPERM) {
		finding_says(out, f, FINDING_OK, "only root may read it");
		finding_advice(out, f, "Allow it, if you measure energy.");
		finding_command(out, f, "sudo chmod a+r /sys/class/powercap/intel-rapl:*/energy_uj");
		return;
	}
	finding_unknown(out, f, "this machine does not report it");
}

void check_tools(struct patient *patient)
{
	check_clock(patient);
	check_counters(patient);
	check_energy(patient);
}
