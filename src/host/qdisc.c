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

/* The attribute of a kind among others, or NULL. */
static const struct rtattr *find(const struct rtattr *first, size_t length, unsigned short kind)
{
	for (const struct rtattr *at = first; RTA_OK(at, length); at = RTA_NEXT(at, length))
		if ((at->rta_type & NLA_TYPE_MASK) == kind)
			return at;
	return NULL;
}

/* The rate of one message; NaN when it is another discipline or another interface. */
static double rate_of(const struct nlmsghdr *message, int index)
{
	const struct tcmsg *body = NLMSG_DATA(message);
	size_t length = message->nlmsg_len - NLMSG_LENGTH(sizeof(*body));
	if (message->nlmsg_type != RTM_NEWQDISC || message->nlmsg_len < NLMSG_LENGTH(sizeof(*body)) ||
	    body->tcm_ifindex != index)
		return NAN;
	const struct rtattr *first = TCA_RTA(body), *kind = find(first, length, TCA_KIND), *options = find(first, length, TCA_OPTIONS);
	if (!kind || !options || RTA_PAYLOAD(kind) < sizeof("tbf") || memcmp(RTA_DATA(kind), "tbf", sizeof("tbf")) != 0)
		return NAN;
	const struct rtattr *inner = RTA_DATA(options);
	const struct rtattr *wide = find(inner, RTA_PAYLOAD(options), TCA_TBF_RATE64);
	const struct rtattr *parameters = find(inner, RTA_PAYLOAD(options), TCA_TBF_PARMS);
	if (wide && RTA_PAYLOAD(wide) >= sizeof(uint64_t)) {
		uint64_t rate;
		memcpy(&rate, RTA_DATA(wide), sizeof(rate));
		return (double)rate;
	}
	if (!parameters || RTA_PAYLOAD(parameters) < sizeof(struct tc_tbf_qopt))
		return NAN;
	struct tc_tbf_qopt bucket;
	memcpy(&bucket, RTA_DATA(parameters), sizeof(bucket));
	return (double)bucket.rate.rate;
}

/* Reads the answer to its end. */
static double least_rate(const struct host *host, int fd, int index)
{
	_Alignas(struct nlmsghdr) char bytes[16384];
	double least = NAN;
	for (int pieces = 0; pieces < 256; pieces++) {
		struct iovec vector = {bytes, sizeof(bytes)};
		struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
		ssize_t got = host->sys->recvmsg(fd, &message, 0);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return least;
		size_t length = (size_t)got;
		for (struct nlmsghdr *at = (struct nlmsghdr *)bytes; NLMSG_OK(at, length); at = NLMSG_NEXT(at, length)) {
			if (at->nlmsg_type == NLMSG_DONE || at->nlmsg_type == NLMSG_ERROR)
				return least;
			double rate = rate_of(at, index);
			if (rate > 0 && !(rate >= least))
				least = rate;
		}
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
	struct request request = {.head = {.nlmsg_len = sizeof(request), .nlmsg_type = RTM_GETQDISC, .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP},
	                          .body = {.tcm_family = AF_UNSPEC, .tcm_ifindex = (int)index}};
	struct iovec vector = {&request, sizeof(request)};
	struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
	double rate = host->sys->sendmsg(fd, &message, 0) == (ssize_t)sizeof(request) ? least_rate(host, fd, (int)index)
	                                                                              : NAN;
	host->sys->close(fd);
	return rate;
}
