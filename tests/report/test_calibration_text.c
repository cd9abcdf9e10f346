/* The report of a calibration: table, what was left out, and that no line is too wide. */
#include "report/calibration_text.h"

#include "report/text_width.h"
#include "support/known.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DESIGNS = 3 };

struct machine {
	struct calibration calibration;
	struct calibration_program programs[2];
	struct calibration_design designs[2][DESIGNS];
};

static void measured(struct calibration_design *d, double change)
{
	d->pairs = 500;
	d->pair_seconds = 0.004;
	for (int i = 0; i < CALIBRATION_TIME_COUNT; i++) {
		d->half_width[i] = change / sqrt(calibration_times[i]);
		d->visible[i] = 1.5 * change / sqrt(calibration_times[i]);
	}
}

static void make(struct machine *m)
{
	static const char *const names[DESIGNS] = {"turns", "duet", "shuffled"};
	memset(m, 0, sizeof(*m));
	calibration_init(&m->calibration);
	for (int p = 0; p < 2; p++) {
		for (int d = 0; d < DESIGNS; d++)
			calibration_design_init(&m->designs[p][d], names[d]);
		m->programs[p] = (struct calibration_program){
			.name = p ? "memory" : "cpu", .metric = "cpu", .designs = m->designs[p], .design_count = DESIGNS};
	}
	m->calibration.programs = m->programs;
	m->calibration.program_count = 2;
}

static char *text_of(struct machine *m, size_t programs)
{
	struct look look = {.width = 80, .charset = TEXT_UNICODE};
	struct buffer out = {0};
	assert_int_equal(calibration_text(&m->calibration, programs, &look, &out, NULL), 0);
	char *copy = strdup(buffer_text(&out)), *lines = strdup(buffer_text(&out));
	assert_true(copy && lines);
	for (char *line = strtok(lines, "\n"); line; line = strtok(NULL, "\n"))
		assert_true(text_width(line, TEXT_UNICODE) <= 80);
	buffer_release(&out);
	free(lines);
	return copy;
}

static void has(const char *text, const char *part)
{
	assert_non_null(text);
	if (!strstr(text, part))
		fail_msg("no '%s' in:\n%s", part, text);
}

static void says_what_was_found(void **state)
{
	(void)state;
	struct machine m;
	make(&m);
	measured(&m.designs[0][0], 0.02);
	measured(&m.designs[0][1], 0.01);
	measured(&m.designs[1][0], 0.03);
	m.designs[0][0].experiments = 50;
	m.designs[0][0].alarms = 1;
	m.designs[0][0].alarm_low = 0.0005;
	m.designs[0][0].alarm_high = 0.1065;
	m.designs[0][1].interference = 1.234;
	m.designs[1][1].left_out = "it needs two CPUs";
	m.designs[0][2].left_out = m.designs[1][2].left_out = "there was no time for it";
	m.programs[0].best = m.calibration.best = "duet";
	struct calibration_cpu cpus[] = {{0, 0.0123, 0.0101, 0.0145, 20}, {1, -0.0123, NAN, NAN, 2}};
	m.calibration.cpus = cpus;
	m.calibration.cpu_count = 2;
	char *text = text_of(&m, 2);
	has(text, "cpu     turns");
	has(text, "duet (best)");
	has(text, "1 of 50 (0.1 % to 11 %)");
	has(text, "left out: duet of memory: it needs two CPUs\n");
	has(text, "left out: shuffled: there was no time for it\n");
	has(text, "false alarms in all: 1 of 50 experiments (0.1 % to 11 %; 1 % is allowed)\n");
	has(text, "duet: 1.23 (cpu) times the time alone when two run at once\n");
	has(text, "CPUs: CPU 0 +1.23 % [+1.01 %, +1.45 %], CPU 1 -1.2");
	has(text, "best design: duet\n");
	has(text, "cpu: half-width of the 99 % interval, %");
	has(text, "● duet");
	assert_null(strstr(text, "-: "));
	assert_null(strstr(text, "disturbed"));
	free(text);
	m.calibration.disturbance.recorded = true;
	m.calibration.disturbance.load_start = 26.44;
	m.calibration.disturbance.pressure_cpu = 1; /* a duet presses on the CPUs itself */
	m.calibration.disturbance.steal = 0.25;
	m.calibration.disturbance.changed = "the load was 26.4 and is 3.0";
	text = text_of(&m, 2);
	has(text, "disturbed: the hypervisor gave 25 % of the CPU time to others, the load was");
	has(text, " 26.4 when it began\n");
	has(text, "note: the machine was not the same at the end: the load was 26.4 and is 3.0;");
	assert_null(strstr(text, "wait for a CPU"));
	m.calibration.disturbance = disturbance_none;
	/* A second that is too short. */
	m.designs[0][1].visible[0] = NAN;
	free(text);
	text = text_of(&m, 2);
	has(text, "-: too short a time for a verdict\n");
	free(text);
	/* One program: no need to name it. */
	text = text_of(&m, 1);
	has(text, "duet: 1.23 times the time alone");
	assert_null(strstr(text, "memory"));
	free(text);
}

static void says_what_it_could_not_find(void **state)
{
	(void)state;
	struct machine m;
	make(&m);
	m.designs[0][0].pairs = 3;
	m.designs[0][0].pair_seconds = 0.5;
	m.designs[0][1].left_out = m.designs[1][1].left_out = "it needs two CPUs";
	char *text = text_of(&m, 2);
	has(text, "-: too few pairs were measured; --max-time gives it more time\n");
	has(text, "left out: duet: it needs two CPUs\n");
	assert_null(strstr(text, "half-width"));
	free(text);
	m.designs[0][0].pair_seconds = 30;
	text = text_of(&m, 2);
	has(text, "-: too few pairs fit into a minute for a verdict\n");
	free(text);
	/* Nothing at all: no empty table. */
	m.designs[0][0].pairs = 0;
	m.designs[0][0].left_out = "there was no time for it";
	text = text_of(&m, 1);
	assert_string_equal(text, "left out: turns: there was no time for it\nleft out: duet: it needs two CPUs\n");
	free(text);
	assert_int_equal(calibration_text(&m.calibration, 0, &(struct look){.width = 80}, &(struct buffer){0}, NULL), 0);
}

static void a_long_name_loses_its_middle(void **state)
{
	(void)state;
	struct machine m;
	make(&m);
	measured(&m.designs[0][0], 0.02);
	m.programs[0].name = "/srv/\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc/builds/of/this/week/"
						 "\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc";
	char *text = text_of(&m, 1);
	has(text, "/srv/\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc\u2026");
	has(text, "\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc: half-width of the 99 % interval, %");
	assert_null(strstr(text, "\\x"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(says_what_was_found),
		cmocka_unit_test(a_long_name_loses_its_middle),
		cmocka_unit_test(says_what_it_could_not_find),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
