/* File systems: how full the local ones are, and what NFS mounts read and write (/proc/self/mountstats).
 *
 * A network file system whose server is gone blocks whoever asks for its size, so only local ones are asked. */
#include "monitor/internal.h"

#include "monitor/paths.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_local(const char *type)
{
	static const char *const types[] = {"ext2", "ext3",  "ext4",  "xfs", "btrfs",    "f2fs",  "tmpfs", "overlay",
	                                    "vfat", "ntfs3", "exfat", "zfs", "bcachefs", "erofs", "jfs"};
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(type, types[i]) == 0)
			return true;
	return false;
}

static bool known_already(const struct files_sampler *files, const char *path)
{
	for (int i = 0; i < files->count; i++)
		if (strcmp(files->systems[i].path, path) == 0)
			return true;
	return false;
}

/* The first mount of each device, since bind mounts are the same. */
static void take_mounts(struct monitor *monitor, const struct mounts *mounts)
{
	struct files_sampler *files = &monitor->files;
	const struct mount *taken[MONITOR_FILE_SYSTEMS];
	for (size_t i = 0; i < mounts->count && files->count < MONITOR_FILE_SYSTEMS; i++) {
		const struct mount *mount = &mounts->list[i];
		bool remote = strncmp(mount->type, "nfs", 3) == 0;
		if ((!is_local(mount->type) && !remote) || strlen(mount->point) >= GAUGE_NAME ||
		    known_already(files, mount->point))
			continue;
		int same = 0;
		while (same < files->count && (taken[same]->major != mount->major || taken[same]->minor != mount->minor))
			same++;
		if (same < files->count)
			continue;
		taken[files->count] = mount;
		struct file_system *system = &files->systems[files->count++];
		strcpy(system->path, mount->point);
		system->local = !remote;
	}
}

static int open_files(struct monitor *monitor, struct error *err)
{
	struct files_sampler *files = &monitor->files;
	struct mounts mounts;
	files->network.fd = -1;
	if (mounts_read(monitor->host, &mounts, err) != 0)
		return -1;
	if (mounts.count == 0)
		monitor_say_unseen(monitor, "file systems: /proc/self/mountinfo cannot be read");
	take_mounts(monitor, &mounts);
	mounts_release(&mounts);
	bool remote = false;
	for (int i = 0; i < files->count; i++)
		remote |= !files->systems[i].local;
	return remote && reader_open(&files->network, monitor->host, "/proc/self/mountstats", 65536, err) < 0 ? -1 : 0;
}

static int count_files_gauges(const struct monitor *monitor)
{
	return 4 * monitor->files.count;
}

static void name_files_gauges(struct monitor *monitor)
{
	for (int i = 0; i < monitor->files.count; i++) {
		struct file_system *system = &monitor->files.systems[i];
		char name[GAUGE_NAME + 4];
		snprintf(name, sizeof(name), "fs:%s", system->path);
		if (system->local) {
			system->used = gauges_add(&monitor->gauges, name, "used", "", GAUGE_SHARE);
			system->free = gauges_add(&monitor->gauges, name, "free", "bytes", GAUGE_LEVEL);
		} else {
			system->read = gauges_add(&monitor->gauges, name, "read", "B/s", GAUGE_RATE);
			system->write = gauges_add(&monitor->gauges, name, "write", "B/s", GAUGE_RATE);
		}
	}
}

static void sample_size(struct monitor *monitor, const struct file_system *system)
{
	struct statvfs stat;
	/* A snapshot of a machine has no file systems of its own. */
	bool known = !monitor->host->root[0] && monitor->host->sys->statvfs(system->path, &stat) == 0 && stat.f_blocks > 0;
	gauges_set(&monitor->gauges, system->used,
	           known ? share_of((double)stat.f_blocks - (double)stat.f_bavail, (double)stat.f_blocks) : NAN);
	gauges_set(&monitor->gauges, system->free, known ? (double)stat.f_bavail * (double)stat.f_frsize : NAN);
}

/* "device server:/path mounted on /mnt with fstype nfs4 …", some lines on "bytes: 1 2 3 4 5 6 7 8": the fifth and
 * sixth are those that went over the network. */
static void sample_network(struct monitor *monitor, double seconds)
{
	struct files_sampler *files = &monitor->files;
	struct file_system *system = NULL;
	if (files->network.fd < 0 || reader_read(&files->network, monitor->host) != 0)
		return;
	for (const char *line = files->network.text; line; line = scan_line(line)) {
		char path[GAUGE_NAME];
		if (sscanf(line, "device %*s mounted on %95s with fstype nfs", path) == 1) {
			mounts_decode(path);
			system = NULL;
			for (int i = 0; i < files->count; i++)
				if (!files->systems[i].local && strcmp(files->systems[i].path, path) == 0)
					system = &files->systems[i];
			continue;
		}
		const char *at = line + strspn(line, " \t");
		uint64_t bytes[6] = {0};
		if (!system || strncmp(at, "bytes:", 6) != 0)
			continue;
		at += 6;
		int count = 0;
		while (count < 6 && scan_number(&at, &bytes[count]))
			count++;
		if (count == 6 && system->known && seconds > 0) {
			gauges_set(&monitor->gauges, system->read, counter_growth(system->before[0], bytes[4]) / seconds);
			gauges_set(&monitor->gauges, system->write, counter_growth(system->before[1], bytes[5]) / seconds);
		}
		system->known = count == 6;
		system->before[0] = bytes[4];
		system->before[1] = bytes[5];
	}
}

static void sample_files(struct monitor *monitor, double seconds)
{
	for (int i = 0; i < monitor->files.count; i++)
		if (monitor->files.systems[i].local)
			sample_size(monitor, &monitor->files.systems[i]);
	sample_network(monitor, seconds);
}

static void close_files(struct monitor *monitor)
{
	reader_close(&monitor->files.network, monitor->host);
}

const struct sampler sampler_files = {
	"files", 1000 * 1000000, open_files, count_files_gauges, name_files_gauges, sample_files, close_files,
};
