/* The size of an effect, as Kalibera and Jones recommend to report it: "A is faster than B by 5.5 % ± 2.5 %". */
#include "report/words.h"

#include "base/format.h"
#include "report/text_width.h"
#include "stats/counts.h"
#include "stats/critical.h"

#include <math.h>

static void add_name(const struct result *result, size_t subject, struct buffer *out)
{
	text_clean(out, subject_title(&result->subjects[subject]), TEXT_UNICODE);
}

/* "5.5 % ± 2.5 % (99 %)"; above a factor of 1.5 "a factor of 2.10 ± 0.05 (99 %)". */
static void add_size(double ratio, const struct confidence *ci, bool with_sign, struct buffer *out)
{
	char size[FORMAT_MAX], half[FORMAT_MAX], level[FORMAT_MAX];
	double width = (ci->high - ci->low) / 2;
	if (words_is_factor(ratio) && words_out_of_range(ratio)) {
		buffer_text_add(out, "a factor of more than 1e15");
	} else if (words_is_factor(ratio)) {
		double factor = ratio < 1 ? 1 / ratio : ratio, reach = ratio < 1 ? (1 / ci->low - 1 / ci->high) / 2 : width;
		buffer_printf(out, "a factor of %s \xc2\xb1 %s",
		              format_fixed(size, sizeof(size), factor, format_decimals(factor, reach)),
		              format_fixed(half, sizeof(half), reach, format_decimals(factor, reach)));
	} else {
		double change = with_sign ? ratio - 1 : fabs(ratio - 1);
		buffer_printf(out, "%s \xc2\xb1 %s", format_percent(size, sizeof(size), change, width, with_sign),
		              format_percent(half, sizeof(half), width, width, 0));
	}
	buffer_printf(out, " (%s %%)", format_level(level, sizeof(level), ci->level));
}

static void add_couple(const struct result *result, const struct comparison *c, const char *between, struct buffer *out)
{
	add_name(result, c->new_, out);
	buffer_text_add(out, between);
	add_name(result, c->base, out);
}

void words_effect(const struct result *result, const struct comparison *c, struct buffer *out)
{
	struct told_number told = words_told(c);
	const struct confidence *ci = told.ci;
	double ratio = told.ratio;
	const char *shared = words_shared_name(result, c);
	char margin[FORMAT_MAX];
	if (ci->unbounded) {
		buffer_text_add(out, "The ratio of ");
		add_couple(result, c, " to ", out);
		buffer_text_add(out, " is unbounded: the mean of the latter cannot be distinguished from 0");
		return;
	}
	/* A decrease ends at 100 %: an interval that reaches it has two ends and no half-width. */
	bool to_nothing = ratio <= 0 || ci->low <= 0;
	if (isnan(ratio) || isnan(ci->low) || to_nothing || c->verdict == VERDICT_MIXED || words_by_share(c)) {
		words_verdict(result, c, out);
		return;
	}
	switch (c->verdict) {
	case VERDICT_FASTER:
	case VERDICT_SLOWER:
		text_clean(out, shared ? shared : subject_title(&result->subjects[c->new_]), TEXT_UNICODE);
		buffer_printf(out, " is %s%s", words_difference(result, c), shared ? "" : " than ");
		if (!shared)
			add_name(result, c->base, out);
		buffer_printf(out, "%s by ", told.in);
		add_size(ratio, ci, false, out);
		break;
	case VERDICT_SAME:
		if (shared) {
			text_clean(out, shared, TEXT_UNICODE);
			buffer_text_add(out, " is the same");
		} else {
			add_couple(result, c, " is the same as ", out);
		}
		buffer_printf(out, "%s within %s: ", told.in, format_percent(margin, sizeof(margin), c->margin, NAN, 0));
		add_size(ratio, ci, true, out);
		break;
	default:
		buffer_text_add(out, shared ? "No difference of " : "No difference between ");
		if (shared)
			text_clean(out, shared, TEXT_UNICODE);
		else
			add_couple(result, c, " and ", out);
		buffer_printf(out, " is shown%s: ", told.in);
		add_size(ratio, ci, true, out);
		break;
	}
}

enum { MOST_NEEDED = 100000 }; /* runs; advice to make more would be useless */

static const double widened = 1.1; /* more than the difference between the two forms of an interval */

/* The spread is not known so well that more digits of a count would mean something. */
static size_t two_digits(size_t count)
{
	size_t step = 1;
	while (count / step >= 100)
		step *= 10;
	return (count + step - 1) / step * step;
}

void words_needed(const struct result *result, const struct comparison *c, struct buffer *out)
{
	const struct measurement *base = subject_find_metric(&result->subjects[c->base], c->metric);
	const struct measurement *new_ = subject_find_metric(&result->subjects[c->new_], c->metric);
	char margin[FORMAT_MAX];
	size_t units;
	if (!base || !new_ || subject_is_over_work(&result->subjects[c->base], base))
		return;
	if (c->pairs || c->ci.unbounded || isnan(c->ci.low) || !(c->margin > 0) || base->unit != new_->unit ||
	    base->unit >= LEVEL_ITERATION || base->units < 3 || new_->units < 3)
		return;
	double a = base->sd / measurement_scale(base), b = new_->sd / measurement_scale(new_),
		   half = (c->ci.high - c->ci.low) / 2 / c->ratio;
	/* The interval may be wider than the spread alone implies, because of correlated runs or repeated looks. */
	size_t fewer = base->units < new_->units ? base->units : new_->units;
	double plain = critical_t(1 - c->ci.level, (double)fewer - 1) *
	               sqrt(a * a / (double)base->units + b * b / (double)new_->units);
	/* The interval of a mean that is not arithmetic has its own spread, which is recovered from it. */
	bool arithmetic = base->mean_kind == MEAN_ARITHMETIC && new_->mean_kind == MEAN_ARITHMETIC;
	double wider = plain > 0 && (half > widened * plain || !arithmetic) ? half / plain : 1;
	if (!(half > c->margin) || counts_for_ratio(a * a * wider * wider, b * b * wider * wider, c->margin,
	                                            1 - c->ci.level, CRITICAL_FIXED, &units) != STATS_OK)
		return;
	if (units > MOST_NEEDED)
		return;
	buffer_printf(out, "about %zu %ss of each would give \xc2\xb1 %s\n", two_digits(units), level_name(base->unit),
	              format_percent(margin, sizeof(margin), c->margin, NAN, 0));
}
