/* SPDX-License-Identifier: MIT */
/* The command line of a suite. */
#include "harness/internal.h"

#include <stdio.h>
#include <string.h>

static const char tare_help[] =
	"usage: %s [options]\n"
	"Measures the benchmarks of this program a few times and prints a plain table.\n"
	"To measure for real use `tare bench %s`, to compare two programs `tare bench OLD NEW`.\n"
	"\n"
	"  --list                    print the names of the benchmarks\n"
	"  --test                    run each once, without timing; exit 1 if one fails\n"
	"  --filter REGEX            only those whose name matches; -REGEX: only those that do not (may be repeated)\n"
	"  --param NAME=VALUE[,...]  only these values of a parameter (may be repeated)\n"
	"  --help, --version\n";

enum tare_mode { TARE_MODE_TABLE, TARE_MODE_LIST, TARE_MODE_TEST };

static int tare_usage_error(const char *program, const char *problem)
{
	fprintf(stderr, "%s: %s\nSee %s --help.\n", program, problem, program);
	return 2;
}

/* The value of "--name=value" or "--name value"; NULL when this is another option, "" when there is none. */
static const char *tare_option_value(const char *name, int argc, char **argv, int *at)
{
	size_t length = strlen(name);
	if (!argv[*at] || strncmp(argv[*at], name, length) != 0)
		return NULL;
	if (argv[*at][length] == '=')
		return argv[*at] + length + 1;
	if (argv[*at][length])
		return NULL;
	return *at + 1 < argc ? argv[++*at] : "";
}

/* -1: go on; else the exit code. */
static int tare_read_options(int argc, char **argv, struct tare_suite *suite, enum tare_mode *mode)
{
	char problem[512];
	for (int i = 1; i < argc; i++) {
		const char *value;
		int status = 0;
		problem[0] = '\0';
		if (strcmp(argv[i], "--list") == 0)
			*mode = TARE_MODE_LIST;
		else if (strcmp(argv[i], "--test") == 0)
			*mode = TARE_MODE_TEST;
		else if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
			printf(tare_help, argv[0], argv[0]);
			return 0;
		} else if (strcmp(argv[i], "--version") == 0) {
			puts("tare-bench " TARE_VERSION);
			return 0;
		} else if ((value = tare_option_value("--filter", argc, argv, &i)) != NULL)
			status = value[0] ? tare_filter_pattern(suite, value, problem, sizeof(problem)) : -1;
		else if ((value = tare_option_value("--param", argc, argv, &i)) != NULL)
			status = tare_filter_parameter(suite, value, problem, sizeof(problem));
		else {
			snprintf(problem, sizeof(problem), "unknown option '%s'", argv[i]);
			status = -1;
		}
		if (status < 0)
			return tare_usage_error(argv[0], problem[0] ? problem : "--filter needs a pattern");
	}
	return -1;
}

static int tare_run_alone(struct tare_suite *suite, enum tare_mode mode, const struct tare_loops *loops,
                          const char *program)
{
	if (mode == TARE_MODE_LIST) {
		for (size_t i = 0; i < suite->count; i++)
			puts(suite->instances[i].name);
		return 0;
	}
	if (suite->count == 0)
		return tare_usage_error(program, "no benchmark is left to run");
	return mode == TARE_MODE_TEST ? tare_test(suite) : tare_table(suite, loops, program);
}

int tare_main_with(int argc, char **argv, const struct tare_loops *loops)
{
	static struct tare_channel channel;
	struct tare_suite suite;
	enum tare_mode mode = TARE_MODE_TABLE;
	char problem[768];
	if (tare_suite_build(&suite, problem, sizeof(problem)) < 0) {
		tare_suite_release(&suite);
		return tare_usage_error(argv[0], problem);
	}
	int code = tare_read_options(argc, argv, &suite, &mode);
	if (code < 0 && mode == TARE_MODE_TABLE) {
		int opened = tare_channel_open(&channel, problem, sizeof(problem));
		if (opened < 0)
			code = tare_usage_error(argv[0], problem);
		else if (opened > 0)
			code = tare_session(&suite, &channel, loops);
	}
	if (code < 0)
		code = tare_run_alone(&suite, mode, loops, argv[0]);
	tare_suite_release(&suite);
	return code;
}
