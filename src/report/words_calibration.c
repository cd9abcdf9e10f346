#include "report/words.h"

#include "base/format.h"

#include <math.h>
#include <string.h>

const char *words_program(const char *name)
{
	if (strcmp(name, "cpu") == 0)
		return "a CPU-bound program";
	if (strcmp(name, "memory") == 0)
		return "a memory-bound program";
	if (strcmp(name, "start") == 0)
		return "a program that only starts";
	return "this command";
}

void words_calibration(const struct result *result, struct buffer *out)
{
	const struct calibration_quote *quote = &result->calibration;
	char change[FORMAT_MAX], time[FORMAT_MAX];
	if (!isfinite(quote->change) || !quote->program || !quote->design)
		return;
	buffer_printf(out, "this machine can detect %s in %s (%s in %s; calibrated %.10s)",
	              format_percent(change, sizeof(change), quote->change, quote->change / 2, 0),
	              format_duration(time, sizeof(time), (int64_t)(quote->seconds * 1e9)), words_program(quote->program),
	              quote->design, quote->made ? quote->made : "-");
}
