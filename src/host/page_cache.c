#include "host/page_cache.h"

#include "base/memory.h"
#include "host/file.h"

#include <fcntl.h>

enum { PIECE = 1 << 17, LARGEST = 512 << 20 };

void page_cache_renew(const struct host *host, const char *path)
{
	struct stat status;
	if (host->sys->stat(path, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size > LARGEST)
		return;
	int fd = file_open(host->sys, path, NULL);
	if (fd < 0)
		return;
	unsigned char *piece = mem_alloc(PIECE, 1);
	/* Only what is on the disk can be dropped. */
	if (piece && host->sys->fsync(fd) == 0 && host->sys->posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) == 0)
		while (file_read(host->sys, fd, piece, PIECE, NULL) > 0)
			;
	mem_free(piece);
	host->sys->close(fd);
}
