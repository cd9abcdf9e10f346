#include "exchange/changes_document.h"

#include "exchange/json_write.h"

static void put_interval(struct json_writer *json, const char *key, double low, double high)
{
	json_put_key(json, key);
	json_put_object_line(json);
	json_add_number(json, "low", low);
	json_add_number(json, "high", high);
	json_end_object(json);
}

static void put_change(struct json_writer *json, const struct history_series *series, const struct history_change *c)
{
	const char *commit = series->points[c->at].commit;
	json_put_object(json);
	json_add_count(json, "position", c->at);
	json_add_count(json, "first", c->low);
	json_add_count(json, "last", c->high);
	json_add_text(json, "commit", commit[0] ? commit : NULL);
	json_put_key(json, "gradual");
	json_put_bool(json, c->gradual);
	json_add_number(json, "before", c->before);
	json_add_number(json, "after", c->after);
	json_add_number(json, "size", c->size);
	put_interval(json, "size_ci", c->size_low, c->size_high);
	json_add_number(json, "relative", c->relative);
	put_interval(json, "relative_ci", c->relative_low, c->relative_high);
	json_add_number(json, "p", c->p_value);
	json_put_key(json, "environment");
	json_put_bool(json, c->environment);
	json_add_count(json, "moved", c->moved);
	json_add_count(json, "of", c->of);
	json_end_object(json);
}

static void put_series(struct json_writer *json, const struct history_series *series, size_t min_points)
{
	static const char *const patterns[] = {
		[PATTERN_NONE] = NULL, [PATTERN_WANDERS] = "wanders", [PATTERN_CYCLES] = "cycles"};
	json_put_object(json);
	json_add_text(json, "subject", series->subject);
	json_add_text(json, "metric", series->metric);
	json_add_text(json, "unit", series->unit);
	json_add_text(json, "better", series->better == BETTER_HIGHER ? "higher" : "lower");
	json_add_text(json, "machine", series->stratum[0] ? series->stratum : NULL);
	json_add_count(json, "n", series->n);
	json_add_text(json, "pattern", patterns[series->pattern]);
	json_put_key(json, "too_few");
	json_put_bool(json, history_is_short(series, min_points));
	json_put_key(json, "changes");
	json_put_array(json);
	for (size_t i = 0; i < series->change_count; i++)
		put_change(json, series, &series->changes[i]);
	json_end_array(json);
	json_end_object(json);
}

void changes_document_write(const struct history *history, struct buffer *out)
{
	struct json_writer json;
	json_write_init(&json, out);
	json_put_object(&json);
	json_add_text(&json, "schema", "tare-changes/1");
	json_add_number(&json, "level", 0.95);
	json_add_count(&json, "min_points", history->min_points);
	json_add_count(&json, "least_results", history_least(history->min_points));
	json_put_key(&json, "series");
	json_put_array(&json);
	for (size_t i = 0; i < history->count; i++)
		put_series(&json, &history->series[i], history->min_points);
	json_end_array(&json);
	json_end_object(&json);
	buffer_char(out, '\n');
}
