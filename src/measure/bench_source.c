#include "measure/bench_source.h"

#include "base/memory.h"
#include "host/cpus.h"
#include "host/info.h"
#include "host/priority.h"
#include "measure/source.h"
#include "measure/words.h"

#include <math.h>
#include <poll.h>
#include <string.h>

enum { CPUS_MOST = 4 };

/* A program that is known to speak the protocol may be late on a busy machine. */
static const int64_t KNOWN_START_LIMIT = INT64_C(10000000000);

struct bench_side {
	const char **argv;
	struct harness *first; /* asked and stopped; it owns the list */
	const struct harness_benchmark *list;
	size_t count;
};

struct bench_source {
	struct host host;
	const struct experiment *experiment;
	int cancel;
	struct arena arena;
	struct bench_side *sides;
	struct harness_overhead overhead;
	struct cpus cpus;
	struct cpuset allowed; /* for programs that may run anywhere */
	int measured_on[CPUS_MOST];
	size_t measured_count;
	struct cpu_times times;
	bool have_times;
	struct priority priority;
};

int bench_source_check(const struct experiment *experiment, struct error *err)
{
	struct arena arena = {0};
	size_t count;
	int status = 0;
	for (size_t i = 0; i < experiment->subject_count && status == 0; i++)
		status = words_split(&arena, experiment->subjects[i].command, &count, err) ? 0 : -1;
	arena_release(&arena);
	return status;
}

static int choose_cpus(struct bench_source *source, struct error *err)
{
	const struct experiment *e = source->experiment;
	if (cpus_read(&source->host, &source->cpus, err) != 0)
		return -1;
	source->allowed = source->cpus.allowed;
	if (e->cpu_count == 0) {
		size_t most = source->cpus.count < CPUS_MOST ? source->cpus.count : CPUS_MOST;
		source->measured_count = cpus_choose(&source->cpus, most, source->measured_on);
		return 0;
	}
	memset(&source->allowed, 0, sizeof(source->allowed));
	for (size_t i = 0; i < e->cpu_count; i++) {
		if (!cpus_place(&source->cpus, e->cpus[i])) {
			char list[256];
			error_set(err, ERROR_USAGE, "CPU %d is not one that this process may use", e->cpus[i]);
			error_on(err, "--cpus");
			return error_next(err, "it may use %s", cpuset_format(&source->cpus.allowed, list, sizeof(list)));
		}
		cpuset_add(&source->allowed, e->cpus[i]);
		if (source->measured_count < CPUS_MOST)
			source->measured_on[source->measured_count++] = e->cpus[i];
	}
	return 0;
}

static double middle(double a, double b, double c)
{
	return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

/* The medians of three calibrations: the first runs in a cold process. */
static int calibrate(struct harness *harness, struct harness_overhead *out, struct error *err)
{
	struct harness_overhead r[3];
	for (int i = 0; i < 3; i++)
		if (harness_calibrate(harness, &r[i], err) != 0)
			return -1;
	out->resolution = middle(r[0].resolution, r[1].resolution, r[2].resolution);
	out->fixed_wall = middle(r[0].fixed_wall, r[1].fixed_wall, r[2].fixed_wall);
	out->fixed_cpu = middle(r[0].fixed_cpu, r[1].fixed_cpu, r[2].fixed_cpu);
	out->loop = middle(r[0].loop, r[1].loop, r[2].loop);
	out->loop_limit = middle(r[0].loop_limit, r[1].loop_limit, r[2].loop_limit);
	return 0;
}

static int meet(struct bench_source *source, size_t index, struct error *err)
{
	struct bench_side *side = &source->sides[index];
	struct harness_overhead cost;
	size_t words;
	side->argv = words_split(&source->arena, source->experiment->subjects[index].command, &words, err);
	if (!side->argv || bench_source_start(source, index, -1, &side->first, err) != 0 ||
	    harness_list(side->first, &side->list, &side->count, err) != 0 || calibrate(side->first, &cost, err) != 0)
		return -1;
	/* The mean over the sides; clocks must be fine enough for the coarsest. */
	double share = 1.0 / (double)source->experiment->subject_count;
	source->overhead.resolution = fmax(source->overhead.resolution, cost.resolution);
	source->overhead.fixed_wall += share * cost.fixed_wall;
	source->overhead.fixed_cpu += share * cost.fixed_cpu;
	source->overhead.loop += share * cost.loop;
	source->overhead.loop_limit += share * cost.loop_limit;
	harness_stop(side->first);
	return 0;
}

struct bench_source *bench_source_new(const struct experiment *experiment, int cancel, struct error *err)
{
	struct bench_source *source = mem_zalloc(1, sizeof(*source));
	if (!source) {
		error_memory(err);
		return NULL;
	}
	source->host = host_real();
	source->experiment = experiment;
	source->cancel = cancel;
	source->have_times = info_cpu_times(&source->host, &source->times) == 0;
	source->sides = mem_zalloc(experiment->subject_count, sizeof(*source->sides));
	if (!experiment->bench.keep_priority)
		priority_raise(&source->host, &source->priority);
	int status = source->sides ? choose_cpus(source, err) : error_memory(err);
	if (status == 0)
		return source;
	bench_source_free(source);
	return NULL;
}

int bench_source_meet(struct bench_source *source, struct error *err)
{
	for (size_t i = 0; i < source->experiment->subject_count; i++)
		if (meet(source, i, err) != 0)
			return -1;
	return 0;
}

void bench_source_free(struct bench_source *source)
{
	if (!source)
		return;
	for (size_t i = 0; source->sides && i < source->experiment->subject_count; i++)
		harness_free(source->sides[i].first);
	mem_free(source->sides);
	priority_restore(&source->host, &source->priority);
	cpus_release(&source->cpus);
	arena_release(&source->arena);
	mem_free(source);
}

const struct harness_benchmark *bench_source_list(const struct bench_source *source, size_t side, size_t *count)
{
	*count = source->sides[side].count;
	return source->sides[side].list;
}

const struct harness_overhead *bench_source_overhead(const struct bench_source *source)
{
	return &source->overhead;
}

const int *bench_source_cpus(const struct bench_source *source, size_t *count)
{
	*count = source->measured_count;
	return source->measured_on;
}

const struct cpuset *bench_source_allowed(const struct bench_source *source)
{
	return &source->allowed;
}

int bench_source_start(const struct bench_source *source, size_t side, int cpu, struct harness **out, struct error *err)
{
	struct cpuset one;
	struct harness_request request = {
		.argv = source->sides[side].argv,
		.env = source->experiment->subjects[side].env,
		.directory = source->experiment->subjects[side].directory,
		.cpus = &source->allowed,
		.start_limit = source->sides[side].list ? KNOWN_START_LIMIT : source->experiment->bench.start_limit,
		.cancel = source->cancel,
	};
	if (cpu >= 0) {
		memset(&one, 0, sizeof(one));
		cpuset_add(&one, cpu);
		request.cpus = &one;
	}
	if (request.start_limit < source->experiment->bench.start_limit)
		request.start_limit = source->experiment->bench.start_limit;
	return harness_start(&source->host, &request, out, err);
}

int bench_source_describe(const struct bench_source *source, struct result *result, struct error *err)
{
	return measure_describe_machine(&source->host, source->have_times ? &source->times : NULL, result, err);
}

bool bench_source_cancelled(const struct bench_source *source)
{
	struct pollfd fd = {.fd = source->cancel, .events = POLLIN};
	struct timespec now = {0, 0};
	return source->cancel >= 0 && source->host.sys->ppoll(&fd, 1, &now, NULL) > 0;
}
