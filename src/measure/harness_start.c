/* Life and death of a harness program, and the hand-shake. */
#include "measure/harness_talk.h"

#include "base/memory.h"
#include "host/clock.h"
#include "host/cpuset.h"
#include "host/info.h"
#include "host/proc.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int does_not_speak(struct harness *harness, struct error *err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static int does_not_speak(struct harness *harness, struct error *err, const char *format, ...)
{
	char why[256];
	va_list args;
	va_start(args, format);
	vsnprintf(why, sizeof(why), format, args);
	va_end(args);
	return error_full(
		err, ERROR_SUBJECT, harness->name,
		"nor does tare recognise a suite of gbench, go, pytest, catch2, criterion, nanobench, tinybench, mitata or jmh in it: "
		"if it is one, add --adapter NAME; 'tare compare old.json new.json' compares files that it wrote; 'tare run' "
		"measures commands",
		"this program does not speak tare's benchmark protocol: %s", why);
}

/* "tare 1 c 0.1.0 map" */
static int read_hello(struct harness *harness, char *line, struct error *err)
{
	int version = 0, used = 0;
	char first[32];
	snprintf(first, sizeof(first), "%s", line);
	if (sscanf(line, "tare %d %31s%n", &version, harness->language, &used) != 2 || used == 0)
		return does_not_speak(harness, err, "it answers \"%s\"", first);
	if (version != TARE_PROTOCOL_VERSION)
		return does_not_speak(harness, err, "it speaks version %d, this tare version %d", version,
		                      TARE_PROTOCOL_VERSION);
	const char *map = strstr(line + used, " map");
	harness->maps = map && !map[4] && harness->shared.place;
	return 0;
}

/* Several threads, and a tenth of a CPU used since the start: a large runtime is being loaded. */
static bool is_starting(struct harness *harness, int64_t since)
{
	struct proc_stat stat;
	if (proc_stat(&harness->host, harness->program.pid, &stat) != 0 || stat.threads < 2)
		return false;
	return clock_process_cpu(&harness->host, harness->program.pid) * 10 >= since;
}

/* Where several threads want each CPU, a program gets its start as many times later. */
static int64_t in_a_crowd(const struct harness *harness, int64_t limit, int64_t most)
{
	struct cpuset allowed;
	struct error ignored;
	if (cpuset_of_process(&harness->host, harness->program.pid, &allowed, &ignored) != 0)
		return limit;
	int64_t each = info_runnable(&harness->host) / (int64_t)cpuset_count(&allowed);
	if (each <= 1)
		return limit;
	return each < most / limit ? each * limit : most;
}

static int shake_hands(struct harness *harness, const struct harness_request *request, struct error *err)
{
	int64_t limit = request->start_limit > 0 ? request->start_limit : HARNESS_START_LIMIT;
	int64_t slow = request->slow_start_limit > 0 ? request->slow_start_limit : HARNESS_SLOW_START_LIMIT;
	int64_t begin = clock_now(&harness->host);
	char *line;
	enum lines_status status = lines_send(&harness->host, &harness->lines, "tare 1\n");
	/* One that no longer reads has ended, and how is asked below. */
	if (status != LINES_BROKEN || errno == EPIPE)
		status = harness_receive(harness, begin + limit, &line);
	if (status == LINES_LATE && request->start_limit == 0 && in_a_crowd(harness, limit, slow) > limit) {
		limit = in_a_crowd(harness, limit, slow);
		status = harness_receive(harness, begin + limit, &line);
	}
	if (status == LINES_LATE && slow > limit && is_starting(harness, limit)) {
		limit = slow;
		status = harness_receive(harness, begin + limit, &line);
	}
	if (status == LINES_OK)
		return read_hello(harness, line, err);
	struct harness_outcome end = harness_lose(harness, status, limit);
	if (end.end == HARNESS_CANCELLED)
		return error_set(err, ERROR_INTERRUPTED, "interrupted while %s was starting", harness->name);
	if (end.end == HARNESS_LOST)
		return error_system(err, end.code, "cannot talk to %s", harness->name);
	if (end.end == HARNESS_EXITED || end.end == HARNESS_CRASHED)
		return does_not_speak(harness, err, "it said nothing before it %s", end.text);
	return does_not_speak(harness, err, "it %s", end.text);
}

static int make_channel(struct harness *harness, const struct harness_request *request, struct error *err)
{
	const struct host *host = &harness->host;
	if (lines_init(host, &harness->lines, err) != 0)
		return -1;
	harness->out = shared_file(host, "tare-output", err);
	if (harness->out < 0)
		return -1;
	harness->err = shared_file(host, "tare-errors", err);
	if (harness->err < 0)
		return -1;
	if (request->transport == HARNESS_PIPES)
		return 0;
	if (shared_create(host, "tare-channel", sizeof(struct tare_map), &harness->shared, err) != 0)
		return -1;
	harness->head = (struct tare_map_head){
		.magic = TARE_MAP_MAGIC, .version = TARE_PROTOCOL_VERSION, .size = sizeof(struct tare_map)};
	struct tare_map *map = harness->shared.place;
	map->head = harness->head;
	return 0;
}

static int start_program(struct harness *harness, const struct harness_request *request, struct error *err)
{
	const int fds[3] = {harness->lines.other_from, harness->lines.other_to, harness->shared.fd};
	char variable[64];
	size_t count = 0;
	snprintf(variable, sizeof(variable), "%s=%d 3 4%s", TARE_CHANNEL_VARIABLE, TARE_PROTOCOL_VERSION,
	         harness->shared.place ? " 5" : "");
	while (request->env && request->env[count])
		count++;
	const char **env = mem_alloc(count + 2, sizeof(*env));
	if (!env)
		return error_memory(err);
	for (size_t i = 0; i < count; i++)
		env[i] = request->env[i];
	env[count] = variable;
	env[count + 1] = NULL;
	const struct program_request program = {
		.argv = request->argv,
		.env = env,
		.directory = request->directory,
		.cpus = request->cpus,
		.out = harness->out,
		.err = harness->err,
		.fds = fds,
		.fd_count = harness->shared.place ? 3 : 2,
		.sweep = true,
	};
	int status = program_start(&harness->host, &program, &harness->program, err);
	mem_free(env);
	if (status == 0)
		lines_passed(&harness->host, &harness->lines);
	return status;
}

int harness_start(const struct host *host, const struct harness_request *request, struct harness **out,
                  struct error *err)
{
	struct harness *harness = mem_zalloc(1, sizeof(*harness));
	if (!harness)
		return error_memory(err);
	harness->host = *host;
	harness->out = harness->err = -1;
	harness->program.pidfd = -1;
	harness->cancel = request->cancel;
	harness->pinned = request->cpus != NULL;
	if (request->cpus)
		harness->cpus = *request->cpus;
	harness->name = mem_strdup(request->argv[0] ? request->argv[0] : "");
	int status = harness->name ? 0 : error_memory(err);
	if (status == 0)
		status = make_channel(harness, request, err);
	if (status == 0)
		status = start_program(harness, request, err);
	if (status == 0)
		status = shake_hands(harness, request, err);
	if (status != 0) {
		harness_free(harness);
		return -1;
	}
	harness_look_at_output(harness);
	*out = harness;
	return 0;
}

void harness_free(struct harness *harness)
{
	if (!harness)
		return;
	const struct host *host = &harness->host;
	program_release(host, &harness->program);
	lines_release(host, &harness->lines);
	shared_release(host, &harness->shared);
	if (harness->out >= 0)
		host->sys->close(harness->out);
	if (harness->err >= 0)
		host->sys->close(harness->err);
	for (size_t i = 0; i < harness->benchmark_count; i++) {
		mem_free(harness->benchmarks[i].parameters);
		mem_free(harness->benchmarks[i].defaults);
	}
	mem_free(harness->benchmarks);
	arena_release(&harness->arena);
	mem_free(harness->name);
	mem_free(harness);
}

struct harness_outcome harness_stop(struct harness *harness)
{
	if (!harness_alive(harness))
		return harness_gone();
	if (lines_send(&harness->host, &harness->lines, "quit\n") == LINES_BROKEN && errno != EPIPE)
		return harness_lose(harness, LINES_BROKEN, HARNESS_STOP_LIMIT);
	if (!harness_await_end(harness)) {
		program_kill(&harness->host, &harness->program);
		return harness_outcome_of(HARNESS_HUNG, 0, "did not end within %.3g s", (double)HARNESS_STOP_LIMIT / 1e9);
	}
	return harness->program.signal || harness->program.code != 0 ? harness_death(harness) : harness_well();
}
