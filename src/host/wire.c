/* Descriptors travel with the first byte of a message; what follows is plain bytes. */
#include "host/wire.h"

#include "base/memory.h"

#include <errno.h>
#include <string.h>
#include <sys/uio.h>

union fd_control {
	struct cmsghdr align;
	char bytes[CMSG_SPACE(WIRE_FDS_MAX * sizeof(int))];
};

static void attach_fds(struct msghdr *message, union fd_control *control, const int *fds, size_t count)
{
	memset(control, 0, sizeof(*control));
	message->msg_control = control->bytes;
	message->msg_controllen = CMSG_SPACE(count * sizeof(int));
	struct cmsghdr *header = &control->align; /* the first one lies at the start */
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(count * sizeof(int));
	memcpy(CMSG_DATA(header), fds, count * sizeof(int));
}

/* Drops what was sent from the front of the parts. */
static void advance(struct msghdr *message, size_t sent)
{
	while (message->msg_iovlen > 0) {
		struct iovec *part = message->msg_iov;
		size_t used = sent < part->iov_len ? sent : part->iov_len;
		if (used > 0) /* an empty part may have no address */
			part->iov_base = (char *)part->iov_base + used;
		part->iov_len -= used;
		sent -= used;
		if (part->iov_len > 0)
			return;
		message->msg_iov++;
		message->msg_iovlen--;
	}
}

int wire_send(const struct host *host, int socket, uint32_t type, const void *first, size_t first_size,
              const void *second, size_t second_size, const int *fds, size_t fd_count)
{
	struct wire_header header = {WIRE_MAGIC, type, 0, (uint32_t)fd_count};
	if (first_size > WIRE_BODY_MAX || second_size > WIRE_BODY_MAX - first_size) {
		errno = E2BIG;
		return -1;
	}
	header.size = (uint32_t)(first_size + second_size);
	/* sendmsg does not write to the parts; iovec has no const form. */
	struct iovec parts[] = {
		{&header, sizeof(header)}, {(void *)(uintptr_t)first, first_size}, {(void *)(uintptr_t)second, second_size}};
	struct msghdr message = {.msg_iov = parts, .msg_iovlen = 3};
	union fd_control control;
	if (fds && fd_count > 0)
		attach_fds(&message, &control, fds, fd_count);
	while (message.msg_iovlen > 0) {
		ssize_t sent = host->sys->sendmsg(socket, &message, MSG_NOSIGNAL);
		if (sent < 0 && errno == EINTR)
			continue;
		if (sent < 0)
			return -1;
		message.msg_control = NULL;
		message.msg_controllen = 0;
		advance(&message, (size_t)sent);
	}
	return 0;
}

/* Takes over the descriptors that came with some bytes; those that do not fit are closed. */
static void collect_fds(const struct host *host, struct msghdr *received, struct wire_message *out, size_t *count)
{
	for (struct cmsghdr *header = CMSG_FIRSTHDR(received); header; header = CMSG_NXTHDR(received, header)) {
		if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
			continue;
		size_t n = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		for (size_t i = 0; i < n; i++) {
			int fd;
			memcpy(&fd, CMSG_DATA(header) + i * sizeof(int), sizeof(int));
			if (*count < WIRE_FDS_MAX)
				out->fds[(*count)++] = fd;
			else
				host->sys->close(fd);
		}
	}
}

/* Exactly `size` bytes: 1, or 0 at the end before the first of them, or -1. */
static int receive_exactly(const struct host *host, int socket, char *bytes, size_t size, struct wire_message *out,
                           size_t *fd_count)
{
	size_t have = 0;
	while (have < size) {
		union fd_control control;
		struct iovec part = {bytes + have, size - have};
		struct msghdr message = {
			.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof(control.bytes)};
		ssize_t n = host->sys->recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == ECONNRESET && have == 0 ? 0 : -1;
		collect_fds(host, &message, out, fd_count);
		if (n == 0) {
			errno = EPROTO;
			return have == 0 ? 0 : -1;
		}
		have += (size_t)n;
	}
	return 1;
}

static int reserve(struct wire_message *message, size_t size)
{
	if (size <= message->capacity)
		return 0;
	char *body = mem_resize(message->body, size, 1);
	if (!body) {
		errno = ENOMEM;
		return -1;
	}
	message->body = body;
	message->capacity = size;
	return 0;
}

int wire_receive(const struct host *host, int socket, struct wire_message *message)
{
	size_t fd_count = 0;
	struct wire_header *header = &message->header;
	int got = receive_exactly(host, socket, (char *)header, sizeof(*header), message, &fd_count);
	if (got == 1 && (header->magic != WIRE_MAGIC || header->size > WIRE_BODY_MAX || header->fd_count != fd_count)) {
		errno = EPROTO;
		got = -1;
	}
	if (got == 1 && reserve(message, header->size) != 0)
		got = -1;
	if (got == 1 && header->size > 0) {
		got = receive_exactly(host, socket, message->body, header->size, message, &fd_count);
		if (got == 0) {
			errno = EPROTO;
			got = -1;
		}
	}
	if (got != 1) {
		int problem = errno;
		for (size_t i = 0; i < fd_count; i++)
			host->sys->close(message->fds[i]);
		header->fd_count = 0;
		errno = problem;
	}
	return got;
}

void wire_message_release(struct wire_message *message)
{
	mem_free(message->body);
	memset(message, 0, sizeof(*message));
}
