/* What the machine says of itself at one moment. Two moments, before and after a measurement, tell what
 * happened between them and what was not the same at the end. */
#ifndef TARE_HOST_MOMENT_H
#define TARE_HOST_MOMENT_H

#include "host/cpuset.h"
#include "host/info.h"

#include <stdbool.h>

enum moment_pressure { MOMENT_CPU, MOMENT_IO, MOMENT_MEMORY, MOMENT_PRESSURES };

/* Numbers that are not known are -1, texts "". */
struct moment {
	int64_t at; /* monotonic clock, ns */
	int64_t
		real_offset; /* real time − monotonic, ns: moves by more than a slow correction only when the clock is set */
	int64_t sleep_offset; /* time since boot − monotonic, ns: grows while the machine sleeps */
	double load;          /* NaN: not known */
	bool has_cpu_times;
	struct cpu_times cpu_times;
	int64_t waited[MOMENT_PRESSURES];  /* µs for which some process waited for it, since boot */
	double quota;                      /* CPUs' worth of time; INFINITY: none */
	int64_t throttled, throttled_time; /* periods, ns, since the group began; 0 without a quota */
	bool has_allowed;
	struct cpuset allowed;
	/* of the CPUs asked for: */
	char governor[INFO_TEXT];  /* "mixed" where they differ */
	int64_t frequency;         /* Hz, of the first */
	int64_t highest_frequency; /* Hz, that the kernel allows the first to run at */
	int64_t slowed_by_heat;    /* times that one had to slow down, all together, since boot */
};

/* Some fifteen small files and three clocks; under a millisecond. `cpus` are those that are measured on. */
void moment_take(const struct host *host, const int *cpus, size_t count, struct moment *out);

#endif
