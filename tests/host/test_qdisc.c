/* Answers of rtnetlink that are made up: a bucket, another discipline, an attribute that is cut short. */
#include "host/qdisc.h"

#include "support/known.h"

#include <linux/netlink.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Alignas(struct nlmsghdr) char answer[512];
static size_t length;

static int made_up_socket(int domain, int type, int protocol)
{
	(void)domain, (void)type, (void)protocol;
	return dup(0);
}

static ssize_t made_up_sendmsg(int fd, const struct msghdr *message, int flags)
{
	(void)fd, (void)flags;
	return (ssize_t)message->msg_iov[0].iov_len;
}

static ssize_t made_up_recvmsg(int fd, struct msghdr *message, int flags)
{
	(void)fd, (void)flags;
	size_t got = length;
	/* Whatever stood there before stands behind the answer. */
	memset(message->msg_iov[0].iov_base, 'f', message->msg_iov[0].iov_len);
	memcpy(message->msg_iov[0].iov_base, answer, got);
	length = 0;
	return (ssize_t)got;
}

static void add(unsigned short kind, const void *bytes, size_t size)
{
	struct nlmsghdr *head = (struct nlmsghdr *)answer;
	struct rtattr *attribute = (struct rtattr *)(answer + NLMSG_ALIGN(head->nlmsg_len));
	attribute->rta_type = kind;
	attribute->rta_len = (unsigned short)RTA_LENGTH(size);
	memcpy(RTA_DATA(attribute), bytes, size);
	head->nlmsg_len = (unsigned)(NLMSG_ALIGN(head->nlmsg_len) + RTA_ALIGN(attribute->rta_len));
	length = head->nlmsg_len;
}

/* The rate of the loopback interface, number 1, after this answer. */
static double rate_of(const char *name, size_t name_size, uint64_t rate)
{
	struct syscalls calls = syscalls_libc;
	struct host host = {.sys = &calls, .root = ""};
	struct nlmsghdr *head = (struct nlmsghdr *)answer;
	struct {
		struct rtattr head;
		char rate[sizeof(uint64_t)];
	} inner = {.head = {.rta_len = (unsigned short)RTA_LENGTH(sizeof(uint64_t)), .rta_type = TCA_TBF_RATE64}};
	calls.socket = made_up_socket;
	calls.sendmsg = made_up_sendmsg;
	calls.recvmsg = made_up_recvmsg;
	memset(answer, 0, sizeof(answer));
	*head = (struct nlmsghdr){.nlmsg_len = NLMSG_LENGTH(sizeof(struct tcmsg)), .nlmsg_type = RTM_NEWQDISC};
	((struct tcmsg *)NLMSG_DATA(head))->tcm_ifindex = 1;
	memcpy(inner.rate, &rate, sizeof(rate));
	add(TCA_OPTIONS, &inner, sizeof(inner));
	add(TCA_KIND, name, name_size);
	return qdisc_rate(&host, "lo");
}

static void test_rates(void **state)
{
	(void)state;
	assert_true(rate_of("tbf", 4, 5000000) == 5000000);
	assert_true(isnan(rate_of("fq_codel", 9, 5000000)));
	/* What follows the answer in memory completes the name. */
	assert_true(isnan(rate_of("tb", 2, 5000000)));
	assert_true(isnan(rate_of("tbf", 3, 5000000)));
	assert_true(isnan(rate_of("", 0, 5000000)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_rates)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
