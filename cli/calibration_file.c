#include "cli/calibration_file.h"

#include "base/scoped.h"
#include "exchange/calibration_document.h"
#include "host/file.h"
#include "machine/fingerprint.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>

enum { MOST_PROGRAMS = 20 };

int calibration_load(struct calibration *out)
{
	struct calibration_machine here;
	SCOPED(arena) struct arena arena = {0};
	struct host host = host_real();
	char path[CALIBRATION_PATH];
	struct error err;
	/* Where nothing was ever kept, the machine need not be read to find that out. */
	int found = fingerprint_folder(path, sizeof(path), &err) == 0 && file_kind(host.sys, path) == FILE_FOLDER &&
	            fingerprint_read(&host, &arena, &here, &err) == 0 &&
	            fingerprint_path(&here, path, sizeof(path), &err) == 0 && file_kind(host.sys, path) == FILE_REGULAR &&
	            calibration_document_read(path, out, &err) == 0;
	if (found && !fingerprint_same(&here, &out->machine)) {
		calibration_release(out);
		found = 0;
	}
	return found;
}

/* A descriptor that holds the folder of `path` until it is closed, so that of two that save at once the second sees
 * what the first has kept. File systems without such locks do without. */
static int lock_folder(const struct syscalls *sys, const char *path)
{
	char folder[CALIBRATION_PATH];
	snprintf(folder, sizeof(folder), "%.*s", (int)(strrchr(path, '/') - path), path);
	int fd = sys->open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	if (fd >= 0)
		sys->flock(fd, LOCK_EX);
	return fd;
}

int calibration_save(struct calibration *calibration, char path[CALIBRATION_PATH], struct error *err)
{
	SCOPED(calibration) struct calibration before;
	SCOPED(buffer) struct buffer text = {0};
	struct host host = host_real();
	calibration_init(&before);
	if (fingerprint_path(&calibration->machine, path, CALIBRATION_PATH, err) != 0 ||
	    file_not_of_others(host.sys, path, err) != 0 || file_make_folders(host.sys, path, err) != 0)
		return -1;
	int status, lock = lock_folder(host.sys, path);
	if (calibration_load(&before) && calibration_keep_others(calibration, &before, MOST_PROGRAMS) != 0)
		status = error_memory(err);
	else
		status = calibration_document_write(calibration, &text, err);
	if (status == 0)
		status = file_write_whole(host.sys, path, buffer_text(&text), text.length, err);
	if (lock >= 0)
		host.sys->close(lock);
	return status;
}
