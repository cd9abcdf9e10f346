/* Whether the memory limits a command that keeps a CPU busy, where the memory controllers have no counters: by how fast
 * the command gets on to pages that it has not touched for a while.
 *
 * A look forgets which pages were touched (/proc/PID/clear_refs), lets the command use the CPU for as long as the
 * memory needs to deliver twice what the last-level cache holds, and asks how much was touched (Referenced in
 * /proc/PID/smaps_rollup). What lives in the cache can have touched no more than the cache holds: half at most. What
 * the memory delivers is seen by a copier of our own before and after it, the command running beside it: several
 * threads that share the memory share it with the copier too. Both are taken per second of CPU time, so that other work
 * on the machine does not count, and both with pages that were just forgotten, since noting the first touch of a page
 * costs time as well.
 *
 * Pages count as a whole. Who touches a line here and there soon touches more pages than any memory delivers: a first
 * look at an eighth of the time finds that, and then nothing is said. Every look stops the command for nothing and
 * slows it for some milliseconds: there are looks in the trial rounds alone, which are not kept, and none at commands
 * that fit into the cache. */
#include "monitor/internal.h"

#include "host/clock.h"
#include "host/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const int64_t least_cache = INT64_C(32) << 20; /* a virtual machine may hide the largest cache, or all of them */
static const int64_t most_memory = INT64_C(4) << 30;  /* of the commands; a look at more takes too long */
static const int64_t longest_look = 100 * 1000000;    /* ns, or CROWD times what it needs where the cache is large: */
enum { CROWD = 4 };                                   /* a command that gets no CPU says nothing */
static const double copier_share =
	0.75;                           /* of the copier's pace: what programs reach that wait for memory in other ways */
static const double impossible = 3; /* times that: not whole pages */
enum { LEADERS_MAX = 16, PIECE = 64 << 10 };

struct touch_look {
	pid_t pids[LEADERS_MAX];
	int count;
	int64_t resident; /* bytes */
};

/* The largest cache of the first CPU, bytes, in whole pieces: the copier goes round in as much. */
static int64_t cache_size(const struct host *host)
{
	int64_t largest = least_cache;
	for (int i = 0; i < 8; i++) {
		char path[64], text[32], *end;
		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu0/cache/index%d/size", i);
		if (proc_read_line(host, path, text, sizeof(text)) <= 0)
			break;
		int64_t size = strtol(text, &end, 10);
		size <<= *end == 'K' ? 10 : *end == 'M' ? 20 : 0;
		largest = size > largest ? size : largest;
	}
	return largest - largest % PIECE;
}

static int open_touch(struct monitor *monitor, struct error *err)
{
	(void)monitor;
	(void)err; /* nothing until monitor_look_at_memory() */
	return 0;
}

static int count_touch_gauges(const struct monitor *monitor)
{
	(void)monitor;
	return 1;
}

static void name_touch_gauges(struct monitor *monitor)
{
	(void)monitor; /* after the last look */
}

/* Whether the copier may take its memory: a sixteenth of what is free, in the group too. */
static bool has_room(const struct monitor *monitor, size_t size)
{
	uint64_t available = 0;
	int64_t limit = monitor->cgroup.memory_limit;
	if (monitor->memory.info.fd < 0 || !scan_key(monitor->memory.info.text, "MemAvailable", &available))
		return false;
	return available * 1024 / 16 >= size && (limit <= 0 || (size_t)limit / 16 >= size);
}

static int forget_touched(const struct monitor *monitor, const char *process)
{
	char path[PATH_MAX];
	snprintf(path, sizeof(path), "%s/proc/%s/clear_refs", monitor->host->root, process);
	int fd = monitor->host->sys->open(path, O_WRONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	ssize_t written = monitor->host->sys->write(fd, "1", 1);
	int errnum = errno;
	monitor->host->sys->close(fd);
	errno = errnum;
	return written == 1 ? 0 : -1;
}

static void look_is_refused(struct touch_sampler *touch, int errnum)
{
	touch->why = errnum == EACCES || errnum == EPERM ? "/proc/PID/clear_refs may not be written"
	                                                 : "there is no /proc/PID/clear_refs";
}

static void begin_looking(struct monitor *monitor)
{
	struct touch_sampler *touch = &monitor->touch;
	void *memory = MAP_FAILED;
	touch->cache = cache_size(monitor->host);
	touch->size = 2 * (size_t)touch->cache;
	if (forget_touched(monitor, "self") != 0) {
		look_is_refused(touch, errno);
		return;
	}
	touch->looks = true;
	if (!isnan(monitor_capacity(monitor, "memory", "pace")))
		return;
	if (has_room(monitor, touch->size))
		memory = monitor->host->sys->mmap(NULL, touch->size, PROT_READ | PROT_WRITE,
		                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	touch->looks = memory != MAP_FAILED;
	touch->memory = touch->looks ? memory : NULL;
	if (!touch->looks)
		touch->why = "too little memory is free to see what it delivers";
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* The median of all looks is what counts: commands begin with getting their memory. */
static void end_looking(struct monitor *monitor)
{
	struct touch_sampler *touch = &monitor->touch;
	if (touch->memory)
		monitor->host->sys->munmap(touch->memory, touch->size);
	touch->memory = NULL;
	touch->looks = false;
	if (touch->count == 0 && touch->small && !touch->large)
		touch->paces[touch->count++] = 0; /* no command lasted for two looks */
	if (touch->count == 0 || touch->sparse > touch->count)
		return;
	qsort(touch->paces, touch->count, sizeof(touch->paces[0]), ascending);
	int gauge = gauges_add(&monitor->gauges, "memory", "pace", "", GAUGE_USE);
	gauges_note(&monitor->gauges, gauge, touch->paces[touch->count / 2], touch->paces[touch->count - 1],
	            fmax(touch->seconds, 0.1));
}

void monitor_look_at_memory(struct monitor *monitor, bool look)
{
	if (!look)
		end_looking(monitor);
	else if (monitor->no_traffic || isnan(monitor_capacity(monitor, "memory", "bandwidth")))
		begin_looking(monitor); /* counters would see more, and disturb nothing */
}

/* The measured processes, each once: threads have ids of their own in the list. */
static void find_leaders(const struct monitor *monitor, struct touch_look *look)
{
	const struct process_sampler *process = &monitor->process;
	*look = (struct touch_look){0};
	for (int i = 0; i < process->count && look->count < LEADERS_MAX; i++) {
		int64_t leader, kilobytes;
		pid_t pid = process->list[i].pid;
		if (process->list[i].generations != 0 || proc_status_number(monitor->host, pid, "Tgid", &leader) != 0 ||
		    leader != pid || proc_status_number(monitor->host, pid, "VmRSS", &kilobytes) != 0)
			continue;
		look->pids[look->count++] = pid;
		look->resident += kilobytes * 1024;
	}
}

/* Whole processes are gone through page by page, while they run: what they have used is the mean of before and
 * after. */
static int64_t cpu_of(const struct monitor *monitor, pid_t pid, int64_t before)
{
	return (before + clock_process_cpu(monitor->host, pid)) / 2;
}

/* `from`: CPU time that the processes had used when their pages were forgotten, all together. */
static int forget_all(const struct monitor *monitor, const struct touch_look *look, int64_t *from)
{
	*from = 0;
	for (int i = 0; i < look->count; i++) {
		char pid[16];
		snprintf(pid, sizeof(pid), "%d", (int)look->pids[i]);
		int64_t before = clock_process_cpu(monitor->host, look->pids[i]);
		if (forget_touched(monitor, pid) != 0)
			return -1;
		*from += cpu_of(monitor, look->pids[i], before);
	}
	return 0;
}

/* What commands have done since their pages were forgotten. */
struct touch_progress {
	double touched;  /* bytes of the pages */
	double resident; /* bytes of all their pages */
	double used;     /* seconds of CPU time */
};

static bool read_progress(const struct monitor *monitor, const struct touch_look *look, int64_t from,
                          struct touch_progress *out)
{
	int64_t used = -from;
	*out = (struct touch_progress){0};
	for (int i = 0; i < look->count; i++) {
		char path[48], text[2048];
		uint64_t touched, resident;
		int64_t before = clock_process_cpu(monitor->host, look->pids[i]);
		snprintf(path, sizeof(path), "/proc/%d/smaps_rollup", (int)look->pids[i]);
		if (proc_read(monitor->host, path, text, sizeof(text)) <= 0 || !scan_key(text, "Referenced", &touched) ||
		    !scan_key(text, "Rss", &resident))
			return false;
		used += cpu_of(monitor, look->pids[i], before);
		out->touched += (double)touched * 1024;
		out->resident += (double)resident * 1024;
	}
	out->used = (double)used / 1e9;
	return out->used > 0;
}

static int64_t cpu_used(const struct monitor *monitor, const struct touch_look *look)
{
	int64_t sum = 0;
	for (int i = 0; i < look->count; i++)
		sum += clock_process_cpu(monitor->host, look->pids[i]);
	return sum;
}

/* Waits until the commands have used so much CPU time since `from`; false when it takes too long. */
static bool wait_for_use(const struct monitor *monitor, const struct touch_look *look, int64_t from, int64_t wanted)
{
	int64_t begun = clock_now(monitor->host), most = CROWD * wanted > longest_look ? CROWD * wanted : longest_look;
	for (int64_t used; (used = cpu_used(monitor, look) - from) < wanted;) {
		if (clock_now(monitor->host) - begun > most)
			return false;
		clock_sleep(monitor->host, wanted - used > 200000 ? wanted - used : 200000);
	}
	return true;
}

/* Bytes per second of CPU time that the memory delivers, by a copy from one half of the copier's memory to the other;
 * 0: not known. */
static double delivered(struct monitor *monitor)
{
	struct touch_sampler *touch = &monitor->touch;
	size_t half = touch->size / 2, length = half / 2;
	double known = monitor_capacity(monitor, "memory", "pace");
	if (!isnan(known))
		return known;
	if (forget_touched(monitor, "self") != 0)
		return 0;
	int64_t begun = clock_thread_cpu(monitor->host);
	/* Small pieces: for large ones libraries write past the cache, which few programs do. */
	for (size_t done = 0; done < length; done += PIECE, touch->at = (touch->at + PIECE) % half)
		memcpy(touch->memory + half + touch->at, touch->memory + touch->at, PIECE);
	int64_t used = clock_thread_cpu(monitor->host) - begun;
	return used > 0 ? copier_share * 2 * (double)length / ((double)used / 1e9) : 0;
}

/* Whether more pages were touched than any memory delivers: at once, or all that it touches at all long before the
 * end. */
static bool is_sparse(const struct touch_sampler *touch, const struct touch_progress *soon,
                      const struct touch_progress *all, double delivers)
{
	if (soon->touched > impossible * soon->used * delivers)
		return true;
	return all->touched > (double)touch->cache && soon->touched > 0.9 * all->touched && soon->used < all->used / 2;
}

/* The pace of the commands as a share of what the memory delivers; NaN: this look says nothing. */
static double look_at_pages(struct monitor *monitor, const struct touch_look *look)
{
	struct touch_sampler *touch = &monitor->touch;
	double before = delivered(monitor);
	if (before <= 0)
		return NAN;
	int64_t from, whole = (int64_t)((double)touch->size / before * 1e9);
	if (forget_all(monitor, look, &from) != 0) {
		/* A command may end at any moment: only a refusal is a reason. */
		if (errno == EACCES || errno == EPERM)
			look_is_refused(touch, errno);
		return NAN;
	}
	struct touch_progress soon, all;
	if (!wait_for_use(monitor, look, from, whole / 8) || !read_progress(monitor, look, from, &soon) ||
	    !wait_for_use(monitor, look, from, whole) || !read_progress(monitor, look, from, &all))
		return NAN;
	/* A command that gets memory or gives it back is busy with that. */
	double after = fabs(all.resident - soon.resident) <= all.touched / 4 ? delivered(monitor) : 0;
	if (after <= 0)
		return NAN;
	double delivers = (before + after) / 2;
	if (is_sparse(touch, &soon, &all, delivers)) {
		touch->sparse++;
		return NAN;
	}
	return all.touched / (all.used * delivers);
}

/* What fits into the cache needs no look, unless it is just getting its memory. */
static double pace_of_small(struct touch_sampler *touch, const struct touch_look *look)
{
	bool settled = look->pids[0] == touch->last && llabs(look->resident - touch->last_resident) <= look->resident / 8;
	touch->last = look->pids[0];
	touch->last_resident = look->resident;
	touch->small = true;
	return settled ? 0 : NAN;
}

static void sample_touch(struct monitor *monitor, double seconds)
{
	struct touch_sampler *touch = &monitor->touch;
	struct touch_look look;
	if (!touch->looks || !monitor_in_trial(monitor) || touch->count == TOUCH_LOOKS)
		return;
	find_leaders(monitor, &look);
	if (look.count == 0)
		return;
	if (look.resident > most_memory) {
		touch->why = "the commands use more memory than can be looked at in time";
		return;
	}
	int64_t cpu_before = clock_thread_cpu(monitor->host);
	touch->large |= look.resident > touch->cache;
	double pace = look.resident <= touch->cache ? pace_of_small(touch, &look) : look_at_pages(monitor, &look);
	touch->cpu_spent += clock_thread_cpu(monitor->host) - cpu_before;
	if (isnan(pace))
		return;
	touch->paces[touch->count++] = pace;
	touch->seconds += seconds;
}

void touch_say_unseen(struct monitor *monitor)
{
	const struct touch_sampler *touch = &monitor->touch;
	if (touch->why)
		monitor_say_unseen(monitor, "whether commands wait for memory: %s", touch->why);
	else if (touch->sparse > touch->count)
		monitor_say_unseen(monitor,
		                   "whether commands wait for memory: they touch more pages than memory delivers as a whole");
}

static void close_touch(struct monitor *monitor)
{
	if (monitor->touch.memory)
		monitor->host->sys->munmap(monitor->touch.memory, monitor->touch.size);
}

const struct sampler sampler_touch = {
	"touch", 100 * 1000000, open_touch, count_touch_gauges, name_touch_gauges, sample_touch, close_touch,
};
