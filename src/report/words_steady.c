/* Warm-up and steady state, with the evidence. */
#include "report/words.h"

#include "base/format.h"
#include "model/level_change.h"

#include <math.h>

static void add_p(double p, struct buffer *out)
{
	char number[FORMAT_MAX];
	if (p < 1e-4)
		buffer_text_add(out, "p under 0.0001");
	else
		buffer_printf(out, "p %s", format_significant(number, sizeof(number), p, 2));
}

static void add_evidence(const struct measurement *m, struct buffer *out)
{
	const struct steady_evidence *e = m->evidence;
	char number[FORMAT_MAX];
	if (!e)
		return;
	if (m->steady == STEADY_NEVER && 2 * e->moving > e->runs) {
		buffer_printf(out, ": %zu of %zu runs still change level, by up to %s", e->moving, e->runs,
		              format_percent(number, sizeof(number), e->effect, e->effect, 0));
		return;
	}
	if (m->steady == STEADY_NEVER && e->never > 0) {
		buffer_printf(out, ": %zu of %zu runs have no level that lasts", e->never, e->all_runs);
		return;
	}
	buffer_printf(out, ": %zu of %zu runs show dependence, ", e->dependent, e->runs);
	if (e->dependent > 0)
		buffer_printf(out, "autocorrelation %s at lag %zu, ",
		              format_fixed(number, sizeof(number), e->autocorrelation, 2), e->lag);
	add_p(e->ljung_box_p, out);
}

/* Which iteration of each run is used, and the mean of all iterations for comparison. */
static void add_iteration(const struct measurement *m, struct buffer *out)
{
	char number[FORMAT_MAX], relative[FORMAT_MAX];
	double half = (m->all->ci.high - m->all->ci.low) / 2, share = half / fabs(m->all->mean);
	if (m->iteration == 0)
		return;
	buffer_printf(out, "; so iteration %u of each run is used", m->iteration);
	if (isfinite(half) && m->all->mean != 0)
		buffer_printf(out, " (all%s: %s \xc2\xb1 %s)", m->skip > 0 ? " after the warm-up" : "",
		              format_quantity(number, sizeof(number), m->all->mean, half, m->metric.unit),
		              format_percent(relative, sizeof(relative), share, share, 0));
}

/* How many iterations are left out of each run, and what happens in them. */
static void add_warmup(const struct measurement *m, struct buffer *out)
{
	const struct steady_evidence *e = m->evidence;
	if (m->skip == 0)
		return;
	buffer_printf(out, "%sfirst %zu iteration%s of each run left out", m->skip_count > 0 ? "up to the " : "", m->skip,
	              m->skip == 1 ? "" : "s");
	if (e && e->warmup.runs > 0) {
		buffer_text_add(out, ": ");
		level_change_words(&e->warmup, e->all_runs, &m->metric, out);
	}
	buffer_text_add(out, "; ");
}

void words_steady(const struct measurement *m, struct buffer *out)
{
	if (m->steady == STEADY_UNKNOWN)
		return;
	add_warmup(m, out);
	switch (m->steady) {
	case STEADY_INDEPENDENT: buffer_text_add(out, "steady, iterations independent"); break;
	case STEADY_INITIALISED: buffer_text_add(out, "steady, iterations depend on each other"); break;
	default: buffer_text_add(out, "no steady state"); break;
	}
	if (m->steady_why)
		buffer_printf(out, " (%s)", m->steady_why);
	add_evidence(m, out);
	add_iteration(m, out);
}
