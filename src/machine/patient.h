/* What the checks of doctor share: the machine as it was read, and where findings go.
 *
 * Every check adds its findings and never fails: what cannot be read is a finding that is not
 * known. The limits between ok, could be better and bad stand at the head of each file. */
#ifndef TARE_MACHINE_PATIENT_H
#define TARE_MACHINE_PATIENT_H

#include "host/cpuset.h"
#include "host/info.h"
#include "host/topology.h"
#include "machine/glance.h"
#include "model/checkup.h"

struct patient {
	const struct host *host;
	struct host_description description;
	struct host_memory memory;
	struct topology topology;    /* empty where not known */
	struct error topology_error; /* why it is not known */
	struct cpuset online;        /* empty where not known */
	struct cpuset allowed;       /* for this process; empty where not known */
	struct glance before, after;
	double runnable; /* threads that want a CPU, mean over the look; NaN: not known */
	struct checkup *out;
};

/* In the order of the report. */
void check_topology(struct patient *patient); /* cpus smt core-kinds caches numa */
void check_limits(struct patient *patient);   /* affinity cpuset quota isolated */
void check_speed(struct patient *patient);    /* governor turbo frequency */
void check_power(struct patient *patient);    /* thermal power */
void check_guests(struct patient *patient);   /* virtual steal container */
void check_others(struct patient *patient);   /* load pressure run-queue noisy */
void check_memory(struct patient *patient);   /* aslr huge-pages swap memory */
void check_tools(struct patient *patient);    /* clock counters energy */
void check_filesystem(struct patient *patient);

/* CPUs online; 1 where not known. */
size_t patient_cpus(const struct patient *patient);

/* The value of "key:" in /proc/self/status, without blanks around it; -1 with errno when it is not there. */
int patient_status(const struct host *host, const char *key, char *text, size_t size);

/* "There is no FILE" and the like, from errno after a failed reading. `hint` may be NULL. */
void patient_no_file(struct patient *patient, struct finding *finding, const char *path, const char *hint);

/* The state of a number of which less is better. */
enum finding_state state_by_limits(double value, double ok, double tolerable);

enum { WORDS_MAX = 96 };

/* "0 %", "0.4 %", "12 %"; "1.2", "12"; "32 KiB", "1.5 GiB". `text` of WORDS_MAX bytes; returned. */
char *words_percent(char *text, double fraction);
char *words_number(char *text, double value);
char *words_bytes(char *text, int64_t bytes);

/* A path as one word of a shell command; `text` of 4·PATH_MAX + 3 bytes holds any. Returns `text`. */
char *words_shell(char *text, size_t size, const char *path);

/* "1 core", "2 cores". */
const char *words_plural(size_t count, const char *one, const char *many);

#endif
