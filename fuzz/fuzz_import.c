/* A libFuzzer target for one importer (-DFUZZ_FORMAT="csv"), or for the recognition of all of them
 * (no definition). What imports must export and import again: a document or a table of ours that
 * tare cannot read is a bug. */
#include "exchange/export.h"
#include "exchange/import.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#ifndef FUZZ_FORMAT
#define FUZZ_FORMAT NULL
#endif

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static size_t usable(const struct result *result)
{
	size_t n = 0;
	for (size_t s = 0; s < result->subject_count; s++)
		for (size_t m = 0; m < result->subjects[s].metric_count; m++)
			for (size_t i = 0; i < result->subjects[s].metrics[m].series.n; i++)
				n += isfinite(result->subjects[s].metrics[m].series.values[i]) != 0;
	return n;
}

/* A document of ours may hold them (a cost was taken off); a table is refused with one. */
static bool has_negative_time(const struct result *result)
{
	for (size_t s = 0; s < result->subject_count; s++)
		for (size_t m = 0; m < result->subjects[s].metric_count; m++)
			for (size_t i = 0; i < result->subjects[s].metrics[m].series.n; i++)
				if (result->subjects[s].metrics[m].series.values[i] < 0 &&
				    strcmp(result->subjects[s].metrics[m].metric.unit, "s") == 0)
					return true;
	return false;
}

static void again(const struct result *result, const char *format, const char *import_as)
{
	struct buffer text = {0}, notes = {0};
	struct import_options options = {.format = import_as}; /* a name may look like another format */
	struct result back;
	struct error err;
	result_init(&back);
	if (export_result(result, format, &text, &notes, &err) != 0)
		abort();
	if (import_memory(buffer_text(&text), text.length, "again", &options, &back, &err) != 0 ||
	    usable(&back) != usable(result))
		abort();
	result_release(&back);
	buffer_release(&text);
	buffer_release(&notes);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	struct import_options options = {.format = FUZZ_FORMAT};
	struct result result;
	struct error err = {0};
	result_init(&result);
	if (import_memory(bytes, length, "input", &options, &result, &err) == 0) {
		again(&result, "json", "tare");
		if (!has_negative_time(&result))
			again(&result, "csv", "csv");
		/* The others may refuse; they must not fall. */
		for (const char *const *format = export_format_names(); *format; format++) {
			struct buffer text = {0};
			export_result(&result, *format, &text, NULL, &err);
			buffer_release(&text);
		}
	} else if (err.kind == ERROR_NONE || err.what[0] == '\0') {
		abort();
	}
	result_release(&result);
	return 0;
}
