/* From commands to what lies below their files, on machines made of files. */
#include "monitor/graph.h"
#include "monitor/paths.h"

#include "support/fake.h"
#include "support/known.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *root;
static struct host machine;

static void link_to(const char *path, const char *target)
{
	char full[PATH_MAX];
	fake_file(root, path, "");
	snprintf(full, sizeof(full), "%s%s", root, path);
	assert_int_equal(unlink(full), 0);
	assert_int_equal(symlink(target, full), 0);
}

static void begin(void)
{
	static struct syscalls calls;
	root = fake_root();
	calls = syscalls_libc;
	machine = (struct host){.sys = &calls, .root = root};
	fake_file(root, "/proc/self/mountinfo",
	          "20 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
	          "21 20 253:0 / /data rw - xfs /dev/mapper/vg-data rw\n"
	          "22 20 0:40 / /nfs rw - nfs4 server:/export rw,addr=10.1.2.3\n"
	          "23 20 0:41 / /smb rw - cifs //files/share rw,addr=10.9.9.9\n"
	          "24 20 0:42 / /ssh rw - fuse.sshfs me@far:/home rw\n"
	          "25 20 0:43 / /tmp rw - tmpfs tmpfs rw\n"
	          "26 20 0:44 / /over rw - overlay overlay rw,lowerdir=/nfs/low:/low,upperdir=/data/up,workdir=/data/work\n"
	          "27 20 7:0 / /image rw - ext4 /dev/loop0 rw\n"
	          "28 20 253:0 /sub /bind\\040here rw - xfs /dev/mapper/vg-data rw\n"
	          "29 20 7:1 / /self rw - ext4 /dev/loop1 rw\n");
	link_to("/sys/dev/block/8:1", "../../devices/pci/block/sda/sda1");
	fake_file(root, "/sys/devices/pci/block/sda/sda1/partition", "1\n");
	link_to("/sys/dev/block/253:0", "../../devices/virtual/block/dm-0");
	fake_file(root, "/sys/block/dm-0/dm/name", "vg-data\n");
	fake_file(root, "/sys/block/dm-0/slaves/sdb1/partition", "1\n");
	fake_file(root, "/sys/block/dm-0/slaves/md0/size", "1\n");
	link_to("/sys/class/block/sdb1", "../../devices/pci/block/sdb/sdb1");
	fake_file(root, "/sys/devices/pci/block/sdb/sdb1/partition", "1\n");
	fake_file(root, "/sys/block/md0/slaves/sdc/size", "1\n");
	link_to("/sys/dev/block/7:0", "../../devices/virtual/block/loop0");
	fake_file(root, "/sys/block/loop0/loop/backing_file", "/data/disk.img\n");
	link_to("/sys/dev/block/7:1", "../../devices/virtual/block/loop1");
	fake_file(root, "/sys/block/loop1/loop/backing_file", "/self/disk.img\n");
	fake_file(root, "/proc/net/route",
	          "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT\n"
	          "eth0\t00000000\t0100000A\t0003\t0\t0\t0\t00000000\t0\t0\t0\n"
	          "eth1\t0002010A\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n");
}

static void end(void)
{
	fake_remove(root);
	free(root);
}

static bool has_link(const struct graph *graph, const char *from, const char *to)
{
	size_t a = graph_find(graph, from), b = graph_find(graph, to);
	for (size_t i = 0; i < graph->link_count; i++)
		if (graph->links[i].from == a && graph->links[i].to == b)
			return a != SIZE_MAX && b != SIZE_MAX;
	return false;
}

#define assert_both(graph, a, b) assert_true(has_link(graph, a, b) && has_link(graph, b, a))

static void discover(const char *command, struct graph *graph, struct arena *arena)
{
	*graph = (struct graph){0};
	assert_int_equal(graph_discover(&machine, NULL, &command, 1, graph, arena, NULL), 0);
	assert_both(graph, "command", "cpu");
	assert_both(graph, "command", "memory");
}

static void test_files(void **state)
{
	(void)state;
	struct arena arena = {0};
	struct graph graph;
	begin();
	fake_file(root, "/home/x", "");
	fake_file(root, "/data/y", "");
	/* A partition of a disk. */
	discover("cat /home/x", &graph, &arena);
	assert_both(&graph, "command", "fs:/");
	assert_both(&graph, "fs:/", "disk:sda");
	assert_string_equal(graph.nodes[graph_find(&graph, "disk:sda")].detail, "partition sda1");
	/* LVM over a partition and a RAID; an output that is not there yet, behind '='. */
	discover("dd if=/dev/zero of=/data/new bs=1M", &graph, &arena);
	assert_both(&graph, "fs:/data", "disk:dm-0");
	assert_both(&graph, "disk:dm-0", "disk:sdb");
	assert_both(&graph, "disk:dm-0", "disk:md0");
	assert_both(&graph, "disk:md0", "disk:sdc");
	assert_string_equal(graph.nodes[graph_find(&graph, "disk:dm-0")].detail, "vg-data");
	assert_true(graph_same_way(&graph, "disk:dm-0", "disk:sdc"));
	assert_true(graph_same_way(&graph, "disk:sdb", "fs:/data"));
	assert_false(graph_same_way(&graph, "disk:sdb", "disk:sdc"));
	assert_false(graph_same_way(&graph, "cpu", "disk:sdc"));
	for (size_t i = 0; i < graph.link_count; i++)
		if (graph.links[i].to == graph_find(&graph, "disk:sdb"))
			assert_string_equal(graph.links[i].gauge, "disk:sdb.write");
	/* Words that are no files lead nowhere; neither do options. */
	discover("sort --key=3 nowhere -o 12", &graph, &arena);
	assert_int_equal(graph.node_count, 3);
	arena_release(&arena);
	end();
}

static void test_stacks(void **state)
{
	(void)state;
	struct arena arena = {0};
	struct graph graph;
	begin();
	fake_file(root, "/image/x", "");
	fake_file(root, "/self/x", "");
	fake_file(root, "/over/x", "");
	fake_file(root, "/tmp/x", "");
	fake_file(root, "/bind here/x", "");
	/* A loop device in a file on LVM. */
	discover("cat /image/x", &graph, &arena);
	assert_both(&graph, "fs:/image", "disk:loop0");
	assert_both(&graph, "disk:loop0", "fs:/data");
	assert_both(&graph, "disk:dm-0", "disk:sdb");
	/* A loop device in a file on itself ends. */
	discover("cat /self/x", &graph, &arena);
	assert_both(&graph, "disk:loop1", "fs:/self");
	/* An overlay writes to LVM and reads from a server too. */
	discover("cat /over/x", &graph, &arena);
	assert_both(&graph, "fs:/over", "fs:/data");
	assert_both(&graph, "fs:/over", "fs:/nfs");
	assert_both(&graph, "net:eth1", "host:server");
	discover("cat /tmp/x", &graph, &arena);
	assert_both(&graph, "fs:/tmp", "memory");
	/* The blank in the name of a bind mount. */
	struct mounts mounts;
	assert_int_equal(mounts_read(&machine, &mounts, NULL), 0);
	assert_string_equal(mounts_of(&mounts, "/bind here/x")->point, "/bind here");
	assert_string_equal(mounts_of(&mounts, "/database")->point, "/");
	assert_int_equal(mounts_of(&mounts, "/bind here/x")->major, 253);
	mounts_release(&mounts);
	arena_release(&arena);
	end();
}

static void test_network(void **state)
{
	(void)state;
	struct arena arena = {0};
	struct graph graph;
	char text[64];
	begin();
	fake_file(root, "/nfs/x", "");
	fake_file(root, "/smb/x", "");
	fake_file(root, "/ssh/x", "");
	discover("cat /nfs/x /smb/x /ssh/x", &graph, &arena);
	assert_both(&graph, "fs:/nfs", "net:eth1");
	assert_both(&graph, "net:eth1", "host:server");
	assert_both(&graph, "fs:/smb", "net:eth0");
	assert_both(&graph, "net:eth0", "host:files");
	/* No number is known of it: the host alone. */
	assert_both(&graph, "fs:/ssh", "host:far");
	assert_true(route_interface(&machine, "127.0.0.1", text, sizeof(text)));
	assert_string_equal(text, "lo");
	assert_true(route_interface(&machine, "::1", text, sizeof(text)));
	assert_string_equal(text, "lo");
	assert_false(route_interface(&machine, "server", text, sizeof(text)));
	/* Of two default routes the one with the lower metric is taken, whichever stands first. */
	fake_file(root, "/proc/net/route",
	          "eth0\t00000000\t0100000A\t0003\t0\t0\t100\t00000000\t0\t0\t0\n"
	          "wlan0\t00000000\t0100000A\t0003\t0\t0\t600\t00000000\t0\t0\t0\n"
	          "wlan0\t0002010A\t00000000\t0001\t0\t0\t600\t00FFFFFF\t0\t0\t0\n"
	          "eth1\t0002010A\t00000000\t0001\t0\t0\t101\t00FFFFFF\t0\t0\t0\n");
	assert_true(route_interface(&machine, "8.8.8.8", text, sizeof(text)));
	assert_string_equal(text, "eth0");
	assert_true(route_interface(&machine, "10.1.2.3", text, sizeof(text)));
	assert_string_equal(text, "eth1");
	fake_file(
		root, "/proc/net/ipv6_route",
		"20010db8000000000000000000000000 20 00000000000000000000000000000000 00 00000000000000000000000000000000 00000100 00000001 00000000 00000001     eth1\n"
		"00000000000000000000000000000000 00 00000000000000000000000000000000 00 fe800000000000000000000000000001 00000400 00000001 00000000 00000003     eth0\n"
		"00000000000000000000000000000000 00 00000000000000000000000000000000 00 00000000000000000000000000000000 ffffffff 00000001 00000000 00200200       lo\n");
	assert_true(route_interface(&machine, "2001:db8::5", text, sizeof(text)));
	assert_string_equal(text, "eth1");
	assert_true(route_interface(&machine, "2a00::5", text, sizeof(text)));
	assert_string_equal(text, "eth0");
	/* 10.1.2.3 port 5001, inode 4242; a listening one has no peer. */
	fake_file(root, "/proc/net/tcp",
	          "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
	          "   0: 0100007F:1389 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4241 1 0\n"
	          "   1: 0402010A:A0B2 0302010A:1389 01 00000000:00000000 00:00000000 00000000     0        0 4242 1 0\n");
	assert_true(socket_peer(&machine, "socket:[4242]", text, sizeof(text)));
	assert_string_equal(text, "10.1.2.3");
	assert_false(socket_peer(&machine, "socket:[4241]", text, sizeof(text)));
	assert_false(socket_peer(&machine, "socket:[1]", text, sizeof(text)));
	arena_release(&arena);
	end();
}

static void test_nothing(void **state)
{
	(void)state;
	struct arena arena = {0};
	struct graph graph;
	root = fake_root();
	machine = (struct host){.sys = &syscalls_libc, .root = root};
	discover("cat /home/x", &graph, &arena);
	assert_int_equal(graph.node_count, 3);
	arena_release(&arena);
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_stacks),
		cmocka_unit_test(test_network),
		cmocka_unit_test(test_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
