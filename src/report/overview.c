#include "report/overview.h"

#include "base/format.h"
#include "base/memory.h"
#include "report/indices.h"
#include "report/names.h"
#include "report/paper.h"
#include "report/text.h"
#include "report/text_width.h"
#include "report/words.h"
#include "report/work_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
	NAME = 60,      /* columns of a metric's name in a heading */
	LONG_NAME = 30, /* bytes of a subject's name from which a table leaves out what both have in common */
	COMMON = 8      /* and that is at least so long */
};

const char *overview_metric(const struct result *result)
{
	if (result->comparison_count > 0)
		return result->comparisons[0].metric;
	const char *asked = result->subject_count > 0 ? result->subjects[0].metric : NULL;
	if (asked && subject_find_metric(&result->subjects[0], asked))
		return asked;
	const struct work_result *work = result->subject_count > 0 ? result->subjects[0].work : NULL;
	if (work && subject_find_metric(&result->subjects[0], work_result_metric(work)))
		return work_result_metric(work);
	for (size_t i = 0; i < result->subject_count; i++)
		if (result->subjects[i].metric_count > 0)
			return result->subjects[i].metrics[0].metric.name;
	return "";
}

static void estimate_cells(struct table *table, const struct measurement *m, bool interval)
{
	char number[FORMAT_MAX], low[FORMAT_MAX], high[FORMAT_MAX];
	if (!m || m->n == 0) {
		table_cell(table, EMPHASIS_NONE, "-");
		if (interval)
			table_cell(table, EMPHASIS_NONE, m && m->ci.why ? m->ci.why : "-");
		return;
	}
	double half = isnan(m->ci.low) ? NAN : (m->ci.high - m->ci.low) / 2;
	struct format_scale scale = table_scale(table, m->mean, m->metric.unit);
	table_cell(table, EMPHASIS_NONE, format_scaled(number, sizeof(number), m->mean, half, &scale));
	if (!interval)
		return;
	if (isnan(half)) {
		table_cell(table, EMPHASIS_NONE, "-");
		return;
	}
	int digits = format_decimals(m->mean / scale.divisor, half / scale.divisor);
	table_cellf(table, EMPHASIS_NONE, "[%s, %s]", format_fixed(low, sizeof(low), m->ci.low / scale.divisor, digits),
	            format_fixed(high, sizeof(high), m->ci.high / scale.divisor, digits));
}

static void mean_cell(struct table *table, const struct subject *subject, const char *metric)
{
	char number[FORMAT_MAX];
	const struct measurement *m = subject_find_metric(subject, metric);
	if (!m || m->n == 0 || isnan(m->mean)) {
		table_cell(table, EMPHASIS_NONE, "-");
		return;
	}
	struct format_scale scale = table_scale(table, m->mean, m->metric.unit);
	table_cell(table, EMPHASIS_NONE, format_scaled(number, sizeof(number), m->mean, NAN, &scale));
}

static bool anyone_has(const struct result *result, const char *metric)
{
	for (size_t i = 0; i < result->subject_count; i++)
		if (subject_find_metric(&result->subjects[i], metric))
			return true;
	return false;
}

/* "95 % interval", with the level of the first that has one. */
static const char *interval_heading(const struct result *result, const char *metric, char *text, size_t size)
{
	char level[FORMAT_MAX];
	for (size_t i = 0; i < result->subject_count; i++) {
		const struct measurement *m = subject_find_metric(&result->subjects[i], metric);
		if (!m || isnan(m->ci.level))
			continue;
		snprintf(text, size, "%s %% interval", format_level(level, sizeof(level), m->ci.level));
		return text;
	}
	return "interval";
}

/* What the last column counts: what the intervals come from. */
static const char *unit_heading(const struct result *result, const char *metric)
{
	const struct measurement *m = result->subject_count ? subject_find_metric(&result->subjects[0], metric) : NULL;
	return m && m->unit == LEVEL_BUILD && m->units > 1 ? "builds" : "runs";
}

/* "54 µs" and "583 to 690", in the unit of the mean. Of some runs only mean and spread are known. */
static void spread_cells(struct table *table, const struct measurement *m, bool interval)
{
	char number[FORMAT_MAX], low[FORMAT_MAX], high[FORMAT_MAX];
	if (!m || m->n < 2 || (isnan(m->min) && isnan(m->sd))) {
		bool lost = m && m->n == 0 && m->ci.why && !interval;
		table_cell(table, EMPHASIS_NONE, "-");
		table_cell(table, EMPHASIS_NONE, lost ? m->ci.why : "-");
		return;
	}
	struct format_scale scale = table_scale(table, m->mean, m->metric.unit);
	if (isnan(m->sd))
		table_cell(table, EMPHASIS_NONE, "-");
	else
		table_cell(table, EMPHASIS_NONE, format_scaled(number, sizeof(number), m->sd, m->sd / 2, &scale));
	if (isnan(m->min)) {
		table_cell(table, EMPHASIS_NONE, "-");
		return;
	}
	int digits = format_decimals(m->max / scale.divisor, m->sd / scale.divisor);
	table_cellf(table, EMPHASIS_NONE, "%s to %s", format_fixed(low, sizeof(low), m->min / scale.divisor, digits),
	            format_fixed(high, sizeof(high), m->max / scale.divisor, digits));
}

static bool divides(char c)
{
	return c == '/' || c == ' ';
}

/* Bytes that two long names share in front and behind, in whole parts of a path or words; each keeps something between. */
static void find_common(const char *one, const char *other, size_t *front, size_t *behind)
{
	size_t length = strlen(one), other_length = strlen(other), shorter = length < other_length ? length : other_length;
	*front = *behind = 0;
	if (shorter < LONG_NAME)
		return;
	for (size_t i = 0; i + 1 < shorter && one[i] == other[i]; i++)
		if (divides(one[i]))
			*front = i + 1;
	*front = *front < COMMON ? 0 : *front;
	for (size_t i = 1; i + *front < shorter && one[length - i] == other[other_length - i]; i++)
		if (divides(one[length - i]))
			*behind = i;
	*behind = *behind < COMMON ? 0 : *behind;
}

/* The sentence above the table of two commands has their whole names; long ones say here only where they differ. */
static void name_cell(struct table *table, const struct result *result, size_t s)
{
	const char *name = subject_title(&result->subjects[s]);
	size_t front = 0, behind = 0;
	if (result->subject_count == 2 && result->comparison_count == 1)
		find_common(name, subject_title(&result->subjects[1 - s]), &front, &behind);
	table_cellf(table, EMPHASIS_NONE, "%s%.*s%s", front ? "\u2026" : "", (int)(strlen(name) - front - behind),
	            name + front, behind ? "\u2026" : "");
}

/* " (old)" and " (new)" for the subjects of comparisons whose sides have one name; NULL for others, or without memory. */
static const char **list_sides(const struct result *result, struct table *table)
{
	const char **sides = mem_zalloc(result->subject_count, sizeof(*sides));
	table->out_of_memory |= !sides;
	for (size_t i = 0; i < result->comparison_count && sides; i++) {
		const struct comparison *c = &result->comparisons[i];
		if (strcmp(subject_title(&result->subjects[c->base]), subject_title(&result->subjects[c->new_])) != 0)
			continue;
		sides[c->base] = " (old)";
		sides[c->new_] = " (new)";
	}
	return sides;
}

/* The interval of the mean is the first thing that a line of 80 columns has no room for. */
static void add_subjects(const struct result *result, struct table *table, bool interval)
{
	static const char *const beside[] = {"wall", "cpu", "rss"};
	const char *metric = overview_metric(result);
	bool shown[3];
	char heading[80];
	struct buffer mean = {0};
	table_column(table, "", TABLE_LEFT, TABLE_SHRINKS);
	buffer_text_add(&mean, "mean ");
	text_fit(&mean, metric, NAME, TEXT_UNICODE);
	table_column(table, buffer_text(&mean), TABLE_DECIMAL, TABLE_FIXED);
	table->out_of_memory |= mean.out_of_memory;
	buffer_release(&mean);
	if (interval)
		table_column(table, interval_heading(result, metric, heading, sizeof(heading)), TABLE_LEFT, TABLE_FIXED);
	table_column(table, "\u03c3", TABLE_DECIMAL, interval ? TABLE_OPTIONAL : TABLE_FIXED);
	table_column(table, "range", TABLE_LEFT, interval ? TABLE_OPTIONAL : TABLE_FIXED);
	for (int i = 0; i < 3; i++) {
		shown[i] = strcmp(beside[i], metric) != 0 && anyone_has(result, beside[i]);
		if (shown[i])
			table_column(table, beside[i], TABLE_DECIMAL, TABLE_OPTIONAL);
	}
	bool runs = interval || result->comparison_count != 1; /* else the sentence has them */
	if (runs)
		table_column(table, unit_heading(result, metric), TABLE_RIGHT, TABLE_OPTIONAL);
	const char **sides = interval ? list_sides(result, table) : NULL;
	for (size_t s = 0; s < result->subject_count; s++) {
		const struct subject *subject = &result->subjects[s];
		const struct measurement *m = subject_find_metric(subject, metric);
		table_row(table);
		if (interval)
			table_cellf(table, EMPHASIS_NONE, "%s%s", subject_title(subject), sides && sides[s] ? sides[s] : "");
		else
			name_cell(table, result, s);
		estimate_cells(table, m, interval);
		spread_cells(table, m, interval);
		for (int i = 0; i < 3; i++)
			if (shown[i])
				mean_cell(table, subject, beside[i]);
		if (runs)
			table_cellf(table, EMPHASIS_NONE, "%zu", m ? measurement_runs(m) : 0);
	}
	mem_free(sides);
}

void overview_subjects(const struct result *result, struct table *table)
{
	add_subjects(result, table, true);
}

static void subjects_in_brief(const struct result *result, struct table *table)
{
	add_subjects(result, table, false);
}

static size_t effort_of(const struct comparison *comparison)
{
	return comparison->pairs ? comparison->pairs : comparison->units;
}

static bool same_effort(const struct result *result)
{
	for (size_t i = 1; i < result->comparison_count; i++)
		if (effort_of(&result->comparisons[i]) != effort_of(&result->comparisons[0]))
			return false;
	return true;
}

static void add_comparisons(const struct result *result, struct table *table, bool with_effort)
{
	table_column(table, "", TABLE_LEFT, TABLE_SHRINKS);
	table_column(table, "change", TABLE_DECIMAL, TABLE_FIXED);
	table_column(table, "interval", TABLE_LEFT, TABLE_FIXED);
	table_column(table, "verdict", TABLE_LEFT, TABLE_FIXED);
	if (with_effort)
		table_column(table, result->design.paired ? "pairs" : "runs", TABLE_RIGHT, TABLE_OPTIONAL);
	for (size_t i = 0; i < result->comparison_count; i++) {
		const struct comparison *comparison = &result->comparisons[i];
		struct buffer text = {0};
		table_row(table);
		table_cell(table, EMPHASIS_NONE, subject_title(&result->subjects[comparison->new_]));
		struct told_number told = words_told(comparison);
		words_change(told.ratio, told.ci->low, told.ci->high, &text);
		table_cell(table, EMPHASIS_NONE, buffer_text(&text));
		buffer_clear(&text);
		words_change_interval(told.ci, &text);
		table_cell(table, EMPHASIS_NONE, buffer_text(&text));
		table_cellf(table, verdict_emphasis(comparison->verdict), "%s%s", verdict_name(comparison->verdict), told.in);
		if (with_effort)
			table_cellf(table, EMPHASIS_NONE, "%zu", effort_of(comparison));
		buffer_release(&text);
	}
}

void overview_comparisons(const struct result *result, struct table *table)
{
	add_comparisons(result, table, true);
}

static void comparisons_alone(const struct result *result, struct table *table)
{
	add_comparisons(result, table, !same_effort(result));
}

static int table_to_text(void (*fill)(const struct result *, struct table *), const struct result *result,
                         const struct look *look, struct buffer *out, struct error *err)
{
	struct table table = {.time_unit = look->time_unit};
	fill(result, &table);
	int status = table_text(&table, look, out, err);
	table_release(&table);
	return status;
}

int overview_subjects_text(const struct result *result, const struct look *look, struct buffer *out, struct error *err)
{
	return table_to_text(look->verbose ? overview_subjects : subjects_in_brief, result, look, out, err);
}

static int table_to_markdown(void (*fill)(const struct result *, struct table *), const struct result *result,
                             const struct look *look, struct buffer *out, struct error *err)
{
	struct table table = {.time_unit = look->time_unit};
	fill(result, &table);
	int status = table_markdown(&table, out, err);
	table_release(&table);
	return status;
}

int overview_comparisons_text(const struct result *result, const struct look *look, struct buffer *out,
                              struct error *err)
{
	bool same_base = true;
	for (size_t i = 1; i < result->comparison_count; i++)
		same_base &= result->comparisons[i].base == result->comparisons[0].base;
	struct buffer text = {0};
	if (same_base) {
		buffer_text_add(&text, "against ");
		text_clean(&text, subject_title(&result->subjects[result->comparisons[0].base]), TEXT_UNICODE);
	} else {
		buffer_text_add(&text, "each against the first that measures the same");
	}
	if (same_effort(result)) {
		buffer_text_add(&text, ", ");
		words_effort(result, &result->comparisons[0], &text);
	}
	buffer_char(&text, ':');
	text_wrap(out, buffer_text(&text), 0, 0);
	buffer_release(&text);
	return table_to_text(comparisons_alone, result, look, out, err);
}

/* What a session with performance indices is about. */
static int markdown_indices(const struct result *result, const struct look *look, struct buffer *out, struct error *err)
{
	for (size_t s = 0; s < result->subject_count; s++) {
		struct table table = {.time_unit = look->time_unit};
		if (!indices_any(&result->subjects[s]))
			continue;
		buffer_char(out, '\n');
		if (result->subject_count > 1) {
			markdown_escape(out, subject_title(&result->subjects[s]));
			buffer_text_add(out, "\n\n");
		}
		indices_table(&result->subjects[s], &table);
		int status = table_markdown(&table, out, err);
		table_release(&table);
		if (status != 0)
			return -1;
	}
	return 0;
}

/* Times of different work amounts have no mean: of these the line through them is told. */
static int markdown_works(const struct result *result, struct buffer *out, struct error *err)
{
	for (size_t s = 0; s < result->subject_count; s++) {
		const struct subject *subject = &result->subjects[s];
		struct table table = {0};
		struct buffer rounds = {0};
		markdown_escape(out, subject_title(subject));
		buffer_text_add(out, "\n\n");
		if (!work_any(subject))
			continue;
		work_table(subject->work, &table);
		int status = table_markdown(&table, out, err);
		table_release(&table);
		work_words(subject->work, &rounds);
		buffer_char(out, '\n');
		markdown_escape(out, buffer_text(&rounds));
		buffer_char(out, '\n');
		buffer_release(&rounds);
		if (status != 0)
			return -1;
	}
	return 0;
}

int overview_markdown(const struct result *result, const struct look *look, struct buffer *out, struct error *err)
{
	for (size_t i = 0; i < result->comparison_count; i++) {
		struct buffer text = {0};
		words_verdict(result, &result->comparisons[i], &text);
		buffer_text_add(&text, ": ");
		words_effort(result, &result->comparisons[i], &text);
		buffer_text_add(out, "- ");
		markdown_escape(out, buffer_text(&text));
		buffer_char(out, '\n');
		buffer_release(&text);
	}
	if (result->comparison_count > 0)
		buffer_char(out, '\n');
	bool by_work = result->subject_count > 0 && result->subjects[0].work;
	if ((by_work ? markdown_works(result, out, err) : table_to_markdown(overview_subjects, result, look, out, err)) !=
	    0)
		return -1;
	if (result->comparison_count > 0) {
		buffer_char(out, '\n');
		if (table_to_markdown(overview_comparisons, result, look, out, err) != 0)
			return -1;
	}
	if (markdown_indices(result, look, out, err) != 0)
		return -1;
	for (size_t i = 0; i < result->warning_count; i++) {
		buffer_text_add(out, i ? "> " : "\n> ");
		markdown_escape(out, result->warnings[i].text);
		buffer_char(out, '\n');
	}
	paper_methods_markdown(result, out);
	return 0;
}

/* "a > b = c": comparison k is of places k and k + 1. */
static void text_ranking(const struct result *result, struct buffer *out)
{
	struct buffer text = {0};
	buffer_text_add(&text, "best first: ");
	for (size_t i = 0; i < result->ranking_count; i++) {
		enum verdict verdict = i > 0 && i <= result->comparison_count ? result->comparisons[i - 1].verdict
		                                                              : VERDICT_UNDECIDED;
		if (i > 0)
			buffer_text_add(&text, verdict == VERDICT_SLOWER ? " > " : verdict == VERDICT_SAME ? " = " : " ? ");
		buffer_text_add(&text, result->subjects[result->ranking[i]].name);
	}
	buffer_text_add(&text, "  (> better, = the same within the margin, ? not decided)");
	buffer_char(out, '\n');
	text_wrap(out, buffer_text(&text), 0, 2);
	buffer_release(&text);
}

/* The indices of each subject, below the table of all. */
static int text_indices(const struct result *result, const struct look *look, struct buffer *out, struct error *err)
{
	for (size_t s = 0; s < result->subject_count; s++) {
		struct table table = {.time_unit = look->time_unit};
		if (!indices_any(&result->subjects[s]))
			continue;
		buffer_char(out, '\n');
		if (result->subject_count > 1)
			text_wrap(out, result->subjects[s].name, 0, 0);
		indices_table(&result->subjects[s], &table);
		int status = table_text(&table, look, out, err);
		table_release(&table);
		if (status != 0)
			return -1;
		indices_phases(&result->subjects[s], look, out);
		indices_overhead(&result->subjects[s], out);
	}
	return 0;
}

/* By their lines where they have some, else in a table. */
static int text_subjects(const struct result *result, const struct look *look, struct buffer *out, struct error *err)
{
	bool alone = result->subject_count == 1 && !look->verbose && !result->subjects[0].work &&
	             !indices_any(&result->subjects[0]);
	if (alone && text_alone(result, look, out))
		return 0;
	if (result->subject_count == 0 || !result->subjects[0].work)
		return overview_subjects_text(result, look, out, err);
	for (size_t s = 0; s < result->subject_count; s++) {
		if (s > 0)
			buffer_char(out, '\n');
		if (work_text(&result->subjects[s], look, out, err) != 0)
			return -1;
	}
	return 0;
}

/* The sentences; many of them as a table, unless everything is wanted. */
static int text_answers(const struct result *result, const struct look *look, struct buffer *out, struct error *err)
{
	enum { MOST_SENTENCES = 3 };
	if (result->comparison_count > 0 && result->subjects[0].work)
		buffer_text_add(out, "compared by the time of a unit of work in the stable phase:\n");
	if (result->comparison_count > MOST_SENTENCES && table_to_text(overview_comparisons, result, look, out, err) != 0)
		return -1;
	for (size_t i = 0; i < result->comparison_count; i++) {
		if (result->comparison_count > MOST_SENTENCES && !look->verbose)
			break;
		text_answer(result, &result->comparisons[i], look, out);
		if (look->verbose)
			text_numbers(result, &result->comparisons[i], out);
		else
			text_company(&result->comparisons[i], out);
	}
	return 0;
}

static void text_choice(const struct result *result, struct buffer *out)
{
	struct buffer choice = {0};
	words_choice(result, overview_metric(result), &choice);
	if (choice.length > 0) {
		buffer_char(out, '\n');
		text_wrap(out, buffer_text(&choice), 0, 0);
	}
	buffer_release(&choice);
}

static size_t lines_of(const struct buffer *text, size_t from)
{
	size_t lines = 0;
	for (size_t i = from; i < text->length; i++)
		lines += text->data[i] == '\n';
	return lines;
}

/* How many lines say at the end what the gate does. The last one, for programs, is wrapped by the terminal. */
static size_t gate_lines(const struct result *result, const struct look *look)
{
	struct buffer words = {0}, wrapped = {0};
	words_gate(result, &words);
	if (words.length > 0)
		text_wrap(&wrapped, buffer_text(&words), 0, 2);
	size_t lines = lines_of(&wrapped, 0);
	buffer_clear(&wrapped);
	if (words.length > 0)
		words_gate_line(result, 0.99, &wrapped);
	lines += (wrapped.length + look_width(look) - 1) / look_width(look);
	buffer_release(&words);
	buffer_release(&wrapped);
	return lines;
}

/* Up to so many lines before the table it is set apart. */
enum { SET_APART = 3 };

/* What to type next, and the gate's lines. */
static size_t lines_at_the_end(const struct result *result, const struct look *look)
{
	struct buffer text = {0};
	text_hint(result, look, &text);
	size_t lines = lines_of(&text, 0) + gate_lines(result, look);
	buffer_release(&text);
	return lines;
}

/* What is said of the circumstances however little room there is, and what disturbed the runs. */
static size_t lines_kept(const struct result *result, const struct look *look, bool disturbed)
{
	struct buffer text = {0}, words = {0};
	text_circumstances(result, look, 0, &text);
	if (disturbed)
		words_disturbance(result, true, &words);
	if (words.length > 0)
		text_wrap(&text, buffer_text(&words), 10, 6);
	size_t lines = lines_of(&text, 0);
	buffer_release(&words);
	buffer_release(&text);
	return lines;
}

static int brief_table(const struct result *result, const struct look *look, bool compact, struct buffer *out,
                       struct error *err)
{
	struct table table = {.time_unit = look->time_unit, .compact = compact};
	subjects_in_brief(result, &table);
	int status = table_text(&table, look, out, err);
	table_release(&table);
	indices_brief(result, overview_metric(result), out);
	return status;
}

/* Two commands: 12 lines with what to type next, what the gate says and what it was saved as. What has no room is left
 * out, the least important first: how they slow each other down, the line in the table, what disturbed them, what the
 * verdict rests on, its reason. */
static int tell_two(const struct result *result, const struct look *look, struct buffer *out, struct error *err)
{
	enum { LINES = 11 }; /* without what it was saved as */
	enum { WHOLE, COMPACT, UNDISTURBED, WAYS };
	const struct comparison *comparison = &result->comparisons[0];
	struct buffer head = {0}, table = {0}, company = {0};
	size_t end = lines_at_the_end(result, look), most = end < LINES ? LINES - end : 0, room = 0;
	bool fits = false;
	int status = 0;
	for (int way = WHOLE; way < WAYS && !fits && status == 0; way++) {
		size_t kept = lines_kept(result, look, way < UNDISTURBED);
		buffer_clear(&head);
		buffer_clear(&table);
		status = brief_table(result, look, way >= COMPACT, &table, err);
		text_twins(result, &head);
		room = kept < most ? most - kept : 0;
		size_t taken = lines_of(&head, 0) + lines_of(&table, 0);
		fits = text_answer_within(result, comparison, look, room > taken ? room - taken : 0, &head) &&
		       lines_of(&head, 0) + lines_of(&table, 0) <= room;
	}
	text_company(comparison, &company);
	if (lines_of(&head, 0) + lines_of(&table, 0) + lines_of(&company, 0) < room)
		buffer_add(&head, company.data, company.length);
	if (isnan(result->gate.limit) && lines_of(&head, 0) <= SET_APART && lines_of(&head, 0) + lines_of(&table, 0) < room)
		buffer_char(&head, '\n');
	buffer_add(&head, table.data, table.length);
	size_t used = lines_of(&head, 0);
	text_circumstances(result, look, used < most ? most - used : 0, &head);
	buffer_add(out, head.data, head.length);
	out->out_of_memory |= head.out_of_memory | table.out_of_memory | company.out_of_memory;
	buffer_release(&head);
	buffer_release(&table);
	buffer_release(&company);
	return status;
}

static int tell(const struct result *result, const struct look *look, struct buffer *out, struct error *err)
{
	/* What notes may have: the rest of so many lines, or so many where that is more. */
	enum { LINES = 10, NOTES = 8 };
	size_t from = out->length;
	bool two = result->subject_count == 2 && !result->subjects[0].work;
	if (two && !look->verbose && result->comparison_count == 1 && result->ranking_count == 0 &&
	    !result->comparisons[0].machines)
		return tell_two(result, look, out, err);
	text_twins(result, out);
	if (text_answers(result, look, out, err) != 0)
		return -1;
	if (result->comparison_count > 0)
		buffer_char(out, '\n');
	if (text_subjects(result, look, out, err) != 0 || text_indices(result, look, out, err) != 0)
		return -1;
	if (result->ranking_count > 0)
		text_ranking(result, out);
	if (result->comparison_count > 0 && look->verbose)
		text_choice(result, out);
	if (look->verbose)
		text_levels(result, overview_metric(result), out);
	size_t used = lines_of(out, from), room = used < LINES ? LINES - used : 0;
	text_circumstances(result, look, room > NOTES ? room : NOTES, out);
	return 0;
}

int overview_text(const struct result *result, const struct look *look, struct buffer *out, struct error *err)
{
	struct arena arena = {0};
	struct result shown;
	int status = names_shorten(result, NAMES_TEXT, look->charset, &arena, &shown) == 0 ? tell(&shown, look, out, err)
	                                                                                   : error_memory(err);
	arena_release(&arena);
	return status;
}
