/* Doctor's findings on snapshots of machines (tests/machines), each finding on a machine that shows it. */
#include "machine/doctor.h"

#include "base/memory.h"
#include "support/fake.h"
#include "support/known.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { FINDINGS = 29 };

static const char *const machines[] = {"quiet",        "server",  "cloud-vm", "container-v2",
                                       "container-v1", "one-cpu", "arm64",    "laptop"};
enum { MACHINES = sizeof(machines) / sizeof(machines[0]) };

/* What files cannot show: a clock of which every reading takes `clock_cost` ns, and counters. */
static int64_t clock_cost = 25, clock_value;
static enum { COUNTERS_ALL, COUNTERS_USER, COUNTERS_SOME, COUNTERS_FORBIDDEN, COUNTERS_NONE } counters_there;

static int made_up_gettime(clockid_t clock, struct timespec *out)
{
	(void)clock;
	clock_value += clock_cost;
	*out = (struct timespec){.tv_sec = clock_value / 1000000000, .tv_nsec = clock_value % 1000000000};
	return 0;
}

static int made_up_getres(clockid_t clock, struct timespec *out)
{
	(void)clock;
	*out = (struct timespec){.tv_nsec = 1};
	return 0;
}

static int made_up_perf(struct perf_event_attr *attr, pid_t pid, int cpu, int group, unsigned long flags)
{
	(void)pid;
	(void)cpu;
	(void)group;
	(void)flags;
	uint64_t event = attr->config & 0xff;
	bool cache = event == PERF_COUNT_HW_CACHE_MISSES || event == PERF_COUNT_HW_CACHE_REFERENCES;
	if (counters_there == COUNTERS_FORBIDDEN || (counters_there == COUNTERS_USER && !attr->exclude_kernel)) {
		errno = EACCES;
		return -1;
	}
	if (counters_there == COUNTERS_NONE || (counters_there == COUNTERS_SOME && cache)) {
		errno = ENOENT;
		return -1;
	}
	return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static struct syscalls made_up_calls(void)
{
	struct syscalls sys = syscalls_libc;
	sys.clock_gettime = made_up_gettime;
	sys.clock_getres = made_up_getres;
	sys.perf_event_open = made_up_perf;
	return sys;
}

/* The tree of a snapshot; unpacked once, removed at the end. */
static char *trees[MACHINES];

static const char *tree_of(const char *machine)
{
	size_t m = 0;
	char command[2048];
	while (strcmp(machines[m], machine) != 0)
		assert_true(++m < MACHINES);
	if (trees[m])
		return trees[m];
	trees[m] = fake_root();
	snprintf(command, sizeof(command), "'%s/tests/machines/unpack' '%s/tests/machines/%s' '%s'", getenv("SOURCE_ROOT"),
	         getenv("SOURCE_ROOT"), machine, trees[m]);
	assert_int_equal(system(command), 0);
	return trees[m];
}

static int remove_trees(void **state)
{
	(void)state;
	for (size_t m = 0; m < MACHINES; m++)
		if (trees[m]) {
			fake_remove(trees[m]);
			free(trees[m]);
		}
	return 0;
}

static struct checkup examine_tree(const char *root)
{
	char second[512];
	struct syscalls sys = made_up_calls();
	snprintf(second, sizeof(second), "%s/later", root);
	struct host host = {.sys = &sys, .root = root}, later = {.sys = &sys, .root = second};
	struct checkup checkup;
	assert_int_equal(doctor_examine(&host, &later, 0, &checkup, NULL), 0);
	return checkup;
}

/* A file that is changed for a while. */
struct change {
	char path[512];
	char text[4096];
	bool was_there;
};

enum { CHANGES = 16 };

static void change_file(struct change *change, const char *root, const char *look, const char *path, const char *text)
{
	snprintf(change->path, sizeof(change->path), "%s%s%s", root, look, path);
	FILE *file = fopen(change->path, "r");
	change->was_there = file != NULL;
	if (file) {
		size_t length = fread(change->text, 1, sizeof(change->text) - 1, file);
		change->text[length] = '\0';
		fclose(file);
	}
	fake_file(root, change->path + strlen(root), text);
}

static void restore_file(const struct change *change, const char *root)
{
	if (change->was_there)
		fake_file(root, change->path + strlen(root), change->text);
	else
		assert_int_equal(remove(change->path), 0);
}

/* The machine with some files changed: path, text, …, NULL. In both looks, but for a path that begins with '+'. */
static struct checkup examine(const char *machine, ...)
{
	static struct change changes[CHANGES];
	size_t count = 0;
	const char *root = tree_of(machine);
	va_list list;
	va_start(list, machine);
	for (const char *path; (path = va_arg(list, const char *)) != NULL;) {
		const char *text = va_arg(list, const char *);
		assert_true(count + 2 <= CHANGES);
		if (path[0] != '+')
			change_file(&changes[count++], root, "", path, text);
		change_file(&changes[count++], root, "/later", path + (path[0] == '+'), text);
	}
	va_end(list);
	struct checkup checkup = examine_tree(root);
	while (count > 0)
		restore_file(&changes[--count], root);
	return checkup;
}

static void assert_finding(const struct checkup *checkup, const char *name, enum finding_state state, const char *value,
                           const char *command)
{
	const struct finding *f = checkup_find(checkup, name);
	if (!f)
		fail_msg("no finding %s", name);
	const char *got = f->value ? f->value : f->why;
	if (strcmp(got, value) != 0 || f->state != state)
		fail_msg("%s: %s '%s', expected %s '%s'", name, finding_state_name(f->state), got, finding_state_name(state),
		         value);
	if (command && (!f->command || strcmp(f->command, command) != 0))
		fail_msg("%s: command '%s', expected '%s'", name, f->command ? f->command : "none", command);
	if (!command && f->command)
		fail_msg("%s: command '%s', expected none", name, f->command);
}

#define OK      FINDING_OK
#define BETTER  FINDING_COULD_BE_BETTER
#define BAD     FINDING_BAD
#define UNKNOWN FINDING_UNKNOWN

static void every_finding_on_a_machine_that_shows_it(void **state)
{
	(void)state;
	static const struct {
		const char *machine, *finding;
		enum finding_state state;
		const char *value, *command;
	} shown[] = {
		{"quiet", "cpus", OK, "4 (4 cores in 1 package)", NULL},
		{"quiet", "smt", OK, "each CPU is a core of its own", NULL},
		{"quiet", "core-kinds", OK, "all alike", NULL},
		{"quiet", "caches", OK, "L1d 32 KiB, L3 9 MiB for 4 CPUs", NULL},
		{"quiet", "numa", OK, "one memory node", NULL},
		{"quiet", "affinity", OK, "all CPUs", NULL},
		{"quiet", "cpuset", OK, "all CPUs", NULL},
		{"quiet", "quota", OK, "none (cgroup version 2)", NULL},
		{"quiet", "isolated", OK, "2-3: quiet places for tare run --cpus 2-3", NULL},
		{"quiet", "governor", OK, "performance (driver intel_pstate)", NULL},
		{"quiet", "turbo", OK, "off", NULL},
		{"quiet", "frequency", OK, "3.70 GHz, fixed", NULL},
		{"quiet", "thermal", OK, "41 °C, never throttled", NULL},
		{"quiet", "power", OK, "mains, no battery", NULL},
		{"quiet", "virtual", OK, "no", NULL},
		{"quiet", "steal", OK, "0 % now, 0 % since boot", NULL},
		{"quiet", "container", OK, "no", NULL},
		{"quiet", "load", OK, "0.02 on 4 CPUs (5 min: 0.05, 15 min: 0.01)", NULL},
		{"quiet", "pressure", OK, "CPU 0 %, memory 0 %, I/O 0 % of the time", NULL},
		{"quiet", "run-queue", OK, "0 other threads want a CPU now, on 4 CPUs", NULL},
		{"quiet", "noisy", OK, "none", NULL},
		{"quiet", "aslr", OK, "on", NULL},
		{"quiet", "huge-pages", OK, "for programs that ask (madvise)", NULL},
		{"quiet", "swap", OK, "1.9 GiB, unused", NULL},
		{"quiet", "memory", OK, "13.4 GiB of 15.3 GiB available", NULL},
		{"quiet", "clock", OK, "tsc, steps of 1 ns, a reading takes 25 ns", NULL},
		{"quiet", "counters", OK, "cycles, instructions, branches, branch-misses, cache-references, cache-misses",
	     NULL},
		{"quiet", "energy", OK, "can be read (1 package)", NULL},
		{"quiet", "filesystem", OK, "ext4 (/dev/sda1 on /)", NULL},
		{"server", "cpus", OK, "8 (4 cores in 2 packages)", NULL},
		{"server", "smt", BETTER, "on: 8 CPUs are 4 cores", "echo off | sudo tee /sys/devices/system/cpu/smt/control"},
		{"server", "caches", OK, "L1d 32 KiB, L2 1 MiB, L3 19.2 MiB for 4 CPUs", NULL},
		{"server", "numa", BETTER, "2 memory nodes", "numactl --cpunodebind=0 --membind=0 tare run …"},
		{"server", "governor", BETTER, "schedutil (driver intel_cpufreq)",
	     "echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor"},
		{"server", "turbo", BETTER, "on: up to 3.70 GHz, 2.60 GHz without",
	     "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo"},
		{"server", "frequency", OK, "1.00 to 3.30 GHz", NULL},
		{"server", "thermal", BAD, "97 °C, throttled 3 times just now", NULL},
		{"server", "virtual", OK, "no", NULL},
		{"server", "load", OK, "0.80 on 8 CPUs (5 min: 0.40, 15 min: 0.20)", NULL},
		{"server", "noisy", BETTER, "[kworker/3:1] 14 %, 14 % in short-lived processes", NULL},
		{"server", "huge-pages", BETTER, "always",
	     "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled"},
		{"server", "swap", OK, "none", NULL},
		{"server", "filesystem", BETTER, "ext4 (/dev/sdb1 on /srv, synchronous)", "sudo mount -o remount,async /srv"},
		{"cloud-vm", "smt", BETTER, "on: 2 CPUs are 1 core", "tare run --cpus 0 …"},
		{"cloud-vm", "caches", UNKNOWN, "the machine does not show its caches", NULL},
		{"cloud-vm", "governor", UNKNOWN,
	     "there is no /sys/devices/system/cpu/cpu0/cpufreq; in a virtual machine the host decides", NULL},
		{"cloud-vm", "turbo", UNKNOWN, "the kernel shows no switch for it; in a virtual machine the host decides",
	     NULL},
		{"cloud-vm", "frequency", OK, "2.20 GHz", NULL},
		{"cloud-vm", "thermal", UNKNOWN,
	     "no sensor and no count of throttling can be read, as in most virtual machines", NULL},
		{"cloud-vm", "virtual", BETTER, "yes (google)", NULL},
		{"cloud-vm", "steal", BAD, "12 % now, 5.0 % since boot", NULL},
		{"cloud-vm", "pressure", UNKNOWN,
	     "this kernel does not report it (/proc/pressure needs PSI, switched on by psi=1)", NULL},
		{"cloud-vm", "huge-pages", OK, "never", NULL},
		{"cloud-vm", "energy", UNKNOWN, "this machine does not report it", NULL},
		{"container-v2", "cpus", OK, "16", NULL},
		{"container-v2", "smt", UNKNOWN, "/sys does not show how the CPUs are connected", NULL},
		{"container-v2", "affinity", OK, "all CPUs of the cpuset", NULL},
		{"container-v2", "cpuset", OK, "CPUs 4-7 of 0-15", NULL},
		{"container-v2", "quota", BAD, "1.5 of 4 CPUs (cgroup version 2), stopped 3 times just now",
	     "docker update --cpus 4 CONTAINER"},
		{"container-v2", "turbo", BETTER, "on", "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost"},
		{"container-v2", "thermal", OK, "61 °C", NULL},
		{"container-v2", "container", BETTER, "yes (docker), with a filter on system calls",
	     "docker run --security-opt seccomp=unconfined …"},
		{"container-v2", "load", BAD, "13.50 on 16 CPUs (5 min: 9.20, 15 min: 8.10)", NULL},
		{"container-v2", "pressure", BETTER, "CPU 10 %, memory 0 %, I/O 0 % of the time", NULL},
		{"container-v2", "run-queue", BAD, "13 other threads want a CPU now, on 16 CPUs", NULL},
		{"container-v2", "noisy", BAD, "1300 % outside this container", NULL},
		{"container-v2", "filesystem", BETTER, "overlay (overlay on /)",
	     "cp -a . /dev/shm/measure && cd /dev/shm/measure"},
		{"container-v1", "affinity", OK, "all CPUs of the cpuset", NULL},
		{"container-v1", "cpuset", BETTER, "CPU 3 of 0-7", NULL},
		{"container-v1", "quota", BAD, "0.50 of 1 CPU (cgroup version 1)", NULL},
		{"container-v1", "isolated", UNKNOWN, "there is no /sys/devices/system/cpu/isolated", NULL},
		{"container-v1", "virtual", BETTER, "yes (xen)", NULL},
		{"container-v1", "container", OK, "yes (kubernetes)", NULL},
		{"container-v1", "memory", BETTER, "1.9 GiB of 30.5 GiB available", "ps -eo pid,rss,comm --sort=-rss | head"},
		{"container-v1", "filesystem", BAD, "nfs4 (nas:/export on /data/my files)",
	     "cp -a . /dev/shm/measure && cd /dev/shm/measure"},
		{"one-cpu", "cpus", BETTER, "1 (1 core in 1 package)", NULL},
		{"one-cpu", "affinity", OK, "the one CPU", NULL},
		{"one-cpu", "cpuset", OK, "the one CPU", NULL},
		{"one-cpu", "load", BAD, "2.10 on 1 CPU (5 min: 1.90, 15 min: 1.50)", NULL},
		{"one-cpu", "pressure", BAD, "CPU 90 %, memory 5.0 %, I/O 0 % of the time", NULL},
		{"one-cpu", "run-queue", BAD, "2 other threads want a CPU now, on 1 CPU", NULL},
		{"one-cpu", "noisy", BAD, "cc1plus 66 % (2 processes), ninja 2.0 %, 32 % in short-lived processes", NULL},
		{"one-cpu", "swap", BAD, "50 pages moved just now, 488 MiB of 977 MiB used",
	     "ps -eo pid,rss,comm --sort=-rss | head"},
		{"one-cpu", "memory", BAD, "19.5 MiB of 977 MiB available", "ps -eo pid,rss,comm --sort=-rss | head"},
		{"arm64", "core-kinds", BETTER, "CPUs 4-7 are faster than 0-3", "tare run --cpus 4-7 …"},
		{"arm64", "cpuset", UNKNOWN, "no control group with a cpuset was found", NULL},
		{"arm64", "quota", UNKNOWN, "/proc/self/cgroup and /proc/self/mountinfo name no control group", NULL},
		{"arm64", "governor", BETTER, "ondemand, performance (driver cpufreq-dt)",
	     "echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor"},
		{"arm64", "turbo", UNKNOWN, "the kernel shows no switch for it", NULL},
		{"arm64", "frequency", OK, "0.41 to 2.26 GHz", NULL},
		{"arm64", "thermal", BETTER, "88 °C", NULL},
		{"arm64", "aslr", OK, "on, but for the heap", NULL},
		{"arm64", "huge-pages", UNKNOWN,
	     "there is no /sys/kernel/mm/transparent_hugepage/enabled; this kernel hands out none by itself", NULL},
		{"arm64", "swap", OK, "9.8 MiB of 3.8 GiB used", NULL},
		{"arm64", "clock", OK, "arch_sys_counter, steps of 1 ns, a reading takes 25 ns", NULL},
		{"arm64", "filesystem", BAD, "fuse.sshfs (me@nas:/home on /home)",
	     "cp -a . /var/tmp/measure && cd /var/tmp/measure"},
		{"laptop", "smt", BETTER, "on: 4 CPUs are 2 cores", "echo off | sudo tee /sys/devices/system/cpu/smt/control"},
		{"laptop", "governor", BETTER, "powersave (driver intel_pstate)",
	     "echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor"},
		{"laptop", "turbo", BETTER, "on", "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo"},
		{"laptop", "frequency", BETTER, "1.20 GHz, held below 2.00 GHz of 4.70 GHz",
	     "echo 4700000 | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_max_freq"},
		{"laptop", "thermal", BETTER, "58 °C, throttled 12 times since boot", NULL},
		{"laptop", "power", BAD, "on battery, 57 % charged, profile low-power", NULL},
		{"laptop", "load", BETTER, "0.90 on 4 CPUs (5 min: 0.70, 15 min: 0.60)", NULL},
		{"laptop", "pressure", BETTER, "CPU 6.0 %, memory 0 %, I/O 0 % of the time", NULL},
		{"laptop", "run-queue", BETTER, "1 other thread wants a CPU now, on 4 CPUs", NULL},
		{"laptop", "noisy", BETTER, "Web Content 68 % (2 processes), gnome-shell 6.0 %", NULL},
		{"laptop", "aslr", BETTER, "off", "sudo sysctl kernel.randomize_va_space=2"},
		{"laptop", "swap", BETTER, "488 MiB of 7.6 GiB used", "sudo swapoff -a"},
		{"laptop", "memory", BETTER, "977 MiB of 15.3 GiB available", "ps -eo pid,rss,comm --sort=-rss | head"},
	};
	for (size_t m = 0; m < MACHINES; m++) {
		struct checkup checkup = examine(machines[m], NULL);
		size_t asked = 0;
		for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
			if (strcmp(shown[i].machine, machines[m]) != 0)
				continue;
			asked++;
			assert_finding(&checkup, shown[i].finding, shown[i].state, shown[i].value, shown[i].command);
		}
		assert_true(asked >= 8);
		checkup_release(&checkup);
	}
}

/* What the snapshots do not show, by changing a file or two. */
static void cpus_that_may_be_used(void **state)
{
	(void)state;
	struct checkup c = examine("server", "/proc/self/status", "Pid:\t5000\nCpus_allowed_list:\t0,4\n", NULL);
	assert_finding(&c, "smt", BAD, "CPUs 0,4, all that are allowed, are one core", "taskset -cp 0-7 $$");
	assert_finding(&c, "affinity", OK, "CPUs 0,4 of 0-7", NULL);
	assert_finding(&c, "numa", OK, "2 memory nodes; the allowed CPUs are all at node 0", NULL);
	checkup_release(&c);
	c = examine("server", "/proc/self/status", "Pid:\t5000\nCpus_allowed_list:\t3\n", NULL);
	assert_finding(&c, "affinity", BETTER, "CPU 3 of 0-7", "taskset -cp 0-7 $$");
	assert_finding(&c, "smt", BETTER, "on, but only one CPU of each core is allowed here",
	               "echo off | sudo tee /sys/devices/system/cpu/smt/control");
	checkup_release(&c);
	/* Without a list of CPUs online those that are allowed count. */
	c = examine("one-cpu", "/sys/devices/system/cpu/online", "", NULL);
	assert_finding(&c, "cpus", BETTER, "1 (1 core in 1 package)", NULL);
	checkup_release(&c);
	c = examine("container-v1", "/.dockerenv", "", "/proc/self/status", "Pid:\t9\n", NULL);
	assert_finding(&c, "affinity", UNKNOWN, "there is no /proc/self/status", NULL);
	checkup_release(&c);
}

static void quotas(void **state)
{
	(void)state;
	static const char file[] = "/sys/fs/cgroup/user.slice/cpu.max", stat[] = "/sys/fs/cgroup/user.slice/cpu.stat";
	struct checkup c = examine("quiet", file, "150000 100000\n", NULL);
	assert_finding(&c, "quota", BETTER, "1.5 of 4 CPUs (cgroup version 2)",
	               "echo max | sudo tee /sys/fs/cgroup/user.slice/cpu.max");
	assert_string_equal(checkup_find(&c, "quota")->cost,
	                    "Programs on all CPUs, maybe two at once too, stand still 62 of every 100 ms.");
	checkup_release(&c);
	c = examine("quiet", file, "800000 100000\n", stat, "nr_throttled 3\n", NULL);
	assert_finding(&c, "quota", OK, "8.0 of 4 CPUs (cgroup version 2), stopped 3 times so far", NULL);
	checkup_release(&c);
	c = examine("quiet", file, "800000 100000\n", stat, "nr_throttled 3\n", "+/sys/fs/cgroup/user.slice/cpu.stat",
	            "nr_throttled 4\n", NULL);
	assert_finding(&c, "quota", BAD, "8.0 of 4 CPUs (cgroup version 2), stopped 1 time just now",
	               "echo max | sudo tee /sys/fs/cgroup/user.slice/cpu.max");
	checkup_release(&c);
}

static void speed_and_power(void **state)
{
	(void)state;
	struct checkup c = examine("quiet", "/sys/firmware/acpi/platform_profile", "quiet\n",
	                           "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n",
	                           "/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n",
	                           "/sys/devices/system/cpu/cpu2/cpufreq/scaling_governor", "powersave\n",
	                           "/sys/devices/system/cpu/cpu3/cpufreq/scaling_governor", "powersave\n",
	                           "/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver", "acpi-cpufreq\n", NULL);
	assert_finding(&c, "power", BETTER, "mains, profile quiet",
	               "echo performance | sudo tee /sys/firmware/acpi/platform_profile");
	assert_finding(&c, "governor", BETTER, "powersave (driver acpi-cpufreq)",
	               "echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor");
	assert_string_equal(checkup_find(&c, "governor")->cost,
	                    "The CPUs stay at their lowest frequency: steady, but slower than in use.");
	checkup_release(&c);
	c = examine("laptop", "/sys/class/power_supply/AC/online", "1\n", "/sys/class/power_supply/BAT0/status",
	            "Charging\n", "/sys/firmware/acpi/platform_profile", "balanced\n", NULL);
	assert_finding(&c, "power", OK, "mains, profile balanced", NULL);
	checkup_release(&c);
	c = examine("cloud-vm", "/sys/devices/system/cpu/cpu0/cpufreq/boost", "1\n", NULL);
	assert_finding(&c, "turbo", BETTER, "on", "echo 0 | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/boost");
	checkup_release(&c);
}

static void others_at_work(void **state)
{
	(void)state;
	struct checkup c = examine("cloud-vm", "+/proc/stat", "cpu  20001 0 5001 70098 0 0 0 5000 0 0\n", NULL);
	assert_finding(&c, "steal", BETTER, "0 % now, 5.0 % since boot", NULL);
	checkup_release(&c);
	c = examine("quiet", "+/proc/pressure/io", "some avg10=0 avg60=0 avg300=0 total=302000\n", NULL);
	assert_finding(&c, "pressure", BAD, "CPU 0 %, memory 0 %, I/O 60 % of the time", NULL);
	assert_string_equal(checkup_find(&c, "pressure")->advice, "Wait until the disk is quiet.");
	checkup_release(&c);
	c = examine("quiet", "+/proc/pressure/memory", "some avg10=0 avg60=0 avg300=0 total=50000\n", NULL);
	assert_finding(&c, "pressure", BETTER, "CPU 0 %, memory 10 %, I/O 0 % of the time", NULL);
	assert_close(checkup_find(&c, "pressure")->number, 0.1, 1e-12);
	checkup_release(&c);
	/* A name is no more than a name, and no process of the kernel's can be stopped. */
	c = examine("quiet", "+/proc/77/stat", "77 (; rm -rf /) R 1 1 1 0 -1 0 0 0 0 0 9 0 0 0 20 0 1 0 25010 0 0 1\n",
	            NULL);
	assert_finding(&c, "noisy", BETTER, "; rm -rf / 18 %", "kill -STOP 77   # afterwards: kill -CONT 77");
	checkup_release(&c);
	/* Others' processes may be hidden (hidepid). */
	c = examine("quiet", "/proc/2/stat", "", "+/proc/stat", "cpu  1051 0 501 98148 0 0 0 0 0 0\n", NULL);
	assert_finding(&c, "noisy", BETTER, "100 % in processes that are hidden here", NULL);
	checkup_release(&c);
	/* No time passed: nothing can be said of now. */
	c = examine("quiet", "+/proc/uptime", "250.00 980.00\n", NULL);
	assert_finding(&c, "noisy", UNKNOWN, "no time passed between two looks", NULL);
	assert_int_equal(checkup_find(&c, "pressure")->state, UNKNOWN);
	checkup_release(&c);
}

static void memory_of_a_process(void **state)
{
	(void)state;
	struct checkup c = examine("quiet", "/proc/self/personality", "00040000\n",
	                           "/sys/kernel/mm/transparent_hugepage/enabled", "what\n", "/proc/meminfo",
	                           "MemTotal: 1 kB\n", NULL);
	assert_finding(&c, "aslr", BETTER, "off for this shell", NULL);
	assert_finding(&c, "huge-pages", UNKNOWN, "/sys/kernel/mm/transparent_hugepage/enabled is malformed", NULL);
	assert_finding(&c, "swap", UNKNOWN, "/proc/meminfo does not show it", NULL);
	assert_finding(&c, "memory", UNKNOWN, "/proc/meminfo does not show it", NULL);
	checkup_release(&c);
}

static void clocks(void **state)
{
	(void)state;
	clock_cost = 2500;
	struct checkup c = examine("server", NULL);
	assert_finding(&c, "clock", BAD, "hpet, steps of 1 ns, a reading takes 2.5 µs",
	               "echo tsc | sudo tee /sys/devices/system/clocksource/clocksource0/current_clocksource");
	assert_string_equal(checkup_find(&c, "clock")->cost, "For times below 250 µs the clock itself costs over 1 %.");
	assert_close(checkup_find(&c, "clock")->number, 2.5e-6, 1e-12);
	checkup_release(&c);
	clock_cost = 400;
	c = examine("container-v1", NULL);
	assert_finding(&c, "clock", BETTER, "xen, steps of 1 ns, a reading takes 400 ns", NULL);
	checkup_release(&c);
	clock_cost = 0;
	c = examine("quiet", NULL);
	assert_finding(&c, "clock", UNKNOWN, "the monotonic clock cannot be read", NULL);
	checkup_release(&c);
	clock_cost = 25;
}

static void counters(void **state)
{
	(void)state;
	static const char all[] = "cycles, instructions, branches, branch-misses, cache-references, cache-misses";
	char expected[160];
	counters_there = COUNTERS_USER;
	struct checkup c = examine("laptop", NULL);
	snprintf(expected, sizeof(expected), "%s; not for the kernel's part", all);
	assert_finding(&c, "counters", BETTER, expected, "sudo sysctl kernel.perf_event_paranoid=1");
	checkup_release(&c);
	counters_there = COUNTERS_SOME;
	c = examine("laptop", NULL);
	assert_finding(&c, "counters", BETTER,
	               "cycles, instructions, branches, branch-misses; no cache-references, cache-misses", NULL);
	assert_close(checkup_find(&c, "counters")->number, 4, 0);
	checkup_release(&c);
	counters_there = COUNTERS_FORBIDDEN;
	c = examine("server", NULL);
	assert_finding(&c, "counters", BETTER, "none: not permitted", "sudo sysctl kernel.perf_event_paranoid=1");
	checkup_release(&c);
	c = examine("container-v2", NULL);
	assert_finding(&c, "counters", BETTER, "none: not permitted", "docker run --cap-add PERFMON …");
	checkup_release(&c);
	counters_there = COUNTERS_NONE;
	c = examine("cloud-vm", NULL);
	assert_finding(&c, "counters", BETTER, "none on this machine", NULL);
	checkup_release(&c);
	counters_there = COUNTERS_ALL;
}

static int forbidden_energy(const char *path, int flags, unsigned mode)
{
	if (strstr(path, "energy_uj")) {
		errno = EACCES;
		return -1;
	}
	return open(path, flags, mode);
}

static void energy_of_root(void **state)
{
	(void)state;
	const char *root = tree_of("quiet");
	struct syscalls sys = made_up_calls();
	sys.open = forbidden_energy;
	struct host host = {.sys = &sys, .root = root};
	struct checkup c;
	assert_int_equal(doctor_examine(&host, &host, 0, &c, NULL), 0);
	assert_finding(&c, "energy", OK, "only root may read it",
	               "sudo chmod a+r /sys/class/powercap/intel-rapl:*/energy_uj");
	checkup_release(&c);
}

/* What holds of any checkup. */
static void assert_sound(const struct checkup *checkup)
{
	assert_int_equal(checkup->count, FINDINGS);
	for (size_t i = 0; i < checkup->count; i++) {
		const struct finding *f = &checkup->findings[i];
		assert_ptr_equal(checkup_find(checkup, f->name), f);
		assert_true(strlen(f->title) <= 16);
		bool known = f->state != UNKNOWN, attention = f->state >= BETTER;
		if (known != (f->value != NULL) || known == (f->why != NULL) || attention != (f->cost != NULL) ||
		    (attention && !f->advice))
			fail_msg("%s lacks a text", f->name);
		if (i > 0)
			assert_true(f->state <= f[-1].state);
	}
}

static void every_machine_is_sound(void **state)
{
	(void)state;
	for (size_t m = 0; m < MACHINES; m++) {
		struct checkup checkup = examine(machines[m], NULL);
		assert_sound(&checkup);
		checkup_release(&checkup);
	}
}

static void nothing_there(void **state)
{
	(void)state;
	char *root = fake_root();
	struct syscalls sys = made_up_calls();
	struct host host = {.sys = &sys, .root = root};
	struct checkup checkup;
	counters_there = COUNTERS_NONE;
	clock_cost = 0;
	assert_int_equal(doctor_examine(&host, &host, 0, &checkup, NULL), 0);
	counters_there = COUNTERS_ALL;
	clock_cost = 25;
	assert_sound(&checkup);
	assert_int_equal(checkup_count(&checkup, OK), 0);
	assert_int_equal(checkup_count(&checkup, BETTER), 1);
	assert_int_equal(checkup_count(&checkup, UNKNOWN), FINDINGS - 1);
	assert_string_equal(checkup_find(&checkup, "virtual")->why, "there is no /proc/cpuinfo");
	assert_string_equal(checkup_find(&checkup, "container")->why, "there is no /proc/self/status");
	assert_null(checkup.cpu);
	checkup_release(&checkup);
	fake_remove(root);
	free(root);
}

/* The tree is there, but one file in seven cannot be opened. */
static int opens, failing_open;

static int sometimes_open(const char *path, int flags, unsigned mode)
{
	if (++opens % 7 == failing_open) {
		errno = opens % 2 ? EACCES : EIO;
		return -1;
	}
	return open(path, flags, mode);
}

static void files_that_cannot_be_read(void **state)
{
	(void)state;
	const char *root = tree_of("laptop");
	struct syscalls sys = made_up_calls();
	sys.open = sometimes_open;
	struct host host = {.sys = &sys, .root = root};
	for (failing_open = 0; failing_open < 7; failing_open++) {
		struct checkup checkup;
		assert_int_equal(doctor_examine(&host, &host, 0, &checkup, NULL), 0);
		assert_sound(&checkup);
		checkup_release(&checkup);
	}
}

static void out_of_memory(void **state)
{
	(void)state;
	const char *root = tree_of("laptop");
	struct syscalls sys = made_up_calls();
	struct host host = {.sys = &sys, .root = root};
	for (long nth = 1;; nth++) {
		struct checkup checkup;
		struct error err = {0};
		mem_fail_at(nth);
		int failed = doctor_examine(&host, &host, 0, &checkup, &err);
		int starved = mem_failed();
		mem_fail_at(0);
		if (!starved) {
			assert_int_equal(failed, 0);
			assert_true(nth > 20);
			checkup_release(&checkup);
			break;
		}
		assert_int_equal(failed, -1);
		assert_int_equal(err.kind, ERROR_MEMORY);
	}
}

static double cpu_seconds(void)
{
	struct timespec used;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

/* A visit takes the time of its look and what the work takes, which is told by the CPU time: on a busy machine it may have
 * to wait for that. */
static void this_machine_in_time(void **state)
{
	(void)state;
	struct host host = host_real();
	struct checkup checkup;
	double before = cpu_seconds();
	assert_int_equal(doctor_examine(&host, &host, DOCTOR_LOOK, &checkup, NULL), 0);
	assert_true(cpu_seconds() - before < 1.5);
	assert_sound(&checkup);
	assert_true(checkup.seconds >= 0.5);
	checkup_release(&checkup);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_finding_on_a_machine_that_shows_it),
		cmocka_unit_test(cpus_that_may_be_used),
		cmocka_unit_test(quotas),
		cmocka_unit_test(speed_and_power),
		cmocka_unit_test(others_at_work),
		cmocka_unit_test(memory_of_a_process),
		cmocka_unit_test(clocks),
		cmocka_unit_test(counters),
		cmocka_unit_test(energy_of_root),
		cmocka_unit_test(every_machine_is_sound),
		cmocka_unit_test(nothing_there),
		cmocka_unit_test(files_that_cannot_be_read),
		cmocka_unit_test(out_of_memory),
		cmocka_unit_test(this_machine_in_time),
	};
	return cmocka_run_group_tests(tests, NULL, remove_trees);
}
