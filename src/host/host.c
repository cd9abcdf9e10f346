#include "host/host.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct host host_at(const struct syscalls *sys, const char *root)
{
	struct host host = {.sys = sys, .root = root};
	char path[PATH_MAX], self[32];
	snprintf(path, sizeof(path), "%s/proc/self", root);
	ssize_t length = sys->readlink(path, self, sizeof(self) - 1);
	if (length > 0) {
		self[length] = '\0';
		host.other_pids = strtol(self, NULL, 10) != getpid();
	}
	return host;
}

struct host host_real(void)
{
	return host_at(&syscalls_libc, "");
}
