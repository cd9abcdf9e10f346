/* The file system of the working directory, from the table of mounts.
 *
 * Of several mounts on the way to the directory the longest counts, and of equal ones the last, which
 * lies on top. Blanks in paths are written \040 there. A file system on the network is bad: every start
 * of a program may wait for it. */
#include "machine/patient.h"

#include "base/memory.h"
#include "host/proc.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOUNTS_MAX = 1 << 20 };

struct mount {
	char point[PATH_MAX], type[64], source[256], options[256];
};

/* \ooo becomes the byte. */
static void unescape(char *text)
{
	char *to = text;
	for (const char *from = text; *from; to++) {
		if (from[0] == '\\' && from[1] >= '0' && from[1] <= '3' && strspn(from + 1, "01234567") >= 3) {
			*to = (char)((from[1] - '0') * 64 + (from[2] - '0') * 8 + (from[3] - '0'));
			from += 4;
		} else {
			*to = *from++;
		}
	}
	*to = '\0';
}

/* "27 1 254:0 / /home rw,relatime shared:1 - ext4 /dev/vda rw" */
static int parse_mount(const char *line, struct mount *out)
{
	const char *tail = strstr(line, " - ");
	if (!tail || sscanf(line, "%*s %*s %*s %*s %4095s %255s", out->point, out->options) != 2 ||
	    sscanf(tail, " - %63s %255s", out->type, out->source) != 2)
		return -1;
	unescape(out->point);
	unescape(out->source);
	return 0;
}

static bool is_below(const char *path, const char *point)
{
	size_t length = strlen(point);
	if (strcmp(point, "/") == 0)
		return true;
	return strncmp(path, point, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static int find_mount(char *table, const char *path, struct mount *out)
{
	struct mount *mount = mem_alloc(1, sizeof(*mount));
	size_t longest = 0;
	if (!mount)
		return -1;
	for (char *line; (line = strsep(&table, "\n")) != NULL;) {
		if (parse_mount(line, mount) != 0 || !is_below(path, mount->point) || strlen(mount->point) < longest)
			continue;
		longest = strlen(mount->point);
		*out = *mount;
	}
	mem_free(mount);
	return longest ? 0 : -1;
}

static bool is_one_of(const char *type, const char *const *list)
{
	for (; *list; list++)
		if (strcmp(type, *list) == 0)
			return true;
	return false;
}

static void judge(struct patient *patient, struct finding *f, const struct mount *mount)
{
	static const char *const remote[] = {"nfs",    "nfs4",   "cifs",  "smb3",   "9p",  "ceph", "afs",  "lustre", "gpfs",
	                                     "beegfs", "vboxsf", "vmhgfs", "prl_fs", "virtiofs", "fuse", NULL};
	static const char *const layered[] = {"overlay", "aufs", "ecryptfs", "fuseblk", NULL};
	struct checkup *out = patient->out;
	bool is_remote = is_one_of(mount->type, remote) || strncmp(mount->type, "fuse.", 5) == 0;
	bool is_layered = is_one_of(mount->type, layered);
	bool sync = strncmp(mount->options, "sync", 4) == 0 || strstr(mount->options, ",sync");
	finding_says(out, f, is_remote ? FINDING_BAD : is_layered || sync ? FINDING_COULD_BE_BETTER : FINDING_OK,
	             "%s (%s on %s%s)", mount->type, mount->source, mount->point, sync ? ", synchronous" : "");
	if (f->state == FINDING_OK)
		return;
	finding_cost(out, f, "%s", is_remote  ? "Files come from another machine or program: every start and every open may wait for it."
	                           : is_layered ? "Every open looks through several layers, and the first write copies the file."
	                                        : "Every write waits for the disk.");
	finding_advice(out, f, "Measure in a folder on a local disk.");
	finding_command(out, f, "cp -a . /var/tmp/measure && cd /var/tmp/measure");
}

void check_filesystem(struct patient *patient)
{
	struct finding *f = checkup_add(patient->out, "filesystem", "file system", 72);
	char path[PATH_MAX];
	if (proc_read_link(patient->host, "/proc/self/cwd", path, sizeof(path)) <= 0) {
		patient_no_file(patient, f, "/proc/self/cwd", NULL);
		return;
	}
	char *table = mem_alloc(MOUNTS_MAX, 1);
	struct mount *mount = mem_alloc(1, sizeof(*mount));
	if (!table || !mount)
		patient->out->out_of_memory = true;
	else if (proc_read(patient->host, "/proc/self/mountinfo", table, MOUNTS_MAX) <= 0)
		patient_no_file(patient, f, "/proc/self/mountinfo", NULL);
	else if (find_mount(table, path, mount) != 0)
		finding_unknown(patient->out, f, "/proc/self/mountinfo does not name the one of %s", path);
	else
		judge(patient, f, mount);
	mem_free(table);
	mem_free(mount);
}
