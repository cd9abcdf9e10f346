/* tare predict: predict how long more work will take. */
#include "analysis/predict.h"
#include "base/parse.h"
#include "cli/commands.h"
#include "cli/measure_options.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/reading.h"
#include "exchange/prediction_document.h"
#include "report/prediction_text.h"

#include <stdio.h>
#include <string.h>

struct predict_options {
	struct reading_options reading;
	struct text_list works;
	const char *subject, *pi, *confidence, *json, *color;
	bool ascii;
};

#define OFFSET(field) offsetof(struct predict_options, field)

static const struct option predict_options[] = {
	OPTION(0, "work", "W,…", OPTION_LIST, OFFSET(works), "work amounts to predict"),
	OPTION(0, "subject", "NAME", OPTION_TEXT, OFFSET(subject), "which of several (the first)"),
	OPTION(0, "pi", "NAME", OPTION_TEXT, OFFSET(pi), "by the unit readings of this index"),
	OPTION(0, "confidence", "PCT", OPTION_TEXT, OFFSET(confidence), "of the interval (95)"),
	OPTION(0, "json", "FILE", OPTION_TEXT, OFFSET(json), "write the predictions ('-': standard output)"),
	OPTION(0, "ascii", NULL, OPTION_FLAG, OFFSET(ascii), NULL),
	OPTION_OF(0, "color", "WHEN", OPTION_CHOICE, OFFSET(color), "auto|always|never", NULL),
	{0},
};

enum { MOST_AMOUNTS = 1000 };

/* "100,200" and repeated options alike. */
static int read_amounts(const struct text_list *texts, double *works, size_t *count, struct error *err)
{
	*count = 0;
	for (size_t i = 0; i < texts->count; i++)
		for (const char *at = texts->items[i]; *at;) {
			char word[64];
			size_t length = strcspn(at, ",");
			snprintf(word, sizeof(word), "%.*s", (int)(length < 63 ? length : 63), at);
			if (*count == MOST_AMOUNTS || parse_double(word, &works[*count], err) != 0 || !(works[*count] > 0))
				return error_full(err, ERROR_USAGE, "--work", "write numbers above 0, like 1000 or 1000,2000",
				                  "'%.60s' is not a work amount", word);
			++*count;
			at += length + (at[length] == ',');
		}
	if (*count > 0)
		return 0;
	return error_full(err, ERROR_USAGE, NULL, "for example: tare predict result.json --work 1000,2000",
	                  "which work amount?");
}

static const struct subject *find_subject(const struct result *result, const char *name, struct error *err)
{
	const struct subject *subject = name                    ? result_find_subject(result, name)
	                                : result->subject_count ? &result->subjects[0]
	                                                        : NULL;
	if (!subject) {
		error_full(err, ERROR_USAGE, "--subject", NULL, "the result has no subject '%.100s'", name ? name : "");
	}
	return subject;
}

static int predict_result(const struct predict_options *options, const struct result *result, struct error *err)
{
	double works[MOST_AMOUNTS], level = 0.95;
	struct prediction predictions[MOST_AMOUNTS];
	struct prediction_basis basis;
	size_t count;
	const struct subject *subject = find_subject(result, options->subject, err);
	if (!subject || read_amounts(&options->works, works, &count, err) != 0 ||
	    (options->confidence && measure_parse_confidence(options->confidence, &level, err) != 0) ||
	    predict_basis(subject, options->pi, &basis, err) != 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (predict(subject, &basis, level, works[i], &predictions[i], err) != 0)
			return -1;
	const struct prediction_list list = {predictions, count, &basis, level};
	bool to_stderr = output_is_stdout(options->json);
	struct look look = output_look(options->color, options->ascii, to_stderr);
	SCOPED(buffer) struct buffer document = {0}, text = {0};
	prediction_document_write(&list, &document);
	if ((options->json && output_write(options->json, &document, err) != 0) ||
	    prediction_text(&list, &look, &text, err) != 0)
		return -1;
	return message_print_to(to_stderr, &text, err);
}

static int predict_files(const void *given, const struct text_list *files, struct error *err)
{
	const struct predict_options *options = given;
	SCOPED(result) struct result result = result_empty();
	if (files->count != 1)
		return error_full(err, ERROR_USAGE, NULL, "for example: tare predict @last --work 1000,2000",
		                  files->count ? "one result at a time" : "which result?");
	if (output_check(options->json, err) != 0 || reading_files(&options->reading, files, NULL, &result, err) != 0)
		return -1;
	return predict_result(options, &result, err);
}

static int predict_main(const struct command *command, int argc, char **argv)
{
	struct predict_options options = {.reading = READING_DEFAULTS};
	return act(command, argc, argv, &options, predict_files);
}

const struct command command_predict = {
	.name = "predict",
	.summary = "predict how long more work will take",
	.usage = "tare predict RESULT --work W,…",
	.about = "Predicts the time of work amounts from a result of 'tare run --work' or one\n"
			 "with unit readings, with the interval of one more run.\n"
			 "Example: tare predict result.json --work 10000",
	.options = predict_options,
	.main = predict_main,
};
