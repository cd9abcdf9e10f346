/* Energy from made-up powercap files, around the end of a counter too. */
#include "host/rapl.h"

#include "support/fake.h"
#include "support/known.h"

#include <string.h>

static void sums_packages_and_wraps(void **state)
{
	(void)state;
	char *root = fake_root();
	struct host host = {.sys = &syscalls_libc, .root = root};
	struct rapl rapl;
	struct rapl_reading before, after;
	fake_file(root, "/sys/class/powercap/intel-rapl:0/name", "package-0\n");
	fake_file(root, "/sys/class/powercap/intel-rapl:0/max_energy_range_uj", "1000000\n");
	fake_file(root, "/sys/class/powercap/intel-rapl:0/energy_uj", "999000\n");
	fake_file(root, "/sys/class/powercap/intel-rapl:1/name", "psys\n");
	fake_file(root, "/sys/class/powercap/intel-rapl:1/max_energy_range_uj", "1000000\n");
	fake_file(root, "/sys/class/powercap/intel-rapl:1/energy_uj", "5\n");
	fake_file(root, "/sys/class/powercap/intel-rapl:2/name", "package-1\n");
	fake_file(root, "/sys/class/powercap/intel-rapl:2/max_energy_range_uj", "1000000\n");
	fake_file(root, "/sys/class/powercap/intel-rapl:2/energy_uj", "100\n");
	assert_int_equal(rapl_open(&host, &rapl, NULL), 0);
	assert_int_equal(rapl.count, 2);
	rapl_read(&host, &rapl, &before);
	/* Rewriting keeps the file, so that the open descriptor sees the new text. */
	fake_file(root, "/sys/class/powercap/intel-rapl:0/energy_uj", "500\n");
	fake_file(root, "/sys/class/powercap/intel-rapl:2/energy_uj", "350\n");
	rapl_read(&host, &rapl, &after);
	assert_int_equal(rapl_difference(&rapl, &before, &after), 1500 + 250);
	fake_file(root, "/sys/class/powercap/intel-rapl:2/energy_uj", "");
	rapl_read(&host, &rapl, &after);
	assert_int_equal(rapl_difference(&rapl, &before, &after), -1);
	rapl_release(&host, &rapl);
	fake_remove(root);
	free(root);
}

static void says_why_there_is_none(void **state)
{
	(void)state;
	char *root = fake_root();
	struct host host = {.sys = &syscalls_libc, .root = root};
	struct rapl rapl;
	struct error err;
	assert_int_equal(rapl_open(&host, &rapl, &err), -1);
	assert_non_null(strstr(err.what, "does not report"));
	fake_file(root, "/sys/class/powercap/intel-rapl:0/name", "package-0\n");
	fake_file(root, "/sys/class/powercap/intel-rapl:0/max_energy_range_uj", "1000000\n");
	assert_int_equal(rapl_open(&host, &rapl, &err), -1);
	assert_non_null(strstr(err.what, "cannot be read"));
	fake_remove(root);
	free(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_packages_and_wraps),
		cmocka_unit_test(says_why_there_is_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
