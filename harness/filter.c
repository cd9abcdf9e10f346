/* SPDX-License-Identifier: MIT */
/* Leaving out benchmarks: by a pattern in the name, by the values of a parameter. */
#include "harness/internal.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void tare_drop(struct tare_instance *instance)
{
	free(instance->name);
	free(instance->values);
}

static int tare_refuse_pattern(int code, const regex_t *regex, const char *pattern, char *problem, size_t size)
{
	char why[128];
	regerror(code, regex, why, sizeof(why));
	snprintf(problem, size, "--filter '%s': %s", pattern, why);
	return -1;
}

int tare_filter_pattern(struct tare_suite *suite, const char *pattern, char *problem, size_t size)
{
	regex_t regex;
	int without = pattern[0] == '-';
	int code = regcomp(&regex, pattern + without, REG_EXTENDED | REG_NOSUB);
	if (code != 0)
		return tare_refuse_pattern(code, &regex, pattern, problem, size);
	size_t kept = 0;
	for (size_t i = 0; i < suite->count; i++) {
		int found = regexec(&regex, suite->instances[i].name, 0, NULL, 0);
		if (found == REG_ESPACE)
			code = found; /* out of memory is no answer */
		if (found == REG_ESPACE || (found == 0) != without)
			suite->instances[kept++] = suite->instances[i];
		else
			tare_drop(&suite->instances[i]);
	}
	suite->count = kept;
	int status = code ? tare_refuse_pattern(code, &regex, pattern, problem, size) : 0;
	regfree(&regex);
	return status;
}

static int tare_is_one_of(const char *value, char **words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(value, words[i]) == 0)
			return 1;
	return 0;
}

int tare_filter_parameter(struct tare_suite *suite, const char *condition, char *problem, size_t size)
{
	const char *equals = strchr(condition, '=');
	size_t count = 0, kept = 0;
	char **words = equals ? tare_split(equals + 1, &count) : NULL;
	if (!equals || equals == condition || count == 0) {
		snprintf(problem, size, "--param '%s': expected NAME=VALUE[,VALUE]", condition);
		tare_split_release(words, count);
		return -1;
	}
	char *name = tare_duplicate(condition, (size_t)(equals - condition));
	for (size_t i = 0; i < suite->count; i++) {
		const char *value = tare_instance_value(&suite->instances[i], name);
		/* A benchmark that has no such parameter is not what the condition speaks of. */
		if (!value || tare_is_one_of(value, words, count))
			suite->instances[kept++] = suite->instances[i];
		else
			tare_drop(&suite->instances[i]);
	}
	suite->count = kept;
	free(name);
	tare_split_release(words, count);
	return 0;
}
