#include "exchange/judged.h"

#include "base/format.h"
#include "base/memory.h"
#include "base/parse.h"

#include <math.h>
#include <string.h>

void judged_write(const struct result *result, struct buffer *out)
{
	const struct comparison *first = result->comparisons;
	char number[FORMAT_MAX];
	if (!result->stopped.looks || result->comparison_count == 0)
		return;
	/* A metric with a blank in its name comes first among the rows, as the others do. */
	if (result->stopped.metric && !strchr(result->stopped.metric, ' '))
		buffer_printf(out, "metric=%s ", result->stopped.metric);
	if (result->design.name)
		buffer_printf(out, "design=%s ", result->design.name);
	buffer_printf(out, "looks=%s block=%zu", result->stopped.looks, result->stopped.block);
	if (result->stopped.alpha > 0)
		buffer_printf(out, " confidence=%s", format_exact(number, sizeof(number), 1 - result->stopped.alpha));
	if (result->stopped.weight > 0)
		buffer_printf(out, " weight=%s", format_exact(number, sizeof(number), result->stopped.weight));
	if (first->margin > 0)
		buffer_printf(out, " margin=%s", format_exact(number, sizeof(number), first->margin));
}

const char **judged_metrics(const struct result *result)
{
	const char **metrics = mem_zalloc(result->subject_count, sizeof(*metrics));
	for (size_t s = 0; metrics && s < result->subject_count; s++)
		metrics[s] = result->subjects[s].metric ? result->subjects[s].metric : result->stopped.metric;
	for (size_t i = result->comparison_count; metrics && i-- > 0;) {
		const struct comparison *c = &result->comparisons[i];
		metrics[c->base] = metrics[c->new_] = c->metric;
	}
	return metrics;
}

static int read_number(const char *text, double most, double *out)
{
	size_t length = strlen(text);
	return length > 0 && parse_number_prefix(text, length, out) == length && *out >= 0 && *out <= most ? 0 : -1;
}

static int read_word(const char *key, const char *value, struct result *result)
{
	struct stopped *stopped = &result->stopped;
	double number;
	if (strcmp(key, "margin") == 0)
		return read_number(value, INFINITY, &stopped->margin);
	if (strcmp(key, "weight") == 0)
		return read_number(value, 1, &stopped->weight);
	if (strcmp(key, "looks") == 0)
		stopped->looks = value;
	if (strcmp(key, "metric") == 0) {
		stopped->metric = value;
		result->design.metric_why = "it decided when this was measured";
	}
	for (int d = 0; d < DESIGN_WORDS && strcmp(key, "design") == 0; d++)
		if (strcmp(design_words[d], value) == 0)
			result->design.name = design_words[d];
	if (strcmp(key, "block") == 0) {
		if (read_number(value, 1e9, &number) != 0)
			return -1;
		stopped->block = (size_t)number;
	} else if (strcmp(key, "confidence") == 0) {
		if (read_number(value, 1, &number) != 0)
			return -1;
		stopped->alpha = 1 - number;
	}
	return 0;
}

int judged_read(char *cell, struct result *result)
{
	char *rest = NULL;
	for (char *word = strtok_r(cell, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		char *equals = strchr(word, '=');
		if (!equals)
			return -1;
		*equals = '\0';
		if (read_word(word, equals + 1, result) != 0)
			return -1;
	}
	return 0;
}
