/* What the measured commands do: run, or wait, and then for what.
 *
 * A look at a process finds it running (or waiting for a CPU), or in a system call on a descriptor, which says what it
 * waits for: a pipe whose other side is slow, a socket, a file. The share of looks over a quarter of a second is the
 * share of time; "cpu.wanted" is how much of one CPU they use or wait for. New processes and threads are found by their
 * ids, since the kernel hands them out in order and tells the newest: reading all of /proc would cost more than
 * everything else here. Nothing is stopped or traced; /proc/PID/syscall needs no more permission than being its
 * ancestor. */
#include "monitor/internal.h"

#include "host/proc.h"

#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

enum { PUBLISH = 250 * 1000000, NEW_MAX = 128, FDS_MAX = 64 };

static int open_process(struct monitor *monitor, struct error *err)
{
	monitor->process.running_gauge = GAUGES_NONE;
	return reader_open(&monitor->process.newest, monitor->host, "/proc/loadavg", 256, err) < 0 ? -1 : 0;
}

static int count_process_gauges(const struct monitor *monitor)
{
	(void)monitor;
	return WAITS_MAX + 1;
}

static void name_process_gauges(struct monitor *monitor)
{
	(void)monitor; /* with the first command */
}

static pid_t newest_process(struct monitor *monitor)
{
	struct reader *reader = &monitor->process.newest;
	if (reader->fd < 0 || reader_read(reader, monitor->host) != 0)
		return 0;
	const char *last = strrchr(reader->text, ' ');
	return last ? (pid_t)strtol(last, NULL, 10) : 0;
}

void monitor_watch(struct monitor *monitor, pid_t pid, int generations)
{
	struct process_sampler *process = &monitor->process;
	if (process->count >= SEEDS_MAX || pid <= 0)
		return;
	process->list[process->count++] = (struct watched){pid, generations, -1, true};
	process->last = newest_process(monitor);
	process->running_gauge = gauges_add(&monitor->gauges, "cpu", "wanted", "", GAUGE_USE);
}

void monitor_look_at_files(struct monitor *monitor, bool look)
{
	monitor->process.look_at_files = look;
}

const char *monitor_open_file(const struct monitor *monitor, size_t index)
{
	return index < (size_t)monitor->process.file_count ? monitor->process.files[index] : NULL;
}

/* Threads have ids of their own, and /proc/TID/stat tells the CPU time of all of them. */
static bool is_leader(const struct monitor *monitor, pid_t pid)
{
	int64_t leader;
	return proc_status_number(monitor->host, pid, "Tgid", &leader) != 0 || leader == pid;
}

static void take_new(struct monitor *monitor, pid_t pid, const struct proc_stat *stat)
{
	struct process_sampler *process = &monitor->process;
	for (int i = 0; i < process->count; i++) {
		if (process->list[i].pid == pid)
			return;
		if (process->list[i].pid != stat->parent || process->count == WATCHED_MAX)
			continue;
		int generations = process->list[i].generations;
		process->list[process->count++] = (struct watched){pid, generations > 0 ? generations - 1 : 0, -1,
		                                                   is_leader(monitor, pid)};
		return;
	}
}

static void find_new(struct monitor *monitor)
{
	struct process_sampler *process = &monitor->process;
	pid_t newest = newest_process(monitor), from = process->last + 1;
	struct proc_stat stat;
	if (newest == process->last || newest <= 0)
		return;
	/* Ids begin anew after the highest; a burst of others is not worth following. */
	if (newest < from || newest - from > NEW_MAX)
		from = newest > NEW_MAX ? newest - NEW_MAX : 1;
	for (pid_t pid = from; pid <= newest; pid++)
		if (proc_stat(monitor->host, pid, &stat) == 0)
			take_new(monitor, pid, &stat);
	process->last = newest;
}

/* Whether the first argument of a system call is the descriptor that it waits for. */
static bool waits_on_first(long call, bool *writing)
{
	static const struct {
		long call;
		bool writing;
	} calls[] = {
		{SYS_read, false},    {SYS_pread64, false},  {SYS_readv, false},   {SYS_preadv, false},   {SYS_recvfrom, false},
		{SYS_recvmsg, false}, {SYS_accept, false},   {SYS_accept4, false}, {SYS_write, true},     {SYS_pwrite64, true},
		{SYS_writev, true},   {SYS_pwritev, true},   {SYS_sendto, true},   {SYS_sendmsg, true},   {SYS_connect, true},
		{SYS_fsync, true},    {SYS_fdatasync, true}, {SYS_sendfile, true}, {SYS_fallocate, true}, {SYS_ftruncate, true},
	};
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		if (calls[i].call == call) {
			*writing = calls[i].writing;
			return true;
		}
	}
	return false;
}

/* "1 0x3 0x7f… …" or "running" or "-1 …". */
static bool read_syscall(struct monitor *monitor, pid_t pid, int *fd, bool *writing)
{
	char path[48], text[256], *end;
	snprintf(path, sizeof(path), "/proc/%d/syscall", (int)pid);
	if (proc_read(monitor->host, path, text, sizeof(text)) <= 0) {
		monitor->process.no_syscall = true;
		return false;
	}
	long call = strtol(text, &end, 10);
	if (end == text || !waits_on_first(call, writing))
		return false;
	unsigned long first = strtoul(end, NULL, 16);
	if (first > INT_MAX)
		return false;
	*fd = (int)first;
	return true;
}

/* Where a descriptor leads: "pipe:/path" or "file:/path"; "pipe" and "socket" for all that have a number instead of a
 * name, which is another one in every run. */
static bool name_descriptor(struct monitor *monitor, pid_t pid, int fd, char *name, size_t size)
{
	char path[PATH_MAX], target[GAUGE_NAME];
	struct stat stat;
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)pid, fd);
	if (proc_read_link(monitor->host, path, target, sizeof(target)) <= 0)
		return false;
	if (strncmp(target, "pipe:", 5) == 0 || strncmp(target, "socket:", 7) == 0) {
		snprintf(name, size, "%.*s", (int)strcspn(target, ":"), target);
		return true;
	}
	if (target[0] != '/')
		return false;
	snprintf(path, sizeof(path), "%s/proc/%d/fd/%d", monitor->host->root, (int)pid, fd);
	bool fifo = monitor->host->sys->stat(path, &stat) == 0 && S_ISFIFO(stat.st_mode);
	snprintf(name, size, "%s:%.88s", fifo ? "pipe" : "file", target);
	return true;
}

static const char *cached_name(struct monitor *monitor, pid_t pid, int fd)
{
	struct process_sampler *process = &monitor->process;
	for (int i = 0; i < FD_CACHE; i++)
		if (process->cache[i].pid == pid && process->cache[i].fd == fd)
			return process->cache[i].component;
	struct fd_entry *entry = &process->cache[process->cache_next];
	if (!name_descriptor(monitor, pid, fd, entry->component, sizeof(entry->component)))
		return NULL;
	entry->pid = pid;
	entry->fd = fd;
	process->cache_next = (process->cache_next + 1) % FD_CACHE;
	return entry->component;
}

static void count_wait(struct monitor *monitor, const char *component, bool writing)
{
	struct process_sampler *process = &monitor->process;
	int i = 0;
	while (i < process->wait_count &&
	       (process->waits[i].writing != writing || strcmp(process->waits[i].component, component) != 0))
		i++;
	if (i == WAITS_MAX)
		return;
	struct wait_for *wait = &process->waits[i];
	if (i == process->wait_count) {
		process->wait_count++;
		*wait = (struct wait_for){.writing = writing};
		snprintf(wait->component, sizeof(wait->component), "%s", component);
		/* A pipe with a name leads to another program, which limits by itself; one without joins parts of a command.
		 * Behind sockets and files stand interfaces and disks, which are watched. */
		enum gauge_kind kind = strncmp(component, "pipe:", 5) == 0 ? GAUGE_USE : GAUGE_SHARE;
		wait->gauge = gauges_add(&monitor->gauges, component, writing ? "write-wait" : "read-wait", "", kind);
	}
	wait->seen += !wait->this_look;
	wait->this_look = true;
}

static void note_files(struct monitor *monitor, pid_t pid)
{
	struct process_sampler *process = &monitor->process;
	for (int fd = 0; fd < FDS_MAX; fd++) {
		char path[48], target[sizeof(process->files[0])];
		snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)pid, fd);
		if (proc_read_link(monitor->host, path, target, sizeof(target)) <= 0 ||
		    (target[0] != '/' && strncmp(target, "socket:", 7) != 0) || strncmp(target, "/dev/null", 9) == 0)
			continue;
		int i = 0;
		while (i < process->file_count && strcmp(process->files[i], target) != 0)
			i++;
		if (i == process->file_count && i < OPEN_FILES_MAX)
			memcpy(process->files[process->file_count++], target, sizeof(target));
	}
}

/* One look at a measured process; true: it runs. */
static bool look_at(struct monitor *monitor, pid_t pid, char state)
{
	int fd;
	bool writing;
	/* Files stay open for longer than a look. */
	if (monitor->process.look_at_files && monitor->process.looks % 8 == 0)
		note_files(monitor, pid);
	if (state == 'R')
		return true;
	if ((state == 'S' || state == 'D') && read_syscall(monitor, pid, &fd, &writing)) {
		const char *name = cached_name(monitor, pid, fd);
		if (name)
			count_wait(monitor, name, writing);
	}
	return false;
}

static void publish(struct monitor *monitor)
{
	struct process_sampler *process = &monitor->process;
	double looks = process->looks, seconds = (double)(monitor->now - process->published) / 1e9;
	/* Threads that were not looked at show in the CPU time; one CPU's worth of it is a thread that always runs. */
	double used = share_of((double)process->ticks * (double)proc_tick() / 1e9, seconds);
	gauges_set(&monitor->gauges, process->running_gauge, looks > 0 ? fmax(process->running / looks, used) : NAN);
	for (int i = 0; i < process->wait_count; i++) {
		gauges_set(&monitor->gauges, process->waits[i].gauge, looks > 0 ? process->waits[i].seen / looks : NAN);
		process->waits[i].seen = 0;
	}
	process->looks = process->running = 0;
	process->ticks = 0;
	process->published = monitor->now;
}

void process_forget(struct monitor *monitor)
{
	struct process_sampler *process = &monitor->process;
	gauges_set(&monitor->gauges, process->running_gauge, NAN);
	for (int i = 0; i < process->wait_count; i++)
		gauges_set(&monitor->gauges, process->waits[i].gauge, NAN);
	process->looks = process->running = 0;
	process->ticks = 0;
}

static void sample_process(struct monitor *monitor, double seconds)
{
	struct process_sampler *process = &monitor->process;
	bool measured = false, runs = false;
	(void)seconds;
	if (process->count == 0 || !monitor->runs)
		return;
	find_new(monitor);
	for (int i = 0; i < process->wait_count; i++)
		process->waits[i].this_look = false;
	for (int i = 0; i < process->count;) {
		struct proc_stat stat;
		struct watched *one = &process->list[i];
		if (proc_stat(monitor->host, one->pid, &stat) != 0 || stat.state == 'Z' || stat.state == 'X') {
			*one = process->list[--process->count];
			continue;
		}
		if (one->generations == 0) {
			measured = true;
			if (one->leader && one->ticks >= 0)
				process->ticks += stat.user + stat.system - one->ticks;
			one->ticks = stat.user + stat.system;
			runs |= look_at(monitor, one->pid, stat.state);
		}
		i++;
	}
	if (measured && monitor_in_trial(monitor)) {
		process->looks++;
		process->running += runs;
	}
	if (monitor->now - process->published >= PUBLISH)
		publish(monitor);
}

static void close_process(struct monitor *monitor)
{
	reader_close(&monitor->process.newest, monitor->host);
}

const struct sampler sampler_process = {
	"process", 0, open_process, count_process_gauges, name_process_gauges, sample_process, close_process,
};
