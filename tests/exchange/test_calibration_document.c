/* A calibration as JSON and back; files that are none. */
#include "exchange/calibration_document.h"

#include "base/memory.h"
#include "host/file.h"
#include "report/calibration_text.h"
#include "support/fake.h"
#include "support/known.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fill(struct calibration *c)
{
	static struct calibration_cpu cpus[] = {{3, 0.01, 0.005, 0.015, 200}, {4, -0.01, NAN, NAN, 5}};
	static struct calibration_design designs[3];
	calibration_init(c);
	c->version = "0.9";
	c->elapsed = 60.5;
	c->machine = (struct calibration_machine){"CPU \"x\"", "Linux 6.1", "kvm", 8, INFINITY};
	c->cpus = cpus;
	c->cpu_count = 2;
	c->best = "turns";
	c->disturbance = (struct disturbance){.recorded = true, .load_start = 0.5, .steal = 0.01, .changed = "the quota"};
	static const char *const names[] = {"turns", "duet", "shuffled"};
	for (int i = 0; i < 3; i++) {
		calibration_design_init(&designs[i], names[i]);
		designs[i].pairs = 4000;
		designs[i].pair_seconds = 0.005;
		designs[i].experiments = 40;
		designs[i].alarms = (size_t)i;
		designs[i].alarm_low = 0;
		designs[i].alarm_high = 0.09;
		designs[i].experiment_pairs = 400;
		designs[i].experiment_block = 40;
		for (int s = 0; s < CALIBRATION_SPREADS; s++)
			designs[i].spreads[s] = (struct calibration_spread){calibration_blocks[s], 100, 0.01 * (s + 1), 0.1};
		for (int t = 0; t < CALIBRATION_TIME_COUNT; t++) {
			designs[i].visible[t] = t ? (i + 1) * 0.02 / t : NAN;
			designs[i].half_width[t] = t ? (i + 1) * 0.01 / t : NAN;
		}
	}
	designs[1].interference = 1.25;
	designs[1].left_out = NULL;
	struct calibration_program *p = calibration_add_program(c);
	*p = (struct calibration_program){"cpu", NULL, "cpu", 0.002, designs, 3, "turns", "2026-01-02T03:04:05Z"};
	static struct calibration_design none[1];
	calibration_design_init(&none[0], "duet");
	none[0].left_out = "it needs two CPUs";
	p = calibration_add_program(c);
	*p = (struct calibration_program){"./x y", "./x y", "wall", NAN, none, 1, NULL, "2026-01-02T03:04:05Z"};
}

#define SAME_NUMBER(a, b) assert_true((a) == (b) || (isnan(a) && isnan(b)))

static void same_design(const struct calibration_design *a, const struct calibration_design *b)
{
	assert_string_equal(a->name, b->name);
	assert_true(!a->left_out == !b->left_out);
	if (a->left_out)
		assert_string_equal(a->left_out, b->left_out);
	assert_int_equal(a->pairs, b->pairs);
	SAME_NUMBER(a->pair_seconds, b->pair_seconds);
	SAME_NUMBER(a->interference, b->interference);
	assert_int_equal(a->experiments, b->experiments);
	assert_int_equal(a->alarms, b->alarms);
	assert_int_equal(a->experiment_pairs, b->experiment_pairs);
	assert_int_equal(a->experiment_block, b->experiment_block);
	SAME_NUMBER(a->alarm_low, b->alarm_low);
	SAME_NUMBER(a->alarm_high, b->alarm_high);
	for (int i = 0; i < CALIBRATION_TIME_COUNT; i++) {
		SAME_NUMBER(a->visible[i], b->visible[i]);
		SAME_NUMBER(a->half_width[i], b->half_width[i]);
	}
	for (int i = 0; i < CALIBRATION_SPREADS; i++) {
		assert_int_equal(a->spreads[i].block, b->spreads[i].block);
		assert_int_equal(a->spreads[i].units, b->spreads[i].units);
		SAME_NUMBER(a->spreads[i].sd, b->spreads[i].sd);
		SAME_NUMBER(a->spreads[i].lag1, b->spreads[i].lag1);
	}
}

static void same(const struct calibration *a, const struct calibration *b)
{
	SAME_NUMBER(a->elapsed, b->elapsed);
	assert_string_equal(a->version, b->version);
	assert_string_equal(a->best, b->best);
	assert_true(b->disturbance.recorded);
	SAME_NUMBER(a->disturbance.load_start, b->disturbance.load_start);
	SAME_NUMBER(a->disturbance.steal, b->disturbance.steal);
	assert_string_equal(a->disturbance.changed, b->disturbance.changed);
	assert_string_equal(a->machine.cpu, b->machine.cpu);
	assert_string_equal(a->machine.kernel, b->machine.kernel);
	assert_string_equal(a->machine.virtual_, b->machine.virtual_);
	assert_int_equal(a->machine.cpus, b->machine.cpus);
	SAME_NUMBER(a->machine.quota, b->machine.quota);
	assert_int_equal(a->program_count, b->program_count);
	for (size_t i = 0; i < a->program_count; i++) {
		assert_string_equal(a->programs[i].name, b->programs[i].name);
		assert_true(!a->programs[i].command == !b->programs[i].command);
		SAME_NUMBER(a->programs[i].run_seconds, b->programs[i].run_seconds);
		assert_int_equal(a->programs[i].design_count, b->programs[i].design_count);
		for (size_t d = 0; d < a->programs[i].design_count; d++)
			same_design(&a->programs[i].designs[d], &b->programs[i].designs[d]);
	}
	assert_int_equal(a->cpu_count, b->cpu_count);
	for (size_t i = 0; i < a->cpu_count; i++) {
		assert_int_equal(a->cpus[i].cpu, b->cpus[i].cpu);
		assert_int_equal(a->cpus[i].rounds, b->cpus[i].rounds);
		SAME_NUMBER(a->cpus[i].effect, b->cpus[i].effect);
		SAME_NUMBER(a->cpus[i].low, b->cpus[i].low);
	}
}

static void there_and_back(void **state)
{
	(void)state;
	char *root = fake_root(), path[4200];
	struct calibration out, back;
	struct buffer text = {0};
	struct error err;
	json_error_t problem;
	snprintf(path, sizeof(path), "%s/c.json", root);
	fill(&out);
	for (int quota = 0; quota < 2; quota++) {
		out.machine.quota = quota ? 1.5 : INFINITY;
		buffer_clear(&text);
		assert_int_equal(calibration_document_write(&out, &text, &err), 0);
		json_t *json = json_loads(buffer_text(&text), JSON_REJECT_DUPLICATES, &problem);
		if (!json)
			fail_msg("%s at %d", problem.text, problem.line);
		json_decref(json);
		assert_int_equal(file_write_whole(&syscalls_libc, path, buffer_text(&text), text.length, &err), 0);
		calibration_init(&back);
		assert_int_equal(calibration_document_read(path, &back, &err), 0);
		same(&out, &back);
		calibration_release(&back);
	}
	for (long n = 1; n < 400; n++) {
		calibration_init(&back);
		mem_fail_at(n);
		int status = calibration_document_read(path, &back, &err);
		int failed = mem_failed();
		mem_fail_at(0);
		assert_true(failed ? status == -1 : status == 0);
		calibration_release(&back);
		if (!failed)
			break;
	}
	calibration_release(&out);
	buffer_release(&text);
	fake_remove(root);
	free(root);
}

static void files_that_are_none(void **state)
{
	(void)state;
	static const char *const texts[] = {
		"",
		"{}",
		"[]",
		"{\"schema\": \"tare/1\"}",
		"{\"schema\": \"tare-calibration/2\", \"machine\": {}, \"programs\": []}",
		"{\"schema\": \"tare-calibration/1\", \"machine\": {\"cpu\": null, \"kernel\": \"k\", \"virtual\": \"v\"}, \"programs\": []}",
		"{\"schema\": \"tare-calibration/1\", \"machine\": {\"cpu\": \"c\"}, \"programs\": [{}]}",
		"{\"schema\": \"tare-calibration/1\", \"machine\": {\"cpu\": \"c\"}, \"programs\": [{\"name\": \"x\", \"designs\": [{}]}]}",
	};
	char *root = fake_root(), path[4200];
	struct calibration back;
	struct error err;
	snprintf(path, sizeof(path), "%s/c.json", root);
	calibration_init(&back);
	assert_int_equal(calibration_document_read(path, &back, &err), -1);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		fake_file(root, "/c.json", texts[i]);
		calibration_init(&back);
		assert_int_equal(calibration_document_read(path, &back, &err), -1);
		assert_int_equal(back.program_count, 0);
	}
	fake_remove(root);
	free(root);
}

/* Programs of an earlier calibration stay, those measured again do not. */
static void others_are_kept(void **state)
{
	(void)state;
	struct calibration old, now;
	fill(&old);
	calibration_init(&now);
	struct calibration_program *p = calibration_add_program(&now);
	*p = (struct calibration_program){.name = "cpu", .best = "duet"};
	assert_int_equal(calibration_keep_others(&now, &old, 20), 0);
	assert_int_equal(now.program_count, 2);
	assert_string_equal(calibration_find(&now, "cpu")->best, "duet");
	calibration_release(&old);
	assert_string_equal(calibration_find(&now, "./x y")->metric, "wall");
	assert_int_equal(now.cpu_count, 2);
	assert_null(calibration_find(&now, "memory"));
	assert_null(calibration_find_design(calibration_find(&now, "./x y"), "duet"));
	calibration_release(&now);
	fill(&old);
	calibration_init(&now);
	assert_int_equal(calibration_keep_others(&now, &old, 1), 0);
	assert_int_equal(now.program_count, 1);
	calibration_release(&now);
	calibration_release(&old);
}

static void times(void **state)
{
	(void)state;
	assert_close(calibration_times[calibration_time(1)], 1, 0);
	assert_close(calibration_times[calibration_time(10)], 10, 0);
	assert_close(calibration_times[calibration_time(60)], 60, 0);
	assert_close(calibration_times[calibration_time(1e9)], 300, 0);
}

static void as_text(void **state)
{
	(void)state;
	struct calibration c;
	struct buffer text = {0};
	struct error err;
	struct look look = {.width = 80, .charset = TEXT_ASCII};
	fill(&c);
	assert_int_equal(calibration_text(&c, 2, &look, &text, &err), 0);
	assert_non_null(strstr(buffer_text(&text), "turns (best)"));
	assert_non_null(strstr(buffer_text(&text), "0.67 %"));
	assert_non_null(strstr(buffer_text(&text), "1 of 40 (0 % to 9.0 %)"));
	assert_non_null(strstr(buffer_text(&text), "false alarms in all: 3 of 120 experiments"));
	assert_non_null(strstr(buffer_text(&text), "left out: duet of ./x y: it needs two CPUs"));
	assert_non_null(strstr(buffer_text(&text), "duet: 1.25 (cpu) times"));
	assert_non_null(strstr(buffer_text(&text), "CPU 3 +1.00 % [+0.50 %, +1.50 %]"));
	assert_non_null(strstr(buffer_text(&text), "half-width"));
	buffer_clear(&text);
	calibration_release(&c);
	assert_int_equal(calibration_text(&c, 2, &look, &text, &err), 0);
	assert_int_equal(text.length, 0);
	buffer_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(there_and_back),  cmocka_unit_test(files_that_are_none),
		cmocka_unit_test(others_are_kept), cmocka_unit_test(times),
		cmocka_unit_test(as_text),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
