/* What the machine is and offers. */
#include "measure/source_internal.h"

#include <math.h>

int source_machine(const struct source *source, struct source_machine *out, struct error *err)
{
	struct host_memory memory;
	struct source_machine machine = {.usable_cpus = cpus_usable(&source->cpus)};
	machine.cpu_count = cpus_choose(&source->cpus, 2, machine.cpus);
	if (machine.cpu_count == 0)
		return error_set(err, ERROR_SYSTEM, "there is no CPU to measure on");
	if (machine.cpu_count == 1)
		machine.cpus[1] = machine.cpus[0];
	info_memory(source->host, &memory);
	machine.memory_free = memory.available >= 0 ? (double)memory.available : NAN;
	*out = machine;
	return 0;
}

size_t source_cpus(const struct source *source, size_t most, int *out)
{
	return cpus_choose(&source->cpus, most, out);
}

static const char *keep(struct result *result, const char *text, bool *failed)
{
	if (!text[0])
		return NULL;
	const char *copy = arena_strdup(&result->arena, text);
	*failed = *failed || !copy;
	return copy;
}

int measure_describe_machine(const struct host *host, const struct cpu_times *before, struct result *result,
                             struct error *err)
{
	struct host_description description;
	struct cpu_times now;
	bool failed = false;
	info_describe(host, &description);
	result->host.id = keep(result, description.id, &failed);
	result->host.node = keep(result, description.node, &failed);
	result->host.cpu = keep(result, description.cpu, &failed);
	result->host.os = keep(result, description.os, &failed);
	result->host.kernel = keep(result, description.kernel, &failed);
	result->host.virtual_ = keep(result, description.virtual_, &failed);
	result->host.governor = keep(result, description.governor, &failed);
	result->host.cpus = description.cpus;
	result->host.load = info_load(host);
	result->host.steal = NAN;
	if (before && info_cpu_times(host, &now) == 0) {
		double meanwhile = info_steal(before, &now);
		result->host.steal = isnan(meanwhile) ? info_steal(NULL, &now) : meanwhile;
	}
	return failed ? error_memory(err) : 0;
}

int source_describe(const struct source *source, struct result *result, struct error *err)
{
	return measure_describe_machine(source->host, source->have_times ? &source->times_before : NULL, result, err);
}
