/* tare init: what a project needs to be measured: a place for its results and a suite file. */
#include "cli/act.h"
#include "cli/commands.h"
#include "cli/suite_example.h"
#include "host/file.h"
#include "store/store.h"

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

/* The store is no part of the project's history. */
static int ignore_store(const char *folder, struct error *err)
{
	static const char text[] = "*\n";
	char path[STORE_PATH];
	if (join(folder, ".tare/.gitignore", path, err) != 0)
		return -1;
	enum file_kind kind = file_kind(&syscalls_libc, path);
	if (kind != FILE_MISSING)
		return kind == FILE_UNKNOWN ? file_unknown(path, err) : 0;
	return file_write_whole(&syscalls_libc, path, text, sizeof(text) - 1, err);
}

static int make_store(const char *folder, struct error *err)
{
	char path[STORE_PATH];
	if (join(folder, ".tare", path, err) != 0)
		return -1;
	if (mkdir(path, 0777) != 0 && errno != EEXIST) {
		error_system(err, errno, "cannot make the folder");
		return error_on(err, "%s", path);
	}
	if (ignore_store(folder, err) != 0 || join(folder, ".tare/tare.db", path, err) != 0)
		return -1;
	enum file_kind kind = file_kind(&syscalls_libc, path);
	if (kind == FILE_UNKNOWN)
		return file_unknown(path, err);
	struct store *store = store_open(path, STORE_WRITE, err);
	if (!store)
		return -1;
	store_close(store);
	printf("%s: %s\n", path,
	       kind != FILE_MISSING ? "was there already" : "results of this folder are saved here from now on");
	return 0;
}

static int init(const char *folder, struct error *err)
{
	bool written;
	enum file_kind kind = file_kind(&syscalls_libc, folder);
	if (kind == FILE_UNKNOWN)
		return file_unknown(folder, err);
	if (kind != FILE_FOLDER) {
		error_set(err, ERROR_INPUT, "there is no such folder");
		return error_on(err, "%s", folder);
	}
	if (make_store(folder, err) != 0 || suite_example_write(folder, &written, err) != 0)
		return -1;
	printf("%s/tare.yaml: %s\n", folder,
	       written ? "an example; 'tare run tare.yaml' measures it, 'man tare.yaml' explains it" : "was there already");
	return 0;
}

static int init_folder(const void *options, const struct text_list *folders, struct error *err)
{
	(void)options;
	if (folders->count > 1)
		return error_set(err, ERROR_USAGE, "init takes one folder");
	return init(folders->count ? folders->items[0] : ".", err);
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
