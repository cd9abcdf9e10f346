/* Subjects become requests to the spawner, reports become samples. */
#include "measure/source.h"

#include "base/memory.h"
#include "base/random.h"
#include "host/clock.h"
#include "host/cpus.h"
#include "host/info.h"
#include "host/spawner.h"
#include "measure/words.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_OUTPUT = 16 << 20, MOST_NOTES = 4 };

static const struct metric built_in[SOURCE_BUILT_IN] = {
	[SOURCE_WALL] = {"wall", "s", BETTER_LOWER},       [SOURCE_CPU] = {"cpu", "s", BETTER_LOWER},
	[SOURCE_NET] = {"net", "s", BETTER_LOWER},         [SOURCE_DELAY] = {"delay", "s", BETTER_LOWER},
	[SOURCE_USER] = {"user", "s", BETTER_LOWER},       [SOURCE_SYSTEM] = {"system", "s", BETTER_LOWER},
	[SOURCE_RSS] = {"rss", "bytes", BETTER_LOWER},     [SOURCE_FAULTS] = {"faults", "", BETTER_LOWER},
	[SOURCE_SWITCHES] = {"switches", "", BETTER_LOWER}, [SOURCE_BLOCKS_IN] = {"blocks-in", "", BETTER_LOWER},
	[SOURCE_BLOCKS_OUT] = {"blocks-out", "", BETTER_LOWER},
};

struct prepared {
	const char *path;
	const char **argv;
};

struct source {
	struct arena arena;
	struct host host;
	const struct experiment *experiment;
	struct spawner *spawner;
	int cancel;
	struct random random; /* for the padding */
	struct cpus cpus;
	struct prepared *subjects;
	struct buffer output[2];
	double *values[2];
	size_t metric_count;
	const char *notes[MOST_NOTES + 1];
	size_t note_count;
};

/* The program as execve takes it: by PATH where the name has no slash. A program that is not found is given as
 * it is, so that starting it says why. */
static const char *find_program(struct source *source, const char *name)
{
	const char *path = getenv("PATH");
	if (strchr(name, '/') || !path)
		return name;
	for (const char *at = path;; at++) {
		size_t length = strcspn(at, ":");
		char *whole = arena_printf(&source->arena, "%.*s%s%s", (int)length, at, length ? "/" : "./", name);
		if (!whole)
			return NULL;
		if (source->host.sys->access(whole, X_OK) == 0)
			return whole;
		at += length;
		if (*at == '\0')
			return name;
	}
}

static int prepare_subject(struct source *source, size_t index, struct error *err)
{
	struct prepared *to = &source->subjects[index];
	const char *command = source->experiment->subjects[index].command;
	size_t count;
	if (source->experiment->shell) {
		const char **argv = arena_alloc(&source->arena, 4, sizeof(*argv));
		if (!argv)
			return error_memory(err);
		argv[0] = source->experiment->shell;
		argv[1] = "-c";
		argv[2] = command;
		to->argv = argv;
	} else if (words_split(&source->arena, command, &to->argv, &count, err) != 0) {
		return -1;
	}
	to->path = find_program(source, to->argv[0]);
	return to->path ? 0 : error_memory(err);
}

int source_check(const struct experiment *experiment, struct error *err)
{
	struct arena arena = {0};
	int status = 0;
	for (size_t i = 0; i < experiment->subject_count && status == 0; i++) {
		const char **argv;
		size_t count;
		if (!experiment->shell)
			status = words_split(&arena, experiment->subjects[i].command, &argv, &count, err);
	}
	arena_release(&arena);
	if (status == 0 && experiment->input) {
		struct host host = host_real();
		int fd = host.sys->open(experiment->input, O_RDONLY | O_CLOEXEC, 0);
		if (fd < 0) {
			error_system(err, errno, "cannot be read");
			error_on(err, "%s", experiment->input);
			return -1;
		}
		host.sys->close(fd);
	}
	return status;
}

static int add_note(struct source *source, const char *text)
{
	if (source->note_count == MOST_NOTES)
		return 0;
	source->notes[source->note_count] = arena_strdup(&source->arena, text);
	return source->notes[source->note_count++] ? 0 : -1;
}

/* Hardware counters, where they were asked for and the machine has them. */
static int count_events(struct source *source, struct error *err)
{
	struct spawner_counted counted;
	char text[300];
	if (!source->experiment->counters)
		return 0;
	if (spawner_count(source->spawner, counter_hardware_events, COUNTER_HARDWARE_EVENTS, false, &counted, err) != 0)
		return -1;
	if (counted.counted == 0) {
		snprintf(text, sizeof(text), "no hardware counters: %s", counted.why.what);
		return add_note(source, text) == 0 ? 0 : error_memory(err);
	}
	if (counted.user_only && add_note(source, "hardware counters count the programs' own part alone, not the kernel's") != 0)
		return error_memory(err);
	source->metric_count += COUNTER_HARDWARE_EVENTS;
	return 0;
}

struct source *source_new(const struct experiment *experiment, struct spawner *spawner, int cancel, struct error *err)
{
	struct source *source = mem_zalloc(1, sizeof(*source));
	if (!source) {
		error_memory(err);
		return NULL;
	}
	source->host = host_real();
	source->experiment = experiment;
	source->spawner = spawner;
	source->cancel = cancel;
	source->metric_count = SOURCE_BUILT_IN;
	random_stream(&source->random, experiment->seed, 1);
	source->subjects = arena_alloc(&source->arena, experiment->subject_count, sizeof(*source->subjects));
	int status = source->subjects ? cpus_read(&source->host, &source->cpus, err) : error_memory(err);
	for (size_t i = 0; i < experiment->subject_count && status == 0; i++)
		status = prepare_subject(source, i, err);
	if (status == 0)
		status = count_events(source, err);
	for (int side = 0; side < 2 && status == 0; side++) {
		buffer_init(&source->output[side], MOST_OUTPUT);
		source->values[side] = arena_alloc(&source->arena, source->metric_count, sizeof(double));
		if (!source->values[side])
			status = error_memory(err);
	}
	if (status == 0)
		return source;
	source_free(source);
	return NULL;
}

void source_free(struct source *source)
{
	if (!source)
		return;
	cpus_release(&source->cpus);
	buffer_release(&source->output[0]);
	buffer_release(&source->output[1]);
	arena_release(&source->arena);
	mem_free(source);
}

size_t source_metric_count(const struct source *source)
{
	return source->metric_count;
}

const struct metric *source_metric(const struct source *source, size_t index)
{
	static const struct metric counters[COUNTER_HARDWARE_EVENTS] = {
		{"cycles", "", BETTER_LOWER},           {"instructions", "", BETTER_LOWER},
		{"branches", "", BETTER_LOWER},         {"branch-misses", "", BETTER_LOWER},
		{"cache-references", "", BETTER_LOWER}, {"cache-misses", "", BETTER_LOWER},
	};
	(void)source;
	return index < SOURCE_BUILT_IN ? &built_in[index] : &counters[index - SOURCE_BUILT_IN];
}

double source_quantum(const struct source *source, size_t index)
{
	(void)source;
	/* wait4 truncates user and system time to a microsecond each; wall and the scheduler's account are in ns. */
	return index == SOURCE_USER || index == SOURCE_SYSTEM ? 1e-6 : 0;
}

static int open_stdio(struct source *source, struct command_request *request, struct buffer *output, struct error *err)
{
	const struct experiment *e = source->experiment;
	struct command_stdio *in = &request->stdio[0], *out = &request->stdio[1], *errors = &request->stdio[2];
	if (e->input) {
		in->mode = STDIO_FILE;
		in->fd = source->host.sys->open(e->input, O_RDONLY | O_CLOEXEC, 0);
		if (in->fd < 0) {
			error_system(err, errno, "cannot be read");
			return error_on(err, "%s", e->input);
		}
	}
	errors->mode = STDIO_SAME;
	if (e->check || strcmp(e->output, "pipe") == 0) {
		buffer_clear(output);
		out->mode = STDIO_CAPTURE;
		out->capture = output;
	} else if (strcmp(e->output, "inherit") == 0) {
		out->mode = errors->mode = STDIO_INHERIT;
	} else if (strcmp(e->output, "null") != 0) {
		out->mode = STDIO_FILE;
		out->fd = source->host.sys->open(e->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
		if (out->fd < 0) {
			error_system(err, errno, "cannot be written");
			return error_on(err, "%s", e->output);
		}
	}
	return 0;
}

static void close_stdio(const struct source *source, const struct command_request *request)
{
	for (int i = 0; i < 2; i++)
		if (request->stdio[i].mode == STDIO_FILE && request->stdio[i].fd > 2)
			source->host.sys->close(request->stdio[i].fd);
}

static double seconds(int64_t ns)
{
	return ns < 0 ? NAN : (double)ns / 1e9;
}

static double count(int64_t value)
{
	return value < 0 ? NAN : (double)value;
}

/* One thread of one process: the scheduler's account of the first thread is all the CPU time there was. wait4
 * truncates two numbers to a microsecond each, and the last instructions of an exit are in one account only. */
static bool is_single_threaded(const struct command_report *report)
{
	const int64_t tolerance = 20000; /* ns */
	if (report->leader_run < 0 || report->adopted > 0 || report->leftovers > 0)
		return false;
	return llabs(report->leader_run - (report->user + report->system)) <= tolerance + report->leader_run / 1000;
}

static void fill_values(const struct source *source, const struct command_report *report, bool single, double *values)
{
	int64_t wall = report->ended - report->executed, start = report->start_cpu > 0 ? report->start_cpu : 0;
	int64_t cpu = single ? report->leader_run - start : report->user + report->system;
	values[SOURCE_WALL] = seconds(wall);
	values[SOURCE_CPU] = seconds(cpu);
	/* A sum of delays over threads is no wall time, and the account holds the first thread alone. */
	values[SOURCE_DELAY] = single ? seconds(report->leader_delay) : NAN;
	values[SOURCE_NET] = single && report->leader_delay >= 0 ? seconds(wall - report->leader_delay) : NAN;
	values[SOURCE_USER] = seconds(report->user);
	values[SOURCE_SYSTEM] = seconds(report->system);
	values[SOURCE_RSS] = count(report->peak_rss);
	values[SOURCE_FAULTS] = count(report->minor_faults + report->major_faults);
	values[SOURCE_SWITCHES] = count(report->voluntary_switches + report->involuntary_switches);
	values[SOURCE_BLOCKS_IN] = count(report->blocks_in);
	values[SOURCE_BLOCKS_OUT] = count(report->blocks_out);
	for (size_t i = SOURCE_BUILT_IN; i < source->metric_count; i++) {
		const struct counter_value zero = {0, 0, 0}, *counter = &report->counters[i - SOURCE_BUILT_IN];
		int64_t events;
		double share;
		values[i] = counter_difference(&zero, counter, &events, &share) == 0 ? (double)events : NAN;
	}
}

static bool is_expected(const struct experiment *e, int code)
{
	for (size_t i = 0; i < e->expected_exit_count; i++)
		if (e->expected_exits[i] == code)
			return true;
	return e->expected_exit_count == 0 && code == 0;
}

static void not_started(struct sample *sample, const struct prepared *subject, const struct command_report *report)
{
	static const char *const stages[] = {
		[START_PROGRAM] = "the program cannot be started", [START_PROCESS] = "no process can be made",
		[START_DIRECTORY] = "the working directory cannot be entered", [START_CPUS] = "the CPU cannot be used",
		[START_STDIO] = "its standard files cannot be opened", [START_MEMORY] = "no memory for its arguments",
	};
	const char *stage = report->stage < sizeof(stages) / sizeof(stages[0]) ? stages[report->stage] : "it cannot be started";
	sample->status = SAMPLE_NOT_STARTED;
	snprintf(sample->what, sizeof(sample->what), "%s (%.60s): %s", stage, subject->argv[0], strerror(report->code));
}

static void judge_report(const struct source *source, size_t subject, const struct command_report *report,
                         struct sample *sample)
{
	sample->status = SAMPLE_FAILED;
	switch (report->result) {
	case COMMAND_EXITED:
		if (is_expected(source->experiment, report->code))
			sample->status = SAMPLE_OK;
		snprintf(sample->what, sizeof(sample->what), "exit %d", report->code);
		break;
	case COMMAND_SIGNALED:
		snprintf(sample->what, sizeof(sample->what), "signal %d (%s)", report->code, strsignal(report->code));
		break;
	case COMMAND_TIMED_OUT:
		sample->status = SAMPLE_TIMED_OUT;
		snprintf(sample->what, sizeof(sample->what), "ran past its time limit");
		break;
	case COMMAND_CANCELLED:
		sample->status = SAMPLE_CANCELLED;
		snprintf(sample->what, sizeof(sample->what), "interrupted");
		break;
	case COMMAND_NOT_STARTED: not_started(sample, &source->subjects[subject], report); break;
	case COMMAND_STOPPED:
		snprintf(sample->what, sizeof(sample->what), "stopped for using the terminal");
		break;
	default:
		sample->status = SAMPLE_TIMED_OUT;
		snprintf(sample->what, sizeof(sample->what), "lost: the process that watched over it, or its partner, was killed");
		break;
	}
}

/* The output of a run through --check; a non-zero exit makes the run a failure. */
static int check_output(struct source *source, const struct buffer *output, struct sample *sample, struct error *err)
{
	const char *argv[] = {"sh", "-c", source->experiment->check, NULL};
	int fd = source->host.sys->memfd_create("tare-output", MFD_CLOEXEC);
	if (fd < 0)
		return error_system(err, errno, "no memory file for --check");
	const char *text = buffer_text(output);
	for (size_t done = 0; done < output->length;) {
		ssize_t n = source->host.sys->write(fd, text + done, output->length - done);
		if (n < 0) {
			error_system(err, errno, "no room for the output that --check reads");
			source->host.sys->close(fd);
			return -1;
		}
		done += (size_t)n;
	}
	source->host.sys->lseek(fd, 0, SEEK_SET);
	struct command_request request = {.path = "/bin/sh", .argv = argv, .stdio = {{.mode = STDIO_FILE, .fd = fd}}};
	struct command_report report;
	int status = spawner_run(source->spawner, &request, 1, source->cancel, &report, err);
	source->host.sys->close(fd);
	if (status == 0 && (report.result != COMMAND_EXITED || report.code != 0)) {
		sample->status = SAMPLE_FAILED;
		snprintf(sample->what, sizeof(sample->what), "its output did not pass --check");
	}
	return status;
}

static int fill_request(struct source *source, const struct source_step *step, unsigned lane, struct cpuset *cpus,
                        struct command_request *request, struct error *err)
{
	const struct experiment *e = source->experiment;
	*request = (struct command_request){.lane = lane, .path = source->subjects[step->subject].path,
	                                    .argv = source->subjects[step->subject].argv, .timeout = e->timeout};
	if (e->pad)
		request->pad = 1 + (uint32_t)random_below(&source->random, 4096);
	if (e->refill)
		request->flags |= COMMAND_REFILL;
	if (step->cpu >= 0) {
		memset(cpus, 0, sizeof(*cpus));
		cpuset_add(cpus, step->cpu);
		request->cpus = cpus;
	} else if (e->cpu_count > 0) {
		memset(cpus, 0, sizeof(*cpus));
		for (size_t i = 0; i < e->cpu_count; i++)
			cpuset_add(cpus, e->cpus[i]);
		request->cpus = cpus;
	}
	return open_stdio(source, request, &source->output[lane], err);
}

int source_measure(struct source *source, const struct source_step *steps, size_t step_count, struct sample *samples,
                   struct error *err)
{
	struct command_request requests[2] = {{0}};
	struct command_report reports[2];
	struct cpuset sets[2];
	int status = 0;
	size_t opened = 0;
	for (; opened < step_count && status == 0; opened++)
		status = fill_request(source, &steps[opened], (unsigned)opened, &sets[opened], &requests[opened], err);
	if (status == 0)
		status = spawner_run(source->spawner, requests, step_count, source->cancel, reports, err);
	for (size_t i = 0; i < opened; i++)
		close_stdio(source, &requests[i]);
	for (size_t i = 0; i < step_count && status == 0; i++) {
		struct sample *sample = &samples[i];
		memset(sample, 0, sizeof(*sample));
		sample->single_threaded = is_single_threaded(&reports[i]);
		sample->left_behind = reports[i].leftovers > 0;
		sample->started = reports[i].executed;
		sample->ended = reports[i].ended;
		sample->values = source->values[i];
		judge_report(source, steps[i].subject, &reports[i], sample);
		fill_values(source, &reports[i], sample->single_threaded, sample->values);
		if (sample->status == SAMPLE_OK && source->experiment->check)
			status = check_output(source, &source->output[i], sample, err);
	}
	return status;
}

int source_hook(struct source *source, const char *command, const char *what, struct error *err)
{
	const char *argv[] = {"sh", "-c", command, NULL};
	struct command_request request = {.path = "/bin/sh", .argv = argv};
	struct command_report report;
	struct buffer output;
	buffer_init(&output, 4096);
	request.stdio[1] = (struct command_stdio){.mode = STDIO_CAPTURE, .capture = &output};
	request.stdio[2].mode = STDIO_SAME;
	if (strcmp(what, "setup") == 0)
		request.flags = COMMAND_KEEP; /* it may have started a server */
	int status = spawner_run(source->spawner, &request, 1, strcmp(what, "cleanup") == 0 ? -1 : source->cancel, &report, err);
	if (status == 0 && report.result == COMMAND_CANCELLED) {
		status = error_set(err, ERROR_INTERRUPTED, "interrupted");
	} else if (status == 0 && (report.result != COMMAND_EXITED || report.code != 0)) {
		error_set(err, ERROR_SUBJECT, "--%s failed (%s %d)", what, report.result == COMMAND_EXITED ? "exit" : "signal", report.code);
		error_on(err, "%.300s", command);
		status = output.length ? error_next(err, "it said: %.200s", buffer_text(&output)) : -1;
	}
	buffer_release(&output);
	return status;
}

int source_machine(const struct source *source, struct source_machine *out, struct error *err)
{
	const struct experiment *e = source->experiment;
	struct host_description description;
	memset(out, 0, sizeof(*out));
	out->usable_cpus = cpus_usable(&source->cpus);
	out->cpu_count = cpus_choose(&source->cpus, 2, out->cpus);
	for (size_t i = 0; i < e->cpu_count; i++) {
		if (!cpus_place(&source->cpus, e->cpus[i])) {
			char list[256];
			error_set(err, ERROR_USAGE, "CPU %d is not one that this process may use", e->cpus[i]);
			error_on(err, "--cpus");
			return error_next(err, "it may use %s", cpuset_format(&source->cpus.allowed, list, sizeof(list)));
		}
		if (i < 2)
			out->cpus[i] = e->cpus[i];
	}
	if (e->cpu_count > 0) {
		out->cpu_count = e->cpu_count < 2 ? e->cpu_count : 2;
		out->usable_cpus = e->cpu_count < out->usable_cpus ? e->cpu_count : out->usable_cpus;
	}
	info_describe(&source->host, &description);
	out->memory_free = description.memory_available < 0 ? NAN : (double)description.memory_available;
	return 0;
}

static const char *known_text(struct arena *arena, const char *text)
{
	return text[0] ? arena_strdup(arena, text) : NULL;
}

int source_describe(const struct source *source, struct result *result, struct error *err)
{
	struct host_description description;
	struct cpu_times times;
	(void)err;
	info_describe(&source->host, &description);
	result->host.cpu = known_text(&result->arena, description.cpu);
	result->host.os = known_text(&result->arena, description.os);
	result->host.kernel = known_text(&result->arena, description.kernel);
	result->host.virtual_ = known_text(&result->arena, description.virtual_);
	result->host.governor = known_text(&result->arena, description.governor);
	result->host.cpus = description.cpus;
	result->host.load = info_load(&source->host);
	result->host.steal = info_cpu_times(&source->host, &times) == 0 ? info_steal(NULL, &times) : NAN;
	return 0;
}

bool source_cancelled(const struct source *source)
{
	struct pollfd fd = {.fd = source->cancel, .events = POLLIN};
	struct timespec now = {0, 0};
	return source->cancel >= 0 && source->host.sys->ppoll(&fd, 1, &now, NULL) > 0;
}

int64_t source_now(const struct source *source)
{
	return clock_now(&source->host);
}

const char *source_note(const struct source *source, size_t index)
{
	return index < source->note_count ? source->notes[index] : NULL;
}
