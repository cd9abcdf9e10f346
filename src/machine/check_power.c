/* Heat and power supply.
 *
 * Throttling during the look is bad: the CPU is slower than it was a moment ago. Throttling since boot
 * and a temperature above HOT could be better: throttling is near. On battery is bad: most laptops then
 * lower the frequency, and lower it again as the charge goes down. */
#include "machine/patient.h"

#include "host/proc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HOT = 85 /* °C; processors throttle at 95 to 105 */, SENSORS = 32, SUPPLIES = 32 };

static bool contains_any(const char *text, const char *const *words)
{
	for (; *words; words++)
		if (strstr(text, *words))
			return true;
	return false;
}

/* The highest temperature of `count` numbered folders whose name file holds one of the words; NaN: none. */
static double hottest(const struct host *host, const char *folder, const char *name_file, const char *value_file,
                      const char *const *words)
{
	double highest = NAN;
	for (int i = 0; i < SENSORS; i++) {
		char path[128], text[64];
		int64_t millidegrees;
		snprintf(path, sizeof(path), "%s%d/%s", folder, i, name_file);
		if (proc_read_line(host, path, text, sizeof(text)) <= 0 || !contains_any(text, words))
			continue;
		snprintf(path, sizeof(path), "%s%d/%s", folder, i, value_file);
		if (proc_read_integer(host, path, &millidegrees) == 0 && millidegrees > 0 && millidegrees < 150000)
			highest = fmax(highest, (double)millidegrees / 1e3);
	}
	return highest;
}

static double cpu_temperature(const struct host *host)
{
	static const char *const zones[] = {"x86_pkg_temp", "cpu", "CPU", "soc", "TCPU", NULL};
	static const char *const chips[] = {"coretemp", "k10temp", "zenpower", "cpu_thermal", NULL};
	return fmax(hottest(host, "/sys/class/thermal/thermal_zone", "type", "temp", zones),
	            hottest(host, "/sys/class/hwmon/hwmon", "name", "temp1_input", chips));
}

static void check_thermal(struct patient *patient)
{
	struct checkup *out = patient->out;
	struct finding *f = checkup_add(out, "thermal", "temperature", 88);
	double degrees = cpu_temperature(patient->host);
	int64_t since_boot = glance_throttled(NULL, &patient->after);
	int64_t now = glance_throttled(&patient->before, &patient->after);
	char text[96] = "", number[WORDS_MAX];
	if (isnan(degrees) && since_boot < 0) {
		finding_unknown(out, f, "no sensor and no count of throttling can be read%s",
		                patient->description.hypervisor[0] ? ", as in most virtual machines" : "");
		return;
	}
	f->number = degrees;
	f->unit = isnan(degrees) ? NULL : "°C";
	if (!isnan(degrees))
		snprintf(text, sizeof(text), "%s °C, ", words_number(number, round(degrees)));
	size_t used = strlen(text);
	if (now > 0)
		snprintf(text + used, sizeof(text) - used, "throttled %lld %s just now", (long long)now,
		         words_plural((size_t)now, "time", "times"));
	else if (since_boot > 0)
		snprintf(text + used, sizeof(text) - used, "throttled %lld %s since boot", (long long)since_boot,
		         words_plural((size_t)since_boot, "time", "times"));
	else if (since_boot == 0)
		snprintf(text + used, sizeof(text) - used, "never throttled");
	else
		text[used - 2] = '\0';
	enum finding_state state = now > 0                           ? FINDING_BAD
	                           : since_boot > 0 || degrees > HOT ? FINDING_COULD_BE_BETTER
	                                                             : FINDING_OK;
	finding_says(out, f, state, "%s", text);
	if (state == FINDING_OK)
		return;
	finding_cost(out, f, "%s",
	             now > 0 ? "The CPU is too hot and slows down: later runs take longer."
	                     : "A CPU that gets too hot slows down: later runs then take longer.");
	finding_advice(out, f, "Let it cool down, clear its air ways, or switch turbo off.");
}

/* What the power supplies say together. */
struct supplies {
	bool mains_online, any_battery, discharging;
	int charge; /* per cent of the first battery; -1: not known */
};

static ssize_t supply_line(const struct host *host, const char *name, const char *file, char *text, size_t size)
{
	char path[160];
	snprintf(path, sizeof(path), "/sys/class/power_supply/%.63s/%s", name, file);
	return proc_read_line(host, path, text, size);
}

static void read_supply(const struct host *host, const char *name, struct supplies *out)
{
	char text[64];
	/* The battery of a mouse is not ours. */
	if (supply_line(host, name, "scope", text, sizeof(text)) > 0 && strcmp(text, "Device") == 0)
		return;
	if (supply_line(host, name, "type", text, sizeof(text)) <= 0)
		return;
	if (strcmp(text, "Mains") == 0 || strncmp(text, "USB", 3) == 0) {
		if (supply_line(host, name, "online", text, sizeof(text)) > 0 && strcmp(text, "0") != 0)
			out->mains_online = true;
	} else if (strcmp(text, "Battery") == 0) {
		if (!out->any_battery && supply_line(host, name, "capacity", text, sizeof(text)) > 0)
			out->charge = atoi(text);
		out->any_battery = true;
		if (supply_line(host, name, "status", text, sizeof(text)) > 0 && strcmp(text, "Discharging") == 0)
			out->discharging = true;
	}
}

static void check_supply(struct patient *patient)
{
	static const char folder[] = "/sys/class/power_supply", profile_file[] = "/sys/firmware/acpi/platform_profile";
	struct checkup *out = patient->out;
	struct finding *f = checkup_add(out, "power", "power", 86);
	char names[SUPPLIES][PROC_NAME], profile[32], charge[WORDS_MAX] = "";
	int count = proc_names(patient->host, folder, names, SUPPLIES);
	struct supplies supplies = {.charge = -1};
	if (count < 0) {
		patient_no_file(patient, f, folder, NULL);
		return;
	}
	for (int i = 0; i < count; i++)
		read_supply(patient->host, names[i], &supplies);
	proc_read_line(patient->host, profile_file, profile, sizeof(profile));
	bool saving = strcmp(profile, "low-power") == 0 || strcmp(profile, "quiet") == 0;
	const char *comma = profile[0] ? ", profile " : "";
	if (supplies.any_battery && supplies.discharging && !supplies.mains_online) {
		if (supplies.charge >= 0)
			snprintf(charge, sizeof(charge), ", %d %% charged", supplies.charge);
		finding_says(out, f, FINDING_BAD, "on battery%s%s%s", charge, comma, profile);
		finding_cost(out, f, "To save power the machine runs slower, and slower still as the charge falls.");
		finding_advice(out, f, "Plug it in.");
	} else if (saving) {
		finding_says(out, f, FINDING_COULD_BE_BETTER, "mains%s%s", comma, profile);
		finding_cost(out, f, "The firmware keeps the CPU slow to save power or noise.");
		finding_advice(out, f, "Choose the profile for speed.");
		finding_command(out, f, "echo performance | sudo tee %s", profile_file);
	} else {
		finding_says(out, f, FINDING_OK, "mains%s%s%s", supplies.any_battery ? "" : ", no battery", comma, profile);
	}
}

void check_power(struct patient *patient)
{
	check_thermal(patient);
	check_supply(patient);
}
