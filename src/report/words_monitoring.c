#include "report/words.h"

#include "base/format.h"

#include <math.h>

void words_monitoring(const struct result *result, struct buffer *out)
{
	const struct monitoring *m = &result->monitoring;
	char a[FORMAT_MAX], b[FORMAT_MAX], c[FORMAT_MAX];
	if (!m->recorded)
		return;
	/* Two of the verdicts are warnings, which say the same. */
	bool warned = m->verdict == MONITOR_INVALID || (m->verdict == MONITOR_NOTHING && m->cut);
	buffer_printf(out, "%s; watched %s",
	              warned || !m->text ? m->verdict == MONITOR_INVALID ? "not valid, see below" : "nothing, see below"
	                                 : m->text,
	              m->where ? m->where : "-");
	if (!isnan(m->overhead)) {
		double half = (m->overhead_high - m->overhead_low) / 2;
		buffer_printf(out, ", overhead %s [%s, %s]", format_percent(a, sizeof(a), m->overhead, half, 1),
		              format_percent(b, sizeof(b), m->overhead_low, half, 1),
		              format_percent(c, sizeof(c), m->overhead_high, half, 1));
	}
	for (size_t i = 0; i < m->unseen_count; i++)
		buffer_printf(out, "; not watched: %s", m->unseen[i]);
}
