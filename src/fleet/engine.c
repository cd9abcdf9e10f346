#include "fleet/engine.h"

#include "host/clock.h"
#include "host/program.h"

#include <errno.h>
#include <math.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORDS_MOST = 200, ANSWER_MOST = 8 << 20, PATIENCE_SECONDS = 60 };

static const char *const slurm_submit[] = {"sbatch",
                                           "--parsable",
                                           "--job-name=tare-{id}",
                                           "--array={slots}",
                                           "--nodes=1",
                                           "--ntasks=1",
                                           "--exclusive",
                                           "--requeue",
                                           "--signal=B:TERM@60",
                                           "--time={minutes}",
                                           "--output={folder}/log/%a.log",
                                           "--open-mode=append",
                                           NULL};
static const char *const slurm_queue[] = {"squeue",  "--name=tare-{id}",        "--noheader",
                                          "--array", "--format=%K|%t|%N|%i|%r", NULL};
static const char *const slurm_cancel[] = {"scancel", "--name=tare-{id}", NULL};
static const char *const slurm_release[] = {"scontrol", "release", "{task}", NULL};
static const char *const slurm_leave_out[] = {"scontrol", "update", "JobId={job}", "ExcNodeList={nodes}", NULL};

static const struct fleet_engine engines[] = {
	{.name = "slurm",
     .submit = slurm_submit,
     .partition = "--partition=",
     .exclude = "--exclude=",
     .wrap = "--wrap=exec '{worker}' fleet work '{folder}'",
     .queue = slurm_queue,
     .cancel = slurm_cancel,
     .release = slurm_release,
     .held = "requeued held",
     .leave_out = slurm_leave_out,
     .slot = "SLURM_ARRAY_TASK_ID",
     .job = "SLURM_ARRAY_JOB_ID",
     .node = "SLURMD_NODENAME"},
};

const struct fleet_engine *fleet_engine_find(const char *name)
{
	for (size_t i = 0; i < sizeof(engines) / sizeof(engines[0]); i++)
		if (strcmp(engines[i].name, name) == 0)
			return &engines[i];
	return NULL;
}

long fleet_slot_of_environment(void)
{
	/* Grid Engine counts tasks from 1. */
	static const struct {
		const char *name;
		long first;
	} variables[] = {
		{"SLURM_ARRAY_TASK_ID", 0}, {"PBS_ARRAY_INDEX", 0}, {"SGE_TASK_ID", 1}, {"JOB_COMPLETION_INDEX", 0}};
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		const char *text = getenv(variables[i].name);
		char *end;
		long number = text ? strtol(text, &end, 10) : -1;
		if (text && end != text && *end == '\0' && number >= variables[i].first)
			return number - variables[i].first;
	}
	return -1;
}

/* What stands for the names in braces. */
struct meaning {
	const char *name, *text;
};

static const char *expand(struct arena *arena, const char *word, const struct meaning *meanings)
{
	struct buffer out = {0};
	for (const char *at = word; *at;) {
		const struct meaning *m = meanings;
		while (*at == '{' && m->name && strncmp(at + 1, m->name, strlen(m->name)) != 0)
			m++;
		if (*at == '{' && m->name && at[1 + strlen(m->name)] == '}') {
			buffer_text_add(&out, m->text);
			at += strlen(m->name) + 2;
		} else {
			buffer_char(&out, *at++);
		}
	}
	const char *copy = buffer_error(&out, NULL) == 0 ? arena_strdup(arena, buffer_text(&out)) : NULL;
	buffer_release(&out);
	return copy;
}

/* Whether there is something to read, or the other end was closed, before `until`. */
static bool is_readable(const struct host *host, int fd, int64_t until)
{
	struct pollfd one = {.fd = fd, .events = POLLIN};
	for (;;) {
		int64_t left = (until - clock_now(host)) / 1000000;
		int got = left > 0 ? poll(&one, 1, (int)left) : 0;
		if (got >= 0 || errno != EINTR)
			return got > 0;
	}
}

/* Runs a command to its end, or until patience ends, and takes what it prints. */
static int ask(const char *const *argv, struct buffer *answer, struct error *err)
{
	struct host host = host_real();
	struct program program = {0};
	int ends[2];
	char block[4096];
	ssize_t n;
	if (pipe2(ends, O_CLOEXEC) != 0)
		return error_system(err, errno, "no pipe");
	struct program_request request = {.argv = argv, .out = ends[1], .err = ends[1]};
	int status = program_start(&host, &request, &program, err);
	close(ends[1]);
	int64_t until = clock_now(&host) + PATIENCE_SECONDS * INT64_C(1000000000);
	while (status == 0 && is_readable(&host, ends[0], until) && (n = read(ends[0], block, sizeof(block))) != 0) {
		if (n < 0 && errno != EINTR)
			break;
		if (n > 0 && answer->length < ANSWER_MOST)
			buffer_add(answer, block, (size_t)n);
	}
	close(ends[0]);
	if (status == 0 && !program_wait(&host, &program, until))
		program_kill(&host, &program);
	if (status == 0 && (program.code != 0 || program.signal != 0)) {
		char *text = answer->data ? answer->data : NULL;
		if (text)
			text[strcspn(text, "\n")] = '\0';
		error_set(err, ERROR_SYSTEM, "%s refused: %.300s", argv[0], text && text[0] ? text : "no reason given");
		status = -1;
	}
	program_release(&host, &program);
	return status;
}

static int call(struct arena *arena, const char *const *row, const char *const *more, const struct meaning *meanings,
                struct buffer *answer, struct error *err)
{
	const char *argv[WORDS_MOST + 1];
	size_t n = 0;
	for (size_t i = 0; row[i] && n < WORDS_MOST; i++)
		argv[n++] = expand(arena, row[i], meanings);
	for (size_t i = 0; more && more[i] && n < WORDS_MOST; i++)
		argv[n++] = more[i];
	argv[n] = NULL;
	for (size_t i = 0; i < n; i++)
		if (!argv[i])
			return error_memory(err);
	return ask(argv, answer, err);
}

/* "0-7" or "1,5,9". */
static void add_slots(struct buffer *out, const size_t *slots, size_t count)
{
	for (size_t i = 0; i < count;) {
		size_t end = i + 1;
		while (end < count && slots[end] == slots[end - 1] + 1)
			end++;
		buffer_printf(out, "%s%zu", i ? "," : "", slots[i]);
		if (end > i + 1)
			buffer_printf(out, "-%zu", slots[end - 1]);
		i = end;
	}
}

/* The worker's tare is among the programs, as the last. */
static int find_worker(const struct fleet_folder *folder, char path[FLEET_PATH], struct error *err)
{
	const struct fleet_experiment *experiment = &folder->experiment;
	if (experiment->program_count == 0)
		return error_set(err, ERROR_INPUT, "the fleet has no tare for its workers");
	snprintf(path, FLEET_PATH, "%.3900s/bin/%s", folder->path,
	         experiment->programs[experiment->program_count - 1].hash);
	return 0;
}

int fleet_engine_submit(const struct fleet_engine *engine, const struct fleet_folder *folder, const size_t *slots,
                        size_t count, const char *exclude, char job[64], struct error *err)
{
	const struct fleet_experiment *experiment = &folder->experiment;
	struct arena arena = {0};
	struct buffer list = {0}, answer = {0};
	char worker[FLEET_PATH], minutes[32];
	const char *more[WORDS_MOST];
	size_t n = 0;
	if (find_worker(folder, worker, err) != 0)
		return -1;
	add_slots(&list, slots, count);
	/* Twice what the pilot says, and time to copy; the user's own option comes later and wins. */
	snprintf(minutes, sizeof(minutes), "%.0f", ceil((double)experiment->chunks * experiment->seconds / 30) + 10);
	const struct meaning meanings[] = {{"id", experiment->id}, {"slots", buffer_text(&list)}, {"folder", folder->path},
	                                   {"worker", worker},     {"minutes", minutes},          {NULL, NULL}};
	if (experiment->partition)
		more[n++] = arena_printf(&arena, "%s%s", engine->partition, experiment->partition);
	if (exclude[0])
		more[n++] = arena_printf(&arena, "%s%s", engine->exclude, exclude);
	for (size_t i = 0; i < experiment->option_count && n + 2 < WORDS_MOST / 2; i++)
		more[n++] = experiment->options[i];
	more[n++] = expand(&arena, engine->wrap, meanings);
	more[n] = NULL;
	int status = 0;
	for (size_t i = 0; i < n; i++)
		if (!more[i])
			status = error_memory(err);
	if (status == 0)
		status = call(&arena, engine->submit, more, meanings, &answer, err);
	if (status == 0)
		snprintf(job, 64, "%.*s", (int)strcspn(buffer_text(&answer), ";\n"), buffer_text(&answer));
	buffer_release(&list);
	buffer_release(&answer);
	arena_release(&arena);
	return status;
}

static int read_task(const struct fleet_engine *engine, struct arena *arena, char *line, struct fleet_task *out)
{
	char *field[5] = {line, NULL, NULL, NULL, NULL};
	for (int i = 1; i < 5; i++) {
		field[i] = field[i - 1] ? strchr(field[i - 1], '|') : NULL;
		if (!field[i])
			return -1;
		*field[i]++ = '\0';
	}
	char *end;
	unsigned long slot = strtoul(field[0], &end, 10);
	if (end == field[0] || *end)
		return -1;
	bool waits = strcmp(field[1], "PD") == 0 || strcmp(field[1], "RQ") == 0 || strcmp(field[1], "S") == 0;
	enum fleet_state state = !waits ? FLEET_RUNNING : strstr(field[4], engine->held) ? FLEET_HELD : FLEET_WAITING;
	*out = (struct fleet_task){slot, state, arena_strdup(arena, field[2]), arena_strdup(arena, field[3]),
	                           arena_strdup(arena, strcmp(field[4], "None") == 0 ? "" : field[4])};
	return out->node && out->task && out->reason ? 0 : -1;
}

int fleet_engine_queue(const struct fleet_engine *engine, const struct fleet_folder *folder, struct arena *arena,
                       struct fleet_task **out, size_t *count, struct error *err)
{
	struct buffer answer = {0};
	const struct meaning meanings[] = {{"id", folder->experiment.id}, {NULL, NULL}};
	size_t lines = 1, n = 0;
	int status = call(arena, engine->queue, NULL, meanings, &answer, err);
	for (const char *at = answer.data; status == 0 && at && *at; at++)
		lines += *at == '\n';
	struct fleet_task *tasks = status == 0 ? arena_alloc(arena, lines, sizeof(*tasks)) : NULL;
	if (status == 0 && !tasks)
		status = error_memory(err);
	for (char *at = answer.data, *rest; status == 0 && at && *at; at = rest) {
		rest = strchr(at, '\n');
		if (rest)
			*rest++ = '\0';
		else
			rest = at + strlen(at);
		if (read_task(engine, arena, at, &tasks[n]) == 0 && tasks[n].slot < folder->experiment.machines_max)
			n++;
	}
	buffer_release(&answer);
	*out = tasks;
	*count = n;
	return status;
}

/* A command whose answer says nothing but whether it was done. */
static int tell(const char *const *row, const struct meaning *meanings, struct error *err)
{
	struct arena arena = {0};
	struct buffer answer = {0};
	int status = call(&arena, row, NULL, meanings, &answer, err);
	buffer_release(&answer);
	arena_release(&arena);
	return status;
}

int fleet_engine_cancel(const struct fleet_engine *engine, const struct fleet_folder *folder, struct error *err)
{
	const struct meaning meanings[] = {{"id", folder->experiment.id}, {NULL, NULL}};
	return tell(engine->cancel, meanings, err);
}

int fleet_engine_release(const struct fleet_engine *engine, const struct fleet_task *task, struct error *err)
{
	const struct meaning meanings[] = {{"task", task->task}, {NULL, NULL}};
	return tell(engine->release, meanings, err);
}

int fleet_engine_leave_out(const struct fleet_engine *engine, const struct fleet_folder *folder, const char *job,
                           const char *nodes, struct error *err)
{
	const struct meaning meanings[] = {{"id", folder->experiment.id}, {"job", job}, {"nodes", nodes}, {NULL, NULL}};
	return tell(engine->leave_out, meanings, err);
}
