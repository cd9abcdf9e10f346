/* From a path to what lies below it: mount, file system, device, the devices below that device, or another machine. */
#ifndef TARE_MONITOR_PATHS_H
#define TARE_MONITOR_PATHS_H

#include "base/error.h"
#include "host/host.h"
#include "model/monitoring.h"

#include <stdbool.h>
#include <stddef.h>

struct mount {
	unsigned major, minor;
	const char *root, *point, *type, *source, *options; /* decoded */
};

struct mounts {
	struct arena arena;
	struct mount *list; /* in the kernel's order: later ones lie over earlier ones */
	size_t count;
};

/* /proc/self/mountinfo; -1 only when out of memory: an unreadable one is empty. */
int mounts_read(const struct host *host, struct mounts *out, struct error *err);
void mounts_release(struct mounts *mounts);

/* A word of such a table as it is meant: "\\040" is a blank. */
void mounts_decode(char *text);

/* The mount that an absolute path lies on, or NULL. */
const struct mount *mounts_of(const struct mounts *mounts, const char *path);

/* Adds the way from node `from` of the graph to all that lies below `path`, both directions of each link. Loops (a loop
 * device in a file on itself) end at a depth of 8. -1: out of memory. */
int paths_add(const struct host *host, const struct mounts *mounts, const char *path, size_t from, struct graph *graph,
              struct arena *arena, struct error *err);

/* The way to another machine: the interface that leads there and the machine. `address` is a name or a number, with or
 * without a port. */
int paths_add_host(const struct host *host, const char *name, const char *address, size_t from, struct graph *graph,
                   struct arena *arena, struct error *err);

/* The other end of "socket:[INODE]"; false when it is none of TCP or UDP, or not connected. */
bool socket_peer(const struct host *host, const char *socket, char *address, size_t size);

/* The interface by which packets to a numeric IPv4 or IPv6 address leave; "lo" for this machine; false: not known. */
bool route_interface(const struct host *host, const char *address, char *name, size_t size);

#endif
