#include "store/store.h"

#include "base/memory.h"
#include "host/file.h"
#include "store/schema.h"
#include "store/sql.h"
#include "store/sum.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int too_long(struct error *err)
{
	return error_set(err, ERROR_SYSTEM, "the name of the folder for the store is too long");
}

/* 1 with the store of the project that this folder belongs to, 0 without one. A folder that this user may not enter has
 * none for it; one that cannot be read may have one. */
static int project_store(char path[STORE_PATH], struct error *err)
{
	char folder[STORE_PATH - 32];
	if (!getcwd(folder, sizeof(folder)))
		return 0;
	for (;;) {
		snprintf(path, STORE_PATH, "%s/.tare", folder);
		enum file_kind kind = file_kind(&syscalls_libc, path);
		if (kind == FILE_UNKNOWN && errno != EACCES)
			return file_unknown(path, err);
		if (kind == FILE_FOLDER) {
			snprintf(path, STORE_PATH, "%s/.tare/tare.db", folder);
			return 1;
		}
		char *slash = strrchr(folder, '/');
		if (!slash || folder[0] == '\0')
			return 0;
		*slash = '\0';
	}
}

int store_locate(enum store_mode mode, char path[STORE_PATH], struct error *err)
{
	const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
	int n = project_store(path, err);
	if (n != 0)
		return n < 0 ? -1 : 0;
	/* The standard: a relative path is ignored. */
	if (data && data[0] == '/') {
		n = snprintf(path, STORE_PATH, "%s/tare/tare.db", data);
	} else if (home && home[0] == '/') {
		n = snprintf(path, STORE_PATH, "%s/.local/share/tare/tare.db", home);
	} else {
		return error_full(err, ERROR_SYSTEM, NULL, "'tare init' makes one here",
		                  "there is no folder to save results in: neither XDG_DATA_HOME nor HOME is set");
	}
	if (n < 0 || n >= STORE_PATH)
		return too_long(err);
	return mode == STORE_WRITE ? file_not_of_others(&syscalls_libc, path, err) : 0;
}

static int missing(const char *path, struct error *err)
{
	return error_full(err, ERROR_NO_DATA, path, "'tare run' saves what it measures", "nothing was saved yet");
}

/* Small caches: the store lives beside what is measured. */
static int configure(struct store *store, enum store_mode mode, struct error *err)
{
	sqlite3_extended_result_codes(store->db, 1);
	sqlite3_busy_timeout(store->db, 5000);
	if (sum_register(store->db) != SQLITE_OK)
		return sql_failed(store, "cannot open the store", err);
	if (sql_run(store, "PRAGMA foreign_keys = ON; PRAGMA cache_size = -1000; PRAGMA trusted_schema = OFF",
	            "cannot open the store", err) != 0)
		return -1;
	if (mode == STORE_READ)
		return 0;
	return sql_run(store, "PRAGMA page_size = 2048; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL",
	               "cannot open the store", err);
}

/* Whether the last writer left something undone: without its log the file is old or torn. */
static bool has_log(const struct store *store)
{
	const char *file = sqlite3_db_filename(store->db, "main");
	const char *names[] = {sqlite3_filename_wal(file), sqlite3_filename_journal(file)};
	struct stat status;
	for (size_t i = 0; i < 2; i++)
		if (names[i] && (syscalls_libc.stat(names[i], &status) == 0 ? status.st_size > 0 : errno != ENOENT))
			return true;
	return false;
}

/* A store in a folder where no log can be made is read as it is. */
static int open_unchanging(struct store *store, struct error *err)
{
	char uri[3 * STORE_PATH + 32] = "file:";
	size_t at = strlen(uri);
	for (const char *c = store->path; *c; c++)
		at += (size_t)(strchr("%?#", *c) ? snprintf(uri + at, sizeof(uri) - at, "%%%02X", (unsigned char)*c)
		                                 : snprintf(uri + at, sizeof(uri) - at, "%c", *c));
	snprintf(uri + at, sizeof(uri) - at, "?immutable=1");
	sqlite3_close(store->db);
	store->db = NULL;
	if (sqlite3_open_v2(uri, &store->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL) !=
	    SQLITE_OK)
		return sql_failed(store, "cannot open the store", err);
	return configure(store, STORE_READ, err) != 0 || schema_prepare(store, false, err) != 0 ? -1 : 0;
}

/* The folders may be links, the file not: whoever can write to the folder could make it one to a file of ours. The path
 * without links, as SQLite wants it then; the path itself where that cannot be told. */
static void resolve_folder(const char *path, char out[STORE_PATH])
{
	char folder[STORE_PATH], real[PATH_MAX];
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	snprintf(out, STORE_PATH, "%s", path);
	snprintf(folder, sizeof(folder), "%.*s", slash ? (int)(slash - path) + 1 : 2, slash ? path : "./");
	if (!realpath(folder, real) || strlen(real) + strlen(name) + 2 > STORE_PATH)
		return;
	strcpy(out, real);
	if (out[1] != '\0')
		strcat(out, "/");
	strcat(out, name);
}

static int is_link(const struct store *store, struct error *err)
{
	return error_full(err, ERROR_SYSTEM, store->path, "name the file itself, or make its folder a link",
	                  "cannot open the store: it is a link to another file");
}

static int open_file(struct store *store, enum store_mode mode, struct error *err)
{
	char path[STORE_PATH];
	int flags = mode == STORE_WRITE ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOFOLLOW
	                                : SQLITE_OPEN_READWRITE;
	resolve_folder(store->path, path);
	int code = sqlite3_open_v2(mode == STORE_WRITE ? path : store->path, &store->db, flags | SQLITE_OPEN_NOMUTEX, NULL);
	if (code != SQLITE_OK && store->db && sqlite3_extended_errcode(store->db) == SQLITE_CANTOPEN_SYMLINK)
		return is_link(store, err);
	if (code != SQLITE_OK)
		return sql_failed(store, "cannot open the store", err);
	if (configure(store, mode, err) == 0 && schema_prepare(store, mode == STORE_WRITE, err) == 0)
		return 0;
	code = sqlite3_errcode(store->db) & 0xff;
	bool locked_out = mode == STORE_READ && (code == SQLITE_CANTOPEN || code == SQLITE_READONLY);
	return locked_out && !has_log(store) ? open_unchanging(store, err) : -1;
}

struct store *store_open(const char *path, enum store_mode mode, struct error *err)
{
	if (mode == STORE_READ && file_kind(&syscalls_libc, path) == FILE_MISSING) {
		missing(path, err);
		return NULL;
	}
	if (mode == STORE_WRITE && file_make_folders(&syscalls_libc, path, err) != 0)
		return NULL;
	struct store *store = mem_zalloc(1, sizeof(*store));
	if (!store) {
		error_memory(err);
		return NULL;
	}
	store->claims = store->looks = -1;
	snprintf(store->path, sizeof(store->path), "%s", path);
	if (open_file(store, mode, err) == 0)
		return store;
	store_close(store);
	return NULL;
}

void store_close(struct store *store)
{
	if (!store)
		return;
	for (size_t i = 0; i < store->kept_count; i++)
		sqlite3_finalize(store->kept[i].statement);
	sqlite3_close(store->db);
	if (store->claims >= 0)
		syscalls_libc.close(store->claims);
	if (store->looks >= 0)
		syscalls_libc.close(store->looks);
	mem_free(store);
}

const char *store_path(const struct store *store)
{
	return store->path;
}

void store_patience(struct store *store, int milliseconds)
{
	sqlite3_busy_timeout(store->db, milliseconds);
}
