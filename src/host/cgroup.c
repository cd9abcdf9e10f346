/* Quotas of control groups.
 *
 * /proc/self/cgroup names the group in every hierarchy, /proc/self/mountinfo where the
 * hierarchies are mounted. Inside a container the named path is often outside of what is
 * mounted; the mount point itself is then the container's group. Limits hold for whole
 * subtrees, so every folder from the group up to the mount point counts. */
#include "host/cgroup.h"

#include "host/proc.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 16384 };

/* A file of lines, each ended by a NUL. */
struct group_file {
	char text[TEXT_MAX];
	size_t length;
};

/* What the kernel tells of this process's groups: read once for all hierarchies that a question is about, because
 * making mountinfo up costs the kernel more than all that is read below the mount points. */
struct groups {
	struct group_file names, mounts;
};

struct hierarchy {
	char mount[PATH_MAX]; /* where it is mounted */
	char group[PATH_MAX]; /* our group below that, "" or "/a/b" */
};

static void read_lines(const struct host *host, const char *path, struct group_file *out)
{
	ssize_t length = proc_read(host, path, out->text, sizeof(out->text));
	out->length = length > 0 ? (size_t)length : 0;
	for (size_t i = 0; i < out->length; i++)
		if (out->text[i] == '\n')
			out->text[i] = '\0';
}

static void read_groups(const struct host *host, struct groups *out)
{
	read_lines(host, "/proc/self/cgroup", &out->names);
	read_lines(host, "/proc/self/mountinfo", &out->mounts);
}

/* The line after this one, the first after NULL; NULL after the last. */
static const char *next_line(const struct group_file *lines, const char *line)
{
	line = line ? line + strlen(line) + 1 : lines->text;
	return line < lines->text + lines->length ? line : NULL;
}

/* Whether a comma-separated list, of so many characters, holds a word. */
static int list_has(const char *list, size_t size, const char *word)
{
	size_t length = strlen(word);
	for (const char *at = list, *end = list + size; at < end; at++) {
		const char *comma = memchr(at, ',', (size_t)(end - at));
		size_t n = (size_t)((comma ? comma : end) - at);
		if (n == length && strncmp(at, word, n) == 0)
			return 1;
		at += n;
	}
	return 0;
}

/* The group of a version 1 controller, "4:memory:/job", or that of version 2, "0::/job", for "". */
static int find_group(const struct groups *groups, const char *controller, char *group, size_t size)
{
	for (const char *line = NULL; (line = next_line(&groups->names, line)) != NULL;) {
		const char *list = strchr(line, ':'), *path = list ? strchr(++list, ':') : NULL;
		if (!path)
			continue;
		size_t length = (size_t)(path++ - list);
		int found = controller[0] ? list_has(list, length, controller) : strncmp(line, "0::", strlen("0::")) == 0;
		if (found) {
			snprintf(group, size, "%s", strcmp(path, "/") == 0 ? "" : path);
			return 0;
		}
	}
	return -1;
}

/* The mount point and the mounted root of a hierarchy:
 * "36 25 0:31 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct". */
static int find_mount(const struct groups *groups, const char *controller, char *mount, char *root, size_t size)
{
	for (const char *line = NULL; (line = next_line(&groups->mounts, line)) != NULL;) {
		const char *tail = strstr(line, " - ");
		char type[32], options[512], from[512], to[512];
		if (!tail || strncmp(tail, " - cgroup", strlen(" - cgroup")) != 0 ||
		    sscanf(line, "%*s %*s %*s %511s %511s", from, to) != 2 ||
		    sscanf(tail, " - %31s %*s %511s", type, options) != 2)
			continue;
		int found = controller[0] ? strcmp(type, "cgroup") == 0 && list_has(options, strlen(options), controller)
		                          : strcmp(type, "cgroup2") == 0;
		if (found) {
			snprintf(mount, size, "%s", to);
			snprintf(root, size, "%s", strcmp(from, "/") == 0 ? "" : from);
			return 0;
		}
	}
	return -1;
}

static int find_hierarchy(const struct groups *groups, const char *controller, struct hierarchy *out)
{
	char root[PATH_MAX];
	if (find_group(groups, controller, out->group, sizeof(out->group)) != 0 ||
	    find_mount(groups, controller, out->mount, root, sizeof(out->mount)) != 0)
		return -1;
	size_t length = strlen(root);
	if (length > 0 && strncmp(out->group, root, length) == 0 && (!out->group[length] || out->group[length] == '/'))
		memmove(out->group, out->group + length, strlen(out->group + length) + 1);
	return 0;
}

/* To the group above; false: this is the one at the mount point. */
static bool go_up(struct hierarchy *where)
{
	char *slash = strrchr(where->group, '/');
	if (slash)
		*slash = '\0';
	return slash != NULL;
}

static ssize_t read_limit(const struct host *host, const struct hierarchy *where, const char *file, char *text,
                          size_t size)
{
	char path[2 * PATH_MAX + 64];
	snprintf(path, sizeof(path), "%.4095s%.4095s/%s", where->mount, where->group, file);
	return proc_read_line(host, path, text, size);
}

/* "max 100000" or "150000 100000". */
static double cpu_limit_v2(const struct host *host, const struct hierarchy *where)
{
	char text[64];
	double quota, period;
	if (read_limit(host, where, "cpu.max", text, sizeof(text)) <= 0 || sscanf(text, "%lf %lf", &quota, &period) != 2 ||
	    quota <= 0 || period <= 0)
		return INFINITY;
	return quota / period;
}

static double cpu_limit_v1(const struct host *host, const struct hierarchy *where)
{
	char quota[64], period[64];
	if (read_limit(host, where, "cpu.cfs_quota_us", quota, sizeof(quota)) <= 0)
		return INFINITY;
	double q = strtod(quota, NULL); /* -1: no limit */
	if (q <= 0 || read_limit(host, where, "cpu.cfs_period_us", period, sizeof(period)) <= 0)
		return INFINITY;
	double p = strtod(period, NULL);
	return p > 0 ? q / p : INFINITY;
}

/* The number after a word at the start of a line; -1: no such line. */
static int64_t number_after(const char *text, const char *word)
{
	size_t length = strlen(word);
	for (const char *line = text; line && *line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, word, length) == 0 && line[length] == ' ')
			return strtoll(line + length, NULL, 10);
	}
	return -1;
}

/* A file that holds a number of bytes; INFINITY: no limit, or it is not there. */
static double bytes_in(const struct host *host, const struct hierarchy *where, const char *file)
{
	char text[64], *end;
	if (read_limit(host, where, file, text, sizeof(text)) <= 0)
		return INFINITY;
	double bytes = strtod(text, &end);
	/* Version 1 says "no limit" with the largest multiple of a page. */
	return end != text && *end == '\0' && bytes < 0x1p62 ? bytes : INFINITY;
}

/* What a group may still take of its limit: it uses `usage`, and gives up files that nobody has read lately. */
static double memory_left(const struct host *host, const struct hierarchy *where, double limit, const char *usage,
                          const char *inactive)
{
	char path[2 * PATH_MAX + 64], text[TEXT_MAX];
	double used = bytes_in(host, where, usage);
	if (isinf(used))
		return limit;
	snprintf(path, sizeof(path), "%.4095s%.4095s/memory.stat", where->mount, where->group);
	int64_t files = proc_read(host, path, text, sizeof(text)) > 0 ? number_after(text, inactive) : 0;
	return fmax(limit - fmax(used - (double)(files > 0 ? files : 0), 0), 0);
}

/* The least of the limits from the group up to the mount point, and which group has it (NULL: not wanted); its mount is
 * "" where no such hierarchy was found. */
static double least_limit(const struct host *host, const struct groups *groups, const char *controller,
                          double (*limit)(const struct host *, const struct hierarchy *), struct hierarchy *holder)
{
	struct hierarchy where;
	if (holder)
		holder->mount[0] = '\0';
	if (find_hierarchy(groups, controller, &where) != 0)
		return INFINITY;
	double least = limit(host, &where);
	if (holder)
		*holder = where;
	while (go_up(&where)) {
		double other = limit(host, &where);
		if (other < least && holder)
			*holder = where;
		least = fmin(least, other);
	}
	return least;
}

double cgroup_cpu_limit(const struct host *host)
{
	struct groups groups;
	read_groups(host, &groups);
	return fmin(least_limit(host, &groups, "", cpu_limit_v2, NULL),
	            least_limit(host, &groups, "cpu", cpu_limit_v1, NULL));
}

/* The period of the group that sets the limit, in seconds. */
static double quota_period(const struct host *host, const struct hierarchy *holder, int version)
{
	char text[64];
	double period = 0;
	if (version == 2) {
		if (read_limit(host, holder, "cpu.max", text, sizeof(text)) > 0 && sscanf(text, "%*s %lf", &period) != 1)
			period = 0;
	} else if (read_limit(host, holder, "cpu.cfs_period_us", text, sizeof(text)) > 0) {
		period = strtod(text, NULL);
	}
	return period / 1e6;
}

static void read_throttling(const struct host *host, const struct hierarchy *holder, struct cgroup_quota *out)
{
	char path[2 * PATH_MAX + 64], text[1024];
	snprintf(path, sizeof(path), "%.4095s%.4095s/cpu.stat", holder->mount, holder->group);
	if (proc_read(host, path, text, sizeof(text)) <= 0)
		return;
	out->throttled = number_after(text, "nr_throttled");
	int64_t microseconds = number_after(text, "throttled_usec");
	out->throttled_time = microseconds >= 0 ? microseconds * 1000 : number_after(text, "throttled_time");
}

void cgroup_cpu_quota(const struct host *host, struct cgroup_quota *out)
{
	struct groups groups;
	struct hierarchy v1, v2;
	*out = (struct cgroup_quota){.limit = INFINITY, .throttled = -1, .throttled_time = -1};
	read_groups(host, &groups);
	double limit_v2 = least_limit(host, &groups, "", cpu_limit_v2, &v2),
		   limit_v1 = least_limit(host, &groups, "cpu", cpu_limit_v1, &v1);
	if (isinf(limit_v1) && isinf(limit_v2)) {
		out->version = v1.mount[0] ? 1 : v2.mount[0] ? 2 : 0;
		return;
	}
	out->version = limit_v2 <= limit_v1 ? 2 : 1;
	const struct hierarchy *holder = out->version == 2 ? &v2 : &v1;
	out->limit = fmin(limit_v1, limit_v2);
	out->period = quota_period(host, holder, out->version);
	read_throttling(host, holder, out);
	snprintf(out->file, sizeof(out->file), "%.2000s%.2000s/%s", holder->mount, holder->group,
	         out->version == 2 ? "cpu.max" : "cpu.cfs_quota_us");
}

/* The nearest group that has the file: a group without the controller has what its parent has. */
static int nearest_line(const struct host *host, const struct groups *groups, const char *controller, const char *file,
                        char *text, size_t size)
{
	struct hierarchy where;
	if (find_hierarchy(groups, controller, &where) != 0)
		return -1;
	do
		if (read_limit(host, &where, file, text, size) > 0)
			return 0;
	while (go_up(&where));
	return -1;
}

int cgroup_cpu_list(const struct host *host, char *text, size_t size)
{
	struct groups groups;
	read_groups(host, &groups);
	if (nearest_line(host, &groups, "cpuset", "cpuset.effective_cpus", text, size) == 0 ||
	    nearest_line(host, &groups, "cpuset", "cpuset.cpus", text, size) == 0)
		return 0;
	return nearest_line(host, &groups, "", "cpuset.cpus.effective", text, size);
}

/* Of the groups of one hierarchy, where they allow less than what is in *out. */
static void add_memory(const struct host *host, const struct groups *groups, bool version_2, struct cgroup_memory *out)
{
	struct hierarchy where;
	if (find_hierarchy(groups, version_2 ? "" : "memory", &where) != 0)
		return;
	do {
		double limit = bytes_in(host, &where, version_2 ? "memory.max" : "memory.limit_in_bytes");
		if (isinf(limit))
			continue;
		double left = version_2 ? memory_left(host, &where, limit, "memory.current", "inactive_file")
		                        : memory_left(host, &where, limit, "memory.usage_in_bytes", "total_inactive_file");
		if (out->left < 0 || left < (double)out->left)
			out->left = (int64_t)left;
		if (out->limit >= 0 && limit >= (double)out->limit)
			continue;
		out->limit = (int64_t)limit;
		snprintf(out->folder, sizeof(out->folder), "%.2000s%.2000s", where.mount, where.group);
	} while (go_up(&where));
}

void cgroup_memory(const struct host *host, struct cgroup_memory *out)
{
	struct groups groups;
	*out = (struct cgroup_memory){.limit = -1, .left = -1};
	read_groups(host, &groups);
	add_memory(host, &groups, true, out);
	add_memory(host, &groups, false, out);
}

static int folder_of(const struct hierarchy *where, char *folder, size_t size)
{
	int n = snprintf(folder, size, "%s%s", where->mount, where->group);
	if (n >= 0 && (size_t)n < size)
		return 0;
	folder[0] = '\0';
	return -1;
}

int cgroup_above(const struct host *host, const char *controller, int steps, char *folder, size_t size)
{
	struct groups groups;
	struct hierarchy where;
	folder[0] = '\0';
	read_groups(host, &groups);
	if (find_hierarchy(&groups, controller, &where) != 0)
		return -1;
	for (; steps > 0; steps--)
		if (!go_up(&where))
			return -1;
	return folder_of(&where, folder, size);
}

int cgroup_folder(const struct host *host, const char *controller, const char *file, char *folder, size_t size)
{
	struct groups groups;
	struct hierarchy where;
	folder[0] = '\0';
	read_groups(host, &groups);
	if (find_hierarchy(&groups, controller, &where) != 0)
		return -1;
	do {
		char text[8];
		if (read_limit(host, &where, file, text, sizeof(text)) >= 0)
			return folder_of(&where, folder, size);
	} while (go_up(&where));
	return -1;
}
