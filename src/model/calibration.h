/* What a machine is able to see: A against A, each program in each design. Plain data, in an arena.
 *
 * It mirrors the JSON of `tare calibrate --json` (man tare-calibrate). A number that is not known is NaN. */
#ifndef TARE_MODEL_CALIBRATION_H
#define TARE_MODEL_CALIBRATION_H

#include "base/arena.h"
#include "model/result.h"

#include <stdbool.h>
#include <stddef.h>

/* The machine that it holds for: with any other it is forgotten. */
struct calibration_machine {
	const char *cpu, *kernel, *virtual_; /* "" where not known */
	long cpus;                           /* online; 0: not known */
	double quota;                        /* CPUs' worth of time; INFINITY: none */
};

/* How far units of `block` pairs scatter, in terms of the log ratio that is judged. */
struct calibration_spread {
	size_t block; /* pairs in a unit; 1: the total of single pairs is judged */
	size_t units; /* seen */
	double sd;    /* of a unit; NaN: fewer than five units (or reckoned from single pairs) */
	double lag1;  /* autocorrelation of neighbouring units, its small-sample bias taken off */
};

/* Times that widths are predicted for, seconds. */
#define CALIBRATION_TIMES \
	{ \
		1, 2, 5, 10, 20, 60, 300 \
	}
enum { CALIBRATION_SPREADS = 4, CALIBRATION_TIME_COUNT = 7 };
extern const double calibration_times[CALIBRATION_TIME_COUNT];
extern const size_t calibration_blocks[CALIBRATION_SPREADS]; /* 1, 10, 20, 40 */

struct calibration_design {
	const char *name;     /* "turns", … */
	const char *left_out; /* why it was not measured; the rest is then unknown; NULL: it was */
	size_t pairs;
	double pair_seconds; /* a pair took, with all around it */
	struct calibration_spread spreads[CALIBRATION_SPREADS];
	/* relative, at 99 %; NaN: too little time for a verdict */
	double half_width[CALIBRATION_TIME_COUNT]; /* of the interval after a fixed time (--stop fixed) */
	double visible[CALIBRATION_TIME_COUNT];    /* a change that is found 9 times in 10 by then (--stop auto) */
	/* false alarms at 99 % in disjoint stretches, each a short experiment */
	size_t experiments, alarms;
	size_t experiment_pairs, experiment_block;
	double alarm_low, alarm_high; /* 95 % interval of their rate (Clopper-Pearson) */
	double interference;          /* duet: time at once over time alone */
};

struct calibration_program {
	const char *name;    /* "cpu", "memory", "start", or the user's command */
	const char *command; /* the user's command, or NULL */
	const char *metric;  /* that decides */
	double run_seconds;  /* of one run alone, by its trial runs; NaN: not known */
	struct calibration_design *designs;
	size_t design_count;
	const char *best; /* design, or NULL */
	const char *made; /* when, RFC 3339 in UTC */
};

/* What one CPU costs against the mean of all that were tried. */
struct calibration_cpu {
	int cpu;
	double effect;    /* 0.01: 1 % slower */
	double low, high; /* 99 % interval; NaN: too few rounds */
	size_t rounds;
};

struct calibration {
	struct arena arena;
	const char *version;
	double elapsed; /* seconds */
	struct calibration_machine machine;
	struct calibration_program *programs;
	size_t program_count;
	struct calibration_cpu *cpus;
	size_t cpu_count;
	const char *best;               /* design over all programs, or NULL */
	struct disturbance disturbance; /* of the machine, meanwhile; nothing of single runs */
};

void calibration_init(struct calibration *calibration);
void calibration_release(struct calibration *calibration);

/* A design with everything unknown. */
void calibration_design_init(struct calibration_design *design, const char *name);

/* Room for one program more, cleared; NULL: no memory. Earlier pointers are no longer valid. */
struct calibration_program *calibration_add_program(struct calibration *calibration);

/* The program of that name, or NULL; the design of that name that was measured, or NULL. */
const struct calibration_program *calibration_find(const struct calibration *calibration, const char *name);
const struct calibration_design *calibration_find_design(const struct calibration_program *program, const char *name);

/* "a CPU-bound program", "a memory-bound program", "a program that only starts", or "this command". */
const char *calibration_kind(const char *program);

/* Puts the programs of `old` that `now` does not have behind those of `now`, at most `most` in all. -1: no memory. */
int calibration_keep_others(struct calibration *now, const struct calibration *old, size_t most);

/* The place of a time in calibration_times. */
size_t calibration_time(double seconds);

#endif
