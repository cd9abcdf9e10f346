#include "model/calibration.h"

#include <math.h>
#include <string.h>

const double calibration_times[CALIBRATION_TIME_COUNT] = CALIBRATION_TIMES;
const size_t calibration_blocks[CALIBRATION_SPREADS] = {1, 10, 20, 40};

void calibration_init(struct calibration *calibration)
{
	memset(calibration, 0, sizeof(*calibration));
	calibration->elapsed = NAN;
	calibration->disturbance = disturbance_none;
	calibration->machine = (struct calibration_machine){.cpu = "", .kernel = "", .virtual_ = "", .quota = INFINITY};
}

void calibration_release(struct calibration *calibration)
{
	arena_release(&calibration->arena);
	calibration_init(calibration);
}

void calibration_design_init(struct calibration_design *design, const char *name)
{
	*design = (struct calibration_design){
		.name = name, .pair_seconds = NAN, .alarm_low = NAN, .alarm_high = NAN, .interference = NAN};
	for (int i = 0; i < CALIBRATION_SPREADS; i++)
		design->spreads[i] = (struct calibration_spread){.block = calibration_blocks[i], .sd = NAN, .lag1 = NAN};
	for (int i = 0; i < CALIBRATION_TIME_COUNT; i++)
		design->half_width[i] = design->visible[i] = NAN;
}

struct calibration_program *calibration_add_program(struct calibration *calibration)
{
	size_t count = calibration->program_count;
	struct calibration_program *all = arena_alloc(&calibration->arena, count + 1, sizeof(*all));
	if (!all)
		return NULL;
	if (count)
		memcpy(all, calibration->programs, count * sizeof(*all));
	calibration->programs = all;
	calibration->program_count = count + 1;
	all[count].run_seconds = NAN;
	return &all[count];
}

const struct calibration_program *calibration_find(const struct calibration *calibration, const char *name)
{
	for (size_t i = 0; i < calibration->program_count; i++)
		if (strcmp(calibration->programs[i].name, name) == 0)
			return &calibration->programs[i];
	return NULL;
}

const struct calibration_design *calibration_find_design(const struct calibration_program *program, const char *name)
{
	for (size_t i = 0; name && i < program->design_count; i++)
		if (strcmp(program->designs[i].name, name) == 0 && !program->designs[i].left_out)
			return &program->designs[i];
	return NULL;
}

static const char *copy(struct calibration *to, const char *text, bool *failed)
{
	const char *made = text ? arena_strdup(&to->arena, text) : NULL;
	*failed |= text && !made;
	return made;
}

static int copy_program(struct calibration *to, const struct calibration_program *from)
{
	struct calibration_program *program = calibration_add_program(to);
	struct calibration_design *designs = arena_alloc(&to->arena, from->design_count, sizeof(*designs));
	bool failed = !program || !designs;
	if (failed)
		return -1;
	*program = *from;
	program->name = copy(to, from->name, &failed);
	program->command = copy(to, from->command, &failed);
	program->metric = copy(to, from->metric, &failed);
	program->best = copy(to, from->best, &failed);
	program->made = copy(to, from->made, &failed);
	program->designs = designs;
	for (size_t i = 0; i < from->design_count; i++) {
		designs[i] = from->designs[i];
		designs[i].name = copy(to, from->designs[i].name, &failed);
		designs[i].left_out = copy(to, from->designs[i].left_out, &failed);
	}
	return failed ? -1 : 0;
}

int calibration_keep_others(struct calibration *now, const struct calibration *old, size_t most)
{
	for (size_t i = 0; i < old->program_count && now->program_count < most; i++)
		if (!calibration_find(now, old->programs[i].name) && copy_program(now, &old->programs[i]) != 0)
			return -1;
	if (now->cpu_count > 0 || old->cpu_count == 0)
		return 0;
	now->cpus = arena_alloc(&now->arena, old->cpu_count, sizeof(*now->cpus));
	if (!now->cpus)
		return -1;
	memcpy(now->cpus, old->cpus, old->cpu_count * sizeof(*now->cpus));
	now->cpu_count = old->cpu_count;
	return 0;
}

size_t calibration_time(double seconds)
{
	size_t i = 0;
	while (i + 1 < CALIBRATION_TIME_COUNT && calibration_times[i] < seconds)
		i++;
	return i;
}

const char *calibration_kind(const char *name)
{
	if (strcmp(name, "cpu") == 0)
		return "a CPU-bound program";
	if (strcmp(name, "memory") == 0)
		return "a memory-bound program";
	if (strcmp(name, "start") == 0)
		return "a program that only starts";
	return "this command";
}
