#include "report/words.h"

#include "base/format.h"
#include "report/table.h"
#include "report/text_width.h"

#include <math.h>
#include <string.h>

enum { SHOWS_DEPENDENCE = 30 }; /* pairs, or runs, from which an autocorrelation of 0.5 is mostly detected */

/* If none of n runs was slow, up to 3/n of all runs may still be slow (95 %). The report gives the cost of such a tail
 * if its runs are ten times as slow. */
enum { UNSEEN_RUNS = 3, SLOW_TAIL = 10 };

static double half_width(const struct confidence *ci)
{
	return ci->unbounded || isnan(ci->low) ? NAN : (ci->high - ci->low) / 2;
}

static void add_name(const struct result *result, size_t subject, struct buffer *out)
{
	text_clean(out, subject_title(&result->subjects[subject]), TEXT_UNICODE);
}

/* 0.99 → "99 %" */
static void add_level(double level, struct buffer *out)
{
	char text[FORMAT_MAX];
	buffer_printf(out, "%s %%", format_level(text, sizeof(text), level));
}

bool words_is_factor(double ratio)
{
	return ratio > 1.5 || ratio < 1 / 1.5;
}

typedef char *format_fraction(char *text, size_t size, double fraction, double half_width, int with_sign);

static void add_change(double ratio, bool factor, double half, format_fraction *format, struct buffer *out)
{
	char text[FORMAT_MAX];
	if (ratio <= 0) /* an end of a wide interval: no decrease exceeds 100 % */
		buffer_text_add(out, "-100 %");
	else if (factor)
		buffer_printf(out, "\xc3\x97 %s", format_significant(text, sizeof(text), ratio, 3));
	else
		buffer_text_add(out, format(text, sizeof(text), ratio - 1, half, 1));
}

void words_change(double ratio, double low, double high, struct buffer *out)
{
	if (isnan(ratio))
		buffer_char(out, '-');
	else
		add_change(ratio, words_is_factor(ratio), (high - low) / 2, format_percent, out);
}

bool words_says_nothing(const struct confidence *ci)
{
	return ci->low < 0 || (ci->low < 1 && ci->high > 1 && (ci->low == 0 || ci->high - ci->low > 2));
}

void words_ends(const struct confidence *ci, struct buffer *out)
{
	bool factor = words_is_factor(ci->low > 0 ? sqrt(ci->low * ci->high) : 1);
	double half = (ci->high - ci->low) / 2;
	buffer_char(out, '[');
	add_change(ci->low, factor, half, format_percent_end, out);
	buffer_text_add(out, ", ");
	add_change(ci->high, factor, half, format_percent_end, out);
	buffer_char(out, ']');
}

void words_change_interval(const struct confidence *ci, struct buffer *out)
{
	if (ci->unbounded) {
		buffer_text_add(out, "unbounded");
		return;
	}
	if (isnan(ci->low)) {
		buffer_char(out, '-');
		return;
	}
	if (words_says_nothing(ci)) {
		buffer_text_add(out, "wider than \xc2\xb1 100 %");
		return;
	}
	words_ends(ci, out);
}

static const double SENSELESS = 3;

void words_change_with_interval(double ratio, const struct confidence *ci, struct buffer *out)
{
	/* If the base may be 0, the ratio can be any number. */
	bool senseless = ci->unbounded && (ratio > SENSELESS || ratio < 1 / SENSELESS);
	if (!senseless)
		words_change(ratio, ci->low, ci->high, out);
	if (isnan(ci->low) && !ci->unbounded)
		return;
	buffer_text_add(out, senseless ? "" : words_says_nothing(ci) ? ", " : " ");
	words_change_interval(ci, out);
}

/* A ratio of 0 or below cannot be expressed as "so many times faster". */
static bool says_times(double ratio, const struct confidence *ci)
{
	return words_is_factor(ratio) && ratio > 0 && !(ci->low <= 0);
}

/* Beyond it a factor has more digits than a double, and that of a ratio near the smallest double is infinite. */
static const double most_times = 1e15;

bool words_out_of_range(double ratio)
{
	return !(ratio <= most_times && ratio >= 1 / most_times);
}

/* "8.3": a factor with as many digits as its interval bears. */
static const char *factor_text(char text[FORMAT_MAX], double factor, double half)
{
	int digits = format_decimals(factor, half);
	if (!(factor <= most_times))
		return "more than 1e15";
	return format_fixed(text, FORMAT_MAX, factor, digits < 1 ? 1 : digits);
}

/* The half-width of the factor as printed, which is never below 1. */
static double factor_half_width(double ratio, const struct confidence *ci)
{
	return ratio < 1 && ci->low > 0 ? (1 / ci->low - 1 / ci->high) / 2 : half_width(ci);
}

/* "1.8 % slower"; from a factor of 1.5 on "2.0 times slower". */
static void add_size(double ratio, const struct confidence *ci, const char *word, struct buffer *out)
{
	char size[FORMAT_MAX];
	if (says_times(ratio, ci))
		buffer_printf(out, "%s times %s",
		              factor_text(size, ratio < 1 ? 1 / ratio : ratio, factor_half_width(ratio, ci)), word);
	else
		buffer_printf(out, "%s %s", format_percent(size, sizeof(size), fabs(fmax(ratio, 0) - 1), half_width(ci), 0),
		              word);
}

/* " (1.6 % to 2.0 %, 99 %)", the bounds with the same sign as the size; no decrease exceeds 100 %. */
static void add_bounds(double ratio, const struct confidence *ci, struct buffer *out)
{
	char low[FORMAT_MAX], high[FORMAT_MAX];
	bool smaller = ratio < 1;
	if (ci->unbounded || isnan(ci->low)) {
		buffer_text_add(out, ci->unbounded ? " (unbounded)" : "");
		return;
	}
	if (says_times(ratio, ci)) {
		if (words_out_of_range(ratio)) /* the size says what can be said */
			return;
		double a = smaller ? 1 / ci->high : ci->low, b = smaller ? 1 / ci->low : ci->high;
		double half = factor_half_width(ratio, ci);
		buffer_printf(out, " (%s to %s", factor_text(low, a, half), factor_text(high, b, half));
	} else {
		double least = fmax(ci->low, 0), most = fmax(ci->high, 0);
		double a = smaller ? 1 - most : least - 1, b = smaller ? 1 - least : most - 1;
		buffer_printf(out, " (%s to %s", format_percent_end(low, sizeof(low), a, half_width(ci), 0),
		              format_percent_end(high, sizeof(high), b, half_width(ci), 0));
	}
	buffer_text_add(out, ", ");
	add_level(ci->level, out);
	buffer_char(out, ')');
}

bool words_by_ranks(const struct comparison *comparison)
{
	return !isnan(comparison->p_value) && isnan(comparison->ci.low) && !comparison->ci.unbounded;
}

static const char *direction_word(const struct result *result, const struct comparison *comparison, bool worse)
{
	const struct measurement *m = subject_find_metric(&result->subjects[comparison->base], comparison->metric);
	bool speed = !m || metric_is_speed(&m->metric);
	if (worse)
		return speed ? "slower" : "worse";
	return speed ? "faster" : "better";
}

const char *words_difference(const struct result *result, const struct comparison *comparison)
{
	return direction_word(result, comparison, comparison->verdict == VERDICT_SLOWER);
}

static bool decided_only_by(const struct comparison *comparison, const char *what)
{
	return comparison->decided_by && strcmp(comparison->decided_by, what) == 0;
}

static bool is_within_margin(const struct comparison *c, const struct confidence *ci)
{
	return ci->low >= 1 / (1 + c->margin) && ci->high <= 1 + c->margin;
}

static bool typical_is_within_margin(const struct comparison *c)
{
	return is_within_margin(c, &c->ci);
}

/* A difference of the usual run that is within the margin is not the reason why a verdict is not `same`. */
static bool decided_by_total(const struct comparison *c)
{
	return decided_only_by(c, "total") || decided_only_by(c, "total+share") ||
	       ((decided_only_by(c, "typical+total") || decided_only_by(c, "typical+total+share")) &&
	        typical_is_within_margin(c));
}

bool words_by_share(const struct comparison *c)
{
	const char *by = c->decided_by ? c->decided_by : "";
	return strstr(by, "share") && (!strstr(by, "typical") || typical_is_within_margin(c)) &&
	       (!strstr(by, "total") || is_within_margin(c, &comparison_total(c)->ci));
}

struct told_number words_told(const struct comparison *c)
{
	bool total = decided_by_total(c) ||
	             (c->verdict == VERDICT_SAME && c->scope == SCOPE_TOTAL && !typical_is_within_margin(c)) ||
	             (c->verdict == VERDICT_UNDECIDED && c->paired->total_over_typical < 1);
	bool other = c->pairs && !isnan(c->paired->share_difference) && !words_by_ranks(c);
	const struct ratio_estimate *told = total ? comparison_total(c) : &c->shown;
	return (struct told_number){told->ratio, &told->ci, total && other ? " in total" : ""};
}

int words_share_digits(const struct comparison *comparison)
{
	const struct confidence *ci = &comparison->paired->share_ci;
	double half = 100 * (ci->high - ci->low) / 2;
	return half > 0 ? format_decimals(100 * comparison->paired->share_difference, half) : 2;
}

/* "2.1 percentage points fewer slow runs (1.1 to 3.1, 99 %)", the bounds with the same sign as the size. */
static void add_share_difference(const struct comparison *comparison, struct buffer *out)
{
	char text[FORMAT_MAX], low[FORMAT_MAX], high[FORMAT_MAX];
	const struct confidence *ci = &comparison->paired->share_ci;
	int digits = words_share_digits(comparison);
	bool more = comparison->paired->share_difference > 0;
	buffer_printf(out, "%s percentage points %s slow runs (%s to %s, ",
	              format_fixed(text, sizeof(text), fabs(comparison->paired->share_difference) * 100, digits),
	              more ? "more" : "fewer", format_fixed(low, sizeof(low), (more ? ci->low : -ci->high) * 100, digits),
	              format_fixed(high, sizeof(high), (more ? ci->high : -ci->low) * 100, digits));
	add_level(ci->level, out);
	buffer_char(out, ')');
}

const char *words_shared_name(const struct result *result, const struct comparison *comparison)
{
	const struct subject *base = &result->subjects[comparison->base], *new_ = &result->subjects[comparison->new_];
	bool suite = result->comparison_count > 1 && result_sides(result) == 2 && base->benchmark && new_->benchmark;
	if (strcmp(subject_title(base), subject_title(new_)) == 0)
		return subject_title(new_);
	return suite && strcmp(base->benchmark, new_->benchmark) == 0 ? new_->benchmark : NULL;
}

static void add_new(const struct result *result, const struct comparison *comparison, struct buffer *out)
{
	const char *shared = words_shared_name(result, comparison);
	text_clean(out, shared ? shared : subject_title(&result->subjects[comparison->new_]), TEXT_UNICODE);
}

/* " than old"; nothing if both have one name. */
static void add_base(const struct result *result, const struct comparison *comparison, const char *before,
                     struct buffer *out)
{
	if (words_shared_name(result, comparison))
		return;
	buffer_text_add(out, before);
	add_name(result, comparison->base, out);
}

static bool is_warned_of(const struct result *result, const char *code)
{
	for (size_t i = 0; i < result->warning_count; i++)
		if (strcmp(result->warnings[i].code, code) == 0)
			return true;
	return false;
}

bool words_is_firm(const struct result *result)
{
	return !is_warned_of(result, "machines") && !is_warned_of(result, "settings") && !is_warned_of(result, "designs");
}

/* A difference between two files may come from different machines, settings or designs. */
static void add_caveat(const struct result *result, struct buffer *out)
{
	if (is_warned_of(result, "machines"))
		buffer_text_add(out, ", but on different machines");
	else if (is_warned_of(result, "settings"))
		buffer_text_add(out, ", but under different settings");
	else if (is_warned_of(result, "designs"))
		buffer_text_add(out, ", but by different designs");
}

/* " within 1.0 % (in total; [-0.2 %, +0.3 %], 99 %)"; a resolved small difference is printed as such: " within 1.0 %:
 * 0.3 % slower in total (0.2 % to 0.4 %, 99 %)". */
static void add_sameness(const struct result *result, const struct comparison *c, struct buffer *out)
{
	char margin[FORMAT_MAX];
	bool total = c->scope == SCOPE_TOTAL;
	const struct ratio_estimate *told = total ? comparison_total(c) : &c->shown;
	double ratio = told->ratio;
	const struct confidence *ci = &told->ci;
	const struct measurement *m = subject_find_metric(&result->subjects[c->base], c->metric);
	buffer_printf(out, " within %s", format_percent(margin, sizeof(margin), c->margin, NAN, 0));
	if (ci->low > 1 || ci->high < 1) {
		buffer_text_add(out, ": ");
		add_size(ratio, ci, direction_word(result, c, (ratio > 1) == (!m || m->metric.better == BETTER_LOWER)), out);
		buffer_text_add(out, total ? " in total" : " in the usual run");
		add_bounds(ratio, ci, out);
		return;
	}
	buffer_text_add(out, total ? " (in total; " : " (in the usual run; ");
	words_change_interval(ci, out);
	buffer_text_add(out, ", ");
	add_level(c->ci.level, out);
	buffer_char(out, ')');
}

static void add_verdict(const struct result *result, const struct comparison *comparison, struct buffer *out)
{
	const char *word = words_difference(result, comparison);
	const struct ratio_estimate *total = comparison_total(comparison);
	switch (comparison->verdict) {
	case VERDICT_FASTER:
	case VERDICT_SLOWER:
		add_new(result, comparison, out);
		buffer_text_add(out, " is ");
		if (words_by_share(comparison)) {
			buffer_text_add(out, word);
			add_base(result, comparison, " than ", out);
			buffer_text_add(out, ": ");
			add_share_difference(comparison, out);
		} else {
			bool by_total = decided_by_total(comparison);
			const struct ratio_estimate *told = by_total ? total : &comparison->shown;
			add_size(told->ratio, &told->ci, word, out);
			add_base(result, comparison, " than ", out);
			buffer_text_add(out, by_total && comparison->pairs && !words_by_ranks(comparison) ? " in total" : "");
			add_bounds(told->ratio, &told->ci, out);
		}
		break;
	case VERDICT_MIXED:
		add_new(result, comparison, out);
		add_base(result, comparison, " against ", out);
		buffer_text_add(out, " is mixed: usual run ");
		words_change(comparison->ratio, comparison->ci.low, comparison->ci.high, out);
		buffer_text_add(out, ", total ");
		words_change(total->ratio, total->ci.low, total->ci.high, out);
		if (!isnan(comparison->paired->share_ci.low)) {
			buffer_text_add(out, ", with ");
			add_share_difference(comparison, out);
		}
		break;
	case VERDICT_SAME:
		add_new(result, comparison, out);
		buffer_text_add(out, " is the same");
		add_base(result, comparison, " as ", out);
		add_sameness(result, comparison, out);
		break;
	case VERDICT_UNDECIDED:
		buffer_text_add(out, isnan(comparison->ratio) ? "cannot compare " : "cannot tell yet whether ");
		add_new(result, comparison, out);
		buffer_text_add(out, isnan(comparison->ratio) ? "" : " differs");
		add_base(result, comparison, isnan(comparison->ratio) ? " with " : " from ", out);
		if (isnan(comparison->ratio) && comparison->pairs == 1) {
			buffer_text_add(out, ": there is one value of each");
			break;
		}
		if (isnan(comparison->ratio)) {
			buffer_printf(out, ": %s", comparison->unresolved ? comparison->unresolved : "not known");
			break;
		}
		struct told_number told = words_told(comparison);
		if (told.ci->unbounded || told.ci->low <= 0 || told.ci->high - told.ci->low > 2 * told.ratio)
			break;
		buffer_text_add(out, *told.in ? ": in total " : ": ");
		words_change_with_interval(told.ratio, told.ci, out);
		if (!isnan(comparison->ci.level)) {
			buffer_text_add(out, " at ");
			add_level(comparison->ci.level, out);
		}
		break;
	}
}

void words_verdict(const struct result *result, const struct comparison *comparison, struct buffer *out)
{
	add_verdict(result, comparison, out);
	if (comparison->verdict != VERDICT_UNDECIDED)
		add_caveat(result, out);
}

/* "27 and 13 runs", or "13 runs each"; builds or machines if these are the units. */
static void add_runs(const struct result *result, const struct comparison *c, struct buffer *out)
{
	const struct measurement *base = subject_find_metric(&result->subjects[c->base], c->metric);
	const struct measurement *new_ = subject_find_metric(&result->subjects[c->new_], c->metric);
	bool runs = base && new_ && base->unit < LEVEL_ITERATION && new_->unit < LEVEL_ITERATION;
	const char *unit = runs && base->unit == new_->unit ? level_name(base->unit) : "run";
	if (runs && base->units != new_->units && (c->units == base->units || c->units == new_->units))
		buffer_printf(out, "%zu and %zu %ss", new_->units, base->units, unit);
	else
		buffer_printf(out, "%zu %s%s each", c->units, unit, c->units == 1 ? "" : "s");
}

/* How the two were measured, for readers who do not know the names of the designs. */
static const char *words_for_design(const char *design)
{
	return strcmp(design, "turns") == 0      ? "in turns"
	       : strcmp(design, "duet") == 0     ? "both at once (duet)"
	       : strcmp(design, "shared") == 0   ? "both at once (shared)"
	       : strcmp(design, "shuffled") == 0 ? "in random order"
	       : strcmp(design, "solo") == 0     ? "one after the other"
	                                         : design;
}

void words_effort(const struct result *result, const struct comparison *comparison, struct buffer *out)
{
	char text[FORMAT_MAX];
	const struct measurement *base = subject_find_metric(&result->subjects[comparison->base], comparison->metric);
	/* Do not call units of pairs machines, whichever machine made them, nor blocks of pairs runs. */
	bool level = base &&
	             (base->unit == LEVEL_RUN ? comparison->block == 0 && comparison->pairs > comparison->units
	                                      : base->unit < LEVEL_RUN) &&
	             (base->unit != LEVEL_MACHINE || comparison->machines);
	if (comparison->pairs && level && comparison->units > 1)
		buffer_printf(out, "%zu %ss, ", comparison->units, level_name(base->unit));
	if (comparison->pairs)
		buffer_printf(out, "%zu pair%s", comparison->pairs, comparison->pairs == 1 ? "" : "s");
	else
		add_runs(result, comparison, out);
	if (isfinite(result->elapsed))
		buffer_printf(out, " in %s", format_duration(text, sizeof(text), (int64_t)(result->elapsed * 1e9)));
	if (comparison->design && strcmp(comparison->design, "imported") != 0)
		buffer_printf(out, ", %s", words_for_design(comparison->design));
	/* Runs of a program may be on one CPU, then on another; only those of a duet are on two. */
	bool shared = comparison->design && strcmp(comparison->design, "shared") == 0;
	for (size_t i = 0, n = result->design.cpu_count; i < n; i++)
		buffer_printf(out, "%s%d",
		              i > 0    ? (i + 1 < n ? ", " : " and ")
		              : n == 1 ? " on CPU "
		              : shared ? " on one of CPUs "
		                       : " on CPUs ",
		              result->design.cpus[i]);
	if (result->design.metric_why && comparison->metric[0])
		buffer_printf(out, ", judged by %s%s", comparison->metric,
		              strcmp(comparison->metric, "net") == 0 ? " (wall less waiting for a CPU)" : "");
	size_t shown_by = comparison->pairs ? comparison->pairs : comparison->units;
	if (shown_by > 1 && shown_by < SHOWS_DEPENDENCE && comparison->verdict != VERDICT_UNDECIDED)
		buffer_text_add(out, ", assumed independent");
}

/* " [-8 %, +14 %] is not resolved", and how rare slow runs may be and still have been missed. */
void words_reservation(const struct comparison *c, struct buffer *out)
{
	char share[FORMAT_MAX], cost[FORMAT_MAX];
	size_t n = c->pairs ? c->pairs : c->units;
	if (c->verdict != VERDICT_SAME || n == 0)
		return;
	if (c->scope == SCOPE_TYPICAL) {
		buffer_text_add(out, "total ");
		words_change_with_interval(comparison_total(c)->ratio, &comparison_total(c)->ci, out);
		buffer_text_add(out, " is not resolved; ");
	}
	double unseen = fmin(UNSEEN_RUNS / (double)n, 1), added = unseen * (SLOW_TAIL - 1);
	buffer_printf(out, "slow runs rarer than %s may have been missed (%d times slower: +%s)",
	              format_percent(share, sizeof(share), unseen, unseen, 0), SLOW_TAIL,
	              format_percent(cost, sizeof(cost), added, added, 0));
}

void words_choice(const struct result *result, const char *metric, struct buffer *out)
{
	const struct design_info *design = &result->design;
	if (!design->metric_why)
		return;
	buffer_printf(out, "judged by %s: %s", metric, design->metric_why);
	if (design->name && design->why && result->subject_count > 1)
		buffer_printf(out, "; %s: %s", design->name, design->why);
}

void words_more_time(const struct comparison *c, const char *before, struct buffer *out)
{
	char text[FORMAT_MAX];
	format_duration(text, sizeof(text), (int64_t)(fmin(c->more_time, 1e9) * 1e9));
	if (c->more_time_least)
		buffer_printf(out, "%sat least %s more is needed", before, text);
	else
		buffer_printf(out, "%sabout %s more would decide it", before, text);
}

void words_reason(const struct comparison *comparison, struct buffer *out)
{
	if (comparison->unresolved)
		buffer_text_add(out, comparison->unresolved);
	/* With a gate, the time is that of the gate, and the gate's line has it. */
	if (isfinite(comparison->more_time) && comparison->gate == GATE_NONE)
		words_more_time(comparison, comparison->unresolved ? "; " : "", out);
}

/* A duet: how much they slow each other down, and by how much the two CPUs differ. If base runs on the first CPU,
 * ln(new/base) contains +ln(second/first), otherwise −ln(second/first); the order effect is half of the difference
 * between the two. */
static void add_times(double times, const struct confidence *ci, struct buffer *out)
{
	char text[FORMAT_MAX];
	buffer_text_add(out, format_fixed(text, sizeof(text), times, 2));
	if (isnan(ci->level))
		return;
	if (ci->unbounded || ci->high - ci->low > 2 * times) {
		buffer_text_add(out, " (not known to within 100 %)");
		return;
	}
	buffer_printf(out, " (%s to ", format_fixed(text, sizeof(text), ci->low, 2));
	buffer_printf(out, "%s)", format_fixed(text, sizeof(text), ci->high, 2));
}

void words_company(const struct comparison *c, const char *between, struct buffer *out)
{
	char a[FORMAT_MAX], b[FORMAT_MAX];
	bool alone = !isnan(c->interference->base) && !isnan(c->interference->new_);
	bool sides = c->design && strcmp(c->design, "duet") == 0 && !isnan(c->paired->order_half);
	if (alone) {
		buffer_text_add(out, "together they take ");
		add_times(c->interference->base, &c->interference->base_ci, out);
		buffer_text_add(out, " and ");
		add_times(c->interference->new_, &c->interference->new_ci, out);
		buffer_printf(out, " times as long as alone%s", sides ? between : "\n");
	}
	if (!sides)
		return;
	double effect = expm1(c->paired->order_effect), half = c->paired->order_half;
	if (fabs(effect) <= half) {
		buffer_printf(out, "the two CPUs differ by at most %s\n",
		              format_percent(a, sizeof(a), fabs(effect) + half, half, 0));
		return;
	}
	buffer_printf(out, "the second CPU is %s \xc2\xb1 %s %s than the first\n",
	              format_percent(a, sizeof(a), fabs(effect), half, 0), format_percent(b, sizeof(b), half, half, 0),
	              effect < 0 ? "faster" : "slower");
}

void words_company_most(const struct result *result, struct buffer *out)
{
	const struct confidence *ci = NULL;
	const struct subject *who = NULL;
	double most = 0;
	for (size_t i = 0; i < result->comparison_count; i++) {
		const struct comparison *c = &result->comparisons[i];
		if (c->interference->base > most) {
			most = c->interference->base;
			ci = &c->interference->base_ci;
			who = &result->subjects[c->base];
		}
		if (c->interference->new_ > most) {
			most = c->interference->new_;
			ci = &c->interference->new_ci;
			who = &result->subjects[c->new_];
		}
	}
	if (!who)
		return;
	buffer_text_add(out, "together they take up to ");
	add_times(most, ci, out);
	buffer_printf(out, " times as long as alone, most of all %s", subject_title(who));
}

void words_beside(const struct result *result, const struct comparison *comparison, struct buffer *out)
{
	char text[FORMAT_MAX];
	words_needed(result, comparison, out);
	words_company(comparison, "\n", out);
	if (comparison->pairs && comparison->paired->total_over_typical > 5)
		buffer_printf(out, "total is %s times less precise than typical\n",
		              format_significant(text, sizeof(text), comparison->paired->total_over_typical, 2));
	/* A verdict that is undecided because there are too few pairs, or a warning, already says so. */
	if (comparison->quick && comparison->verdict != VERDICT_UNDECIDED && !is_warned_of(result, "few-runs"))
		buffer_text_add(out, "quick: fewer than 10 runs; use 10 or more\n");
}

void words_argument(const char *word, struct buffer *out)
{
	bool plain = *word && !strpbrk(word, " \t\n\"'\\$&|;<>()*?[]{}#~`!");
	buffer_text_add(out, plain ? "" : "'");
	for (; *word; word++) {
		if (*word == '\'')
			buffer_text_add(out, "'\\''");
		else
			buffer_char(out, *word);
	}
	buffer_text_add(out, plain ? "" : "'");
}
