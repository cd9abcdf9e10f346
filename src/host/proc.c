/* Parsing of /proc/PID files. */
#include "host/proc.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* `path` below the host's root, in `full` where that needs memory; NULL when it is too long. */
static const char *rooted(const struct host *host, const char *path, char full[PATH_MAX])
{
	if (!host->root[0])
		return path;
	int n = snprintf(full, PATH_MAX, "%s%s", host->root, path);
	if (n >= 0 && n < PATH_MAX)
		return full;
	errno = ENAMETOOLONG;
	return NULL;
}

ssize_t proc_read(const struct host *host, const char *path, char *text, size_t size)
{
	char full[PATH_MAX];
	text[0] = '\0';
	path = rooted(host, path, full);
	if (!path)
		return -1;
	int fd = host->sys->open(path, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	size_t length = 0;
	int problem = 0;
	while (length + 1 < size) {
		ssize_t n = host->sys->read(fd, text + length, size - 1 - length);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			problem = errno;
		if (n <= 0)
			break;
		length += (size_t)n;
	}
	host->sys->close(fd);
	if (problem) {
		text[0] = '\0';
		errno = problem;
		return -1;
	}
	text[length] = '\0';
	return (ssize_t)length;
}

ssize_t proc_read_line(const struct host *host, const char *path, char *text, size_t size)
{
	ssize_t length = proc_read(host, path, text, size);
	if (length < 0)
		return -1;
	text[strcspn(text, "\n")] = '\0';
	return (ssize_t)strlen(text);
}

/* The whole number at *at, after blanks; moves *at behind it. */
static int next_integer(const char **at, int64_t *out)
{
	char *end;
	errno = 0;
	long long value = strtoll(*at, &end, 10);
	if (end == *at || errno != 0) {
		errno = EINVAL;
		return -1;
	}
	*at = end;
	*out = value;
	return 0;
}

int proc_read_integer(const struct host *host, const char *path, int64_t *out)
{
	char text[64];
	const char *at = text;
	if (proc_read(host, path, text, sizeof(text)) < 0)
		return -1;
	return next_integer(&at, out);
}

ssize_t proc_read_link(const struct host *host, const char *path, char *text, size_t size)
{
	char full[PATH_MAX];
	text[0] = '\0';
	path = rooted(host, path, full);
	if (!path)
		return -1;
	ssize_t length = host->sys->readlink(path, text, size - 1);
	text[length > 0 ? length : 0] = '\0';
	return length;
}

int proc_names(const struct host *host, const char *path, char (*out)[PROC_NAME], int max)
{
	char full[PATH_MAX];
	path = rooted(host, path, full);
	DIR *folder = path ? host->sys->opendir(path) : NULL;
	if (!folder)
		return -1;
	int count = 0;
	for (struct dirent *entry; count < max && (entry = host->sys->readdir(folder)) != NULL;) {
		const char *name = entry->d_name;
		if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strlen(name) >= PROC_NAME)
			continue;
		strcpy(out[count++], name);
	}
	host->sys->closedir(folder);
	return count;
}

/* "/proc/PID/FILE". -1 with errno where that is another process's. */
static int path_of(const struct host *host, pid_t pid, const char *file, char *path, size_t size)
{
	snprintf(path, size, "/proc/%d/%s", (int)pid, file);
	errno = ESRCH;
	return host->other_pids ? -1 : 0;
}

static int parse_schedstat(const char *text, struct proc_schedstat *out)
{
	struct proc_schedstat got;
	if (next_integer(&text, &got.run) != 0 || next_integer(&text, &got.delay) != 0 ||
	    next_integer(&text, &got.slices) != 0)
		return -1;
	/* A kernel that keeps no account writes zeros; whatever has run was given a CPU at least once. */
	if (got.slices == 0) {
		errno = ENODATA;
		return -1;
	}
	*out = got;
	return 0;
}

static int open_schedstat(const struct host *host, const char *path)
{
	char full[PATH_MAX];
	path = rooted(host, path, full);
	return path ? host->sys->open(path, O_RDONLY | O_CLOEXEC, 0) : -1;
}

/* One call has all of it: this is read for every run. */
static int read_schedstat(const struct host *host, const char *path, struct proc_schedstat *out)
{
	int fd = open_schedstat(host, path);
	if (fd < 0)
		return -1;
	int result = proc_schedstat_read(host, fd, out);
	host->sys->close(fd);
	return result;
}

int proc_schedstat(const struct host *host, pid_t pid, struct proc_schedstat *out)
{
	char path[48];
	return path_of(host, pid, "schedstat", path, sizeof(path)) == 0 ? read_schedstat(host, path, out) : -1;
}

int proc_schedstat_self(const struct host *host, struct proc_schedstat *out)
{
	return read_schedstat(host, "/proc/self/schedstat", out);
}

int proc_schedstat_open(const struct host *host)
{
	return open_schedstat(host, "/proc/thread-self/schedstat");
}

int proc_schedstat_read(const struct host *host, int fd, struct proc_schedstat *out)
{
	char text[96];
	ssize_t n = fd >= 0 ? host->sys->pread(fd, text, sizeof(text) - 1, 0) : -1;
	if (n < 0)
		return -1;
	text[n] = '\0';
	return parse_schedstat(text, out);
}

/* The fields after the name: "S 1 2 3 …", field 3 first. */
static int parse_stat_tail(const char *at, struct proc_stat *out)
{
	enum { FIELDS = 40, FIRST = 4 }; /* field 39 is the last that we want; 3 is the state */
	int64_t field[FIELDS] = {0};
	while (*at == ' ')
		at++;
	out->state = *at;
	if (!isalpha((unsigned char)*at))
		return -1;
	at++;
	field[39] = -1;
	for (int i = FIRST; i < FIELDS; i++) {
		char *end; /* unsigned, because the limit of the memory may be 2^64 - 1; negative ones wrap back */
		unsigned long long value = strtoull(at, &end, 10);
		if (end == at && i <= 22)
			return -1;
		if (end == at)
			break;
		field[i] = (int64_t)value;
		at = end;
	}
	out->parent = (pid_t)field[4];
	out->group = (pid_t)field[5];
	out->session = (pid_t)field[6];
	out->threads = (int)field[20];
	out->user = field[14];
	out->system = field[15];
	out->start = field[22];
	out->child_faults = field[11] + field[13];
	out->cpu = (int)field[39];
	return 0;
}

int proc_stat(const struct host *host, pid_t pid, struct proc_stat *out)
{
	char path[48], text[1024];
	if (path_of(host, pid, "stat", path, sizeof(path)) != 0 || proc_read(host, path, text, sizeof(text)) < 0)
		return -1;
	/* The name may itself hold blanks and brackets: it ends at the last closing one. */
	char *open = strchr(text, '('), *close = strrchr(text, ')');
	struct proc_stat got = {.cpu = -1};
	if (!open || !close || close < open || parse_stat_tail(close + 1, &got) != 0) {
		errno = EINVAL;
		return -1;
	}
	*close = '\0';
	snprintf(got.name, sizeof(got.name), "%s", open + 1);
	*out = got;
	return 0;
}

/* The number behind "key   :" at the start of a line of a file of the process. */
static int number_of(const struct host *host, pid_t pid, const char *file, const char *key, int64_t *out)
{
	char path[48], text[4096];
	if (path_of(host, pid, file, path, sizeof(path)) != 0 || proc_read(host, path, text, sizeof(text)) < 0)
		return -1;
	size_t length = strlen(key);
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		const char *at = line + length;
		if (strncmp(line, key, length) != 0)
			continue;
		while (*at == ' ')
			at++;
		if (*at++ == ':')
			return next_integer(&at, out);
	}
	errno = ENOENT;
	return -1;
}

int proc_status_number(const struct host *host, pid_t pid, const char *key, int64_t *out)
{
	return number_of(host, pid, "status", key, out);
}

int proc_migrations(const struct host *host, pid_t pid, int64_t *out)
{
	return number_of(host, pid, "sched", "se.nr_migrations", out);
}

int64_t proc_tick(void)
{
	long ticks = sysconf(_SC_CLK_TCK);
	return 1000000000 / (ticks > 0 ? ticks : 100);
}

/* The processes, or the children of `parent` when that is not -1. */
static int list_processes(const struct host *host, pid_t parent, pid_t *out, int max)
{
	char full[PATH_MAX];
	const char *path = rooted(host, "/proc", full);
	if (host->other_pids) {
		errno = ESRCH;
		return -1;
	}
	DIR *folder = path ? host->sys->opendir(path) : NULL;
	if (!folder)
		return -1;
	int count = 0;
	for (struct dirent *entry; count < max && (entry = host->sys->readdir(folder)) != NULL;) {
		struct proc_stat stat;
		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
		if (parent == -1 || (proc_stat(host, pid, &stat) == 0 && stat.parent == parent))
			out[count++] = pid;
	}
	host->sys->closedir(folder);
	return count;
}

int proc_list(const struct host *host, pid_t *out, int max)
{
	return list_processes(host, -1, out, max);
}

int proc_children(const struct host *host, pid_t parent, pid_t *out, int max)
{
	return list_processes(host, parent, out, max);
}
