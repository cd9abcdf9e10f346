/* tare init: what a project needs to be measured: a place for its results and a suite file. */
#include "cli/commands.h"
#include "cli/message.h"
#include "cli/suite_example.h"
#include "host/file.h"

#include <stdio.h>
#include <string.h>

struct init_options {
	bool nothing;
};

static const struct option init_options[] = {{0}};

/* The results are no part of the project's history. */
static int make_store(const char *folder, struct error *err)
{
	static const char ignored[] = "*\n";
	char path[4096];
	int length = snprintf(path, sizeof(path), "%s/.tare/.gitignore", folder);
	if (length < 0 || (size_t)length >= sizeof(path))
		return error_set(err, ERROR_USAGE, "the name of the folder is too long");
	if (file_make_folders(&syscalls_libc, path, err) != 0)
		return -1;
	return file_kind(&syscalls_libc, path) != FILE_MISSING ? 0 : file_write_whole(&syscalls_libc, path, ignored, strlen(ignored), err);
}

static int init(const char *folder, struct error *err)
{
	bool written;
	if (file_kind(&syscalls_libc, folder) != FILE_FOLDER) {
		error_set(err, ERROR_USAGE, "there is no such folder");
		return error_on(err, "%s", folder);
	}
	if (make_store(folder, err) != 0 || suite_example_write(folder, &written, err) != 0)
		return -1;
	printf("%s/tare.yaml: %s\n", folder,
	       written ? "an example; 'tare run tare.yaml' measures it, 'man tare.yaml' explains it" : "was there already");
	return 0;
}

static int init_main(const struct command *command, int argc, char **argv)
{
	struct init_options options = {0};
	struct text_list folders = {0};
	struct error err;
	bool help;
	int code = 0;
	if (options_parse(command, argc, argv, &options, &folders, &help, &err) != 0) {
		code = message_error(&err);
	} else if (help) {
		code = message_help(command);
	} else if (folders.count > 1) {
		error_set(&err, ERROR_USAGE, "init takes one folder");
		code = message_error(&err);
	} else if (init(folders.count ? folders.items[0] : ".", &err) != 0) {
		code = message_error(&err);
	}
	text_list_release(&folders);
	options_release(command, &options);
	return code;
}

const struct command command_init = {
	.name = "init",
	.summary = "prepare a project: .tare/ and an example of tare.yaml",
	.usage = "tare init [FOLDER]",
	.about = "Makes FOLDER/.tare, where results of the project are saved, and FOLDER/tare.yaml, a\n"
	         "suite file that runs as it is and explains itself. What is there already stays.",
	.options = init_options,
	.main = init_main,
};
