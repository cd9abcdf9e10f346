#include "exchange/suite_schema.h"

#define MAY                              (CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL)
#define TEXT(type, member, key, flags)   CYAML_FIELD_STRING_PTR(key, flags, type, member, 0, CYAML_UNLIMITED)
#define LIST(type, member, entry, flags) CYAML_FIELD_SEQUENCE(#member, flags, type, member, entry, 0, CYAML_UNLIMITED)
#define PARTS(type, member, fields)      CYAML_FIELD_MAPPING_PTR(#member, MAY, type, member, fields)

static const cyaml_schema_value_t text_schema = {CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 0, CYAML_UNLIMITED)};

static const cyaml_schema_field_t subject_fields[] = {
	TEXT(struct suite_yaml_subject, name, "name", MAY),
	TEXT(struct suite_yaml_subject, command, "command", MAY),
	TEXT(struct suite_yaml_subject, program, "program", MAY),
	TEXT(struct suite_yaml_subject, directory, "directory", MAY),
	TEXT(struct suite_yaml_subject, prepare, "prepare", MAY),
	TEXT(struct suite_yaml_subject, conclude, "conclude", MAY),
	TEXT(struct suite_yaml_subject, build, "build", MAY),
	LIST(struct suite_yaml_subject, environment, &text_schema, MAY),
	CYAML_FIELD_END,
};
static const cyaml_schema_value_t subject_schema = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct suite_yaml_subject, subject_fields)};

static const cyaml_schema_field_t parameter_fields[] = {
	TEXT(struct suite_yaml_parameter, name, "name", CYAML_FLAG_POINTER),
	TEXT(struct suite_yaml_parameter, from, "from", MAY),
	TEXT(struct suite_yaml_parameter, to, "to", MAY),
	TEXT(struct suite_yaml_parameter, step, "step", MAY),
	LIST(struct suite_yaml_parameter, values, &text_schema, MAY),
	CYAML_FIELD_END,
};
static const cyaml_schema_value_t parameter_schema = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct suite_yaml_parameter, parameter_fields)};

#define BUILD_FIELD(member, key, option)     TEXT(struct suite_yaml_build, member, key, MAY),
#define BENCHMARK_FIELD(member, key, option) TEXT(struct suite_yaml_benchmark, member, key, MAY),
static const cyaml_schema_field_t benchmark_fields[] = {
	TEXT(struct suite_yaml_benchmark, name, "name", CYAML_FLAG_POINTER),
	SUITE_BENCHMARK_KEYS(BENCHMARK_FIELD) CYAML_FIELD_END,
};
static const cyaml_schema_value_t benchmark_schema = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct suite_yaml_benchmark, benchmark_fields)};

#define RUN_FIELD(member, key, option)       TEXT(struct suite_yaml_run, member, key, MAY),
#define ITERATION_FIELD(member, key, option) TEXT(struct suite_yaml_iteration, member, key, MAY),
#define BUDGET_FIELD(member, key, option)    TEXT(struct suite_yaml_budget, member, key, MAY),
#define ON_FIELD(member, key, option)        TEXT(struct suite_yaml_on, member, key, MAY),
#define TOP_FIELD(member, key, option)       TEXT(struct suite_yaml, member, key, MAY),

static const cyaml_schema_field_t build_fields[] = {SUITE_BUILD_KEYS(BUILD_FIELD) CYAML_FIELD_END};
static const cyaml_schema_field_t run_fields[] = {SUITE_RUN_KEYS(RUN_FIELD) CYAML_FIELD_END};
static const cyaml_schema_field_t iteration_fields[] = {SUITE_ITERATION_KEYS(ITERATION_FIELD) CYAML_FIELD_END};
static const cyaml_schema_field_t budget_fields[] = {SUITE_BUDGET_KEYS(BUDGET_FIELD) CYAML_FIELD_END};

static const cyaml_schema_field_t on_fields[] = {
	SUITE_ON_KEYS(ON_FIELD) LIST(struct suite_yaml_on, options, &text_schema, MAY),
	CYAML_FIELD_END,
};

static const cyaml_schema_field_t level_fields[] = {
	PARTS(struct suite_yaml_levels, build, build_fields),
	PARTS(struct suite_yaml_levels, run, run_fields),
	PARTS(struct suite_yaml_levels, iteration, iteration_fields),
	CYAML_FIELD_END,
};

static const cyaml_schema_field_t top_fields[] = {
	SUITE_TOP_KEYS(TOP_FIELD) LIST(struct suite_yaml, subjects, &subject_schema, CYAML_FLAG_POINTER),
	LIST(struct suite_yaml, parameters, &parameter_schema, MAY),
	LIST(struct suite_yaml, benchmarks, &benchmark_schema, MAY),
	LIST(struct suite_yaml, metrics, &text_schema, MAY),
	LIST(struct suite_yaml, indices, &text_schema, MAY),
	LIST(struct suite_yaml, tags, &text_schema, MAY),
	PARTS(struct suite_yaml, levels, level_fields),
	PARTS(struct suite_yaml, budget, budget_fields),
	PARTS(struct suite_yaml, on, on_fields),
	CYAML_FIELD_END,
};

const cyaml_schema_value_t suite_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct suite_yaml, top_fields)};
