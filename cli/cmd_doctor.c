/* tare doctor: check whether this machine is fit to measure, and what to fix. */
#include "cli/act.h"
#include "cli/commands.h"
#include "cli/message.h"
#include "cli/output.h"
#include "exchange/json_write.h"
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

static const char *state_key(enum finding_state state)
{
	switch (state) {
	case FINDING_OK: return "ok";
	case FINDING_COULD_BE_BETTER: return "could-be-better";
	case FINDING_BAD: return "bad";
	case FINDING_UNKNOWN: break;
	}
	return "unknown";
}

static void put_finding(struct json_writer *json, const struct finding *finding)
{
	json_put_object(json);
	json_add_text(json, "name", finding->name);
	json_add_text(json, "title", finding->title);
	json_add_text(json, "state", state_key(finding->state));
	json_add_text(json, "value", finding->value);
	if (!finding->value)
		json_add_text(json, "value_why", finding->why);
	if (finding->value && finding->unit) {
		json_add_number(json, "number", finding->number);
		json_add_text(json, "unit", finding->unit);
	}
	json_add_text(json, "cost", finding->cost);
	json_add_text(json, "advice", finding->advice);
	json_add_text(json, "command", finding->command);
	json_end_object(json);
}

static void write_json(const struct checkup *checkup, const char *started, struct buffer *out)
{
	struct json_writer json;
	struct buffer verdict = {0};
	checkup_verdict(checkup, &verdict);
	json_write_init(&json, out);
	json_put_object(&json);
	json_add_text(&json, "schema", "tare-doctor/1");
	json_add_text(&json, "version", TARE_VERSION);
	json_add_text(&json, "started", started);
	json_add_number(&json, "elapsed", checkup->seconds);
	json_put_key(&json, "host");
	json_put_object(&json);
	json_add_text(&json, "cpu", checkup->cpu);
	json_add_text(&json, "os", checkup->os);
	json_add_text(&json, "kernel", checkup->kernel);
	json_end_object(&json);
	json_put_key(&json, "fit");
	json_put_bool(&json, checkup_count(checkup, FINDING_BAD) == 0);
	json_add_text(&json, "summary", buffer_text(&verdict));
	json_put_key(&json, "findings");
	json_put_array(&json);
	for (size_t i = 0; i < checkup->count; i++)
		put_finding(&json, &checkup->findings[i]);
	json_end_array(&json);
	json_end_object(&json);
	buffer_char(out, '\n');
	if (verdict.out_of_memory)
		out->out_of_memory = true;
	buffer_release(&verdict);
}

/* A snapshot of a machine in place of this one: the files of the second look are in DIR/later where that exists. */
static int examine(const struct doctor_options *options, struct checkup *checkup, struct error *err)
{
	struct host host = host_real(), later = host;
	if (!options->root)
		return doctor_examine(&host, &later, DOCTOR_LOOK, checkup, err);
	struct stat stat;
	char second[PATH_MAX];
	snprintf(second, sizeof(second), "%s/later", options->root);
	if (host.sys->stat(options->root, &stat) != 0 || !S_ISDIR(stat.st_mode)) {
		error_set(err, ERROR_INPUT, "is not a folder with a snapshot of a machine");
		return error_on(err, "%s", options->root);
	}
	host.root = options->root;
	later.root = later.sys->stat(second, &stat) == 0 ? second : options->root;
	return doctor_examine(&host, &later, 0, checkup, err);
}

static int report(const struct doctor_options *options, const struct checkup *checkup, const char *started,
                  struct error *err)
{
	struct buffer text = {0}, document = {0};
	bool to_stderr = output_is_stdout(options->json);
	struct look look = output_look(options->color, options->ascii, to_stderr);
	int failed = 0;
	if (options->json) {
		write_json(checkup, started, &document);
		failed = output_write(options->json, &document, err);
	}
	if (!failed) {
		checkup_text(checkup, &look, &text);
		failed = message_print_to(to_stderr, &text, err);
	}
	buffer_release(&text);
	buffer_release(&document);
	return failed;
}

static int visit(const void *given, const struct text_list *arguments, struct error *err)
{
	const struct doctor_options *options = given;
	if (arguments->count > 0) {
		error_set(err, ERROR_USAGE, "tare doctor takes no arguments");
		return error_on(err, "%s", arguments->items[0]);
	}
	struct checkup checkup = {.count = 0};
	struct host host = host_real();
	char started[64];
	clock_timestamp(&host, started, sizeof(started));
	if (output_check(options->json, err) != 0 || examine(options, &checkup, err) != 0)
		return -1;
	int failed = report(options, &checkup, started, err);
	checkup_release(&checkup);
	return failed;
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
