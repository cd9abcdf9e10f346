#include "exchange/prediction_document.h"

#include "exchange/json_write.h"

void prediction_document_write(const struct prediction_list *predictions, struct buffer *out)
{
	const struct prediction_basis *basis = predictions->basis;
	struct json_writer writer;
	json_write_init(&writer, out);
	json_put_object(&writer);
	json_add_text(&writer, "schema", "tare-prediction/1");
	json_add_text(&writer, "by", basis->source == PREDICT_BY_LINE ? "line" : "units");
	json_add_text(&writer, "unit", basis->unit);
	json_add_text(&writer, "metric", basis->metric);
	json_add_number(&writer, "level", predictions->level);
	json_add_number(&writer, "speed", basis->speed);
	json_add_number(&writer, "alpha", basis->alpha);
	json_put_key(&writer, "stable_only");
	json_put_bool(&writer, basis->stable_only);
	json_put_key(&writer, "predictions");
	json_put_array(&writer);
	for (size_t i = 0; i < predictions->count; i++) {
		const struct prediction *p = &predictions->items[i];
		json_put_object_line(&writer);
		json_add_number(&writer, "work", p->work);
		json_add_number(&writer, "seconds", p->seconds);
		json_add_number(&writer, "low", p->low);
		json_add_number(&writer, "high", p->high);
		json_add_number(&writer, "wall_seconds", p->wall);
		json_add_number(&writer, "wall_low", p->wall_low);
		json_add_number(&writer, "wall_high", p->wall_high);
		json_put_key(&writer, "beyond");
		json_put_bool(&writer, p->beyond);
		json_end_object(&writer);
	}
	json_end_array(&writer);
	json_end_object(&writer);
	buffer_char(out, '\n');
}
