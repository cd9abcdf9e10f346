/* Life of a source, its metrics, and measuring. */
#include "measure/source_internal.h"

#include "base/format.h"
#include "base/memory.h"
#include "host/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define ITERATION "HYPERFINE_ITERATION"

static bool needs_output(const struct experiment *experiment)
{
	return experiment->pi_count > 0 || experiment->check;
}

static bool is_word(const char *text, const char *word)
{
	return text && strcmp(text, word) == 0;
}

/* ---- checking ---- */

static int check_indices(const struct experiment *experiment, struct error *err)
{
	for (size_t i = 0; i < experiment->pi_count; i++) {
		const struct performance_index *pi = &experiment->pis[i];
		struct pi_reader reader;
		if (pi_reader_init(&reader, pi, err) != 0)
			return -1;
		pi_reader_release(&reader);
		bool taken = false;
		for (int m = 0; m < METRIC_COUNT; m++)
			taken = taken || strcmp(metric_of((enum metric_id)m).name, pi->metric.name) == 0;
		for (size_t k = 0; k < i; k++)
			taken = taken || strcmp(experiment->pis[k].metric.name, pi->metric.name) == 0;
		if (taken) {
			error_set(err, ERROR_USAGE, "there is a metric of that name already");
			return error_on(err, "--pi %s", pi->metric.name);
		}
	}
	return 0;
}

const char *source_output(const struct experiment *experiment, size_t subject)
{
	const char *own = experiment->subjects[subject].output;
	return own ? own : experiment->output;
}

int source_check(const struct experiment *experiment, struct error *err)
{
	struct arena arena = {0};
	int status = experiment->subject_count ? 0 : error_set(err, ERROR_USAGE, "there is no command to measure");
	for (size_t i = 0; i < experiment->subject_count && status == 0; i++)
		if (!source_words(&arena, experiment->subjects[i].command, experiment->shell, err))
			status = -1;
	arena_release(&arena);
	if (status == 0)
		status = check_indices(experiment, err);
	for (size_t i = 0; i < experiment->subject_count && status == 0 && needs_output(experiment); i++) {
		const char *output = source_output(experiment, i);
		if (!output || is_word(output, "null") || is_word(output, "pipe"))
			continue;
		error_set(err, ERROR_USAGE, "--pi and --check need the output for themselves");
		status = error_on(err, "--output %s", output);
	}
	struct host host = host_real();
	int fd = status == 0 && experiment->input ? host.sys->open(experiment->input, O_RDONLY | O_CLOEXEC, 0) : 0;
	if (fd < 0) {
		error_system(err, errno, "the input file cannot be opened");
		if (err)
			err->kind = ERROR_USAGE;
		return error_on(err, "--input %s", experiment->input);
	}
	if (fd > 0)
		host.sys->close(fd);
	return status;
}

/* ---- life ---- */

static void note(struct source *source, const char *text)
{
	char *copy = arena_strdup(&source->arena, text);
	if (copy && source->note_count < SOURCE_NOTES)
		source->notes[source->note_count++] = copy;
}

static int make_commands(struct source *source, struct error *err)
{
	const struct experiment *experiment = source->experiment;
	source->commands = arena_alloc(&source->arena, experiment->subject_count, sizeof(*source->commands));
	source->texts = arena_alloc(&source->arena, experiment->subject_count, sizeof(*source->texts));
	if (!source->commands || !source->texts)
		return error_memory(err);
	for (size_t i = 0; i < experiment->subject_count; i++) {
		source->commands[i].argv = source_words(&source->arena, experiment->subjects[i].command, experiment->shell,
		                                        err);
		if (!source->commands[i].argv)
			return -1;
		source->commands[i].path = source_variable(experiment->subjects[i].env, "PATH");
		/* Only where it is asked for: other programs' environments stay as they are. */
		source->commands[i].numbered = strstr(experiment->subjects[i].command, ITERATION) != NULL;
	}
	return 0;
}

static int choose_cpus(struct source *source, struct error *err)
{
	const struct experiment *experiment = source->experiment;
	if (cpus_read(source->host, &source->cpus, err) != 0)
		return -1;
	source->chosen = source->cpus.allowed;
	if (experiment->cpu_count == 0)
		return 0;
	memset(&source->chosen, 0, sizeof(source->chosen));
	for (size_t i = 0; i < experiment->cpu_count; i++)
		cpuset_add(&source->chosen, experiment->cpus[i]);
	return cpus_restrict(&source->cpus, &source->chosen, err);
}

void source_add_metric(struct source *source, struct metric metric)
{
	source->metrics[source->metric_count++] = metric;
}

/* Counters and energy, as far as there are any; what there is not is noted. */
static int count_events(struct source *source, struct error *err)
{
	struct spawner_counted counted;
	for (int i = 0; i < OUTCOME_COUNTERS; i++)
		source->counter_place[i] = -1;
	source->energy_place = -1;
	if (!source->experiment->counters)
		return 0;
	if (spawner_count(source->spawner, counter_hardware_events, COUNTER_HARDWARE_EVENTS, true, &counted, err) != 0)
		return -1;
	for (int i = 0; i < COUNTER_HARDWARE_EVENTS; i++)
		if (counted.counted >> i & 1) {
			source->counter_place[i] = (int)source->metric_count;
			source_add_metric(source, (struct metric){counter_hardware_events[i].name, "", BETTER_LOWER});
		}
	if (counted.why.kind != ERROR_NONE)
		note(source, counted.why.what);
	if (counted.user_only)
		note(source, "hardware counters leave out the kernel's part: no permission to count it");
	if (counted.energy) {
		source->energy_place = (int)source->metric_count;
		source_add_metric(source, metric_of(METRIC_ENERGY));
	} else {
		note(source, counted.energy_why.what);
	}
	return 0;
}

static int make_metrics(struct source *source, struct error *err)
{
	const struct experiment *experiment = source->experiment;
	size_t most = METRICS_OF_COMMANDS + experiment->pi_count + OUTCOME_COUNTERS + 1;
	source->metrics = arena_alloc(&source->arena, most, sizeof(*source->metrics));
	source->values = arena_alloc(&source->arena, most * experiment->subject_count, sizeof(*source->values));
	if (!source->metrics || !source->values)
		return error_memory(err);
	for (int i = 0; i < METRICS_OF_COMMANDS; i++)
		source_add_metric(source, metric_of((enum metric_id)i));
	if (source_open_indices(source, err) != 0)
		return -1;
	return count_events(source, err);
}

struct source *source_new(const struct experiment *experiment, struct spawner *spawner, int cancel, struct error *err)
{
	struct source *source = mem_zalloc(1, sizeof(*source));
	if (!source) {
		error_memory(err);
		return NULL;
	}
	source->experiment = experiment;
	source->spawner = spawner;
	source->host = spawner_host(spawner);
	source->cancel = cancel;
	random_stream(&source->random, experiment->seed, 1);
	/* Output that only goes through a pipe is not kept. */
	size_t most = needs_output(experiment) ? SOURCE_OUTPUT_MAX : 1;
	for (int i = 0; i < SOURCE_STEPS; i++) {
		buffer_init(&source->outputs[i], most);
		buffer_init(&source->errors[i], most);
	}
	source->have_times = info_cpu_times(source->host, &source->times_before) == 0;
	if (make_commands(source, err) != 0 || choose_cpus(source, err) != 0 || make_metrics(source, err) != 0) {
		source_free(source);
		return NULL;
	}
	return source;
}

void source_free(struct source *source)
{
	if (!source)
		return;
	source_close_indices(source);
	for (int i = 0; i < SOURCE_STEPS; i++) {
		buffer_release(&source->outputs[i]);
		buffer_release(&source->errors[i]);
	}
	for (size_t i = 0; source->texts && i < source->experiment->subject_count; i++)
		arena_release(&source->texts[i]);
	cpus_release(&source->cpus);
	arena_release(&source->arena);
	mem_free(source);
}

/* ---- metrics ---- */

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
	/* The scheduler's account of one thread is exact to the nanosecond. */
	if (index >= METRICS_OF_COMMANDS || (index == METRIC_CPU && !source->inexact_cpu))
		return 0;
	return metric_step((enum metric_id)index);
}

const char *source_note(const struct source *source, size_t index)
{
	return index < source->note_count ? source->notes[index] : NULL;
}

/* ---- measuring ---- */

static enum trial_output output_mode(const struct experiment *experiment, const char *output)
{
	if (needs_output(experiment) || is_word(output, "pipe"))
		return TRIAL_CAPTURE;
	if (!output || is_word(output, "null"))
		return TRIAL_NULL;
	return is_word(output, "inherit") ? TRIAL_INHERIT : TRIAL_FILE;
}

int source_request(struct source *source, const struct source_step *step, size_t place, struct cpuset *cpus,
                   struct trial_request *out, struct sample *sample)
{
	const struct experiment *experiment = source->experiment;
	struct source_command *command = &source->commands[step->subject];
	struct error err;
	const char *where = source_output(experiment, step->subject);
	enum trial_output output = output_mode(experiment, where);
	if (source_find(source->host, command, &err) != 0) {
		sample->status = SAMPLE_NOT_STARTED;
		snprintf(sample->what, sizeof(sample->what), "%.159s", err.what);
		snprintf(sample->next, sizeof(sample->next), "%.159s", err.next);
		return -1;
	}
	*cpus = source->chosen;
	if (step->cpu >= 0) {
		memset(cpus, 0, sizeof(*cpus));
		cpuset_add(cpus, step->cpu);
	}
	*out = (struct trial_request){.argv = command->argv,
	                              .program = command->program,
	                              .env = experiment->subjects[step->subject].env,
	                              .directory = experiment->subjects[step->subject].directory,
	                              .input = experiment->input,
	                              .output = output,
	                              .error = output == TRIAL_INHERIT ? TRIAL_INHERIT : TRIAL_NULL,
	                              .output_file = where,
	                              .output_text = &source->outputs[place],
	                              .error_text = &source->errors[place],
	                              .cpus = cpus,
	                              .timeout = experiment->timeout,
	                              .pad = experiment->pad ? (uint32_t)random_below(&source->random, SOURCE_PAD) : 0,
	                              .expected_exits = experiment->expected_exits,
	                              .expected_exit_count = experiment->expected_exit_count,
	                              .any_exit = experiment->ignore_failure,
	                              .lane = (unsigned)place};
	if (command->numbered) {
		snprintf(command->variable, sizeof(command->variable), ITERATION "=%lu", command->runs++);
		out->variable = command->variable;
	}
	if (experiment->pi_count > 0) /* many programs report on standard error */
		out->error = TRIAL_CAPTURE;
	if (source->environments)
		out->env = source->environments[2 * step->subject + source->without_readings];
	if (source->without_readings)
		out->output = out->error = TRIAL_NULL;
	return 0;
}

static enum sample_status sample_status(enum outcome_status status)
{
	switch (status) {
	case OUTCOME_OK: return SAMPLE_OK;
	case OUTCOME_TIMEOUT: return SAMPLE_TIMED_OUT;
	case OUTCOME_NOT_STARTED: return SAMPLE_NOT_STARTED;
	case OUTCOME_CANCELLED: return SAMPLE_CANCELLED;
	default: return SAMPLE_FAILED;
	}
}

void source_fail_sample(struct sample *sample, const char *what)
{
	sample->status = SAMPLE_FAILED;
	sample->exit_code = 0;
	snprintf(sample->what, sizeof(sample->what), "%.159s", what);
}

static bool is_asked_for(const struct experiment *experiment, const char *metric)
{
	for (size_t i = 0; i < experiment->metric_count; i++)
		if (strcmp(experiment->metrics[i], metric) == 0)
			return true;
	return false;
}

/* What only runs show of the machine's limits; each is said once. */
static void note_limits(struct source *source, const struct outcome *outcome)
{
	char text[160], size[FORMAT_MAX];
	if (!source->noted_sharing && outcome->counter_share < 0.999) {
		snprintf(text, sizeof(text),
		         "hardware counters took turns, each for %.0f %% of the time or more, and are scaled up",
		         100 * outcome->counter_share);
		note(source, text);
		source->noted_sharing = true;
	}
	if (!source->noted_floor && is_asked_for(source->experiment, "rss") && outcome->rss_floor > 0 &&
	    outcome->raw[METRIC_RSS] <= outcome->rss_floor) {
		snprintf(text, sizeof(text), "memory use below %s cannot be measured: starting a command takes that much",
		         format_quantity(size, sizeof(size), (double)outcome->rss_floor, NAN, "bytes"));
		note(source, text);
		source->noted_floor = true;
	}
	if (!source->noted_delay && outcome->single_threaded == false && outcome->why[METRIC_DELAY] &&
	    source->host->sys->access("/proc/self/schedstat", 0) != 0) {
		note(source, "the kernel does not report how long a command waits for a CPU: delay and net are not known");
		source->noted_delay = true;
	}
}

static void take_outcome(struct source *source, const struct outcome *outcome, struct sample *sample)
{
	sample->status = sample_status(outcome->status);
	snprintf(sample->what, sizeof(sample->what), "%.159s", outcome->text);
	sample->exit_code = outcome->text[0] && (outcome->status == OUTCOME_OK || outcome->status == OUTCOME_EXIT)
	                        ? outcome->code
	                        : 0;
	snprintf(sample->next, sizeof(sample->next), "%.159s", outcome->next);
	sample->single_threaded = outcome->single_threaded;
	snprintf(sample->left_behind, sizeof(sample->left_behind), "%s",
	         outcome->leftovers == 0 ? ""
	         : outcome->leftover[0]  ? outcome->leftover
	                                 : "a process");
	sample->left_alive = outcome->unkillable > 0;
	sample->started = outcome->started;
	sample->ended = outcome->ended;
	if (outcome->status != OUTCOME_OK)
		return;
	for (int i = 0; i < METRICS_OF_COMMANDS; i++)
		sample->values[i] = outcome_value(outcome, (enum metric_id)i);
	for (int i = 0; i < OUTCOME_COUNTERS; i++)
		if (source->counter_place[i] >= 0 && outcome->counters[i] >= 0)
			sample->values[source->counter_place[i]] = (double)outcome->counters[i];
	if (source->energy_place >= 0)
		sample->values[source->energy_place] = outcome_value(outcome, METRIC_ENERGY);
	source->inexact_cpu = source->inexact_cpu || !outcome->single_threaded;
	note_limits(source, outcome);
}

static bool any_disturbed(const struct outcome *outcomes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (outcomes[i].status == OUTCOME_DISTURBED && outcomes[i].next[0] == '\0')
			return true;
	return false;
}

static void clear_samples(struct source *source, const struct source_step *steps, struct sample *samples, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		memset(&samples[i], 0, sizeof(samples[i]));
		samples[i].status = SAMPLE_FAILED;
		snprintf(samples[i].what, sizeof(samples[i].what), "not run, because its partner could not be started");
		samples[i].values = source->values + steps[i].subject * source->metric_count;
		samples[i].numbers = source->numbers + i * source->experiment->pi_count;
		for (size_t m = 0; m < source->metric_count; m++)
			samples[i].values[m] = NAN;
	}
}

/* 0, or 1 when one of them cannot be started: its sample says why. */
static int run_steps(struct source *source, const struct source_step *steps, size_t count, struct sample *samples,
                     struct outcome *outcomes, struct error *err)
{
	enum { ATTEMPTS = 3 };
	struct trial_request requests[SOURCE_STEPS];
	struct cpuset cpus[SOURCE_STEPS];
	for (size_t i = 0; i < count; i++)
		if (source_request(source, &steps[i], i, &cpus[i], &requests[i], &samples[i]) != 0)
			return 1;
	if (count > 1 && source_has_side_files(source))
		return error_full(err, ERROR_USAGE, NULL, "--design turns or shuffled runs one at a time",
		                  "commands at once cannot share the file or pipe of --pi");
	/* A run that somebody else has disturbed says nothing: it is done again. */
	for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
		struct error later;
		if (source_begin_indices(source, err) != 0)
			return -1;
		source_watch_clock(source, true);
		int failed = trial_run(source->spawner, requests, count, count > 1 && source->experiment->refill,
		                       source->cancel, outcomes, err);
		source_watch_clock(source, false);
		if (source_end_indices(source, failed ? &later : err) != 0 || failed)
			return -1;
		if (!any_disturbed(outcomes, count))
			break;
	}
	return 0;
}

int source_measure(struct source *source, const struct source_step *steps, size_t count, struct sample *samples,
                   struct error *err)
{
	struct outcome outcomes[SOURCE_STEPS];
	if (count == 0 || count > SOURCE_STEPS)
		return error_set(err, ERROR_INTERNAL, "%zu steps at once", count);
	clear_samples(source, steps, samples, count);
	bool ahead = count == 1 && source_take_ahead(source, &steps[0], &outcomes[0]) && !any_disturbed(outcomes, 1);
	int status = ahead ? 0 : run_steps(source, steps, count, samples, outcomes, err);
	if (status != 0)
		return status < 0 ? -1 : 0;
	for (size_t i = 0; i < count; i++) {
		take_outcome(source, &outcomes[i], &samples[i]);
		if (samples[i].status == SAMPLE_OK && source_read_indices(source, i, &samples[i], err) != 0)
			return -1;
		/* A number that the program did not print may be ignored as an exit code may. */
		if (outcomes[i].status == OUTCOME_OK && source->experiment->ignore_failure)
			samples[i].status = SAMPLE_OK;
		if (samples[i].status != SAMPLE_OK || !source->experiment->check || source->without_readings)
			continue;
		if (source_check_output(source, i, &samples[i], err) != 0)
			return -1;
	}
	return 0;
}

bool source_cancelled(const struct source *source)
{
	struct pollfd watched = {.fd = source->cancel, .events = POLLIN};
	struct timespec now = {0, 0};
	return source->cancel >= 0 && source->host->sys->ppoll(&watched, 1, &now, NULL) > 0;
}

int64_t source_now(const struct source *source)
{
	return clock_now(source->host);
}
