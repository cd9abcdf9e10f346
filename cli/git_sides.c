#include "cli/git_sides.h"

#include "cli/fleet_use.h"
#include "host/interrupt.h"
#include "cli/message.h"
#include "host/clock.h"
#include "model/level.h"

#include <stdio.h>
#include <string.h>

/* A spawner and a way to be interrupted, for the time of asking and building. */
static int open_tool(struct git_sides *git, struct tool *tool, struct error *err)
{
	git->host = host_real();
	tool->spawner = spawner_open(&git->host, err);
	if (!tool->spawner)
		return -1;
	if (interrupt_open(&tool->cancel, err) == 0)
		return 0;
	spawner_close(tool->spawner);
	return -1;
}

static void close_tool(struct tool *tool)
{
	spawner_close(tool->spawner);
	interrupt_close();
}

int git_sides_name(struct git_sides *git, const struct git_options *options, const char *command, struct side out[2],
                   struct error *err)
{
	struct tool tool = {0};
	if (open_tool(git, &tool, err) != 0)
		return -1;
	int status = commits_read(&tool, options->range, &git->commits, err);
	close_tool(&tool);
	if (status != 0)
		return -1;
	out[0] = (struct side){.name = git->commits.base.label, .command = command};
	out[1] = (struct side){.name = git->commits.head.label, .command = command};
	return 0;
}

static void tell(const struct git_sides *git)
{
	if (git->commits.dirty)
		message_note("changes that are not committed are not measured; the checkout stays as it is");
	if (git->commits.same)
		message_note("%s and %s are the same commit: any difference is noise", git->commits.base.label,
		             git->commits.head.label);
}

/* A time that the user gave is for building too. */
static void take_time(struct experiment *experiment, int64_t spent)
{
	if (experiment->max_time_given)
		experiment->max_time = experiment->max_time > spent ? experiment->max_time - spent : 1;
}

static int build(struct git_sides *git, const struct tool *tool, const struct git_options *options, bool quiet,
                 struct experiment *experiment, struct error *err)
{
	struct tool builder = {tool->spawner, tool->cancel, options->build_timeout};
	const char *command = options->build;
	int status = 0;
	for (size_t side = 0; command && side < CHECKOUT_COUNT && status == 0; side++) {
		int64_t before = clock_now(&git->host);
		if (experiment->max_time_given && (!builder.timeout || experiment->max_time < builder.timeout))
			builder.timeout = experiment->max_time;
		const struct commit *commit = side == CHECKOUT_BASE ? &git->commits.base : &git->commits.head;
		SCOPED(buffer) struct buffer log = {0};
		if (!quiet)
			message_note("building %s: %s", commit->label, command);
		status = checkouts_build(&git->checkouts, &builder, side, command, &log, err);
		if (status != 0 && err->kind == ERROR_SUBJECT) {
			char why[sizeof(err->what)];
			memcpy(why, err->what, sizeof(why));
			message_log(&log);
			error_set(err, ERROR_SUBJECT, "the build of %s failed: %.100s", commit->label, why);
			error_on(err, "%.300s", command);
			error_next(err, log.length ? "its last lines are above" : "it printed nothing");
		}
		take_time(experiment, clock_now(&git->host) - before);
	}
	return status;
}

/* Makes the worktrees, builds both commits and puts the two subjects of the experiment there. What the user should know
 * goes to standard error: a dirty checkout, a failing build's last lines, with `quiet` only the latter. */
static int check_out_and_build(struct git_sides *git, const struct git_options *options, bool quiet,
                               struct experiment *experiment, struct error *err)
{
	struct tool tool = {0};
	if (!quiet)
		tell(git);
	if (open_tool(git, &tool, err) != 0)
		return -1;
	int status = checkouts_open(&git->checkouts, &git->host, &tool, &git->commits, err);
	if (status == 0)
		status = build(git, &tool, options, quiet, experiment, err);
	close_tool(&tool);
	for (size_t side = 0; side < CHECKOUT_COUNT && status == 0; side++)
		experiment->subjects[side].directory = git->checkouts.directories[side];
	return status;
}

int git_sides_make(struct git_sides *git, const struct instrument *instrument, const struct git_options *git_options,
                   struct measure_options *options, struct builds *builds, struct experiment *experiment,
                   struct error *err)
{
	struct git_options checkout_only = {.range = git_options->range};
	if (session_check(instrument, experiment, err) != 0)
		return -1;
	if (fleet_use_is_taken_up(options))
		return 0;
	if (git_options->range &&
	    check_out_and_build(git, builds->wanted ? &checkout_only : git_options, options->quiet, experiment, err) != 0)
		return -1;
	options->builds = builds->wanted ? builds : NULL;
	builds->timeout = git_options->build_timeout;
	return builds->wanted ? builds_plan(builds, experiment, git_options->build, err) : 0;
}

void git_sides_release(struct git_sides *git)
{
	checkouts_close(&git->checkouts);
}

/* ---- builds that are repeated ---- */

static void note(const char *text)
{
	message_note("%s", text);
}

static int bad_level(const char *word, size_t length, const char *next, struct error *err)
{
	return error_full(err, ERROR_USAGE, "--levels", next, "'%.*s' cannot be repeated here",
	                  (int)(length < 40 ? length : 40), word);
}

int builds_use_read(struct builds *builds, const struct builds_options *options, struct error *err)
{
	for (const char *at = options->levels; at && *at;) {
		size_t length = strcspn(at, ",");
		char name[16] = "";
		if (length < sizeof(name))
			memcpy(name, at, length);
		enum level level = level_by_name(name);
		if (level == LEVEL_COUNT)
			return bad_level(at, length, "the levels are build, run, iteration and invocation", err);
		if (level == LEVEL_MACHINE)
			return bad_level(at, length, "join results of several machines: tare analyze FILE…", err);
		builds->wanted |= level == LEVEL_BUILD;
		at += length + (at[length] == ',');
	}
	builds->count = options->builds ? (size_t)options->builds : BUILDS_USUAL;
	builds->given = options->builds > 0;
	builds->keep = options->keep;
	builds->print = message_log;
	builds->note = note;
	builds->wanted |= options->builds > 0;
	if (!builds->wanted && options->keep)
		return error_full(err, ERROR_USAGE, NULL, "add --levels build,run", "--keep-builds without builds to repeat");
	return 0;
}
