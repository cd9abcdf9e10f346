/* The small words of findings. */
#include "machine/patient.h"

#include "support/known.h"

#include <errno.h>
#include <limits.h>
#include <math.h>

static void percentages(void **state)
{
	(void)state;
	char text[WORDS_MAX];
	assert_string_equal(words_percent(text, 0), "0 %");
	assert_string_equal(words_percent(text, 0.0004), "below 0.1 %");
	assert_string_equal(words_percent(text, 0.0005), "0.1 %");
	assert_string_equal(words_percent(text, 0.0996), "10 %");
	assert_string_equal(words_percent(text, 13), "1300 %");
}

static void numbers_and_sizes(void **state)
{
	(void)state;
	char text[WORDS_MAX];
	assert_string_equal(words_number(text, 2), "2");
	assert_string_equal(words_number(text, 2.25), "2.2");
	assert_string_equal(words_number(text, 12.6), "13");
	assert_string_equal(words_bytes(text, 0), "0 bytes");
	assert_string_equal(words_bytes(text, 1023), "1023 bytes");
	assert_string_equal(words_bytes(text, 32768), "32 KiB");
	assert_string_equal(words_bytes(text, 1610612736), "1.5 GiB");
	assert_string_equal(words_bytes(text, INT64_MAX), "8388608 TiB");
	assert_string_equal(words_plural(1, "core", "cores"), "core");
	assert_string_equal(words_plural(0, "core", "cores"), "cores");
}

static void paths_for_a_shell(void **state)
{
	(void)state;
	char text[64];
	assert_string_equal(words_shell(text, sizeof(text), "/sys/a-b.slice/cpu.max"), "/sys/a-b.slice/cpu.max");
	assert_string_equal(words_shell(text, sizeof(text), "/mnt/my files"), "'/mnt/my files'");
	assert_string_equal(words_shell(text, sizeof(text), "/x';rm -rf y"), "'/x'\\'';rm -rf y'");
	assert_string_equal(words_shell(text, sizeof(text), ""), "''");
	assert_string_equal(words_shell(text, 12, "/a b c d e f g h"), "'/a b'");
}

static void limits(void **state)
{
	(void)state;
	assert_int_equal(state_by_limits(0.1, 0.1, 0.2), FINDING_OK);
	assert_int_equal(state_by_limits(0.2, 0.1, 0.2), FINDING_COULD_BE_BETTER);
	assert_int_equal(state_by_limits(0.3, 0.1, 0.2), FINDING_BAD);
	assert_int_equal(state_by_limits(NAN, 0.1, 0.2), FINDING_UNKNOWN);
}

static void reasons(void **state)
{
	(void)state;
	struct checkup checkup = {.count = 0};
	struct patient patient = {.out = &checkup};
	struct finding *f = checkup_add(&checkup, "x", "x", 0);
	errno = ENOENT;
	patient_no_file(&patient, f, "/proc/x", NULL);
	assert_string_equal(f->why, "there is no /proc/x");
	errno = EACCES;
	patient_no_file(&patient, f, "/proc/x", "try later");
	assert_string_equal(f->why, "/proc/x may not be read; try later");
	errno = EIO;
	patient_no_file(&patient, f, "/proc/x", NULL);
	assert_string_equal(f->why, "/proc/x cannot be read (Input/output error)");
	assert_int_equal(f->state, FINDING_UNKNOWN);
	checkup_release(&checkup);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(percentages), cmocka_unit_test(numbers_and_sizes), cmocka_unit_test(paths_for_a_shell),
		cmocka_unit_test(limits),      cmocka_unit_test(reasons),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
