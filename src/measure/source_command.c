/* From the text of a command to a process: words, program, hooks, checks. */
#include "measure/source_internal.h"

#include "host/page_cache.h"
#include "host/search.h"
#include "host/shared.h"
#include "measure/words.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char **source_words(struct arena *arena, const char *command, const char *shell, struct error *err)
{
	size_t count;
	if (!shell)
		return words_split(arena, command, &count, err);
	if (command[strspn(command, " \t\n")] == '\0') {
		error_set(err, ERROR_USAGE, "the command is empty");
		return NULL;
	}
	const char **shell_words = words_split(arena, shell, &count, err);
	if (!shell_words)
		error_on(err, "--shell");
	const char **words = shell_words ? arena_alloc(arena, count + 3, sizeof(*words)) : NULL;
	if (shell_words && !words)
		error_memory(err);
	if (!words)
		return NULL;
	memcpy(words, shell_words, count * sizeof(*words));
	words[count] = "-c";
	words[count + 1] = command;
	return words;
}

int source_set_command(struct source *source, size_t subject, const char *command, struct error *err)
{
	struct arena fresh = {0};
	char *copy = arena_strdup(&fresh, command);
	const char **words = copy ? source_words(&fresh, copy, source->experiment->shell, err) : NULL;
	if (!copy)
		error_memory(err);
	if (!words) {
		arena_release(&fresh);
		return -1;
	}
	/* The program stays the same unless its own name holds what changes. */
	if (strcmp(words[0], source->commands[subject].argv[0]) != 0)
		source->commands[subject].program[0] = '\0';
	source->commands[subject].argv = words;
	arena_release(&source->texts[subject]);
	source->texts[subject] = fresh;
	return 0;
}

int source_find(const struct host *host, struct source_command *command, struct error *err)
{
	if (command->program[0])
		return 0;
	char program[sizeof(command->program)];
	if (search_program(host, command->argv[0], command->path, program, sizeof(program), err) != 0)
		return -1;
	memcpy(command->program, program, sizeof(program));
	return 0;
}

const char *source_variable(const char *const *env, const char *name)
{
	size_t length = strlen(name);
	for (; env && *env; env++)
		if (strncmp(*env, name, length) == 0 && (*env)[length] == '=')
			return *env + length + 1;
	return NULL;
}

int source_program(const struct experiment_subject *subject, char *path, size_t size, struct error *err)
{
	const struct host host = host_real();
	struct arena arena = {0};
	size_t count, blank = strspn(subject->command, " \t\n");
	const char **words = words_split(&arena, subject->command, &count, NULL);
	/* What only a shell can split begins with a word, too. */
	const char *word = words ? words[0]
	                         : arena_printf(&arena, "%.*s", (int)strcspn(subject->command + blank, " \t\n"),
	                                        subject->command + blank);
	int status = 0;
	if (!word)
		status = error_memory(err);
	else if (word[0] != '/' && strchr(word, '/') && subject->directory)
		status = (size_t)snprintf(path, size, "%s/%s", subject->directory, word) < size
		             ? 0
		             : error_system(err, ENAMETOOLONG, "the name of the program is too long");
	else
		status = search_program(&host, word, source_variable(subject->env, "PATH"), path, size, err);
	arena_release(&arena);
	return status;
}

void source_renew(const struct experiment_subject *subject)
{
	const struct host host = host_real();
	char path[4096];
	if (source_program(subject, path, sizeof(path), NULL) == 0)
		page_cache_renew(&host, path);
}

void source_set_end(struct source *source, const struct source_end *end)
{
	source->end = *end;
	source->told_late = false;
}

static void tell_late(void *context)
{
	struct source *source = context;
	if (!source->told_late)
		source->end.late(source->end.context);
	source->told_late = true;
}

void source_watch_clock(struct source *source, bool running)
{
	spawner_watch_clock(source->spawner, running ? source->end.instant : 0, tell_late, source);
}

bool source_was_ended(const struct source *source)
{
	return source->was_ended;
}

/* ns that a hook that begins now may take; 0: as long as it likes. */
static int64_t hook_time(const struct source *source, bool *by_end)
{
	const struct source_end *end = &source->end;
	int64_t timeout = source->experiment->timeout;
	*by_end = false;
	if (!end->instant)
		return timeout;
	int64_t least = source->longest_hook > end->least ? source->longest_hook : end->least;
	int64_t left = end->instant - source_now(source);
	left = left > least ? left : least;
	*by_end = !timeout || left < timeout;
	return *by_end ? left : timeout;
}

/* Runs a command by the shell, in the lane where what is left behind may stay; what it says goes to a file in memory,
 * since a server that it starts must not lose a pipe later. `of`: the subject whose place it runs in, or NULL. */
static int run_by_shell(struct source *source, const struct experiment_subject *of, const char *command, int input,
                        int said, struct outcome *outcome, struct error *err)
{
	const char *const argv[] = {"/bin/sh", "-c", command, NULL};
	bool shown = strcmp(source->experiment->output, "inherit") == 0, by_end;
	struct trial_request request = {.argv = argv,
	                                .env = of ? of->env : NULL,
	                                .directory = of ? of->directory : source->experiment->directory,
	                                .input_fd = input,
	                                .output = shown ? TRIAL_INHERIT : TRIAL_OPEN,
	                                .error = shown ? TRIAL_INHERIT : TRIAL_SAME,
	                                .output_fd = said,
	                                .timeout = hook_time(source, &by_end),
	                                .keep_leftovers = true,
	                                .lane = SOURCE_HOOK_LANE};
	/* What is to be done after an interruption must not be interrupted by it. */
	int cancel = source_cancelled(source) ? -1 : source->cancel;
	int64_t before = source_now(source);
	int status = trial_run(source->spawner, &request, 1, false, cancel, outcome, err);
	int64_t took = source_now(source) - before;
	if (status == 0 && outcome->status == OUTCOME_TIMEOUT)
		source->was_ended = by_end;
	else if (took > source->longest_hook)
		source->longest_hook = took;
	return status;
}

static int ran_past(const struct source *source, const char *what, struct error *err)
{
	if (!source->was_ended)
		return error_set(err, ERROR_TIMEOUT, "--%s ran past --timeout", what);
	error_set(err, ERROR_NO_DATA, "--%s ran past --max-time", what);
	return error_next(err, "a longer --max-time; without one the time of --%s is not counted", what);
}

static int run_hook(struct source *source, const struct experiment_subject *of, const char *command, const char *what,
                    struct error *err)
{
	struct outcome outcome;
	char text[190] = "";
	int said = shared_file(source->host, "tare-hook", err);
	if (said < 0)
		return -1;
	int status = run_by_shell(source, of, command, -1, said, &outcome, err);
	shared_file_tail(source->host, said, text, sizeof(text));
	for (char *c = text; *c; c++)
		*c = *c == '\n' ? ' ' : *c; /* it is told in one line */
	source->host->sys->close(said);
	if (status != 0 || outcome.status == OUTCOME_OK)
		return status;
	if (outcome.status == OUTCOME_CANCELLED)
		return error_set(err, ERROR_INTERRUPTED, "interrupted");
	if (outcome.status == OUTCOME_TIMEOUT) {
		ran_past(source, what, err);
		error_on(err, "%.300s", command);
	} else {
		error_set(err, ERROR_SUBJECT, "--%s '%.150s' failed: %s", what, command, outcome.text);
	}
	return text[0] ? error_next(err, "it said: %.190s", text) : -1;
}

int source_hook(struct source *source, const char *command, const char *what, struct error *err)
{
	return run_hook(source, NULL, command, what, err);
}

int source_hook_of(struct source *source, size_t subject, const char *command, const char *what, struct error *err)
{
	return run_hook(source, &source->experiment->subjects[subject], command, what, err);
}

int source_check_output(struct source *source, size_t step, struct sample *sample, struct error *err)
{
	char what[160];
	const struct buffer *text = &source->outputs[step];
	struct outcome outcome;
	if (text->out_of_memory)
		return error_memory(err);
	if (text->too_long) {
		snprintf(what, sizeof(what), "its output is over %d MiB, too long for --check", SOURCE_OUTPUT_MAX >> 20);
		source_fail_sample(sample, what);
		return 0;
	}
	int fd = shared_file(source->host, "tare-output", err);
	if (fd < 0)
		return -1;
	int status = 0;
	for (size_t done = 0; done < text->length && status == 0;) {
		ssize_t n = source->host->sys->write(fd, text->data + done, text->length - done);
		if (n <= 0)
			status = error_set(err, ERROR_SYSTEM, "the output cannot be given to the check");
		else
			done += (size_t)n;
	}
	if (status == 0 && source->host->sys->lseek(fd, 0, SEEK_SET) != 0)
		status = error_set(err, ERROR_SYSTEM, "the output cannot be given to the check");
	if (status == 0)
		status = run_by_shell(source, NULL, source->experiment->check, fd, -1, &outcome, err);
	source->host->sys->close(fd);
	if (status != 0 || outcome.status == OUTCOME_OK)
		return status;
	if (outcome.status == OUTCOME_TIMEOUT && source->was_ended)
		return ran_past(source, "check", err);
	snprintf(what, sizeof(what), "the check of its output failed: %.100s", outcome.text);
	source_fail_sample(sample, what);
	if (outcome.status == OUTCOME_TIMEOUT)
		sample->status = SAMPLE_TIMED_OUT;
	return 0;
}
