/* Mounts come from mountinfo, devices from /sys: /sys/dev/block/MAJOR:MINOR links to the device; a partition lies below
 * its disk; slaves/ names what device mapper, LVM and RAID are made of; loop/backing_file the file behind a loop
 * device. A bind mount has the device of what it shows. Of an overlay the upper layer takes all writes. */
#include "monitor/paths.h"

#include "base/memory.h"
#include "host/proc.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

enum { MOUNTS_MAX = 1 << 20, DEPTH_MAX = 8, BELOW_MAX = 64 };

void mounts_decode(char *text)
{
	char *to = text;
	for (const char *at = text; *at; to++) {
		bool octal = at[0] == '\\' && at[1] >= '0' && at[1] <= '3' && at[2] >= '0' && at[2] <= '7' && at[3] >= '0' &&
		             at[3] <= '7';
		*to = octal ? (char)((at[1] - '0') * 64 + (at[2] - '0') * 8 + (at[3] - '0')) : *at;
		at += octal ? 4 : 1;
	}
	*to = '\0';
}

static char *decoded(struct arena *arena, const char *word)
{
	char *text = arena_strdup(arena, word);
	if (text)
		mounts_decode(text);
	return text;
}

/* "36 25 8:1 / /home rw,relatime shared:1 - ext4 /dev/sda1 rw" */
static int take_mount(struct mounts *out, char *line, struct error *err)
{
	char *words[6], *tail = strstr(line, " - "), *rest = line;
	if (!tail)
		return 0;
	*tail = '\0';
	for (int i = 0; i < 5; i++)
		if (!(words[i] = strsep(&rest, " ")))
			return 0;
	struct mount mount = {0};
	char *after = tail + 3;
	char *type = strsep(&after, " "), *source = after ? strsep(&after, " ") : NULL;
	if (!type || !source || sscanf(words[2], "%u:%u", &mount.major, &mount.minor) != 2)
		return 0;
	mount.root = decoded(&out->arena, words[3]);
	mount.point = decoded(&out->arena, words[4]);
	mount.type = decoded(&out->arena, type);
	mount.source = decoded(&out->arena, source);
	mount.options = decoded(&out->arena, after ? after : "");
	if (!mount.root || !mount.point || !mount.type || !mount.source || !mount.options)
		return error_memory(err);
	out->list[out->count++] = mount;
	return 0;
}

int mounts_read(const struct host *host, struct mounts *out, struct error *err)
{
	*out = (struct mounts){0};
	char *text = mem_alloc(MOUNTS_MAX, 1);
	if (!text)
		return error_memory(err);
	int status = 0;
	if (proc_read(host, "/proc/self/mountinfo", text, MOUNTS_MAX) > 0) {
		size_t lines = 1;
		for (const char *at = text; *at; at++)
			lines += *at == '\n';
		out->list = arena_alloc(&out->arena, lines, sizeof(*out->list));
		status = out->list ? 0 : error_memory(err);
		for (char *rest = text, *line; status == 0 && (line = strsep(&rest, "\n")) != NULL;)
			status = take_mount(out, line, err);
	}
	mem_free(text);
	if (status != 0)
		mounts_release(out);
	return status;
}

void mounts_release(struct mounts *mounts)
{
	arena_release(&mounts->arena);
	*mounts = (struct mounts){0};
}

const struct mount *mounts_of(const struct mounts *mounts, const char *path)
{
	const struct mount *best = NULL;
	size_t longest = 0;
	for (size_t i = 0; i < mounts->count; i++) {
		const char *point = mounts->list[i].point;
		size_t length = strcmp(point, "/") == 0 ? 0 : strlen(point);
		if (strncmp(path, point, length) != 0 || (path[length] != '/' && path[length] != '\0'))
			continue;
		/* Of equal ones the later lies on top. */
		if (!best || length >= longest) {
			best = &mounts->list[i];
			longest = length;
		}
	}
	return best;
}

struct walk {
	const struct host *host;
	const struct mounts *mounts;
	struct graph *graph;
	struct arena *arena;
	struct error *err;
	int depth;
};

static int add_path(struct walk *walk, const char *path, size_t from);

/* Both directions between two nodes, with the gauges of the node that is farther away: writes go there, reads come
 * back. */
static int join(struct walk *walk, size_t from, size_t to, const char *there, const char *back)
{
	const char *name = walk->graph->nodes[to].name;
	struct graph_link *out = graph_link(walk->graph, walk->arena, from, to);
	if (!out)
		return error_memory(walk->err);
	out->gauge = there ? arena_printf(walk->arena, "%s.%s", name, there) : NULL;
	struct graph_link *in = graph_link(walk->graph, walk->arena, to, from);
	if (!in)
		return error_memory(walk->err);
	in->gauge = back ? arena_printf(walk->arena, "%s.%s", name, back) : NULL;
	return (there && !graph_link(walk->graph, walk->arena, from, to)->gauge) || (back && !in->gauge)
	           ? error_memory(walk->err)
	           : 0;
}

/* The node of that name and both links to it; its index, or SIZE_MAX when out of memory. */
static size_t add_node(struct walk *walk, size_t from, const char *name, const char *kind, const char *detail,
                       const char *there, const char *back)
{
	struct graph_node *node = graph_node(walk->graph, walk->arena, name, kind);
	if (!node) {
		error_memory(walk->err);
		return SIZE_MAX;
	}
	if (detail && !node->detail && !(node->detail = arena_strdup(walk->arena, detail))) {
		error_memory(walk->err);
		return SIZE_MAX;
	}
	size_t index = (size_t)(node - walk->graph->nodes);
	return join(walk, from, index, there, back) == 0 ? index : SIZE_MAX;
}

/* The last part of a link below /sys, "" when there is none; the part before it in `parent`. */
static void link_names(const struct host *host, const char *path, char *name, char *parent, size_t size)
{
	char target[PATH_MAX];
	name[0] = parent[0] = '\0';
	if (proc_read_link(host, path, target, sizeof(target)) <= 0)
		return;
	char *last = strrchr(target, '/');
	snprintf(name, size, "%.63s", last ? last + 1 : target);
	if (!last)
		return;
	*last = '\0';
	last = strrchr(target, '/');
	snprintf(parent, size, "%.63s", last ? last + 1 : target);
}

/* Devices that a device is made of, and the file behind a loop device. */
static int add_below(struct walk *walk, const char *name, size_t node)
{
	char path[PATH_MAX], file[PATH_MAX], slaves[BELOW_MAX][PROC_NAME];
	snprintf(path, sizeof(path), "/sys/block/%.63s/loop/backing_file", name);
	if (proc_read_line(walk->host, path, file, sizeof(file)) > 0 && file[0] == '/')
		return add_path(walk, file, node);
	snprintf(path, sizeof(path), "/sys/block/%.63s/slaves", name);
	int count = proc_names(walk->host, path, slaves, BELOW_MAX);
	for (int i = 0; i < count; i++) {
		char slave[PROC_NAME + 8], disk[PROC_NAME + 8], parent[PROC_NAME + 8];
		/* A slave may be a partition: then its disk counts. */
		snprintf(path, sizeof(path), "/sys/class/block/%.63s/partition", slaves[i]);
		char ignored[16];
		snprintf(slave, sizeof(slave), "%.63s", slaves[i]);
		if (proc_read_line(walk->host, path, ignored, sizeof(ignored)) > 0) {
			snprintf(path, sizeof(path), "/sys/class/block/%.63s", slaves[i]);
			link_names(walk->host, path, disk, parent, sizeof(disk));
			if (parent[0])
				snprintf(slave, sizeof(slave), "%.63s", parent);
		}
		char component[GAUGE_NAME];
		snprintf(component, sizeof(component), "disk:%.63s", slave);
		size_t next = add_node(walk, node, component, "disk", NULL, "write", "read");
		if (next == SIZE_MAX)
			return -1;
		if (++walk->depth < DEPTH_MAX && add_below(walk, slave, next) != 0)
			return -1;
		walk->depth--;
	}
	return 0;
}

static int add_device(struct walk *walk, unsigned major, unsigned minor, size_t from)
{
	char path[PATH_MAX], name[PROC_NAME], parent[PROC_NAME], component[GAUGE_NAME], detail[PROC_NAME + 16], text[128];
	snprintf(path, sizeof(path), "/sys/dev/block/%u:%u", major, minor);
	link_names(walk->host, path, name, parent, sizeof(name));
	if (!name[0])
		snprintf(name, sizeof(name), "%u:%u", major, minor);
	detail[0] = '\0';
	snprintf(path, sizeof(path), "/sys/dev/block/%u:%u/partition", major, minor);
	if (proc_read_line(walk->host, path, text, sizeof(text)) > 0 && parent[0]) {
		snprintf(detail, sizeof(detail), "partition %.63s", name);
		snprintf(name, sizeof(name), "%.63s", parent);
	}
	/* LVM and device mapper have names that people know. */
	snprintf(path, sizeof(path), "/sys/block/%.63s/dm/name", name);
	if (proc_read_line(walk->host, path, text, sizeof(text)) > 0)
		snprintf(detail, sizeof(detail), "%.70s", text);
	snprintf(component, sizeof(component), "disk:%.63s", name);
	size_t node = add_node(walk, from, component, "disk", detail[0] ? detail : NULL, "write", "read");
	return node == SIZE_MAX ? -1 : add_below(walk, name, node);
}

/* The value of "key=" in a list of options; false: it is not there. */
static bool option_value(const char *options, const char *key, char *out, size_t size)
{
	size_t length = strlen(key);
	for (const char *at = options; *at;) {
		size_t n = strcspn(at, ",");
		if (n > length && strncmp(at, key, length) == 0 && at[length] == '=') {
			snprintf(out, size, "%.*s", (int)(n - length - 1), at + length + 1);
			return true;
		}
		at += n + (at[n] == ',');
	}
	return false;
}

/* "server:/path" (also with [IPv6]), "//server/share", "user@server:/path". */
static void server_of(const char *source, char *out, size_t size)
{
	if (strncmp(source, "//", 2) == 0) {
		snprintf(out, size, "%.*s", (int)strcspn(source + 2, "/"), source + 2);
		return;
	}
	const char *at = strchr(source, '@'), *start = at ? at + 1 : source;
	if (start[0] == '[')
		snprintf(out, size, "%.*s", (int)strcspn(start + 1, "]"), start + 1);
	else
		snprintf(out, size, "%.*s", (int)strcspn(start, ":"), start);
}

static bool is_remote(const char *type)
{
	static const char *const types[] = {"nfs",        "nfs4", "cifs", "smb3",          "smbfs",
	                                    "fuse.sshfs", "ceph", "9p",   "fuse.glusterfs"};
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(type, types[i]) == 0)
			return true;
	return false;
}

static int add_overlay(struct walk *walk, const struct mount *mount, size_t node)
{
	char upper[PATH_MAX], lower[PATH_MAX];
	if (option_value(mount->options, "upperdir", upper, sizeof(upper)) && upper[0] == '/' &&
	    add_path(walk, upper, node) != 0)
		return -1;
	if (!option_value(mount->options, "lowerdir", lower, sizeof(lower)))
		return 0;
	for (char *rest = lower, *one; (one = strsep(&rest, ":")) != NULL;)
		if (one[0] == '/' && add_path(walk, one, node) != 0)
			return -1;
	return 0;
}

static int add_mount(struct walk *walk, const struct mount *mount, size_t from)
{
	char name[GAUGE_NAME], detail[160], server[128], address[128];
	snprintf(name, sizeof(name), "fs:%.92s", mount->point);
	snprintf(detail, sizeof(detail), "%.24s, %.120s", mount->type, mount->source);
	bool memory = strcmp(mount->type, "tmpfs") == 0 || strcmp(mount->type, "ramfs") == 0 ||
	              strcmp(mount->type, "devtmpfs") == 0;
	bool pseudo = strcmp(mount->type, "proc") == 0 || strcmp(mount->type, "sysfs") == 0 ||
	              strncmp(mount->type, "cgroup", 6) == 0;
	if (pseudo)
		return 0;
	size_t node = add_node(walk, from, name, "files", detail, NULL, NULL);
	if (node == SIZE_MAX)
		return -1;
	if (memory)
		return add_node(walk, node, "memory", "memory", NULL, NULL, NULL) == SIZE_MAX ? -1 : 0;
	if (is_remote(mount->type)) {
		server_of(mount->source, server, sizeof(server));
		if (!option_value(mount->options, "addr", address, sizeof(address)))
			snprintf(address, sizeof(address), "%s", server);
		return paths_add_host(walk->host, server, address, node, walk->graph, walk->arena, walk->err);
	}
	if (strcmp(mount->type, "overlay") == 0)
		return add_overlay(walk, mount, node);
	/* btrfs and ZFS have numbers of their own and name a device instead. */
	struct stat stat;
	char full[PATH_MAX];
	snprintf(full, sizeof(full), "%s%s", walk->host->root, mount->source);
	if (mount->major == 0 && mount->source[0] == '/' && walk->host->sys->stat(full, &stat) == 0 &&
	    S_ISBLK(stat.st_mode))
		return add_device(walk, major(stat.st_rdev), minor(stat.st_rdev), node);
	return mount->major ? add_device(walk, mount->major, mount->minor, node) : 0;
}

static int add_path(struct walk *walk, const char *path, size_t from)
{
	struct stat stat;
	char full[PATH_MAX];
	if (walk->depth >= DEPTH_MAX)
		return 0;
	snprintf(full, sizeof(full), "%s%s", walk->host->root, path);
	/* A device is not what its folder lies on. */
	if (walk->host->sys->stat(full, &stat) == 0 && S_ISBLK(stat.st_mode))
		return add_device(walk, major(stat.st_rdev), minor(stat.st_rdev), from);
	const struct mount *mount = mounts_of(walk->mounts, path);
	if (!mount)
		return 0;
	walk->depth++;
	int status = add_mount(walk, mount, from);
	walk->depth--;
	return status;
}

int paths_add(const struct host *host, const struct mounts *mounts, const char *path, size_t from, struct graph *graph,
              struct arena *arena, struct error *err)
{
	struct walk walk = {host, mounts, graph, arena, err, 0};
	return add_path(&walk, path, from);
}

int paths_add_host(const struct host *host, const char *name, const char *address, size_t from, struct graph *graph,
                   struct arena *arena, struct error *err)
{
	struct walk walk = {host, NULL, graph, arena, err, 0};
	char interface[64], component[GAUGE_NAME];
	/* A name that is no number is not looked up: that could take long, and the file system has told the number. */
	if (route_interface(host, address, interface, sizeof(interface))) {
		snprintf(component, sizeof(component), "net:%s", interface);
		from = add_node(&walk, from, component, "net", NULL, "send", "receive");
		if (from == SIZE_MAX)
			return -1;
		if (strcmp(interface, "lo") == 0)
			return 0;
	}
	snprintf(component, sizeof(component), "host:%.90s", name);
	return add_node(&walk, from, component, "host", NULL, NULL, NULL) == SIZE_MAX ? -1 : 0;
}
