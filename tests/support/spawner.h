/* A spawner for all tests of a group: cmocka_run_group_tests(tests, open_spawner, close_spawner). */
#ifndef TARE_TESTS_SPAWNER_H
#define TARE_TESTS_SPAWNER_H

#include "host/spawner.h"

static struct host host;
static struct spawner *spawner;

static int open_spawner(void **state)
{
	(void)state;
	host = host_real();
	spawner = spawner_open(&host, NULL);
	return spawner ? 0 : -1;
}

static int close_spawner(void **state)
{
	(void)state;
	spawner_close(spawner);
	return 0;
}

#endif
