/* What a program writes beside its output: a file, or a named pipe that is emptied while it runs. */
#ifndef TARE_MEASURE_SIDE_FILE_H
#define TARE_MEASURE_SIDE_FILE_H

#include "base/buffer.h"
#include "base/error.h"
#include "host/host.h"

#include <pthread.h>
#include <stdbool.h>

struct side_file {
	const struct host *host;
	const char *path;
	bool pipe;    /* a named pipe */
	bool made;    /* by us: removed at the end */
	int fd, wake; /* of the pipe while a run lasts, else -1 */
	pthread_t reader;
	struct buffer text; /* what the last run wrote */
};

/* `path` must outlive it. A pipe is made where nothing is; what is there and no pipe is an error (ERROR_USAGE). */
int side_file_init(struct side_file *file, const struct host *host, const char *path, bool pipe, size_t most,
                   struct error *err);
void side_file_release(struct side_file *file); /* also of a zeroed one */

/* Before a run: removes the file of the run before, or begins to empty the pipe. The pipe is looked at every 20 ms, not
 * at every write: a reader that wakes up disturbs what is measured. */
int side_file_begin(struct side_file *file, struct error *err);

/* After it: file->text holds what was written; nothing when there is no such file. */
int side_file_end(struct side_file *file, struct error *err);

#endif
