#include "report/words.h"

#include "base/format.h"
#include "model/calibration.h"

#include <math.h>

void words_calibration(const struct result *result, struct buffer *out)
{
	const struct calibration_quote *quote = &result->calibration;
	char change[FORMAT_MAX], time[FORMAT_MAX];
	if (!isfinite(quote->change) || !quote->program || !quote->design)
		return;
	buffer_printf(out, "this machine can detect %s in %s (%s in %s; calibrated %.10s)",
	              format_percent(change, sizeof(change), quote->change, quote->change / 2, 0),
	              format_duration(time, sizeof(time), (int64_t)(quote->seconds * 1e9)),
	              calibration_kind(quote->program), quote->design, quote->made ? quote->made : "-");
}
