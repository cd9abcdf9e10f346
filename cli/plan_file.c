#include "cli/plan_file.h"

#include "exchange/plan_document.h"
#include "machine/fingerprint.h"

#include <math.h>
#include <string.h>

int plan_file_identify(struct repeat_plan *plan, struct error *err)
{
	struct host host = host_real();
	return fingerprint_read(&host, &plan->arena, &plan->machine, err);
}

/* How this machine differs from the plan's, as "CPU …" or "kernel …"; NULL: it does not. */
static const char *difference(const struct calibration_machine *then, const struct calibration_machine *now,
                              struct arena *arena)
{
	const char *cpu = then->cpu ? then->cpu : "", *kernel = then->kernel ? then->kernel : "";
	if (strcmp(cpu, now->cpu) != 0 || then->cpus != now->cpus)
		return arena_printf(arena, "%ld CPUs %.100s there, %ld CPUs %.100s here", then->cpus, cpu, now->cpus, now->cpu);
	if (strcmp(kernel, now->kernel) != 0)
		return arena_printf(arena, "kernel %.100s there, %.100s here", kernel, now->kernel);
	return "another kind of virtual machine or CPU quota";
}

static int compare_machines(struct repeat_plan *plan, struct error *err)
{
	struct calibration_machine here, *then = &plan->machine;
	struct host host = host_real();
	then->virtual_ = then->virtual_ ? then->virtual_ : "";
	then->cpu = then->cpu ? then->cpu : "";
	then->kernel = then->kernel ? then->kernel : "";
	if (fingerprint_read(&host, &plan->arena, &here, err) != 0)
		return -1;
	if (!fingerprint_same(then, &here))
		plan->elsewhere = difference(then, &here, &plan->arena);
	return 0;
}

int plan_file_follow(const char *path, struct repeat_plan *plan, bool stop_given, bool time_given,
                     struct experiment *experiment, struct error *err)
{
	repeat_plan_init(plan);
	if (!path)
		return 0;
	if (plan_document_read(path, plan, err) != 0 || compare_machines(plan, err) != 0)
		return -1;
	experiment->plan = plan;
	if (stop_given || experiment->runs)
		return 0;
	if (isfinite(plan->budget)) {
		/* What the time holds, decided before: an interval without looks. */
		experiment->stop = STOP_FIXED;
		if (!time_given)
			experiment->max_time = (int64_t)(plan->budget * 1e9);
		return 0;
	}
	experiment->stop = STOP_PRECISION;
	if (!experiment->precision_given)
		experiment->precision = plan->precision;
	return 0;
}
