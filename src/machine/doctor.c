/* Two looks at what moves, with samples of the run queue between them while this process sleeps; then,
 * when the looks are over, everything that stands still. In this order doctor's own work is not seen
 * as noise. */
#include "machine/doctor.h"

#include "host/clock.h"
#include "host/proc.h"
#include "machine/patient.h"

#include <math.h>

enum {
	QUEUE_SAMPLES = 20,
	PROCESSES_EVERY = 4,   /* samples */
	QUICK = 10000000,      /* ns: a look that takes longer is not repeated in between */
	SCAN_TIME = 100000000, /* ns for the processes in between */
};

static void read_cpus(struct patient *patient)
{
	char text[1024];
	if (proc_read_line(patient->host, "/sys/devices/system/cpu/online", text, sizeof(text)) > 0)
		cpuset_parse(text, &patient->online, NULL);
	/* The file and not the system call, so that a snapshot has it too. */
	if (patient_status(patient->host, "Cpus_allowed_list", text, sizeof(text)) == 0)
		cpuset_parse(text, &patient->allowed, NULL);
	if (cpuset_count(&patient->online) == 0)
		patient->online = patient->allowed;
}

/* Adds a reading of the processes to those seen before: `seen` then holds all that were there at some time. */
static int see_processes(const struct host *host, struct processes *seen, struct error *err)
{
	struct processes now;
	struct error problem = {0};
	if (processes_read(host, SCAN_TIME, &now, &problem) != 0)
		return problem.kind == ERROR_MEMORY ? error_memory(err) : 0;
	int failed = processes_keep_ended(&now, seen, err);
	processes_release(seen);
	*seen = now;
	return failed;
}

/* Sleeps through the look and samples the run queue and, where that is quick, the processes. */
static int watch(struct patient *patient, const struct host *later, int64_t look, bool quick, struct processes *seen,
                 struct error *err)
{
	int64_t sum = 0;
	int known = 0;
	for (int i = 0; i < QUEUE_SAMPLES; i++) {
		clock_sleep(patient->host, look / QUEUE_SAMPLES);
		int runnable = glance_runnable(later);
		if (runnable >= 0) {
			sum += runnable;
			known++;
		}
		if (quick && i % PROCESSES_EVERY == 0 && see_processes(later, seen, err) != 0)
			return -1;
	}
	patient->runnable = known ? (double)sum / known : NAN;
	return 0;
}

static int look_twice(struct patient *patient, const struct host *later, int64_t look, struct error *err)
{
	struct processes seen = {0};
	int64_t began = clock_now(patient->host);
	if (glance_take(patient->host, &patient->online, &patient->before, err) != 0)
		return -1;
	bool quick = clock_now(patient->host) - began < QUICK;
	int failed = watch(patient, later, look, quick, &seen, err);
	if (!failed)
		failed = glance_take(later, &patient->online, &patient->after, err);
	if (!failed)
		failed = processes_keep_ended(&patient->after.processes, &seen, err);
	processes_release(&seen);
	return failed;
}

static void run_checks(struct patient *patient)
{
	info_describe(patient->host, &patient->description);
	info_memory(patient->host, &patient->memory);
	if (topology_read(patient->host, &patient->topology, &patient->topology_error) != 0 &&
	    patient->topology_error.kind == ERROR_MEMORY)
		patient->out->out_of_memory = true;
	check_topology(patient);
	check_limits(patient);
	check_speed(patient);
	check_power(patient);
	check_guests(patient);
	check_others(patient);
	check_memory(patient);
	check_tools(patient);
	check_filesystem(patient);
}

static const char *keep(struct checkup *checkup, const char *text)
{
	const char *copy = text[0] ? arena_strdup(&checkup->arena, text) : NULL;
	if (text[0] && !copy)
		checkup->out_of_memory = true;
	return copy;
}

int doctor_examine(const struct host *host, const struct host *later, int64_t look, struct checkup *out,
                   struct error *err)
{
	struct checkup checkup = {.count = 0};
	struct patient patient = {.host = host, .runnable = NAN, .out = &checkup};
	int64_t began = clock_now(host);
	read_cpus(&patient);
	int failed = look_twice(&patient, later, look, err);
	if (!failed) {
		run_checks(&patient);
		checkup.cpu = keep(&checkup, patient.description.cpu);
		checkup.os = keep(&checkup, patient.description.os);
		checkup.kernel = keep(&checkup, patient.description.kernel);
		checkup_order(&checkup);
		checkup.seconds = (double)(clock_now(host) - began) / 1e9;
	}
	glance_release(&patient.before);
	glance_release(&patient.after);
	topology_release(&patient.topology);
	if (!failed && checkup.out_of_memory)
		failed = error_memory(err);
	if (failed)
		checkup_release(&checkup);
	else
		*out = checkup;
	return failed;
}
