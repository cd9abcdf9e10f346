/* Suite files: what is read, and what is refused, with its line. */
#include "exchange/suite_file.h"

#include "base/memory.h"
#include "base/random.h"
#include "exchange/suite_schema.h"
#include "exchange/yaml_check.h"
#include "support/fake.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const char whole[] = "name: everything\n"
							"subjects:\n"
							"  - name: old\n"
							"    command: ./old {n}\n"
							"    directory: build\n"
							"    environment: [A=1, 'B=two words']\n"
							"    prepare: sync\n"
							"  - program: ./suite\n"
							"parameters:\n"
							"  - name: n\n"
							"    values: [1, '2,5', 3]\n"
							"  - {name: m, from: 1, to: 9, step: 4}\n"
							"metrics: [cpu, wall]\n"
							"levels:\n"
							"  run: {min: 5}\n"
							"  iteration:\n"
							"    time: 2ms\n"
							"budget: {max-time: 3m}\n"
							"gate: 2%\n";

static int parse(struct suite_file *file, const char *text, struct error *err)
{
	memset(err, 0, sizeof(*err));
	return suite_file_parse(file, "suite.yaml", text, strlen(text), err);
}

static const struct suite_setting *find(const struct suite_file *file, const char *option, size_t nth)
{
	for (size_t i = 0; i < file->setting_count; i++)
		if (strcmp(file->settings[i].option, option) == 0 && nth-- == 0)
			return &file->settings[i];
	fail_msg("no %s", option);
	return NULL;
}

static void assert_setting(const struct suite_file *file, const char *option, size_t nth, const char *key,
                           const char *value, long line, long column)
{
	const struct suite_setting *setting = find(file, option, nth);
	assert_string_equal(setting->key, key);
	assert_string_equal(setting->value, value);
	assert_int_equal(setting->line, line);
	assert_int_equal(setting->column, column);
}

static void everything_is_read(void **state)
{
	(void)state;
	struct suite_file file;
	struct error err;
	assert_int_equal(parse(&file, whole, &err), 0);
	assert_int_equal(file.setting_count, 7);
	assert_setting(&file, "name", 0, "name", "everything", 1, 7);
	assert_setting(&file, "metric", 0, "metrics[0]", "cpu", 13, 11);
	assert_setting(&file, "metric", 1, "metrics[1]", "wall", 13, 16);
	assert_setting(&file, "min-runs", 0, "levels.run.min", "5", 15, 14);
	assert_setting(&file, "iteration-time", 0, "levels.iteration.time", "2ms", 17, 11);
	assert_setting(&file, "max-time", 0, "budget.max-time", "3m", 18, 20);
	assert_setting(&file, "gate", 0, "gate", "2%", 19, 7);
	assert_int_equal(file.subject_count, 2);
	const struct suite_subject *old = &file.subjects[0], *suite = &file.subjects[1];
	assert_string_equal(old->name, "old");
	assert_string_equal(old->command, "./old {n}");
	assert_null(old->program);
	assert_string_equal(old->directory, "build");
	assert_string_equal(old->environment[0], "A=1");
	assert_string_equal(old->environment[1], "B=two words");
	assert_null(old->environment[2]);
	assert_string_equal(old->prepare, "sync");
	assert_null(old->conclude);
	assert_int_equal(old->line, 3);
	assert_null(suite->name);
	assert_string_equal(suite->program, "./suite");
	assert_null(suite->environment[0]);
	assert_int_equal(file.parameter_count, 2);
	assert_int_equal(file.parameters[0].value_count, 3);
	assert_string_equal(file.parameters[0].values[1], "2,5");
	assert_int_equal(file.parameters[1].value_count, 0);
	assert_string_equal(file.parameters[1].step, "4");
	suite_file_release(&file);
	suite_file_release(&file);
}

static void benchmarks_have_settings_of_their_own(void **state)
{
	(void)state;
	static const char text[] =
		"subjects:\n  - program: ./suite\nstop: cv\nwindow: 3\nbenchmarks:\n"
		"  - name: ^parse\n    stop: rciw+kld\n    iteration-time: 10ms\n  - {name: sort, lift: true}\n";
	struct suite_file file;
	struct error err;
	assert_int_equal(parse(&file, text, &err), 0);
	assert_setting(&file, "stop", 0, "stop", "cv", 3, 7);
	assert_setting(&file, "window", 0, "window", "3", 4, 9);
	assert_int_equal(file.special_count, 3);
	assert_string_equal(file.specials[0].pattern, "^parse");
	assert_string_equal(file.specials[0].setting.option, "iteration-time");
	assert_string_equal(file.specials[1].setting.option, "stop");
	assert_string_equal(file.specials[1].setting.value, "rciw+kld");
	assert_string_equal(file.specials[1].setting.key, "benchmarks[0].stop");
	assert_int_equal(file.specials[1].setting.line, 7);
	assert_int_equal(file.specials[1].setting.column, 11);
	assert_string_equal(file.specials[2].pattern, "sort");
	assert_string_equal(file.specials[2].setting.option, "lift");
	suite_file_release(&file);
}

static void what_is_wrong_has_its_line(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		long line, column;
		const char *what;
	} wrong[] = {
		{"subjects:\n  - command: x\ngates: 1\n", 3, 1, "there is no key 'gates' here"},
		{"subjects:\n  - command: x\n    comand: y\n", 3, 5, "no key 'comand' in subjects[0]"},
		{"subjects:\n  - command: x\nlevels:\n  runs: {min: 1}\n", 4, 3, "no key 'runs' in levels"},
		{"subjects:\n  - command: x\nlevels:\n  run: {least: 1}\n", 4, 9, "no key 'least' in levels.run"},
		{"subjects:\n  - command: x\ngate: [1, 2]\n", 3, 7, "gate must be one word"},
		{"subjects:\n  - command: x\nbudget: 60s\n", 3, 9, "budget must be keys"},
		{"subjects: x\n", 1, 11, "subjects must be a list"},
		{"subjects:\n  - x\n", 2, 5, "subjects[0] must be keys"},
		{"subjects: []\n", 1, 11, "nothing to measure"},
		{"name: x\n", 1, 1, "the file has no 'subjects'"},
		{"- x\n", 1, 1, "the file must be keys"},
		{"subjects:\n  - command: x\n    command: y\n", 3, 5, "for the second time"},
		{"subjects:\n  - name: x\n", 2, 5, "either a 'command'"},
		{"subjects:\n  - command: x\n    program: y\n", 2, 5, "either a 'command'"},
		{"subjects:\n  - command: x\n    environment: [A=1, =2]\n", 3, 24, "'=2' is not NAME=value"},
		{"subjects:\n  - command: x\n    environment: {A: 1}\n", 3, 18, "environment must be a list"},
		{"subjects:\n  - command: x\nparameters:\n  - values: [1]\n", 4, 5, "parameters[0] has no 'name'"},
		{"subjects:\n  - command: x\nparameters:\n  - {name: n, from: 1}\n", 4, 5, "either 'values' or"},
		{"subjects:\n  - command: x\nparameters:\n  - {name: n, values: [1], to: 1}\n", 4, 5, "either 'values' or"},
		{"subjects:\n  - program: x\nbenchmarks:\n  - {stop: cv}\n", 4, 5, "benchmarks[0] has no 'name'"},
		{"subjects:\n  - program: x\nbenchmarks:\n  - {name: n, gate: 1}\n", 4, 15, "no key 'gate' in benchmarks[0]"},
		{"subjects:\n  - command: x\ngate:\n", 3, 6, "gate must be given a value"},
		{"subjects:\n  - command: x\ngate: \"a\\0b\"\n", 3, 7, "without NUL"},
		{"subjects:\n  - command: x\n? [a]\n: b\n", 3, 3, "a key must be a word"},
		{"subjects:\n  - command: x\n---\nsubjects: []\n", 3, 1, "second document"},
		{"subjects:\n  - command: x\n  bad: [\n", 3, 3, "this is not YAML"},
		{"subjects:\n\t- command: x\n", 2, 1, "this is not YAML"},
		{"a: *b\n", 1, 4, "this is not YAML"},
		{"", 0, 0, "the file is empty"},
		{"# nothing\n", 0, 0, "the file is empty"},
	};
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct suite_file file;
		struct error err;
		if (parse(&file, wrong[i].text, &err) == 0)
			fail_msg("accepted: %s", wrong[i].text);
		if (!strstr(err.what, wrong[i].what))
			fail_msg("'%s' is not in '%s'", wrong[i].what, err.what);
		assert_string_equal(err.on, "suite.yaml");
		if (err.line != wrong[i].line || err.column != wrong[i].column)
			fail_msg("%s: at %ld:%ld, not at %ld:%ld", err.what, err.line, err.column, wrong[i].line, wrong[i].column);
		assert_int_equal(err.kind, ERROR_USAGE);
		assert_null(file.subjects);
	}
}

static void a_near_key_is_named(void **state)
{
	(void)state;
	struct suite_file file;
	struct error err;
	assert_int_equal(parse(&file, "subjects:\n  - command: x\nmetric: [cpu]\n", &err), -1);
	assert_non_null(strstr(err.next, "'metrics'"));
	assert_int_equal(parse(&file, "subjects:\n  - command: x\nabracadabra: 1\n", &err), -1);
	assert_null(strstr(err.next, "did you mean"));
}

/* Anchors are YAML, not ours to refuse. */
static void aliases_are_read(void **state)
{
	(void)state;
	struct suite_file file;
	struct error err;
	assert_int_equal(
		parse(
			&file,
			"subjects:\n  - &a {command: x, environment: &e [A=1]}\n  - {name: y, command: z, environment: *e}\n  - *a\n",
			&err),
		0);
	assert_int_equal(file.subject_count, 3);
	assert_string_equal(file.subjects[1].environment[0], "A=1");
	assert_string_equal(file.subjects[2].command, "x");
	suite_file_release(&file);
}

static void files(void **state)
{
	(void)state;
	char *root = fake_root(), path[4200];
	struct suite_file file;
	struct error err = {0};
	fake_file(root, "/tare.yaml", whole);
	snprintf(path, sizeof(path), "%s/tare.yaml", root);
	assert_int_equal(suite_file_read(&file, &syscalls_libc, path, &err), 0);
	assert_string_equal(file.path, path);
	suite_file_release(&file);
	snprintf(path, sizeof(path), "%s/none.yaml", root);
	assert_int_equal(suite_file_read(&file, &syscalls_libc, path, &err), -1);
	assert_string_equal(err.on, path);
	char *large = malloc(SUITE_FILE_MAX + 2);
	memset(large, '#', SUITE_FILE_MAX + 1);
	large[SUITE_FILE_MAX + 1] = '\0';
	fake_file(root, "/large.yaml", large);
	snprintf(path, sizeof(path), "%s/large.yaml", root);
	assert_int_equal(suite_file_read(&file, &syscalls_libc, path, &err), -1);
	assert_non_null(strstr(err.what, "1 MiB"));
	free(large);
	fake_remove(root);
	free(root);
}

static void out_of_memory(void **state)
{
	(void)state;
	for (long nth = 1;; nth++) {
		struct suite_file file;
		struct error err;
		mem_fail_at(nth);
		int status = parse(&file, whole, &err);
		int failed = mem_failed();
		mem_fail_at(0);
		if (!failed) {
			assert_int_equal(status, 0);
			suite_file_release(&file);
			assert_true(nth > 20);
			return;
		}
		assert_int_equal(status, -1);
		assert_int_equal(err.kind, ERROR_MEMORY);
	}
}

/* Documents with bytes changed, doubled and left out: read or refused with the file's name, never worse. */
static void damaged_documents(void **state)
{
	(void)state;
	static const char bytes[] = "\n\t :-[]{}&*!|>'\"%#?,\\x0\xff\xc3";
	struct random random;
	size_t refused = 0;
	random_stream(&random, 20261115, 0);
	for (int i = 0; i < 4000; i++) {
		char text[2 * sizeof(whole)];
		size_t length = sizeof(whole) - 1;
		memcpy(text, whole, length);
		for (uint64_t change = random_below(&random, 4) + 1; change > 0; change--) {
			size_t at = (size_t)random_below(&random, length);
			size_t size = (size_t)random_below(&random, 12);
			size = at + size > length ? length - at : size;
			switch (random_below(&random, 3)) {
			case 0: text[at] = bytes[random_below(&random, sizeof(bytes) - 1)]; break;
			case 1:
				memmove(text + at, text + at + size, length - at - size);
				length -= size;
				break;
			default: memmove(text + at + size, text + at, length - at); length += size;
			}
		}
		struct suite_file file;
		struct error err = {0};
		if (suite_file_parse(&file, "suite.yaml", text, length, &err) == 0) {
			assert_true(file.subject_count > 0);
			suite_file_release(&file);
			continue;
		}
		assert_string_equal(err.on, "suite.yaml");
		assert_int_equal(err.kind, ERROR_USAGE);
		refused++;
	}
	assert_in_range(refused, 1000, 3999);
}

/* Every key has its entry in the manual. */
static void assert_documented(const char *manual, const cyaml_schema_value_t *schema)
{
	if (schema->type == CYAML_SEQUENCE)
		assert_documented(manual, schema->sequence.entry);
	if (schema->type != CYAML_MAPPING)
		return;
	for (const cyaml_schema_field_t *field = schema->mapping.fields; field->key; field++) {
		char tag[100] = ".B ";
		size_t used = 3;
		for (const char *c = field->key; *c && used < sizeof(tag) - 4; c++) {
			if (*c == '-')
				tag[used++] = '\\';
			tag[used++] = *c;
		}
		tag[used] = '\n';
		tag[used + 1] = '\0';
		if (!strstr(manual, tag))
			fail_msg("man/tare.yaml.5 has no '%s'", field->key);
		assert_documented(manual, &field->value);
	}
}

static void the_manual_has_every_key(void **state)
{
	(void)state;
	static char manual[1 << 16];
	char path[4200];
	snprintf(path, sizeof(path), "%s/man/tare.yaml.5", getenv("SOURCE_ROOT") ? getenv("SOURCE_ROOT") : ".");
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	size_t length = fread(manual, 1, sizeof(manual) - 1, file);
	fclose(file);
	manual[length] = '\0';
	assert_documented(manual, &suite_schema);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_is_read),
		cmocka_unit_test(benchmarks_have_settings_of_their_own),
		cmocka_unit_test(what_is_wrong_has_its_line),
		cmocka_unit_test(a_near_key_is_named),
		cmocka_unit_test(aliases_are_read),
		cmocka_unit_test(files),
		cmocka_unit_test(out_of_memory),
		cmocka_unit_test(damaged_documents),
		cmocka_unit_test(the_manual_has_every_key),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
