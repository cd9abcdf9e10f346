/* The samplers on machines made of files, with a clock that the test sets: what each file says, what comes and goes,
 * what cannot be seen; a machine with 256 CPUs and 500 disks; no allocation while sampling. */
#include "monitor/monitor.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "support/fake.h"
#include "support/known.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int64_t now_ns = 1000000000;

static int made_up_gettime(clockid_t clock, struct timespec *out)
{
	(void)clock;
	*out = (struct timespec){.tv_sec = now_ns / 1000000000, .tv_nsec = now_ns % 1000000000};
	return 0;
}

static struct syscalls calls;
static struct host machine;

static char *begin_machine(void)
{
	char *root = fake_root();
	calls = syscalls_libc;
	calls.clock_gettime = made_up_gettime;
	machine = (struct host){.sys = &calls, .root = root};
	return root;
}

static void end_machine(char *root)
{
	fake_remove(root);
	free(root);
}

static struct monitor *open_machine(void)
{
	struct monitor_options options = monitor_defaults();
	struct error err = {0};
	struct monitor *monitor = monitor_open(&machine, &options, &err);
	assert_non_null(monitor);
	monitor_begin(monitor, 100000000);
	return monitor;
}

static void sample_after(struct monitor *monitor, double seconds)
{
	now_ns += (int64_t)(seconds * 1e9);
	mem_fail_at(1);
	monitor_sample(monitor, false);
	assert_false(mem_failed());
	mem_fail_at(0);
}

/* The value of a gauge now; NaN also where there is no such gauge. */
static double value_of(struct monitor *monitor, const char *component, const char *quantity)
{
	const struct gauge_reading *readings;
	size_t count = monitor_readings(monitor, &readings);
	for (size_t i = 0; i < count; i++)
		if (strcmp(readings[i].component, component) == 0 && strcmp(readings[i].quantity, quantity) == 0)
			return readings[i].value;
	return NAN;
}

#define assert_value(monitor, component, quantity, expected) \
	assert_true(fabs(value_of(monitor, component, quantity) - (double)(expected)) < \
	            1e-9 * (1 + fabs((double)(expected))))
#define assert_unknown(monitor, component, quantity) assert_true(isnan(value_of(monitor, component, quantity)))

static bool says_unseen(const struct monitor *monitor, const char *word)
{
	for (size_t i = 0; monitor_unseen(monitor, i); i++)
		if (strstr(monitor_unseen(monitor, i), word))
			return true;
	return false;
}

static void test_cpus(void **state)
{
	(void)state;
	char *root = begin_machine();
	fake_file(root, "/proc/stat",
	          "cpu  100 0 0 100 0 0 0 0 0 0\ncpu0 100 0 0 100 0 0 0 0 0 0\ncpu1 0 0 0 200 0 0 0 0 0 0\n"
	          "intr 1 2 3\nctxt 1000\nbtime 1\nprocesses 10\nprocs_running 3\nprocs_blocked 1\n");
	struct monitor *monitor = open_machine();
	assert_unknown(monitor, "cpu0", "busy");
	fake_file(root, "/proc/stat",
	          "cpu  100 0 0 100 0 0 0 0 0 0\ncpu0 150 10 20 105 5 4 3 3 0 0\ncpu1 0 0 0 300 0 0 0 0 0 0\n"
	          "intr 1 2 3\nctxt 1500\nbtime 1\nprocesses 12\nprocs_running 5\nprocs_blocked 0\n");
	sample_after(monitor, 1);
	/* cpu0: 60 user, 20 system, 7 irq, 3 steal, 5 idle, 5 iowait: 90 of 100. */
	assert_value(monitor, "cpu0", "busy", 0.9);
	assert_value(monitor, "cpu0", "user", 0.6);
	assert_value(monitor, "cpu0", "system", 0.2);
	assert_value(monitor, "cpu0", "irq", 0.07);
	assert_value(monitor, "cpu0", "steal", 0.03);
	assert_value(monitor, "cpu0", "iowait", 0.05);
	assert_value(monitor, "cpu1", "busy", 0);
	assert_value(monitor, "cpu", "busy", 0.45);
	assert_value(monitor, "cpu", "switches", 500);
	assert_value(monitor, "cpu", "forks", 2);
	assert_value(monitor, "cpu", "runnable", 4);
	/* No tick: the last value stays. CPU 1 goes away. */
	fake_file(root, "/proc/stat", "cpu  0\ncpu0 150 10 20 105 5 4 3 3 0 0\nctxt 1500\n");
	sample_after(monitor, 1);
	assert_value(monitor, "cpu0", "busy", 0.9);
	assert_unknown(monitor, "cpu1", "busy");
	/* It comes back with smaller counts, as another appears: neither has a value at once. */
	fake_file(root, "/proc/stat",
	          "cpu  0\ncpu0 250 10 20 105 5 4 3 3 0 0\ncpu1 0 0 0 10 0 0 0 0\ncpu5 5 5 5 5 5 5 5 5\nctxt 1500\n");
	sample_after(monitor, 1);
	assert_value(monitor, "cpu0", "busy", 1);
	assert_unknown(monitor, "cpu1", "busy");
	assert_unknown(monitor, "cpu5", "busy");
	fake_file(root, "/proc/stat",
	          "cpu  0\ncpu0 250 10 20 105 5 4 3 3 0 0\ncpu1 10 0 0 20 0 0 0 0\ncpu5 9 5 5 5 5 5 5 5\nctxt 1500\n");
	sample_after(monitor, 1);
	assert_value(monitor, "cpu1", "busy", 0.5);
	assert_value(monitor, "cpu5", "busy", 1);
	/* Too soon after the last reading of ticks: nothing is read. */
	fake_file(root, "/proc/stat", "cpu  0\ncpu0 250 10 20 505 5 4 3 3 0 0\n");
	sample_after(monitor, 0.001);
	assert_value(monitor, "cpu0", "busy", 1);
	monitor_close(monitor);
	end_machine(root);
}

static void test_pressure(void **state)
{
	(void)state;
	char *root = begin_machine();
	fake_file(root, "/proc/pressure/cpu", "some avg10=0.00 avg60=0.00 avg300=0.00 total=1000000\n");
	fake_file(root, "/proc/pressure/memory", "some avg10=0 total=0\nfull avg10=0 total=0\n");
	fake_file(root, "/proc/pressure/io", "some avg10=0 total=5\nfull avg10=0 total=5\n");
	struct monitor *monitor = open_machine();
	assert_unknown(monitor, "cpu", "waiting");
	sample_after(monitor, 1);
	assert_value(monitor, "cpu", "waiting", 0);
	/* A stall is as long as it is: not spread over the time before, nor believed to go on. */
	fake_file(root, "/proc/pressure/cpu", "some avg10=0.00 avg60=0.00 avg300=0.00 total=1250000\n");
	fake_file(root, "/proc/pressure/memory", "some avg10=0 total=450000\nfull avg10=0 total=425000\n");
	sample_after(monitor, 0.5);
	assert_value(monitor, "cpu", "waiting", 0.5);
	assert_value(monitor, "memory", "waiting", 0.9);
	assert_value(monitor, "memory", "stalled", 0.85);
	sample_after(monitor, 0.5);
	assert_value(monitor, "memory", "stalled", 0);
	assert_value(monitor, "cpu", "waiting", 0);
	monitor_close(monitor);
	end_machine(root);
}

static void test_memory_files(void **state)
{
	(void)state;
	char *root = begin_machine();
	fake_file(root, "/proc/meminfo",
	          "MemTotal: 1000 kB\nMemFree: 100 kB\nMemAvailable: 250 kB\nDirty: 4 kB\nWriteback: 2 kB\n"
	          "SwapTotal: 100 kB\nSwapFree: 40 kB\n");
	fake_file(
		root, "/proc/vmstat",
		"pgmajfault 10\npswpin 0\npswpout 0\npgsteal_kswapd 5\npgsteal_direct 5\nallocstall_dma 1\nallocstall_normal 1\n");
	struct monitor *monitor = open_machine();
	fake_file(
		root, "/proc/vmstat",
		"pgmajfault 30\npswpin 2\npswpout 4\npgsteal_kswapd 105\npgsteal_direct 15\nallocstall_dma 2\nallocstall_normal 4\n");
	sample_after(monitor, 2);
	assert_value(monitor, "memory", "used", 0.75);
	assert_value(monitor, "memory", "in-use", 750 * 1024.0);
	assert_value(monitor, "memory", "swap", 60 * 1024.0);
	assert_value(monitor, "memory", "dirty", 4096);
	assert_value(monitor, "memory", "writeback", 2048);
	assert_value(monitor, "memory", "reclaim", 55);
	assert_value(monitor, "memory", "swap-in", 1);
	assert_value(monitor, "memory", "swap-out", 2);
	assert_value(monitor, "memory", "stalls", 2);
	assert_value(monitor, "memory", "major-faults", 10);
	monitor_close(monitor);
	end_machine(root);
}

static void test_disks(void **state)
{
	(void)state;
	char *root = begin_machine();
	fake_file(root, "/sys/block/sda/size", "1\n");
	fake_file(root, "/sys/block/loop0/size", "1\n");
	fake_file(root, "/sys/block/nvme0n1/size", "1\n");
	fake_file(root, "/proc/diskstats",
	          " 8 0 sda 100 0 2000 50 10 0 400 20 0 60 70\n 8 1 sda1 90 0 2000 50 10 0 400 20 0 60 70\n"
	          " 7 0 loop0 0 0 0 0 0 0 0 0 0 0 0\n");
	struct monitor *monitor = open_machine();
	/* 20 reads of 400 sectors in 100 ms, 50 writes of 8000 sectors in 2 s, busy 0.9 s, waited for 2.1 s. */
	fake_file(root, "/proc/diskstats",
	          " 8 0 sda 120 0 2400 150 60 0 8400 2020 0 960 2170\n 8 1 sda1 1 1 1 1 1 1 1 1 1 1 1\n"
	          " 7 0 loop0 0 0 0 0 0 0 0 0 0 0 0\n 259 0 nvme0n1 7 0 8 9 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
	sample_after(monitor, 1);
	assert_value(monitor, "disk:sda", "busy", 0.9);
	assert_value(monitor, "disk:sda", "read", 400 * 512.0);
	assert_value(monitor, "disk:sda", "write", 8000 * 512.0);
	assert_value(monitor, "disk:sda", "read-time", 0.005);
	assert_value(monitor, "disk:sda", "write-time", 0.04);
	assert_value(monitor, "disk:sda", "queue", 2.1);
	assert_unknown(monitor, "disk:sda1", "busy");
	assert_unknown(monitor, "disk:loop0", "busy");
	assert_unknown(monitor, "disk:nvme0n1", "busy"); /* appeared: no growth yet */
	fake_file(root, "/proc/diskstats", " 259 0 nvme0n1 8 0 16 9 0 0 0 0 0 500 0 0 0 0 0 0 0\n");
	sample_after(monitor, 1);
	assert_unknown(monitor, "disk:sda", "busy"); /* gone */
	assert_value(monitor, "disk:nvme0n1", "busy", 0.5);
	/* Another disk under the old name: counts go back, nothing is negative. */
	fake_file(root, "/proc/diskstats", " 8 0 sda 1 0 8 1 0 0 0 0 0 1 1\n");
	sample_after(monitor, 1);
	fake_file(root, "/proc/diskstats", " 8 0 sda 0 0 0 0 0 0 0 0 0 0 0\n");
	sample_after(monitor, 1);
	assert_value(monitor, "disk:sda", "read", 0);
	/* Nonsense is not believed and does no harm. */
	fake_file(root, "/proc/diskstats", "x\n 8 0\n\n 8 0 sda 1 z\n");
	sample_after(monitor, 1);
	monitor_close(monitor);
	end_machine(root);
}

static const char net_head[] =
	"Inter-|   Receive                                                |  Transmit\n"
	" face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed\n";

static void put_net(const char *root, const char *rows)
{
	char text[2048];
	snprintf(text, sizeof(text), "%s%s", net_head, rows);
	fake_file(root, "/proc/net/dev", text);
}

static void test_network(void **state)
{
	(void)state;
	char *root = begin_machine();
	fake_file(root, "/sys/class/net/eth0/speed", "1000\n");
	fake_file(root, "/sys/class/net/eth0/device/vendor", "0x8086\n");
	fake_file(root, "/sys/class/net/wlan0/speed", "-1\n");
	fake_file(root, "/sys/class/net/wlan0/device/vendor", "0x8086\n");
	put_net(
		root,
		"    lo: 100 1 0 0 0 0 0 0 100 1 0 0 0 0 0 0\n  eth0:1000 1 0 0 0 0 0 0 2000 1 0 0 0 0 0 0\n wlan0: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
	struct monitor *monitor = open_machine();
	put_net(root,
	        "    lo: 300 1 0 0 0 0 0 0 300 1 0 0 0 0 0 0\n  eth0:125001000 1 0 4 0 0 0 0 62502000 1 0 2 0 0 0 0\n");
	sample_after(monitor, 2);
	assert_value(monitor, "net:lo", "receive", 100);
	assert_unknown(monitor, "net:lo", "send-use");
	assert_value(monitor, "net:eth0", "receive", 62.5e6);
	assert_value(monitor, "net:eth0", "receive-use", 0.5);
	assert_value(monitor, "net:eth0", "send-use", 0.25);
	assert_value(monitor, "net:eth0", "drops", 3);
	assert_unknown(monitor, "net:wlan0", "receive");
	put_net(root, "  eth0:125001000 1 0 4 0 0 0 0 62502000 1 0 2 0 0 0 0\n veth9: 5 0 0 0 0 0 0 0 5 0 0 0 0 0 0 0\n");
	sample_after(monitor, 1);
	put_net(root, " veth9: 55 0 0 0 0 0 0 0 5 0 0 0 0 0 0 0\n");
	sample_after(monitor, 1);
	assert_value(monitor, "net:veth9", "receive", 50);
	assert_unknown(monitor, "net:eth0", "receive");
	monitor_close(monitor);
	end_machine(root);
}

/* Speeds that are made up limit nothing; those of what lies on devices do. */
static void test_virtual_links(void **state)
{
	(void)state;
	static const char *const names[] = {"eth0", "veth9", "tun0", "bond0", "vlan7", "br0"};
	enum { NAMES = sizeof(names) / sizeof(names[0]) };
	char *root = begin_machine(), first[1024] = "", second[1024] = "", path[64];
	for (size_t i = 0; i < NAMES; i++) {
		snprintf(path, sizeof(path), "/sys/class/net/%s/speed", names[i]);
		fake_file(root, path, "1000\n");
		snprintf(first + strlen(first), sizeof(first) - strlen(first), "%s: 0 1 0 0 0 0 0 0 0 1 0 0 0 0 0 0\n",
		         names[i]);
		snprintf(second + strlen(second), sizeof(second) - strlen(second),
		         "%s: 62500000 1 0 0 0 0 0 0 0 1 0 0 0 0 0 0\n", names[i]);
	}
	fake_file(root, "/sys/class/net/eth0/device/vendor", "0x8086\n");
	fake_file(root, "/sys/class/net/bond0/lower_eth0/address", "\n");
	fake_file(root, "/sys/class/net/vlan7/lower_bond0/address", "\n");
	fake_file(root, "/sys/class/net/br0/lower_eth0/address", "\n");
	fake_file(root, "/sys/class/net/br0/lower_veth9/address", "\n");
	put_net(root, first);
	struct monitor *monitor = open_machine();
	put_net(root, second);
	sample_after(monitor, 1);
	assert_value(monitor, "net:eth0", "receive-use", 0.5);
	assert_value(monitor, "net:bond0", "receive-use", 0.5);
	assert_value(monitor, "net:vlan7", "receive-use", 0.5);
	assert_value(monitor, "net:veth9", "receive", 62.5e6);
	assert_unknown(monitor, "net:veth9", "receive-use");
	assert_unknown(monitor, "net:veth9", "send-use");
	assert_unknown(monitor, "net:tun0", "receive-use");
	assert_unknown(monitor, "net:br0", "receive-use");
	monitor_close(monitor);
	end_machine(root);
}

static void test_cgroup_v2(void **state)
{
	(void)state;
	char *root = begin_machine();
	fake_file(root, "/proc/self/cgroup", "0::/app/job\n");
	fake_file(root, "/proc/self/mountinfo", "29 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
	fake_file(root, "/sys/fs/cgroup/app/cpu.max", "50000 100000\n");
	fake_file(root, "/sys/fs/cgroup/app/cpu.stat",
	          "usage_usec 1000\nnr_periods 10\nnr_throttled 0\nthrottled_usec 0\n");
	/* The group that limits holds others too. */
	fake_file(root, "/sys/fs/cgroup/app/job/memory.current", "1048576\n");
	fake_file(root, "/sys/fs/cgroup/app/memory.current", "3145728\n");
	fake_file(root, "/sys/fs/cgroup/app/memory.max", "4194304\n");
	fake_file(root, "/sys/fs/cgroup/app/job/io.max", "8:16 rbps=max wbps=1000000 riops=100 wiops=max\n");
	fake_file(root, "/sys/fs/cgroup/app/job/io.stat", "8:16 rbytes=0 wbytes=0 rios=0 wios=0 dbytes=0 dios=0\n");
	struct monitor *monitor = open_machine();
	fake_file(root, "/sys/fs/cgroup/app/cpu.stat",
	          "usage_usec 476000\nnr_periods 20\nnr_throttled 9\nthrottled_usec 450000\n");
	fake_file(root, "/sys/fs/cgroup/app/job/io.stat",
	          "8:0 rbytes=9 wbytes=9 rios=9 wios=9\n8:16 rbytes=4096 wbytes=950000 rios=20 wios=5 dbytes=0 dios=0\n");
	sample_after(monitor, 1);
	assert_value(monitor, "cgroup:cpu", "busy", 0.95);
	assert_value(monitor, "cgroup:cpu", "throttled", 0.9);
	assert_value(monitor, "cgroup:cpu", "stopped", 0.45);
	assert_value(monitor, "cgroup:memory", "used", 0.75);
	assert_value(monitor, "cgroup:io:8:16", "write-use", 0.95);
	assert_value(monitor, "cgroup:io:8:16", "read-use", 0.2);
	monitor_close(monitor);
	end_machine(root);
}

/* Each limit of a device is that of the group on the way that allows least, and that group's traffic counts. */
static void test_cgroup_io_above(void **state)
{
	(void)state;
	char *root = begin_machine();
	fake_file(root, "/proc/self/cgroup", "0::/app/job/part\n");
	fake_file(root, "/proc/self/mountinfo", "29 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
	fake_file(root, "/sys/fs/cgroup/app/job/part/io.max", "");
	fake_file(root, "/sys/fs/cgroup/app/job/io.max", "8:16 rbps=4000 wbps=1000 riops=max wiops=max\n");
	fake_file(root, "/sys/fs/cgroup/app/io.max",
	          "8:16 rbps=2000 wbps=3000 riops=max wiops=max\n8:0 rbps=max wbps=max riops=10 wiops=max\n");
	fake_file(root, "/sys/fs/cgroup/app/job/io.stat", "8:16 rbytes=0 wbytes=0 rios=0 wios=0\n");
	fake_file(root, "/sys/fs/cgroup/app/io.stat",
	          "8:16 rbytes=500 wbytes=500 rios=0 wios=0\n8:0 rbytes=0 wbytes=0 rios=0 wios=0\n");
	struct monitor *monitor = open_machine();
	fake_file(root, "/sys/fs/cgroup/app/job/io.stat", "8:16 rbytes=100 wbytes=700 rios=0 wios=0\n");
	fake_file(root, "/sys/fs/cgroup/app/io.stat",
	          "8:16 rbytes=2400 wbytes=2500 rios=0 wios=0\n8:0 rbytes=9 wbytes=0 rios=8 wios=0\n");
	sample_after(monitor, 1);
	assert_value(monitor, "cgroup:io:8:16", "read-use", 0.95);
	assert_value(monitor, "cgroup:io:8:16", "write-use", 0.7);
	assert_value(monitor, "cgroup:io:8:0", "read-use", 0.8);
	assert_unknown(monitor, "cgroup:io:8:0", "write-use");
	monitor_close(monitor);
	end_machine(root);
}

static void test_cgroup_v1(void **state)
{
	(void)state;
	char *root = begin_machine();
	fake_file(root, "/proc/self/cgroup", "5:memory:/a/b\n4:blkio:/\n3:cpu,cpuacct:/q\n");
	fake_file(root, "/proc/self/mountinfo",
	          "30 23 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
	          "31 23 0:28 / /sys/fs/cgroup/blkio rw - cgroup cgroup rw,blkio\n"
	          "32 23 0:29 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
	fake_file(root, "/sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "9223372036854771712\n");
	fake_file(root, "/sys/fs/cgroup/memory/a/b/memory.usage_in_bytes", "1000\n");
	fake_file(root, "/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "10000\n");
	fake_file(root, "/sys/fs/cgroup/memory/a/memory.usage_in_bytes", "6000\n");
	fake_file(root, "/sys/fs/cgroup/cpu/q/cpu.cfs_quota_us", "25000\n");
	fake_file(root, "/sys/fs/cgroup/cpu/q/cpu.cfs_period_us", "100000\n");
	fake_file(root, "/sys/fs/cgroup/cpu/q/cpu.stat", "nr_periods 0\nnr_throttled 0\nthrottled_time 0\n");
	fake_file(root, "/sys/fs/cgroup/cpu/q/cpuacct.usage", "0\n");
	fake_file(root, "/sys/fs/cgroup/blkio/blkio.throttle.write_bps_device", "7:0 1048576\n");
	fake_file(root, "/sys/fs/cgroup/blkio/blkio.throttle.io_service_bytes", "7:0 Read 0\n7:0 Write 0\nTotal 0\n");
	fake_file(root, "/sys/fs/cgroup/blkio/blkio.throttle.io_serviced", "7:0 Read 0\n7:0 Write 0\nTotal 0\n");
	struct monitor *monitor = open_machine();
	fake_file(root, "/sys/fs/cgroup/cpu/q/cpu.stat", "nr_periods 10\nnr_throttled 10\nthrottled_time 700000000\n");
	fake_file(root, "/sys/fs/cgroup/cpu/q/cpuacct.usage", "250000000\n");
	fake_file(root, "/sys/fs/cgroup/blkio/blkio.throttle.io_service_bytes", "7:0 Read 0\n7:0 Write 1048576\nTotal 0\n");
	sample_after(monitor, 1);
	assert_value(monitor, "cgroup:cpu", "busy", 1);
	assert_value(monitor, "cgroup:cpu", "throttled", 1);
	assert_value(monitor, "cgroup:cpu", "stopped", 0.7);
	assert_value(monitor, "cgroup:io:7:0", "write-use", 1);
	assert_value(monitor, "cgroup:memory", "used", 0.6);
	monitor_close(monitor);
	end_machine(root);
}

static void test_nfs(void **state)
{
	(void)state;
	char *root = begin_machine();
	fake_file(root, "/proc/self/mountinfo", "40 23 0:44 / /my\\040data rw - nfs4 server:/export rw,addr=10.0.0.9\n");
	fake_file(
		root, "/proc/self/mountstats",
		"device sysfs mounted on /sys with fstype sysfs\n"
		"device server:/export mounted on /my\\040data with fstype nfs4 statvers=1.1\n\tbytes:\t1 2 3 4 1000 500 7 8\n");
	struct monitor *monitor = open_machine();
	fake_file(
		root, "/proc/self/mountstats",
		"device server:/export mounted on /my\\040data with fstype nfs4 statvers=1.1\n\tbytes:\t1 2 3 4 3000 1500 7 8\n");
	sample_after(monitor, 2);
	assert_value(monitor, "fs:/my data", "read", 1000);
	assert_value(monitor, "fs:/my data", "write", 500);
	monitor_close(monitor);
	end_machine(root);
}

/* Two memory controllers, counters 900 and up: each count is 64 bytes. */
static uint64_t counted;

static int made_up_perf(struct perf_event_attr *attr, pid_t pid, int cpu, int group, unsigned long flags)
{
	(void)pid;
	(void)group;
	(void)flags;
	assert_int_equal(attr->type, 14);
	assert_int_equal(cpu, 3);
	/* event=0x04,umask=0x03 reads, umask=0x0c writes */
	assert_true(attr->config == 0x0304 || attr->config == 0x0c04);
	return attr->config == 0x0304 ? 900 : 901;
}

static ssize_t made_up_read(int fd, void *bytes, size_t size)
{
	if (fd < 900)
		return syscalls_libc.read(fd, bytes, size);
	uint64_t count = fd == 900 ? counted : counted / 2;
	memcpy(bytes, &count, sizeof(count));
	return sizeof(count);
}

static int made_up_close(int fd)
{
	return fd >= 900 ? 0 : syscalls_libc.close(fd);
}

static void put_controller(const char *root, int number)
{
	static const char *const files[][2] = {{"type", "14\n"},
	                                       {"cpumask", "3\n"},
	                                       {"format/event", "config:0-7\n"},
	                                       {"format/umask", "config:8-15\n"},
	                                       {"events/cas_count_read", "event=0x04,umask=0x03\n"},
	                                       {"events/cas_count_read.scale", "6.103515625e-5\n"},
	                                       {"events/cas_count_read.unit", "MiB\n"},
	                                       {"events/cas_count_write", "event=0x04,umask=0x0c\n"}};
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		char path[128];
		snprintf(path, sizeof(path), "/sys/bus/event_source/devices/uncore_imc_%d/%s", number, files[i][0]);
		fake_file(root, path, files[i][1]);
	}
}

static void test_bandwidth(void **state)
{
	(void)state;
	char *root = begin_machine();
	struct monitor_options options = monitor_defaults();
	calls.perf_event_open = made_up_perf;
	calls.read = made_up_read;
	calls.close = made_up_close;
	counted = 1000;
	put_controller(root, 0);
	put_controller(root, 1);
	struct monitor *monitor = monitor_open(&machine, &options, NULL);
	assert_non_null(monitor);
	monitor_set_capacity(monitor, "memory", "bandwidth", 2 * 64e6 * 1.5 / 0.9, "a test");
	monitor_begin(monitor, 100000000);
	counted += 2000000;
	sample_after(monitor, 2);
	assert_value(monitor, "memory", "read", 2 * 64e6);
	assert_value(monitor, "memory", "write", 64e6);
	assert_value(monitor, "memory", "bandwidth-use", 0.9);
	monitor_close(monitor);
	end_machine(root);
}

/* Nothing at all, and nothing that may be read: works and says what it could not see. */
static void test_nothing(void **state)
{
	(void)state;
	char *root = begin_machine();
	struct monitor *monitor = open_machine();
	sample_after(monitor, 1);
	assert_true(says_unseen(monitor, "block devices: there is no /proc/diskstats"));
	assert_true(says_unseen(monitor, "CPU time"));
	assert_true(says_unseen(monitor, "/proc/pressure"));
	assert_true(says_unseen(monitor, "network"));
	monitor_close(monitor);
	end_machine(root);
}

static int refuse_open(const char *path, int flags, unsigned mode)
{
	if (strstr(path, "/proc/")) {
		errno = EACCES;
		return -1;
	}
	return syscalls_libc.open(path, flags, mode);
}

static void test_forbidden(void **state)
{
	(void)state;
	char *root = begin_machine();
	fake_file(root, "/proc/diskstats", " 8 0 sda 1 1 1 1 1 1 1 1 1 1 1\n");
	calls.open = refuse_open;
	struct monitor *monitor = open_machine();
	sample_after(monitor, 1);
	assert_true(says_unseen(monitor, "block devices: /proc/diskstats may not be read"));
	monitor_close(monitor);
	end_machine(root);
}

static void put_large(const char *root, uint64_t step)
{
	struct buffer stat = {0}, disks = {0};
	buffer_text_add(&stat, "cpu  0 0 0 0\n");
	for (unsigned i = 0; i < 256; i++)
		buffer_printf(&stat, "cpu%u %llu 0 0 %llu 0 0 0 0 0 0\n", i, (unsigned long long)(step * i),
		              (unsigned long long)(step * (256 - i)));
	buffer_text_add(&stat, "intr 1\nctxt 1\n");
	for (unsigned i = 0; i < 500; i++)
		buffer_printf(&disks, " 8 %u sd%u 10 0 %llu 1 10 0 10 1 0 %llu 1\n", i, i, (unsigned long long)(100 + step * i),
		              (unsigned long long)(step * (i % 1000)));
	fake_file(root, "/proc/stat", buffer_text(&stat));
	fake_file(root, "/proc/diskstats", buffer_text(&disks));
	buffer_release(&stat);
	buffer_release(&disks);
}

static void test_large(void **state)
{
	(void)state;
	char *root = begin_machine();
	put_large(root, 1);
	struct monitor *monitor = open_machine();
	for (uint64_t step = 2; step < 6; step++) {
		put_large(root, step);
		sample_after(monitor, 1);
	}
	assert_value(monitor, "cpu255", "busy", 255.0 / 256);
	assert_value(monitor, "cpu0", "busy", 0);
	assert_value(monitor, "cpu", "busy", 255.0 / 512);
	assert_value(monitor, "disk:sd499", "read", 499 * 512.0);
	assert_value(monitor, "disk:sd499", "busy", 0.499);
	monitor_close(monitor);
	end_machine(root);
}

static void test_memory(void **state)
{
	(void)state;
	char *root = begin_machine();
	put_large(root, 1);
	fake_file(root, "/proc/self/mountinfo", "40 23 0:44 / /data rw - nfs4 server:/export rw,addr=10.0.0.9\n");
	fake_file(root, "/proc/self/mountstats", "\n");
	put_net(root, "");
	for (long nth = 1;; nth++) {
		struct monitor_options options = monitor_defaults();
		struct error err = {0};
		mem_fail_at(nth);
		struct monitor *monitor = monitor_open(&machine, &options, &err);
		bool starved = mem_failed();
		mem_fail_at(0);
		assert_true(starved == !monitor);
		monitor_close(monitor);
		if (!starved)
			break;
		assert_int_equal(err.kind, ERROR_MEMORY);
	}
	end_machine(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cpus),      cmocka_unit_test(test_pressure),      cmocka_unit_test(test_memory_files),
		cmocka_unit_test(test_disks),     cmocka_unit_test(test_network),       cmocka_unit_test(test_cgroup_v2),
		cmocka_unit_test(test_cgroup_v1), cmocka_unit_test(test_nfs),           cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_bandwidth), cmocka_unit_test(test_forbidden),     cmocka_unit_test(test_large),
		cmocka_unit_test(test_memory),    cmocka_unit_test(test_virtual_links), cmocka_unit_test(test_cgroup_io_above),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
