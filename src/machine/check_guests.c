/* Who else shares the hardware below the kernel.
 *
 * Steal during the look is ok up to STEAL_OK (one clock tick of two CPUs in half a second is 1 %) and
 * bad above STEAL_TOLERABLE: the verdict of an unpaired comparison then depends on the neighbours. */
#include "machine/patient.h"

#include "host/proc.h"

#include <math.h>
#include <string.h>

#define STEAL_OK            0.01
#define STEAL_TOLERABLE     0.05
#define STEAL_SINCE_BOOT_OK 0.005

static bool can_read(const struct patient *patient, const char *path)
{
	char text[64];
	return proc_read_line(patient->host, path, text, sizeof(text)) >= 0;
}

static void check_virtual(struct patient *patient)
{
	struct checkup *out = patient->out;
	struct finding *f = checkup_add(out, "virtual", "virtual machine", 30);
	const char *hypervisor = patient->description.hypervisor;
	if (!hypervisor[0] && !can_read(patient, "/proc/cpuinfo")) {
		finding_unknown(out, f, "there is no /proc/cpuinfo");
		return;
	}
	if (!hypervisor[0]) {
		finding_says(out, f, FINDING_OK, "no");
		return;
	}
	if (strcmp(hypervisor, "hypervisor") == 0)
		finding_says(out, f, FINDING_COULD_BE_BETTER, "yes");
	else
		finding_says(out, f, FINDING_COULD_BE_BETTER, "yes (%s)", hypervisor);
	finding_cost(out, f, "Others on the same host use its caches, memory and power, unseen from here.");
	finding_advice(out, f, "Compare side by side in one run, as tare does: both sides suffer equally.");
}

static void check_steal(struct patient *patient)
{
	struct checkup *out = patient->out;
	struct finding *f = checkup_add(out, "steal", "steal", 90);
	const struct glance *before = &patient->before, *after = &patient->after;
	char now_text[WORDS_MAX], boot_text[WORDS_MAX];
	if (!after->has_cpu_times) {
		finding_unknown(out, f, "/proc/stat cannot be read");
		return;
	}
	double boot = info_steal(NULL, &after->cpu_times);
	double now = before->has_cpu_times ? info_steal(&before->cpu_times, &after->cpu_times) : NAN;
	f->number = isnan(now) ? boot : now;
	f->unit = "";
	enum finding_state state = state_by_limits(isnan(now) ? 0 : now, STEAL_OK, STEAL_TOLERABLE);
	if (state == FINDING_OK && boot > STEAL_SINCE_BOOT_OK)
		state = FINDING_COULD_BE_BETTER;
	if (isnan(now))
		finding_says(out, f, state, "%s since boot", words_percent(boot_text, boot));
	else
		finding_says(out, f, state, "%s now, %s since boot", words_percent(now_text, now),
		             words_percent(boot_text, boot));
	if (state == FINDING_OK)
		return;
	finding_cost(out, f, "While the host runs other machines, this one stands still: times grow.");
	finding_advice(out, f, "Measure at a quieter hour, or on an instance with dedicated CPUs.");
}

static void check_container(struct patient *patient)
{
	struct checkup *out = patient->out;
	struct finding *f = checkup_add(out, "container", "container", 15);
	const char *container = patient->description.container;
	char filter[16] = "";
	if (!container[0] && !can_read(patient, "/proc/self/status")) {
		finding_unknown(out, f, "there is no /proc/self/status");
		return;
	}
	if (!container[0]) {
		finding_says(out, f, FINDING_OK, "no");
		return;
	}
	patient_status(patient->host, "Seccomp", filter, sizeof(filter));
	if (strcmp(filter, "2") != 0) {
		finding_says(out, f, FINDING_OK, "yes (%s)", container);
		return;
	}
	finding_says(out, f, FINDING_COULD_BE_BETTER, "yes (%s), with a filter on system calls", container);
	finding_cost(out, f, "Every system call passes the filter, and counters are mostly blocked.");
	finding_advice(out, f, "Start the container without the filter.");
	if (strcmp(container, "docker") == 0 || strcmp(container, "podman") == 0)
		finding_command(out, f, "%s run --security-opt seccomp=unconfined …", container);
}

void check_guests(struct patient *patient)
{
	check_virtual(patient);
	check_steal(patient);
	check_container(patient);
}
