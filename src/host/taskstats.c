/* One question, one answer, both short: no more of netlink than that needs. */
#include "host/taskstats.h"

#include <errno.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/taskstats.h>
#include <string.h>

struct message {
	struct nlmsghdr head;
	struct genlmsghdr generic;
	char body[1024];
};

/* An attribute found among others. */
struct found_task {
	const char *data;
	size_t size;
};

static struct found_task find_attribute(const char *at, size_t size, uint16_t type)
{
	while (size >= NLA_HDRLEN) {
		struct nlattr attribute;
		memcpy(&attribute, at, sizeof(attribute));
		if (attribute.nla_len < NLA_HDRLEN || attribute.nla_len > size)
			break;
		if ((attribute.nla_type & NLA_TYPE_MASK) == type)
			return (struct found_task){at + NLA_HDRLEN, attribute.nla_len - (size_t)NLA_HDRLEN};
		size_t step = NLA_ALIGN((size_t)attribute.nla_len);
		if (step > size)
			break;
		at += step;
		size -= step;
	}
	return (struct found_task){NULL, 0};
}

/* The kernel answers before sendmsg returns. Returns the bytes of attributes in the answer. */
static ssize_t ask(const struct host *host, int socket, uint16_t family, uint8_t command, uint16_t type,
                   const void *value, size_t size, struct message *answer)
{
	struct message question = {.head = {.nlmsg_type = family, .nlmsg_flags = NLM_F_REQUEST},
	                           .generic = {.cmd = command, .version = 1}};
	struct nlattr attribute = {.nla_len = (uint16_t)(NLA_HDRLEN + size), .nla_type = type};
	memcpy(question.body, &attribute, sizeof(attribute));
	memcpy(question.body + NLA_HDRLEN, value, size);
	question.head.nlmsg_len = (uint32_t)(NLMSG_LENGTH(GENL_HDRLEN) + NLA_ALIGN(NLA_HDRLEN + size));
	struct iovec part = {&question, question.head.nlmsg_len};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
	if (host->sys->sendmsg(socket, &message, MSG_NOSIGNAL) < 0)
		return -1;
	part = (struct iovec){answer, sizeof(*answer)};
	message = (struct msghdr){.msg_iov = &part, .msg_iovlen = 1};
	ssize_t n = host->sys->recvmsg(socket, &message, MSG_DONTWAIT);
	if (n < 0)
		return -1;
	size_t before = NLMSG_LENGTH(GENL_HDRLEN);
	if (n >= (ssize_t)NLMSG_LENGTH(sizeof(int)) && answer->head.nlmsg_type == NLMSG_ERROR) {
		int problem;
		memcpy(&problem, NLMSG_DATA(&answer->head), sizeof(problem));
		errno = -problem;
		return -1;
	}
	if (n < (ssize_t)before || answer->head.nlmsg_type != family) {
		errno = EPROTO;
		return -1;
	}
	return n - (ssize_t)before;
}

void taskstats_open(const struct host *host, struct taskstats_link *out)
{
	struct message answer;
	memset(out, 0, sizeof(*out));
	out->socket = host->sys->socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	if (out->socket < 0)
		return;
	ssize_t n = ask(host, out->socket, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, CTRL_ATTR_FAMILY_NAME, TASKSTATS_GENL_NAME,
	                sizeof(TASKSTATS_GENL_NAME), &answer);
	struct found_task family = {NULL, 0};
	if (n > 0)
		family = find_attribute(answer.body, (size_t)n, CTRL_ATTR_FAMILY_ID);
	if (family.size != sizeof(out->family)) {
		host->sys->close(out->socket);
		return;
	}
	memcpy(&out->family, family.data, sizeof(out->family));
	out->usable = true;
}

static void close_link(const struct host *host, struct taskstats_link *link)
{
	if (link->usable)
		host->sys->close(link->socket);
	memset(link, 0, sizeof(*link));
}

int taskstats_process(const struct host *host, struct taskstats_link *link, pid_t pid, struct proc_schedstat *out)
{
	struct message answer;
	uint32_t id = (uint32_t)pid;
	if (!link->usable) {
		errno = ENOSYS;
		return -1;
	}
	ssize_t n = ask(host, link->socket, link->family, TASKSTATS_CMD_GET, TASKSTATS_CMD_ATTR_TGID, &id, sizeof(id),
	                &answer);
	if (n < 0) {
		int problem = errno;
		/* An answer that was not read would be taken for the next. */
		if (problem != ESRCH)
			close_link(host, link);
		errno = problem;
		return -1;
	}
	struct found_task whole = find_attribute(answer.body, (size_t)n, TASKSTATS_TYPE_AGGR_TGID);
	struct found_task stats = whole.data ? find_attribute(whole.data, whole.size, TASKSTATS_TYPE_STATS) : whole;
	struct taskstats account;
	if (!stats.data ||
	    stats.size < offsetof(struct taskstats, cpu_run_virtual_total) + sizeof(account.cpu_run_virtual_total)) {
		errno = EPROTO;
		return -1;
	}
	memset(&account, 0, sizeof(account));
	memcpy(&account, stats.data, stats.size < sizeof(account) ? stats.size : sizeof(account));
	out->run = (int64_t)account.cpu_run_virtual_total;
	out->delay = (int64_t)account.cpu_delay_total;
	return 0;
}
