/* One process of a guest, and what it measured. */
#include "adapters/guest_internal.h"

#include "exchange/import.h"
#include "exchange/units.h"
#include "host/file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUTPUT_MAX = 64 << 20, ERROR_MAX = 64 << 10 };

void guest_output_init(struct guest_output *output)
{
	memset(output, 0, sizeof(*output));
	buffer_init(&output->standard, OUTPUT_MAX);
	buffer_init(&output->error, ERROR_MAX);
	buffer_init(&output->text, OUTPUT_MAX);
}

void guest_output_release(struct guest_output *output)
{
	buffer_release(&output->standard);
	buffer_release(&output->error);
	buffer_release(&output->text);
	arena_release(&output->arena);
}

/* The user's variables, then the adapter's. */
static void add_environment(const struct guest *guest, struct adapter_command *command)
{
	const char *const *own = command->env;
	command->env = NULL;
	command->envc = 0;
	for (size_t i = 0; guest->request.env && guest->request.env[i]; i++)
		adapter_set(command, "%s", guest->request.env[i]);
	for (size_t i = 0; own && own[i]; i++)
		adapter_set(command, "%s", own[i]);
}

/* Whether the adapter sets the variable of "NAME=value". */
static bool is_set(const struct adapter_command *command, const char *setting)
{
	size_t length = strcspn(setting, "=") + 1;
	for (size_t i = 0; i < command->envc; i++)
		if (strncmp(command->env[i], setting, length) == 0)
			return true;
	return false;
}

/* "env NAME=value" of the user would hide what the adapter sets, which holds what the user has set there. */
static void take_settings_out(const struct adapter_request *request, struct adapter_command *command)
{
	size_t settings = (size_t)(adapter_without_env(request->words) - request->words), kept = 0;
	for (size_t i = 0; i < command->argc; i++)
		if (i == 0 || i >= settings || !is_set(command, command->argv[i]))
			command->argv[kept++] = command->argv[i];
	command->argv[kept] = NULL;
	command->argc = kept;
}

int guest_prepare(struct guest *guest, const struct adapter_request *request, struct guest_output *output,
                  struct trial_request *trial, struct error *err)
{
	struct adapter_command *command = &output->command;
	*command = (struct adapter_command){.arena = &output->arena};
	guest->adapter->command(request, command);
	if (!command->out_of_memory)
		take_settings_out(request, command);
	add_environment(guest, command);
	if (command->out_of_memory)
		return error_memory(err);
	/* What the run before has written must not be taken for this one's. */
	if (command->results)
		guest_remove(guest->host, command->results);
	*trial = (struct trial_request){
		.argv = command->argv,
		.program = guest->program,
		.env = command->env,
		.directory = guest->request.directory,
		.output = TRIAL_CAPTURE,
		.error = TRIAL_CAPTURE,
		.output_text = &output->standard,
		.error_text = &output->error,
	};
	return 0;
}

static int read_whole(const struct host *host, const char *path, struct buffer *out, struct error *err)
{
	char block[1 << 16];
	long got;
	int fd = file_open(host->sys, path, err);
	if (fd < 0)
		return -1;
	while ((got = file_read(host->sys, fd, block, sizeof(block), err)) > 0)
		buffer_add(out, block, (size_t)got);
	host->sys->close(fd);
	return got < 0 ? -1 : buffer_error(out, err);
}

int guest_collect(struct guest *guest, struct guest_output *output, struct error *err)
{
	const char *path = output->command.results;
	buffer_clear(&output->text);
	if (!path) {
		buffer_add(&output->text, buffer_text(&output->standard), output->standard.length);
		return buffer_error(&output->text, err);
	}
	if (file_kind(guest->host->sys, path) == FILE_FOLDER)
		return 0;
	return read_whole(guest->host, path, &output->text, err);
}

int guest_import(struct guest *guest, const struct guest_output *output, struct result *out, struct error *err)
{
	struct import_options options = {.format = guest->adapter->format, .one_process = true};
	const char *path = output->command.results;
	if (path && file_kind(guest->host->sys, path) == FILE_FOLDER)
		return import_file(path, NULL, out, err);
	return import_memory(buffer_text(&output->text), output->text.length, "results", &options, out, err);
}

static int by_name(const void *a, const void *b)
{
	const struct parameter *x = a, *y = b;
	return strcmp(x->name, y->name);
}

const char *guest_key_of(const struct guest *guest, struct result *result, const struct subject *subject)
{
	const char *key = subject->benchmark ? subject->benchmark : subject->name;
	size_t n = guest->adapter->has_parameters ? subject->parameter_count : 0;
	struct parameter *sorted = n > 0 ? arena_alloc(&result->arena, n, sizeof(*sorted)) : NULL;
	if (n == 0 || !sorted)
		return n == 0 ? key : "";
	memcpy(sorted, subject->parameters, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), by_name);
	for (size_t i = 0; i < n && key; i++)
		key = arena_printf(&result->arena, "%s/%s=%s", key, sorted[i].name, sorted[i].value);
	return key ? key : "";
}

void guest_last_line(const struct buffer *text, const char *beginning, char *out, size_t size)
{
	const char *start = buffer_text(text), *end = start + text->length, *line;
	size_t length = strlen(beginning);
	for (out[0] = '\0'; end > start; end = line) {
		while (end > start && (end[-1] == '\n' || end[-1] == '\r' || end[-1] == ' '))
			end--;
		for (line = end; line > start && line[-1] != '\n';)
			line--;
		if ((size_t)(end - line) <= length || memcmp(line, beginning, length) != 0)
			continue;
		/* How Google Benchmark was built is no reason, nor is the machine, which it describes before all else. */
		if (!*beginning && strncmp(line, "***WARNING***", 13) == 0)
			continue;
		if (!*beginning && strncmp(line, "Load Average: ", 14) == 0)
			return;
		while (*line == ' ')
			line++;
		snprintf(out, size, "%.*s", (int)(end - line < 4000 ? end - line : 4000), line);
		return;
	}
}

/* What it says of why; "" where it has no way to say so. */
static void find_reason(const struct guest *guest, const struct guest_output *output, char *out, size_t size)
{
	const char *const *why = guest->adapter->why;
	out[0] = '\0';
	for (size_t i = 0; i < sizeof(guest->adapter->why) / sizeof(*why) && why[i] && !out[0]; i++) {
		guest_last_line(&output->error, why[i], out, size);
		if (!out[0])
			guest_last_line(&output->standard, why[i], out, size);
	}
}

/* What it says of why it was not to be measured. */
static bool find_skip(const struct guest *guest, const struct guest_output *output, char *out, size_t size)
{
	char line[512];
	const char *beginning = guest->adapter->skipped;
	if (!beginning)
		return false;
	guest_last_line(&output->standard, beginning, line, sizeof(line));
	if (line[0])
		snprintf(out, size, "%.*s", (int)size - 1, line + strlen(beginning));
	return line[0];
}

void guest_explain(const struct guest *guest, const struct outcome *outcome, const struct guest_output *output,
                   char *out, size_t size)
{
	char said[160];
	bool ended_well = outcome->status == OUTCOME_OK;
	find_reason(guest, output, said, sizeof(said));
	if (!said[0] && !ended_well)
		guest_last_line(&output->error, "", said, sizeof(said));
	snprintf(out, size, "%s%s%s", ended_well ? "the framework reports no result of it" : outcome->text,
	         said[0] ? ": " : "", said);
}

/* ---- values ---- */

/* Rows: each the mean of so many neighbours that there are `wanted`. */
struct shape {
	size_t values, rows;
};

static double row_of(const struct series *series, const struct shape *shape, size_t row)
{
	size_t from = row * shape->values / shape->rows, to = (row + 1) * shape->values / shape->rows;
	double sum = 0;
	for (size_t i = from; i < to; i++)
		sum += series->values[i];
	return sum / (double)(to - from);
}

static int64_t ns_of(double seconds)
{
	double ns = seconds * 1e9 * (double)GUEST_INVOCATIONS;
	return ns >= 0 && ns < 9e18 ? (int64_t)(ns + 0.5) : -1;
}

/* A metric that is neither wall nor CPU time. */
static void set_own(const struct measurement *m, double value, struct tare_metric *out)
{
	*out = (struct tare_metric){.value = value, .better = m->metric.better == BETTER_HIGHER};
	snprintf(out->name, sizeof(out->name), "%s", m->metric.name);
	snprintf(out->unit, sizeof(out->unit), "%s", m->metric.unit[0] ? m->metric.unit : "-");
}

static bool fill_sample(struct arena *arena, const struct subject *subject, const struct shape *shape, size_t row,
                        struct harness_sample *out)
{
	struct tare_metric *own = arena_alloc(arena, TARE_METRICS_MAX, sizeof(*own));
	*out = (struct harness_sample){.invocations = GUEST_INVOCATIONS,
	                               .segments = 1,
	                               .wall = -1,
	                               .cpu = -1,
	                               .delay = -1,
	                               .process_cpu = -1,
	                               .thread_count = 1,
	                               .metrics = own};
	for (size_t m = 0; own && m < subject->metric_count; m++) {
		const struct measurement *metric = &subject->metrics[m];
		if (metric->series.n != shape->values)
			continue;
		double value = row_of(&metric->series, shape, row);
		bool seconds = strcmp(metric->metric.unit, "s") == 0;
		if (seconds && strcmp(metric->metric.name, "cpu") == 0)
			out->cpu = ns_of(value);
		else if (seconds && strcmp(metric->metric.name, "wall") == 0)
			out->wall = ns_of(value);
		else if (out->metric_count < TARE_METRICS_MAX)
			set_own(metric, value, &own[out->metric_count++]);
	}
	return own != NULL;
}

/* Seconds of the time in "ops/us"; 1 where it has none. */
static double rate_time(const char *unit)
{
	const char *slash = strrchr(unit, '/');
	struct unit_scale scale = units_meaning(slash ? slash + 1 : "s");
	return strcmp(scale.name, "s") == 0 ? units_convert(&scale, 1) : 1;
}

/* What a benchmark reports in place of a time, the first of it: a time of another name, or a throughput, which is turned
 * over. 0: neither. */
static double time_of_own(const struct tare_metric *first)
{
	if (strcmp(first->unit, "s") == 0)
		return first->better ? 0 : first->value;
	return first->better && first->value > 0 ? rate_time(first->unit) / first->value : 0;
}

/* Every row has a time, by which lengths are chosen. What stands in for it keeps its own name too. */
static void complete_times(struct harness_sample *sample)
{
	if (sample->wall < 0)
		sample->wall = sample->cpu;
	if (sample->wall < 0 && sample->metric_count > 0)
		sample->wall = ns_of(time_of_own(sample->metrics));
}

static int take_subject(struct guest_run *run, const struct subject *subject, size_t wanted, struct guest_values *out,
                        struct error *err)
{
	if (subject->failure_count > 0)
		snprintf(out->why, sizeof(out->why), "%s", subject->failures[0].what);
	if (subject->metric_count == 0 || subject->metrics[0].series.n == 0 || out->count > 0)
		return 0;
	struct shape shape = {.values = subject->metrics[0].series.n};
	shape.rows = shape.values < wanted ? shape.values : wanted;
	out->samples = arena_alloc(&run->arena, shape.rows, sizeof(*out->samples));
	if (!out->samples)
		return error_memory(err);
	for (size_t row = 0; row < shape.rows; row++) {
		if (!fill_sample(&run->arena, subject, &shape, row, &out->samples[row]))
			return error_memory(err);
		complete_times(&out->samples[row]);
		if (out->samples[row].wall <= 0) {
			snprintf(out->why, sizeof(out->why), "it reports a time that is not above 0");
			return 0;
		}
	}
	out->count = subject->failure_count > 0 ? 0 : shape.rows;
	return 0;
}

static const struct subject *find(const struct guest *guest, struct result *result, const char *key)
{
	for (size_t i = 0; i < result->subject_count; i++)
		if (strcmp(guest_key_of(guest, result, &result->subjects[i]), key) == 0)
			return &result->subjects[i];
	return NULL;
}

/* Why nothing came of it: what the framework says of it, else what the process did. */
static void explain(const struct guest *guest, const struct guest_run *run, const struct guest_output *output,
                    const struct error *problem, struct guest_values *out)
{
	if (out->why[0])
		return;
	out->skipped = run->outcome.status == OUTCOME_OK && find_skip(guest, output, out->why, sizeof(out->why));
	if (out->skipped)
		return;
	if (run->outcome.status != OUTCOME_OK || problem->kind == ERROR_NONE || problem->kind == ERROR_NO_DATA)
		guest_explain(guest, &run->outcome, output, out->why, sizeof(out->why));
	else
		snprintf(out->why, sizeof(out->why), "%s",
		         problem->errnum == ENOENT ? "it ended without writing its results" : problem->what);
}

static int take(struct guest *guest, const struct guest_order *order, struct guest_output *output,
                struct guest_run *run, struct error *err)
{
	struct result result;
	struct error problem = {0};
	int status = 0;
	/* One that runs all benchmarks and crashes has measured those before; a status that is not 0 may be about any. */
	bool whole = run->outcome.status == OUTCOME_OK ||
	             (run->outcome.status == OUTCOME_EXIT ? guest->adapter->ends_with_fail : guest->adapter->runs_all);
	result_init(&result);
	if (whole && guest_collect(guest, output, &problem) == 0)
		guest_import(guest, output, &result, &problem);
	if (problem.kind == ERROR_MEMORY)
		status = error_memory(err);
	for (size_t i = 0; i < order->count && status == 0; i++) {
		const struct subject *subject = find(guest, &result, order->benchmarks[i]->key);
		if (subject)
			status = take_subject(run, subject, order->repetitions, &run->values[i], err);
		if (run->values[i].count == 0)
			explain(guest, run, output, &problem, &run->values[i]);
	}
	result_release(&result);
	return status;
}

static void see_process(struct guest_run *run)
{
	double wall = outcome_value(&run->outcome, METRIC_WALL), cpu = outcome_value(&run->outcome, METRIC_CPU),
		   delay = outcome_value(&run->outcome, METRIC_DELAY);
	run->one_thread = run->outcome.single_threaded;
	run->busy = (cpu + (isfinite(delay) ? delay : 0)) / wall;
}

static int begin(struct guest *guest, const struct guest_order *order, struct cpuset *one, struct guest_output *output,
                 struct trial_request *trial, struct guest_run *run, struct error *err)
{
	const char **keys = arena_alloc(&output->arena, order->count, sizeof(*keys));
	run->values = arena_alloc(&run->arena, order->count, sizeof(*run->values));
	if (!keys || !run->values)
		return error_memory(err);
	for (size_t i = 0; i < order->count; i++)
		keys[i] = order->benchmarks[i]->key;
	struct adapter_request request = {.words = guest->words,
	                                  .keys = keys,
	                                  .count = order->count,
	                                  .seconds = order->seconds,
	                                  .repetitions = order->repetitions,
	                                  .by_cpu_time = order->by_cpu_time,
	                                  .folder = guest->folder,
	                                  .env = guest->request.env};
	if (guest_prepare(guest, &request, output, trial, err) != 0)
		return -1;
	trial->timeout = order->limit;
	trial->cpus = guest->request.cpus;
	if (order->cpu >= 0) {
		memset(one, 0, sizeof(*one));
		cpuset_add(one, order->cpu);
		trial->cpus = one;
	}
	return 0;
}

int guest_run(struct guest *const *guests, size_t guest_count, const struct guest_order *orders, struct guest_run *runs,
              struct error *err)
{
	struct guest_output outputs[LANES_MAX];
	struct trial_request trials[LANES_MAX];
	struct outcome outcomes[LANES_MAX];
	struct cpuset sets[LANES_MAX];
	int status = guest_count <= LANES_MAX ? 0 : error_set(err, ERROR_INTERNAL, "%zu guests at once", guest_count);
	size_t n = status == 0 ? guest_count : 0;
	for (size_t i = 0; i < n; i++) {
		runs[i] = (struct guest_run){0};
		guest_output_init(&outputs[i]);
		if (status == 0)
			status = begin(guests[i], &orders[i], &sets[i], &outputs[i], &trials[i], &runs[i], err);
		trials[i].lane = (unsigned)i;
	}
	if (status == 0 && n > 0)
		status = trial_run(guests[0]->spawner, trials, n, false, guests[0]->request.cancel, outcomes, err);
	for (size_t i = 0; i < n && status == 0; i++) {
		runs[i].outcome = outcomes[i];
		see_process(&runs[i]);
		if (outcomes[i].status == OUTCOME_CANCELLED)
			status = error_set(err, ERROR_INTERRUPTED, "interrupted");
		else
			status = take(guests[i], &orders[i], &outputs[i], &runs[i], err);
	}
	for (size_t i = 0; i < n; i++)
		guest_output_release(&outputs[i]);
	return status;
}

void guest_run_release(struct guest_run *run)
{
	arena_release(&run->arena);
	*run = (struct guest_run){0};
}
