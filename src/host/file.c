#include "host/file.h"

#include "base/array.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum file_kind file_kind(const struct syscalls *sys, const char *path)
{
	struct stat status;
	if (sys->stat(path, &status) != 0)
		return errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG ? FILE_MISSING : FILE_UNKNOWN;
	if (S_ISREG(status.st_mode))
		return FILE_REGULAR;
	return S_ISDIR(status.st_mode) ? FILE_FOLDER : FILE_OTHER;
}

static int failed(const char *what, const char *path, struct error *err)
{
	error_system(err, errno, "%s", what);
	if (path)
		error_on(err, "%s", path);
	return -1;
}

int file_unknown(const char *path, struct error *err)
{
	return failed("cannot be looked at", path, err);
}

int file_open(const struct syscalls *sys, const char *path, struct error *err)
{
	int fd = sys->open(path, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return failed("cannot be opened", path, err);
	return fd;
}

long file_read(const struct syscalls *sys, int fd, void *bytes, size_t size, struct error *err)
{
	ssize_t got;
	do
		got = sys->read(fd, bytes, size);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return failed("cannot be read", NULL, err);
	return (long)got;
}

int file_write(const struct syscalls *sys, int fd, const void *bytes, size_t size, struct error *err)
{
	const char *at = bytes;
	while (size > 0) {
		ssize_t done = sys->write(fd, at, size);
		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return failed("cannot be written", NULL, err);
		at += done;
		size -= (size_t)done;
	}
	return 0;
}

uint64_t file_unguessable(const struct syscalls *sys)
{
	uint64_t bits = 0;
	struct timespec now = {0, 0};
	if (sys->getrandom(&bits, sizeof(bits), 0) == (ssize_t)sizeof(bits))
		return bits;
	sys->clock_gettime(CLOCK_REALTIME, &now);
	return ((uint64_t)now.tv_sec << 32 ^ (uint64_t)now.tv_nsec ^ (uint64_t)getpid() << 40) *
	       UINT64_C(0x9e3779b97f4a7c15);
}

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

static void hold_signals(struct file_writer *writer)
{
	sigset_t before;
	sigemptyset(&writer->held);
	for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
		sigaddset(&writer->held, ending[i]);
	pthread_sigmask(SIG_BLOCK, &writer->held, &before);
	for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
		if (sigismember(&before, ending[i]) == 1)
			sigdelset(&writer->held, ending[i]);
}

static void release_signals(const struct file_writer *writer)
{
	pthread_sigmask(SIG_UNBLOCK, &writer->held, NULL);
}

/* A new file in the folder of `path`, under a name of its own: that of `path` may be as long as names can be. */
static int open_temporary(struct file_writer *writer, unsigned mode)
{
	const char *slash = strrchr(writer->path, '/');
	int folder = slash ? (int)(slash - writer->path) + 1 : 0, fd = -1;
	hold_signals(writer);
	errno = EEXIST;
	for (int i = 0; i < 100 && fd < 0 && errno == EEXIST; i++) {
		snprintf(writer->temporary, sizeof(writer->temporary), "%.*s.tare-%016llx.tmp", folder, writer->path,
		         (unsigned long long)file_unguessable(writer->sys));
		fd = writer->sys->open(writer->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
	}
	if (fd < 0)
		release_signals(writer);
	return fd;
}

static int begin(struct file_writer *writer, const struct syscalls *sys, const char *path, struct error *err)
{
	if (strlen(path) >= sizeof(writer->path)) {
		errno = ENAMETOOLONG;
		return failed("cannot be written", path, err);
	}
	strcpy(writer->path, path);
	writer->sys = sys;
	writer->temporary[0] = '\0';
	return 0;
}

/* Puts what a link at `path` leads to in its place. -1 with errno; EINVAL: no link. */
static int follow(const struct syscalls *sys, char *path, size_t size)
{
	char target[4096];
	ssize_t length = sys->readlink(path, target, sizeof(target));
	if (length < 0)
		return -1;
	const char *slash = strrchr(path, '/');
	size_t folder = target[0] != '/' && slash ? (size_t)(slash + 1 - path) : 0;
	if (folder + (size_t)length >= size) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(path + folder, target, (size_t)length);
	path[folder + (size_t)length] = '\0';
	return 0;
}

/* Whether `path` is a link that leads to a descriptor under /proc, as /dev/stdout does: 1 and its number, 0, or -1 with
 * errno. */
static int find_descriptor(const struct syscalls *sys, const char *path, int *number)
{
	char at[4096], folder[4096];
	struct stat proc, status;
	strcpy(at, path);
	if (sys->stat("/proc/self", &proc) != 0)
		return errno == ENOENT ? 0 : -1;
	for (int links = 0; links < 40; links++) {
		const char *slash = strrchr(at, '/');
		snprintf(folder, sizeof(folder), "%.*s", slash ? (int)(slash - at) + 1 : 1, slash ? at : ".");
		if (sys->stat(folder, &status) != 0)
			return -1;
		*number = atoi(slash ? slash + 1 : at);
		if (follow(sys, at, sizeof(at)) != 0)
			return errno == EINVAL ? 0 : -1;
		if (status.st_dev == proc.st_dev)
			return 1;
	}
	errno = ELOOP;
	return -1;
}

/* A descriptor of this process is written where it stands, so that what was and what will be written by it stays;
 * another's at the end. */
static int open_descriptor(const struct syscalls *sys, const char *path, int number, const struct stat *status)
{
	char own[64];
	struct stat same;
	snprintf(own, sizeof(own), "/proc/self/fd/%d", number);
	if (sys->stat(own, &same) == 0 && same.st_dev == status->st_dev && same.st_ino == status->st_ino)
		return sys->fcntl(number, F_DUPFD_CLOEXEC, 3);
	return sys->open(path, O_WRONLY | O_APPEND | O_CLOEXEC, 0);
}

int file_writer_open(struct file_writer *writer, const struct syscalls *sys, const char *path, struct error *err)
{
	struct stat status;
	if (begin(writer, sys, path, err) != 0)
		return -1;
	bool there = sys->stat(path, &status) == 0;
	/* What cannot be looked at may be a device, which must not be replaced by a file. */
	if (!there && errno != ENOENT)
		return failed("cannot be written", path, err);
	int number = -1, descriptor = there && S_ISREG(status.st_mode) ? find_descriptor(sys, path, &number) : 0;
	if (descriptor < 0)
		return failed("cannot be written", path, err);
	if (descriptor)
		writer->fd = open_descriptor(sys, path, number, &status);
	else if (there && !S_ISREG(status.st_mode))
		writer->fd = sys->open(path, O_WRONLY | O_CLOEXEC, 0);
	else /* what others could not read before they cannot read now */
		writer->fd = open_temporary(writer, there ? status.st_mode & 0666 : 0666);
	return writer->fd < 0 ? failed("cannot be written", path, err) : 0;
}

int file_writer_open_private(struct file_writer *writer, const struct syscalls *sys, const char *path,
                             struct error *err)
{
	if (begin(writer, sys, path, err) != 0)
		return -1;
	writer->fd = open_temporary(writer, 0600);
	return writer->fd < 0 ? failed("cannot be written", path, err) : 0;
}

int file_writer_add(struct file_writer *writer, const void *bytes, size_t size, struct error *err)
{
	if (file_write(writer->sys, writer->fd, bytes, size, err) != 0)
		return error_on(err, "%s", writer->path);
	return 0;
}

/* The new name lasts through a power cut only when the folder is flushed too; a folder that
 * cannot be (some network file systems) is no reason to call the file lost. */
static void flush_folder(const struct file_writer *writer)
{
	char folder[sizeof(writer->path)];
	const char *slash = strrchr(writer->path, '/');
	size_t length = slash ? (size_t)(slash - writer->path) : 0;
	snprintf(folder, sizeof(folder), "%.*s", slash && length ? (int)length : 1, slash ? writer->path : ".");
	int fd = writer->sys->open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	if (fd >= 0) {
		writer->sys->fsync(fd);
		writer->sys->close(fd);
	}
}

int file_writer_close(struct file_writer *writer, bool keep, struct error *err)
{
	const struct syscalls *sys = writer->sys;
	bool in_place = writer->temporary[0] == '\0';
	int problem = 0;
	if (keep && !in_place && sys->fsync(writer->fd) != 0)
		problem = errno;
	if (sys->close(writer->fd) != 0 && problem == 0)
		problem = errno;
	writer->fd = -1;
	if (!in_place && keep && problem == 0 && sys->rename(writer->temporary, writer->path) != 0)
		problem = errno;
	if (!in_place && (!keep || problem != 0))
		sys->unlink(writer->temporary);
	else if (!in_place)
		flush_folder(writer);
	if (!in_place)
		release_signals(writer);
	errno = problem;
	return keep && problem != 0 ? failed("cannot be written", writer->path, err) : 0;
}

int file_write_whole(const struct syscalls *sys, const char *path, const void *bytes, size_t size, struct error *err)
{
	struct file_writer writer;
	if (file_writer_open(&writer, sys, path, err) != 0)
		return -1;
	if (file_writer_add(&writer, bytes, size, err) != 0) {
		file_writer_close(&writer, false, NULL);
		return -1;
	}
	return file_writer_close(&writer, true, err);
}

static int belongs_to_other(const char *path, struct error *err)
{
	return error_full(err, ERROR_SYSTEM, path, "run tare as that user, or let XDG_DATA_HOME name a folder of root's",
	                  "belongs to another user, and root writes nothing there");
}

int file_not_of_others(const struct syscalls *sys, const char *path, struct error *err)
{
	char at[4096];
	struct stat status;
	if (sys->geteuid() != 0)
		return 0;
	if (snprintf(at, sizeof(at), "%s", path) >= (int)sizeof(at)) {
		errno = ENAMETOOLONG;
		return failed("cannot be looked at", path, err);
	}
	for (;;) {
		bool there = sys->stat(at, &status) == 0;
		if (!there && errno != ENOENT && errno != ENOTDIR)
			return failed("cannot be looked at", at, err);
		if (there && status.st_uid != 0)
			return belongs_to_other(at, err);
		if ((there && S_ISDIR(status.st_mode)) || strcmp(at, "/") == 0 || strcmp(at, ".") == 0)
			return 0;
		char *slash = strrchr(at, '/');
		if (!slash)
			strcpy(at, ".");
		else
			slash[slash == at] = '\0';
	}
}

int file_make_folders(const struct syscalls *sys, const char *path, struct error *err)
{
	char folder[4096];
	if (snprintf(folder, sizeof(folder), "%s", path) >= (int)sizeof(folder)) {
		errno = ENAMETOOLONG;
		return failed("cannot be made", path, err);
	}
	for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (sys->mkdir(folder, 0700) != 0 && errno != EEXIST && file_kind(sys, folder) != FILE_FOLDER)
			return failed("cannot be made", folder, err);
		*slash = '/';
	}
	return 0;
}

static int by_bytes(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* NULL at the end (errno 0), or with errno. */
static struct dirent *next_entry(const struct syscalls *sys, DIR *folder)
{
	errno = 0;
	return sys->readdir(folder);
}

int file_list(const struct syscalls *sys, const char *path, struct arena *arena, const char ***names, size_t *count,
              struct error *err)
{
	DIR *folder = sys->opendir(path);
	if (!folder)
		return failed("cannot be listed", path, err);
	const char **list = NULL;
	size_t n = 0;
	struct dirent *entry;
	int status = 0;
	while (status == 0 && (entry = next_entry(sys, folder))) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		const char *name = arena_strdup(arena, entry->d_name);
		if (name && array_add_in(arena, &list, n) == 0)
			list[n++] = name;
		else
			status = error_memory(err);
	}
	if (status == 0 && errno != 0)
		status = failed("cannot be listed", path, err);
	sys->closedir(folder);
	if (status != 0)
		return -1;
	if (n)
		qsort(list, n, sizeof(*list), by_bytes);
	*names = list;
	*count = n;
	return 0;
}
