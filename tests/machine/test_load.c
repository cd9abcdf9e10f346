/* The programs that a calibration measures end well; others are refused. */
#include "machine/load.h"

#include "support/known.h"

#include <stdio.h>

static void known_kinds_run(void **state)
{
	(void)state;
	char kind[20], *words[] = {(char[]){"__load"}, kind, NULL};
	for (size_t i = 0; i < LOAD_COUNT; i++) {
		snprintf(kind, sizeof(kind), "%s", load_names[i]);
		assert_int_equal(load_main(2, words), 0);
	}
	snprintf(kind, sizeof(kind), "disk");
	assert_int_equal(load_main(2, words), 2);
	assert_int_equal(load_main(1, words), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(known_kinds_run)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
