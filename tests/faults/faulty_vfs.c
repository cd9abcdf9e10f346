/* The files of SQLite's own VFS, each behind one that may fail. */
#include "faults/faulty.h"

#include <sqlite3.h>
#include <stddef.h>
#include <string.h>

struct faulty_file {
	sqlite3_file base;
	sqlite3_file *real; /* behind this struct */
};

static sqlite3_vfs *real_vfs;
static sqlite3_vfs faulty_vfs;

static int standard_code(int kind)
{
	switch (kind) {
#define X(name, code) \
	case FAULT_##name: return code;
		VFS_CALLS(X)
#undef X
	default: return SQLITE_ERROR;
	}
}

#define MAY_FAIL(kind) \
	do { \
		int problem = fault_now(FAULT_##kind, standard_code(FAULT_##kind)); \
		if (problem) \
			return problem; \
	} while (0)

static sqlite3_file *real_of(sqlite3_file *file)
{
	return ((struct faulty_file *)file)->real;
}

#define CALL(file, method, ...) real_of(file)->pMethods->method(real_of(file), ##__VA_ARGS__)

static int file_close(sqlite3_file *file)
{
	return CALL(file, xClose);
}

static int file_read(sqlite3_file *file, void *bytes, int size, sqlite3_int64 offset)
{
	MAY_FAIL(vfs_read);
	return CALL(file, xRead, bytes, size, offset);
}

static int file_write(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 offset)
{
	MAY_FAIL(vfs_write);
	return CALL(file, xWrite, bytes, size, offset);
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size)
{
	MAY_FAIL(vfs_truncate);
	return CALL(file, xTruncate, size);
}

static int file_sync(sqlite3_file *file, int flags)
{
	MAY_FAIL(vfs_sync);
	return CALL(file, xSync, flags);
}

static int file_size(sqlite3_file *file, sqlite3_int64 *out)
{
	MAY_FAIL(vfs_size);
	return CALL(file, xFileSize, out);
}

static int file_lock(sqlite3_file *file, int level)
{
	MAY_FAIL(vfs_lock);
	return CALL(file, xLock, level);
}

static int file_unlock(sqlite3_file *file, int level)
{
	MAY_FAIL(vfs_unlock);
	return CALL(file, xUnlock, level);
}

static int file_check_lock(sqlite3_file *file, int *out)
{
	MAY_FAIL(vfs_check_lock);
	return CALL(file, xCheckReservedLock, out);
}

static int file_control(sqlite3_file *file, int what, void *argument)
{
	MAY_FAIL(vfs_file_control);
	return CALL(file, xFileControl, what, argument);
}

static int file_sector_size(sqlite3_file *file)
{
	return CALL(file, xSectorSize);
}

static int file_characteristics(sqlite3_file *file)
{
	return CALL(file, xDeviceCharacteristics);
}

static int shm_map(sqlite3_file *file, int region, int size, int extend, void volatile **out)
{
	MAY_FAIL(vfs_shm_map);
	return CALL(file, xShmMap, region, size, extend, out);
}

static int shm_lock(sqlite3_file *file, int offset, int n, int flags)
{
	if (flags & SQLITE_SHM_LOCK)
		MAY_FAIL(vfs_shm_lock);
	return CALL(file, xShmLock, offset, n, flags);
}

static void shm_barrier(sqlite3_file *file)
{
	CALL(file, xShmBarrier);
}

static int shm_unmap(sqlite3_file *file, int remove)
{
	return CALL(file, xShmUnmap, remove);
}

static const sqlite3_io_methods methods = {
	.iVersion = 2,
	.xClose = file_close,
	.xRead = file_read,
	.xWrite = file_write,
	.xTruncate = file_truncate,
	.xSync = file_sync,
	.xFileSize = file_size,
	.xLock = file_lock,
	.xUnlock = file_unlock,
	.xCheckReservedLock = file_check_lock,
	.xFileControl = file_control,
	.xSectorSize = file_sector_size,
	.xDeviceCharacteristics = file_characteristics,
	.xShmMap = shm_map,
	.xShmLock = shm_lock,
	.xShmBarrier = shm_barrier,
	.xShmUnmap = shm_unmap,
};

static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags)
{
	struct faulty_file *own = (struct faulty_file *)file;
	(void)vfs;
	file->pMethods = NULL;
	MAY_FAIL(vfs_open);
	own->real = (sqlite3_file *)(own + 1);
	int status = real_vfs->xOpen(real_vfs, name, own->real, flags, out_flags);
	if (own->real->pMethods)
		file->pMethods = &methods;
	return status;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int flush)
{
	(void)vfs;
	MAY_FAIL(vfs_delete);
	return real_vfs->xDelete(real_vfs, name, flush);
}

static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *out)
{
	(void)vfs;
	MAY_FAIL(vfs_access);
	return real_vfs->xAccess(real_vfs, name, flags, out);
}

static int vfs_full_path(sqlite3_vfs *vfs, const char *name, int size, char *out)
{
	(void)vfs;
	MAY_FAIL(vfs_full_path);
	return real_vfs->xFullPathname(real_vfs, name, size, out);
}

void faulty_vfs_install(void)
{
	real_vfs = sqlite3_vfs_find(NULL);
	if (!real_vfs)
		return;
	faulty_vfs = *real_vfs; /* what is not replaced does not look at the struct */
	faulty_vfs.zName = "faulty";
	faulty_vfs.pNext = NULL;
	faulty_vfs.szOsFile = (int)sizeof(struct faulty_file) + real_vfs->szOsFile;
	faulty_vfs.xOpen = vfs_open;
	faulty_vfs.xDelete = vfs_delete;
	faulty_vfs.xAccess = vfs_access;
	faulty_vfs.xFullPathname = vfs_full_path;
	sqlite3_vfs_register(&faulty_vfs, 1);
}
