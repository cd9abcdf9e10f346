#include "machine/fingerprint.h"

#include "host/cgroup.h"
#include "host/info.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int fingerprint_read(const struct host *host, struct arena *arena, struct calibration_machine *out, struct error *err)
{
	struct host_description description;
	info_describe(host, &description);
	*out = (struct calibration_machine){
		.cpu = arena_strdup(arena, description.cpu),
		.kernel = arena_strdup(arena, description.kernel),
		.virtual_ = arena_strdup(arena, description.virtual_),
		.cpus = description.cpus,
		.quota = cgroup_cpu_limit(host),
	};
	return out->cpu && out->kernel && out->virtual_ ? 0 : error_memory(err);
}

bool fingerprint_same(const struct calibration_machine *a, const struct calibration_machine *b)
{
	return strcmp(a->cpu, b->cpu) == 0 && strcmp(a->kernel, b->kernel) == 0 && strcmp(a->virtual_, b->virtual_) == 0 &&
	       a->cpus == b->cpus && a->quota == b->quota;
}

/* FNV-1a, 64 bits. */
static uint64_t hash(uint64_t state, const void *bytes, size_t size)
{
	const unsigned char *at = bytes;
	for (size_t i = 0; i < size; i++)
		state = (state ^ at[i]) * 1099511628211u;
	return state;
}

static uint64_t key_of(const struct calibration_machine *machine)
{
	const char *texts[] = {machine->cpu, machine->kernel, machine->virtual_};
	uint64_t key = 14695981039346656037u;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		key = hash(key, texts[i], strlen(texts[i]) + 1);
	key = hash(key, &machine->cpus, sizeof(machine->cpus));
	return hash(key, &machine->quota, sizeof(machine->quota));
}

int fingerprint_folder(char *path, size_t size, struct error *err)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	int n;
	/* The standard: a relative path is ignored. */
	if (state && state[0] == '/')
		n = snprintf(path, size, "%s/tare", state);
	else if (home && home[0] == '/')
		n = snprintf(path, size, "%s/.local/state/tare", home);
	else
		return error_set(err, ERROR_SYSTEM,
		                 "there is no folder to keep the calibration in: neither XDG_STATE_HOME nor HOME is set");
	if (n < 0 || (size_t)n >= size)
		return error_set(err, ERROR_SYSTEM, "the name of the folder for the calibration is too long");
	return 0;
}

int fingerprint_path(const struct calibration_machine *machine, char *path, size_t size, struct error *err)
{
	if (fingerprint_folder(path, size, err) != 0)
		return -1;
	size_t length = strlen(path);
	int n = snprintf(path + length, size - length, "/calibration-%016llx.json", (unsigned long long)key_of(machine));
	if (n < 0 || (size_t)n >= size - length)
		return error_set(err, ERROR_SYSTEM, "the name of the folder for the calibration is too long");
	return 0;
}
