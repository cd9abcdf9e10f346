#include "fleet/folder.h"

#include "base/sha256.h"
#include "host/file.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { EXPERIMENT_MOST = 4 << 20, SMALL_MOST = 1 << 20, NODES_MOST = 60000 /* bytes of a word for an engine */ };

static const char *const parts[] = {"bin", "tmp", "slot", "failed", "machine", "wave", "log"};

static int at(const struct fleet_folder *folder, const char *name, char path[FLEET_PATH], struct error *err)
{
	if (snprintf(path, FLEET_PATH, "%s/%s", folder->path, name) < FLEET_PATH)
		return 0;
	error_set(err, ERROR_USAGE, "the path is too long");
	return error_on(err, "%.200s", folder->path);
}

static int trouble(const char *what, const char *path, struct error *err)
{
	error_system(err, errno, "%s", what);
	return error_on(err, "%s", path);
}

static int check_private(const char *path, struct error *err)
{
	struct stat info;
	if (lstat(path, &info) != 0)
		return trouble("cannot be opened", path, err);
	if (!S_ISDIR(info.st_mode) || info.st_uid != geteuid() || (info.st_mode & 077) != 0)
		return error_full(err, ERROR_INPUT, path, "chmod 700 it, if nobody else has put anything there",
		                  "the folder of a fleet must be a folder of yours that nobody else may read (0700)");
	return 0;
}

static bool is_part(const char *name)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (strcmp(parts[i], name) == 0)
			return true;
	return false;
}

/* One that was there is taken where it has nothing but the parts of a fleet that was never finished: whatever else is in
 * it, others may want to read. */
static int check_unused(const struct fleet_folder *folder, const char *path, struct error *err)
{
	struct arena arena = {0};
	const char **names;
	size_t count = 0;
	int status = fleet_names(folder, ".", &arena, &names, &count, err);
	for (size_t i = 0; status == 0 && i < count; i++) {
		if (is_part(names[i]))
			continue;
		bool fleet = strcmp(names[i], "experiment.json") == 0;
		error_set(err, ERROR_USAGE, fleet ? "there is a fleet already" : "the folder is not empty");
		error_on(err, "%s", path);
		status = fleet ? error_next(err, "'tare fleet status %s' says how far it is; take another folder for a new one",
		                            path)
		               : error_next(err, "name a new folder: a fleet has one to itself, which nobody else may read");
	}
	arena_release(&arena);
	return status;
}

int fleet_folder_make(struct fleet_folder *folder, const char *path, struct error *err)
{
	char name[FLEET_PATH];
	memset(folder, 0, sizeof(*folder));
	if (snprintf(name, sizeof(name), "%s/x", path) >= FLEET_PATH - 300)
		return error_set(err, ERROR_USAGE, "the path is too long");
	if (file_make_folders(&syscalls_libc, name, err) != 0)
		return -1;
	if (!realpath(path, folder->path))
		return trouble("cannot be opened", path, err);
	if (check_unused(folder, path, err) != 0)
		return -1;
	/* One that was there may have been made with other permissions. */
	if (chmod(folder->path, 0700) != 0)
		return trouble("cannot be made private", path, err);
	if (check_private(folder->path, err) != 0)
		return -1;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (at(folder, parts[i], name, err) != 0 || (mkdir(name, 0700) != 0 && errno != EEXIST))
			return trouble("cannot be made", name, err);
	return 0;
}

int fleet_folder_freeze(struct fleet_folder *folder, struct fleet_experiment *experiment, struct error *err)
{
	struct buffer text = {0};
	int status = fleet_experiment_write(experiment, &text, err);
	if (status == 0 && fleet_publish(folder, "experiment.json", buffer_text(&text), text.length, err) < 0)
		status = -1;
	buffer_release(&text);
	return status;
}

int fleet_folder_open(struct fleet_folder *folder, const char *path, struct error *err)
{
	struct buffer text = {0};
	char name[FLEET_PATH];
	memset(folder, 0, sizeof(*folder));
	if (!realpath(path, folder->path)) {
		trouble("there is no such fleet", path, err);
		return error_next(err, "give its folder, or @ID of one in $TARE_FLEET");
	}
	int status = check_private(folder->path, err);
	for (size_t i = 0; status == 0 && i < sizeof(parts) / sizeof(parts[0]); i++) {
		status = at(folder, parts[i], name, err);
		if (status == 0)
			status = check_private(name, err);
	}
	if (status == 0)
		status = fleet_read(folder, "experiment.json", EXPERIMENT_MOST, &text, err);
	if (status == 0)
		status = fleet_experiment_read(&folder->experiment, buffer_text(&text), text.length, "experiment.json", err);
	buffer_release(&text);
	return status;
}

void fleet_folder_release(struct fleet_folder *folder)
{
	fleet_experiment_release(&folder->experiment);
}

void fleet_temporary(const struct fleet_folder *folder, char path[FLEET_PATH])
{
	snprintf(path, FLEET_PATH, "%.3900s/tmp/%016llx", folder->path,
	         (unsigned long long)file_unguessable(&syscalls_libc));
}

/* On NFS the answer to link() may be lost on its way: the file itself knows how many names it has. */
static int link_once(const char *temporary, const char *path, struct error *err)
{
	struct stat info;
	if (link(temporary, path) == 0)
		return 1;
	int why = errno;
	if (stat(temporary, &info) == 0 && info.st_nlink == 2)
		return 1;
	if (why == EEXIST)
		return 0;
	errno = why;
	return trouble("cannot be written", path, err);
}

int fleet_publish_file(const struct fleet_folder *folder, const char *temporary, const char *name, struct error *err)
{
	char path[FLEET_PATH];
	int status = at(folder, name, path, err);
	int fd = status == 0 ? open(temporary, O_RDONLY | O_CLOEXEC) : -1;
	if (status == 0 && (fd < 0 || fsync(fd) != 0))
		status = trouble("cannot be flushed to the disk", temporary, err);
	if (fd >= 0)
		close(fd);
	if (status == 0)
		status = link_once(temporary, path, err);
	unlink(temporary);
	return status;
}

int fleet_publish(const struct fleet_folder *folder, const char *name, const void *bytes, size_t length,
                  struct error *err)
{
	char temporary[FLEET_PATH];
	fleet_temporary(folder, temporary);
	int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return trouble("cannot be written", temporary, err);
	int status = file_write(&syscalls_libc, fd, bytes, length, err);
	if (close(fd) != 0 && status == 0)
		status = trouble("cannot be written", temporary, err);
	if (status == 0)
		return fleet_publish_file(folder, temporary, name, err);
	unlink(temporary);
	return error_on(err, "%s", temporary);
}

void fleet_withdraw(const struct fleet_folder *folder, const char *name)
{
	char path[FLEET_PATH];
	struct error err;
	if (at(folder, name, path, &err) == 0)
		unlink(path);
}

/* Copies and hashes; `to` is new. NULL: only hashes. */
static int copy(const char *from, const char *to, mode_t mode, char hash[SHA256_TEXT], struct error *err)
{
	char block[1 << 16];
	struct sha256 sha;
	long n = 0;
	int in = open(from, O_RDONLY | O_CLOEXEC);
	if (in < 0)
		return trouble("cannot be read", from, err);
	int out = to ? open(to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode) : -1;
	int status = to && out < 0 ? trouble("cannot be written", to, err) : 0;
	sha256_init(&sha);
	while (status == 0 && (n = file_read(&syscalls_libc, in, block, sizeof(block), err)) > 0) {
		sha256_add(&sha, block, (size_t)n);
		if (to && file_write(&syscalls_libc, out, block, (size_t)n, err) != 0)
			status = error_on(err, "%s", to);
	}
	if (n < 0)
		status = error_on(err, "%s", from);
	close(in);
	if (out >= 0 && close(out) != 0 && status == 0)
		status = trouble("cannot be written", to, err);
	sha256_end(&sha, hash);
	if (status != 0 && out >= 0)
		unlink(to);
	return status;
}

int fleet_add_program(const struct fleet_folder *folder, const char *path, char hash[SHA256_TEXT], struct error *err)
{
	char temporary[FLEET_PATH], name[SHA256_TEXT + 8];
	fleet_temporary(folder, temporary);
	if (copy(path, temporary, 0700, hash, err) != 0)
		return -1;
	snprintf(name, sizeof(name), "bin/%s", hash);
	return fleet_publish_file(folder, temporary, name, err) < 0 ? -1 : 0;
}

/* `to` as with copy(). */
static int check_program(const struct fleet_folder *folder, const char *hash, const char *to, char from[FLEET_PATH],
                         struct error *err)
{
	char name[SHA256_TEXT + 8], found[SHA256_TEXT];
	snprintf(name, sizeof(name), "bin/%.64s", hash);
	if (at(folder, name, from, err) != 0 || copy(from, to, 0700, found, err) != 0)
		return -1;
	if (strcmp(found, hash) == 0)
		return 0;
	if (to)
		unlink(to);
	return error_full(err, ERROR_INPUT, from, "prepare a new fleet",
	                  "the program is not the one that the fleet was prepared with");
}

int fleet_get_program(const struct fleet_folder *folder, const char *hash, const char *to, struct error *err)
{
	char from[FLEET_PATH];
	return check_program(folder, hash, to, from, err);
}

int fleet_see_program(const struct fleet_folder *folder, const char *hash, char path[FLEET_PATH], struct error *err)
{
	return check_program(folder, hash, NULL, path, err);
}

int fleet_read(const struct fleet_folder *folder, const char *name, size_t most, struct buffer *out, struct error *err)
{
	char path[FLEET_PATH], block[1 << 14];
	struct stat info;
	if (at(folder, name, path, err) != 0)
		return -1;
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT ? error_on((error_set(err, ERROR_NO_DATA, "there is no such file"), err), "%s", path)
		                       : trouble("cannot be read", path, err);
	int status = 0;
	long n = 0;
	if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || info.st_uid != geteuid() || (size_t)info.st_size > most) {
		error_set(err, ERROR_INPUT, "not your file, or too large");
		status = error_on(err, "%s", path);
	}
	while (status == 0 && (n = file_read(&syscalls_libc, fd, block, sizeof(block), err)) > 0)
		buffer_add(out, block, (size_t)n);
	close(fd);
	if (n < 0)
		status = error_on(err, "%s", path);
	return status == 0 ? buffer_error(out, err) : -1;
}

int fleet_chunk_path(const struct fleet_folder *folder, size_t slot, size_t chunk, char path[FLEET_PATH],
                     struct error *err)
{
	char name[64];
	struct stat info;
	snprintf(name, sizeof(name), "slot/%zu.%zu.json.gz", slot, chunk);
	if (at(folder, name, path, err) != 0)
		return -1;
	if (lstat(path, &info) != 0)
		return error_set(err, ERROR_NO_DATA, "not done");
	if (!S_ISREG(info.st_mode) || info.st_uid != geteuid())
		return error_set(err, ERROR_INPUT, "it is not your file");
	return 0;
}

bool fleet_has(const struct fleet_folder *folder, const char *name)
{
	char path[FLEET_PATH];
	struct error err;
	return at(folder, name, path, &err) == 0 && file_kind(&syscalls_libc, path) == FILE_REGULAR;
}

int fleet_names(const struct fleet_folder *folder, const char *part, struct arena *arena, const char ***names,
                size_t *count, struct error *err)
{
	char path[FLEET_PATH];
	*count = 0;
	if (at(folder, part, path, err) != 0)
		return -1;
	return file_list(&syscalls_libc, path, arena, names, count, err);
}

void fleet_add_nodes(const struct fleet_folder *folder, const size_t *but, size_t count, struct buffer *out)
{
	struct arena arena = {0};
	const char **names;
	size_t machines = 0;
	struct error err;
	if (fleet_names(folder, "machine", &arena, &names, &machines, &err) != 0)
		machines = 0;
	for (size_t i = 0; i < machines && out->length < NODES_MOST; i++) {
		struct buffer text = {0};
		char name[64], node[256];
		unsigned long slot;
		size_t b = 0;
		snprintf(name, sizeof(name), "machine/%.40s", names[i]);
		if (fleet_read(folder, name, 1024, &text, &err) == 0 &&
		    sscanf(buffer_text(&text), "%255s %lu", node, &slot) == 2) {
			while (b < count && but[b] != slot)
				b++;
			if (b == count)
				buffer_printf(out, "%s%s", out->length ? "," : "", node);
		}
		buffer_release(&text);
	}
	arena_release(&arena);
}

/* "K.C.json.gz" and "K.N" begin with two numbers. */
static bool two_numbers(const char *name, const char *end, size_t *slot, size_t *second)
{
	char rest[16] = "";
	unsigned long a, b;
	if (sscanf(name, "%lu.%lu%15s", &a, &b, rest) < 2 || strcmp(rest, end) != 0)
		return false;
	*slot = a;
	*second = b;
	return true;
}

double fleet_time(const struct fleet_folder *folder, const char *name)
{
	char path[FLEET_PATH + 64];
	struct stat info;
	snprintf(path, sizeof(path), "%s/%.60s", folder->path, name);
	return lstat(path, &info) == 0 ? (double)info.st_mtim.tv_sec + (double)info.st_mtim.tv_nsec * 1e-9 : NAN;
}

static int add_tries(const struct fleet_folder *folder, struct arena *arena, struct fleet_slot *slots,
                     struct error *err)
{
	const char **names;
	size_t count;
	if (fleet_names(folder, "wave", arena, &names, &count, err) != 0)
		return -1;
	for (size_t i = 0; i < count; i++) {
		struct buffer text = {0};
		char name[64];
		if (strchr(names[i], '.') || strlen(names[i]) > 20)
			continue;
		snprintf(name, sizeof(name), "wave/%.20s", names[i]);
		if (fleet_read(folder, name, SMALL_MOST, &text, err) != 0) {
			buffer_release(&text);
			return -1;
		}
		double asked = fleet_time(folder, name);
		for (char *at_ = text.data, *end; at_ && *at_; at_ = *end ? end + 1 : end) {
			unsigned long slot = strtoul(at_, &end, 10);
			if (end == at_)
				break;
			if (slot < folder->experiment.machines_max && slots[slot].tries++ == 0)
				slots[slot].asked = asked;
		}
		buffer_release(&text);
	}
	return 0;
}

int fleet_slots(const struct fleet_folder *folder, struct arena *arena, struct fleet_slot **out, struct error *err)
{
	size_t n = folder->experiment.machines_max, count, slot, second;
	struct fleet_slot *slots = arena_alloc(arena, n, sizeof(*slots));
	const char **names;
	if (!slots)
		return error_memory(err);
	for (size_t i = 0; i < n; i++)
		slots[i].asked = NAN;
	if (fleet_names(folder, "slot", arena, &names, &count, err) != 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (two_numbers(names[i], ".json.gz", &slot, &second) && slot < n && second < folder->experiment.chunks)
			slots[slot].chunks++;
	if (fleet_names(folder, "failed", arena, &names, &count, err) != 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (two_numbers(names[i], "", &slot, &second) && slot < n)
			slots[slot].failures++;
	if (add_tries(folder, arena, slots, err) != 0)
		return -1;
	*out = slots;
	return 0;
}
