/* A pipe is opened for reading and writing: so the program's open() never waits for us, and its close() is no end of
 * file. */
#include "measure/side_file.h"

#include "host/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/eventfd.h>

enum { PIPE_SIZE = 1 << 20, CHUNK = 1 << 16 };

static int make_pipe(struct side_file *file, struct error *err)
{
	const struct syscalls *sys = file->host->sys;
	struct stat info;
	if (sys->stat(file->path, &info) == 0) {
		if (S_ISFIFO(info.st_mode))
			return 0;
		error_set(err, ERROR_USAGE, "there is a file of that name, and it is not a pipe");
		error_on(err, "fifo=%s", file->path);
		return error_next(err, "name another one, or use file=…");
	}
	if (sys->mkfifo(file->path, 0600) != 0) {
		error_system(err, errno, "a pipe cannot be made");
		return error_on(err, "fifo=%s", file->path);
	}
	file->made = true;
	return 0;
}

int side_file_init(struct side_file *file, const struct host *host, const char *path, bool pipe, size_t most,
                   struct error *err)
{
	*file = (struct side_file){.host = host, .path = path, .pipe = pipe, .fd = -1, .wake = -1};
	buffer_init(&file->text, most);
	return pipe ? make_pipe(file, err) : 0;
}

void side_file_release(struct side_file *file)
{
	if (file->made)
		file->host->sys->unlink(file->path);
	file->made = false;
	buffer_release(&file->text);
}

/* Reads all that is there. */
static void empty(struct side_file *file)
{
	static const char nothing[] = "";
	char bytes[CHUNK];
	ssize_t n;
	while ((n = file->host->sys->read(file->fd, bytes, sizeof(bytes))) > 0 || (n < 0 && errno == EINTR))
		buffer_add(&file->text, n > 0 ? bytes : nothing, n > 0 ? (size_t)n : 0);
}

static void *read_pipe(void *context)
{
	struct side_file *file = context;
	struct pollfd watched = {.fd = file->wake, .events = POLLIN};
	struct timespec pause = {0, 20000000};
	int ready;
	do {
		ready = file->host->sys->ppoll(&watched, 1, &pause, NULL);
		if (ready < 0 && errno == EINTR)
			ready = 0; /* a signal is no reason to leave the program before a full pipe */
		empty(file);
	} while (ready == 0);
	return NULL;
}

static void close_both(struct side_file *file)
{
	if (file->fd >= 0)
		file->host->sys->close(file->fd);
	if (file->wake >= 0)
		file->host->sys->close(file->wake);
	file->fd = file->wake = -1;
}

static int begin_pipe(struct side_file *file, struct error *err)
{
	const struct syscalls *sys = file->host->sys;
	file->fd = sys->open(file->path, O_RDWR | O_NONBLOCK | O_CLOEXEC, 0);
	file->wake = file->fd >= 0 ? sys->eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) : -1;
	if (file->wake < 0) {
		int why = errno;
		close_both(file);
		error_system(err, why, "the pipe cannot be read");
		return error_on(err, "fifo=%s", file->path);
	}
	sys->fcntl(file->fd, F_SETPIPE_SZ, PIPE_SIZE); /* a smaller one works too */
	empty(file);                                   /* what a run before left */
	buffer_clear(&file->text);
	int problem = pthread_create(&file->reader, NULL, read_pipe, file);
	if (problem) {
		close_both(file);
		return error_system(err, problem, "the pipe's reader cannot be started");
	}
	return 0;
}

int side_file_begin(struct side_file *file, struct error *err)
{
	buffer_clear(&file->text);
	if (file->pipe)
		return begin_pipe(file, err);
	if (file->host->sys->unlink(file->path) == 0 || errno == ENOENT)
		return 0;
	error_system(err, errno, "the file of the run before cannot be removed");
	return error_on(err, "file=%s", file->path);
}

static int read_file(struct side_file *file, struct error *err)
{
	const struct syscalls *sys = file->host->sys;
	char bytes[CHUNK];
	long n;
	int fd = sys->open(file->path, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return 0; /* the program wrote none: that is said where its numbers are missing */
	while ((n = file_read(sys, fd, bytes, sizeof(bytes), err)) > 0)
		buffer_add(&file->text, bytes, (size_t)n);
	sys->close(fd);
	return n < 0 ? error_on(err, "file=%s", file->path) : 0;
}

int side_file_end(struct side_file *file, struct error *err)
{
	if (!file->pipe)
		return read_file(file, err);
	if (file->fd < 0)
		return 0;
	uint64_t one = 1;
	ssize_t written = file->host->sys->write(file->wake, &one, sizeof(one));
	if (written != (ssize_t)sizeof(one))
		return error_system(err, errno, "the pipe's reader cannot be ended");
	pthread_join(file->reader, NULL);
	close_both(file);
	return 0;
}
