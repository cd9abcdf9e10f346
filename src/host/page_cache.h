/* How a program's file lies in the page cache. */
#ifndef TARE_HOST_PAGE_CACHE_H
#define TARE_HOST_PAGE_CACHE_H

#include "host/host.h"

/* Writes the file back, drops it from the page cache and reads it again from its beginning.
 *
 * A file that was just written is cached in pieces as large as the writes were, one that was read in pieces as large as the
 * readahead was; the larger the pieces, the fewer page faults a program has that is started from them. Of two equal files
 * one could so be several per cent faster. What is mapped by a process stays as it is, and files above 512 MiB are left
 * alone; what fails here only leaves that difference. */
void page_cache_renew(const struct host *host, const char *path);

#endif
