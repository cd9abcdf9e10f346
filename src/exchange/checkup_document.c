#include "exchange/checkup_document.h"

#include "exchange/json_write.h"

static const char *const state_keys[] = {[FINDING_OK] = "ok",
                                         [FINDING_COULD_BE_BETTER] = "could-be-better",
                                         [FINDING_BAD] = "bad",
                                         [FINDING_UNKNOWN] = "unknown"};

static void put_finding(struct json_writer *json, const struct finding *finding)
{
	json_put_object(json);
	json_add_text(json, "name", finding->name);
	json_add_text(json, "title", finding->title);
	json_add_text(json, "state", state_keys[finding->state]);
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

void checkup_document_write(const struct checkup *checkup, const char *started, const char *summary, struct buffer *out)
{
	struct json_writer json;
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
	json_add_text(&json, "summary", summary);
	json_put_key(&json, "findings");
	json_put_array(&json);
	for (size_t i = 0; i < checkup->count; i++)
		put_finding(&json, &checkup->findings[i]);
	json_end_array(&json);
	json_end_object(&json);
	buffer_char(out, '\n');
}
