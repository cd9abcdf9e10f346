/* SPDX-License-Identifier: MIT */
/* The list of benchmarks, and the suite: every benchmark with every combination of its parameters.
 *
 * Registering only links a static record into a list, so that a hundred of them cost microseconds before main; names
 * and combinations are made when the suite is built. */
#include "harness/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tare_registration *tare_first_registration;
static struct tare_registration **tare_last_registration = &tare_first_registration;

void tare_register(struct tare_registration *registration)
{
	registration->next = NULL;
	*tare_last_registration = registration;
	tare_last_registration = &registration->next;
}

/* name/parameter=value/… */
static char *tare_instance_name(const struct tare_instance *instance)
{
	const struct tare_options *options = &instance->benchmark->options;
	size_t size = strlen(instance->benchmark->registration->name) + 1;
	for (size_t i = 0; i < options->parameter_count; i++)
		size += strlen(options->parameters[i].name) + strlen(instance->values[i]) + 2;
	char *name = (char *)tare_allocate(size, 1);
	size_t used = (size_t)snprintf(name, size, "%s", instance->benchmark->registration->name);
	for (size_t i = 0; i < options->parameter_count; i++)
		used += (size_t)snprintf(name + used, size - used, "/%s=%s", options->parameters[i].name, instance->values[i]);
	return name;
}

/* The number'th combination of a benchmark's parameters; the last one varies fastest. */
static void tare_instance_fill(struct tare_instance *instance, const struct tare_benchmark *benchmark, size_t number)
{
	const struct tare_options *options = &benchmark->options;
	instance->benchmark = benchmark;
	instance->values = (const char **)tare_allocate(options->parameter_count, sizeof(*instance->values));
	for (size_t i = options->parameter_count; i-- > 0;) {
		instance->values[i] = options->parameters[i].values[number % options->parameters[i].count];
		number /= options->parameters[i].count;
	}
	instance->name = tare_instance_name(instance);
	const char *threads = tare_instance_value(instance, "threads");
	instance->threads = threads ? (unsigned)strtoul(threads, NULL, 10) : 1;
}

static int tare_suite_expand(struct tare_suite *suite, const struct tare_benchmark *benchmark)
{
	size_t combinations = 1;
	for (size_t i = 0; i < benchmark->options.parameter_count; i++) {
		combinations *= benchmark->options.parameters[i].count;
		if (combinations > TARE_INSTANCES_MAX)
			return -1;
	}
	if (suite->count + combinations > TARE_INSTANCES_MAX)
		return -1;
	suite->instances = (struct tare_instance *)tare_reallocate(suite->instances, suite->count + combinations,
	                                                           sizeof(*suite->instances));
	memset(suite->instances + suite->count, 0, combinations * sizeof(*suite->instances));
	for (size_t i = 0; i < combinations; i++)
		tare_instance_fill(&suite->instances[suite->count + i], benchmark, i);
	suite->count += combinations;
	return 0;
}

static int tare_by_name(const void *a, const void *b)
{
	const struct tare_instance *const *left = (const struct tare_instance *const *)a;
	const struct tare_instance *const *right = (const struct tare_instance *const *)b;
	return strcmp((*left)->name, (*right)->name);
}

static int tare_suite_check_names(const struct tare_suite *suite, char *problem, size_t size)
{
	const struct tare_instance **sorted = (const struct tare_instance **)tare_allocate(suite->count, sizeof(*sorted));
	int status = 0;
	for (size_t i = 0; i < suite->count; i++)
		sorted[i] = &suite->instances[i];
	qsort(sorted, suite->count, sizeof(*sorted), tare_by_name);
	for (size_t i = 1; i < suite->count && status == 0; i++) {
		const struct tare_registration *one = sorted[i - 1]->benchmark->registration;
		const struct tare_registration *two = sorted[i]->benchmark->registration;
		if (strcmp(sorted[i - 1]->name, sorted[i]->name) != 0)
			continue;
		snprintf(problem, size, "two benchmarks are called %s (%s:%d and %s:%d)", sorted[i]->name, one->file, one->line,
		         two->file, two->line);
		status = -1;
	}
	free(sorted);
	return status;
}

static int tare_benchmark_build(struct tare_suite *suite, struct tare_benchmark *benchmark, char *problem, size_t size)
{
	const struct tare_registration *registration = benchmark->registration;
	if (!tare_word_is_plain(registration->name)) {
		snprintf(problem, size, "%s:%d: \"%s\" cannot be the name of a benchmark: no white space", registration->file,
		         registration->line, registration->name);
		return -1;
	}
	if (registration->configure)
		registration->configure(&benchmark->options);
	if (benchmark->options.problem[0]) {
		snprintf(problem, size, "%s:%d: benchmark %s: %s", registration->file, registration->line, registration->name,
		         benchmark->options.problem);
		return -1;
	}
	if (tare_suite_expand(suite, benchmark) < 0) {
		snprintf(problem, size, "%s:%d: benchmark %s: more than %d combinations of parameters", registration->file,
		         registration->line, registration->name, TARE_INSTANCES_MAX);
		return -1;
	}
	return 0;
}

int tare_suite_build(struct tare_suite *suite, char *problem, size_t size)
{
	memset(suite, 0, sizeof(*suite));
	for (const struct tare_registration *r = tare_first_registration; r; r = r->next)
		suite->benchmark_count++;
	suite->benchmarks = (struct tare_benchmark *)tare_allocate(suite->benchmark_count, sizeof(*suite->benchmarks));
	struct tare_benchmark *benchmark = suite->benchmarks;
	for (const struct tare_registration *r = tare_first_registration; r; r = r->next, benchmark++) {
		benchmark->registration = r;
		if (tare_benchmark_build(suite, benchmark, problem, size) < 0)
			return -1;
	}
	return tare_suite_check_names(suite, problem, size);
}

void tare_suite_release(struct tare_suite *suite)
{
	for (size_t i = 0; i < suite->count; i++) {
		free(suite->instances[i].name);
		free(suite->instances[i].values);
	}
	for (size_t i = 0; i < suite->benchmark_count; i++)
		tare_options_release(&suite->benchmarks[i].options);
	free(suite->instances);
	free(suite->benchmarks);
	memset(suite, 0, sizeof(*suite));
}

struct tare_instance *tare_suite_find(const struct tare_suite *suite, const char *name)
{
	for (size_t i = 0; i < suite->count; i++)
		if (strcmp(suite->instances[i].name, name) == 0)
			return &suite->instances[i];
	return NULL;
}

const char *tare_instance_value(const struct tare_instance *instance, const char *parameter)
{
	const struct tare_options *options = &instance->benchmark->options;
	for (size_t i = 0; i < options->parameter_count; i++)
		if (strcmp(options->parameters[i].name, parameter) == 0)
			return instance->values[i];
	return NULL;
}
