/* Block devices: /proc/diskstats.
 *
 * "busy" is the share of time in which the device had anything to do: the limit of a device that does one thing at a
 * time, an upper bound of the use of one that does many at once (SSD, RAID). Where a capacity is known, throughput
 * over capacity is told for each direction. Partitions are part of their disk; a device without any traffic since
 * boot is not shown until it has some. */
#include "monitor/internal.h"

#include "base/memory.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
	READS,
	READS_MERGED,
	SECTORS_READ,
	READ_MS,
	WRITES,
	WRITES_MERGED,
	SECTORS_WRITTEN,
	WRITE_MS,
	IN_FLIGHT,
	BUSY_MS,
	WAITED_MS
};
enum { SECTOR = 512, GAUGES_PER_DISK = 8 };

static size_t count_lines(const char *text)
{
	size_t count = 0;
	for (const char *line = text; line && *line; line = scan_line(line))
		count++;
	return count;
}

static int open_disk(struct monitor *monitor, struct error *err)
{
	struct disk_sampler *disk = &monitor->disk;
	char folder[PATH_MAX];
	int status = reader_open(&disk->file, monitor->host, "/proc/diskstats", 16384, err);
	if (status < 0)
		return -1;
	if (status > 0) {
		monitor_cannot_see(monitor, "block devices", "/proc/diskstats", disk->file.errnum);
		return 0;
	}
	snprintf(folder, sizeof(folder), "%s/sys/block", monitor->host->root);
	disk->has_folder = monitor->host->sys->access(folder, F_OK) == 0;
	disk->capacity = count_lines(disk->file.text) + MONITOR_SPARE;
	disk->disks = mem_zalloc(disk->capacity, sizeof(*disk->disks));
	return disk->disks ? 0 : error_memory(err);
}

static int count_disk_gauges(const struct monitor *monitor)
{
	return (int)monitor->disk.capacity * GAUGES_PER_DISK;
}

static void name_disk_gauges(struct monitor *monitor)
{
	(void)monitor; /* with the first traffic */
}

static void show_disk(struct monitor *monitor, struct disk *disk)
{
	struct gauges *gauges = &monitor->gauges;
	disk->shown = true;
	disk->busy = gauges_add(gauges, disk->component, "busy", "", GAUGE_USE);
	disk->read = gauges_add(gauges, disk->component, "read", "B/s", GAUGE_RATE);
	disk->write = gauges_add(gauges, disk->component, "write", "B/s", GAUGE_RATE);
	disk->read_time = gauges_add(gauges, disk->component, "read-time", "s", GAUGE_LEVEL);
	disk->write_time = gauges_add(gauges, disk->component, "write-time", "s", GAUGE_LEVEL);
	disk->queue = gauges_add(gauges, disk->component, "queue", "requests", GAUGE_LEVEL);
	disk->read_use = disk->write_use = GAUGES_NONE;
	if (!isnan(disk->capacity[0]))
		disk->read_use = gauges_add(gauges, disk->component, "read-use", "", GAUGE_USE);
	if (!isnan(disk->capacity[1]))
		disk->write_use = gauges_add(gauges, disk->component, "write-use", "", GAUGE_USE);
}

static void set_disk(struct monitor *monitor, const struct disk *disk, const double *growth, double seconds)
{
	struct gauges *gauges = &monitor->gauges;
	double read = growth[SECTORS_READ] * SECTOR / seconds, written = growth[SECTORS_WRITTEN] * SECTOR / seconds;
	gauges_set(gauges, disk->busy, share_of(growth[BUSY_MS] / 1e3, seconds));
	gauges_set(gauges, disk->queue, growth[WAITED_MS] / 1e3 / seconds);
	gauges_set(gauges, disk->read, read);
	gauges_set(gauges, disk->write, written);
	gauges_set(gauges, disk->read_time, growth[READS] > 0 ? growth[READ_MS] / 1e3 / growth[READS] : NAN);
	gauges_set(gauges, disk->write_time, growth[WRITES] > 0 ? growth[WRITE_MS] / 1e3 / growth[WRITES] : NAN);
	gauges_set(gauges, disk->read_use, read / disk->capacity[0]);
	gauges_set(gauges, disk->write_use, written / disk->capacity[1]);
}

static void clear_disk(struct monitor *monitor, const struct disk *disk)
{
	const int all[GAUGES_PER_DISK] = {disk->busy,      disk->queue,      disk->read,     disk->write,
	                                  disk->read_time, disk->write_time, disk->read_use, disk->write_use};
	for (int i = 0; i < GAUGES_PER_DISK; i++)
		gauges_set(&monitor->gauges, all[i], NAN);
}

/* Whether a name is a partition: not a folder of /sys/block, where '/' in names is '!'. */
static bool is_part(const struct monitor *monitor, const char *name)
{
	char path[PATH_MAX];
	if (!monitor->disk.has_folder)
		return false;
	int prefix = snprintf(path, sizeof(path), "%s/sys/block/", monitor->host->root);
	snprintf(path + prefix, sizeof(path) - (size_t)prefix, "%s", name);
	for (char *at = path + prefix; *at; at++)
		if (*at == '/')
			*at = '!';
	return monitor->host->sys->access(path, F_OK) != 0;
}

/* The disk of a line. They come in the same order each time, so the search begins where the last one ended. */
static struct disk *find_disk(struct monitor *monitor, const char *name)
{
	struct disk_sampler *all = &monitor->disk;
	for (size_t i = 0; i < all->count; i++) {
		size_t at = (all->hint + i) % all->count;
		if (strcmp(all->disks[at].name, name) == 0) {
			all->hint = at + 1;
			return &all->disks[at];
		}
	}
	if (all->count == all->capacity)
		return NULL;
	struct disk *disk = &all->disks[all->count++];
	snprintf(disk->name, sizeof(disk->name), "%s", name);
	snprintf(disk->component, sizeof(disk->component), "disk:%s", name);
	disk->part = is_part(monitor, name);
	disk->capacity[0] = monitor_capacity(monitor, disk->component, "read");
	disk->capacity[1] = monitor_capacity(monitor, disk->component, "write");
	disk->seen = SIZE_MAX;
	return disk;
}

static void take_disk(struct monitor *monitor, const char *at, double seconds)
{
	uint64_t major, minor, now[DISK_FIELDS] = {0};
	double growth[DISK_FIELDS];
	char name[64];
	if (!scan_number(&at, &major) || !scan_number(&at, &minor) || !scan_word(&at, name, sizeof(name)))
		return;
	struct disk *disk = find_disk(monitor, name);
	if (!disk || disk->part)
		return;
	for (int i = 0; i < DISK_FIELDS && scan_number(&at, &now[i]); i++)
		;
	bool fresh = disk->seen == SIZE_MAX || disk->seen + 1 < monitor->reading;
	for (int i = 0; i < DISK_FIELDS; i++)
		growth[i] = counter_growth(disk->before[i], now[i]);
	disk->seen = monitor->reading;
	memcpy(disk->before, now, sizeof(now));
	if (!disk->shown && now[READS] + now[WRITES] > 0)
		show_disk(monitor, disk);
	if (!fresh && disk->shown && seconds > 0)
		set_disk(monitor, disk, growth, seconds);
}

static void sample_disk(struct monitor *monitor, double seconds)
{
	struct disk_sampler *all = &monitor->disk;
	if (all->file.fd < 0 || reader_read(&all->file, monitor->host) != 0)
		return;
	for (const char *line = all->file.text; line && *line; line = scan_line(line))
		take_disk(monitor, line, seconds);
	for (size_t i = 0; i < all->count; i++)
		if (all->disks[i].shown && all->disks[i].seen != monitor->reading)
			clear_disk(monitor, &all->disks[i]);
}

static void close_disk(struct monitor *monitor)
{
	reader_close(&monitor->disk.file, monitor->host);
	mem_free(monitor->disk.disks);
}

const struct sampler sampler_disk = {
	"disk", 50 * 1000000, open_disk, count_disk_gauges, name_disk_gauges, sample_disk, close_disk,
};
