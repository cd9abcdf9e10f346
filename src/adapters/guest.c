/* A guest from its command line to its list; guest_run.c measures. */
#include "adapters/guest_internal.h"

#include "base/memory.h"
#include "host/file.h"
#include "host/search.h"
#include "measure/trial.h"
#include "measure/words.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOOKED_AT = 64 << 20 }; /* bytes of a program that are searched for what its framework leaves there */

/* All of a file, as far as it is searched; empty where it cannot be read. */
static void read_file(const struct host *host, const char *path, struct buffer *out)
{
	int fd = file_kind(host->sys, path) == FILE_REGULAR ? file_open(host->sys, path, NULL) : -1;
	char block[1 << 16];
	long got;
	if (fd < 0)
		return;
	while ((got = file_read(host->sys, fd, block, sizeof(block), NULL)) > 0 && !out->too_long)
		buffer_add(out, block, (size_t)got);
	host->sys->close(fd);
}

static const char *in_folder(struct guest *guest, const char *path)
{
	const char *folder = guest->request.directory;
	return folder && path[0] != '/' ? arena_printf(&guest->arena, "%s/%s", folder, path) : path;
}

/* `path`: the file of the program, which may stand behind "env NAME=value". */
static void recognise(struct guest *guest, const char *path)
{
	struct buffer text, script;
	const char *const *words = adapter_without_env(guest->words);
	struct adapter_program program = {.words = words};
	buffer_init(&text, LOOKED_AT);
	buffer_init(&script, LOOKED_AT);
	const char *file;
	read_file(guest->host, path, &text);
	for (size_t i = 1; words[i] && script.length == 0; i++) {
		file = in_folder(guest, words[i]);
		read_file(guest->host, file ? file : "", &script);
	}
	program.text = buffer_text(&text);
	program.length = text.length;
	program.script = buffer_text(&script);
	program.script_length = script.length;
	guest->adapter = adapter_of(&program);
	buffer_release(&text);
	buffer_release(&script);
}

static int no_such_adapter(const char *name, struct error *err)
{
	struct buffer names = {0};
	for (size_t i = 0; adapter_table[i]; i++)
		buffer_printf(&names, "%s%s", i ? ", " : "", adapter_table[i]->name);
	error_set(err, ERROR_USAGE, "there is no adapter '%.60s'", name);
	error_on(err, "--adapter");
	error_next(err, "there are %.200s", buffer_text(&names));
	buffer_release(&names);
	return -1;
}

static int make_folder(struct guest *guest, struct error *err)
{
	const char *place = getenv("TMPDIR");
	if (!place || place[0] != '/')
		place = "/tmp";
	errno = EEXIST;
	for (int i = 0; i < 100 && errno == EEXIST; i++) {
		snprintf(guest->folder, sizeof(guest->folder), "%.4000s/tare-%016llx", place,
		         (unsigned long long)file_unguessable(guest->host->sys));
		if (guest->host->sys->mkdir(guest->folder, 0700) == 0)
			return 0;
	}
	error_system(err, errno, "cannot make a folder for the results of a framework");
	guest->folder[0] = '\0';
	return error_on(err, "%s", place);
}

/* Looks at the program itself, and at what "env NAME=value" starts. 1 and err: there is none. */
static int see_program(struct guest *guest, const char *path, struct error *err)
{
	const char *const *words = adapter_without_env(guest->words);
	char program[sizeof(guest->program)];
	if (words[0][0] == '-' || words == guest->words) /* an option of env, or no env */
		snprintf(program, sizeof(program), "%s", guest->program);
	else if (search_program(guest->host, words[0], path, program, sizeof(program), err) != 0)
		return 1;
	const char *file = in_folder(guest, program);
	if (!file)
		return error_memory(err);
	if (file_kind(guest->host->sys, file) == FILE_MISSING) {
		error_set(err, ERROR_SUBJECT, "there is no such program");
		error_on(err, "%s", words[0]);
		return 1;
	}
	recognise(guest, file);
	return 0;
}

static int open_guest(struct guest *guest, struct error *err)
{
	const struct guest_request *r = &guest->request;
	const char *path = NULL;
	size_t count;
	int status = 0;
	for (size_t i = 0; r->env && r->env[i]; i++)
		if (strncmp(r->env[i], "PATH=", 5) == 0)
			path = r->env[i] + 5;
	guest->words = words_split(&guest->arena, r->command, &count, err);
	if (!guest->words)
		return -1;
	if (search_program(guest->host, guest->words[0], path, guest->program, sizeof(guest->program), err) != 0)
		return r->adapter ? -1 : 1;
	if (r->adapter)
		guest->adapter = adapter_by_name(r->adapter);
	else
		status = see_program(guest, path, err);
	if (r->adapter && !guest->adapter)
		return no_such_adapter(r->adapter, err);
	if (status != 0)
		return status;
	return guest->adapter ? make_folder(guest, err) : 1;
}

int guest_open(const struct guest_request *request, struct guest **out, struct error *err)
{
	struct guest *guest = mem_zalloc(1, sizeof(*guest));
	if (!guest)
		return error_memory(err);
	guest->request = *request;
	guest->host = request->host;
	int status = open_guest(guest, err);
	if (status == 0)
		*out = guest;
	else
		guest_free(guest);
	if (status == 1)
		*out = NULL;
	return status < 0 ? -1 : 0;
}

void guest_remove(const struct host *host, const char *path)
{
	struct arena arena = {0};
	const char **names = NULL;
	size_t count = 0;
	if (host->sys->unlink(path) == 0 || file_list(host->sys, path, &arena, &names, &count, NULL) != 0)
		return;
	for (size_t i = 0; i < count; i++) {
		const char *inside = arena_printf(&arena, "%s/%s", path, names[i]);
		if (inside)
			guest_remove(host, inside);
	}
	arena_release(&arena);
	host->sys->rmdir(path);
}

void guest_free(struct guest *guest)
{
	if (!guest)
		return;
	if (guest->folder[0])
		guest_remove(guest->host, guest->folder);
	arena_release(&guest->arena);
	mem_free(guest);
}

void guest_use(struct guest *guest, struct spawner *spawner)
{
	guest->spawner = spawner;
}

const struct adapter *guest_adapter(const struct guest *guest)
{
	return guest->adapter;
}

const char *guest_cut_short(const struct guest *guest)
{
	return guest->cut_short[0] ? guest->cut_short : NULL;
}

const char *const *guest_doubles(const struct guest *guest, size_t *count)
{
	*count = guest->double_count;
	return guest->doubles;
}

/* ---- the list ---- */

/* White space and control characters are no part of names here. */
static char *plain_name(struct arena *arena, const char *key)
{
	char *name = arena_strdup(arena, key);
	for (unsigned char *c = (unsigned char *)name; c && *c; c++)
		if (*c <= ' ' || *c == 0x7f)
			*c = '_';
	return name;
}

/* "/key=value" and "/key:value" are parameters. */
static int add_parameters(struct guest *guest, struct harness_benchmark *benchmark, const char *key, struct error *err)
{
	char *rest = arena_strdup(&guest->arena, key), *part;
	benchmark->parameters = arena_alloc(&guest->arena, strlen(key) / 2 + 1, sizeof(*benchmark->parameters));
	if (!rest || !benchmark->parameters)
		return error_memory(err);
	for (strsep(&rest, "/"); (part = strsep(&rest, "/"));) {
		size_t length = strcspn(part, "=:");
		if (length == 0 || !part[length] || !part[length + 1])
			continue;
		part[length] = '\0';
		benchmark->parameters[benchmark->parameter_count++] = (struct harness_pair){plain_name(&guest->arena, part),
		                                                                            part + length + 1};
		if (!benchmark->parameters[benchmark->parameter_count - 1].name)
			return error_memory(err);
	}
	return 0;
}

static int add_name(struct guest *guest, const char *key, struct error *err)
{
	if (guest->count == guest->capacity) {
		size_t capacity = guest->capacity ? 2 * guest->capacity : 64;
		struct harness_benchmark *list = arena_alloc(&guest->arena, capacity, sizeof(*list));
		if (!list)
			return error_memory(err);
		for (size_t i = 0; i < guest->count; i++)
			list[i] = guest->list[i];
		guest->list = list;
		guest->capacity = capacity;
	}
	struct harness_benchmark *benchmark = &guest->list[guest->count];
	benchmark->name = plain_name(&guest->arena, key);
	benchmark->key = arena_strdup(&guest->arena, key);
	if (!benchmark->name || !benchmark->key)
		return error_memory(err);
	guest->count++;
	return add_parameters(guest, benchmark, key, err);
}

/* The next line of a text, without its end; NULL: there is none. */
static char *next_line(char **text)
{
	char *line = strsep(text, "\n");
	size_t length = line ? strlen(line) : 0;
	if (length > 0 && line[length - 1] == '\r')
		line[length - 1] = '\0';
	return line;
}

static int read_lines(struct guest *guest, char *text, struct error *err)
{
	for (char *line; (line = next_line(&text));) {
		char *name = guest->adapter->name_in_line ? guest->adapter->name_in_line(line) : line;
		if (name && *name && add_name(guest, name, err) != 0)
			return -1;
	}
	return 0;
}

/* A line that the program prints itself is no benchmark, each time that it prints it. */
static void take_lines_out(struct guest *guest, char *text)
{
	for (char *line; (line = next_line(&text));) {
		size_t i = 0;
		while (i < guest->count && strcmp(guest->list[i].key, line) != 0)
			i++;
		if (i == guest->count)
			continue;
		guest->count--;
		memmove(&guest->list[i], &guest->list[i + 1], (guest->count - i) * sizeof(*guest->list));
	}
}

static int read_list(struct guest *guest, struct guest_output *output, struct error *err)
{
	char *text = (char *)buffer_text(&output->text);
	if (guest->adapter->names)
		text = guest->adapter->names(&output->arena, text);
	return text ? read_lines(guest, text, err) : error_memory(err);
}

static int read_results(struct guest *guest, const struct guest_output *output, struct error *err)
{
	struct result result;
	result_init(&result);
	int status = guest_import(guest, output, &result, err);
	for (size_t i = 0; i < result.subject_count && status == 0; i++) {
		const struct subject *subject = &result.subjects[i];
		const char *key = guest_key_of(guest, &result, subject);
		status = *key ? add_name(guest, key, err) : error_memory(err);
		/* One that has two values of one repetition is there twice. */
		if (status == 0 && subject->metric_count > 0 && subject->metrics[0].series.n > 1)
			status = add_name(guest, key, err);
	}
	result_release(&result);
	return status;
}

static int by_name(const void *a, const void *b)
{
	const struct harness_benchmark *const *x = a, *const *y = b;
	return strcmp((*x)->name, (*y)->name);
}

/* Which of two of the same name the results belong to nobody can say. */
static int take_doubles_out(struct guest *guest, struct error *err)
{
	size_t n = guest->count, kept = 0;
	const struct harness_benchmark **sorted = arena_alloc(&guest->arena, n + 1, sizeof(*sorted));
	bool *twice = arena_alloc(&guest->arena, n + 1, sizeof(*twice));
	guest->doubles = arena_alloc(&guest->arena, n + 1, sizeof(*guest->doubles));
	if (!sorted || !twice || !guest->doubles)
		return error_memory(err);
	for (size_t i = 0; i < n; i++)
		sorted[i] = &guest->list[i];
	if (n > 0)
		qsort(sorted, n, sizeof(*sorted), by_name);
	for (size_t i = 1; i < n; i++) {
		if (strcmp(sorted[i]->name, sorted[i - 1]->name) != 0)
			continue;
		if (!twice[sorted[i - 1] - guest->list])
			guest->doubles[guest->double_count++] = sorted[i]->name;
		twice[sorted[i - 1] - guest->list] = twice[sorted[i] - guest->list] = true;
	}
	for (size_t i = 0; i < n; i++)
		if (!twice[i])
			guest->list[kept++] = guest->list[i];
	guest->count = kept;
	return 0;
}

static int cannot_list(struct guest *guest, const struct outcome *outcome, const struct guest_output *output,
                       struct error *err)
{
	char said[160];
	const char *why = guest->cut_short[0] ? guest->cut_short
	                  : outcome->text[0]  ? outcome->text
	                                      : "it wrote none that can be read";
	error_set(err, outcome->status == OUTCOME_TIMEOUT ? ERROR_TIMEOUT : ERROR_SUBJECT,
	          "its benchmarks cannot be listed as those of %s: %s", guest->adapter->framework, why);
	error_on(err, "%s", guest->request.command);
	guest_last_line(&output->error, "", said, sizeof(said));
	return said[0] && !guest->cut_short[0] ? error_next(err, "it says: %.150s", said) : -1;
}

static int run_list(struct guest *guest, bool of_none, struct guest_output *output, struct outcome *outcome,
                    struct error *err)
{
	struct adapter_request request = {.words = guest->words,
	                                  .only_list = true,
	                                  .of_none = of_none,
	                                  .folder = guest->folder,
	                                  .env = guest->request.env};
	struct trial_request trial;
	if (guest_prepare(guest, &request, output, &trial, err) != 0)
		return -1;
	trial.timeout = guest->request.limit;
	trial.cpus = guest->request.cpus;
	if (trial_run(guest->spawner, &trial, 1, false, guest->request.cancel, outcome, err) != 0)
		return -1;
	return outcome->status == OUTCOME_CANCELLED ? error_set(err, ERROR_INTERRUPTED, "interrupted") : 0;
}

/* What the program prints itself is in its list: a second one, of no benchmark, has nothing else. */
static int ask_again(struct guest *guest, struct error *err)
{
	struct guest_output output;
	struct outcome outcome;
	guest_output_init(&output);
	int status = run_list(guest, true, &output, &outcome, err);
	if (status == 0 && guest_collect(guest, &output, err) == 0)
		take_lines_out(guest, (char *)buffer_text(&output.text));
	guest_output_release(&output);
	return status;
}

static int ask(struct guest *guest, struct guest_output *output, struct error *err)
{
	struct outcome outcome;
	if (run_list(guest, false, output, &outcome, err) != 0)
		return -1;
	/* What was written so far is a list too. */
	bool some = guest->adapter->list == ADAPTER_RESULTS ||
	            (outcome.status == OUTCOME_EXIT && guest->adapter->ends_with_fail);
	if (outcome.status != OUTCOME_OK && some)
		guest_explain(guest, &outcome, output, guest->cut_short, sizeof(guest->cut_short));
	if ((outcome.status != OUTCOME_OK && !some) || guest_collect(guest, output, err) != 0)
		return cannot_list(guest, &outcome, output, err);
	if (guest->adapter->list == ADAPTER_LINES)
		return read_list(guest, output, err);
	bool read = read_results(guest, output, err) == 0;
	if (guest->cut_short[0] || (read && (guest->count > 0 || !guest->adapter->runs_all)))
		return 0;
	return !read && err->kind == ERROR_MEMORY ? -1 : cannot_list(guest, &outcome, output, err);
}

int guest_list(struct guest *guest, const struct harness_benchmark **out, size_t *count, struct error *err)
{
	if (!guest->listed) {
		struct guest_output output;
		guest_output_init(&output);
		int status = ask(guest, &output, err);
		if (status == 0 && guest->adapter->list_is_mixed && guest->count > 0)
			status = ask_again(guest, err);
		if (status == 0)
			status = take_doubles_out(guest, err);
		guest_output_release(&output);
		if (status != 0)
			return -1;
		guest->listed = true;
	}
	*out = guest->list;
	*count = guest->count;
	return 0;
}

int guest_adopt(struct guest *guest, const struct guest *other, struct error *err)
{
	for (size_t i = 0; i < other->count; i++) {
		bool known = false;
		for (size_t k = 0; k < guest->count; k++)
			known |= strcmp(guest->list[k].key, other->list[i].key) == 0;
		for (size_t k = 0; k < guest->double_count; k++)
			known |= strcmp(guest->doubles[k], other->list[i].name) == 0;
		if (!known && add_name(guest, other->list[i].key, err) != 0)
			return -1;
	}
	return 0;
}
