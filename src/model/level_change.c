#include "model/level_change.h"

#include "base/format.h"

#include <math.h>

static const double large = 1.5; /* factors from here on are told as such, smaller ones as per cents */

bool level_change_is_worse(const struct level_change *change, enum better better)
{
	return change->runs > 0 && (better == BETTER_LOWER ? change->ratio > 1 : change->ratio < 1);
}

const char *level_change_direction(const struct level_change *change, const struct metric *metric)
{
	if (metric_is_speed(metric))
		return level_change_is_worse(change, metric->better) ? "slower" : "faster";
	return change->ratio > 1 ? "larger" : "smaller";
}

static void add_size(const struct level_change *change, const struct metric *metric, struct buffer *out)
{
	char number[FORMAT_MAX];
	double factor = change->ratio > 1 ? change->ratio : 1 / change->ratio;
	if (!(factor < INFINITY) || !(change->ratio > 0))
		buffer_text_add(out, "change");
	else if (factor >= large)
		buffer_printf(out, "become %s \xc3\x97 %s", format_significant(number, sizeof(number), factor, 2),
		              level_change_direction(change, metric));
	else
		buffer_printf(out, "become %s %s",
		              format_percent(number, sizeof(number), fabs(change->ratio - 1), fabs(change->ratio - 1), 0),
		              level_change_direction(change, metric));
}

void level_change_words(const struct level_change *change, size_t runs, const struct metric *metric, struct buffer *out)
{
	if (runs == 1)
		buffer_text_add(out, "iterations ");
	else if (change->runs == runs)
		buffer_printf(out, "all %zu runs ", runs);
	else
		buffer_printf(out, "%zu of %zu runs ", change->runs, runs);
	add_size(change, metric, out);
	if (change->gradual && change->last == 1) {
		buffer_text_add(out, " after the first iteration");
		return;
	}
	if (change->gradual)
		buffer_text_add(out, " over the first ");
	else
		buffer_printf(out, "%s at iteration%s ", change->steps ? " in several steps, the last" : "",
		              change->first == change->last ? "" : "s");
	buffer_printf(out, "%zu", change->first);
	if (change->first != change->last)
		buffer_printf(out, " to %zu", change->last);
	if (change->gradual)
		buffer_text_add(out, " iterations");
}
