/* A chunk is a whole `tare run` or `tare bench` with the frozen options: what a worker does is what a user would do by
 * hand on that machine. Whatever an engine starts twice, or again, ends at fleet_publish_file(). */
#include "fleet/worker.h"

#include "exchange/document.h"
#include "exchange/import.h"
#include "exchange/json_write.h"
#include "fleet/engine.h"
#include "fleet/summary.h"
#include "host/clock.h"
#include "host/info.h"
#include "host/program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WORDS_MOST = 4000, LOG_TAIL = 400, PATIENCE = 10 /* s for a chunk to end */ };

struct task {
	const struct fleet_folder *folder;
	size_t slot;
	const char *tare;
	int cancel;
	bool began;                /* it said so of this machine, as the first */
	char local[FLEET_PATH];    /* folder on this machine */
	char node[INFO_TEXT + 16]; /* "TARE_NODE=…", or "" */
	struct host_description machine;
	struct arena arena;
};

/* The engine's name for this node; a host of a test has several. */
static void find_node(struct task *task)
{
	const struct fleet_engine *engine = fleet_engine_find(task->folder->experiment.engine);
	struct host host = host_real();
	const char *name = engine && engine->node ? getenv(engine->node) : NULL;
	char own[256] = "";
	if (!name)
		name = getenv("TARE_NODE");
	if (!name && gethostname(own, sizeof(own) - 1) == 0)
		name = own;
	snprintf(task->node, sizeof(task->node), "TARE_NODE=%.100s", name ? name : "");
	setenv("TARE_NODE", task->node + strlen("TARE_NODE="), 1);
	info_describe(&host, &task->machine);
}

/* Says which slot has begun on this machine, and asks the engine to place others elsewhere. What fails here only makes
 * it likelier that two slots share a machine, which the analysis sees. */
static void leave_out(struct task *task)
{
	const struct fleet_experiment *experiment = &task->folder->experiment;
	const struct fleet_engine *engine = fleet_engine_find(experiment->engine);
	const char *job = engine && engine->job ? getenv(engine->job) : NULL;
	char name[64], text[INFO_TEXT + 40];
	struct buffer nodes = {0};
	struct error err;
	snprintf(name, sizeof(name), "machine/%.16s", task->machine.id);
	snprintf(text, sizeof(text), "%s %zu\n", task->machine.node, task->slot);
	task->began = fleet_publish(task->folder, name, text, strlen(text), &err) == 1;
	if (job) {
		fleet_add_nodes(task->folder, NULL, 0, &nodes);
		fleet_engine_leave_out(engine, task->folder, job, buffer_text(&nodes), &err);
	}
	buffer_release(&nodes);
}

/* A machine that has measured nothing may be given to others. */
static void give_back(const struct task *task)
{
	char name[64];
	snprintf(name, sizeof(name), "machine/%.16s", task->machine.id);
	fleet_withdraw(task->folder, name);
}

static int make_local(struct task *task, struct error *err)
{
	const char *temporary = getenv("TMPDIR");
	snprintf(task->local, sizeof(task->local), "%.3000s/tare-fleet-XXXXXX",
	         temporary && temporary[0] ? temporary : "/tmp");
	if (mkdtemp(task->local))
		return 0;
	error_system(err, errno, "no folder on this machine");
	error_on(err, "%s", task->local);
	task->local[0] = '\0';
	return -1;
}

static int copy_programs(const struct task *task, struct error *err)
{
	const struct fleet_experiment *experiment = &task->folder->experiment;
	char path[FLEET_PATH + 300];
	/* The last is tare itself, which runs already. */
	for (size_t i = 0; i + 1 < experiment->program_count; i++) {
		snprintf(path, sizeof(path), "%s/%zu", task->local, i);
		if (mkdir(path, 0700) != 0)
			return error_system(err, errno, "no folder on this machine");
		snprintf(path, sizeof(path), "%s/%zu/%s", task->local, i, experiment->programs[i].file);
		if (fleet_get_program(task->folder, experiment->programs[i].hash, path, err) != 0)
			return -1;
	}
	return 0;
}

static void remove_local(const struct task *task)
{
	const struct fleet_experiment *experiment = &task->folder->experiment;
	char path[FLEET_PATH + 300];
	if (!task->local[0])
		return;
	for (size_t i = 0; i + 1 < experiment->program_count; i++) {
		snprintf(path, sizeof(path), "%s/%zu/%s", task->local, i, experiment->programs[i].file);
		unlink(path);
		snprintf(path, sizeof(path), "%s/%zu", task->local, i);
		rmdir(path);
	}
	static const char *const files[] = {"out.json", "log"};
	for (size_t i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/%s", task->local, files[i]);
		unlink(path);
	}
	rmdir(task->local);
}

static bool is_folder(const char *path)
{
	struct stat info;
	return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* Where the folders and programs of suite files are on this machine; how many words that takes. */
static size_t add_places(struct task *task, const char **argv)
{
	const struct fleet_experiment *experiment = &task->folder->experiment;
	size_t n = 0;
	for (size_t i = 0; i < experiment->folder_count; i++)
		argv[n++] = arena_printf(&task->arena, "--placed=file.%zu=%s", i,
		                         is_folder(experiment->folders[i]) ? experiment->folders[i] : task->local);
	for (size_t i = 0; i < experiment->placed_count; i++)
		if (experiment->placed[i] < experiment->program_count)
			argv[n++] = arena_printf(&task->arena, "--placed=side.%zu=%s/%zu/%s", i, task->local, experiment->placed[i],
			                         experiment->programs[experiment->placed[i]].file);
	return n;
}

/* The command line of a chunk. */
static const char **words_of(struct task *task, size_t chunk, struct error *err)
{
	const struct fleet_experiment *experiment = &task->folder->experiment;
	struct arena *arena = &task->arena;
	size_t n = 0, most = experiment->argument_count + 4 * experiment->subject_count + experiment->placed_count + 20;
	const char **argv = most < WORDS_MOST ? arena_alloc(arena, most, sizeof(*argv)) : NULL;
	if (!argv) {
		error_memory(err);
		return NULL;
	}
	argv[n++] = task->tare;
	argv[n++] = experiment->command;
	for (size_t i = 0; i < experiment->argument_count; i++)
		argv[n++] = experiment->arguments[i];
	argv[n++] = arena_printf(arena, "--seed=%llu", (unsigned long long)fleet_chunk_seed(experiment, task->slot, chunk));
	argv[n++] = arena_printf(arena, "--runs=%zu", experiment->runs);
	argv[n++] = arena_printf(arena, "--json=%s/out.json", task->local);
	argv[n++] = "--no-save";
	argv[n++] = "--quiet";
	argv[n++] = "--on=none";
	n += add_places(task, argv + n);
	for (size_t i = 0; i < experiment->subject_count; i++)
		if (experiment->subjects[i].name[0]) {
			argv[n++] = "-n";
			argv[n++] = experiment->subjects[i].name;
		}
	argv[n++] = "--";
	for (size_t i = 0; i < experiment->subject_count; i++) {
		const struct fleet_subject *subject = &experiment->subjects[i];
		argv[n++] = subject->program < experiment->program_count
		                ? arena_printf(arena, "%s/%zu/%s%s", task->local, subject->program,
		                               experiment->programs[subject->program].file, subject->rest)
		                : subject->text;
	}
	for (size_t i = 0; i < n; i++)
		if (!argv[i]) {
			error_memory(err);
			return NULL;
		}
	return argv;
}

static bool cancelled(const struct task *task)
{
	struct pollfd fd = {.fd = task->cancel, .events = POLLIN};
	return task->cancel >= 0 && poll(&fd, 1, 0) > 0;
}

/* The last lines that the chunk's tare has printed. */
static void log_tail(const struct task *task, char *text, size_t size)
{
	char path[FLEET_PATH + 8];
	text[0] = '\0';
	snprintf(path, sizeof(path), "%s/log", task->local);
	FILE *file = fopen(path, "re");
	if (!file)
		return;
	if (fseek(file, -(long)size + 1, SEEK_END) != 0)
		rewind(file);
	size_t n = fread(text, 1, size - 1, file);
	text[n] = '\0';
	fclose(file);
	for (size_t i = 0; i < n; i++)
		if (text[i] == '\n')
			text[i] = ' ';
}

/* The chunk's tare is asked to end first: it clears away its own temporary folders. */
static void end_chunk(const struct host *host, struct program *program)
{
	host->sys->kill(program->pid, SIGTERM);
	if (!program_wait(host, program, clock_now(host) + PATIENCE * INT64_C(1000000000)))
		program_kill(host, program);
}

static int run_chunk(struct task *task, size_t chunk, struct error *err)
{
	struct host host = host_real();
	struct program program = {0};
	char path[FLEET_PATH + 8], tail[LOG_TAIL];
	const char *env[] = {task->node, NULL};
	const char **argv = words_of(task, chunk, err);
	const char *directory = task->folder->experiment.directory;
	if (!argv)
		return -1;
	snprintf(path, sizeof(path), "%s/out.json", task->local);
	unlink(path);
	snprintf(path, sizeof(path), "%s/log", task->local);
	int log = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (log < 0)
		return error_system(err, errno, "no file on this machine");
	struct program_request request = {.argv = argv, .env = env, .out = log, .err = log, .sweep = true};
	if (is_folder(directory))
		request.directory = directory;
	int status = program_start(&host, &request, &program, err);
	close(log);
	while (status == 0 && !program_wait(&host, &program, clock_now(&host) + INT64_C(200000000)))
		if (cancelled(task)) {
			end_chunk(&host, &program);
			status = error_set(err, ERROR_INTERRUPTED, "the engine ends this task");
		}
	if (status == 0 && (program.code != 0 || program.signal != 0)) {
		log_tail(task, tail, sizeof(tail));
		status = error_set(err, ERROR_SUBJECT, "tare ended with %s %d: %.300s", program.signal ? "signal" : "status",
		                   program.signal ? program.signal : program.code, tail);
	}
	program_release(&host, &program);
	return status;
}

/* As a document has it, between the quotation marks. */
static const char *quoted(struct task *task, const char *text)
{
	struct buffer out = {0};
	json_escape(&out, text, strlen(text));
	const char *copy = buffer_error(&out, NULL) == 0 ? arena_strdup(&task->arena, buffer_text(&out)) : NULL;
	buffer_release(&out);
	return copy;
}

/* Names of programs as they were given, not those of the copies, wherever the document has them. */
static int restore_names(struct task *task, const char *path, struct buffer *text, struct error *err)
{
	const struct fleet_experiment *experiment = &task->folder->experiment;
	char block[1 << 14];
	size_t n;
	FILE *file = fopen(path, "re");
	if (!file)
		return error_system(err, errno, "its tare has left no result");
	while ((n = fread(block, 1, sizeof(block), file)) > 0)
		buffer_add(text, block, n);
	fclose(file);
	for (size_t i = 0; i + 1 < experiment->program_count; i++) {
		const char *copy = arena_printf(&task->arena, "%s/%zu/%s", task->local, i, experiment->programs[i].file);
		const char *from = copy ? quoted(task, copy) : NULL, *to = quoted(task, experiment->programs[i].path);
		struct buffer restored = {0};
		if (!from || !to)
			return error_memory(err);
		const char *at = buffer_text(text), *end = at + text->length;
		for (const char *found; (found = strstr(at, from)) != NULL; at = found + strlen(from)) {
			buffer_add(&restored, at, (size_t)(found - at));
			buffer_text_add(&restored, to);
		}
		buffer_add(&restored, at, (size_t)(end - at));
		buffer_release(text);
		*text = restored;
	}
	return buffer_error(text, err);
}

static int read_chunk(struct task *task, struct result *out, struct error *err)
{
	char path[FLEET_PATH + 16];
	struct buffer text = {0};
	snprintf(path, sizeof(path), "%s/out.json", task->local);
	int status = restore_names(task, path, &text, err);
	if (status == 0)
		status = import_memory(buffer_text(&text), text.length, path, NULL, out, err);
	buffer_release(&text);
	out->argv = task->folder->experiment.given;
	out->argc = task->folder->experiment.given_count;
	return status;
}

static int publish_chunk(struct task *task, size_t chunk, struct error *err)
{
	const struct fleet_experiment *experiment = &task->folder->experiment;
	char temporary[FLEET_PATH], name[64];
	struct result result;
	struct buffer summary = {0};
	result_init(&result);
	int status = read_chunk(task, &result, err);
	if (status == 0 && (!result.design.name || strcmp(result.design.name, experiment->design) != 0))
		status = error_set(err, ERROR_SUBJECT, "it was measured by another design than the pilot's");
	if (status == 0 && !result_has_samples(&result))
		status = error_set(err, ERROR_SUBJECT, "nothing was measured");
	if (status == 0) {
		fleet_temporary(task->folder, temporary);
		status = fleet_summary_write(&result, experiment, &summary, err);
		if (status == 0)
			status = document_save_packed(&result, buffer_text(&summary), temporary, err);
		snprintf(name, sizeof(name), "slot/%zu.%zu.json.gz", task->slot, chunk);
		if (status == 0)
			status = fleet_publish_file(task->folder, temporary, name, err);
		else
			unlink(temporary);
	}
	buffer_release(&summary);
	result_release(&result);
	return status;
}

/* What failed and where, so that it can be told and the next attempt goes elsewhere. */
static void tell_failure(const struct task *task, const struct error *why)
{
	char name[64], text[1500], words[1200];
	struct error err;
	error_text(why, words, sizeof(words));
	for (char *at = words; *at; at++)
		if (*at == '\n')
			*at = ' ';
	int length = snprintf(text, sizeof(text), "%s %s\n", task->machine.node[0] ? task->machine.node : "-", words);
	for (size_t n = 0; n < 100; n++) {
		snprintf(name, sizeof(name), "failed/%zu.%zu", task->slot, n);
		if (fleet_publish(task->folder, name, text, (size_t)length, &err) != 0)
			return;
	}
}

static int work(struct task *task, struct fleet_work *out, struct error *err)
{
	int status = 0;
	for (size_t chunk = 0; status == 0 && chunk < task->folder->experiment.chunks; chunk++) {
		char name[64];
		snprintf(name, sizeof(name), "slot/%zu.%zu.json.gz", task->slot, chunk);
		if (fleet_has(task->folder, name)) {
			out->skipped++;
			continue;
		}
		if (!task->local[0] && (make_local(task, err) != 0 || copy_programs(task, err) != 0))
			return -1;
		status = run_chunk(task, chunk, err);
		int published = status == 0 ? publish_chunk(task, chunk, err) : 0;
		status = published < 0 ? -1 : status;
		out->done += status == 0;
		out->twice += status == 0 && published == 0;
	}
	return status;
}

int fleet_work(const struct fleet_folder *folder, size_t slot, const char *tare, int cancel, struct fleet_work *out,
               struct error *err)
{
	struct task task = {.folder = folder, .slot = slot, .tare = tare, .cancel = cancel};
	*out = (struct fleet_work){0};
	if (slot >= folder->experiment.machines_max) {
		error_set(err, ERROR_USAGE, "there is no slot %zu", slot);
		return error_next(err, "the fleet has the slots 0 to %zu", folder->experiment.machines_max - 1);
	}
	find_node(&task);
	leave_out(&task);
	int status = work(&task, out, err);
	/* One that the engine ends may be started again, and is no failure. */
	if (status != 0 && err->kind != ERROR_INTERRUPTED)
		tell_failure(&task, err);
	else if (status != 0 && task.began && out->done + out->skipped == 0)
		give_back(&task);
	remove_local(&task);
	arena_release(&task.arena);
	return status;
}
