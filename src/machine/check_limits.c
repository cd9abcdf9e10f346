/* Which CPUs this process may use, and how much of them.
 *
 * A process that is kept to some CPUs is well off as long as there are two. A quota is bad when it is
 * below one CPU (a single busy program is stopped in every period) or when it stops the group during
 * the look; it could be better when it is below the CPUs that may be used, since then programs with
 * several threads, and two at once, are stopped. */
#include "machine/patient.h"

#include "base/format.h"
#include "host/cgroup.h"
#include "host/proc.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* "all 8", or "0-3 of 0-7"; could be better when one of several is left. */
static void say_set(struct patient *patient, struct finding *f, const struct cpuset *set, const char *who)
{
	char some[256], all[256];
	size_t count = cpuset_count(set), online = cpuset_count(&patient->online);
	f->number = (double)count;
	f->unit = "CPUs";
	cpuset_format(set, some, sizeof(some));
	if (online == 0) {
		finding_says(patient->out, f, FINDING_OK, "CPUs %s", some);
		return;
	}
	if (count >= online) {
		if (online == 1)
			finding_says(patient->out, f, FINDING_OK, "the one CPU");
		else
			finding_says(patient->out, f, FINDING_OK, "all CPUs");
		return;
	}
	finding_says(patient->out, f, count > 1 ? FINDING_OK : FINDING_COULD_BE_BETTER, "%s %s of %s",
	             words_plural(count, "CPU", "CPUs"), some, cpuset_format(&patient->online, all, sizeof(all)));
	if (count == 1)
		finding_cost(patient->out, f, "%s leaves one CPU for tare and what it measures: no duet.", who);
}

static void check_affinity(struct patient *patient, const struct cpuset *group)
{
	struct finding *f = checkup_add(patient->out, "affinity", "affinity", 55);
	char list[256];
	if (cpuset_count(&patient->allowed) == 0) {
		errno = ENOENT;
		patient_no_file(patient, f, "/proc/self/status", NULL);
		return;
	}
	if (group && cpuset_equal(&patient->allowed, group) && cpuset_count(group) < cpuset_count(&patient->online)) {
		finding_says(patient->out, f, FINDING_OK, "all CPUs of the cpuset");
		f->number = (double)cpuset_count(group);
		f->unit = "CPUs";
		return;
	}
	say_set(patient, f, &patient->allowed, "The affinity");
	if (f->state == FINDING_OK)
		return;
	finding_advice(patient->out, f, "Allow the shell that starts tare more CPUs.");
	finding_command(patient->out, f, "taskset -cp %s $$",
	                cpuset_format(group ? group : &patient->online, list, sizeof(list)));
}

static void check_cpuset(struct patient *patient, const struct cpuset *group)
{
	struct finding *f = checkup_add(patient->out, "cpuset", "cpuset", 56);
	char list[256];
	if (!group) {
		finding_unknown(patient->out, f, "no control group with a cpuset was found");
		return;
	}
	say_set(patient, f, group, "The group");
	if (f->state == FINDING_OK)
		return;
	cpuset_format(&patient->online, list, sizeof(list));
	finding_advice(patient->out, f, "Give the group more CPUs.");
	if (strcmp(patient->description.container, "docker") == 0)
		finding_command(patient->out, f, "docker update --cpuset-cpus %s CONTAINER", list);
}

/* How to lift a quota, by who has set it. */
static void advise_quota(struct patient *patient, struct finding *f, const struct cgroup_quota *quota, size_t cpus)
{
	const char *container = patient->description.container;
	struct checkup *out = patient->out;
	char file[4 * PATH_MAX + 3];
	if (strcmp(container, "kubernetes") == 0) {
		finding_advice(out, f, "Take limits.cpu out of the pod, or use whole CPUs and the static policy.");
	} else if (strcmp(container, "docker") == 0 || strcmp(container, "podman") == 0) {
		finding_advice(out, f, "Lift the quota, from outside the container.");
		finding_command(out, f, "%s update --cpus %zu CONTAINER", container, cpus);
	} else {
		finding_advice(out, f, "Lift the quota.");
		finding_command(out, f, "echo %s | sudo tee %s", quota->version == 2 ? "max" : "-1",
		                words_shell(file, sizeof(file), quota->file));
	}
}

static void check_quota(struct patient *patient)
{
	struct checkup *out = patient->out;
	struct finding *f = checkup_add(out, "quota", "CPU quota", 92);
	const struct cgroup_quota *quota = &patient->after.quota;
	size_t cpus = cpuset_count(&patient->allowed) ? cpuset_count(&patient->allowed) : patient_cpus(patient);
	char limit[WORDS_MAX], text[160], pause[WORDS_MAX], period[WORDS_MAX];
	if (quota->version == 0) {
		finding_unknown(out, f, "/proc/self/cgroup and /proc/self/mountinfo name no control group");
		return;
	}
	if (isinf(quota->limit)) {
		finding_says(out, f, FINDING_OK, "none (cgroup version %d)", quota->version);
		return;
	}
	int64_t now = quota->throttled - patient->before.quota.throttled;
	bool stopped_now = quota->throttled >= 0 && patient->before.quota.throttled >= 0 && now > 0;
	enum finding_state state = quota->limit < 1 || stopped_now ? FINDING_BAD
	                           : quota->limit < (double)cpus   ? FINDING_COULD_BE_BETTER
	                                                           : FINDING_OK;
	int used = snprintf(text, sizeof(text), "%s of %zu %s (cgroup version %d)",
	                    format_significant(limit, sizeof(limit), quota->limit, 2), cpus,
	                    words_plural(cpus, "CPU", "CPUs"), quota->version);
	if (stopped_now)
		snprintf(text + used, sizeof(text) - (size_t)used, ", stopped %lld %s just now", (long long)now,
		         words_plural((size_t)now, "time", "times"));
	else if (quota->throttled > 0)
		snprintf(text + used, sizeof(text) - (size_t)used, ", stopped %lld %s so far", (long long)quota->throttled,
		         words_plural((size_t)quota->throttled, "time", "times"));
	f->number = quota->limit;
	f->unit = "CPUs";
	finding_says(out, f, state, "%s", text);
	if (state == FINDING_OK)
		return;
	/* As many threads as there are CPUs use the quota up soonest. */
	double busy = quota->limit < 1 ? 1 : (double)cpus;
	words_number(pause, quota->period * (1 - quota->limit / busy) * 1e3);
	words_number(period, quota->period * 1e3);
	if (quota->limit < 1)
		finding_cost(out, f, "A program that is always busy stands still for %s ms of every %s ms.", pause, period);
	else
		finding_cost(out, f, "Programs on all CPUs, maybe two at once too, stand still %s of every %s ms.", pause,
		             period);
	advise_quota(patient, f, quota, cpus);
}

static void check_isolated(struct patient *patient)
{
	static const char path[] = "/sys/devices/system/cpu/isolated";
	struct finding *f = checkup_add(patient->out, "isolated", "isolated CPUs", 0);
	char text[256];
	struct cpuset set;
	if (proc_read_line(patient->host, path, text, sizeof(text)) < 0) {
		patient_no_file(patient, f, path, NULL);
		return;
	}
	if (cpuset_parse(text, &set, NULL) != 0 || cpuset_count(&set) == 0) {
		f->number = 0;
		f->unit = "CPUs";
		finding_says(patient->out, f, FINDING_OK, "none");
		return;
	}
	f->number = (double)cpuset_count(&set);
	f->unit = "CPUs";
	finding_says(patient->out, f, FINDING_OK, "%s: quiet places for tare run --cpus %s", text, text);
}

void check_limits(struct patient *patient)
{
	char text[1024];
	struct cpuset set;
	bool known = cgroup_cpu_list(patient->host, text, sizeof(text)) == 0 && cpuset_parse(text, &set, NULL) == 0 &&
	             cpuset_count(&set) > 0;
	check_affinity(patient, known ? &set : NULL);
	check_cpuset(patient, known ? &set : NULL);
	check_quota(patient);
	check_isolated(patient);
}
