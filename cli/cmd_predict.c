/* tare predict: predict how long more work will take. */
#include "analysis/predict.h"
#include "base/format.h"
#include "base/parse.h"
#include "cli/act.h"
#include "cli/commands.h"
#include "cli/measure_options.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/reading.h"
#include "exchange/json_write.h"
#include "model/metric.h"
#include "report/table.h"

#include <math.h>
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
			if (*count == MOST_AMOUNTS || parse_double(word, &works[*count], err) != 0 || !(works[*count] > 0)) {
				error_set(err, ERROR_USAGE, "'%.60s' is not a work amount", word);
				error_on(err, "--work");
				return error_next(err, "write numbers above 0, like 1000 or 1000,2000");
			}
			++*count;
			at += length + (at[length] == ',');
		}
	if (*count > 0)
		return 0;
	error_set(err, ERROR_USAGE, "which work amount?");
	return error_next(err, "for example: tare predict result.json --work 1000,2000");
}

static const struct subject *find_subject(const struct result *result, const char *name, struct error *err)
{
	const struct subject *subject = name                    ? result_find_subject(result, name)
	                                : result->subject_count ? &result->subjects[0]
	                                                        : NULL;
	if (!subject) {
		error_set(err, ERROR_USAGE, "the result has no subject '%.100s'", name ? name : "");
		error_on(err, "--subject");
	}
	return subject;
}

static void basis_words(const struct prediction_basis *basis, struct buffer *out)
{
	char speed[FORMAT_MAX], alpha[FORMAT_MAX];
	if (basis->source == PREDICT_BY_LINE)
		buffer_printf(out, "by %s %s%s and a fixed time of %s, in %s time, from %zu rounds\n",
		              format_significant(speed, sizeof(speed), basis->speed, 4), basis->unit[0] ? basis->unit : "units",
		              "/s", format_quantity(alpha, sizeof(alpha), basis->alpha, NAN, "s"), basis->metric,
		              basis->rounds);
	else
		buffer_printf(out, "by the unit readings %s of %zu runs%s\n", basis->index, basis->rounds,
		              basis->stable_only ? "; the stable phase alone: set-up and warm-up are not in it" : "");
}

static void put_time(struct table *table, double seconds, double low, double high)
{
	char a[FORMAT_MAX], b[FORMAT_MAX];
	double half = (high - low) / 2;
	struct format_scale scale = format_scale_for(seconds, "s");
	int digits = format_decimals(seconds / scale.divisor, half / scale.divisor);
	if (isnan(seconds)) {
		table_cell(table, EMPHASIS_NONE, "-");
		table_cell(table, EMPHASIS_NONE, "-");
		return;
	}
	table_cell(table, EMPHASIS_NONE, format_quantity(a, sizeof(a), seconds, half, "s"));
	table_cellf(table, EMPHASIS_NONE, "[%s, %s]", format_fixed(a, sizeof(a), low / scale.divisor, digits),
	            format_fixed(b, sizeof(b), high / scale.divisor, digits));
}

static int print_table(const struct prediction *p, size_t count, const struct prediction_basis *basis, double level,
                       const struct look *look, bool to_stderr, struct error *err)
{
	struct table table = {0};
	struct buffer text = {0};
	char heading[40], time[80], a[FORMAT_MAX];
	bool beyond = false, wall = strcmp(basis->metric, metric_of(METRIC_WALL).name) != 0;
	snprintf(heading, sizeof(heading), "%s %% interval", format_level(a, sizeof(a), level));
	snprintf(time, sizeof(time), "%.60s time", basis->metric);
	table_column(&table, "work", TABLE_DECIMAL, TABLE_FIXED);
	table_column(&table, time, TABLE_DECIMAL, TABLE_FIXED);
	table_column(&table, heading, TABLE_LEFT, TABLE_FIXED);
	if (wall) {
		table_column(&table, "wall time", TABLE_DECIMAL, TABLE_FIXED);
		table_column(&table, heading, TABLE_LEFT, TABLE_FIXED);
	}
	for (size_t i = 0; i < count; i++) {
		table_row(&table);
		table_cellf(&table, EMPHASIS_NONE, "%.10g %s%s", p[i].work, basis->unit, p[i].beyond ? " *" : "");
		put_time(&table, p[i].seconds, p[i].low, p[i].high);
		if (wall)
			put_time(&table, p[i].wall, p[i].wall_low, p[i].wall_high);
		beyond |= p[i].beyond;
	}
	int status = table_text(&table, look, &text, err);
	table_release(&table);
	basis_words(basis, &text);
	if (beyond)
		buffer_text_add(
			&text,
			"* far beyond what was measured (twice the largest amount): the line may bend; measure larger rounds\n");
	if (status == 0)
		status = message_print_to(to_stderr, &text, err);
	buffer_release(&text);
	return status;
}

static int write_json(const char *path, const struct prediction *p, size_t count, const struct prediction_basis *basis,
                      double level, struct error *err)
{
	struct buffer text = {0};
	struct json_writer writer;
	json_write_init(&writer, &text);
	json_put_object(&writer);
	json_add_text(&writer, "schema", "tare-prediction/1");
	json_add_text(&writer, "by", basis->source == PREDICT_BY_LINE ? "line" : "units");
	json_add_text(&writer, "unit", basis->unit);
	json_add_text(&writer, "metric", basis->metric);
	json_add_number(&writer, "level", level);
	json_add_number(&writer, "speed", basis->speed);
	json_add_number(&writer, "alpha", basis->alpha);
	json_put_key(&writer, "stable_only");
	json_put_bool(&writer, basis->stable_only);
	json_put_key(&writer, "predictions");
	json_put_array(&writer);
	for (size_t i = 0; i < count; i++) {
		json_put_object_line(&writer);
		json_add_number(&writer, "work", p[i].work);
		json_add_number(&writer, "seconds", p[i].seconds);
		json_add_number(&writer, "low", p[i].low);
		json_add_number(&writer, "high", p[i].high);
		json_add_number(&writer, "wall_seconds", p[i].wall);
		json_add_number(&writer, "wall_low", p[i].wall_low);
		json_add_number(&writer, "wall_high", p[i].wall_high);
		json_put_key(&writer, "beyond");
		json_put_bool(&writer, p[i].beyond);
		json_end_object(&writer);
	}
	json_end_array(&writer);
	json_end_object(&writer);
	buffer_char(&text, '\n');
	int status = buffer_error(&text, err);
	if (status == 0)
		status = output_write(path, &text, err);
	buffer_release(&text);
	return status;
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
	if (options->json && write_json(options->json, predictions, count, &basis, level, err) != 0)
		return -1;
	bool to_stderr = output_is_stdout(options->json);
	struct look look = output_look(options->color, options->ascii, to_stderr);
	return print_table(predictions, count, &basis, level, &look, to_stderr, err);
}

static int predict_files(const void *given, const struct text_list *files, struct error *err)
{
	const struct predict_options *options = given;
	struct result result;
	result_init(&result);
	int status = files->count == 1 ? output_check(options->json, err) : error_set(err, ERROR_USAGE, "give one result");
	if (status == 0)
		status = reading_files(&options->reading, files, NULL, &result, err);
	if (status == 0)
		status = predict_result(options, &result, err);
	result_release(&result);
	return status;
}

static int predict_main(const struct command *command, int argc, char **argv)
{
	struct predict_options options = {0};
	reading_options_init(&options.reading);
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
