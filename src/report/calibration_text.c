#include "report/calibration_text.h"

#include "base/format.h"
#include "report/plot.h"
#include "report/table.h"
#include "report/text.h"
#include "report/words.h"
#include "stats/proportion.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CURVES = 3, NAME = 28 /* columns of a program's name above its curves */ };

/* "0.42 %": two digits that matter. */
static const char *change(char text[FORMAT_MAX], double fraction)
{
	if (isnan(fraction))
		return "-";
	if (fraction > 1)
		return "over 100 %";
	return format_percent(text, FORMAT_MAX, fraction, fraction / 2, 0);
}

/* "0 %", "2.5 %", "34 %" */
static const char *rate(char text[FORMAT_MAX], double fraction)
{
	double whole = fraction * 100;
	format_fixed(text, FORMAT_MAX, whole, whole > 0 && whole < 10 ? 1 : 0);
	strcat(text, " %");
	return text;
}

static void alarm_cell(struct table *table, const struct calibration_design *d)
{
	char low[FORMAT_MAX], high[FORMAT_MAX];
	if (d->experiments == 0) {
		table_cell(table, EMPHASIS_NONE, "-");
		return;
	}
	table_cellf(table, d->alarm_low > 0.01 ? EMPHASIS_WARN : EMPHASIS_NONE, "%zu of %zu (%s to %s)", d->alarms,
	            d->experiments, rate(low, d->alarm_low), rate(high, d->alarm_high));
}

static void design_row(struct table *table, const struct calibration_program *program,
                       const struct calibration_design *d, bool first)
{
	static const double times[] = {1, 10, 60};
	char number[FORMAT_MAX];
	bool best = program->best && strcmp(program->best, d->name) == 0;
	table_row(table);
	table_cell(table, EMPHASIS_NONE, first ? program->name : "");
	table_cellf(table, best ? EMPHASIS_STRONG : EMPHASIS_NONE, "%s%s", d->name, best ? " (best)" : "");
	table_cell(table, EMPHASIS_NONE,
	           format_quantity(number, sizeof(number), d->pair_seconds, d->pair_seconds / 20, "s"));
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		table_cell(table, best ? EMPHASIS_STRONG : EMPHASIS_NONE,
		           change(number, d->visible[calibration_time(times[i])]));
	alarm_cell(table, d);
}

static int designs_table(const struct calibration *calibration, size_t programs, const struct look *look,
                         struct buffer *out, struct error *err)
{
	struct table table = {0};
	table_column(&table, "", TABLE_LEFT, TABLE_SHRINKS);
	table_column(&table, "design", TABLE_LEFT, TABLE_FIXED);
	table_column(&table, "a pair", TABLE_DECIMAL, TABLE_OPTIONAL);
	table_column(&table, "in 1 s", TABLE_DECIMAL, TABLE_FIXED);
	table_column(&table, "in 10 s", TABLE_DECIMAL, TABLE_FIXED);
	table_column(&table, "in 60 s", TABLE_DECIMAL, TABLE_FIXED);
	table_column(&table, "false alarms", TABLE_LEFT, TABLE_FIXED);
	for (size_t p = 0; p < programs; p++) {
		const struct calibration_program *program = &calibration->programs[p];
		bool first = true;
		if (p > 0)
			table_rule(&table);
		for (size_t d = 0; d < program->design_count; d++) {
			if (program->designs[d].left_out || program->designs[d].pairs == 0)
				continue;
			design_row(&table, program, &program->designs[d], first);
			first = false;
		}
	}
	int status = table_text(&table, look, out, err);
	table_release(&table);
	return status;
}

static const char *reason(const struct calibration *calibration, size_t program, size_t design)
{
	return design < calibration->programs[program].design_count
	           ? calibration->programs[program].designs[design].left_out
	           : NULL;
}

static bool has_reason(const struct calibration *calibration, size_t program, size_t design, const char *why)
{
	const char *other = reason(calibration, program, design);
	return other && strcmp(other, why) == 0;
}

/* The programs that a design was left out of for this reason: " of cpu, start"; nothing where that is all of them. */
static void left_out_of(const struct calibration *calibration, size_t programs, size_t design, const char *why,
                        struct buffer *out)
{
	size_t count = 0;
	for (size_t p = 0; p < programs; p++)
		count += has_reason(calibration, p, design, why);
	for (size_t p = 0, said = 0; p < programs && count < programs; p++)
		if (has_reason(calibration, p, design, why))
			buffer_printf(out, "%s %s", said++ ? " and" : " of", calibration->programs[p].name);
}

/* "left out: duet, shared of memory and start: it needs two CPUs": a line for each reason. */
static void left_out_line(const struct calibration *calibration, size_t programs, const char *why, struct buffer *out)
{
	struct buffer text = {0};
	for (size_t d = 0; d < calibration->programs[0].design_count; d++) {
		size_t p = 0;
		while (p < programs && !has_reason(calibration, p, d, why))
			p++;
		if (p == programs)
			continue;
		buffer_printf(&text, "%s %s", text.length ? "," : "left out:", calibration->programs[p].designs[d].name);
		left_out_of(calibration, programs, d, why, &text);
	}
	buffer_printf(&text, ": %s", why);
	text_wrap(out, buffer_text(&text), 0, 10);
	buffer_release(&text);
}

/* Whether an earlier place in the table has the same reason. */
static bool said_before(const struct calibration *calibration, size_t program, size_t design)
{
	const char *why = reason(calibration, program, design);
	for (size_t p = 0; p <= program; p++)
		for (size_t d = 0; (p < program || d < design) && d < calibration->programs[p].design_count; d++)
			if (has_reason(calibration, p, d, why))
				return true;
	return false;
}

static void left_out(const struct calibration *calibration, size_t programs, struct buffer *out)
{
	for (size_t p = 0; p < programs; p++)
		for (size_t d = 0; d < calibration->programs[p].design_count; d++)
			if (reason(calibration, p, d) && !said_before(calibration, p, d))
				left_out_line(calibration, programs, reason(calibration, p, d), out);
}

static void all_alarms(const struct calibration *calibration, size_t programs, struct buffer *out)
{
	struct interval interval;
	char low[FORMAT_MAX], high[FORMAT_MAX];
	size_t alarms = 0, experiments = 0;
	for (size_t p = 0; p < programs; p++)
		for (size_t d = 0; d < calibration->programs[p].design_count; d++) {
			alarms += calibration->programs[p].designs[d].alarms;
			experiments += calibration->programs[p].designs[d].experiments;
		}
	if (proportion_clopper_pearson(alarms, experiments, 0.95, &interval) == STATS_OK)
		buffer_printf(out, "false alarms in all: %zu of %zu experiments (%s to %s; 1 %% is allowed)\n", alarms,
		              experiments, rate(low, interval.low), rate(high, interval.high));
}

static void interference(const struct calibration *calibration, size_t programs, struct buffer *out)
{
	struct buffer text = {0};
	char number[FORMAT_MAX];
	for (size_t p = 0; p < programs; p++) {
		const struct calibration_design *d = calibration_find_design(&calibration->programs[p], "duet");
		if (d && !isnan(d->interference))
			buffer_printf(&text, "%s %s", text.length ? "," : "",
			              format_fixed(number, sizeof(number), d->interference, 2));
		if (d && !isnan(d->interference) && programs > 1)
			buffer_printf(&text, " (%s)", calibration->programs[p].name);
	}
	if (text.length) {
		buffer_text_add(out, "duet: ");
		buffer_text_add(&text, " times the time alone when two run at once");
		text_wrap(out, buffer_text(&text) + 1, 6, 6);
	}
	buffer_release(&text);
}

static void cpu_effects(const struct calibration *calibration, struct buffer *out)
{
	struct buffer text = {0};
	char number[FORMAT_MAX], low[FORMAT_MAX], high[FORMAT_MAX];
	for (size_t i = 0; i < calibration->cpu_count; i++) {
		const struct calibration_cpu *cpu = &calibration->cpus[i];
		double half = (cpu->high - cpu->low) / 2;
		if (isnan(cpu->effect))
			continue;
		buffer_printf(&text, "%sCPU %d %s", text.length ? ", " : "", cpu->cpu,
		              format_percent(number, sizeof(number), cpu->effect, half, 1));
		if (!isnan(half))
			buffer_printf(&text, " [%s, %s]", format_percent(low, sizeof(low), cpu->low, half, 1),
			              format_percent(high, sizeof(high), cpu->high, half, 1));
	}
	if (text.length) {
		buffer_text_add(out, "CPUs: ");
		buffer_text_add(&text, " against their mean");
		text_wrap(out, buffer_text(&text), 6, 6);
	}
	buffer_release(&text);
}

/* What else went on. The designs at once press on the CPUs themselves: of that nothing can be said. */
static void circumstances(const struct disturbance *disturbance, struct buffer *out)
{
	struct result meanwhile = {.disturbance = *disturbance, .design = {.name = "shared"}};
	struct buffer text = {0};
	char load[FORMAT_MAX];
	words_disturbance(&meanwhile, false, &text);
	if (disturbance->load_start >= 1)
		buffer_printf(&text, "%sthe load was %s when it began", text.length ? ", " : "",
		              format_fixed(load, sizeof(load), disturbance->load_start, 1));
	if (text.length > 0) {
		buffer_text_add(out, "disturbed:");
		text_wrap(out, buffer_text(&text), 10, 6);
	}
	buffer_clear(&text);
	if (disturbance->changed) {
		buffer_printf(&text, "note: the machine was not the same at the end: %s; the prediction is doubtful",
		              disturbance->changed);
		text_wrap(out, buffer_text(&text), 0, 6);
	}
	buffer_release(&text);
}

/* The narrowest first; the last of them is the usual practice where it is not among them. */
static size_t choose_curves(const struct calibration_program *program, const struct calibration_design **out)
{
	size_t count = 0, last = CALIBRATION_TIME_COUNT - 1;
	const struct calibration_design *usual = calibration_find_design(program, "shuffled");
	bool has_usual = !usual || isnan(usual->half_width[last]);
	while (count < CURVES) {
		const struct calibration_design *next = NULL;
		for (size_t i = 0; i < program->design_count; i++) {
			const struct calibration_design *d = &program->designs[i];
			bool chosen = false;
			for (size_t k = 0; k < count; k++)
				chosen |= out[k] == d;
			if (!chosen && !isnan(d->half_width[last]) && (!next || d->half_width[last] < next->half_width[last]))
				next = d;
		}
		if (!next)
			break;
		has_usual |= next == usual;
		out[count] = !has_usual && count + 1 == CURVES ? usual : next;
		count++;
	}
	return count;
}

/* Widths against time of the first program. */
static int picture(const struct calibration_program *program, const struct look *look, struct buffer *out,
                   struct error *err)
{
	const struct calibration_design *chosen[CURVES];
	struct plot_curve curves[CURVES];
	double y[CURVES][CALIBRATION_TIME_COUNT];
	struct buffer title = {0};
	size_t count = choose_curves(program, chosen);
	if (count == 0)
		return 0;
	for (size_t i = 0; i < count; i++) {
		for (int t = 0; t < CALIBRATION_TIME_COUNT; t++)
			y[i][t] = chosen[i]->half_width[t] * 100;
		curves[i] = (struct plot_curve){chosen[i]->name, calibration_times, y[i], CALIBRATION_TIME_COUNT};
	}
	text_fit(&title, program->name, NAME, look->charset);
	buffer_text_add(&title, ": half-width of the 99 % interval, %");
	struct plot_curves what = {.title = buffer_text(&title),
	                           .x_title = "measured for",
	                           .curves = curves,
	                           .count = count,
	                           .x_unit = "s",
	                           .y_unit = "",
	                           .x_log = true,
	                           .y_log = true,
	                           .target = NAN};
	buffer_char(out, '\n');
	out->out_of_memory |= title.out_of_memory;
	int status = plot_curves(&what, look, out, err);
	buffer_release(&title);
	return status;
}

static bool measured_anything(const struct calibration *calibration, size_t programs)
{
	for (size_t p = 0; p < programs; p++)
		for (size_t d = 0; d < calibration->programs[p].design_count; d++)
			if (calibration->programs[p].designs[d].pairs > 0)
				return true;
	return false;
}

/* What a minute does not show is either too slow for it or was measured too little here; a second may just be short. */
static void say_dashes(const struct calibration *calibration, size_t programs, struct buffer *out)
{
	bool slow = false, little = false, short_time = false;
	for (size_t p = 0; p < programs; p++)
		for (size_t i = 0; i < calibration->programs[p].design_count; i++) {
			const struct calibration_design *d = &calibration->programs[p].designs[i];
			bool dash = d->pairs > 0 && isnan(d->visible[calibration_time(60)]);
			slow |= dash && d->pair_seconds > 10;
			little |= dash && d->pair_seconds <= 10;
			short_time |= d->pairs > 0 && !dash && isnan(d->visible[calibration_time(1)]);
		}
	if (slow)
		buffer_text_add(out, "-: too few pairs fit into a minute for a verdict\n");
	if (little)
		buffer_text_add(out, "-: too few pairs were measured; --max-time gives it more time\n");
	if (short_time && !slow && !little)
		buffer_text_add(out, "-: too short a time for a verdict\n");
}

int calibration_text(const struct calibration *calibration, size_t programs, const struct look *look,
                     struct buffer *out, struct error *err)
{
	if (programs > calibration->program_count)
		programs = calibration->program_count;
	if (programs == 0)
		return 0;
	if (measured_anything(calibration, programs)) {
		buffer_text_add(out, "smallest change that 9 of 10 experiments find at 99 % confidence\n\n");
		if (designs_table(calibration, programs, look, out, err) != 0)
			return -1;
		buffer_char(out, '\n');
	}
	say_dashes(calibration, programs, out);
	left_out(calibration, programs, out);
	all_alarms(calibration, programs, out);
	interference(calibration, programs, out);
	cpu_effects(calibration, out);
	if (calibration->best)
		buffer_printf(out, "best design: %s\n", calibration->best);
	circumstances(&calibration->disturbance, out);
	return picture(&calibration->programs[0], look, out, err);
}
