/* memfd_create, and seals for what is mapped. */
#include "host/shared.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { KEPT = 4096 }; /* bytes at the end of a file that is trimmed */

static int create(const struct host *host, const char *name, unsigned flags, struct error *err)
{
	int fd = host->sys->memfd_create(name, MFD_CLOEXEC | flags);
	return fd < 0 ? error_system(err, errno, "cannot make memory to share with a program") : fd;
}

/* A descriptor of `size` bytes that can neither grow nor shrink. */
static int sealed(const struct host *host, const char *name, size_t size, struct error *err)
{
	const struct syscalls *sys = host->sys;
	int fd = create(host, name, MFD_ALLOW_SEALING, err);
	if (fd < 0)
		return -1;
	if (sys->ftruncate(fd, (off_t)size) != 0 ||
	    sys->fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
		error_system(err, errno, "cannot seal %zu bytes of shared memory", size);
		sys->close(fd);
		return -1;
	}
	return fd;
}

int shared_create(const struct host *host, const char *name, size_t size, struct shared *out, struct error *err)
{
	int fd = sealed(host, name, size, err);
	if (fd < 0)
		return -1;
	void *place = host->sys->mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (place == MAP_FAILED) {
		error_system(err, errno, "cannot map %zu bytes of shared memory", size);
		host->sys->close(fd);
		return -1;
	}
	*out = (struct shared){.place = place, .size = size, .fd = fd};
	return 0;
}

void shared_release(const struct host *host, struct shared *shared)
{
	if (!shared->place)
		return;
	host->sys->munmap(shared->place, shared->size);
	host->sys->close(shared->fd);
	*shared = (struct shared){.place = NULL, .size = 0, .fd = -1};
}

int shared_file(const struct host *host, const char *name, struct error *err)
{
	int fd = create(host, name, 0, err);
	if (fd >= 0 && host->sys->fcntl(fd, F_SETFL, O_APPEND) != 0) {
		error_system(err, errno, "cannot make a file to be written at its end");
		host->sys->close(fd);
		return -1;
	}
	return fd;
}

int64_t shared_file_size(const struct host *host, int fd)
{
	return host->sys->lseek(fd, 0, SEEK_END);
}

/* From `offset` up to what is written, at most size − 1 bytes. */
static size_t read_at(const struct host *host, int fd, int64_t offset, int64_t written, char *text, size_t size)
{
	size_t wanted = written - offset < (int64_t)size ? (size_t)(written - offset) : size - 1;
	ssize_t length = wanted ? host->sys->pread(fd, text, wanted, (off_t)offset) : 0;
	if (length < 0)
		length = 0;
	text[length] = '\0';
	return (size_t)length;
}

size_t shared_file_head(const struct host *host, int fd, char *text, size_t size)
{
	int64_t written = shared_file_size(host, fd), data = host->sys->lseek(fd, 0, SEEK_DATA),
			first = data > 0 ? data : 0;
	size_t length = read_at(host, fd, first, written > first ? written : first, text, size), empty = 0;
	/* Who has opened it by its name goes on where it was, also after it was emptied. */
	while (empty < length && text[empty] == '\0')
		empty++;
	memmove(text, text + empty, length - empty + 1);
	return length - empty;
}

size_t shared_file_tail(const struct host *host, int fd, char *text, size_t size)
{
	int64_t written = shared_file_size(host, fd);
	if (written < 0)
		written = 0;
	return read_at(host, fd, written >= (int64_t)size ? written - (int64_t)size + 1 : 0, written, text, size);
}

int64_t shared_file_held(const struct host *host, int fd)
{
	int64_t size = shared_file_size(host, fd), first = host->sys->lseek(fd, 0, SEEK_DATA);
	return first > 0 ? size - first : size;
}

/* A hole takes the place of what is forgotten: nothing that is being written meanwhile can be lost, as it could be by
 * emptying the file and writing its end anew. */
void shared_file_trim(const struct host *host, int fd, int64_t most)
{
	if (shared_file_held(host, fd) <= most)
		return;
	int64_t end = shared_file_size(host, fd) - KEPT;
	if (end > 0 && host->sys->fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, (off_t)end) != 0)
		shared_file_clear(host, fd);
}

void shared_file_clear(const struct host *host, int fd)
{
	(void)!host->sys->ftruncate(fd, 0);
	host->sys->lseek(fd, 0, SEEK_SET);
}
