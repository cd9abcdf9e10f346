/* Descriptions of machines from their files: x86, arm64, containers, nothing at all. */
#include "host/info.h"

#include "support/fake.h"
#include "support/known.h"

#include <math.h>
#include <string.h>

static int fake_uname(struct utsname *out)
{
	memset(out, 0, sizeof(*out));
	strcpy(out->sysname, "Linux");
	strcpy(out->release, "6.1.0-18-amd64");
	return 0;
}

static int failing_uname(struct utsname *out)
{
	(void)out;
	return -1;
}

static void describes_a_virtual_machine(void **state)
{
	(void)state;
	char *root = fake_root();
	struct syscalls sys = syscalls_libc;
	sys.uname = fake_uname;
	struct host host = {.sys = &sys, .root = root};
	fake_file(root, "/proc/cpuinfo",
	          "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel\t\t: 85\nmodel name\t: Intel(R) Xeon(R) CPU @ 2.50GHz\n"
	          "flags\t\t: fpu vme hypervisor lahf_lm\n\nprocessor\t: 1\n");
	fake_file(root, "/sys/devices/system/cpu/online", "0-1,4\n");
	fake_file(root, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
	fake_file(root, "/etc/os-release", "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nID=debian\n");
	fake_file(root, "/sys/class/dmi/id/product_name", "Standard PC (Q35 + ICH9, 2009)\n");
	fake_file(root, "/sys/class/dmi/id/sys_vendor", "QEMU\n");
	fake_file(root, "/.dockerenv", "");
	fake_file(root, "/proc/meminfo", "MemTotal:       8000000 kB\nMemFree: 1 kB\nMemAvailable:   7000000 kB\n");
	struct host_description got;
	struct host_memory memory;
	info_describe(&host, &got);
	assert_string_equal(got.cpu, "Intel(R) Xeon(R) CPU @ 2.50GHz");
	assert_int_equal(got.cpus, 3);
	assert_string_equal(got.governor, "powersave");
	assert_string_equal(got.os, "Debian GNU/Linux 12 (bookworm)");
	assert_string_equal(got.kernel, "Linux 6.1.0-18-amd64");
	assert_string_equal(got.virtual_, "kvm, docker");
	assert_string_equal(got.hypervisor, "kvm");
	assert_string_equal(got.container, "docker");
	info_memory(&host, &memory);
	assert_int_equal(memory.total, 8000000LL * 1024);
	assert_int_equal(memory.available, 7000000LL * 1024);
	fake_remove(root);
	free(root);
}

static void memory_limit_of_the_container_counts(void **state)
{
	(void)state;
	char *root = fake_root();
	struct host host = {.sys = &syscalls_libc, .root = root};
	fake_file(root, "/proc/meminfo", "MemTotal:       8000000 kB\nMemAvailable:   7000000 kB\n");
	fake_file(root, "/proc/self/cgroup", "0::/\n");
	fake_file(root, "/proc/self/mountinfo", "35 30 0:29 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
	fake_file(root, "/sys/fs/cgroup/memory.max", "1048576000\n");
	struct host_memory got;
	info_memory(&host, &got);
	assert_int_equal(got.total, 1048576000);
	assert_int_equal(got.available, 1048576000);
	/* What it uses already is not free. */
	fake_file(root, "/sys/fs/cgroup/memory.current", "1000000000\n");
	fake_file(root, "/sys/fs/cgroup/memory.stat", "inactive_file 1424000\n");
	info_memory(&host, &got);
	assert_int_equal(got.total, 1048576000);
	assert_int_equal(got.available, 50000000);
	/* The machine may have less. */
	fake_file(root, "/proc/meminfo", "MemTotal:       8000000 kB\nMemAvailable:   1000 kB\n");
	info_memory(&host, &got);
	assert_int_equal(got.available, 1000 * 1024);
	fake_remove(root);
	free(root);
}

static void describes_arm_and_bare_metal(void **state)
{
	(void)state;
	char *root = fake_root();
	struct host host = {.sys = &syscalls_libc, .root = root};
	fake_file(root, "/proc/cpuinfo",
	          "processor\t: 0\nBogoMIPS\t: 50.00\nFeatures\t: fp asimd\n"
	          "CPU implementer\t: 0x41\nCPU architecture: 8\nCPU part\t: 0xd40\n");
	struct host_description got;
	info_describe(&host, &got);
	assert_string_equal(got.cpu, "arm implementer 0x41 part 0xd40");
	assert_string_equal(got.virtual_, "none");
	fake_file(root, "/proc/cpuinfo", "model name\t: Some CPU\nflags\t: fpu hypervisor\n");
	fake_file(root, "/proc/1/cgroup", "4:cpu:/kubepods/burstable/pod12\n");
	info_describe(&host, &got);
	assert_string_equal(got.virtual_, "hypervisor, kubernetes");
	fake_remove(root);
	free(root);
}

static void makers_of_real_machines(void **state)
{
	(void)state;
	char *root = fake_root();
	struct host host = {.sys = &syscalls_libc, .root = root};
	struct host_description got;
	/* The maker's name alone means nothing where the CPU says that it is real. */
	fake_file(root, "/proc/cpuinfo", "processor\t: 0\nmodel name\t: Some CPU\nflags\t: fpu vme\n");
	fake_file(root, "/sys/class/dmi/id/sys_vendor", "Microsoft Corporation\n");
	fake_file(root, "/proc/sys/kernel/osrelease", "6.8.0-31-generic\n");
	info_describe(&host, &got);
	assert_string_equal(got.virtual_, "none");
	assert_string_equal(got.hypervisor, "");
	assert_string_equal(got.kernel, "Linux 6.8.0-31-generic");
	fake_file(root, "/proc/cpuinfo", "processor\t: 0\nmodel name\t: Some CPU\nflags\t: fpu hypervisor vme\n");
	info_describe(&host, &got);
	assert_string_equal(got.hypervisor, "microsoft");
	/* arm64 does not say. */
	fake_file(root, "/proc/cpuinfo", "processor\t: 0\nFeatures\t: fp asimd\n");
	fake_file(root, "/sys/class/dmi/id/sys_vendor", "Amazon EC2\n");
	fake_file(root, "/sys/class/dmi/id/product_name", "c7g.metal\n");
	info_describe(&host, &got);
	assert_string_equal(got.hypervisor, "");
	fake_file(root, "/sys/class/dmi/id/product_name", "c7g.large\n");
	fake_file(root, "/var/run/secrets/kubernetes.io/serviceaccount/token", "");
	info_describe(&host, &got);
	assert_string_equal(got.virtual_, "amazon, kubernetes");
	fake_remove(root);
	free(root);
}

static void nothing_is_known(void **state)
{
	(void)state;
	char *root = fake_root();
	struct syscalls sys = syscalls_libc;
	sys.uname = failing_uname;
	struct host host = {.sys = &sys, .root = root};
	struct host_description got;
	struct host_memory memory;
	struct cpu_times times;
	info_describe(&host, &got);
	assert_string_equal(got.cpu, "");
	assert_string_equal(got.kernel, "");
	assert_int_equal(got.cpus, 0);
	info_memory(&host, &memory);
	assert_int_equal(memory.total, -1);
	assert_int_equal(memory.available, -1);
	assert_true(isnan(info_load(&host)));
	assert_int_equal(info_cpu_times(&host, &times), -1);
	fake_file(root, "/proc/stat", "intr 5\n");
	assert_int_equal(info_runnable(&host), 0);
	fake_file(root, "/proc/loadavg", "\n");
	assert_int_equal(info_runnable(&host), 0);
	assert_int_equal(info_cpu_times(&host, &times), -1);
	assert_true(isnan(info_load(&host)));
	fake_remove(root);
	free(root);
}

static void load_and_steal(void **state)
{
	(void)state;
	char *root = fake_root();
	struct host host = {.sys = &syscalls_libc, .root = root};
	struct cpu_times before, after;
	fake_file(root, "/proc/loadavg", "12.07 0.32 0.15 2/230 7145\n");
	assert_close(info_load(&host), 12.07, 1e-15);
	assert_int_equal(info_runnable(&host), 2);
	fake_file(root, "/proc/stat", "cpu  100 10 50 700 20 1 2 17 40 0\ncpu0 1 1 1 1\n");
	assert_int_equal(info_cpu_times(&host, &before), 0);
	assert_int_equal(before.total, 900);
	assert_int_equal(before.idle, 720);
	assert_int_equal(before.steal, 17);
	fake_file(root, "/proc/stat", "cpu  150 10 50 720 20 1 2 47 40 0\n");
	assert_int_equal(info_cpu_times(&host, &after), 0);
	assert_close(info_steal(&before, &after), 0.3, 1e-15);
	assert_close(info_steal(NULL, &after), 47.0 / 1000, 1e-15);
	assert_true(isnan(info_steal(&after, &after)));
	fake_file(root, "/proc/stat", "cpu  150 10 50 720\n"); /* a kernel of 2003 */
	assert_int_equal(info_cpu_times(&host, &after), 0);
	assert_int_equal(after.steal, 0);
	fake_remove(root);
	free(root);
}

static void real_machine(void **state)
{
	(void)state;
	struct host host = host_real();
	struct host_description got;
	info_describe(&host, &got);
	assert_int_equal(strncmp(got.kernel, "Linux ", 6), 0);
	assert_true(got.cpus >= 1);
	assert_true(info_load(&host) >= 0);
	assert_true(info_runnable(&host) >= 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(describes_a_virtual_machine),
		cmocka_unit_test(memory_limit_of_the_container_counts),
		cmocka_unit_test(describes_arm_and_bare_metal),
		cmocka_unit_test(nothing_is_known),
		cmocka_unit_test(makers_of_real_machines),
		cmocka_unit_test(load_and_steal),
		cmocka_unit_test(real_machine),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
