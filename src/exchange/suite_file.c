#include "exchange/suite_file.h"

#include "base/memory.h"
#include "exchange/suite_schema.h"
#include "exchange/yaml_check.h"
#include "host/file.h"

#include <stdbool.h>
#include <string.h>

struct suite_reading {
	struct suite_file *file;
	struct yaml_places places;
	const struct suite_yaml *yaml;
	struct error *err;
};

static const char *keep(struct suite_reading *r, const char *text, int *failed)
{
	const char *copy = text ? arena_strdup(&r->file->arena, text) : NULL;
	*failed |= text && !copy;
	return copy;
}

/* The entries of a list, ended by NULL. */
static const char *const *keep_list(struct suite_reading *r, char *const *texts, size_t count, int *failed)
{
	const char **copy = arena_alloc(&r->file->arena, count + 1, sizeof(*copy));
	*failed |= !copy;
	for (size_t i = 0; copy && i < count; i++)
		copy[i] = keep(r, texts[i], failed);
	return copy;
}

static int wrong(struct suite_reading *r, const char *path)
{
	const struct yaml_place *place = yaml_place(&r->places, path);
	return error_at(r->err, r->file->path, place ? place->line : 0, place ? place->column : 0);
}

/* ---- settings ---- */

static int make_setting(struct suite_reading *r, const char *key, const char *option, const char *value,
                        struct suite_setting *setting)
{
	int failed = 0;
	const struct yaml_place *place = yaml_place(&r->places, key);
	*setting = (struct suite_setting){option, place ? place->path : key, keep(r, value, &failed),
	                                  place ? place->line : 0, place ? place->column : 0};
	return failed ? error_memory(r->err) : 0;
}

static int add_setting(struct suite_reading *r, const char *key, const char *option, const char *value)
{
	return value ? make_setting(r, key, option, value, &r->file->settings[r->file->setting_count++]) : 0;
}

static int add_list(struct suite_reading *r, const char *key, const char *option, char *const *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *path = arena_printf(&r->file->arena, "%s[%zu]", key, i);
		if (!path)
			return error_memory(r->err);
		if (add_setting(r, path, option, values[i]) != 0)
			return -1;
	}
	return 0;
}

#define COUNT_KEY(member, key, option) +1
enum {
	SINGLE_KEYS = 0 SUITE_TOP_KEYS(COUNT_KEY) SUITE_BUDGET_KEYS(COUNT_KEY) SUITE_BUILD_KEYS(COUNT_KEY)
		SUITE_RUN_KEYS(COUNT_KEY) SUITE_ITERATION_KEYS(COUNT_KEY)
};

static int read_settings(struct suite_reading *r)
{
	const struct suite_yaml *yaml = r->yaml;
	static const struct suite_yaml_budget no_budget;
	static const struct suite_yaml_build no_build;
	static const struct suite_yaml_run no_run;
	static const struct suite_yaml_iteration no_iteration;
	const struct suite_yaml_budget *budget = yaml->budget ? yaml->budget : &no_budget;
	const struct suite_yaml_build *build = yaml->levels && yaml->levels->build ? yaml->levels->build : &no_build;
	const struct suite_yaml_run *run = yaml->levels && yaml->levels->run ? yaml->levels->run : &no_run;
	const struct suite_yaml_iteration *iteration = yaml->levels && yaml->levels->iteration ? yaml->levels->iteration
	                                                                                       : &no_iteration;
	size_t most = (size_t)SINGLE_KEYS + yaml->metrics_count + yaml->indices_count + yaml->tags_count;
	r->file->settings = arena_alloc(&r->file->arena, most, sizeof(*r->file->settings));
	if (!r->file->settings)
		return error_memory(r->err);
	int status = 0;
#define TOP(member, key, option)       status |= add_setting(r, key, option, yaml->member);
#define BUDGET(member, key, option)    status |= add_setting(r, "budget." key, option, budget->member);
#define BUILD(member, key, option)     status |= add_setting(r, "levels.build." key, option, build->member);
#define RUN(member, key, option)       status |= add_setting(r, "levels.run." key, option, run->member);
#define ITERATION(member, key, option) status |= add_setting(r, "levels.iteration." key, option, iteration->member);
	SUITE_TOP_KEYS(TOP)
	SUITE_BUDGET_KEYS(BUDGET)
	SUITE_BUILD_KEYS(BUILD)
	SUITE_RUN_KEYS(RUN)
	SUITE_ITERATION_KEYS(ITERATION)
	status |= add_list(r, "metrics", "metric", yaml->metrics, yaml->metrics_count);
	status |= add_list(r, "indices", "pi", yaml->indices, yaml->indices_count);
	status |= add_list(r, "tags", "tag", yaml->tags, yaml->tags_count);
	return status;
}

/* ---- settings of single benchmarks ---- */

static int add_special(struct suite_reading *r, size_t index, const char *pattern, const char *option,
                       const char *value)
{
	if (!value)
		return 0;
	const char *key = arena_printf(&r->file->arena, "benchmarks[%zu].%s", index, option);
	struct suite_special *special = &r->file->specials[r->file->special_count++];
	special->pattern = pattern;
	return key ? make_setting(r, key, option, value, &special->setting) : error_memory(r->err);
}

#define COUNT_SPECIAL(member, key, option) +1
enum { SPECIAL_KEYS = 0 SUITE_BENCHMARK_KEYS(COUNT_SPECIAL) };

static int read_specials(struct suite_reading *r)
{
	int failed = 0, status = 0;
	r->file->specials = arena_alloc(&r->file->arena, r->yaml->benchmarks_count * (size_t)SPECIAL_KEYS + 1,
	                                sizeof(*r->file->specials));
	if (!r->file->specials)
		return error_memory(r->err);
	for (size_t i = 0; i < r->yaml->benchmarks_count && status == 0 && !failed; i++) {
		const struct suite_yaml_benchmark *from = &r->yaml->benchmarks[i];
		const char *pattern = keep(r, from->name, &failed);
#define SPECIAL(member, key, option) status |= add_special(r, i, pattern, option, from->member);
		SUITE_BENCHMARK_KEYS(SPECIAL)
	}
	return failed ? error_memory(r->err) : status;
}

/* ---- subjects and parameters ---- */

static int check_environment(struct suite_reading *r, const struct suite_yaml_subject *from, size_t index)
{
	for (size_t i = 0; i < from->environment_count; i++) {
		const char *equals = strchr(from->environment[i], '=');
		if (equals && equals != from->environment[i])
			continue;
		const char *path = arena_printf(&r->file->arena, "subjects[%zu].environment[%zu]", index, i);
		error_set(r->err, ERROR_USAGE, "'%.60s' is not NAME=value", from->environment[i]);
		return path ? wrong(r, path) : error_memory(r->err);
	}
	return 0;
}

static int read_subject(struct suite_reading *r, size_t index)
{
	const struct suite_yaml_subject *from = &r->yaml->subjects[index];
	struct suite_subject *to = &r->file->subjects[index];
	const char *path = arena_printf(&r->file->arena, "subjects[%zu]", index);
	int failed = !path;
	if (failed)
		return error_memory(r->err);
	if (!from->command == !from->program) {
		error_set(r->err, ERROR_USAGE,
		          "a subject has either a 'command' (for tare run) or a 'program' (for tare bench)");
		return wrong(r, path);
	}
	if (check_environment(r, from, index) != 0)
		return -1;
	const struct yaml_place *place = yaml_place(&r->places, path);
	*to = (struct suite_subject){.name = keep(r, from->name, &failed),
	                             .command = keep(r, from->command, &failed),
	                             .program = keep(r, from->program, &failed),
	                             .prepare = keep(r, from->prepare, &failed),
	                             .conclude = keep(r, from->conclude, &failed),
	                             .build = keep(r, from->build, &failed),
	                             .directory = keep(r, from->directory, &failed),
	                             .environment = keep_list(r, from->environment, from->environment_count, &failed),
	                             .line = place ? place->line : 0,
	                             .column = place ? place->column : 0};
	return failed ? error_memory(r->err) : 0;
}

static int read_parameter(struct suite_reading *r, size_t index)
{
	const struct suite_yaml_parameter *from = &r->yaml->parameters[index];
	struct suite_parameter *to = &r->file->parameters[index];
	const char *path = arena_printf(&r->file->arena, "parameters[%zu]", index);
	int failed = !path;
	if (failed)
		return error_memory(r->err);
	const struct yaml_place *place = yaml_place(&r->places, path);
	bool range = from->from && from->to, any = from->from || from->to || from->step;
	if (from->values_count > 0 ? any : !range) {
		error_set(r->err, ERROR_USAGE, "parameter '%.60s' has either 'values' or 'from' and 'to'", from->name);
		return wrong(r, path);
	}
	*to = (struct suite_parameter){.name = keep(r, from->name, &failed),
	                               .values = keep_list(r, from->values, from->values_count, &failed),
	                               .value_count = from->values_count,
	                               .from = keep(r, from->from, &failed),
	                               .to = keep(r, from->to, &failed),
	                               .step = keep(r, from->step, &failed),
	                               .line = place ? place->line : 0,
	                               .column = place ? place->column : 0};
	return failed ? error_memory(r->err) : 0;
}

static int read_items(struct suite_reading *r)
{
	struct suite_file *file = r->file;
	file->subjects = arena_alloc(&file->arena, r->yaml->subjects_count, sizeof(*file->subjects));
	file->parameters = arena_alloc(&file->arena, r->yaml->parameters_count, sizeof(*file->parameters));
	if (!file->subjects || !file->parameters)
		return error_memory(r->err);
	for (; file->subject_count < r->yaml->subjects_count; file->subject_count++)
		if (read_subject(r, file->subject_count) != 0)
			return -1;
	for (; file->parameter_count < r->yaml->parameters_count; file->parameter_count++)
		if (read_parameter(r, file->parameter_count) != 0)
			return -1;
	if (file->subject_count > 0)
		return 0;
	error_set(r->err, ERROR_USAGE, "'subjects' is empty: nothing to measure");
	return wrong(r, "subjects");
}

/* ---- the file ---- */

/* What libcyaml says would repeat what the check has said already. */
static void *allocate(void *context, void *block, size_t size)
{
	(void)context;
	if (size == 0) {
		mem_free(block);
		return NULL;
	}
	return mem_resize(block, size, 1);
}

int suite_file_parse(struct suite_file *file, const char *path, const char *text, size_t length, struct error *err)
{
	static const cyaml_config_t config = {
		.log_fn = NULL, .mem_fn = allocate, .log_level = CYAML_LOG_ERROR, .flags = CYAML_CFG_DEFAULT};
	struct suite_yaml *yaml = NULL;
	memset(file, 0, sizeof(*file));
	file->path = arena_strdup(&file->arena, path);
	struct suite_reading reading = {.file = file, .err = err};
	int status = file->path ? yaml_check(path, text, length, &suite_schema, &file->arena, &reading.places, err)
	                        : error_memory(err);
	if (status == 0) {
		cyaml_err_t problem = cyaml_load_data((const uint8_t *)text, length, &config, &suite_schema,
		                                      (cyaml_data_t **)&yaml, NULL);
		/* The check has parsed the same text: what fails now fails for want of memory. */
		if (problem == CYAML_ERR_OOM || problem == CYAML_ERR_LIBYAML_PARSER || problem == CYAML_ERR_LIBYAML_PARSER_INIT)
			status = error_memory(err);
		else if (problem != CYAML_OK || !yaml) {
			error_set(err, ERROR_USAGE, "%s", problem != CYAML_OK ? cyaml_strerror(problem) : "the file is empty");
			status = error_at(err, path, 0, 0);
		}
	}
	reading.yaml = yaml;
	if (status == 0 && yaml)
		status = read_settings(&reading) != 0 || read_specials(&reading) != 0 || read_items(&reading) != 0 ? -1 : 0;
	if (yaml)
		cyaml_free(&config, &suite_schema, yaml, 0);
	if (status != 0)
		suite_file_release(file);
	return status;
}

int suite_file_read(struct suite_file *file, const struct syscalls *sys, const char *path, struct error *err)
{
	memset(file, 0, sizeof(*file));
	int fd = file_open(sys, path, err);
	char *text = fd >= 0 ? mem_alloc(SUITE_FILE_MAX + 1, 1) : NULL;
	size_t length = 0;
	long got = 1;
	if (fd < 0)
		return -1;
	int status = text ? 0 : error_memory(err);
	while (status == 0 && got > 0 && length <= SUITE_FILE_MAX) {
		got = file_read(sys, fd, text + length, SUITE_FILE_MAX + 1 - length, err);
		if (got < 0)
			status = error_on(err, "%s", path);
		else
			length += (size_t)got;
	}
	if (status == 0 && length > SUITE_FILE_MAX) {
		error_set(err, ERROR_USAGE, "a suite file has at most 1 MiB");
		status = error_on(err, "%s", path);
	}
	if (status == 0)
		status = suite_file_parse(file, path, text, length, err);
	mem_free(text);
	sys->close(fd);
	return status;
}

void suite_file_release(struct suite_file *file)
{
	arena_release(&file->arena);
	memset(file, 0, sizeof(*file));
}
