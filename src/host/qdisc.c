/* One dump of the queueing disciplines by rtnetlink. */
#include "host/qdisc.h"

#include "host/proc.h"

#include <errno.h>
#include <linux/netlink.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct request {
	struct nlmsghdr head;
	struct tcmsg body;
};

/* Bytes of a message, which need not lie where a structure may. */
struct netlink_part {
	const char *data;
	size_t length;
};

/* What the attribute of a kind among others holds; no data: there is none. */
static struct netlink_part find(struct netlink_part all, unsigned short kind)
{
	struct rtattr head;
	while (all.length >= sizeof(head)) {
		memcpy(&head, all.data, sizeof(head));
		size_t step = RTA_ALIGN((size_t)head.rta_len);
		if (head.rta_len < RTA_LENGTH(0) || head.rta_len > all.length)
			break;
		if ((head.rta_type & NLA_TYPE_MASK) == kind)
			return (struct netlink_part){all.data + RTA_LENGTH(0), head.rta_len - RTA_LENGTH(0)};
		if (step >= all.length)
			break;
		all = (struct netlink_part){all.data + step, all.length - step};
	}
	return (struct netlink_part){NULL, 0};
}

/* The rate of one message's content; NaN when it is another discipline or another interface. */
static double rate_of(struct netlink_part content, int index)
{
	struct tcmsg body;
	size_t front = NLMSG_ALIGN(sizeof(body));
	if (content.length < front)
		return NAN;
	memcpy(&body, content.data, sizeof(body));
	struct netlink_part attributes = {content.data + front, content.length - front};
	struct netlink_part kind = find(attributes, TCA_KIND), options = find(attributes, TCA_OPTIONS);
	if (body.tcm_ifindex != index || kind.length < sizeof("tbf") || memcmp(kind.data, "tbf", sizeof("tbf")) != 0)
		return NAN;
	struct netlink_part wide = find(options, TCA_TBF_RATE64), parameters = find(options, TCA_TBF_PARMS);
	if (wide.length >= sizeof(uint64_t)) {
		uint64_t rate;
		memcpy(&rate, wide.data, sizeof(rate));
		return (double)rate;
	}
	struct tc_tbf_qopt bucket;
	if (parameters.length < sizeof(bucket))
		return NAN;
	memcpy(&bucket, parameters.data, sizeof(bucket));
	return (double)bucket.rate.rate;
}

/* The least rate among the messages of a piece of the answer; *done: it was the last piece. */
static double least_of(struct netlink_part piece, int index, bool *done)
{
	double least = NAN;
	struct nlmsghdr head;
	while (piece.length >= sizeof(head) && !*done) {
		memcpy(&head, piece.data, sizeof(head));
		if (head.nlmsg_len < NLMSG_HDRLEN || head.nlmsg_len > piece.length)
			break;
		struct netlink_part content = {piece.data + NLMSG_HDRLEN, head.nlmsg_len - NLMSG_HDRLEN};
		double rate = head.nlmsg_type == RTM_NEWQDISC ? rate_of(content, index) : NAN;
		size_t step = NLMSG_ALIGN((size_t)head.nlmsg_len);
		*done = head.nlmsg_type == NLMSG_DONE || head.nlmsg_type == NLMSG_ERROR;
		if (rate > 0 && !(rate >= least))
			least = rate;
		if (step >= piece.length)
			break;
		piece = (struct netlink_part){piece.data + step, piece.length - step};
	}
	return least;
}

/* Reads the answer to its end. */
static double least_rate(const struct host *host, int fd, int index)
{
	char bytes[16384];
	double least = NAN;
	bool done = false;
	for (int pieces = 0; pieces < 256 && !done; pieces++) {
		struct iovec vector = {.iov_base = bytes, .iov_len = sizeof(bytes)};
		struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
		ssize_t got = host->sys->recvmsg(fd, &message, 0);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return least;
		double rate = least_of((struct netlink_part){bytes, (size_t)got}, index, &done);
		if (rate > 0 && !(rate >= least))
			least = rate;
	}
	return least;
}

double qdisc_rate(const struct host *host, const char *interface)
{
	char path[96];
	int64_t index;
	snprintf(path, sizeof(path), "/sys/class/net/%.32s/ifindex", interface);
	/* A snapshot of a machine has no kernel to ask. */
	if (host->root[0] || proc_read_integer(host, path, &index) != 0)
		return NAN;
	int fd = host->sys->socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	if (fd < 0)
		return NAN;
	struct request request = {
		.head = {.nlmsg_len = sizeof(request), .nlmsg_type = RTM_GETQDISC, .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP},
		.body = {.tcm_family = AF_UNSPEC, .tcm_ifindex = (int)index}};
	struct iovec vector = {&request, sizeof(request)};
	struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
	double rate = host->sys->sendmsg(fd, &message, 0) == (ssize_t)sizeof(request) ? least_rate(host, fd, (int)index)
	                                                                              : NAN;
	host->sys->close(fd);
	return rate;
}
