/* A libFuzzer target for files of components (tare monitor --graph). The reader takes a path: the bytes lie in a file
 * without a name. */
#include "exchange/graph_yaml.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	static int fd = -1;
	char path[64];
	struct arena arena = {0};
	struct graph graph = {0};
	struct error err = {0};
	bool replace = false;
	if (fd < 0)
		fd = memfd_create("graph", MFD_CLOEXEC);
	if (fd < 0 || ftruncate(fd, 0) != 0 || pwrite(fd, bytes, length, 0) != (ssize_t)length)
		return 0;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (graph_yaml_read(path, &arena, &graph, &replace, &err) != 0 && (err.kind == ERROR_NONE || !err.what[0]))
		abort();
	arena_release(&arena);
	return 0;
}
