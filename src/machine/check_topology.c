/* CPUs and how they hang together.
 *
 * ok: two CPUs or more, one hardware thread to a core, one kind of core, memory in one place.
 * bad: the only CPUs that may be used are threads of one core, so that two programs at once always
 * slow each other down. The rest could be better: tare chooses CPUs that do not share a core and are
 * of one kind, but what other programs do on the sibling or in the shared memory it cannot choose. */
#include "machine/patient.h"

#include "host/proc.h"

#include <stdio.h>
#include <string.h>

static void no_topology(struct patient *patient, struct finding *finding)
{
	finding_unknown(patient->out, finding, "%s", patient->topology_error.what);
}

static void check_cpus(struct patient *patient)
{
	struct checkup *out = patient->out;
	struct finding *f = checkup_add(out, "cpus", "CPUs", 50);
	const struct topology *t = &patient->topology;
	size_t count = cpuset_count(&patient->online);
	if (count == 0) {
		finding_unknown(out, f, "there is no /sys/devices/system/cpu/online");
		return;
	}
	enum finding_state state = count > 1 ? FINDING_OK : FINDING_COULD_BE_BETTER;
	f->number = (double)count;
	f->unit = "CPUs";
	if (t->cores && t->packages)
		finding_says(out, f, state, "%zu (%zu %s in %zu %s)", count, t->cores, words_plural(t->cores, "core", "cores"),
		             t->packages, words_plural(t->packages, "package", "packages"));
	else
		finding_says(out, f, state, "%zu", count);
	if (count > 1)
		return;
	finding_cost(out, f, "tare, what it measures and all others share one CPU; no duet is possible.");
	finding_advice(out, f, "Measure on a machine with two CPUs or more.");
}

/* Two CPUs of one core, or -1: the sibling of `cpu` among those of the set that come after it. */
static int sibling_in(const struct topology *t, const struct cpuset *set, const struct topology_cpu *cpu)
{
	for (size_t i = 0; i < t->count; i++)
		if (t->cpus[i].cpu > cpu->cpu && t->cpus[i].core == cpu->core && cpu->core >= 0 &&
		    cpuset_has(set, t->cpus[i].cpu))
			return t->cpus[i].cpu;
	return -1;
}

/* One CPU of each core of the set, and whether some core has more than one. */
static bool one_of_each_core(const struct topology *t, const struct cpuset *set, struct cpuset *out)
{
	bool shared = false;
	memset(out, 0, sizeof(*out));
	for (size_t i = 0; i < t->count; i++) {
		const struct topology_cpu *cpu = &t->cpus[i];
		if (!cpuset_has(set, cpu->cpu))
			continue;
		if (sibling_in(t, set, cpu) >= 0)
			shared = true;
		bool first = true;
		for (size_t j = 0; j < i; j++)
			first = first && !(t->cpus[j].core == cpu->core && cpuset_has(set, t->cpus[j].cpu));
		if (first)
			cpuset_add(out, cpu->cpu);
	}
	return shared;
}

static void advise_smt(struct patient *patient, struct finding *f, const struct cpuset *cores)
{
	char control[32], list[256];
	if (proc_read_line(patient->host, "/sys/devices/system/cpu/smt/control", control, sizeof(control)) > 0 &&
	    strcmp(control, "on") == 0) {
		finding_advice(patient->out, f, "Switch it off while you measure.");
		finding_command(patient->out, f, "echo off | sudo tee /sys/devices/system/cpu/smt/control");
		return;
	}
	finding_advice(patient->out, f, "Measure on one CPU of each core, and keep the others idle.");
	finding_command(patient->out, f, "tare run --cpus %s …", cpuset_format(cores, list, sizeof(list)));
}

static void check_smt(struct patient *patient)
{
	struct checkup *out = patient->out;
	struct finding *f = checkup_add(out, "smt", "SMT", 45);
	const struct topology *t = &patient->topology;
	const struct cpuset *allowed = cpuset_count(&patient->allowed) ? &patient->allowed : &patient->online;
	struct cpuset cores;
	char list[256];
	if (t->cores == 0) {
		no_topology(patient, f);
		return;
	}
	bool anywhere = one_of_each_core(t, &patient->online, &cores);
	f->number = (double)t->count / (double)t->cores;
	f->unit = "CPUs";
	if (!anywhere) {
		finding_says(out, f, FINDING_OK, "each CPU is a core of its own");
		return;
	}
	bool shared = one_of_each_core(t, allowed, &cores);
	if (!shared) {
		finding_says(out, f, FINDING_COULD_BE_BETTER, "on, but only one CPU of each core is allowed here");
		finding_cost(out, f, "What others do on the sibling CPUs slows a measured program down.");
	} else if (cpuset_count(&cores) == 1 && t->cores > 1) {
		finding_says(out, f, FINDING_BAD, "CPUs %s, all that are allowed, are one core",
		             cpuset_format(allowed, list, sizeof(list)));
		f->weight += 40;
		finding_cost(out, f, "Two programs at once share its units and caches, and slow each other down.");
		finding_advice(out, f, "Allow CPUs of different cores.");
		finding_command(out, f, "taskset -cp %s $$", cpuset_format(&patient->online, list, sizeof(list)));
		return;
	} else {
		finding_says(out, f, FINDING_COULD_BE_BETTER, "on: %zu CPUs are %zu %s", t->count, t->cores,
		             words_plural(t->cores, "core", "cores"));
		finding_cost(out, f, "CPUs of one core share its units and caches: a busy sibling slows a program.");
	}
	advise_smt(patient, f, &cores);
}

static void check_kinds(struct patient *patient)
{
	struct checkup *out = patient->out;
	struct finding *f = checkup_add(out, "core-kinds", "kinds of cores", 62);
	const struct topology *t = &patient->topology;
	char fast[256], slow[256];
	if (t->count == 0) {
		no_topology(patient, f);
		return;
	}
	f->number = t->kinds > 1 ? (double)t->kinds : 1;
	f->unit = "kinds";
	if (t->kinds < 2) {
		finding_says(out, f, FINDING_OK, "all alike");
		return;
	}
	struct cpuset fastest = {0}, others = {0};
	for (size_t i = 0; i < t->count; i++)
		cpuset_add(t->cpus[i].kind == (int)t->kinds - 1 ? &fastest : &others, t->cpus[i].cpu);
	finding_says(out, f, FINDING_COULD_BE_BETTER, "CPUs %s are faster than %s",
	             cpuset_format(&fastest, fast, sizeof(fast)), cpuset_format(&others, slow, sizeof(slow)));
	finding_cost(out, f, "Programs take longer on slow cores, and the kernel moves them between kinds.");
	finding_advice(out, f, "Measure on one kind.");
	finding_command(out, f, "tare run --cpus %s …", fast);
}

static void check_caches(struct patient *patient)
{
	struct checkup *out = patient->out;
	struct finding *f = checkup_add(out, "caches", "caches", 0);
	const struct topology *t = &patient->topology;
	char text[256] = "", size[WORDS_MAX];
	if (t->count == 0 || t->cache_count == 0) {
		finding_unknown(out, f, "%s", t->count ? "the machine does not show its caches" : patient->topology_error.what);
		return;
	}
	for (size_t i = 0; i < t->cache_count; i++) {
		const struct topology_cache *c = &t->caches[i];
		char type[2] = {c->type == 'u' ? '\0' : c->type, '\0'};
		size_t used = strlen(text);
		snprintf(text + used, sizeof(text) - used, "%sL%d%s %s", used ? ", " : "", c->level, type,
		         c->size ? words_bytes(size, c->size) : "of unknown size");
		used = strlen(text);
		if (i + 1 == t->cache_count)
			snprintf(text + used, sizeof(text) - used, " for %zu %s", c->cpus, words_plural(c->cpus, "CPU", "CPUs"));
	}
	f->number = (double)t->caches[t->cache_count - 1].size;
	f->unit = "bytes";
	finding_says(out, f, FINDING_OK, "%s", text);
}

/* The memory node that all of a set's CPUs belong to; -1: several, or not known. */
static int only_node(const struct topology *t, const struct cpuset *set)
{
	int node = -1;
	for (size_t i = 0; i < t->count; i++) {
		if (!cpuset_has(set, t->cpus[i].cpu))
			continue;
		if (t->cpus[i].node < 0 || (node >= 0 && t->cpus[i].node != node))
			return -1;
		node = t->cpus[i].node;
	}
	return node;
}

static void check_numa(struct patient *patient)
{
	struct checkup *out = patient->out;
	struct finding *f = checkup_add(out, "numa", "NUMA", 40);
	const struct topology *t = &patient->topology;
	if (t->nodes == 0) {
		no_topology(patient, f);
		return;
	}
	f->number = (double)t->nodes;
	f->unit = "nodes";
	if (t->nodes == 1) {
		finding_says(out, f, FINDING_OK, "one memory node");
		return;
	}
	int node = only_node(t, &patient->allowed);
	if (node >= 0) {
		finding_says(out, f, FINDING_OK, "%zu memory nodes; the allowed CPUs are all at node %d", t->nodes, node);
		return;
	}
	finding_says(out, f, FINDING_COULD_BE_BETTER, "%zu memory nodes", t->nodes);
	finding_cost(out, f, "Memory of another node answers later: speed depends on where memory lies.");
	finding_advice(out, f, "Keep programs and their memory on one node.");
	finding_command(out, f, "numactl --cpunodebind=0 --membind=0 tare run …");
}

void check_topology(struct patient *patient)
{
	check_cpus(patient);
	check_smt(patient);
	check_kinds(patient);
	check_caches(patient);
	check_numa(patient);
}
