#include "cli/fleet_pilot.h"

#include "base/sha256.h"
#include "cli/suite_use.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OPTIONS_OF_PILOT = 32 };

struct fleet_taking {
	const struct fleet_folder *folder;
	struct fleet_experiment *frozen;
	const char **arguments; /* of the command line that are no options */
	size_t argument_count;
	bool commits;      /* of --git, built here */
	const char **real; /* by program: where it is here */
	const char **here; /* by subject: what measures it here */
	struct error *err;
};

/* Options that say where: whoever waits follows the command line again without them. */
static bool is_about_place(const char *name)
{
	return option_is_among(name, "on machines machines-max on-option partition fleet detach strata");
}

/* Options that a worker's tare gets from the pilot, or not at all. */
static bool is_ours(const char *name)
{
	return is_about_place(name) ||
	       option_is_among(name, "json csv markdown html junit latex graph traces no-save name tag baseline "
	                             "gate max-time runs min-runs max-runs stop design metric seed progress quiet "
	                             "color plot ascii preset precision plan warmup min-warmup max-warmup "
	                             "iterations time-unit export-json export-csv sort style export-markdown "
	                             "export-asciidoc export-orgmode until git build program build-timeout "
	                             "confidence margin share-margin");
}

/* A word and the values behind it go to `to`, or of a word that is left out the letters of flags before it. */
static int pass_on(struct fleet_taking *taking, char **argv, size_t count, struct option_word word, bool left_out,
                   const char **to, size_t *used)
{
	if (left_out && word.flags > 0 && !(to[(*used)++] = arena_strndup(&taking->frozen->arena, argv[0], 1 + word.flags)))
		return error_memory(taking->err);
	for (size_t i = 0; !left_out && i < count; i++)
		to[(*used)++] = argv[i];
	return 0;
}

static int take_words(struct fleet_taking *taking, const struct fleet_given *given)
{
	struct fleet_experiment *frozen = taking->frozen;
	size_t count = (size_t)given->argc, end;
	frozen->given = arena_alloc(&frozen->arena, count, sizeof(*frozen->given));
	frozen->arguments = arena_alloc(&frozen->arena, count + OPTIONS_OF_PILOT, sizeof(*frozen->arguments));
	taking->arguments = arena_alloc(&frozen->arena, count, sizeof(*taking->arguments));
	if (!frozen->given || !frozen->arguments || !taking->arguments)
		return error_memory(taking->err);
	bool ended = false;
	for (size_t i = 0; i < count; i = end) {
		char **at = given->argv + i;
		bool is_word = i > 0 && (ended || at[0][0] != '-' || !at[0][1]), is_end = !ended && strcmp(at[0], "--") == 0;
		struct option_word word = {NULL, 0, 0};
		if (i > 0 && !is_word && !is_end)
			word = option_word_of(given->command->options, at[0], i + 1 < count ? at[1] : NULL);
		const char *name = word.option ? word.option->name : "";
		end = i + 1 + word.values < count ? i + 1 + word.values : count;
		ended |= is_end;
		taking->commits |= strcmp(name, "git") == 0;
		if (is_word)
			taking->arguments[taking->argument_count++] = at[0];
		if (pass_on(taking, at, end - i, word, is_about_place(name), frozen->given, &frozen->given_count) != 0 ||
		    (i > 0 && !is_word && !is_end &&
		     pass_on(taking, at, end - i, word, is_ours(name), frozen->arguments, &frozen->argument_count) != 0))
			return -1;
	}
	return 0;
}

/* A file that is sent, under the name that it was given. */
static int add_file(struct fleet_taking *taking, const char *real, const char *given, size_t *program)
{
	struct fleet_experiment *frozen = taking->frozen;
	char hash[SHA256_TEXT];
	const char *slash = strrchr(real, '/'), *file = slash ? slash + 1 : real;
	for (size_t i = 0; i < frozen->program_count; i++)
		if (strcmp(taking->real[i], real) == 0) {
			*program = i;
			return 0;
		}
	if (file[0] == '.' || file[0] == '-')
		return 0;
	if (fleet_add_program(taking->folder, real, hash, taking->err) != 0)
		return -1;
	struct fleet_program one = {arena_strdup(&frozen->arena, hash), arena_strdup(&frozen->arena, file),
	                            arena_strdup(&frozen->arena, given)};
	taking->real[frozen->program_count] = arena_strdup(&frozen->arena, real);
	if (!one.hash || !one.file || !one.path || !taking->real[frozen->program_count])
		return error_memory(taking->err);
	*program = frozen->program_count;
	frozen->programs[frozen->program_count++] = one;
	return 0;
}

/* The first word of a command, where it is a program that can be sent; else the machines must have it. */
static int add_program(struct fleet_taking *taking, const char *command, const char *directory, size_t *program)
{
	size_t length = command_program_length(command);
	char path[FLEET_PATH];
	struct stat info;
	if (length == 0 || length > 3000 || !memchr(command, '/', length))
		return 0;
	snprintf(path, sizeof(path), "%.900s%s%.*s", command[0] != '/' && directory ? directory : "",
	         command[0] != '/' && directory ? "/" : "", (int)length, command);
	if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) || access(path, X_OK) != 0)
		return 0;
	const char *given = arena_strndup(&taking->frozen->arena, command, length);
	return given ? add_file(taking, path, given, program) : error_memory(taking->err);
}

static int add_subject(struct fleet_taking *taking, const char *name, const char *command, const char *directory)
{
	struct fleet_experiment *frozen = taking->frozen;
	struct fleet_subject *subject = &frozen->subjects[frozen->subject_count];
	*subject = (struct fleet_subject){name, command, command + command_program_length(command), SIZE_MAX};
	taking->here[frozen->subject_count++] = command;
	return add_program(taking, command, directory, &subject->program);
}

/* What lies in the folder of a commit is gone when this tare ends. */
static int add_commits(struct fleet_taking *taking, const struct experiment *experiment)
{
	struct fleet_experiment *frozen = taking->frozen;
	for (size_t i = 0; i < experiment->subject_count; i++) {
		const struct experiment_subject *from = &experiment->subjects[i];
		if (from->parameter_count > 0)
			return error_set(taking->err, ERROR_USAGE, "--on with --git takes no parameters");
		if (add_subject(taking, from->name, from->command, from->directory) != 0)
			return -1;
		const struct fleet_subject *subject = &frozen->subjects[i];
		if (subject->program == SIZE_MAX) {
			error_set(taking->err, ERROR_USAGE, "the program of a commit must be a file that can be copied");
			error_on(taking->err, "%.300s", from->command);
			return error_next(taking->err, "name it by its path after the build: ./build/suite");
		}
		taking->here[i] = arena_printf(&frozen->arena, "%s%s", taking->real[subject->program], subject->rest);
		if (!taking->here[i])
			return error_memory(taking->err);
	}
	return 0;
}

/* The file itself and the programs that it names; names in it are seen from its folder, where a machine has that. */
static int add_suites(struct fleet_taking *taking, const struct suite_use *suite)
{
	struct fleet_experiment *frozen = taking->frozen;
	struct side *sides;
	size_t count;
	if (suite_use_sides(suite, strcmp(frozen->command, "bench") == 0, &frozen->arena, &sides, &count, taking->err) != 0)
		return -1;
	frozen->folders = arena_alloc(&frozen->arena, taking->argument_count, sizeof(*frozen->folders));
	frozen->placed = arena_alloc(&frozen->arena, count, sizeof(*frozen->placed));
	if (!frozen->folders || !frozen->placed)
		return error_memory(taking->err);
	for (size_t i = 0; i < taking->argument_count; i++) {
		const struct suite_use *one = i == 0 ? suite : &suite->more[i - 1];
		const char *path = one->file.path;
		frozen->subjects[i] = (struct fleet_subject){"", path, "", SIZE_MAX};
		frozen->folders[i] = one->folder[0] ? one->folder : frozen->directory;
		taking->here[i] = path;
		if (add_file(taking, path, path, &frozen->subjects[i].program) != 0)
			return -1;
	}
	frozen->subject_count = frozen->folder_count = taking->argument_count;
	for (; frozen->placed_count < count; frozen->placed_count++) {
		frozen->placed[frozen->placed_count] = SIZE_MAX;
		if (add_program(taking, sides[frozen->placed_count].command, sides[frozen->placed_count].directory,
		                &frozen->placed[frozen->placed_count]) != 0)
			return -1;
	}
	return 0;
}

/* The names that the results of commands must have. */
static int keep_names(struct fleet_taking *taking, const struct experiment *experiment)
{
	struct fleet_experiment *frozen = taking->frozen;
	frozen->names = arena_alloc(&frozen->arena, experiment->subject_count, sizeof(*frozen->names));
	if (!frozen->names)
		return error_memory(taking->err);
	for (size_t i = 0; strcmp(frozen->command, "run") == 0 && i < experiment->subject_count; i++)
		frozen->names[frozen->name_count++] = experiment->subjects[i].name;
	return 0;
}

int fleet_words_take(const struct fleet_folder *folder, const struct fleet_given *given,
                     struct fleet_experiment *frozen, const char ***words, struct error *err)
{
	struct fleet_taking taking = {.folder = folder, .frozen = frozen, .err = err};
	if (take_words(&taking, given) != 0 || keep_names(&taking, given->experiment) != 0)
		return -1;
	size_t most = taking.argument_count + given->experiment->subject_count;
	struct arena *arena = &frozen->arena;
	frozen->programs = arena_alloc(arena, most + 1, sizeof(*frozen->programs));
	frozen->subjects = arena_alloc(arena, most, sizeof(*frozen->subjects));
	taking.real = arena_alloc(arena, most, sizeof(*taking.real));
	taking.here = arena_alloc(arena, most, sizeof(*taking.here));
	if (!frozen->programs || !frozen->subjects || !taking.real || !taking.here)
		return error_memory(err);
	int status = 0;
	if (given->options->suite)
		status = add_suites(&taking, given->options->suite);
	else if (taking.commits)
		status = add_commits(&taking, given->experiment);
	else
		for (size_t i = 0; status == 0 && i < taking.argument_count; i++)
			status = add_subject(&taking, "", taking.arguments[i], NULL);
	*words = taking.here;
	return status;
}
