/* The harness programs of an experiment: what they hold, what measuring in them costs, and fresh processes of them.
 *
 * A side is one subject of the experiment: a program with its environment. */
#ifndef TARE_MEASURE_BENCH_SOURCE_H
#define TARE_MEASURE_BENCH_SOURCE_H

#include "base/error.h"
#include "measure/harness.h"
#include "model/experiment.h"
#include "model/result.h"

struct bench_source;

/* Splits the commands into words; starts nothing. ERROR_USAGE when one is malformed. */
int bench_source_check(const struct experiment *experiment, struct error *err);

/* Chooses CPUs; starts nothing. `cancel` is a descriptor that becomes readable when the user interrupts. NULL and err
 * when a CPU of the experiment is not allowed. */
struct bench_source *bench_source_new(const struct experiment *experiment, int cancel, struct error *err);
void bench_source_free(struct bench_source *source);

/* Starts every program once and asks for its benchmarks and for what its clock and loop cost. -1 and err when one cannot
 * be started or does not speak the protocol. */
int bench_source_meet(struct bench_source *source, struct error *err);

const struct harness_benchmark *bench_source_list(const struct bench_source *source, size_t side, size_t *count);

/* ns; one for all sides, for two readings of the same cost would look like a difference. */
const struct harness_overhead *bench_source_overhead(const struct bench_source *source);

/* CPUs to measure on, best first: those of the experiment, else one of each core, four at most. */
const int *bench_source_cpus(const struct bench_source *source, size_t *count);

/* All that programs may use. */
const struct cpuset *bench_source_allowed(const struct bench_source *source);

/* A fresh process of a side on one CPU; -1: on any that is allowed. */
int bench_source_start(const struct bench_source *source, size_t side, int cpu, struct harness **out,
                       struct error *err);

/* Fills the result's record of the machine. */
int bench_source_describe(const struct bench_source *source, struct result *result, struct error *err);

bool bench_source_cancelled(const struct bench_source *source);

#endif
