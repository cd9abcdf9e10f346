/* Looks at a machine made of files, and what moved between two of them. */
#include "machine/glance.h"

#include "support/fake.h"
#include "support/known.h"

#include <stdio.h>
#include <stdlib.h>

static void put_throttled(const char *root, int cpu, int core, int package)
{
	char path[128], text[16];
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/thermal_throttle/core_throttle_count", cpu);
	snprintf(text, sizeof(text), "%d\n", core);
	fake_file(root, path, text);
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/thermal_throttle/package_throttle_count", cpu);
	snprintf(text, sizeof(text), "%d\n", package);
	fake_file(root, path, text);
}

/* The CPU that slows down now need not be the one that did so most often. */
static void throttling_by_cpu(void **state)
{
	(void)state;
	char *root = fake_root();
	struct host host = {.sys = &syscalls_libc, .root = root};
	static struct glance before, after;
	struct cpuset online = {0};
	for (int cpu = 0; cpu < 3; cpu++)
		cpuset_add(&online, cpu);
	assert_int_equal(glance_take(&host, &online, &before, NULL), 0);
	assert_int_equal(glance_throttled(NULL, &before), -1);
	glance_release(&before);
	put_throttled(root, 0, 1000, 7);
	put_throttled(root, 1, 110, 7);
	assert_int_equal(glance_take(&host, &online, &before, NULL), 0);
	put_throttled(root, 1, 113, 8);
	put_throttled(root, 2, 5000, 8); /* not known before */
	assert_int_equal(glance_take(&host, &online, &after, NULL), 0);
	assert_int_equal(glance_throttled(NULL, &before), 1007);
	assert_int_equal(glance_throttled(NULL, &after), 5008);
	assert_int_equal(glance_throttled(&before, &after), 4);
	glance_release(&before);
	glance_release(&after);
	fake_remove(root);
	free(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(throttling_by_cpu)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
