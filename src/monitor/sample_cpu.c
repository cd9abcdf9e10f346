/* CPU time by core and mode, run queue, context switches: /proc/stat; and waiting: /proc/pressure.
 *
 * Times come in clock ticks, mostly of 10 ms, so shares are of the ticks that a CPU has counted, never of the clock.
 * Time stolen by a hypervisor counts as busy: the CPU had work and could do no more of it. */
#include "monitor/internal.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const mode_names[CPU_MODES] = {"user", "system", "irq", "steal", "iowait"};

/* "cpu12 1 2 3 …": the number, -1 for all together, -2 for another line. */
static int row_number(const char **at)
{
	if (strncmp(*at, "cpu", 3) != 0)
		return -2;
	const char *text = *at + 3;
	uint64_t number;
	if (*text == ' ') {
		*at = text;
		return -1;
	}
	if (!scan_number(&text, &number) || number >= CPUSET_MAX)
		return -2;
	*at = text;
	return (int)number;
}

static int highest_cpu(const char *text)
{
	int highest = -1;
	for (const char *line = text; line; line = scan_line(line)) {
		const char *at = line;
		int number = row_number(&at);
		if (number == -2)
			break; /* they stand first */
		highest = number > highest ? number : highest;
	}
	return highest;
}

static int open_cpu(struct monitor *monitor, struct error *err)
{
	struct cpu_sampler *cpu = &monitor->cpu;
	int status = reader_open(&cpu->stat, monitor->host, "/proc/stat", 4096, err);
	if (status < 0)
		return -1;
	if (status > 0) {
		monitor_cannot_see(monitor, "CPU time, run queue and context switches", "/proc/stat", cpu->stat.errnum);
		return 0;
	}
	/* CPUs may come online: room for some, and for their lines. */
	cpu->row_count = highest_cpu(cpu->stat.text) + 1 + 8;
	cpu->rows = mem_zalloc((size_t)cpu->row_count, sizeof(*cpu->rows));
	if (!cpu->rows)
		return error_memory(err);
	if (monitor->host->root[0] || cpuset_of_process(monitor->host, 0, &cpu->allowed, NULL) != 0)
		memset(&cpu->allowed, 0xff, sizeof(cpu->allowed));
	return 0;
}

static int count_cpu_gauges(const struct monitor *monitor)
{
	return (monitor->cpu.row_count + 1) * (CPU_MODES + 1) + 8;
}

static void name_row(struct monitor *monitor, struct cpu_row *row, int number)
{
	char name[16];
	snprintf(name, sizeof(name), number < 0 ? "cpu" : "cpu%d", number);
	row->busy = gauges_add(&monitor->gauges, name, "busy", "", GAUGE_USE);
	for (int i = 0; i < CPU_MODES; i++)
		row->modes[i] = gauges_add(&monitor->gauges, name, mode_names[i], "", GAUGE_SHARE);
}

static void name_cpu_gauges(struct monitor *monitor)
{
	struct cpu_sampler *cpu = &monitor->cpu;
	if (cpu->stat.fd < 0)
		return;
	name_row(monitor, &cpu->all, -1);
	cpu->runnable = gauges_add(&monitor->gauges, "cpu", "runnable", "tasks", GAUGE_LEVEL);
	cpu->blocked = gauges_add(&monitor->gauges, "cpu", "blocked", "tasks", GAUGE_LEVEL);
	cpu->switch_rate = gauges_add(&monitor->gauges, "cpu", "switches", "1/s", GAUGE_RATE);
	cpu->fork_rate = gauges_add(&monitor->gauges, "cpu", "forks", "1/s", GAUGE_RATE);
}

static void set_row(struct monitor *monitor, struct cpu_row *row, const double growth[CPU_FIELDS])
{
	double total = 0;
	for (int i = 0; i < CPU_FIELDS; i++)
		total += growth[i];
	/* user nice system idle iowait irq softirq steal */
	const double modes[CPU_MODES] = {growth[0] + growth[1], growth[2], growth[5] + growth[6], growth[7], growth[4]};
	gauges_set(&monitor->gauges, row->busy, share_of(total - growth[3] - growth[4], total));
	for (int i = 0; i < CPU_MODES; i++)
		gauges_set(&monitor->gauges, row->modes[i], share_of(modes[i], total));
}

static void clear_row(struct monitor *monitor, struct cpu_row *row)
{
	gauges_set(&monitor->gauges, row->busy, NAN);
	for (int i = 0; i < CPU_MODES; i++)
		gauges_set(&monitor->gauges, row->modes[i], NAN);
}

/* One line; adds its growth to that of all allowed CPUs. */
static void take_row(struct monitor *monitor, struct cpu_row *row, int number, const char *at, double all[CPU_FIELDS])
{
	uint64_t now[CPU_FIELDS] = {0};
	double growth[CPU_FIELDS], total = 0;
	for (int i = 0; i < CPU_FIELDS && scan_number(&at, &now[i]); i++)
		;
	/* A CPU that comes back begins anew, and a reading is no growth. */
	bool fresh = !row->known || row->seen + 1 < monitor->reading;
	if (!row->known)
		name_row(monitor, row, number);
	for (int i = 0; i < CPU_FIELDS; i++) {
		growth[i] = fresh ? 0 : counter_growth(row->before[i], now[i]);
		total += growth[i];
	}
	row->known = true;
	row->seen = monitor->reading;
	/* No tick since the last reading: what was true then is the best guess. */
	if (total > 0)
		set_row(monitor, row, growth);
	for (int i = 0; i < CPU_FIELDS; i++)
		if (cpuset_has(&monitor->cpu.allowed, number))
			all[i] += growth[i];
	memcpy(row->before, now, sizeof(now));
}

static void take_counts(struct monitor *monitor, const char *text, double seconds)
{
	struct cpu_sampler *cpu = &monitor->cpu;
	uint64_t number;
	/* This thread is one of those that run. */
	if (scan_key(text, "procs_running", &number))
		gauges_set(&monitor->gauges, cpu->runnable, number > 0 ? (double)(number - 1) : 0);
	if (scan_key(text, "procs_blocked", &number))
		gauges_set(&monitor->gauges, cpu->blocked, (double)number);
	if (scan_key(text, "ctxt", &number)) {
		if (seconds > 0)
			gauges_set(&monitor->gauges, cpu->switch_rate, counter_growth(cpu->switches, number) / seconds);
		cpu->switches = number;
	}
	if (scan_key(text, "processes", &number)) {
		if (seconds > 0)
			gauges_set(&monitor->gauges, cpu->fork_rate, counter_growth(cpu->forks, number) / seconds);
		cpu->forks = number;
	}
}

static void sample_cpu(struct monitor *monitor, double seconds)
{
	struct cpu_sampler *cpu = &monitor->cpu;
	double all[CPU_FIELDS] = {0}, total = 0;
	if (cpu->stat.fd < 0)
		return;
	if (reader_read(&cpu->stat, monitor->host) != 0) {
		clear_row(monitor, &cpu->all);
		return;
	}
	const char *line = cpu->stat.text;
	for (; line; line = scan_line(line)) {
		const char *at = line;
		int number = row_number(&at);
		if (number == -2)
			break;
		if (number >= 0 && number < cpu->row_count)
			take_row(monitor, &cpu->rows[number], number, at, all);
	}
	for (int i = 0; i < CPU_FIELDS; i++)
		total += all[i];
	if (total > 0)
		set_row(monitor, &cpu->all, all);
	for (int i = 0; i < cpu->row_count; i++)
		if (cpu->rows[i].known && cpu->rows[i].seen != monitor->reading)
			clear_row(monitor, &cpu->rows[i]);
	if (line)
		take_counts(monitor, line, seconds);
}

static void close_cpu(struct monitor *monitor)
{
	reader_close(&monitor->cpu.stat, monitor->host);
	mem_free(monitor->cpu.rows);
}

const struct sampler sampler_cpu = {
	"cpu", 50 * 1000000, open_cpu, count_cpu_gauges, name_cpu_gauges, sample_cpu, close_cpu,
};

/* ---- pressure ---- */

static const char *const pressure_names[MONITOR_PRESSURES] = {"cpu", "memory", "io"};

static int open_pressure(struct monitor *monitor, struct error *err)
{
	int missing = 0, errnum = 0;
	for (int i = 0; i < MONITOR_PRESSURES; i++) {
		char path[32];
		struct pressure_file *pressure = &monitor->cpu.pressures[i];
		snprintf(path, sizeof(path), "/proc/pressure/%s", pressure_names[i]);
		int status = reader_open(&pressure->file, monitor->host, path, 256, err);
		if (status < 0)
			return -1;
		if (status > 0) {
			missing++;
			errnum = pressure->file.errnum;
		}
	}
	if (missing)
		monitor_cannot_see(monitor, "how long processes wait for CPU, memory and I/O", "/proc/pressure", errnum);
	return 0;
}

static int count_pressure_gauges(const struct monitor *monitor)
{
	(void)monitor;
	return 2 * MONITOR_PRESSURES;
}

static void name_pressure_gauges(struct monitor *monitor)
{
	for (int i = 0; i < MONITOR_PRESSURES; i++) {
		struct pressure_file *pressure = &monitor->cpu.pressures[i];
		if (pressure->file.fd < 0)
			continue;
		/* Some process waits for a CPU whenever more want one than there are; memory that stalls everyone is a
		 * limit. */
		pressure->some_gauge = gauges_add(&monitor->gauges, pressure_names[i], "waiting", "", GAUGE_SHARE);
		pressure->full_gauge = gauges_add(&monitor->gauges, pressure_names[i], "stalled", "",
		                                  i == 1 ? GAUGE_USE : GAUGE_SHARE);
	}
}

static bool total_of(const char *line, const char *word, uint64_t *out)
{
	const char *total = strncmp(line, word, strlen(word)) == 0 ? strstr(line, " total=") : NULL;
	if (!total)
		return false;
	total += strlen(" total=");
	return scan_number(&total, out);
}

/* The kernel brings the totals up to date with every reading. */
static void sample_pressure(struct monitor *monitor, double seconds)
{
	for (int i = 0; i < MONITOR_PRESSURES; i++) {
		struct pressure_file *pressure = &monitor->cpu.pressures[i];
		uint64_t some = 0, full = 0;
		if (pressure->file.fd < 0 || reader_read(&pressure->file, monitor->host) != 0 ||
		    !total_of(pressure->file.text, "some", &some))
			continue;
		const char *second = scan_line(pressure->file.text);
		if (second)
			total_of(second, "full", &full);
		double elapsed = (double)(monitor->now - pressure->at) / 1e9;
		if (seconds > 0 && pressure->at) {
			gauges_set(&monitor->gauges, pressure->some_gauge,
			           share_of(counter_growth(pressure->some, some) / 1e6, elapsed));
			gauges_set(&monitor->gauges, pressure->full_gauge,
			           share_of(counter_growth(pressure->full, full) / 1e6, elapsed));
		}
		pressure->some = some;
		pressure->full = full;
		pressure->at = monitor->now;
	}
}

static void close_pressure(struct monitor *monitor)
{
	for (int i = 0; i < MONITOR_PRESSURES; i++)
		reader_close(&monitor->cpu.pressures[i].file, monitor->host);
}

const struct sampler sampler_pressure = {
	"pressure",           500 * 1000000,   open_pressure,  count_pressure_gauges,
	name_pressure_gauges, sample_pressure, close_pressure,
};
