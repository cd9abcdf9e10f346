/* How the kernel hands out memory.
 *
 * Address randomisation is ok when it is on: repeated runs then average over layouts, where a fixed
 * layout puts its luck into every run. Huge pages are ok when a program has to ask for them: handed out
 * always, they depend on how fragmented memory is. Swapping during the look is bad. */
#include "machine/patient.h"

#include "host/proc.h"

#include <stdlib.h>
#include <string.h>

enum {
	SWAP_USED_OK = 64 << 20, /* bytes: what nobody has touched for long */
	MEMORY_OK_PERCENT = 10,  /* available, of all */
	MEMORY_TOLERABLE_PERCENT = 3,
	NO_RANDOMIZE = 0x0040000, /* of personality(2) */
};

static void check_aslr(struct patient *patient)
{
	static const char path[] = "/proc/sys/kernel/randomize_va_space";
	struct checkup *out = patient->out;
	struct finding *f = checkup_add(out, "aslr", "ASLR", 35);
	char text[32];
	int64_t level;
	if (proc_read_integer(patient->host, path, &level) != 0) {
		patient_no_file(patient, f, path, NULL);
		return;
	}
	bool process_off = proc_read_line(patient->host, "/proc/self/personality", text, sizeof(text)) > 0 &&
	                   (strtoul(text, NULL, 16) & NO_RANDOMIZE);
	f->number = (double)level;
	f->unit = "";
	if (level > 0 && !process_off) {
		finding_says(out, f, FINDING_OK, level == 1 ? "on, but for the heap" : "on");
		return;
	}
	finding_says(out, f, FINDING_COULD_BE_BETTER, level > 0 ? "off for this shell" : "off");
	finding_cost(out, f, "All runs get the same addresses: repeating does not average over layouts.");
	if (level > 0) {
		finding_advice(out, f, "Start tare from a shell without 'setarch -R'.");
		return;
	}
	finding_advice(out, f, "Switch it on.");
	finding_command(out, f, "sudo sysctl kernel.randomize_va_space=2");
}

static void check_huge_pages(struct patient *patient)
{
	static const char path[] = "/sys/kernel/mm/transparent_hugepage/enabled";
	struct checkup *out = patient->out;
	struct finding *f = checkup_add(out, "huge-pages", "huge pages", 42);
	char text[64];
	if (proc_read_line(patient->host, path, text, sizeof(text)) <= 0) {
		patient_no_file(patient, f, path, "this kernel hands out none by itself");
		return;
	}
	/* "always [madvise] never" */
	char *open = strchr(text, '['), *close = open ? strchr(open, ']') : NULL;
	if (!close) {
		finding_unknown(out, f, "%s is malformed", path);
		return;
	}
	*close = '\0';
	const char *chosen = open + 1;
	if (strcmp(chosen, "always") != 0) {
		finding_says(out, f, FINDING_OK, "%s",
		             strcmp(chosen, "madvise") == 0 ? "for programs that ask (madvise)" : chosen);
		return;
	}
	finding_says(out, f, FINDING_COULD_BE_BETTER, "always");
	finding_cost(out, f, "Whether a run gets them depends on how fragmented memory is at that moment.");
	finding_advice(out, f, "Give them only to programs that ask.");
	finding_command(out, f, "echo madvise | sudo tee %s", path);
}

/* A line "SwapTotal:  8000 kB" of /proc/meminfo in bytes; -1: not there. */
static int64_t meminfo(const char *text, const char *key)
{
	const char *at = strstr(text, key);
	return at ? strtoll(at + strlen(key), NULL, 10) * 1024 : -1;
}

static void check_swap(struct patient *patient)
{
	struct checkup *out = patient->out;
	struct finding *f = checkup_add(out, "swap", "swap", 76);
	char text[4096], total_text[WORDS_MAX], used_text[WORDS_MAX];
	ssize_t length = proc_read(patient->host, "/proc/meminfo", text, sizeof(text));
	int64_t total = meminfo(text, "SwapTotal:"), left = meminfo(text, "SwapFree:");
	if (length <= 0 || total < 0 || left < 0) {
		finding_unknown(out, f, "/proc/meminfo does not show it");
		return;
	}
	int64_t used = total - left;
	f->number = (double)used;
	f->unit = "bytes";
	int64_t pages = patient->before.swapped >= 0 ? patient->after.swapped - patient->before.swapped : 0;
	words_bytes(total_text, total);
	words_bytes(used_text, used);
	if (total == 0) {
		finding_says(out, f, FINDING_OK, "none");
		return;
	}
	if (pages > 0)
		finding_says(out, f, FINDING_BAD, "%lld pages moved just now, %s of %s used", (long long)pages, used_text,
		             total_text);
	else if (used == 0)
		finding_says(out, f, FINDING_OK, "%s, unused", total_text);
	else
		finding_says(out, f, used <= SWAP_USED_OK ? FINDING_OK : FINDING_COULD_BE_BETTER, "%s of %s used", used_text,
		             total_text);
	if (f->state == FINDING_OK)
		return;
	finding_cost(out, f, "A program that touches memory that is on the disk waits for the disk.");
	if (patient->memory.available > used) {
		finding_advice(out, f, "Bring it back into memory, and keep it there.");
		finding_command(out, f, "sudo swapoff -a");
	} else {
		finding_advice(out, f, "Free memory: stop what uses most of it.");
		finding_command(out, f, "ps -eo pid,rss,comm --sort=-rss | head");
	}
}

static void check_free(struct patient *patient)
{
	struct checkup *out = patient->out;
	struct finding *f = checkup_add(out, "memory", "memory", 74);
	int64_t total = patient->memory.total, available = patient->memory.available;
	char total_text[WORDS_MAX], available_text[WORDS_MAX];
	if (total <= 0 || available < 0) {
		finding_unknown(out, f, "/proc/meminfo does not show it");
		return;
	}
	double percent = 100 * (double)available / (double)total;
	f->number = (double)available;
	f->unit = "bytes";
	finding_says(out, f,
	             percent >= MEMORY_OK_PERCENT          ? FINDING_OK
	             : percent >= MEMORY_TOLERABLE_PERCENT ? FINDING_COULD_BE_BETTER
	                                                   : FINDING_BAD,
	             "%s of %s available", words_bytes(available_text, available), words_bytes(total_text, total));
	if (f->state == FINDING_OK)
		return;
	finding_cost(out, f, "The kernel takes pages away during runs; files are read from the disk again.");
	finding_advice(out, f, "Free memory: stop what uses most of it.");
	finding_command(out, f, "ps -eo pid,rss,comm --sort=-rss | head");
}

void check_memory(struct patient *patient)
{
	check_aslr(patient);
	check_huge_pages(patient);
	check_swap(patient);
	check_free(patient);
}
