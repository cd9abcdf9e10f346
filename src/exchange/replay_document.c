#include "exchange/replay_document.h"

#include "exchange/json_write.h"

static void put(struct json_writer *json, const char *key, double value)
{
	json_put_key(json, key);
	json_put_number(json, value);
}

static void put_row(struct json_writer *json, const struct replay_row *row)
{
	put(json, "saved", row->saved);
	json_put_key(json, "change");
	json_put_object_line(json);
	put(json, "mean", row->change);
	put(json, "sd", row->change_sd);
	put(json, "median", row->change_median);
	put(json, "p90", row->change_p90);
	put(json, "most", row->change_most);
	json_end_object(json);
	json_put_key(json, "under");
	json_put_array_line(json);
	for (int k = 0; k < REPLAY_LIMITS; k++)
		json_put_number(json, row->under[k]);
	json_end_array(json);
	json_put_key(json, "compared");
	json_put_count(json, row->compared);
	put(json, "equal", row->equal);
	put(json, "half_width", row->half_width);
	put(json, "equal_bootstrap", row->equal_bootstrap);
	put(json, "warm", row->warm);
	put(json, "stable", row->stable);
	put(json, "warmup", row->warmup);
	put(json, "warmup_sd", row->warmup_sd);
	put(json, "runs", row->runs);
	put(json, "runs_sd", row->runs_sd);
}

static void put_outcome(struct json_writer *json, const char *name, const struct replay_outcome *one)
{
	json_put_object_line(json);
	json_put_key(json, "name");
	json_put_text(json, name);
	put(json, "cost", one->cost);
	put(json, "full_cost", one->full_cost);
	put(json, "mean", one->mean);
	put(json, "full_mean", one->full_mean);
	put(json, "change", one->change);
	put(json, "low", one->low);
	put(json, "high", one->high);
	json_put_key(json, "equal");
	if (one->compared)
		json_put_bool(json, one->equal);
	else
		json_put_null(json);
	put(json, "warmup", one->warmup);
	json_put_key(json, "runs");
	json_put_count(json, one->runs);
	json_put_key(json, "warm_runs");
	json_put_count(json, one->warm_runs);
	json_put_key(json, "stable");
	json_put_bool(json, one->stable);
	json_end_object(json);
}

void replay_document_write(const struct replay_document *document, struct buffer *out)
{
	struct json_writer json;
	json_write_init(&json, out);
	json_put_object(&json);
	json_put_key(&json, "schema");
	json_put_text(&json, "tare/1");
	json_put_key(&json, "replay");
	json_put_object(&json);
	put(&json, "level", document->confidence);
	json_put_key(&json, "rules");
	json_put_array(&json);
	for (size_t k = 0; k < document->rules; k++) {
		json_put_object(&json);
		json_put_key(&json, "rule");
		json_put_text(&json, document->rows[k].rule);
		put_row(&json, &document->rows[k]);
		json_put_key(&json, "benchmarks");
		json_put_array(&json);
		for (size_t i = 0; i < document->benchmarks; i++)
			put_outcome(&json, document->names[i], &document->outcomes[k * document->stride + i]);
		json_end_array(&json);
		json_end_object(&json);
	}
	json_end_array(&json);
	json_end_object(&json);
	json_end_object(&json);
	buffer_char(out, '\n');
}
