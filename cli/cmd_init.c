/* tare init: what a project needs to be measured: a place for its results and a suite file. */
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/stored.h"
#include "host/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const struct option init_options[] = {{0}};

static int join(const char *folder, const char *name, char path[STORE_PATH], struct error *err)
{
	int n = snprintf(path, STORE_PATH, "%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/", name);
	return n < 0 || n >= STORE_PATH ? error_set(err, ERROR_USAGE, "the name of the folder is too long") : 0;
}

/* One that is there already stays; *written says whether it was not. */
static int write_new(const char *folder, const char *name, const char *text, bool *written, struct error *err)
{
	char path[STORE_PATH];
	if (join(folder, name, path, err) != 0)
		return -1;
	enum file_kind kind = file_kind(&syscalls_libc, path);
	*written = kind == FILE_MISSING;
	if (kind != FILE_MISSING)
		return kind == FILE_UNKNOWN ? file_unknown(path, err) : 0;
	return file_write_whole(&syscalls_libc, path, text, strlen(text), err);
}

static int make_store(const char *folder, struct error *err)
{
	char path[STORE_PATH];
	bool written;
	if (join(folder, ".tare", path, err) != 0)
		return -1;
	if (mkdir(path, 0777) != 0 && errno != EEXIST) {
		error_system(err, errno, "cannot make the folder");
		return error_on(err, "%s", path);
	}
	/* The store is no part of the project's history. */
	if (write_new(folder, ".tare/.gitignore", "*\n", &written, err) != 0 ||
	    join(folder, ".tare/tare.db", path, err) != 0)
		return -1;
	enum file_kind kind = file_kind(&syscalls_libc, path);
	if (kind == FILE_UNKNOWN)
		return file_unknown(path, err);
	SCOPED(stored) struct store *store = store_open(path, STORE_WRITE, err);
	if (!store)
		return -1;
	printf("%s: %s\n", path,
	       kind != FILE_MISSING ? "was there already" : "stores the results of this folder from now on");
	return 0;
}

static int init_folder(const void *options, const struct text_list *folders, struct error *err)
{
	(void)options;
	if (folders->count > 1)
		return error_set(err, ERROR_USAGE, "init takes one folder");
	const char *folder = folders->count ? folders->items[0] : ".";
	enum file_kind kind = file_kind(&syscalls_libc, folder);
	if (kind == FILE_UNKNOWN)
		return file_unknown(folder, err);
	if (kind != FILE_FOLDER)
		return error_full(err, ERROR_INPUT, folder, NULL, "there is no such folder");
	bool written;
	if (make_store(folder, err) != 0 || write_new(folder, "tare.yaml", help_text("example"), &written, err) != 0)
		return -1;
	printf("%s/tare.yaml: %s\n", folder,
	       written ? "an example\n'tare run tare.yaml' measures it; 'tare help yaml' explains it"
	               : "was there already");
	return 0;
}

static int init_main(const struct command *command, int argc, char **argv)
{
	return act(command, argc, argv, NULL, init_folder);
}

const struct command command_init = {
	.name = "init",
	.summary = "set up a project: .tare/ and an example tare.yaml",
	.usage = "tare init [FOLDER]",
	.about = "Makes FOLDER/.tare, where results measured in that folder or below it are saved\n"
			 "from then on, and FOLDER/tare.yaml, a suite file that runs as it is and explains\n"
			 "itself. Existing files are not changed.",
	.options = init_options,
	.main = init_main,
};
