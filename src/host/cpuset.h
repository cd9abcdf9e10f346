/* A set of CPU numbers, as the kernel counts them. */
#ifndef TARE_HOST_CPUSET_H
#define TARE_HOST_CPUSET_H

#include "base/error.h"
#include "host/host.h"

#include <stdbool.h>
#include <stddef.h>

enum { CPUSET_MAX = 4096 }; /* CPUs 0 … CPUSET_MAX − 1 */

struct cpuset {
	uint64_t words[CPUSET_MAX / 64]; /* a zeroed set is empty */
};

bool cpuset_has(const struct cpuset *set, int cpu); /* false outside the range */
void cpuset_add(struct cpuset *set, int cpu);       /* ignored outside the range */
size_t cpuset_count(const struct cpuset *set);
bool cpuset_equal(const struct cpuset *a, const struct cpuset *b);
void cpuset_and(struct cpuset *set, const struct cpuset *other);

/* The first CPU that is at least `from`, or -1. */
int cpuset_next(const struct cpuset *set, int from);

/* The kernel's list format, "0-3,8,10-12"; "" and white space at the end are accepted. */
int cpuset_parse(const char *text, struct cpuset *out, struct error *err);

/* The same format; cut where `size` does not hold it. Returns `text`. */
char *cpuset_format(const struct cpuset *set, char *text, size_t size);

/* The CPUs that a process may run on now; pid 0 is the caller. */
int cpuset_of_process(const struct host *host, pid_t pid, struct cpuset *out, struct error *err);

/* Lets a process run on these CPUs only, and reads back what the kernel made of it: anything
 * else than the set is an error that says so (a cpuset of the container cuts silently). */
int cpuset_pin(const struct host *host, pid_t pid, const struct cpuset *set, struct error *err);

#endif
