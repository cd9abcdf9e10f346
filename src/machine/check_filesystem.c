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
#include <string.h>

enum { MOUNTS_MAX = 1 << 20 };

struct mount_line {
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

/* "27 1 254:0 / /home rw,relatime shared:1 - ext4 /dev/vda rw,sync": the last options are those of the file system,
 * the first, which are those of this mount, never say sync. */
static int parse_mount(const char *line, struct mount_line *out)
{
	const char *end = strchrnul(line, '\n'), *tail = memmem(line, (size_t)(end - line), " - ", 3);
	out->options[0] = '\0'; /* where the source is empty, the last word is missing */
	if (!tail || sscanf(line, "%*s %*s %*s %*s %4095s", out->point) != 1 ||
	    sscanf(tail, " - %63s %255s %255s", out->type, out->source, out->options) < 2)
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

/* The mount that `path` lies on; `line` is memory to work in. */
static int find_mount(const char *table, const char *path, struct mount_line *line, struct mount_line *out)
{
	size_t longest = 0;
	for (const char *at = table; at && *at; at = strchr(at, '\n')) {
		at += *at == '\n';
		if (parse_mount(at, line) != 0 || !is_below(path, line->point) || strlen(line->point) < longest)
			continue;
		longest = strlen(line->point);
		*out = *line;
	}
	return longest ? 0 : -1;
}

static bool is_one_of(const char *type, const char *const *list)
{
	for (; *list; list++)
		if (strcmp(type, *list) == 0)
			return true;
	return false;
}

static bool is_remote(const struct mount_line *mount)
{
	static const char *const types[] = {"nfs",  "nfs4",   "cifs",   "smb3",   "9p",     "ceph",     "afs",  "lustre",
	                                    "gpfs", "beegfs", "vboxsf", "vmhgfs", "prl_fs", "virtiofs", "fuse", NULL};
	return is_one_of(mount->type, types) || strncmp(mount->type, "fuse.", 5) == 0;
}

static bool is_layered(const struct mount_line *mount)
{
	static const char *const types[] = {"overlay", "aufs", "ecryptfs", "fuseblk", NULL};
	return is_one_of(mount->type, types);
}

static bool is_synchronous(const struct mount_line *mount)
{
	const char *at = mount->options;
	while ((at = strstr(at, ",sync")) != NULL) {
		at += strlen(",sync");
		if (*at == ',' || *at == '\0')
			return true;
	}
	return false;
}

static void judge(struct patient *patient, struct finding *f, const struct mount_line *mount, bool local_tmp)
{
	struct checkup *out = patient->out;
	char point[4 * PATH_MAX + 3];
	bool sync = is_synchronous(mount);
	const char *folder = local_tmp ? "/var/tmp/measure" : "/dev/shm/measure";
	finding_says(out, f,
	             is_remote(mount)            ? FINDING_BAD
	             : is_layered(mount) || sync ? FINDING_COULD_BE_BETTER
	                                         : FINDING_OK,
	             "%s (%s on %s%s)", mount->type, mount->source, mount->point, sync ? ", synchronous" : "");
	if (f->state == FINDING_OK)
		return;
	if (!is_remote(mount) && !is_layered(mount)) {
		finding_cost(out, f, "Every write waits for the disk.");
		finding_advice(out, f, "Mount it without the option sync.");
		finding_command(out, f, "sudo mount -o remount,async %s", words_shell(point, sizeof(point), mount->point));
		return;
	}
	finding_cost(out, f, "%s",
	             is_remote(mount) ? "Every start and every open of a file may wait for another machine."
	                              : "Every open looks through several layers; the first write copies the file.");
	finding_advice(out, f, "Measure in a folder %s.", local_tmp ? "on a local disk" : "in memory, or on a volume");
	finding_command(out, f, "cp -a . %s && cd %s", folder, folder);
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
	struct {
		struct mount_line here, tmp, line;
	} *work = mem_alloc(1, sizeof(*work));
	if (!table || !work)
		patient->out->out_of_memory = true;
	else if (proc_read(patient->host, "/proc/self/mountinfo", table, MOUNTS_MAX) <= 0)
		patient_no_file(patient, f, "/proc/self/mountinfo", NULL);
	else if (find_mount(table, path, &work->line, &work->here) != 0)
		finding_unknown(patient->out, f, "/proc/self/mountinfo does not name the one of %s", path);
	else
		judge(patient, f, &work->here,
		      find_mount(table, "/var/tmp", &work->line, &work->tmp) == 0 && !is_remote(&work->tmp) &&
		          !is_layered(&work->tmp));
	mem_free(table);
	mem_free(work);
}
