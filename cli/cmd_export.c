/* tare export: a result in another tool's format. */
#include "cli/commands.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/reading.h"
#include "exchange/export.h"
#include "report/text.h"

#include <stdint.h>

struct export_options {
	struct reading_options reading;
	const char *to, *output;
};

#define OFFSET(field) offsetof(struct export_options, field)

static const struct option export_options[] = {
	OPTION_OF(0, "format", "NAME", OPTION_CHOICE, OFFSET(to), "hyperfine|gbench|jmh|pyperf|go|bmf|gha|csv|json",
              "hyperfine, gbench, jmh, pyperf, go, bmf, gha, csv or json"),
	OPTION('o', "output", "FILE", OPTION_TEXT, OFFSET(output), "where to write (standard output)"),
	OPTION(0, "columns", "ROLES", OPTION_TEXT, OFFSET(reading.columns), "what a table's columns are"),
	OPTION(0, "unit", "UNIT", OPTION_TEXT, OFFSET(reading.unit), "of values that have none"),
	OPTION(0, "metric", "NAME", OPTION_LIST, OFFSET(reading.metrics), "only these metrics"),
	{0},
};

static int export_files(const void *given, const struct text_list *files, struct error *err)
{
	const struct export_options *options = given;
	SCOPED(result) struct result result = result_empty();
	SCOPED(buffer) struct buffer text = {0}, warnings = {0}, notes = {0};
	const char *path = options->output ? options->output : "-";
	if (!options->to)
		return error_full(err, ERROR_USAGE, NULL, "for example: tare export result.json --format hyperfine",
		                  "which format?");
	int status = output_check(path, err) == 0 ? reading_files(&options->reading, files, NULL, &result, err) : -1;
	if (status == 0) {
		reading_drop_comparisons(&options->reading, &result);
		status = export_result(&result, options->to, &text, &notes, err);
	}
	if (status == 0)
		status = output_write(path, &text, err);
	text_warnings(&result, SIZE_MAX, &warnings);
	status = message_finish(status, true, &warnings, err);
	message_notes(&notes);
	return status;
}

static int export_main(const struct command *command, int argc, char **argv)
{
	struct export_options options = {.reading = READING_DEFAULTS};
	return act(command, argc, argv, &options, export_files);
}

const struct command command_export = {
	.name = "export",
	.summary = "convert a result to another tool's format",
	.usage = "tare export RESULT --format NAME [options]",
	.about = "Writes measurements in the format of another tool. RESULT is a file as for\n"
			 "'tare analyze'. Example: tare export result.json --format hyperfine -o hf.json",
	.options = export_options,
	.main = export_main,
};
