#include "store/alive.h"

#include "host/lock.h"

#include <errno.h>
#include <stdio.h>

static int open_lock(const struct store *store, bool make)
{
	char path[STORE_PATH + sizeof("-lock")];
	snprintf(path, sizeof(path), "%s-lock", store->path);
	return lock_open(&syscalls_libc, path, make);
}

static int failed(const struct store *store, struct error *err)
{
	error_system(err, errno, "cannot lock the store");
	return error_on(err, "%s-lock", store->path);
}

int alive_claim(struct store *store, int64_t id, struct error *err)
{
	if (store->claims < 0)
		store->claims = open_lock(store, true);
	if (store->claims < 0)
		return failed(store, err);
	int taken = lock_take(&syscalls_libc, store->claims, id);
	return taken < 0 ? failed(store, err) : taken;
}

void alive_release(struct store *store, int64_t id)
{
	if (store->claims >= 0)
		lock_release(&syscalls_libc, store->claims, id);
}

/* By a descriptor of its own, which sees the claims of this store as well. */
bool alive_is(struct store *store, int64_t id)
{
	if (store->looks < 0)
		store->looks = open_lock(store, false);
	if (store->looks < 0)
		return errno != ENOENT;
	return lock_is_taken(&syscalls_libc, store->looks, id) != 0;
}
