/* Reading what the machine says of itself. Every part may be missing: containers hide some,
 * other architectures name them differently. */
#include "host/info.h"

#include "base/sha256.h"
#include "host/cgroup.h"
#include "host/cpuset.h"
#include "host/proc.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void copy_trimmed(char *out, const char *text, size_t length)
{
	while (length > 0 && isspace((unsigned char)*text)) {
		text++;
		length--;
	}
	while (length > 0 && isspace((unsigned char)text[length - 1]))
		length--;
	snprintf(out, INFO_TEXT, "%.*s", (int)length, text);
}

/* The value of the first "key<blanks>separator value" line; 0 when found. */
static int find_value(const char *text, const char *key, char separator, char *out)
{
	size_t length = strlen(key);
	for (const char *line = text; line && *line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, length) != 0)
			continue;
		const char *at = line + length;
		while (*at == ' ' || *at == '\t')
			at++;
		if (*at != separator)
			continue;
		at++;
		copy_trimmed(out, at, strcspn(at, "\n"));
		return 0;
	}
	return -1;
}

/* `cpuinfo` is the text of /proc/cpuinfo, "" where there is none. */
static void describe_cpu(const struct host *host, const char *cpuinfo, struct host_description *out)
{
	static const char *const keys[] = {"model name", "Model", "cpu model", "Processor", "cpu"};
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]) && !out->cpu[0]; i++)
		find_value(cpuinfo, keys[i], ':', out->cpu);
	/* arm64 gives numbers only. */
	char maker[INFO_TEXT] = "", part[INFO_TEXT] = "";
	if (!out->cpu[0] && find_value(cpuinfo, "CPU implementer", ':', maker) == 0 &&
	    find_value(cpuinfo, "CPU part", ':', part) == 0)
		snprintf(out->cpu, sizeof(out->cpu), "arm implementer %.40s part %.40s", maker, part);
	char text[8192];
	struct cpuset online;
	if (proc_read_line(host, "/sys/devices/system/cpu/online", text, sizeof(text)) > 0 &&
	    cpuset_parse(text, &online, NULL) == 0)
		out->cpus = (long)cpuset_count(&online);
	proc_read_line(host, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", out->governor, sizeof(out->governor));
}

static void describe_os(const struct host *host, struct host_description *out)
{
	char text[4096], value[INFO_TEXT];
	if (proc_read(host, "/etc/os-release", text, sizeof(text)) > 0 &&
	    find_value(text, "PRETTY_NAME", '=', value) == 0) {
		size_t length = strlen(value);
		int quoted = length >= 2 && (value[0] == '"' || value[0] == '\'');
		copy_trimmed(out->os, value + quoted, length - 2 * (size_t)quoted);
	}
	struct utsname names;
	if (proc_read_line(host, "/proc/sys/kernel/osrelease", text, sizeof(text)) > 0)
		snprintf(out->kernel, sizeof(out->kernel), "Linux %.100s", text);
	else if (host->sys->uname(&names) == 0)
		snprintf(out->kernel, sizeof(out->kernel), "%.40s %.80s", names.sysname, names.release);
}

static void add_word(char *list, const char *word)
{
	size_t used = strlen(list);
	snprintf(list + used, INFO_TEXT - used, "%s%s", used ? ", " : "", word);
}

/* What the CPU says of a hypervisor: 1 there is one, 0 there is none, -1 it does not say (only x86 does). */
static int cpu_says_hypervisor(const char *cpuinfo)
{
	const char *flags = strstr(cpuinfo, "\nflags");
	if (!flags)
		return -1;
	const char *end = strchr(flags + 1, '\n'), *word = strstr(flags, " hypervisor");
	return word && (!end || word < end);
}

/* The hypervisor by the names that it gives to the machine's parts. Makers of real machines have some of
 * the same names (Microsoft's laptops, Amazon's "metal" instances). */
static const char *find_hypervisor(const struct host *host, const char *cpuinfo)
{
	static const struct {
		const char *text, *name;
	} makers[] = {
		{"QEMU", "kvm"},
		{"KVM", "kvm"},
		{"Amazon EC2", "amazon"},
		{"Google", "google"},
		{"VMware", "vmware"},
		{"VirtualBox", "oracle"},
		{"innotek", "oracle"},
		{"Xen", "xen"},
		{"Microsoft", "microsoft"},
		{"Parallels", "parallels"},
		{"Bochs", "bochs"},
		{"OpenStack", "openstack"},
		{"Hetzner", "hetzner"},
		{"DigitalOcean", "digitalocean"},
		{"Apple Virtualization", "apple"},
	};
	static const char *const files[] = {"/sys/class/dmi/id/product_name", "/sys/class/dmi/id/sys_vendor",
	                                    "/sys/class/dmi/id/board_vendor", "/sys/class/dmi/id/bios_vendor"};
	char text[256];
	int said = cpu_says_hypervisor(cpuinfo);
	bool metal = said == 0 || (proc_read_line(host, files[0], text, sizeof(text)) > 0 && strstr(text, ".metal"));
	for (size_t f = 0; !metal && f < sizeof(files) / sizeof(files[0]); f++)
		if (proc_read_line(host, files[f], text, sizeof(text)) > 0)
			for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); i++)
				if (strstr(text, makers[i].text))
					return makers[i].name;
	if (proc_read_line(host, "/sys/hypervisor/type", text, sizeof(text)) > 0)
		return "xen";
	if (proc_read(host, "/proc/device-tree/hypervisor/compatible", text, sizeof(text)) > 0)
		return strstr(text, "xen") ? "xen" : "kvm";
	return said == 1 ? "hypervisor" : NULL;
}

static int exists(const struct host *host, const char *path)
{
	char full[512];
	snprintf(full, sizeof(full), "%s%s", host->root, path);
	return host->sys->access(full, 0) == 0;
}

static const char *find_container(const struct host *host)
{
	char text[4096];
	if (exists(host, "/var/run/secrets/kubernetes.io"))
		return "kubernetes";
	if (exists(host, "/run/.containerenv"))
		return "podman";
	if (exists(host, "/.dockerenv"))
		return "docker";
	if (proc_read(host, "/proc/1/cgroup", text, sizeof(text)) > 0) {
		if (strstr(text, "kubepods"))
			return "kubernetes";
		if (strstr(text, "/docker/"))
			return "docker";
		if (strstr(text, "/lxc"))
			return "lxc";
	}
	if (exists(host, "/run/systemd/container"))
		return "container";
	if (proc_read(host, "/proc/sys/kernel/osrelease", text, sizeof(text)) > 0 && strcasestr(text, "microsoft"))
		return "wsl";
	return NULL;
}

static void describe_virtual(const struct host *host, const char *cpuinfo, struct host_description *out)
{
	const char *hypervisor = find_hypervisor(host, cpuinfo), *container = find_container(host);
	if (hypervisor) {
		add_word(out->virtual_, hypervisor);
		add_word(out->hypervisor, hypervisor);
	}
	if (container) {
		add_word(out->virtual_, container);
		add_word(out->container, container);
	}
	if (!out->virtual_[0])
		add_word(out->virtual_, "none");
}

static int64_t memory_value(const char *text, const char *key)
{
	char value[INFO_TEXT];
	if (find_value(text, key, ':', value) != 0)
		return -1;
	return strtoll(value, NULL, 10) * 1024;
}

void info_memory(const struct host *host, struct host_memory *out)
{
	char text[4096];
	*out = (struct host_memory){-1, -1};
	if (proc_read(host, "/proc/meminfo", text, sizeof(text)) > 0) {
		out->total = memory_value(text, "MemTotal");
		out->available = memory_value(text, "MemAvailable");
	}
	struct cgroup_memory group;
	cgroup_memory(host, &group);
	if (group.limit >= 0 && (out->total < 0 || group.limit < out->total))
		out->total = group.limit;
	if (group.left >= 0 && out->available > group.left)
		out->available = group.left;
}

/* Containers and images that were copied share a machine-id, nodes of a test one host: name and id together tell
 * machines apart. */
static void describe_identity(const struct host *host, struct host_description *out)
{
	char text[INFO_TEXT] = "", hex[SHA256_TEXT];
	const char *node = getenv("TARE_NODE");
	struct utsname names;
	struct sha256 hash;
	if (node)
		copy_trimmed(out->node, node, strlen(node));
	if (proc_read_line(host, "/etc/machine-id", text, sizeof(text)) <= 0)
		text[0] = '\0';
	if (host->sys->uname(&names) != 0)
		names.nodename[0] = '\0';
	const char *name = out->node[0] ? out->node : names.nodename;
	if (!text[0] && !name[0])
		return;
	sha256_init(&hash);
	sha256_add(&hash, text, strlen(text) + 1);
	sha256_add(&hash, name, strlen(name));
	sha256_end(&hash, hex);
	snprintf(out->id, sizeof(out->id), "%.16s", hex);
}

void info_describe(const struct host *host, struct host_description *out)
{
	char cpuinfo[8192];
	memset(out, 0, sizeof(*out));
	proc_read(host, "/proc/cpuinfo", cpuinfo, sizeof(cpuinfo));
	describe_cpu(host, cpuinfo, out);
	describe_os(host, out);
	describe_virtual(host, cpuinfo, out);
	describe_identity(host, out);
}

double info_load(const struct host *host)
{
	char text[128], *end;
	if (proc_read_line(host, "/proc/loadavg", text, sizeof(text)) <= 0)
		return NAN;
	/* By hand: strtod would ask the locale for the decimal point. */
	long whole = strtol(text, &end, 10);
	if (end == text || *end != '.')
		return NAN;
	long hundredths = strtol(end + 1, NULL, 10);
	return (double)whole + (double)hundredths / 100;
}

long info_runnable(const struct host *host)
{
	char text[128];
	if (proc_read_line(host, "/proc/loadavg", text, sizeof(text)) <= 0)
		return 0;
	const char *field = text;
	for (int i = 0; field && i < 3; i++)
		field = strchr(field, ' ') ? strchr(field, ' ') + 1 : NULL;
	long runnable = field ? strtol(field, NULL, 10) : 0;
	return runnable > 0 ? runnable : 0;
}

int info_cpu_times(const struct host *host, struct cpu_times *out)
{
	char text[512];
	/* user nice system idle iowait irq softirq steal; guest time is contained in user. */
	long long field[8] = {0};
	if (proc_read_line(host, "/proc/stat", text, sizeof(text)) <= 0 ||
	    sscanf(text, "cpu %lld %lld %lld %lld %lld %lld %lld %lld", &field[0], &field[1], &field[2], &field[3],
	           &field[4], &field[5], &field[6], &field[7]) < 4)
		return -1;
	out->total = 0;
	for (int i = 0; i < 8; i++)
		out->total += field[i];
	out->idle = field[3] + field[4];
	out->steal = field[7];
	return 0;
}

double info_steal(const struct cpu_times *before, const struct cpu_times *after)
{
	int64_t total = after->total - (before ? before->total : 0);
	int64_t steal = after->steal - (before ? before->steal : 0);
	return total > 0 && steal >= 0 ? (double)steal / (double)total : NAN;
}
