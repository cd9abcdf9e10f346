/* Memory: what is in use, and whether the kernel has to look for more: /proc/meminfo, /proc/vmstat.
 *
 * A machine with little free memory is well; one that reclaims, swaps or stalls allocations is not. So the share in
 * use is told and not judged; sample_cpu.c judges the time in which memory stalls everything. Bandwidth is known where
 * the memory controllers have counters; without them a CPU that waits for memory looks like one that computes. */
#include "monitor/internal.h"

#include <math.h>
#include <string.h>

enum { RECLAIM, SWAP_IN, SWAP_OUT, STALLS, MAJOR_FAULTS, EVENTS };

static int open_memory(struct monitor *monitor, struct error *err)
{
	struct memory_sampler *memory = &monitor->memory;
	int info = reader_open(&memory->info, monitor->host, "/proc/meminfo", 4096, err);
	int events = info < 0 ? -1 : reader_open(&memory->events, monitor->host, "/proc/vmstat", 8192, err);
	if (info < 0 || events < 0)
		return -1;
	if (info > 0)
		monitor_cannot_see(monitor, "memory in use", "/proc/meminfo", memory->info.errnum);
	if (events > 0)
		monitor_cannot_see(monitor, "reclaim and swapping", "/proc/vmstat", memory->events.errnum);
	struct error why;
	int counters = traffic_open(monitor->host, &memory->traffic, &why);
	if (counters > 0)
		monitor->no_traffic = "there are no counters of the memory controllers";
	else if (counters < 0)
		monitor->no_traffic = "the counters of the memory controllers may not be used";
	return 0;
}

static int count_memory_gauges(const struct monitor *monitor)
{
	(void)monitor;
	return 16;
}

static void name_memory_gauges(struct monitor *monitor)
{
	struct memory_sampler *memory = &monitor->memory;
	struct gauges *gauges = &monitor->gauges;
	if (memory->info.fd >= 0) {
		memory->used_share = gauges_add(gauges, "memory", "used", "", GAUGE_SHARE);
		memory->used = gauges_add(gauges, "memory", "in-use", "bytes", GAUGE_LEVEL);
		memory->available = gauges_add(gauges, "memory", "available", "bytes", GAUGE_LEVEL);
		memory->swap_used = gauges_add(gauges, "memory", "swap", "bytes", GAUGE_LEVEL);
		memory->dirty = gauges_add(gauges, "memory", "dirty", "bytes", GAUGE_LEVEL);
		memory->writeback = gauges_add(gauges, "memory", "writeback", "bytes", GAUGE_LEVEL);
	}
	if (memory->events.fd >= 0) {
		memory->reclaim = gauges_add(gauges, "memory", "reclaim", "pages/s", GAUGE_RATE);
		memory->swap_in = gauges_add(gauges, "memory", "swap-in", "pages/s", GAUGE_RATE);
		memory->swap_out = gauges_add(gauges, "memory", "swap-out", "pages/s", GAUGE_RATE);
		memory->stalls = gauges_add(gauges, "memory", "stalls", "1/s", GAUGE_RATE);
		memory->major_faults = gauges_add(gauges, "memory", "major-faults", "1/s", GAUGE_RATE);
	}
	memory->read = memory->write = memory->bandwidth_use = GAUGES_NONE;
	if (memory->traffic.count > 0) {
		memory->read = gauges_add(gauges, "memory", "read", "B/s", GAUGE_RATE);
		memory->write = gauges_add(gauges, "memory", "write", "B/s", GAUGE_RATE);
	}
}

/* Use needs to know what the memory can do, which a plug-in or the user's file says. */
static void sample_traffic(struct monitor *monitor, double seconds)
{
	struct memory_sampler *memory = &monitor->memory;
	double now[2], capacity = monitor_capacity(monitor, "memory", "bandwidth");
	if (memory->traffic.count == 0)
		return;
	traffic_read(monitor->host, &memory->traffic, now);
	double read = now[0] - memory->moved[0], written = now[1] - memory->moved[1];
	memcpy(memory->moved, now, sizeof(now));
	if (seconds <= 0)
		return;
	read /= seconds;
	written /= seconds;
	gauges_set(&monitor->gauges, memory->read, read);
	gauges_set(&monitor->gauges, memory->write, written);
	if (!isnan(capacity)) {
		if (memory->bandwidth_use == GAUGES_NONE)
			memory->bandwidth_use = gauges_add(&monitor->gauges, "memory", "bandwidth-use", "", GAUGE_USE);
		gauges_set(&monitor->gauges, memory->bandwidth_use, (read + written) / capacity);
	}
}

static void sample_use(struct monitor *monitor)
{
	struct memory_sampler *memory = &monitor->memory;
	struct gauges *gauges = &monitor->gauges;
	uint64_t total = 0, available = 0, number = 0, swap_free = 0;
	const char *text = memory->info.text;
	if (memory->info.fd < 0 || reader_read(&memory->info, monitor->host) != 0)
		return;
	bool known = scan_key(text, "MemTotal", &total);
	/* Kernels before 3.14 have no estimate of what is available. */
	if (!scan_key(text, "MemAvailable", &available) && !scan_key(text, "MemFree", &available))
		known = false;
	gauges_set(gauges, memory->used_share, known ? share_of((double)total - (double)available, (double)total) : NAN);
	gauges_set(gauges, memory->used, known ? ((double)total - (double)available) * 1024 : NAN);
	gauges_set(gauges, memory->available, known ? (double)available * 1024 : NAN);
	if (scan_key(text, "SwapTotal", &number) && scan_key(text, "SwapFree", &swap_free))
		gauges_set(gauges, memory->swap_used, ((double)number - (double)swap_free) * 1024);
	if (scan_key(text, "Dirty", &number))
		gauges_set(gauges, memory->dirty, (double)number * 1024);
	if (scan_key(text, "Writeback", &number))
		gauges_set(gauges, memory->writeback, (double)number * 1024);
}

/* Keys differ between kernels ("allocstall" and "allocstall_normal"): one pass adds up what belongs together. */
static void sum_events(const char *text, uint64_t out[EVENTS])
{
	memset(out, 0, EVENTS * sizeof(*out));
	for (const char *line = text; line; line = scan_line(line)) {
		char key[48];
		const char *at = line;
		uint64_t number;
		if ((line[0] != 'p' && line[0] != 'a') || !scan_word(&at, key, sizeof(key)) || !scan_number(&at, &number))
			continue;
		if (strncmp(key, "allocstall", 10) == 0)
			out[STALLS] += number;
		else if (strcmp(key, "pswpin") == 0)
			out[SWAP_IN] += number;
		else if (strcmp(key, "pswpout") == 0)
			out[SWAP_OUT] += number;
		else if (strcmp(key, "pgmajfault") == 0)
			out[MAJOR_FAULTS] += number;
		else if (strcmp(key, "pgsteal_kswapd") == 0 || strcmp(key, "pgsteal_direct") == 0)
			out[RECLAIM] += number;
	}
}

static void sample_memory(struct monitor *monitor, double seconds)
{
	struct memory_sampler *memory = &monitor->memory;
	uint64_t now[EVENTS];
	const int gauges[EVENTS] = {memory->reclaim, memory->swap_in, memory->swap_out, memory->stalls,
	                            memory->major_faults};
	sample_use(monitor);
	sample_traffic(monitor, seconds);
	if (memory->events.fd < 0 || reader_read(&memory->events, monitor->host) != 0)
		return;
	sum_events(memory->events.text, now);
	for (int i = 0; i < EVENTS && seconds > 0; i++)
		gauges_set(&monitor->gauges, gauges[i], counter_growth(memory->before[i], now[i]) / seconds);
	memcpy(memory->before, now, sizeof(now));
}

static void close_memory(struct monitor *monitor)
{
	traffic_close(monitor->host, &monitor->memory.traffic);
	reader_close(&monitor->memory.info, monitor->host);
	reader_close(&monitor->memory.events, monitor->host);
}

const struct sampler sampler_memory = {
	"memory", 100 * 1000000, open_memory, count_memory_gauges, name_memory_gauges, sample_memory, close_memory,
};
