/* tare doctor: check whether this machine is fit to measure, and what to fix. */
#include "cli/commands.h"
#include "cli/message.h"
#include "cli/output.h"
#include "exchange/checkup_document.h"
#include "host/clock.h"
#include "machine/doctor.h"
#include "report/checkup_text.h"

#include <limits.h>
#include <stdio.h>

struct doctor_options {
	const char *json, *color, *root;
	bool ascii;
};

#define OFFSET(field) offsetof(struct doctor_options, field)

static const struct option doctor_options[] = {
	OPTION(0, "json", "FILE", OPTION_TEXT, OFFSET(json), "write the findings as JSON ('-': standard output)"),
	OPTION_OF(0, "color", "WHEN", OPTION_CHOICE, OFFSET(color), "auto|always|never", "auto, always or never"),
	OPTION(0, "ascii", NULL, OPTION_FLAG, OFFSET(ascii), "ASCII only, no Unicode"),
	OPTION(0, "root", "DIR", OPTION_TEXT, OFFSET(root), NULL),
	{0},
};

/* A snapshot of a machine in place of this one: the files of the second look are in DIR/later where that exists. */
static int examine(const struct doctor_options *options, struct checkup *checkup, struct error *err)
{
	struct host host = host_real(), later = host;
	if (!options->root)
		return doctor_examine(&host, &later, DOCTOR_LOOK, checkup, err);
	struct stat stat;
	char second[PATH_MAX];
	snprintf(second, sizeof(second), "%s/later", options->root);
	if (host.sys->stat(options->root, &stat) != 0 || !S_ISDIR(stat.st_mode))
		return error_full(err, ERROR_INPUT, options->root, NULL, "is not a folder with a snapshot of a machine");
	host = (struct host){.sys = host.sys, .root = options->root};
	later = host;
	later.root = host.sys->stat(second, &stat) == 0 ? second : options->root;
	return doctor_examine(&host, &later, 0, checkup, err);
}

static int report(const struct doctor_options *options, const struct checkup *checkup, const char *started,
                  struct error *err)
{
	SCOPED(buffer) struct buffer document = {0}, verdict = {0};
	struct buffer text = {0};
	bool to_stderr = output_is_stdout(options->json);
	struct look look = output_look(options->color, options->ascii, to_stderr);
	checkup_verdict(checkup, &verdict);
	checkup_document_write(checkup, started, buffer_text(&verdict), &document);
	document.out_of_memory |= verdict.out_of_memory;
	if (options->json && output_write(options->json, &document, err) != 0)
		return -1;
	checkup_text(checkup, &look, &text);
	return message_finish(0, to_stderr, &text, err);
}

static int visit(const void *given, const struct text_list *arguments, struct error *err)
{
	const struct doctor_options *options = given;
	if (arguments->count > 0)
		return error_full(err, ERROR_USAGE, arguments->items[0], NULL, "tare doctor takes no arguments");
	SCOPED(checkup) struct checkup checkup = {.count = 0};
	struct host host = host_real();
	char started[64];
	clock_timestamp(&host, started, sizeof(started));
	if (output_check(options->json, err) != 0 || examine(options, &checkup, err) != 0)
		return -1;
	return report(options, &checkup, started, err);
}

static int doctor_main(const struct command *command, int argc, char **argv)
{
	struct doctor_options options = {0};
	return act(command, argc, argv, &options, visit);
}

const struct command command_doctor = {
	.name = "doctor",
	.summary = "check whether this machine is fit to measure, and what to fix",
	.usage = "tare doctor [options]",
	.about = "Looks at this machine for half a second and says what would disturb a\n"
			 "measurement, what that costs, and which command fixes it. It changes nothing\n"
			 "and needs no root.",
	.options = doctor_options,
	.main = doctor_main,
};
