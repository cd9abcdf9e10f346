#include "cli/suite_use.h"

#include "base/memory.h"
#include "base/pattern.h"
#include "base/text.h"
#include "cli/commands.h"
#include "decide/stable.h"
#include "host/file.h"
#include "host/host.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool has_suite_name(const char *word)
{
	return (text_ends_with(word, ".yaml") || text_ends_with(word, ".yml")) && !strpbrk(word, " \t\n");
}

/* Where a part of the suite files is, in a fleet: "copy.0" the first file itself, "file.0" its folder, "side.0" the
 * program of the first subject. NULL: where the command line, or the file, says. */
static const char *placed(const struct suite_use *suite, const char *kind, size_t number)
{
	char key[40];
	size_t length = (size_t)snprintf(key, sizeof(key), "%s.%zu=", kind, number);
	for (size_t i = 0; suite->placed && i < suite->placed->count; i++)
		if (strncmp(suite->placed->items[i], key, length) == 0)
			return suite->placed->items[i] + length;
	return NULL;
}

static int find_folder(struct suite_use *suite, const char *path, struct error *err)
{
	char whole[PATH_MAX], here[PATH_MAX];
	if (!realpath(path, whole) || !getcwd(here, sizeof(here)))
		return error_full(err, ERROR_SYSTEM, path, NULL, "its folder cannot be found");
	char *slash = strrchr(whole, '/');
	*slash = '\0';
	bool same = strcmp(whole, here) == 0;
	if ((size_t)snprintf(suite->folder, sizeof(suite->folder), "%s",
	                     same       ? ""
	                     : whole[0] ? whole
	                                : "/") >= sizeof(suite->folder))
		return error_set(err, ERROR_SYSTEM, "the path of the suite file is too long");
	return 0;
}

/* The file of this number of `first`, which may be `suite` itself. */
static int open_file(struct suite_use *suite, const struct suite_use *first, size_t number, const char *word,
                     struct error *err)
{
	struct host host = host_real();
	const char *copy = placed(first, "copy", number), *folder = placed(first, "file", number);
	const char *path = copy ? copy : word;
	enum file_kind kind = file_kind(host.sys, path);
	if (kind == FILE_UNKNOWN)
		return file_unknown(path, err);
	if (kind == FILE_MISSING)
		return error_full(err, ERROR_USAGE, path, "'tare init' writes an example", "there is no such suite file");
	if (suite_file_read(&suite->file, host.sys, path, err) != 0)
		return -1;
	suite->open = true;
	if (!folder)
		return find_folder(suite, path, err);
	snprintf(suite->folder, sizeof(suite->folder), "%s", folder);
	return 0;
}

static const char *value_of(const struct suite_file *file, const char *option)
{
	for (size_t i = 0; i < file->setting_count; i++)
		if (strcmp(file->settings[i].option, option) == 0)
			return file->settings[i].value;
	return NULL;
}

/* One experiment cannot be measured in two ways. */
static int check_agreement(const struct suite_use *suite, const struct suite_use *other, struct error *err)
{
	for (size_t i = 0; i < other->file.setting_count; i++) {
		const struct suite_setting *setting = &other->file.settings[i];
		const char *first = value_of(&suite->file, setting->option);
		if (strcmp(setting->option, "build") == 0 || (first && strcmp(first, setting->value) == 0))
			continue;
		error_set(err, ERROR_USAGE, "%.60s: the first suite file %s", setting->key,
		          first ? "says otherwise" : "does not set it");
		error_at(err, other->file.path, setting->line, setting->column);
		return error_next(err, "settings come from the first file; another one has subjects and their build");
	}
	if (other->file.parameter_count == 0)
		return 0;
	error_set(err, ERROR_USAGE, "parameters come from the first suite file alone");
	return error_at(err, other->file.path, other->file.parameters[0].line, 0);
}

static int open_more(struct suite_use *suite, const struct text_list *words, struct error *err)
{
	if (words->count > SUITE_FILES_MOST)
		return error_set(err, ERROR_USAGE, "more than %d suite files", SUITE_FILES_MOST);
	suite->more = mem_zalloc(words->count, sizeof(*suite->more));
	if (!suite->more)
		return error_memory(err);
	for (size_t i = 1; i < words->count; i++) {
		struct suite_use *other = &suite->more[suite->more_count++];
		if (open_file(other, suite, i, words->items[i], err) != 0 || check_agreement(suite, other, err) != 0)
			return -1;
	}
	return 0;
}

int suite_use_open(struct suite_use *suite, const struct text_list *words, struct error *err)
{
	struct host host = host_real();
	const char *path = NULL;
	size_t files = 0;
	for (size_t i = 0; i < words->count; i++) {
		bool is_file = has_suite_name(words->items[i]) && file_kind(host.sys, words->items[i]) != FILE_FOLDER;
		files += is_file;
		path = path ? path : is_file ? words->items[i] : NULL;
	}
	if (!path)
		return 0;
	if (files != words->count)
		return error_full(err, ERROR_USAGE, path, "give it alone, or the commands without it",
		                  "a suite file says itself what to measure");
	return open_file(suite, suite, 0, path, err) != 0 || (files > 1 && open_more(suite, words, err) != 0) ? -1 : 0;
}

void suite_use_release(struct suite_use *suite)
{
	for (size_t i = 0; i < suite->more_count; i++)
		suite_file_release(&suite->more[i].file);
	mem_free(suite->more);
	suite_file_release(&suite->file);
	memset(suite, 0, sizeof(*suite));
}

/* ---- settings ---- */

static int blame(const struct suite_use *suite, const char *key, long line, long column, struct error *err)
{
	char what[sizeof(err->what)];
	memcpy(what, err->what, sizeof(what));
	if (err->kind == ERROR_MEMORY)
		return -1;
	snprintf(err->what, sizeof(err->what), "%.60s: %.180s", key, what);
	return error_at(err, suite->file.path, line, column);
}

/* The value of an option of any kind. */
union option_value {
	bool flag;
	const char *text;
	struct text_list list;
	int64_t integer;
	double number;
};

/* Of another command: checked all the same, so that an error does not wait for that command. */
static int check_value(const struct option *option, const char *value, struct error *err)
{
	union option_value place = {.list = {NULL, 0}};
	struct option alone = *option;
	alone.offset = 0;
	int status = option_store(&alone, value, &place, err);
	if (option->kind == OPTION_LIST)
		text_list_release(&place.list);
	return status;
}

/* Files that a suite names are seen from its folder. */
static const char *place_file(struct suite_use *suite, const struct suite_setting *setting)
{
	static const char *const words[] = {"null", "pipe", "inherit"};
	bool is_file = strcmp(setting->option, "input") == 0 || strcmp(setting->option, "output") == 0;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		is_file = is_file && strcmp(setting->value, words[i]) != 0;
	if (!is_file || !suite->folder[0] || setting->value[0] == '/')
		return setting->value;
	return arena_printf(&suite->file.arena, "%s/%s", suite->folder, setting->value);
}

/* Options that would contradict each other: one of the command line stands in place of another of the file. */
static const struct {
	const char *given, *replaces;
} rivals[] = {
	{"runs", "min-runs"},  {"runs", "max-runs"},      {"runs", "stop"},     {"stop", "runs"},
	{"min-runs", "runs"},  {"min-runs", "max-runs"},  {"max-runs", "runs"}, {"max-runs", "min-runs"},
	{"no-shell", "shell"}, {"show-output", "output"},
};

static bool is_fixed(const struct option *option, const void *options)
{
	const char *const *rule = (const void *)((const char *)options + option->offset);
	return strcmp(option->name, "stop") == 0 && strcmp(*rule, "fixed") == 0;
}

static int place_program(const struct suite_use *suite, size_t number, struct arena *arena, struct side *side,
                         struct error *err)
{
	const char *program = placed(suite, "side", number);
	if (!program)
		return 0;
	side->command = arena_printf(arena, "%s%s", program, side->command + command_program_length(side->command));
	return side->command ? 0 : error_memory(err);
}

/* What the file says does not count where the command line says otherwise. `options` are those of the command line. */
static bool is_replaced(const struct suite_use *suite, const struct option *option, const void *options)
{
	const struct option *table = suite->command->options;
	if (suite->given[option - table])
		return true;
	for (size_t i = 0; i < sizeof(rivals) / sizeof(rivals[0]); i++) {
		const struct option *rival = option_find(suite->command, rivals[i].given);
		/* Of all rules only this one goes with a number of runs. */
		if (strcmp(rivals[i].replaces, option->name) == 0 && rival && suite->given[rival - table] &&
		    !is_fixed(rival, options))
			return true;
	}
	return false;
}

static int apply(struct suite_use *suite, const struct command *command, void *options, struct error *err)
{
	for (size_t i = 0; i < suite->file.setting_count; i++) {
		const struct suite_setting *setting = &suite->file.settings[i];
		/* Numbers that commands print; --pi of bench names those of programs. */
		bool of_commands = strcmp(setting->option, "pi") == 0 && command != &command_run;
		const struct option *option = of_commands ? NULL : option_find(command, setting->option);
		const struct option *other = option_find(&command_run, setting->option);
		const char *value = place_file(suite, setting);
		int status;
		if (!value)
			return error_memory(err);
		if (!option)
			status = check_value(other ? other : option_find(&command_bench, setting->option), value, err);
		else if (is_replaced(suite, option, options))
			status = check_value(option, value, err);
		else
			status = option_store(option, value, options, err);
		if (status != 0)
			return blame(suite, setting->key, setting->line, setting->column, err);
	}
	return 0;
}

int suite_use_parse_options(struct suite_use *suite, const struct command *command, int argc, char **argv,
                            void *options, struct text_list *words, bool *help, struct error *err)
{
	suite->command = command;
	if (options_parse(command, argc, argv, options, suite->given, words, help, err) != 0)
		return -1;
	if (*help)
		return 0;
	const struct option *places = option_find(command, "placed");
	if (places)
		suite->placed = (const struct text_list *)(const void *)((const char *)options + places->offset);
	if (suite_use_open(suite, words, err) != 0)
		return -1;
	return suite->open ? apply(suite, command, options, err) : 0;
}

bool suite_use_is_given(const struct suite_use *suite, const char *option)
{
	const struct option *found = option_find(suite->command, option);
	return found && suite->given[found - suite->command->options];
}

/* ---- subjects and parameters ---- */

static int place_folder(const struct suite_use *suite, struct arena *arena, const char *directory, const char **out,
                        struct error *err)
{
	*out = directory ? directory : suite->folder[0] ? suite->folder : NULL;
	if (!directory || directory[0] == '/' || !suite->folder[0])
		return 0;
	*out = arena_printf(arena, "%s/%s", suite->folder, directory);
	return *out ? 0 : error_memory(err);
}

/* What a subject without a name is called where there are several files: by its file. */
static const char *name_by_file(const struct suite_file *file, const char *command, struct arena *arena)
{
	const char *slash = strrchr(file->path, '/'), *stem = slash ? slash + 1 : file->path;
	size_t length = (size_t)(strrchr(stem, '.') - stem);
	return file->subject_count == 1 ? arena_strndup(arena, stem, length)
	                                : arena_printf(arena, "%.*s: %s", (int)length, stem, command);
}

static int add_sides(const struct suite_use *suite, size_t origin, bool several, bool programs, struct arena *arena,
                     struct side *sides, size_t *used, struct error *err)
{
	for (size_t i = 0; i < suite->file.subject_count; i++) {
		const struct suite_subject *subject = &suite->file.subjects[i];
		const char *command = programs ? subject->program : subject->command;
		if (!command)
			continue;
		struct side *side = &sides[(*used)++];
		*side = (struct side){.name = subject->name,
		                      .command = command,
		                      .prepare = subject->prepare,
		                      .conclude = subject->conclude,
		                      .env = subject->environment,
		                      .build = subject->build,
		                      .origin = origin};
		/* The first file's build is an option, which the command line may replace. */
		if (!side->build && origin > 0)
			side->build = value_of(&suite->file, "build");
		if (several && !side->name && !(side->name = name_by_file(&suite->file, command, arena)))
			return error_memory(err);
		if (place_folder(suite, arena, subject->directory, &side->directory, err) != 0)
			return -1;
	}
	return 0;
}

int suite_use_sides(const struct suite_use *suite, bool programs, struct arena *arena, struct side **out, size_t *count,
                    struct error *err)
{
	size_t most = suite->file.subject_count, used = 0;
	for (size_t i = 0; i < suite->more_count; i++)
		most += suite->more[i].file.subject_count;
	struct side *sides = arena_alloc(arena, most, sizeof(*sides));
	if (!sides)
		return error_memory(err);
	if (add_sides(suite, 0, suite->more_count > 0, programs, arena, sides, &used, err) != 0)
		return -1;
	for (size_t i = 0; i < suite->more_count; i++)
		if (add_sides(&suite->more[i], i + 1, true, programs, arena, sides, &used, err) != 0)
			return -1;
	for (size_t i = 0; i < used; i++)
		if (place_program(suite, i, arena, &sides[i], err) != 0)
			return -1;
	if (used == 0) {
		error_set(err, ERROR_USAGE,
		          programs ? "no subject has a 'program' for tare bench" : "no subject has a 'command' for tare run");
		error_at(err, suite->file.path, suite->file.subjects[0].line, 0);
		return error_next(err,
		                  programs ? "measure its commands with tare run" : "measure its programs with tare bench");
	}
	*out = sides;
	*count = used;
	return 0;
}

int suite_use_axes(const struct suite_use *suite, struct arena *arena, struct parameter_axis **out, size_t *count,
                   struct error *err)
{
	size_t n = suite->file.parameter_count;
	struct parameter_axis *axes = arena_alloc(arena, n + 1, sizeof(*axes));
	if (!axes)
		return error_memory(err);
	*count = 0;
	for (size_t i = 0; i < n; i++) {
		const struct suite_parameter *p = &suite->file.parameters[i];
		struct parameter_axis axis = {p->name, NULL, p->value_count};
		if (p->value_count == 0) {
			if (parameter_range(arena, p->name, p->from, p->to, p->step, &axis, err) != 0)
				return blame(suite, p->name, p->line, p->column, err);
		} else {
			axis.values = arena_alloc(arena, p->value_count, sizeof(*p->values));
			if (!axis.values)
				return error_memory(err);
			memcpy(axis.values, p->values, p->value_count * sizeof(*p->values));
		}
		if (parameter_add(axes, count, 0, &axis, err) != 0)
			return blame(suite, p->name, p->line, p->column, err);
	}
	*out = axes;
	return 0;
}

/* Single benchmarks are stopped by the rule of all, or when stable. */
static int check_rule(const struct suite_setting *setting, struct error *err)
{
	struct stable_options options;
	stable_options_init(&options);
	if (strcmp(setting->option, "stop") != 0 || strcmp(setting->value, "auto") == 0)
		return 0;
	if (stable_options_parse(&options, setting->value, err) == 0)
		return 0;
	return error_next(err, "of single benchmarks it is auto, or cv, rciw, kld and combinations");
}

static int check_pattern(const char *pattern, struct error *err)
{
	regex_t regex;
	if (pattern_compile(&regex, pattern, err) != 0)
		return -1;
	regfree(&regex);
	return 0;
}

int suite_use_specials(const struct suite_use *suite, struct experiment *experiment, struct error *err)
{
	struct experiment_special *specials = arena_alloc(&experiment->arena, suite->file.special_count + 1,
	                                                  sizeof(*specials));
	size_t count = 0;
	if (!specials)
		return error_memory(err);
	for (size_t i = 0; i < suite->file.special_count; i++) {
		const struct suite_special *special = &suite->file.specials[i];
		const struct suite_setting *setting = &special->setting;
		const struct option *option = option_find(suite->command, setting->option);
		if (check_value(option, setting->value, err) != 0 || check_rule(setting, err) != 0 ||
		    check_pattern(special->pattern, err) != 0)
			return blame(suite, setting->key, setting->line, setting->column, err);
		if (!suite->given[option - suite->command->options])
			specials[count++] = (struct experiment_special){special->pattern, setting->option, setting->value,
			                                                suite->file.path, setting->line,   setting->column};
	}
	experiment->bench.specials = specials;
	experiment->bench.special_count = count;
	return 0;
}

/* Whether `text` begins with the option of the setting: "--max-runs" of "--max-runs is …". */
static bool names_option(const char *text, const struct suite_setting *setting)
{
	size_t length = strlen(setting->option);
	return strncmp(text, "--", 2) == 0 && strncmp(text + 2, setting->option, length) == 0 &&
	       (text[2 + length] == '\0' || text[2 + length] == ' ');
}

void suite_use_blame(const struct suite_use *suite, struct error *err)
{
	if (!suite || !suite->open || err->line > 0)
		return;
	for (size_t i = 0; i < suite->file.setting_count; i++) {
		const struct suite_setting *setting = &suite->file.settings[i];
		if (names_option(err->on[0] ? err->on : err->what, setting)) {
			blame(suite, setting->key, setting->line, setting->column, err);
			return;
		}
	}
	for (size_t i = 0; i < suite->file.subject_count && err->on[0]; i++) {
		const struct suite_subject *subject = &suite->file.subjects[i];
		const char *command = subject->command ? subject->command : subject->program;
		if (strcmp(err->on, command) == 0 || (subject->name && strcmp(err->on, subject->name) == 0)) {
			char on[sizeof(err->on)];
			memcpy(on, err->on, sizeof(on));
			blame(suite, on, subject->line, subject->column, err);
			return;
		}
	}
}
