/* SPDX-License-Identifier: MIT */
/* What the measuring itself costs in this program, on this machine, with these compiler options.
 *
 * fixed: an iteration of no invocations, median. loop_limit: one turn of an empty loop. What a turn adds to real work
 * is less, for a processor that looks ahead counts down while the work waits: loop = 2·T(chain) − T(chain twice), where
 * "chain" is a loop over dependent instructions and "chain twice" a loop over twice as many; between 0 and loop_limit.
 * The least of several timings is taken: a disturbance only adds. Subtracting loop_limit instead would show a chain of
 * 2 ns a sixth too fast. */
#include "harness/internal.h"

#include <stdlib.h>
#include <string.h>

enum { TARE_EMPTY_ITERATIONS = 101, TARE_LOOP_ITERATIONS = 9, TARE_LOOP_INVOCATIONS = 16384 };

static int tare_by_value(const void *a, const void *b)
{
	const double *left = (const double *)a, *right = (const double *)b;
	return *left < *right ? -1 : *left > *right;
}

static double tare_median(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), tare_by_value);
	return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* Median wall and CPU time of iterations without an invocation. */
static void tare_measure_fixed(struct tare_selected *selected, struct tare_reply *reply, struct tare_overhead *overhead)
{
	double wall[TARE_EMPTY_ITERATIONS], cpu[TARE_EMPTY_ITERATIONS];
	struct tare_grant grant;
	memset(&grant, 0, sizeof(grant));
	grant.metrics = TARE_HAS_CPU;
	for (size_t i = 0; i < TARE_EMPTY_ITERATIONS; i++) {
		tare_iterate(selected, &grant, reply);
		wall[i] = (double)reply->answer.wall;
		cpu[i] = (double)reply->answer.cpu;
	}
	overhead->fixed_wall = tare_median(wall, TARE_EMPTY_ITERATIONS);
	overhead->fixed_cpu = tare_median(cpu, TARE_EMPTY_ITERATIONS);
}

/* Least nanoseconds of one turn of a loop. */
static double tare_measure_turn(struct tare_selected *selected, struct tare_reply *reply, double fixed)
{
	double least = 0;
	struct tare_grant grant;
	memset(&grant, 0, sizeof(grant));
	grant.invocations = TARE_LOOP_INVOCATIONS;
	for (int i = 0; i < TARE_LOOP_ITERATIONS; i++) {
		tare_iterate(selected, &grant, reply);
		double turn = ((double)reply->answer.wall - fixed) / TARE_LOOP_INVOCATIONS;
		if (i == 0 || turn < least)
			least = turn;
	}
	return least > 0 ? least : 0;
}

void tare_calibrate(const struct tare_loops *loops, struct tare_overhead *overhead)
{
	const tare_function functions[3] = {loops->empty, loops->chain, loops->chain_twice};
	double turn[3];
	struct tare_reply *reply = (struct tare_reply *)tare_allocate(1, sizeof(*reply));
	memset(overhead, 0, sizeof(*overhead));
	overhead->resolution = tare_clock_resolution();
	for (int i = 0; i < 3; i++) {
		struct tare_registration registration;
		struct tare_benchmark benchmark;
		struct tare_instance instance;
		struct tare_selected selected;
		memset(&registration, 0, sizeof(registration));
		memset(&benchmark, 0, sizeof(benchmark));
		memset(&instance, 0, sizeof(instance));
		registration.function = functions[i];
		benchmark.registration = &registration;
		instance.benchmark = &benchmark;
		instance.threads = 1;
		tare_select(&selected, &instance, reply);
		if (i == 0)
			tare_measure_fixed(&selected, reply, overhead);
		turn[i] = tare_measure_turn(&selected, reply, overhead->fixed_wall);
		tare_deselect(&selected);
	}
	overhead->loop_limit = turn[0];
	overhead->loop = 2 * turn[1] - turn[2];
	if (overhead->loop > overhead->loop_limit)
		overhead->loop = overhead->loop_limit;
	if (overhead->loop < 0)
		overhead->loop = 0;
	free(reply);
}

double tare_corrected(const struct tare_answer *answer, const struct tare_overhead *overhead)
{
	double invocations = (double)answer->invocations;
	double starts = (double)answer->segments / (double)answer->thread_count; /* of one thread */
	double wall = (double)answer->wall - starts * overhead->fixed_wall - invocations * overhead->loop;
	return wall > 0 && invocations > 0 ? wall / invocations : 0;
}
