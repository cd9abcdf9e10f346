/* Which interface leads to an address, and who is at the other end of a socket: /proc/net. */
#include "monitor/paths.h"

#include "base/memory.h"
#include "host/proc.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_MAX = 1 << 20 };

/* "eth0 0000A8C0 00000000 0001 0 0 100 00FFFFFF 0 0 0": numbers in network order, read as the machine's. */
static bool route_v4(const struct host *host, uint32_t address, char *name, size_t size)
{
	char *text = mem_alloc(TABLE_MAX, 1);
	bool found = false;
	uint32_t best = 0;
	unsigned best_metric = 0;
	if (text && proc_read(host, "/proc/net/route", text, TABLE_MAX) > 0) {
		for (char *rest = text, *line; (line = strsep(&rest, "\n")) != NULL;) {
			char interface[64];
			unsigned destination, mask, flags, metric;
			if (sscanf(line, "%63s %x %*x %x %*d %*d %u %x", interface, &destination, &flags, &metric, &mask) != 5)
				continue;
			if (!(flags & 1) || (address & mask) != destination)
				continue;
			/* The narrower network, and of equal ones the lower metric. */
			if (found && (ntohl(mask) < best || (ntohl(mask) == best && metric >= best_metric)))
				continue;
			found = true;
			best = ntohl(mask);
			best_metric = metric;
			snprintf(name, size, "%s", interface);
		}
	}
	mem_free(text);
	return found;
}

static int hex_byte(const char *text)
{
	char digits[3] = {text[0], text[1], '\0'};
	return (int)strtol(digits, NULL, 16);
}

/* "2001… 40 0000… 00 0000… 00000400 00000001 00000000 00000001 eth0" */
static bool route_v6(const struct host *host, const unsigned char address[16], char *name, size_t size)
{
	char *text = mem_alloc(TABLE_MAX, 1);
	int best = -1;
	if (text && proc_read(host, "/proc/net/ipv6_route", text, TABLE_MAX) > 0) {
		for (char *rest = text, *line; (line = strsep(&rest, "\n")) != NULL;) {
			char destination[33], interface[64];
			unsigned bits;
			if (sscanf(line, "%32s %x %*s %*s %*s %*s %*s %*s %*s %63s", destination, &bits, interface) != 3 ||
			    bits > 128 || strlen(destination) != 32 || (int)bits <= best)
				continue;
			unsigned same = 0;
			while (same < bits) {
				int byte = hex_byte(destination + same / 8 * 2), shift = 7 - (int)(same % 8);
				if (((byte ^ address[same / 8]) >> shift) & 1)
					break;
				same++;
			}
			/* The default route of a machine without IPv6 leads to lo. */
			if (same < bits || (bits == 0 && strcmp(interface, "lo") == 0))
				continue;
			best = (int)bits;
			snprintf(name, size, "%s", interface);
		}
	}
	mem_free(text);
	return best >= 0;
}

bool route_interface(const struct host *host, const char *address, char *name, size_t size)
{
	struct in_addr v4;
	struct in6_addr v6;
	char number[64];
	snprintf(number, sizeof(number), "%s", address);
	if (inet_pton(AF_INET, number, &v4) == 1) {
		if ((ntohl(v4.s_addr) >> 24) == 127) {
			snprintf(name, size, "lo");
			return true;
		}
		return route_v4(host, v4.s_addr, name, size);
	}
	if (inet_pton(AF_INET6, number, &v6) != 1)
		return false;
	if (IN6_IS_ADDR_LOOPBACK(&v6)) {
		snprintf(name, size, "lo");
		return true;
	}
	return route_v6(host, v6.s6_addr, name, size);
}

/* "0100007F" as the machine reads four bytes; IPv6 is four of them. */
static bool peer_address(const char *hex, char *address, size_t size)
{
	uint32_t words[4];
	size_t length = strcspn(hex, ":");
	if (length != 8 && length != 32)
		return false;
	for (size_t i = 0; i < length / 8; i++) {
		char digits[9];
		memcpy(digits, hex + 8 * i, 8);
		digits[8] = '\0';
		words[i] = (uint32_t)strtoul(digits, NULL, 16);
	}
	if (length == 8)
		return words[0] != 0 && inet_ntop(AF_INET, words, address, (socklen_t)size) != NULL;
	/* ::ffff:1.2.3.4 is an IPv4 address. */
	if (words[0] == 0 && words[1] == 0 && words[2] == htonl(0xffff))
		return words[3] != 0 && inet_ntop(AF_INET, &words[3], address, (socklen_t)size) != NULL;
	return (words[0] | words[1] | words[2] | words[3]) != 0 &&
	       inet_ntop(AF_INET6, words, address, (socklen_t)size) != NULL;
}

bool socket_peer(const struct host *host, const char *socket, char *address, size_t size)
{
	static const char *const tables[] = {"/proc/net/tcp", "/proc/net/tcp6", "/proc/net/udp", "/proc/net/udp6"};
	unsigned long inode;
	char *text = mem_alloc(TABLE_MAX, 1);
	bool found = false;
	if (sscanf(socket, "socket:[%lu]", &inode) != 1 || !text) {
		mem_free(text);
		return false;
	}
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]) && !found; i++) {
		if (proc_read(host, tables[i], text, TABLE_MAX) <= 0)
			continue;
		for (char *rest = text, *line; !found && (line = strsep(&rest, "\n")) != NULL;) {
			char remote[64];
			unsigned long number;
			if (sscanf(line, " %*d: %*s %63s %*s %*s %*s %*s %*s %*s %lu", remote, &number) == 2 && number == inode)
				found = peer_address(remote, address, size);
		}
	}
	mem_free(text);
	return found;
}
