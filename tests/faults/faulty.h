/* tare with faults: the program as it is, but for the lowest floor. The tables of system calls, of allocation and of
 * SQLite's files are replaced when the test program is linked, so that tare itself has no switch that could be abused.
 *
 * FAULT=KIND:N[+]:CODE  lets the Nth call of a kind (with "+" every one from there on), counted over all processes that
 *                       tare forks, fail with an errno (of SQLite's files: with a result code)
 * FAULT_CLOCK=SECONDS   lets the time of day jump by so much each time it is read
 * FAULT_BOARD=FILE      at least FAULT_BOARD_SIZE bytes: whether it happened, and how often each kind was called
 *
 * "tare-faulty" with FAULT=list prints the kinds in the order of the board. */
#ifndef TARE_TESTS_FAULTS_FAULTY_H
#define TARE_TESTS_FAULTS_FAULTY_H

#include "support/calls.h"

#include <stdint.h>

/* SQLite's files: kind, result code of its failure where CODE is 0. SQLite does not look at what xClose, xShmUnmap and an
 * unlocking xShmLock return: they have no kind. */
#define VFS_CALLS(X) \
	X(vfs_open, SQLITE_CANTOPEN) \
	X(vfs_delete, SQLITE_IOERR_DELETE) \
	X(vfs_access, SQLITE_IOERR_ACCESS) \
	X(vfs_full_path, SQLITE_CANTOPEN) \
	X(vfs_read, SQLITE_IOERR_READ) \
	X(vfs_write, SQLITE_FULL) \
	X(vfs_truncate, SQLITE_IOERR_TRUNCATE) \
	X(vfs_sync, SQLITE_IOERR_FSYNC) \
	X(vfs_size, SQLITE_IOERR_FSTAT) \
	X(vfs_lock, SQLITE_IOERR_LOCK) \
	X(vfs_unlock, SQLITE_IOERR_UNLOCK) \
	X(vfs_check_lock, SQLITE_IOERR_CHECKRESERVEDLOCK) \
	X(vfs_file_control, SQLITE_IOERR) \
	X(vfs_shm_map, SQLITE_IOERR_SHMMAP) \
	X(vfs_shm_lock, SQLITE_IOERR_SHMLOCK)

enum fault {
	FAULT_alloc = CALL_COUNT, /* of base/memory.h */
	FAULT_malloc,             /* every one of the process, libraries included; not under a sanitizer */
#define X(name, code) FAULT_##name,
	VFS_CALLS(X)
#undef X
		FAULT_COUNT
};

struct fault_board {
	int64_t happened;
	int64_t counts[FAULT_COUNT];
};

/* Counts a call. 0, or the code with which it must fail; `otherwise` where none was chosen. */
int fault_now(int kind, int otherwise);

/* Makes SQLite use the files that may fail. */
void faulty_vfs_install(void);

#endif
