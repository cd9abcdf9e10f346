#include "machine/patient.h"

#include "base/format.h"
#include "host/proc.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

size_t patient_cpus(const struct patient *patient)
{
	size_t count = cpuset_count(&patient->online);
	return count ? count : 1;
}

int patient_status(const struct host *host, const char *key, char *text, size_t size)
{
	char all[8192];
	size_t length = strlen(key);
	if (proc_read(host, "/proc/self/status", all, sizeof(all)) < 0)
		return -1;
	for (const char *line = all; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, length) != 0 || line[length] != ':')
			continue;
		const char *value = line + length + 1;
		value += strspn(value, " \t");
		snprintf(text, size, "%.*s", (int)strcspn(value, "\n"), value);
		return 0;
	}
	errno = ENOENT;
	return -1;
}

void patient_no_file(struct patient *patient, struct finding *finding, const char *path, const char *hint)
{
	const char *dash = hint ? "; " : "", *more = hint ? hint : "";
	if (errno == ENOENT || errno == ENOTDIR)
		finding_unknown(patient->out, finding, "there is no %s%s%s", path, dash, more);
	else if (errno == EACCES || errno == EPERM)
		finding_unknown(patient->out, finding, "%s may not be read%s%s", path, dash, more);
	else
		finding_unknown(patient->out, finding, "%s cannot be read (%s)%s%s", path, strerror(errno), dash, more);
}

enum finding_state state_by_limits(double value, double ok, double tolerable)
{
	if (isnan(value))
		return FINDING_UNKNOWN;
	return value <= ok ? FINDING_OK : value <= tolerable ? FINDING_COULD_BE_BETTER : FINDING_BAD;
}

char *words_percent(char *text, double fraction)
{
	char number[FORMAT_MAX];
	double percent = fraction * 100;
	/* Zero stays zero; a little is never shown as nothing. */
	if (percent > 0 && percent < 0.05)
		snprintf(text, WORDS_MAX, "below 0.1 %%");
	else
		snprintf(text, WORDS_MAX, "%s %%",
		         format_fixed(number, sizeof(number), percent, percent == 0 || percent >= 9.95 ? 0 : 1));
	return text;
}

char *words_number(char *text, double value)
{
	return format_fixed(text, WORDS_MAX, value, value == floor(value) || fabs(value) >= 9.95 ? 0 : 1);
}

char *words_bytes(char *text, int64_t bytes)
{
	static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
	char number[FORMAT_MAX];
	double value = (double)bytes;
	size_t unit = 0;
	while (value >= 1024 && unit + 1 < sizeof(units) / sizeof(units[0])) {
		value /= 1024;
		unit++;
	}
	format_fixed(number, sizeof(number), value, value == floor(value) || value >= 99.95 ? 0 : 1);
	snprintf(text, WORDS_MAX, "%s %s", number, units[unit]);
	return text;
}

char *words_shell(char *text, size_t size, const char *path)
{
	static const char harmless[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./,:@%+=-";
	size_t used = 0;
	if (path[0] && strspn(path, harmless) == strlen(path)) {
		snprintf(text, size, "%s", path);
		return text;
	}
	used += (size_t)snprintf(text, size, "'");
	for (; *path && used + 7 < size; path++)
		used += (size_t)snprintf(text + used, size - used, *path == '\'' ? "'\\''" : "%c", *path);
	snprintf(text + used, size - used, "'");
	return text;
}

const char *words_plural(size_t count, const char *one, const char *many)
{
	return count == 1 ? one : many;
}
