/* A spawner for all tests of a group: cmocka_run_group_tests(tests, open_spawner, close_spawner). Nothing that it has
 * started may be left. */
#ifndef TARE_TESTS_SPAWNER_H
#define TARE_TESTS_SPAWNER_H

#include "host/proc.h"
#include "host/spawner.h"

#include <unistd.h>

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
	pid_t children[4];
	return proc_children(&host, getpid(), children, 4);
}

#endif
