/* SPDX-License-Identifier: MIT */
/* The program's end of the channel: lines of text on two pipes, and the shared mapping.
 *
 * The descriptors are closed for programs that a benchmark starts, the variable is removed from their environment, and
 * the mapping does not exist in a process that it forks. */
#include "harness/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* NULL when it is not what it should be: the channel then works by text alone. */
static struct tare_map *tare_map_open(int descriptor)
{
	struct stat status;
	if (fstat(descriptor, &status) != 0 || status.st_size < (off_t)sizeof(struct tare_map))
		return NULL;
	void *place = mmap(NULL, sizeof(struct tare_map), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
	if (place == MAP_FAILED)
		return NULL;
	struct tare_map *map = (struct tare_map *)place;
	if (map->head.magic != TARE_MAP_MAGIC || map->head.version != TARE_PROTOCOL_VERSION ||
	    map->head.size < sizeof(*map)) {
		munmap(place, sizeof(*map));
		return NULL;
	}
	madvise(place, sizeof(*map), MADV_DONTFORK);
	return map;
}

int tare_channel_open(struct tare_channel *channel, char *problem, size_t size)
{
	int version, in, out, map = -1;
	const char *variable = getenv(TARE_CHANNEL_VARIABLE);
	memset(channel, 0, sizeof(*channel));
	if (!variable)
		return 0;
	int fields = sscanf(variable, "%d %d %d %d", &version, &in, &out, &map);
	if (fields < 3 || version < 1 || fcntl(in, F_SETFD, FD_CLOEXEC) < 0 || fcntl(out, F_SETFD, FD_CLOEXEC) < 0) {
		snprintf(problem, size, "%s=%s names no open channel", TARE_CHANNEL_VARIABLE, variable);
		return -1;
	}
	channel->in = in;
	channel->out = out;
	if (fields == 4 && map >= 0) {
		channel->map = tare_map_open(map);
		close(map);
	}
	unsetenv(TARE_CHANNEL_VARIABLE);
	return 1;
}

char *tare_channel_line(struct tare_channel *channel)
{
	for (;;) {
		char *from = channel->input + channel->start;
		char *newline = (char *)memchr(from, '\n', channel->used - channel->start);
		if (newline) {
			*newline = '\0';
			channel->start = (size_t)(newline + 1 - channel->input);
			return from;
		}
		memmove(channel->input, from, channel->used - channel->start);
		channel->used -= channel->start;
		channel->start = 0;
		if (channel->used == sizeof(channel->input))
			return NULL;
		ssize_t got = read(channel->in, channel->input + channel->used, sizeof(channel->input) - channel->used);
		if (got == 0 || (got < 0 && errno != EINTR))
			return NULL;
		if (got > 0)
			channel->used += (size_t)got;
	}
}

void tare_channel_flush(struct tare_channel *channel)
{
	size_t done = 0;
	while (done < channel->output_used) {
		ssize_t put = write(channel->out, channel->output + done, channel->output_used - done);
		if (put < 0 && errno != EINTR)
			break; /* the controller is gone; the next read says so */
		if (put > 0)
			done += (size_t)put;
	}
	channel->output_used = 0;
}

void tare_channel_put(struct tare_channel *channel, const char *format, ...)
{
	va_list args;
	if (channel->output_used > sizeof(channel->output) - TARE_LINE_MAX)
		tare_channel_flush(channel);
	size_t room = TARE_LINE_MAX;
	va_start(args, format);
	int length = vsnprintf(channel->output + channel->output_used, room, format, args);
	va_end(args);
	if (length < 0)
		return;
	if ((size_t)length >= room) { /* cut, but still a line */
		length = (int)room - 1;
		channel->output[channel->output_used + (size_t)length - 1] = '\n';
	}
	channel->output_used += (size_t)length;
}
