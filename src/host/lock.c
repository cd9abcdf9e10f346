#include "host/lock.h"

#include <errno.h>
#include <fcntl.h>

int lock_open(const struct syscalls *sys, const char *path, bool make)
{
	int flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
	int fd = sys->open(path, flags | (make ? O_RDWR | O_CREAT : O_RDONLY), 0644);
	/* One that another user made: it can be locked all the same. */
	return fd < 0 && make && errno == EACCES ? sys->open(path, flags | O_RDONLY, 0) : fd;
}

/* Locks of the open file, not of the process: those of the process would all go with the first descriptor of the file
 * that it closes. */
static int control(const struct syscalls *sys, int fd, int command, short type, int64_t byte, struct flock *lock)
{
	*lock = (struct flock){.l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
	return sys->fcntl(fd, command, (long)lock);
}

int lock_is_taken(const struct syscalls *sys, int fd, int64_t byte)
{
	struct flock lock;
	if (control(sys, fd, F_OFD_GETLK, F_WRLCK, byte, &lock) != 0)
		return -1;
	return lock.l_type != F_UNLCK;
}

int lock_take(const struct syscalls *sys, int fd, int64_t byte)
{
	struct flock lock;
	if (control(sys, fd, F_OFD_SETLK, F_WRLCK, byte, &lock) == 0)
		return 0;
	if (errno == EAGAIN || errno == EACCES)
		return 1;
	if (errno != EBADF)
		return -1;
	/* Opened for reading alone: a shared lock, where nobody has any. */
	int taken = lock_is_taken(sys, fd, byte);
	return taken != 0 ? taken : control(sys, fd, F_OFD_SETLK, F_RDLCK, byte, &lock);
}

void lock_release(const struct syscalls *sys, int fd, int64_t byte)
{
	struct flock lock;
	control(sys, fd, F_OFD_SETLK, F_UNLCK, byte, &lock);
}
