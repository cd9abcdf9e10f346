/* Files for standard input and output are opened here, before the request goes to the spawner. */
#include "measure/trial.h"

#include "measure/accounts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

/* Descriptors that a trial has opened. */
struct trial_files {
	int input, output; /* -1: none */
};

static int open_file(const struct host *host, const char *path, int flags, const char *what, struct outcome *outcome)
{
	int fd = host->sys->open(path, flags | O_CLOEXEC, 0666);
	if (fd >= 0)
		return fd;
	outcome->code = errno;
	snprintf(outcome->text, sizeof(outcome->text), "%s '%.100s' cannot be opened: %s", what, path, strerror(errno));
	return -1;
}

enum { OPEN_MOST = 1 << 20 }; /* bytes: nobody reads more than the end of what a hook says */

static struct command_stdio output_of(enum trial_output mode, int file, struct buffer *text)
{
	switch (mode) {
	case TRIAL_CAPTURE: buffer_clear(text); return (struct command_stdio){.mode = STDIO_CAPTURE, .capture = text};
	case TRIAL_INHERIT: return (struct command_stdio){.mode = STDIO_INHERIT};
	case TRIAL_FILE: return (struct command_stdio){.mode = STDIO_FILE, .fd = file};
	case TRIAL_OPEN:
		return file > 2 ? (struct command_stdio){.mode = STDIO_FILE, .fd = file, .most = OPEN_MOST}
		                : (struct command_stdio){.mode = STDIO_NULL};
	case TRIAL_SAME: return (struct command_stdio){.mode = STDIO_SAME};
	case TRIAL_NULL: break;
	}
	return (struct command_stdio){.mode = STDIO_NULL};
}

/* -1: the outcome says which file cannot be opened. */
static int make_request(const struct host *host, const struct trial_request *trial, bool refill,
                        struct trial_files *files, struct command_request *out, struct outcome *outcome)
{
	*out = (struct command_request){.lane = trial->lane,
	                                .path = trial->program ? trial->program : trial->argv[0],
	                                .argv = trial->argv,
	                                .env = trial->env,
	                                .variable = trial->variable,
	                                .directory = trial->directory,
	                                .pad = trial->pad,
	                                .cpus = trial->cpus,
	                                .timeout = trial->timeout};
	if (refill)
		out->flags |= COMMAND_REFILL;
	if (trial->keep_leftovers)
		out->flags |= COMMAND_KEEP;
	if (trial->input) {
		files->input = open_file(host, trial->input, O_RDONLY, "the input file", outcome);
		if (files->input < 0)
			return -1;
		out->stdio[0] = (struct command_stdio){.mode = STDIO_FILE, .fd = files->input};
	} else if (trial->input_fd > 2) {
		out->stdio[0] = (struct command_stdio){.mode = STDIO_FILE, .fd = trial->input_fd};
	}
	if (trial->output == TRIAL_FILE) {
		files->output = open_file(host, trial->output_file, O_WRONLY | O_CREAT | O_TRUNC, "the output file", outcome);
		if (files->output < 0)
			return -1;
	}
	int output = trial->output == TRIAL_OPEN ? trial->output_fd : files->output;
	out->stdio[1] = output_of(trial->output, output, trial->output_text);
	out->stdio[2] = output_of(trial->error, files->output, trial->error_text);
	return 0;
}

static void close_files(const struct host *host, const struct trial_files *files)
{
	if (files->input >= 0)
		host->sys->close(files->input);
	if (files->output >= 0)
		host->sys->close(files->output);
}

/* A trial that cannot begin takes its partners with it. */
static void blame_partner(struct outcome *outcomes, size_t count, size_t culprit)
{
	for (size_t i = 0; i < count; i++)
		if (i != culprit) {
			outcomes[i].status = OUTCOME_DISTURBED;
			snprintf(outcomes[i].text, sizeof(outcomes[i].text), "not run, because its partner could not be started");
		}
}

int trial_run(struct spawner *spawner, const struct trial_request *requests, size_t count, bool refill, int cancel,
              struct outcome *outcomes, struct error *err)
{
	const struct host *host = spawner_host(spawner);
	struct command_request commands[LANES_MAX];
	struct command_report reports[LANES_MAX];
	struct trial_files files[LANES_MAX];
	if (count == 0 || count > LANES_MAX)
		return error_set(err, ERROR_INTERNAL, "%zu trials at once", count);
	for (size_t i = 0; i < count; i++) {
		outcome_init(&outcomes[i]);
		files[i] = (struct trial_files){-1, -1};
	}
	size_t ready = 0;
	while (ready < count &&
	       make_request(host, &requests[ready], refill, &files[ready], &commands[ready], &outcomes[ready]) == 0)
		ready++;
	int result = 0;
	if (ready < count)
		blame_partner(outcomes, count, ready);
	else
		result = spawner_run(spawner, commands, count, cancel, reports, err);
	for (size_t i = 0; i < count; i++) {
		close_files(host, &files[i]);
		if (ready == count && result == 0)
			accounts_take(host, &requests[i], &reports[i], &outcomes[i]);
	}
	return result;
}

int trial_run_series(struct spawner *spawner, const struct trial_request *requests, size_t count, int cancel,
                     struct outcome *outcomes, size_t *ran, struct error *err)
{
	const struct host *host = spawner_host(spawner);
	struct command_request commands[SERIES_MAX];
	struct command_report reports[SERIES_MAX];
	*ran = 0;
	if (count == 0 || count > SERIES_MAX)
		return error_set(err, ERROR_INTERNAL, "a series of %zu trials", count);
	for (size_t i = 0; i < count; i++) {
		struct trial_files none = {-1, -1};
		outcome_init(&outcomes[i]);
		if (make_request(host, &requests[i], false, &none, &commands[i], &outcomes[i]) != 0)
			return error_set(err, ERROR_INTERNAL, "a series has no files");
	}
	if (spawner_run_series(spawner, commands, count, cancel, reports, ran, err) != 0)
		return -1;
	for (size_t i = 0; i < *ran; i++)
		accounts_take(host, &requests[i], &reports[i], &outcomes[i]);
	return 0;
}
