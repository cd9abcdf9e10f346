/* How fast the CPUs run, and who decides it.
 *
 * ok: the governor keeps one frequency (performance, userspace), no turbo, nothing holds the maximum
 * down. Everything else could be better: the same program takes longer or shorter for reasons that are
 * not in it. None is bad, since pairs see nearly the same frequency on both sides. */
#include "machine/patient.h"

#include "base/format.h"
#include "base/memory.h"
#include "base/parse.h"
#include "host/clock.h"
#include "host/proc.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CPU_FOLDER "/sys/devices/system/cpu"

enum {
	READ_TIME = 200000000,  /* ns for the frequencies of all CPUs: some kernels need 10 ms for each */
	CPUINFO_MAX = 4 << 20,  /* a thousand CPUs */
	HELD_DOWN_PERCENT = 95, /* a maximum below this part of the hardware's is held down */
};

static const char governor_files[] = CPU_FOLDER "/cpu*/cpufreq/scaling_governor";

static ssize_t read_cpufreq(const struct patient *patient, int cpu, const char *file, char *text, size_t size)
{
	char path[128];
	snprintf(path, sizeof(path), CPU_FOLDER "/cpu%d/cpufreq/%s", cpu, file);
	return proc_read_line(patient->host, path, text, size);
}

/* A frequency in kHz as GHz; NaN: not known. */
static double read_ghz(const struct patient *patient, int cpu, const char *file)
{
	char text[64];
	double khz;
	if (read_cpufreq(patient, cpu, file, text, sizeof(text)) <= 0 || parse_double(text, &khz, NULL) != 0 || khz <= 0)
		return NAN;
	return khz / 1e6;
}

static char *words_ghz(char *text, double ghz)
{
	char number[FORMAT_MAX];
	snprintf(text, WORDS_MAX, "%s GHz", format_fixed(number, sizeof(number), ghz, 2));
	return text;
}

enum { GOVERNORS = 4, GOVERNOR_NAME = 24 };

/* The different governors of the CPUs online; returns how many. */
static size_t list_governors(const struct patient *patient, char names[GOVERNORS][GOVERNOR_NAME])
{
	size_t count = 0;
	for (int cpu = cpuset_next(&patient->online, 0); cpu >= 0; cpu = cpuset_next(&patient->online, cpu + 1)) {
		char text[GOVERNOR_NAME];
		size_t i = 0;
		if (read_cpufreq(patient, cpu, "scaling_governor", text, sizeof(text)) <= 0)
			continue;
		while (i < count && strcmp(names[i], text) != 0)
			i++;
		if (i == count && count < GOVERNORS)
			strcpy(names[count++], text);
	}
	return count;
}

static const char hidden[] = "in a virtual machine the host decides";

static void check_governor(struct patient *patient)
{
	struct checkup *out = patient->out;
	struct finding *f = checkup_add(out, "governor", "governor", 70);
	char names[GOVERNORS][GOVERNOR_NAME], driver[64], text[GOVERNORS * GOVERNOR_NAME + 80] = "";
	size_t count = list_governors(patient, names);
	if (count == 0) {
		errno = ENOENT;
		patient_no_file(patient, f, CPU_FOLDER "/cpu0/cpufreq", hidden);
		return;
	}
	bool fixed = true;
	for (size_t i = 0; i < count; i++) {
		size_t used = strlen(text);
		snprintf(text + used, sizeof(text) - used, "%s%s", used ? ", " : "", names[i]);
		fixed = fixed && (strcmp(names[i], "performance") == 0 || strcmp(names[i], "userspace") == 0);
	}
	read_cpufreq(patient, 0, "scaling_driver", driver, sizeof(driver));
	size_t used = strlen(text);
	if (driver[0])
		snprintf(text + used, sizeof(text) - used, " (driver %s)", driver);
	finding_says(out, f, fixed && count == 1 ? FINDING_OK : FINDING_COULD_BE_BETTER, "%s", text);
	if (f->state == FINDING_OK)
		return;
	if (count > 1)
		finding_cost(out, f, "CPUs follow different rules: how fast a program runs depends on its CPU.");
	else if (strcmp(names[0], "powersave") == 0 && !strstr(driver, "pstate"))
		finding_cost(out, f, "The CPUs stay at their lowest frequency: steady, but slower than in use.");
	else
		finding_cost(out, f, "The frequency follows the load: short programs end before it has risen.");
	finding_advice(out, f, "Keep the frequency up while you measure.");
	finding_command(out, f, "echo performance | sudo tee %s", governor_files);
}

/* 1: turbo is on, 0: off, -1: not known. *file is the switch, *off what it takes to switch it off. */
static int read_turbo(const struct patient *patient, const char **file, const char **off)
{
	int64_t value;
	*file = CPU_FOLDER "/intel_pstate/no_turbo";
	*off = "1";
	if (proc_read_integer(patient->host, *file, &value) == 0)
		return value == 0;
	*off = "0";
	*file = CPU_FOLDER "/cpufreq/boost";
	if (proc_read_integer(patient->host, *file, &value) == 0)
		return value != 0;
	if (proc_read_integer(patient->host, CPU_FOLDER "/cpu0/cpufreq/boost", &value) == 0) {
		*file = CPU_FOLDER "/cpu*/cpufreq/boost";
		return value != 0;
	}
	return -1;
}

static void check_turbo(struct patient *patient)
{
	struct checkup *out = patient->out;
	struct finding *f = checkup_add(out, "turbo", "turbo", 60);
	const char *file, *off;
	char low[WORDS_MAX], high[WORDS_MAX], times[WORDS_MAX];
	int on = read_turbo(patient, &file, &off);
	if (on < 0) {
		finding_unknown(out, f, "the kernel shows no switch for it%s",
		                patient->description.hypervisor[0] ? "; in a virtual machine the host decides" : "");
		return;
	}
	f->number = on;
	f->unit = "";
	if (!on) {
		finding_says(out, f, FINDING_OK, "off");
		return;
	}
	int cpu = cpuset_next(&patient->online, 0);
	double base = read_ghz(patient, cpu, "base_frequency"), most = read_ghz(patient, cpu, "cpuinfo_max_freq");
	if (base > 0 && most > base) {
		finding_says(out, f, FINDING_COULD_BE_BETTER, "on: up to %s, %s without", words_ghz(high, most),
		             words_ghz(low, base));
		finding_cost(out, f, "The clock rises while few cores are busy and cool: up to %s times as fast.",
		             format_significant(times, sizeof(times), most / base, 2));
	} else {
		finding_says(out, f, FINDING_COULD_BE_BETTER, "on");
		finding_cost(out, f, "The clock rises while few cores are busy and cool, and falls later.");
	}
	finding_advice(out, f, "Switch it off while you measure.");
	finding_command(out, f, "echo %s | sudo tee %s", off, file);
}

/* Lowest and highest frequency of the CPUs just now. */
struct range {
	double low, high; /* GHz; NaN: not known */
};

static void widen(struct range *range, double ghz)
{
	range->low = fmin(range->low, ghz);
	range->high = fmax(range->high, ghz);
}

/* "cpu MHz : 2596.146" of every CPU; one reading for all, where there may be hundreds. */
static struct range range_of_cpuinfo(const struct patient *patient)
{
	struct range range = {NAN, NAN};
	char *text = mem_alloc(CPUINFO_MAX, 1);
	if (!text) {
		patient->out->out_of_memory = true;
		return range;
	}
	if (proc_read(patient->host, "/proc/cpuinfo", text, CPUINFO_MAX) > 0)
		for (const char *at = text; (at = strstr(at, "\ncpu MHz")) != NULL;) {
			double mhz;
			at += strlen("\ncpu MHz");
			const char *value = at + strspn(at, " \t:");
			if (parse_number_prefix(value, strcspn(value, "\n"), &mhz) > 0 && mhz > 0)
				widen(&range, mhz / 1e3);
		}
	mem_free(text);
	return range;
}

static struct range range_of_cpufreq(const struct patient *patient)
{
	struct range range = {NAN, NAN};
	int64_t deadline = clock_now(patient->host) + READ_TIME;
	for (int cpu = cpuset_next(&patient->online, 0); cpu >= 0 && clock_now(patient->host) < deadline;
	     cpu = cpuset_next(&patient->online, cpu + 1)) {
		double ghz = read_ghz(patient, cpu, "scaling_cur_freq");
		if (!isnan(ghz))
			widen(&range, ghz);
	}
	return range;
}

static void check_frequency(struct patient *patient)
{
	struct checkup *out = patient->out;
	struct finding *f = checkup_add(out, "frequency", "frequency now", 65);
	struct range now = range_of_cpuinfo(patient);
	char low[WORDS_MAX], high[WORDS_MAX];
	if (isnan(now.low))
		now = range_of_cpufreq(patient);
	if (isnan(now.low)) {
		finding_unknown(out, f, "neither /proc/cpuinfo nor cpufreq shows it");
		return;
	}
	f->number = now.high * 1e9;
	f->unit = "Hz";
	int cpu = cpuset_next(&patient->online, 0);
	double least = read_ghz(patient, cpu, "scaling_min_freq"), most = read_ghz(patient, cpu, "scaling_max_freq");
	double possible = read_ghz(patient, cpu, "cpuinfo_max_freq");
	words_ghz(low, now.low);
	words_ghz(high, now.high);
	if (most < possible * HELD_DOWN_PERCENT / 100 && least < most) {
		char limit[WORDS_MAX], full[WORDS_MAX];
		words_ghz(limit, most);
		words_ghz(full, possible);
		finding_says(out, f, FINDING_COULD_BE_BETTER, "%s, held below %s of %s", high, limit, full);
		finding_cost(out, f, "Something saves power; once it stops, the same program becomes faster.");
		finding_advice(out, f, "Allow the full range, or fix one frequency.");
		finding_command(out, f, "echo %.0f | sudo tee " CPU_FOLDER "/cpu*/cpufreq/scaling_max_freq", possible * 1e6);
	} else if (least == most) {
		finding_says(out, f, FINDING_OK, "%s, fixed", high);
	} else if (strcmp(low, high) == 0) {
		finding_says(out, f, FINDING_OK, "%s", high);
	} else {
		finding_says(out, f, FINDING_OK, "%.4s to %s", low, high);
	}
}

void check_speed(struct patient *patient)
{
	check_governor(patient);
	check_turbo(patient);
	check_frequency(patient);
}
