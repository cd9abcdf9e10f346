/* Sets of CPUs, and setting the affinity with a look at what came of it. */
#include "host/cpuset.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

_Static_assert(CPUSET_MAX % CPU_SETSIZE == 0, "a set is a whole number of the kernel's");

bool cpuset_has(const struct cpuset *set, int cpu)
{
	return cpu >= 0 && cpu < CPUSET_MAX && (set->words[cpu / 64] >> (cpu % 64) & 1) != 0;
}

void cpuset_add(struct cpuset *set, int cpu)
{
	if (cpu >= 0 && cpu < CPUSET_MAX)
		set->words[cpu / 64] |= UINT64_C(1) << (cpu % 64);
}

size_t cpuset_count(const struct cpuset *set)
{
	size_t n = 0;
	for (size_t i = 0; i < CPUSET_MAX / 64; i++)
		n += (size_t)__builtin_popcountll(set->words[i]);
	return n;
}

bool cpuset_equal(const struct cpuset *a, const struct cpuset *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

void cpuset_and(struct cpuset *set, const struct cpuset *other)
{
	for (size_t i = 0; i < CPUSET_MAX / 64; i++)
		set->words[i] &= other->words[i];
}

int cpuset_next(const struct cpuset *set, int from)
{
	for (int cpu = from < 0 ? 0 : from; cpu < CPUSET_MAX; cpu++)
		if (cpuset_has(set, cpu))
			return cpu;
	return -1;
}

/* Digits at *text to a number below CPUSET_MAX; -1 when there are none or it is too large. */
static int read_cpu(const char **text)
{
	int value = -1;
	for (; isdigit((unsigned char)**text); (*text)++) {
		value = (value < 0 ? 0 : value) * 10 + (**text - '0');
		if (value >= CPUSET_MAX)
			return -1;
	}
	return value;
}

int cpuset_parse(const char *text, struct cpuset *out, struct error *err)
{
	struct cpuset set = {{0}};
	const char *at = text;
	bool good = true;
	while (isspace((unsigned char)*at))
		at++;
	while (*at) {
		int first = read_cpu(&at), last = first;
		if (*at == '-') {
			at++;
			last = read_cpu(&at);
		}
		good = first >= 0 && last >= first;
		if (!good)
			break;
		for (int cpu = first; cpu <= last; cpu++)
			cpuset_add(&set, cpu);
		if (*at == ',' && isdigit((unsigned char)at[1])) {
			at++;
			continue;
		}
		while (isspace((unsigned char)*at))
			at++;
		break;
	}
	if (!good || *at)
		return error_full(err, ERROR_USAGE, text, NULL, "not a list of CPUs below %d such as 0-3,8", CPUSET_MAX);
	*out = set;
	return 0;
}

char *cpuset_format(const struct cpuset *set, char *text, size_t size)
{
	size_t used = 0;
	if (size > 0)
		text[0] = '\0';
	for (int cpu = cpuset_next(set, 0); cpu >= 0 && used < size;) {
		int last = cpu;
		while (cpuset_has(set, last + 1))
			last++;
		const char *comma = used ? "," : "";
		int n = last > cpu ? snprintf(text + used, size - used, "%s%d-%d", comma, cpu, last)
		                   : snprintf(text + used, size - used, "%s%d", comma, cpu);
		used += (size_t)n;
		cpu = cpuset_next(set, last + 1);
	}
	return text;
}

int cpuset_of_process(const struct host *host, pid_t pid, struct cpuset *out, struct error *err)
{
	struct cpuset set = {{0}};
	if (host->sys->sched_getaffinity(pid, sizeof(set), (cpu_set_t *)&set) != 0)
		return error_system(err, errno, "cannot read which CPUs a process may use");
	*out = set;
	return 0;
}

int cpuset_pin(const struct host *host, pid_t pid, const struct cpuset *set, struct error *err)
{
	char wanted[256];
	struct cpuset now = {{0}};
	cpuset_format(set, wanted, sizeof(wanted));
	/* Where nothing changes, a sandbox that forbids the call does no harm. */
	if (cpuset_of_process(host, pid, &now, NULL) == 0 && cpuset_equal(&now, set))
		return 0;
	if (host->sys->sched_setaffinity(pid, sizeof(*set), (const cpu_set_t *)set) != 0) {
		error_system(err, errno, "cannot run on CPU %s", wanted);
		return error_next(err, "choose among the CPUs that this process may use (taskset -p $$ shows them)");
	}
	if (cpuset_of_process(host, pid, &now, err) != 0)
		return -1;
	if (!cpuset_equal(&now, set)) {
		char got[256];
		return error_full(err, ERROR_SYSTEM, NULL, "a cpuset of the container or of a batch system limits the CPUs",
		                  "asked for CPU %s, the system gave CPU %s", wanted, cpuset_format(&now, got, sizeof(got)));
	}
	return 0;
}
