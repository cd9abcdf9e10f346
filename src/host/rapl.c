/* The files stay open: a reading is one seek and one read of each. */
#include "host/rapl.h"

#include "host/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int rapl_open(const struct host *host, struct rapl *out, struct error *err)
{
	struct rapl rapl = {0};
	int problem = 0;
	for (int i = 0; i < RAPL_MAX; i++) {
		char path[96], name[64], full[PATH_MAX];
		snprintf(path, sizeof(path), "/sys/class/powercap/intel-rapl:%d/name", i);
		/* Other top-level zones (psys) contain the packages and would count them twice. */
		if (proc_read_line(host, path, name, sizeof(name)) <= 0 || strncmp(name, "package", 7) != 0)
			continue;
		snprintf(path, sizeof(path), "/sys/class/powercap/intel-rapl:%d/max_energy_range_uj", i);
		if (proc_read_integer(host, path, &rapl.range[rapl.count]) != 0)
			continue;
		snprintf(full, sizeof(full), "%s/sys/class/powercap/intel-rapl:%d/energy_uj", host->root, i);
		int fd = host->sys->open(full, O_RDONLY | O_CLOEXEC, 0);
		if (fd < 0)
			problem = errno;
		else
			rapl.fds[rapl.count++] = fd;
	}
	if (rapl.count == 0) {
		if (problem)
			return error_system(err, problem, "the energy of the processor cannot be read");
		return error_set(err, ERROR_SYSTEM, "this machine does not report the energy of its processor");
	}
	*out = rapl;
	return 0;
}

void rapl_release(const struct host *host, struct rapl *rapl)
{
	for (size_t i = 0; i < rapl->count; i++)
		host->sys->close(rapl->fds[i]);
	memset(rapl, 0, sizeof(*rapl));
}

void rapl_read(const struct host *host, const struct rapl *rapl, struct rapl_reading *out)
{
	for (size_t i = 0; i < rapl->count; i++) {
		char text[32], *end;
		out->energy[i] = -1;
		if (host->sys->lseek(rapl->fds[i], 0, SEEK_SET) != 0)
			continue;
		ssize_t n = host->sys->read(rapl->fds[i], text, sizeof(text) - 1);
		if (n <= 0)
			continue;
		text[n] = '\0';
		long long energy = strtoll(text, &end, 10);
		if (end != text)
			out->energy[i] = energy;
	}
}

int64_t rapl_difference(const struct rapl *rapl, const struct rapl_reading *before, const struct rapl_reading *after)
{
	int64_t sum = 0;
	for (size_t i = 0; i < rapl->count; i++) {
		if (before->energy[i] < 0 || after->energy[i] < 0)
			return -1;
		int64_t energy = after->energy[i] - before->energy[i];
		sum += energy >= 0 ? energy : energy + rapl->range[i];
	}
	return rapl->count ? sum : -1;
}
