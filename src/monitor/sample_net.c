/* Network interfaces, the loopback among them: /proc/net/dev, the speed of the link from /sys/class/net, and the rate
 * of a shaper (tc tbf) on it.
 *
 * Where the speed is known, throughput over it is told for each direction. The loopback has none, and of virtual
 * interfaces (veth, tun) it is made up: what limits them is CPUs. */
#include "monitor/internal.h"

#include "base/memory.h"
#include "host/proc.h"
#include "host/qdisc.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { RECEIVED, RECEIVE_DROPS, SENT, SEND_DROPS, NET_FIELDS, GAUGES_PER_INTERFACE = 5 };

static int open_net(struct monitor *monitor, struct error *err)
{
	struct net_sampler *net = &monitor->net;
	int status = reader_open(&net->file, monitor->host, "/proc/net/dev", 16384, err);
	if (status < 0)
		return -1;
	if (status > 0) {
		monitor_cannot_see(monitor, "network interfaces", "/proc/net/dev", net->file.errnum);
		return 0;
	}
	for (const char *line = net->file.text; line; line = scan_line(line))
		net->capacity++;
	net->capacity += MONITOR_SPARE;
	net->interfaces = mem_zalloc(net->capacity, sizeof(*net->interfaces));
	return net->interfaces ? 0 : error_memory(err);
}

static int count_net_gauges(const struct monitor *monitor)
{
	return (int)monitor->net.capacity * GAUGES_PER_INTERFACE;
}

static void name_net_gauges(struct monitor *monitor)
{
	(void)monitor; /* as they are found */
}

/* Whether a device is behind an interface, or behind each of those that it is made of (bonds, VLANs, bridges). */
static bool has_device(const struct host *host, const char *name, int depth)
{
	enum { NAMES_MAX = 128 };
	char path[PATH_MAX], names[NAMES_MAX][PROC_NAME];
	snprintf(path, sizeof(path), "%s/sys/class/net/%s/device", host->root, name);
	if (host->sys->access(path, F_OK) == 0)
		return true;
	snprintf(path, sizeof(path), "/sys/class/net/%s", name);
	int count = depth > 0 ? proc_names(host, path, names, NAMES_MAX) : 0, lower = 0;
	for (int i = 0; i < count; i++) {
		if (strncmp(names[i], "lower_", 6) != 0)
			continue;
		if (!has_device(host, names[i] + 6, depth - 1))
			return false;
		lower++;
	}
	return lower > 0;
}

/* Megabits per second as bytes per second; NaN where the link has no speed of its own or is down. */
static double link_speed(const struct host *host, const char *name)
{
	enum { DEPTH_MAX = 4 };
	char path[96];
	int64_t speed;
	if (!has_device(host, name, DEPTH_MAX))
		return NAN;
	snprintf(path, sizeof(path), "/sys/class/net/%s/speed", name);
	return proc_read_integer(host, path, &speed) == 0 && speed > 0 ? (double)speed * 1e6 / 8 : NAN;
}

static void name_interface(struct monitor *monitor, struct interface *interface)
{
	struct gauges *gauges = &monitor->gauges;
	interface->receive = gauges_add(gauges, interface->component, "receive", "B/s", GAUGE_RATE);
	interface->send = gauges_add(gauges, interface->component, "send", "B/s", GAUGE_RATE);
	interface->drops = gauges_add(gauges, interface->component, "drops", "1/s", GAUGE_RATE);
	interface->receive_use = interface->send_use = GAUGES_NONE;
	if (!isnan(interface->capacity[0]))
		interface->receive_use = gauges_add(gauges, interface->component, "receive-use", "", GAUGE_USE);
	if (!isnan(interface->capacity[1]))
		interface->send_use = gauges_add(gauges, interface->component, "send-use", "", GAUGE_USE);
}

static struct interface *find_interface(struct monitor *monitor, const char *name)
{
	struct net_sampler *net = &monitor->net;
	for (size_t i = 0; i < net->count; i++) {
		size_t at = (net->hint + i) % net->count;
		if (strcmp(net->interfaces[at].name, name) == 0) {
			net->hint = at + 1;
			return &net->interfaces[at];
		}
	}
	if (net->count == net->capacity)
		return NULL;
	struct interface *interface = &net->interfaces[net->count++];
	snprintf(interface->name, sizeof(interface->name), "%s", name);
	snprintf(interface->component, sizeof(interface->component), "net:%s", name);
	double speed = link_speed(monitor->host, name), shaped = qdisc_rate(monitor->host, name);
	double receive = monitor_capacity(monitor, interface->component, "receive"),
		   send = monitor_capacity(monitor, interface->component, "send");
	/* Who says it is believed first, then a shaper, then the link. */
	interface->capacity[0] = isnan(receive) ? speed : receive;
	interface->capacity[1] = !isnan(send) ? send : !isnan(shaped) ? shaped : speed;
	interface->seen = SIZE_MAX;
	name_interface(monitor, interface);
	return interface;
}

/* "  eth0: bytes packets errs drop fifo frame compressed multicast  bytes packets errs drop …" */
static void take_interface(struct monitor *monitor, const char *line, double seconds)
{
	const char *colon = strchr(line, ':'), *end = strchr(line, '\n');
	uint64_t fields[12] = {0}, now[NET_FIELDS];
	char name[32];
	if (!colon || (end && colon > end))
		return;
	line += strspn(line, " ");
	snprintf(name, sizeof(name), "%.*s", (int)(colon - line), line);
	const char *at = colon + 1;
	int count = 0;
	while (count < 12 && scan_number(&at, &fields[count]))
		count++;
	struct interface *interface = count == 12 ? find_interface(monitor, name) : NULL;
	if (!interface)
		return;
	now[RECEIVED] = fields[0];
	now[RECEIVE_DROPS] = fields[3];
	now[SENT] = fields[8];
	now[SEND_DROPS] = fields[11];
	bool fresh = interface->seen == SIZE_MAX || interface->seen + 1 < monitor->reading;
	double growth[NET_FIELDS];
	for (int i = 0; i < NET_FIELDS; i++)
		growth[i] = counter_growth(interface->before[i], now[i]);
	memcpy(interface->before, now, sizeof(now));
	interface->seen = monitor->reading;
	if (fresh || seconds <= 0)
		return;
	struct gauges *gauges = &monitor->gauges;
	gauges_set(gauges, interface->receive, growth[RECEIVED] / seconds);
	gauges_set(gauges, interface->send, growth[SENT] / seconds);
	gauges_set(gauges, interface->drops, (growth[RECEIVE_DROPS] + growth[SEND_DROPS]) / seconds);
	gauges_set(gauges, interface->receive_use, growth[RECEIVED] / seconds / interface->capacity[0]);
	gauges_set(gauges, interface->send_use, growth[SENT] / seconds / interface->capacity[1]);
}

static void clear_interface(struct monitor *monitor, const struct interface *interface)
{
	const int all[GAUGES_PER_INTERFACE] = {interface->receive, interface->send, interface->drops,
	                                       interface->receive_use, interface->send_use};
	for (int i = 0; i < GAUGES_PER_INTERFACE; i++)
		gauges_set(&monitor->gauges, all[i], NAN);
}

static void sample_net(struct monitor *monitor, double seconds)
{
	struct net_sampler *net = &monitor->net;
	if (net->file.fd < 0 || reader_read(&net->file, monitor->host) != 0)
		return;
	for (const char *line = net->file.text; line; line = scan_line(line))
		take_interface(monitor, line, seconds);
	for (size_t i = 0; i < net->count; i++)
		if (net->interfaces[i].seen != monitor->reading)
			clear_interface(monitor, &net->interfaces[i]);
}

static void close_net(struct monitor *monitor)
{
	reader_close(&monitor->net.file, monitor->host);
	mem_free(monitor->net.interfaces);
}

const struct sampler sampler_net = {
	"net", 20 * 1000000, open_net, count_net_gauges, name_net_gauges, sample_net, close_net,
};
