/* What each level of repetition adds, and what ignoring it would have claimed. */
#include "report/words.h"

#include "base/format.h"

#include <math.h>

enum { MOST_TOLD = 100 }; /* times the mean: of one near 0 shares say nothing */

static double half_width(const struct confidence *ci)
{
	return ci->unbounded || isnan(ci->low) ? NAN : (ci->high - ci->low) / 2;
}

/* "± 1.3 %", relative to the mean. */
static void add_half_width(const struct measurement *m, const struct confidence *ci, struct buffer *out)
{
	char number[FORMAT_MAX];
	double relative = half_width(ci) / fabs(m->mean);
	buffer_printf(out, "\xc2\xb1 %s", format_percent(number, sizeof(number), relative, relative, 0));
}

/* "sd 2.1 % (1.2 % to 5.0 %)", relative to the mean. */
static void add_sd(const struct measurement *m, const struct level_share *level, struct buffer *out)
{
	char number[FORMAT_MAX], low[FORMAT_MAX], high[FORMAT_MAX];
	double mean = fabs(m->mean), sd = level->variance > 0 ? sqrt(level->variance) / mean : 0;
	const struct confidence *ci = &level->sd_ci;
	double digits = sd > 0 ? sd : ci->high / mean;
	buffer_printf(out, "sd %s", format_percent(number, sizeof(number), sd, digits, 0));
	if (isfinite(ci->low) && isfinite(ci->high))
		buffer_printf(out, " (%s to %s)", format_percent(low, sizeof(low), ci->low / mean, digits, 0),
		              format_percent(high, sizeof(high), ci->high / mean, digits, 0));
}

/* The outermost level that can be ignored: the sentence about it compares with the interval of the mean. */
static bool is_first_claim(const struct measurement *m, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (isfinite(half_width(&m->described->levels[k].ignored)))
			return false;
	return true;
}

void words_level(const struct measurement *m, size_t i, struct buffer *out)
{
	const struct level_share *level = &m->described->levels[i];
	const char *name = level_name(level->level);
	char number[FORMAT_MAX];
	buffer_printf(out, "%s %s%s", format_fixed(number, sizeof(number), level->n, level->n == floor(level->n) ? 0 : 1),
	              name, level->n == 1 ? "" : "s");
	if (m->mean == 0 || m->sd > MOST_TOLD * fabs(m->mean))
		return;
	if (!isnan(level->variance)) {
		buffer_text_add(out, ": ");
		add_sd(m, level, out);
	}
	if (!isfinite(half_width(&level->ignored)) || !isfinite(half_width(&m->ci)))
		return;
	bool first = is_first_claim(m, i);
	buffer_printf(out, "; ignoring %ss%s would claim ", name, first ? "" : " too");
	add_half_width(m, &level->ignored, out);
	if (first) {
		buffer_text_add(out, " instead of ");
		add_half_width(m, &m->ci, out);
	}
}
