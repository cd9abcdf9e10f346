#include "adapters/guest.h"
#include "session/script.h"

#include "base/memory.h"
#include "base/random.h"
#include "builds/copies.h"
#include "host/binary.h"
#include "measure/bench_source.h"
#include "measure/disturbance.h"
#include "measure/pi_reader.h"
#include "measure/source.h"
#include "model/outcome.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
	const struct script *script;
	int64_t now; /* ns */
	struct random random;
	struct buffer log;
	size_t trials, hooks, builds, guests, runs[SCRIPT_ACTORS];
	uint64_t build_seed;
	size_t on_cpu[4], on_cpus;     /* processes bound to a CPU, and to any */
	int64_t granted[SCRIPT_SIDES]; /* by side: when it last began an iteration */
	bool busy[SCRIPT_SIDES];       /* it has not ended */
} world;

static int script_clock(clockid_t clock, struct timespec *out)
{
	(void)clock;
	*out = (struct timespec){world.now / 1000000000, world.now % 1000000000};
	return 0;
}

/* Of the system calls a session itself makes none but for the clock and host_real(); a build looks for its program. */
const struct syscalls syscalls_libc = {.clock_gettime = script_clock, .access = access, .readlink = readlink};

void script_begin(const struct script *script)
{
	buffer_release(&world.log);
	memset(&world, 0, sizeof(world));
	world.script = script;
	world.now = INT64_C(1000000000000);
	random_seed(&world.random, script->seed);
}

void script_end(void)
{
	buffer_release(&world.log);
	memset(&world, 0, sizeof(world));
}

const struct buffer *script_log(void)
{
	return &world.log;
}

double script_now(void)
{
	return (double)world.now / 1e9;
}

void script_pass(double seconds)
{
	world.now += (int64_t)(seconds * 1e9);
}

/* Four uniform numbers make a bell; no function of libm is involved, whose last bit differs between machines. */
double script_draw(double noise)
{
	double sum = -2;
	for (int i = 0; i < 4; i++)
		sum += random_uniform(&world.random);
	return 1 + 1.7320508 * noise * sum;
}

static bool has_fault(size_t actor, enum script_fault_kind kind)
{
	for (size_t i = 0; i < SCRIPT_FAULTS; i++) {
		const struct script_fault *fault = &world.script->actors[actor].faults[i];
		if (fault->kind == kind && world.runs[actor] >= fault->from && world.runs[actor] <= fault->to)
			return true;
	}
	return false;
}

static bool is_cancelled(void)
{
	return world.script->cancel_after && world.trials >= world.script->cancel_after;
}

static bool is_broken_off(void)
{
	return world.script->cancel_within && is_cancelled();
}

static double seconds_of(const struct script_actor *actor, size_t run, double work)
{
	double time = actor->time * work * script_draw(actor->noise) * (1 + actor->drift * (double)run);
	double tail = random_uniform(&world.random); /* drawn in any case: scripts that differ in one thing stay alike */
	if (tail < actor->tail)
		time *= actor->tail_times;
	time += actor->start + actor->curve * work * work;
	return actor->grain > 0 ? (floor(time / actor->grain) + 1) * actor->grain : time;
}

static int describe_machine(struct result *result, struct error *err)
{
	result->host.cpu = arena_strdup(&result->arena, "scripted");
	result->host.cpus = (long)(world.script->cpus ? world.script->cpus : 2);
	return result->host.cpu ? 0 : error_memory(err);
}

static size_t cpu_count(void)
{
	return world.script->cpus ? world.script->cpus : 2;
}

/* ---- commands (measure/source.h) ---- */

enum { STEPS = 2, BUILT_IN_MOST = METRICS_OF_COMMANDS + 8, UNITS_MOST = 4096 };

struct source {
	const struct experiment *experiment;
	struct metric metrics[BUILT_IN_MOST];
	size_t metric_count;
	double values[SCRIPT_ACTORS][BUILT_IN_MOST];
	struct pi_numbers numbers[STEPS][8];
	double units[STEPS][UNITS_MOST];
	double work[SCRIPT_ACTORS];
	bool without_readings;
	struct source_end end;
	bool was_ended;
};

int source_check(const struct experiment *experiment, struct error *err)
{
	(void)experiment;
	(void)err;
	return 0;
}

void source_renew(const struct experiment_subject *subject)
{
	(void)subject;
}

int source_program(const struct experiment_subject *subject, char *path, size_t size, struct error *err)
{
	(void)subject;
	(void)err;
	snprintf(path, size, "/bin/sh");
	return 0;
}

struct source *source_new(const struct experiment *experiment, struct spawner *spawner, int cancel, struct error *err)
{
	struct source *source = mem_zalloc(1, sizeof(*source));
	(void)spawner;
	(void)cancel;
	if (!source) {
		error_memory(err);
		return NULL;
	}
	source->experiment = experiment;
	for (int i = 0; i < METRICS_OF_COMMANDS; i++)
		source->metrics[source->metric_count++] = metric_of((enum metric_id)i);
	for (size_t i = 0; i < experiment->pi_count; i++)
		source->metrics[source->metric_count++] = experiment->pis[i].metric;
	for (size_t i = 0; i < SCRIPT_ACTORS; i++)
		source->work[i] = 1;
	return source;
}

void source_free(struct source *source)
{
	mem_free(source);
}

size_t source_metric_count(const struct source *source)
{
	return source->metric_count;
}

const struct metric *source_metric(const struct source *source, size_t index)
{
	return &source->metrics[index];
}

double source_quantum(const struct source *source, size_t index)
{
	(void)source;
	return index >= METRICS_OF_COMMANDS || index == METRIC_CPU ? 0 : metric_step((enum metric_id)index);
}

bool source_has_side_files(const struct source *source)
{
	(void)source;
	return false;
}

void source_want_readings(struct source *source, bool wanted)
{
	source->without_readings = !wanted;
}

int source_set_command(struct source *source, size_t subject, const char *command, struct error *err)
{
	const char *last = strrchr(command, ' ');
	(void)err;
	source->work[subject] = last ? strtod(last + 1, NULL) : 1;
	return 0;
}

static bool fails(struct sample *sample, size_t actor)
{
	static const struct {
		enum script_fault_kind kind;
		enum sample_status status;
		const char *what, *next;
	} known[] = {
		{FAULT_EXIT, SAMPLE_FAILED, "exit 1", ""},
		{FAULT_SIGNAL, SAMPLE_FAILED, "signal 11 (Segmentation fault)", ""},
		{FAULT_TIMEOUT, SAMPLE_TIMED_OUT, "timeout", ""},
		{FAULT_NOT_STARTED, SAMPLE_NOT_STARTED, "there is no such program", ""},
		{FAULT_IGNORED, SAMPLE_OK, "exit 1", ""},
	};
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (!has_fault(actor, known[i].kind))
			continue;
		sample->status = known[i].status;
		snprintf(sample->what, sizeof(sample->what), "%s", known[i].what);
		return sample->status != SAMPLE_OK;
	}
	return false;
}

/* A tenth of the readings warm-up, which takes longer; the last few cool-down. */
static void fill_units(struct source *source, size_t step, size_t actor, double work)
{
	const struct script_actor *who = &world.script->actors[actor];
	size_t n = (size_t)((double)who->readings * work), place = 0;
	n = n < UNITS_MOST ? n : UNITS_MOST;
	for (size_t i = 0; i < n; i++)
		source->units[step][i] = who->reading * script_draw(who->reading_noise) *
		                         (10 * i < n         ? 2
		                          : 20 * (n - i) < n ? 1.6
		                                             : 1);
	for (size_t i = 0; i < source->experiment->pi_count; i++) {
		source->numbers[step][i] = (struct pi_numbers){0};
		place = source->experiment->pis[i].units ? i : place;
	}
	if (!source->without_readings)
		source->numbers[step][place] = (struct pi_numbers){source->units[step], n, n};
}

static void fill(struct source *source, size_t step, const struct source_step *what, double crowd, bool shares,
                 struct sample *sample)
{
	size_t actor = what->subject;
	const struct script_actor *who = &world.script->actors[actor];
	double *values = source->values[actor], work = source->work[actor];
	size_t run = ++world.runs[actor];
	double running = seconds_of(who, run, work), shock = random_uniform(&world.random);
	double reading = who->reading * script_draw(who->reading_noise);
	*sample = (struct sample){.values = values, .numbers = source->numbers[step], .single_threaded = !who->threads};
	for (size_t m = 0; m < source->metric_count; m++)
		values[m] = NAN;
	fill_units(source, step, actor, work);
	running *= crowd > 0 ? crowd : 1;
	sample->started = world.now;
	if (is_broken_off()) {
		sample->status = SAMPLE_CANCELLED;
		return;
	}
	if (fails(sample, actor)) {
		sample->ended = world.now + (int64_t)(running * 1e9);
		return;
	}
	double delay = shock < who->shock ? running / 10 : running / 1000, cpu = running * (1 - who->waits);
	double wall = running + delay + (shares ? running : 0);
	sample->left_alive = has_fault(actor, FAULT_UNKILLABLE);
	snprintf(sample->left_behind, sizeof(sample->left_behind), "%s",
	         sample->left_alive || has_fault(actor, FAULT_LEFTOVER) ? "sleep" : "");
	sample->ended = world.now + (int64_t)(wall * 1e9);
	values[METRIC_WALL] = floor(wall * 1e9) / 1e9;
	values[METRIC_CPU] = floor((who->threads ? 1.7 : 1) * cpu * 1e9) / 1e9;
	values[METRIC_DELAY] = who->threads ? NAN : floor(delay * 1e9) / 1e9;
	values[METRIC_NET] = who->threads ? NAN : values[METRIC_WALL] - values[METRIC_DELAY];
	values[METRIC_USER] = floor(cpu * 250) / 250;
	values[METRIC_SYSTEM] = floor(cpu * 25) / 250;
	values[METRIC_RSS] = 1e6 + 4096 * (double)(actor + run % 3);
	values[METRIC_FAULTS] = 100 + (double)(run % 7);
	values[METRIC_SWITCHES] = (double)(run % 2);
	values[METRIC_MIGRATIONS] = 0;
	for (size_t i = 0; i < source->experiment->pi_count; i++)
		values[METRICS_OF_COMMANDS + i] = source->experiment->pis[i].units ? NAN : reading * (1 + (double)i);
	if (source->without_readings)
		for (size_t i = 0; i < source->experiment->pi_count; i++)
			values[METRICS_OF_COMMANDS + i] = NAN;
}

static void say_nothing(void *context)
{
	(void)context;
}

bool source_may_run_ahead(const struct source *source)
{
	(void)source;
	return false;
}

int source_run_ahead(struct source *source, const struct source_step *steps, size_t count, struct error *err)
{
	(void)source;
	(void)steps;
	(void)count;
	return error_set(err, ERROR_INTERNAL, "a script has no runs ahead");
}

size_t source_ahead(const struct source *source)
{
	(void)source;
	return 0;
}

int source_measure(struct source *source, const struct source_step *steps, size_t count, struct sample *samples,
                   struct error *err)
{
	(void)err;
	bool shares = count > 1 && steps[0].cpu == steps[1].cpu;
	int64_t end = world.now;
	buffer_printf(&world.log, "%.6f", script_now());
	for (size_t i = 0; i < count; i++) {
		const struct script_actor *who = &world.script->actors[steps[i].subject];
		fill(source, i, &steps[i], count > 1 ? who->crowd : 1, shares, &samples[i]);
		end = samples[i].ended > end ? samples[i].ended : end;
		buffer_printf(&world.log, " %c", (char)('A' + steps[i].subject));
		if (steps[i].cpu >= 0)
			buffer_printf(&world.log, "%d", steps[i].cpu);
		if (source->work[steps[i].subject] != 1)
			buffer_printf(&world.log, "(%.6g)", source->work[steps[i].subject]);
		buffer_text_add(&world.log, samples[i].status == SAMPLE_OK ? "" : "!");
	}
	buffer_char(&world.log, '\n');
	if (source->end.instant && source->end.instant < end) {
		source->end.late(source->end.context);
		source->end.late = say_nothing;
	}
	world.now = end + 200000;
	world.trials++;
	return 0;
}

void source_set_end(struct source *source, const struct source_end *end)
{
	source->end = *end;
}

bool source_was_ended(const struct source *source)
{
	return source->was_ended;
}

static int play_hook(struct source *source, const char *command, const char *what, struct error *err)
{
	int64_t takes = world.script->hook_time > 0 ? (int64_t)(world.script->hook_time * 1e9) : 5000000;
	int64_t left = source->end.instant - world.now;
	left = left > source->end.least ? left : source->end.least;
	source->was_ended = source->end.instant && takes > left;
	buffer_printf(&world.log, "%.6f %s: %s\n", script_now(), what, command);
	world.now += source->was_ended ? left : takes;
	if (source->was_ended)
		return error_set(err, ERROR_NO_DATA, "--%s ran past --max-time", what);
	if (++world.hooks != world.script->hook_fails)
		return 0;
	error_set(err, ERROR_SUBJECT, "the %s command failed: exit 1", what);
	return error_on(err, "%s", command);
}

int source_hook(struct source *source, const char *command, const char *what, struct error *err)
{
	return play_hook(source, command, what, err);
}

int source_hook_of(struct source *source, size_t subject, const char *command, const char *what, struct error *err)
{
	(void)subject;
	return play_hook(source, command, what, err);
}

int source_machine(const struct source *source, struct source_machine *out, struct error *err)
{
	(void)source;
	(void)err;
	*out = (struct source_machine){
		.usable_cpus = cpu_count(), .cpus = {0, 1}, .cpu_count = cpu_count() > 1 ? 2 : 1, .memory_free = 1e9};
	return 0;
}

size_t source_cpus(const struct source *source, size_t most, int *out)
{
	(void)source;
	size_t n = cpu_count() < most ? cpu_count() : most;
	for (size_t i = 0; i < n; i++)
		out[i] = (int)i;
	return n;
}

int source_describe(const struct source *source, struct result *result, struct error *err)
{
	(void)source;
	return describe_machine(result, err);
}

bool source_cancelled(const struct source *source)
{
	(void)source;
	return is_cancelled();
}

int64_t source_now(const struct source *source)
{
	(void)source;
	return world.now;
}

const char *source_note(const struct source *source, size_t index)
{
	(void)source;
	return world.script->notes && index == 0 ? "this machine has no counters" : NULL;
}

/* ---- harness programs (measure/bench_source.h, measure/harness.h) ---- */

struct bench_source {
	const struct experiment *experiment;
	struct harness_benchmark lists[SCRIPT_SIDES][SCRIPT_BENCHMARKS];
	struct harness_pair defaults[SCRIPT_BENCHMARKS], parameters[SCRIPT_SIDES][SCRIPT_BENCHMARKS];
	char texts[SCRIPT_BENCHMARKS][2][40], values[SCRIPT_SIDES][SCRIPT_BENCHMARKS][40];
	int cpus[4];
};

struct harness {
	const struct bench_source *source;
	size_t side, actor, iteration;
	int cpu;
	double level; /* of this process */
	struct harness_grant grant;
	int64_t granted, ends, wall, delay;
	struct tare_metric own;
	double *units;
	bool selected;
};

int bench_source_check(const struct experiment *experiment, struct error *err)
{
	(void)experiment;
	(void)err;
	return 0;
}

/* "sort/size=8" has a parameter. */
static void describe_benchmark(struct bench_source *source, size_t side, size_t i)
{
	struct harness_benchmark *benchmark = &source->lists[side][i];
	const char *name = world.script->benchmarks[i], *slash = strchr(name, '/'), *given = world.script->defaults[i];
	*benchmark = (struct harness_benchmark){.name = name};
	if (slash) {
		snprintf(source->values[side][i], sizeof(source->values[side][i]), "%s", slash + 1);
		char *equals = strchr(source->values[side][i], '=');
		*equals = '\0';
		source->parameters[side][i] = (struct harness_pair){source->values[side][i], equals + 1};
		benchmark->parameters = &source->parameters[side][i];
		benchmark->parameter_count = 1;
	}
	if (given) {
		snprintf(source->texts[i][0], sizeof(source->texts[i][0]), "%s", given);
		char *equals = strchr(source->texts[i][0], '=');
		*equals = '\0';
		source->defaults[i] = (struct harness_pair){source->texts[i][0], equals + 1};
		benchmark->defaults = &source->defaults[i];
		benchmark->default_count = 1;
	}
}

struct bench_source *bench_source_new(const struct experiment *experiment, int cancel, struct error *err)
{
	struct bench_source *source = mem_zalloc(1, sizeof(*source));
	(void)cancel;
	if (!source) {
		error_memory(err);
		return NULL;
	}
	source->experiment = experiment;
	for (size_t s = 0; s < SCRIPT_SIDES; s++)
		for (size_t i = 0; i < world.script->benchmark_count; i++)
			describe_benchmark(source, s, i);
	for (int i = 0; i < 4; i++)
		source->cpus[i] = i;
	world.now += 10000000;
	return source;
}

int bench_source_meet(struct bench_source *source, struct error *err)
{
	(void)source;
	(void)err;
	return 0;
}

const struct cpuset *bench_source_allowed(const struct bench_source *source)
{
	(void)source;
	return NULL;
}

/* ---- suites of other frameworks (adapters/guest.h): every program is one, or none ---- */

struct guest {
	size_t side;
	struct harness_benchmark list[SCRIPT_BENCHMARKS];
};

struct spawner *spawner_open(const struct host *host, struct error *err)
{
	static char nobody;
	(void)host;
	(void)err;
	return (struct spawner *)(void *)&nobody;
}

void spawner_rest(struct spawner *spawner)
{
	(void)spawner;
}

void spawner_close(struct spawner *spawner)
{
	(void)spawner;
}

int guest_open(const struct guest_request *request, struct guest **out, struct error *err)
{
	(void)request;
	*out = NULL;
	if (!world.script->adapter || (world.script->one_guest && world.guests == 1))
		return 0;
	struct guest *guest = mem_zalloc(1, sizeof(*guest));
	if (!guest)
		return error_memory(err);
	guest->side = world.guests++;
	for (size_t i = 0; i < world.script->benchmark_count; i++)
		guest->list[i].name = world.script->benchmarks[i];
	*out = guest;
	return 0;
}

void guest_free(struct guest *guest)
{
	mem_free(guest);
}

void guest_use(struct guest *guest, struct spawner *spawner)
{
	(void)guest;
	(void)spawner;
}

const struct adapter *guest_adapter(const struct guest *guest)
{
	(void)guest;
	return world.script->adapter;
}

int guest_list(struct guest *guest, const struct harness_benchmark **out, size_t *count, struct error *err)
{
	(void)err;
	*out = guest->list;
	*count = world.script->benchmark_count - (guest->side > 0 ? world.script->missing : 0);
	return 0;
}

const char *const *guest_doubles(const struct guest *guest, size_t *count)
{
	static const char *const twice[] = {"twice"};
	*count = guest->side == 0 && world.script->doubles;
	return twice;
}

/* The values of one benchmark of a process; false: it takes the process with it. */
static bool fill_guest(const struct guest *guest, const struct guest_order *order, size_t at, double crowd,
                       struct guest_run *run)
{
	size_t i = 0;
	while (strcmp(world.script->benchmarks[i], order->benchmarks[at]->name) != 0)
		i++;
	size_t actor = guest->side * world.script->benchmark_count + i;
	const struct script_actor *who = &world.script->actors[actor];
	struct guest_values *values = &run->values[at];
	world.runs[actor]++;
	if (has_fault(actor, FAULT_SIGNAL)) {
		run->outcome.status = OUTCOME_SIGNAL;
		snprintf(values->why, sizeof(values->why), "signal 11 (Segmentation fault)");
		return false;
	}
	values->samples = arena_alloc(&run->arena, order->repetitions, sizeof(*values->samples));
	double level = script_draw(who->run_noise);
	for (values->count = 0; values->samples && values->count < order->repetitions; values->count++) {
		int64_t cpu = (int64_t)(seconds_of(who, world.runs[actor], 1) * level * crowd * 1e9 *
		                        (double)GUEST_INVOCATIONS);
		values->samples[values->count] = (struct harness_sample){
			.invocations = GUEST_INVOCATIONS,
			.segments = 1,
			.wall = cpu + cpu / 1000,
			.cpu = world.script->adapter->reports_cpu ? cpu - (int64_t)((double)cpu * who->waits) : -1,
			.delay = -1,
			.process_cpu = -1,
			.thread_count = 1};
	}
	return true;
}

const char *guest_cut_short(const struct guest *guest)
{
	(void)guest;
	return NULL;
}

int guest_adopt(struct guest *guest, const struct guest *other, struct error *err)
{
	(void)guest;
	(void)other;
	return error_set(err, ERROR_INTERNAL, "there is no guest");
}

int guest_run(struct guest *const *guests, size_t guest_count, const struct guest_order *orders, struct guest_run *runs,
              struct error *err)
{
	double seconds = 0;
	if (is_broken_off())
		return error_set(err, ERROR_INTERRUPTED, "interrupted");
	buffer_printf(&world.log, "%.6f guest", script_now());
	for (size_t g = 0; g < guest_count; g++) {
		const struct script_actor *who = &world.script->actors[guests[g]->side * world.script->benchmark_count];
		struct guest_run *run = &runs[g];
		*run = (struct guest_run){.one_thread = !who->threads, .busy = 1 - who->waits};
		outcome_init(&run->outcome);
		run->outcome.status = OUTCOME_OK;
		run->values = arena_alloc(&run->arena, orders[g].count, sizeof(*run->values));
		if (!run->values)
			return error_memory(err);
		buffer_printf(&world.log, " %c:", (char)('A' + guests[g]->side));
		bool lives = true;
		for (size_t at = 0; at < orders[g].count && lives; at++) {
			buffer_printf(&world.log, "%s%s", at ? "," : "", orders[g].benchmarks[at]->name);
			lives = fill_guest(guests[g], &orders[g], at, guest_count > 1 && who->crowd > 0 ? who->crowd : 1, run);
			seconds += orders[g].seconds;
		}
	}
	buffer_char(&world.log, '\n');
	world.now += (int64_t)(seconds * 1e9) + 20000000;
	world.trials++;
	return 0;
}

void guest_run_release(struct guest_run *run)
{
	arena_release(&run->arena);
	run->values = NULL;
}

void bench_source_free(struct bench_source *source)
{
	mem_free(source);
}

const struct harness_benchmark *bench_source_list(const struct bench_source *source, size_t side, size_t *count)
{
	*count = world.script->benchmark_count - (side > 0 ? world.script->missing : 0);
	return source->lists[side];
}

const struct harness_overhead *bench_source_overhead(const struct bench_source *source)
{
	static const struct harness_overhead overhead = {
		.resolution = 1, .fixed_wall = 40, .fixed_cpu = 300, .loop = 0.3, .loop_limit = 0.5};
	(void)source;
	return &overhead;
}

const int *bench_source_cpus(const struct bench_source *source, size_t *count)
{
	*count = cpu_count() < 4 ? cpu_count() : 4;
	return source->cpus;
}

int bench_source_start(const struct bench_source *source, size_t side, int cpu, struct harness **out, struct error *err)
{
	struct harness *harness = mem_zalloc(1, sizeof(*harness));
	if (!harness)
		return error_memory(err);
	*harness = (struct harness){.source = source, .side = side, .cpu = cpu};
	*out = harness;
	if (cpu >= 0) {
		world.on_cpu[cpu]++;
		world.on_cpus++;
	}
	buffer_printf(&world.log, "%.6f start %c", script_now(), (char)('A' + side));
	if (cpu >= 0)
		buffer_printf(&world.log, "%d", cpu);
	buffer_char(&world.log, '\n');
	world.now += 2000000;
	return 0;
}

int bench_source_describe(const struct bench_source *source, struct result *result, struct error *err)
{
	(void)source;
	return describe_machine(result, err);
}

bool bench_source_cancelled(const struct bench_source *source)
{
	(void)source;
	return is_cancelled();
}

const char *harness_end_name(enum harness_end end)
{
	static const char *const names[] = {
#define X(end, name) name,
		HARNESS_ENDS(X)
#undef X
	};
	return names[end];
}

void harness_free(struct harness *harness)
{
	if (!harness)
		return;
	if (harness->cpu >= 0) {
		world.on_cpu[harness->cpu]--;
		world.on_cpus--;
	}
	mem_free(harness->units);
	mem_free(harness);
}

static struct harness_outcome ended(enum harness_end end, const char *text)
{
	struct harness_outcome outcome = {.end = end};
	snprintf(outcome.text, sizeof(outcome.text), "%s", text);
	return outcome;
}

struct harness_outcome harness_stop(struct harness *harness)
{
	(void)harness;
	world.now += 1000000;
	return ended(HARNESS_OK, "");
}

int64_t harness_threads(const struct harness *harness)
{
	return world.script->actors[harness->actor].threads ? 4 : 1;
}

struct harness_outcome harness_select(struct harness *harness, const char *benchmark, int64_t limit)
{
	size_t i = 0;
	(void)limit;
	while (strcmp(world.script->benchmarks[i], benchmark) != 0)
		i++;
	harness->actor = harness->side * world.script->benchmark_count + i;
	harness->iteration = 0;
	world.runs[harness->actor] += !harness->selected;
	harness->selected = true;
	harness->level = script_draw(world.script->actors[harness->actor].run_noise);
	if (has_fault(harness->actor, FAULT_SKIPPED))
		return ended(HARNESS_SKIPPED, "no such device");
	if (has_fault(harness->actor, FAULT_NOT_STARTED))
		return ended(HARNESS_EXITED, "exited with status 1 in its set-up");
	return is_broken_off() ? ended(HARNESS_CANCELLED, "") : ended(HARNESS_OK, "");
}

struct harness_outcome harness_grant(struct harness *harness, const struct harness_grant *grant)
{
	const struct script_actor *who = &world.script->actors[harness->actor];
	double work = (double)grant->invocations, shock = random_uniform(&world.random);
	double warm = (double)harness->iteration < who->warm ? who->warm_times : 1;
	double time = seconds_of(who, world.runs[harness->actor], 1) * work * harness->level * warm;
	bool beside = harness->cpu >= 0 && world.on_cpus > world.on_cpu[harness->cpu];
	if (beside && who->crowd > 0)
		time *= who->crowd;
	harness->grant = *grant;
	harness->granted = world.granted[harness->side] = world.now;
	world.busy[harness->side] = true;
	harness->delay = shock < who->shock ? (int64_t)(time * 1e8) : 0;
	harness->wall = (int64_t)(time * 1e9) + harness->delay + 40;
	harness->ends = world.now + harness->wall + 10000;
	return ended(HARNESS_OK, "");
}

/* It was granted to run beside others, and none of them did: it took no longer than alone. */
static void take_company_off(struct harness *harness, double crowd)
{
	bool beside = false;
	for (size_t s = 0; s < SCRIPT_SIDES; s++)
		beside |= s != harness->side && (world.busy[s] || world.granted[s] >= harness->granted);
	world.busy[harness->side] = false;
	if (beside || !(crowd > 0) || harness->cpu < 0 || world.on_cpus <= world.on_cpu[harness->cpu])
		return;
	int64_t saved = (int64_t)((double)harness->wall * (1 - 1 / crowd));
	harness->wall -= saved;
	harness->ends -= saved;
}

struct harness_outcome harness_collect(struct harness *harness, struct harness_sample *out)
{
	const struct script_actor *who = &world.script->actors[harness->actor];
	size_t at = harness->iteration++;
	take_company_off(harness, who->crowd);
	if (is_broken_off())
		return ended(HARNESS_CANCELLED, "");
	world.now = harness->ends > world.now ? harness->ends : world.now;
	world.trials++;
	if (has_fault(harness->actor, FAULT_SIGNAL) && at == 3)
		return ended(HARNESS_CRASHED, "crashed: Segmentation fault");
	if (has_fault(harness->actor, FAULT_TIMEOUT) && at == 3) {
		world.now += harness->grant.limit;
		return ended(HARNESS_HUNG, "did not answer within its time");
	}
	int64_t cpu = (int64_t)((double)(harness->wall - harness->delay) * (1 - who->waits)) + 260;
	*out = (struct harness_sample){.invocations = harness->grant.invocations,
	                               .segments = 1,
	                               .wall = harness->wall,
	                               .cpu = cpu,
	                               .delay = who->untimed && harness->grant.invocations > 1 ? -1 : harness->delay,
	                               .process_cpu = who->threads ? 4 * cpu : cpu,
	                               .counter_share = NAN,
	                               .elapsed = harness->ends - harness->granted,
	                               .thread_count = 1};
	if (who->reading > 0) {
		harness->own = (struct tare_metric){.value = who->reading * script_draw(who->reading_noise), .better = 1};
		snprintf(harness->own.name, sizeof(harness->own.name), "rate");
		snprintf(harness->own.unit, sizeof(harness->own.unit), "MB/s");
		out->metrics = &harness->own;
		out->metric_count = 1;
		out->items = 10 * (double)harness->grant.invocations;
	}
	if (who->readings > 0) {
		double *units = mem_resize(harness->units, who->readings, sizeof(*units));
		if (!units)
			return ended(HARNESS_LOST, "no memory");
		harness->units = units;
		for (size_t i = 0; i < who->readings; i++)
			units[i] = (double)(i < 5 ? 2 : 1) * script_draw(who->reading_noise);
		out->unit_name = "lag";
		out->unit_unit = "ms";
		out->units = units;
		out->unit_count = who->readings;
		out->unit_stride = 1;
	}
	return ended(HARNESS_OK, "");
}

size_t harness_first_done(struct harness *const pair[2])
{
	return pair[1]->ends < pair[0]->ends;
}

struct harness_outcome harness_iterate(struct harness *harness, const struct harness_grant *grant,
                                       struct harness_sample *out)
{
	struct harness_outcome outcome = harness_grant(harness, grant);
	return outcome.end == HARNESS_OK ? harness_collect(harness, out) : outcome;
}

struct harness_outcome harness_leave(struct harness *harness, int64_t limit, uint32_t *notes)
{
	(void)limit;
	buffer_printf(&world.log, "%.6f %s %c %zu of %llu\n", script_now(),
	              world.script->benchmarks[harness->actor % world.script->benchmark_count], (char)('A' + harness->side),
	              harness->iteration, (unsigned long long)harness->grant.invocations);
	if (notes && has_fault(harness->actor, FAULT_PRINTS))
		*notes |= HARNESS_PRINTED;
	if (notes && has_fault(harness->actor, FAULT_LEFTOVER))
		*notes |= HARNESS_LEFTOVER;
	return ended(HARNESS_OK, "");
}

static double per_invocation(const struct harness_sample *sample, int64_t time, double fixed, double loop)
{
	double n = (double)sample->invocations, rest = (double)time - fixed - loop * n;
	return rest > 0 ? rest / n : 0;
}

double harness_wall_per_invocation(const struct harness_sample *sample, const struct harness_overhead *overhead)
{
	return per_invocation(sample, sample->wall, overhead->fixed_wall, overhead->loop);
}

double harness_cpu_per_invocation(const struct harness_sample *sample, const struct harness_overhead *overhead)
{
	return per_invocation(sample, sample->cpu, overhead->fixed_cpu, overhead->loop);
}

/* ---- what disturbs: nothing ---- */

void disturbance_begin(struct disturbance_watch *watch, const struct host *host, const int *cpus, size_t count)
{
	(void)host;
	memset(watch, 0, sizeof(*watch));
	for (size_t i = 0; i < count && i < 2; i++)
		watch->cpus[watch->cpu_count++] = cpus[i];
}

int disturbance_end(const struct disturbance_watch *watch, const struct host *host, size_t own, struct result *result,
                    struct error *err)
{
	(void)host;
	(void)err;
	result->disturbance = disturbance_none;
	result->disturbance.recorded = true;
	result->disturbance.load_start = (double)own;
	result->disturbance.load_end = (double)watch->cpu_count;
	result->disturbance.steal_why = result->disturbance.pressure_why = result->disturbance.throttled_why =
		result->disturbance.heat_why = result->disturbance.frequency_why = "scripted";
	return 0;
}

/* ---- builds (builds/copies.h) ---- */

int copies_open(struct copies *copies, const struct host *host, bool keep, struct error *err)
{
	(void)err;
	copies->host = host;
	copies->keep = keep;
	snprintf(copies->folder, sizeof(copies->folder), "/copies");
	return 0;
}

int copies_make(struct copies *copies, const struct tool *tool, size_t tree, const char *source, struct error *err)
{
	(void)tool;
	(void)source;
	(void)err;
	static char places[COPIES_MOST][32];
	snprintf(places[tree], sizeof(places[tree]), "/copies/%zu", tree);
	copies->places[tree] = places[tree];
	return 0;
}

int copies_build(struct copies *copies, const struct tool *tool, size_t tree, const char *command, uint64_t seed,
                 struct buffer *log, struct error *err)
{
	(void)copies;
	(void)tool;
	buffer_printf(&world.log, "%.6f build %zu: %s (seed %llu)\n", script_now(), tree, command,
	              (unsigned long long)seed);
	world.build_seed = seed;
	world.now += INT64_C(2000000000);
	if (++world.builds != world.script->build_fails)
		return 0;
	buffer_text_add(log, "undefined reference\n");
	return error_set(err, ERROR_SUBJECT, "exit 2");
}

int copies_put_away(struct copies *copies, const struct tool *tool, size_t tree, size_t build, struct error *err)
{
	(void)copies;
	(void)tool;
	(void)tree;
	(void)build;
	(void)err;
	return 0;
}

void copies_close(struct copies *copies)
{
	copies->folder[0] = '\0';
}

void binary_describe(const struct host *host, const char *path, struct binary *out)
{
	(void)host;
	(void)path;
	*out = (struct binary){.build_id = ""};
	snprintf(out->hash, sizeof(out->hash), "%llu", (unsigned long long)world.build_seed);
}
