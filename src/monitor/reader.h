/* A small file of /proc or /sys that is read again and again: opened once, read at its start each time, into memory
 * that was allocated once. */
#ifndef TARE_MONITOR_READER_H
#define TARE_MONITOR_READER_H

#include "base/error.h"
#include "host/host.h"

#include <stdbool.h>
#include <stddef.h>

struct reader {
	int fd;      /* -1: not there */
	int errnum;  /* why it is not there, or the last reading failed */
	char *text;  /* NUL-terminated */
	size_t size; /* with the NUL */
	size_t length;
	bool cut; /* some reading was longer than the memory: lines at its end were lost */
};

/* Opens and reads it once; the memory is `least` bytes or twice what it holds now, whichever is more. 1 when it is not
 * there or may not be read (errnum), -1 when out of memory. */
int reader_open(struct reader *reader, const struct host *host, const char *path, size_t least, struct error *err);
void reader_close(struct reader *reader, const struct host *host);

/* Reads it again; -1 with errnum when it cannot be. */
int reader_read(struct reader *reader, const struct host *host);

/* Words and numbers of a line, without allocating. Each moves *at behind what it took. */
bool scan_number(const char **at, uint64_t *out);        /* blanks, then digits */
bool scan_word(const char **at, char *out, size_t size); /* blanks, then what is no white space; cut to fit */
const char *scan_line(const char *at);                   /* the start of the next line, or NULL */
/* The number behind "key " or "key: " at the start of a line; false: it is not there. */
bool scan_key(const char *text, const char *key, uint64_t *out);

#endif
