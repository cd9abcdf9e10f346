#include "analysis/machines.h"

#include "support/known.h"

#include <math.h>
#include <string.h>

enum { MACHINES = 6 };

static struct result result;

static struct comparison *blank(size_t machines)
{
	static const enum level levels[] = {LEVEL_RUN, LEVEL_ITERATION};
	result_init(&result);
	result.design.machines = arena_alloc(&result.arena, machines, sizeof(*result.design.machines));
	result.design.machine_count = machines;
	for (size_t i = 0; i < machines; i++)
		result.design.machines[i] = (struct machine_info){.id = arena_printf(&result.arena, "m%zu", i), .cpu = "x"};
	for (size_t s = 0; s < 2; s++)
		result_add_metric(&result, result_add_subject(&result, s ? "new" : "old"), "wall", "s", BETTER_LOWER, levels,
		                  2);
	struct comparison *c = result_add_comparison(&result);
	c->metric = "wall";
	c->new_ = 1;
	return c;
}

static struct machine_numbers machine(size_t number, double typical, double variance)
{
	return (struct machine_numbers){.machine = number,
	                                .typical = {typical, variance, 19},
	                                .total = {typical, variance, 19},
	                                .share = {0, 1e-8, 19},
	                                .units = 20,
	                                .pairs = 400};
}

/* R 4.2.2: t.test(c(0.021, 0.019, 0.0205, 0.0188, 0.0197, 0.0201)) at 0.99625: typical's three eighths of
 * alpha, which the pool is judged by. */
static void test_pool(void **state)
{
	(void)state;
	static const double x[] = {0.021, 0.019, 0.0205, 0.0188, 0.0197, 0.0201};
	struct machine_numbers numbers[MACHINES];
	struct analysis_options options;
	struct error err;
	struct comparison *c = blank(MACHINES);
	analysis_options_init(&options);
	for (size_t i = 0; i < MACHINES; i++)
		numbers[i] = machine(i, x[i], 1e-7);
	assert_int_equal(machines_conclude(&result, c, numbers, MACHINES, &options, &err), 0);
	assert_string_equal(c->machines->statement, "pool");
	assert_close(log(c->machines->pool.low), 0.0180676458545, 1e-9);
	assert_close(log(c->machines->pool.high), 0.0216323541455, 1e-9);
	assert_true(c->ci.low == c->machines->pool.low && c->ci.high == c->machines->pool.high);
	assert_int_equal(c->verdict, VERDICT_SLOWER);
	assert_string_equal(c->decided_by, "typical+total");
	assert_int_equal(c->units, MACHINES);
	assert_int_equal(c->pairs, 2400);
	assert_true(c->machines->odd == SIZE_MAX);
	result_release(&result);
}

/* Fewer than five machines speak of themselves; all of them equal, within the margin: the same. */
static void test_these(void **state)
{
	(void)state;
	struct machine_numbers numbers[3];
	struct analysis_options options;
	struct error err;
	struct comparison *c = blank(3);
	analysis_options_init(&options);
	for (size_t i = 0; i < 3; i++)
		numbers[i] = machine(i, 0, 1e-7);
	assert_int_equal(machines_conclude(&result, c, numbers, 3, &options, &err), 0);
	assert_string_equal(c->machines->statement, "these");
	assert_true(isnan(c->machines->pool.level));
	assert_true(c->machines->these.low == c->ci.low && c->machines->these.high == c->ci.high);
	assert_int_equal(c->verdict, VERDICT_SAME);
	assert_int_equal(c->scope, SCOPE_TOTAL);
	assert_true(c->p_same_total < 0.01);
	assert_int_equal(result.warning_count, 1);
	assert_string_equal(result.warnings[0].code, "few-machines");
	result_release(&result);
}

/* Two kinds of CPU, opposite changes, and one machine that is off. */
static void test_kinds(void **state)
{
	(void)state;
	static const double x[] = {0.01, 0.011, 0.0095, 0.06, -0.01, -0.0105, -0.0098, -0.0102, 0.0105, 0.0099};
	enum { COUNT = sizeof(x) / sizeof(x[0]) };
	struct machine_numbers numbers[COUNT];
	struct analysis_options options;
	struct error err;
	struct comparison *c = blank(COUNT);
	analysis_options_init(&options);
	for (size_t i = 0; i < COUNT; i++) {
		numbers[i] = machine(i, x[i], 1e-8);
		result.design.machines[i].cpu = i >= 4 && i < 8 ? "other" : "x";
	}
	assert_int_equal(machines_conclude(&result, c, numbers, COUNT, &options, &err), 0);
	assert_int_equal(c->machines->stratum_count, 2);
	assert_string_equal(c->machines->strata[1].name, "other");
	assert_int_equal(c->machines->strata[1].machines, 4);
	assert_close(log(c->machines->strata[1].ratio), -0.010125, 1e-9);
	assert_int_equal(c->machines->odd, 3);
	assert_true(c->machines->depends_p < 1e-6);
	assert_true(c->machines->without < c->ratio);
	result_release(&result);
}

/* 20 units around 0.01 and 40 around 0.04: as one sample of 60. */
static void test_join(void **state)
{
	(void)state;
	struct machine_numbers a = machine(0, 0.01, 4e-6), b = machine(0, 0.04, 1e-6);
	b.units = 40;
	machine_numbers_join(&a, &b, MEAN_ARITHMETIC);
	assert_close(a.typical.value, 0.03, 1e-12);
	assert_close(a.typical.variance, 4e-6 / 9 + 4 * 1e-6 / 9, 1e-12);
	assert_close(a.typical.df, 38, 1e-9); /* equal parts: Satterthwaite adds them */
	assert_int_equal(a.units, 60);
	assert_int_equal(a.pairs, 800);
}

/* Of 20 units and 40: 3 and 6, 10 and 5. */
static void test_means_join_by_their_kind(void **state)
{
	(void)state;
	static const double base[] = {[MEAN_ARITHMETIC] = 5, [MEAN_HARMONIC] = 4.5, [MEAN_GEOMETRIC] = 4.762203155904598};
	static const double new_[] = {
		[MEAN_ARITHMETIC] = 20 / 3.0, [MEAN_HARMONIC] = 6, [MEAN_GEOMETRIC] = 6.299605249474366};
	for (enum mean_kind kind = MEAN_ARITHMETIC; kind <= MEAN_GEOMETRIC; kind++) {
		struct machine_numbers a = machine(0, 0.01, 1e-6), b = machine(0, 0.01, 1e-6);
		b.units = 40;
		a.mean_base = 3, b.mean_base = 6;
		a.mean_new = 10, b.mean_new = 5;
		machine_numbers_join(&a, &b, kind);
		assert_close(a.mean_base, base[kind], 1e-12);
		assert_close(a.mean_new, new_[kind], 1e-12);
	}
}

static void test_one(void **state)
{
	(void)state;
	struct machine_numbers only = machine(0, 0.1, 1e-7);
	struct analysis_options options;
	struct error err;
	struct comparison *c = blank(1);
	analysis_options_init(&options);
	assert_int_equal(machines_conclude(&result, c, &only, 1, &options, &err), 0);
	assert_int_equal(c->verdict, VERDICT_UNDECIDED);
	assert_null(c->machines);
	result_release(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pool),
		cmocka_unit_test(test_these),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_join),
		cmocka_unit_test(test_means_join_by_their_kind),
		cmocka_unit_test(test_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
