/* The keys of a suite file as libcyaml's structs and schema. */
#ifndef TARE_EXCHANGE_SUITE_SCHEMA_H
#define TARE_EXCHANGE_SUITE_SCHEMA_H

#include <cyaml/cyaml.h>
#include <stdint.h>

/* Keys that are options: member, key in its group, option of the command line. */
#define SUITE_TOP_KEYS(X) \
	X(allow_missing, "allow-missing", "allow-missing") \
	X(build, "build", "build") \
	X(check, "check", "check") \
	X(cleanup, "cleanup", "cleanup") \
	X(confidence, "confidence", "confidence") \
	X(counters, "counters", "counters") \
	X(cpus, "cpus", "cpus") \
	X(design, "design", "design") \
	X(expect_exit, "expect-exit", "expect-exit") \
	X(filter, "filter", "filter") \
	X(gate, "gate", "gate") \
	X(ignore_failure, "ignore-failure", "ignore-failure") \
	X(input, "input", "input") \
	X(lift, "lift", "lift") \
	X(margin, "margin", "margin") \
	X(name, "name", "name") \
	X(output, "output", "output") \
	X(phases, "phases", "phases") \
	X(precision, "precision", "precision") \
	X(preset, "preset", "preset") \
	X(priority, "priority", "priority") \
	X(reference, "reference", "reference") \
	X(refill, "refill", "refill") \
	X(seed, "seed", "seed") \
	X(setup, "setup", "setup") \
	X(share_margin, "share-margin", "share-margin") \
	X(shell, "shell", "shell") \
	X(stop, "stop", "stop") \
	X(stop_values, "stop-values", "stop-values") \
	X(stop_variant, "stop-variant", "stop-variant") \
	X(until, "until", "until") \
	X(vary, "vary", "vary") \
	X(warmup_runs, "warmup-runs", "warmup-runs") \
	X(window, "window", "window")

/* Of benchmarks whose name matches. */
#define SUITE_BENCHMARK_KEYS(X) \
	X(iteration_time, "iteration-time", "iteration-time") \
	X(iterations, "iterations", "iterations") \
	X(lift, "lift", "lift") \
	X(max_runs, "max-runs", "max-runs") \
	X(max_warmup, "max-warmup", "max-warmup") \
	X(min_runs, "min-runs", "min-runs") \
	X(min_warmup, "min-warmup", "min-warmup") \
	X(stop, "stop", "stop") \
	X(stop_values, "stop-values", "stop-values") \
	X(stop_variant, "stop-variant", "stop-variant") \
	X(warmup_runs, "warmup-runs", "warmup-runs") \
	X(window, "window", "window")

#define SUITE_BUDGET_KEYS(X) \
	X(build_timeout, "build-timeout", "build-timeout") \
	X(max_time, "max-time", "max-time") \
	X(start_limit, "start-limit", "start-limit") \
	X(timeout, "timeout", "timeout")

#define SUITE_ON_KEYS(X) \
	X(engine, "engine", "on") \
	X(machines, "machines", "machines") \
	X(max, "max", "machines-max") \
	X(partition, "partition", "partition") \
	X(strata, "strata", "strata")

#define SUITE_BUILD_KEYS(X) X(exactly, "exactly", "builds")

#define SUITE_RUN_KEYS(X) \
	X(exactly, "exactly", "runs") \
	X(max, "max", "max-runs") \
	X(min, "min", "min-runs") \
	X(warmup, "warmup", "warmup")

#define SUITE_ITERATION_KEYS(X) \
	X(count, "count", "iterations") \
	X(max_warmup, "max-warmup", "max-warmup") \
	X(min_warmup, "min-warmup", "min-warmup") \
	X(time, "time", "iteration-time")

#define SUITE_MEMBER(member, key, option) char *member;

struct suite_yaml_subject {
	char *name, *command, *program, *directory, *prepare, *conclude, *build;
	char **environment;
	uint32_t environment_count;
};

struct suite_yaml_parameter {
	char *name, *from, *to, *step;
	char **values;
	uint32_t values_count;
};

struct suite_yaml_build {
	SUITE_BUILD_KEYS(SUITE_MEMBER)
};
struct suite_yaml_benchmark {
	char *name;
	SUITE_BENCHMARK_KEYS(SUITE_MEMBER)
};

struct suite_yaml_run {
	SUITE_RUN_KEYS(SUITE_MEMBER)
};
struct suite_yaml_iteration {
	SUITE_ITERATION_KEYS(SUITE_MEMBER)
};
struct suite_yaml_on {
	SUITE_ON_KEYS(SUITE_MEMBER)
	char **options;
	uint32_t options_count;
};
struct suite_yaml_budget {
	SUITE_BUDGET_KEYS(SUITE_MEMBER)
};

struct suite_yaml_levels {
	struct suite_yaml_build *build;
	struct suite_yaml_run *run;
	struct suite_yaml_iteration *iteration;
};

struct suite_yaml {
	SUITE_TOP_KEYS(SUITE_MEMBER)
	struct suite_yaml_subject *subjects;
	uint32_t subjects_count;
	struct suite_yaml_parameter *parameters;
	uint32_t parameters_count;
	struct suite_yaml_benchmark *benchmarks;
	uint32_t benchmarks_count;
	char **metrics, **indices, **tags;
	uint32_t metrics_count, indices_count, tags_count;
	struct suite_yaml_levels *levels;
	struct suite_yaml_on *on;
	struct suite_yaml_budget *budget;
};

extern const cyaml_schema_value_t suite_schema;

#endif
