/* The answer first, in few lines: what was found, what it rests on, what may have disturbed it, what to type next. */
#include "report/text.h"

#include "base/format.h"
#include "report/machines_text.h"
#include "report/overview.h"
#include "report/text_width.h"
#include "report/words.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* `words` in bold and in the colour of the verdict. */
static void add_sentence(const char *words, enum verdict verdict, const struct look *look, struct buffer *out)
{
	enum emphasis colour = verdict_emphasis(verdict);
	look_begin(look, EMPHASIS_STRONG, out);
	if (colour != EMPHASIS_FAINT)
		look_begin(look, colour, out);
	text_wrap(out, words, 0, 0);
	if (look->colour && out->length > 0) {
		out->length--; /* the colour ends before its line does */
		look_end(look, EMPHASIS_STRONG, out);
		buffer_char(out, '\n');
	}
}

/* Whether the comparison that is told next rests on the same: no line twice. */
static bool effort_is_next(const struct result *result, const struct comparison *comparison, const struct buffer *text)
{
	const struct comparison *next = comparison + 1;
	struct buffer its = {0};
	if (next >= result->comparisons + result->comparison_count || isnan(next->ratio))
		return false;
	words_effort(result, next, &its);
	bool same = strcmp(buffer_text(&its), buffer_text(text)) == 0;
	buffer_release(&its);
	return same;
}

static size_t lines_of(const struct buffer *text, size_t from)
{
	size_t lines = 0;
	for (size_t i = from; i < text->length; i++)
		lines += text->data[i] == '\n';
	return lines;
}

static void add_indented(const struct buffer *words, struct buffer *out)
{
	if (words->length == 0)
		return;
	buffer_text_add(out, "  ");
	text_wrap(out, buffer_text(words), 2, 2);
}

/* The same where it takes at most *room lines, which it is subtracted from; else nothing. */
static bool add_within(const struct buffer *words, size_t *room, struct buffer *out)
{
	struct buffer text = {0};
	add_indented(words, &text);
	size_t lines = lines_of(&text, 0);
	bool fits = lines <= *room;
	if (fits) {
		buffer_add(out, text.data, text.length);
		*room -= lines;
	}
	out->out_of_memory |= text.out_of_memory;
	buffer_release(&text);
	return fits;
}

static void add_verdict(const struct result *result, const struct comparison *comparison, const struct look *look,
                        struct buffer *out)
{
	struct buffer text = {0};
	words_verdict(result, comparison, &text);
	add_sentence(buffer_text(&text), words_is_firm(result) ? comparison->verdict : VERDICT_UNDECIDED, look, out);
	buffer_release(&text);
}

/* Why it is undecided, or what a verdict of `same` leaves open. An open gate says what is missing itself. */
static void reason_words(const struct result *result, const struct comparison *comparison, bool verbose,
                         struct buffer *out)
{
	if (comparison->verdict != VERDICT_UNDECIDED)
		words_reservation(comparison, out);
	else if (isnan(result->gate.limit) || verbose)
		words_reason(comparison, out);
}

void text_answer(const struct result *result, const struct comparison *comparison, const struct look *look,
                 struct buffer *out)
{
	struct buffer text = {0};
	add_verdict(result, comparison, look, out);
	if (!isnan(comparison->ratio)) {
		reason_words(result, comparison, look->verbose, &text);
		add_indented(&text, out);
		buffer_clear(&text);
		words_effort(result, comparison, &text);
		if (!effort_is_next(result, comparison, &text))
			add_indented(&text, out);
	}
	out->out_of_memory |= text.out_of_memory;
	buffer_release(&text);
	machines_text(result, comparison, out);
}

bool text_answer_within(const struct result *result, const struct comparison *comparison, const struct look *look,
                        size_t room, struct buffer *out)
{
	size_t from = out->length;
	struct buffer text = {0};
	add_verdict(result, comparison, look, out);
	if (isnan(comparison->ratio))
		return true;
	size_t used = lines_of(out, from);
	room -= used < room ? used : room;
	reason_words(result, comparison, false, &text);
	bool all = add_within(&text, &room, out);
	buffer_clear(&text);
	words_effort(result, comparison, &text);
	if (text_width(buffer_text(&text), TEXT_UNICODE) + 2 > look_width(look)) {
		struct result anywhere = *result;
		anywhere.design.cpu_count = 0;
		buffer_clear(&text);
		words_effort(&anywhere, comparison, &text);
	}
	all &= add_within(&text, &room, out);
	out->out_of_memory |= text.out_of_memory;
	buffer_release(&text);
	return all;
}

/* In the unit that times are to have, if one was asked for. */
static const char *quantity(char text[FORMAT_MAX], double value, double half, const char *unit, const struct look *look)
{
	bool time = look->time_unit > 0 && strcmp(unit, "s") == 0;
	struct format_scale scale = format_scale_for(time ? look->time_unit : value, unit);
	return format_scaled(text, FORMAT_MAX, value, half, &scale);
}

static void add_number(const char *name, double value, double half, const char *unit, const struct look *look,
                       struct buffer *out)
{
	char number[FORMAT_MAX];
	if (!isnan(value))
		buffer_printf(out, "%s%s %s", out->length ? ", " : "", name, quantity(number, value, half, unit, look));
}

static void add_mean_of(const struct subject *subject, const char *metric, const struct look *look, struct buffer *out)
{
	const struct measurement *m = subject_find_metric(subject, metric);
	if (m && m->n > 0)
		add_number(metric, m->mean, NAN, m->metric.unit, look, out);
}

/* Whether the precision that was asked for was reached, where that is what ended it or should have. */
static const char *precision_words(const struct result *result)
{
	const char *reason = result->stopped.reason;
	if (!reason || !result->stopped.looks || strcmp(result->stopped.looks, "precision") != 0)
		return "";
	return strcmp(reason, "precision") == 0 ? "; the requested precision was reached"
	                                        : "; the requested precision was not reached";
}

bool text_alone(const struct result *result, const struct look *look, struct buffer *out)
{
	const struct subject *subject = &result->subjects[0];
	const struct measurement *m = subject_find_metric(subject, overview_metric(result));
	char number[FORMAT_MAX];
	if (!m || m->n == 0 || (m->n > 1 && m->units != m->n))
		return false;
	bool one = m->n == 1; /* which a note says more about */
	const char *unit = m->metric.unit;
	double half = isnan(m->ci.low) ? NAN : (m->ci.high - m->ci.low) / 2;
	struct buffer text = {0};
	text_clean(&text, subject_title(subject), TEXT_UNICODE);
	buffer_printf(&text, ": %s %s", m->metric.name, quantity(number, m->mean, half, unit, look));
	if (!isnan(half))
		buffer_printf(&text, " \u00b1 %s", format_percent(number, sizeof(number), half / fabs(m->mean), NAN, 0));
	if (!isnan(half))
		buffer_printf(&text, " (%s %%)", format_level(number, sizeof(number), m->ci.level));
	add_sentence(buffer_text(&text), VERDICT_SAME, look, out);
	buffer_clear(&text);
	const char *units = m->unit == LEVEL_BUILD ? "builds" : "runs";
	if (one)
		buffer_printf(&text, "1 run");
	else
		buffer_printf(&text, "mean of %zu %s", m->units, units);
	if (isfinite(result->elapsed))
		buffer_printf(&text, " in %s", format_duration(number, sizeof(number), (int64_t)(result->elapsed * 1e9)));
	if (!one && isnan(half) && m->ci.why)
		buffer_printf(&text, "; no interval: %s", m->ci.why);
	buffer_text_add(&text, precision_words(result));
	if (!one && m->described->unseen_mode < 1)
		buffer_printf(&text, "; slow %s rarer than %s may have been missed", units,
		              format_percent(number, sizeof(number), m->described->unseen_mode, m->described->unseen_mode, 0));
	buffer_text_add(out, "  ");
	text_wrap(out, buffer_text(&text), 2, 2);
	buffer_clear(&text);
	if (!one) {
		add_number("median", m->median, m->sd / 4, unit, look, &text);
		add_number("\u03c3", m->sd, m->sd / 4, unit, look, &text);
		add_number("min", m->min, m->sd / 4, unit, look, &text);
		add_number("max", m->max, m->sd / 4, unit, look, &text);
		add_indented(&text, out);
		buffer_clear(&text);
	}
	static const char *const beside[] = {"wall", "cpu", "user", "system", "rss"};
	for (size_t i = 0; i < sizeof(beside) / sizeof(beside[0]); i++)
		if (strcmp(beside[i], m->metric.name) != 0)
			add_mean_of(subject, beside[i], look, &text);
	add_indented(&text, out);
	out->out_of_memory |= text.out_of_memory;
	buffer_release(&text);
	return true;
}

static void add_labelled(const char *label, const struct buffer *words, size_t column, struct buffer *out)
{
	if (words->length == 0)
		return;
	buffer_text_add(out, label);
	text_wrap(out, buffer_text(words), column, column ? 6 : 0);
}

/* Beside the `used` lines and the warnings that are always printed. */
static bool has_room_for(const struct result *result, const struct buffer *disturbed, size_t room, size_t used)
{
	struct buffer text = {0};
	add_labelled("disturbed:", disturbed, 10, &text);
	text_warnings(result, 0, &text);
	bool fits = used + lines_of(&text, 0) <= room;
	buffer_release(&text);
	return fits;
}

enum { ROOM_FOR_A_BLANK = 3 }; /* lines: the blank one, one that disturbed it, one note */

void text_circumstances(const struct result *result, const struct look *look, size_t room, struct buffer *out)
{
	struct buffer disturbed = {0}, sees = {0}, watched = {0}, cost = {0};
	size_t from = out->length;
	bool brief = !look->verbose && room < SIZE_MAX;
	words_disturbance(result, !look->verbose, &disturbed);
	words_monitoring(result, &watched);
	if (look->verbose)
		words_stop_cost(result, &cost);
	if (result->comparison_count > 0 && look->verbose)
		words_calibration(result, &sees);
	bool any = result->warning_count > 0 || disturbed.length > 0 || sees.length > 0 || watched.length > 0 ||
	           cost.length > 0;
	if (any && (!brief || room >= ROOM_FOR_A_BLANK))
		buffer_char(out, '\n');
	add_labelled("bottleneck:", &watched, 11, out);
	if (!brief || has_room_for(result, &disturbed, room, lines_of(out, from)))
		add_labelled("disturbed:", &disturbed, 10, out);
	add_labelled("", &sees, 0, out);
	add_labelled("", &cost, 0, out);
	size_t used = lines_of(out, from);
	text_warnings(result, !brief ? SIZE_MAX : room > used ? room - used : 0, out);
	buffer_release(&cost);
	buffer_release(&disturbed);
	buffer_release(&sees);
	buffer_release(&watched);
}

/* The time that was used and what is missing, rounded up to whole seconds or two digits: it is to be typed. */
static double enough_time(double seconds)
{
	double step = fmax(pow(10, floor(log10(seconds)) - 1), 1);
	return ceil(seconds / step) * step;
}

static bool ended_by(const struct result *result, const char *reason)
{
	return result->stopped.reason && strcmp(result->stopped.reason, reason) == 0;
}

static bool out_of_time(const struct result *result)
{
	return ended_by(result, "budget");
}

/* A session that should have reached a precision, of numbers that the program prints, or of work amounts, that ended too
 * early. */
static bool needs_time(const struct result *result)
{
	bool open = result->stopped.looks && strcmp(result->stopped.looks, "precision") == 0;
	for (size_t i = 0; i < result->warning_count; i++)
		open |= strcmp(result->warnings[i].code, "not-converged") == 0;
	return open && out_of_time(result);
}

/* Whether one of several comparisons is undecided. */
static bool suite_is_open(const struct result *result)
{
	bool open = false;
	for (size_t i = 0; i < result->comparison_count; i++)
		open |= result->comparisons[i].verdict == VERDICT_UNDECIDED;
	return open && result->comparison_count > 1;
}

/* Whether each subject has one value, or none. */
static bool single_values(const struct result *result)
{
	const char *metric = overview_metric(result);
	for (size_t s = 0; s < result->subject_count; s++) {
		const struct measurement *m = subject_find_metric(&result->subjects[s], metric);
		if (m && m->n > 1)
			return false;
	}
	return result->subject_count > 0;
}

/* The gate is open whatever the numbers say: processes that were left behind, a session that was interrupted. Its line
 * says which; neither time nor runs help. Too few pairs are a reason as well, but one that runs help against. */
static bool is_open_for_a_flaw(const struct result *result)
{
	const struct gate_result *gate = &result->gate;
	const char *few = gate->worst < result->comparison_count ? result->comparisons[gate->worst].unresolved : NULL;
	return !isnan(gate->limit) && gate->why && !(few && strcmp(few, gate->why) == 0);
}

enum { ENOUGH_RUNS = 10 };

/* The runs were there, and the values of some were not; or all of a subject's runs failed, as more would. */
static bool values_were_lost(const struct result *result)
{
	bool enough = result->subject_count > 0;
	for (size_t i = 0; i < result->subject_count; i++) {
		const struct subject *subject = &result->subjects[i];
		const struct measurement *m = subject_find_metric(subject, overview_metric(result));
		if (subject->failure_count > 0 && (!m || m->n == 0))
			return true;
		enough &= subject_runs(subject) >= ENOUGH_RUNS;
	}
	return enough;
}

void text_hint(const struct result *result, const struct look *look, struct buffer *out)
{
	const struct comparison *c = result->comparison_count == 1 ? &result->comparisons[0] : NULL;
	struct buffer text = {0};
	char number[FORMAT_MAX];
	bool gated = !isnan(result->gate.limit), single = single_values(result);
	if ((c && isnan(c->ratio) && !single) || (gated && result->gate.state != GATE_OPEN))
		return;
	const char *limit = gated ? "--gate" : "--margin";
	bool counted = ended_by(result, "count");
	bool open = c && c->verdict == VERDICT_UNDECIDED;
	bool few = single || (open && c->quick);
	if (is_open_for_a_flaw(result) || ended_by(result, "failed")) /* what to do is said with the failure */
		buffer_text_add(&text, "next: -v shows all numbers");
	else if (few && values_were_lost(result))
		buffer_text_add(&text, "next: find out why values are missing; -v shows all numbers");
	else if (single)
		buffer_text_add(&text, "next: 10 runs or more; -v shows all numbers");
	else if ((open || gated || suite_is_open(result)) && ended_by(result, "precision"))
		buffer_text_add(&text, "next: a smaller --precision, or --stop auto; -v shows all numbers");
	else if (open && c->machines && c->machines->plan_machines > 0)
		buffer_printf(&text,
		              "next: --machines %zu --runs %zu would do, by what machines and runs cost; -v shows all numbers",
		              c->machines->plan_machines, c->machines->plan_runs);
	else if (open && c->machines)
		buffer_text_add(
			&text,
			"next: more machines, or more runs on each: 'tare plan --from RESULT' weighs them; -v shows all numbers");
	else if (c && (open || gated) && counted && !c->quick)
		buffer_text_add(&text, "next: more runs; without -r or -M tare decides how many; -v shows all numbers");
	else if (open && isfinite(c->more_time) && !c->more_time_least && isfinite(result->elapsed))
		buffer_printf(&text, "next: --max-time %ss, or a wider %s; -v shows all numbers",
		              format_fixed(number, sizeof(number), enough_time(result->elapsed + c->more_time), 0), limit);
	else if (open && c->quick)
		buffer_text_add(&text, "next: 10 runs or more; -v shows all numbers");
	else if (c && (open || gated))
		buffer_printf(&text, "next: a longer --max-time, or a wider %s; -v shows all numbers", limit);
	else if (gated && result->comparison_count == 0)
		buffer_text_add(&text, "next: add the command to compare with; -v shows all numbers");
	else if (suite_is_open(result) && counted)
		buffer_text_add(&text, "next: more runs; without -r or -M tare decides how many; -v shows all numbers");
	else if (suite_is_open(result) && out_of_time(result))
		buffer_text_add(&text, "next: a longer --max-time, or fewer comparisons; -v shows all numbers");
	else if (gated || (!c && needs_time(result)))
		buffer_text_add(&text, "next: a longer --max-time; -v shows all numbers");
	else
		buffer_printf(&text, "next: -v shows all numbers%s",
		              look->has_page ? "" : ", --html FILE writes a page with plots");
	text_wrap(out, buffer_text(&text), 0, 6);
	out->out_of_memory |= text.out_of_memory;
	buffer_release(&text);
}
