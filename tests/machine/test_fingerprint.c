/* Which machine it is, and where its calibration is kept. */
#include "machine/fingerprint.h"

#include "support/fake.h"
#include "support/known.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void machines_are_told_apart(void **state)
{
	(void)state;
	char *root = fake_root(), path[4096], other[4096];
	struct host host = {.sys = &syscalls_libc, .root = root};
	struct arena arena = {0};
	struct calibration_machine here, again, changed;
	struct error err;
	fake_file(root, "/proc/cpuinfo", "model name\t: A CPU\nflags\t\t: fpu\n");
	fake_file(root, "/proc/sys/kernel/osrelease", "6.1.0\n");
	fake_file(root, "/sys/devices/system/cpu/online", "0-3\n");
	assert_int_equal(fingerprint_read(&host, &arena, &here, &err), 0);
	assert_string_equal(here.cpu, "A CPU");
	assert_string_equal(here.kernel, "Linux 6.1.0");
	assert_true(here.cpus == 4 && isinf(here.quota));
	assert_int_equal(fingerprint_read(&host, &arena, &again, &err), 0);
	assert_true(fingerprint_same(&here, &again));
	setenv("XDG_STATE_HOME", "/state", 1);
	assert_int_equal(fingerprint_path(&here, path, sizeof(path), &err), 0);
	assert_int_equal(strncmp(path, "/state/tare/calibration-", 24), 0);
	assert_int_equal(fingerprint_path(&again, other, sizeof(other), &err), 0);
	assert_string_equal(path, other);
	/* Kernel, CPUs, quota, virtualisation: each makes it another machine with another file. */
	for (int what = 0; what < 5; what++) {
		changed = here;
		switch (what) {
		case 0: changed.cpu = "B CPU"; break;
		case 1: changed.kernel = "Linux 6.2.0"; break;
		case 2: changed.virtual_ = "kvm"; break;
		case 3: changed.cpus = 2; break;
		default: changed.quota = 1.5; break;
		}
		assert_false(fingerprint_same(&here, &changed));
		assert_int_equal(fingerprint_path(&changed, other, sizeof(other), &err), 0);
		assert_string_not_equal(path, other);
	}
	arena_release(&arena);
	fake_remove(root);
	free(root);
}

static void folders(void **state)
{
	(void)state;
	struct calibration_machine machine = {.cpu = "", .kernel = "", .virtual_ = "", .quota = INFINITY};
	char path[4096];
	struct error err;
	setenv("HOME", "/home/me", 1);
	unsetenv("XDG_STATE_HOME");
	assert_int_equal(fingerprint_path(&machine, path, sizeof(path), &err), 0);
	assert_int_equal(strncmp(path, "/home/me/.local/state/tare/", 27), 0);
	setenv("XDG_STATE_HOME", "relative", 1);
	assert_int_equal(fingerprint_path(&machine, path, sizeof(path), &err), 0);
	assert_int_equal(strncmp(path, "/home/me/.local/state/tare/", 27), 0);
	assert_int_equal(fingerprint_path(&machine, path, 20, &err), -1);
	unsetenv("HOME");
	assert_int_equal(fingerprint_path(&machine, path, sizeof(path), &err), -1);
	assert_int_equal(err.kind, ERROR_SYSTEM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(machines_are_told_apart),
		cmocka_unit_test(folders),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
