/* Recordings made by simulation with known variance: spreads, predicted widths, what is visible, false alarms. */
#include "analysis/recording.h"

#include "base/memory.h"
#include "base/random.h"
#include "decide/judge.h"
#include "design/outlook.h"
#include "stats/distribution.h"
#include "stats/proportion.h"
#include "stats/quantile.h"
#include "support/known.h"

#include <math.h>

/* Pairs with a common disturbance of 30 % and private noise: ln(new/base) is normal with sd `sd`. */
struct source {
	struct random random;
	double sd, shift, phi, slow; /* phi, slow: an autoregression of log ratios, sd of its steps */
	double state;
	unsigned i;
	unsigned char first;
};

static void draw(struct source *s, double *base, double *new_, unsigned char *order)
{
	double common = 0.3 * random_normal(&s->random);
	if (s->i++ % 2 == 0)
		s->first = (unsigned char)random_below(&s->random, 2);
	*order = s->i % 2 ? s->first : !s->first;
	s->state = s->phi * s->state + s->slow * random_normal(&s->random);
	*base = 0.002 * exp(common + s->sd * M_SQRT1_2 * random_normal(&s->random));
	*new_ = 0.002 * exp(common + s->shift + s->state + s->sd * M_SQRT1_2 * random_normal(&s->random));
}

static struct source source_of(uint64_t seed, double sd)
{
	struct source s = {.sd = sd};
	random_seed(&s.random, seed);
	return s;
}

static void record(struct recording *r, struct source *s, size_t slices, size_t pairs)
{
	double base, new_;
	unsigned char order;
	for (size_t i = 0; i < slices; i++) {
		assert_int_equal(recording_begin_slice(r, NULL), 0);
		for (size_t p = 0; p < pairs; p++) {
			draw(s, &base, &new_, &order);
			assert_int_equal(recording_add(r, base, new_, order, NULL), 0);
		}
	}
	r->seconds = 0.005 * (double)r->count;
}

/* A program's own number in steps of 0.01: the step is found, and with it an interval that is no shorter than it. */
static void steps_of_a_number_are_found_in_its_values(void **state)
{
	(void)state;
	struct recording r = {0};
	struct source s = source_of(5, 0.02);
	double base, new_;
	unsigned char order;
	assert_int_equal(recording_find_quantum(&r, NULL), 0);
	assert_close(r.quantum, 0, 0);
	assert_int_equal(recording_begin_slice(&r, NULL), 0);
	for (size_t p = 0; p < 400; p++) {
		draw(&s, &base, &new_, &order);
		assert_int_equal(recording_add(&r, round(5e4 * base) / 100, round(5e4 * new_) / 100, order, NULL), 0);
	}
	assert_int_equal(recording_find_quantum(&r, NULL), 0);
	assert_close(r.quantum, 0.01, 1e-9);
	recording_release(&r);
}

static double variance_of(const double *x, size_t n)
{
	double mean = 0, squares = 0;
	for (size_t i = 0; i < n; i++)
		mean += x[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += (x[i] - mean) * (x[i] - mean);
	return squares / (double)(n - 1);
}

/* The mean of two medians of k/2 normal values each, drawn anew: an independent answer, simulation error 1 %. */
static double sd_of_unit(double sd, size_t k)
{
	enum { UNITS = 5000 };
	static double units[UNITS];
	double half[32];
	struct random random;
	random_seed(&random, 99);
	for (size_t u = 0; u < UNITS; u++) {
		units[u] = 0;
		for (int stratum = 0; stratum < 2; stratum++) {
			for (size_t i = 0; i < k / 2; i++)
				half[i] = sd * random_normal(&random);
			units[u] += median_in_place(half, k / 2) / 2;
		}
	}
	return sqrt(variance_of(units, UNITS));
}

static void spreads_are_those_of_the_units(void **state)
{
	(void)state;
	struct recording r = {0};
	struct calibration_design d;
	struct source s = source_of(1, 0.02);
	calibration_design_init(&d, "turns");
	record(&r, &s, 100, 160);
	assert_int_equal(recording_spreads(&r, &d, NULL), 0);
	assert_int_equal(d.pairs, 16000);
	assert_close(d.pair_seconds, 0.005, 1e-15);
	/* 400 units and more: the sd of a sample sd is 3.5 % and less. */
	for (int i = 1; i < CALIBRATION_SPREADS; i++) {
		size_t k = d.spreads[i].block;
		assert_int_equal(d.spreads[i].units, 16000 / k);
		assert_close(d.spreads[i].sd / sd_of_unit(0.02, k), 1, 0.10);
		assert_true(d.spreads[i].lag1 < 0.15);
	}
	/* Single pairs: the total by Fieller, sd(b − a)/mean. The log-normal's own: e^{σ²}-like terms are below 1 % here
	 * but for the common factor, which weights the pairs: √E[c²]/E[c] = e^{0.045}. */
	assert_close(d.spreads[0].sd / (0.02 * exp(0.045)), 1, 0.03);
	assert_int_equal(d.spreads[0].units, 16000);
	recording_release(&r);
}

static void units_do_not_span_slices(void **state)
{
	(void)state;
	struct recording r = {0};
	struct calibration_design d;
	struct source s = source_of(2, 0.02);
	calibration_design_init(&d, "turns");
	record(&r, &s, 6, 50);
	assert_int_equal(recording_spreads(&r, &d, NULL), 0);
	assert_int_equal(d.spreads[3].units, 6);
	assert_int_equal(d.spreads[2].units, 12);
	assert_int_equal(recording_experiments(&r, 20), 12);
	assert_int_equal(recording_experiments(&r, 51), 0);
	/* Four units of 40 are too few. */
	r.slice_count = 4;
	r.count = 200;
	calibration_design_init(&d, "turns");
	assert_int_equal(recording_spreads(&r, &d, NULL), 0);
	assert_true(isnan(d.spreads[3].sd) && !isnan(d.spreads[2].sd));
	recording_release(&r);
}

/* A recording too short for units: the mean over 400 of them against units drawn anew. A median of 400 such guesses has
 * an error of 2 %; the MAD of few values is small by some per cent. */
static void few_pairs_still_tell_the_spread_of_units(void **state)
{
	(void)state;
	double sum = 0;
	struct source s = source_of(21, 0.02);
	for (int i = 0; i < 400; i++) {
		struct recording r = {0};
		struct calibration_design d;
		calibration_design_init(&d, "turns");
		record(&r, &s, 1, 39);
		for (size_t p = 0; p < r.count; p++)
			r.new_[p] *= r.order[p] ? 1.5 : 1; /* what the second place costs is no spread */
		assert_int_equal(recording_spreads(&r, &d, NULL), 0);
		assert_int_equal(d.spreads[1].units, 3);
		sum += d.spreads[1].sd / 400;
		assert_true(isnan(d.spreads[2].sd) && isnan(d.spreads[3].sd) &&
		            outlook_half_width(&d, 60, 0.01, OUTLOOK_FIXED) > 0);
		recording_release(&r);
	}
	assert_close(sum / sd_of_unit(0.02, 10), 1, 0.1);
	struct recording r = {0};
	struct calibration_design d;
	calibration_design_init(&d, "turns");
	record(&r, &s, 1, 9);
	assert_int_equal(recording_spreads(&r, &d, NULL), 0);
	assert_true(isnan(d.spreads[1].sd));
	recording_release(&r);
}

/* Half-width of one run of `units` units, as the analysis of a fixed run gives it. */
static double half_width_of_run(struct source *s, size_t block, size_t units)
{
	struct judge_options options = {.verdict = verdict_defaults(0.01), .block = block, .has_order = true};
	struct judge judge;
	struct verdict_numbers n;
	bool correlated;
	double base, new_;
	unsigned char order;
	options.verdict.rule = CRITICAL_FIXED;
	judge_init(&judge, &options);
	for (size_t i = 0; i < block * units; i++) {
		draw(s, &base, &new_, &order);
		assert_int_equal(judge_add(&judge, base, new_, order, NULL), 0);
	}
	assert_int_equal(judge_look(&judge, &n, &correlated), STATS_OK);
	judge_release(&judge);
	const struct verdict_part *part = n.typical.used ? &n.typical : &n.total;
	return log(part->interval.high / part->interval.low) / 2;
}

/* The prediction against the mean of 200 simulated runs (simulation error 1.5 %), without and with correlation. */
static void predicted_width_is_that_of_runs(void **state)
{
	(void)state;
	static const struct {
		double seconds, phi, slow;
		size_t block, units;
	} cases[] = {
		{10.015, 0, 0, 40, 50},                                                      /* 2000 pairs of 5 ms */
		{2.016, 0, 0, 32, 12},          {0.641, 0, 0, 10, 12}, {0.251, 0, 0, 47, 1}, /* 47 pairs: their total */
		{10.015, 0.998, 0.001, 40, 50},                                              /* a drift over some 500 pairs */
	};
	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
		struct recording r = {0};
		struct calibration_design d;
		struct source s = source_of(3 + c, 0.02);
		double sum = 0;
		s.phi = cases[c].phi;
		s.slow = cases[c].slow;
		calibration_design_init(&d, "turns");
		record(&r, &s, 100, 400);
		assert_int_equal(recording_spreads(&r, &d, NULL), 0);
		double predicted = log1p(outlook_half_width(&d, cases[c].seconds, 0.01, OUTLOOK_FIXED));
		for (int run = 0; run < 200; run++)
			sum += half_width_of_run(&s, cases[c].block, cases[c].units);
		assert_close(predicted / (sum / 200), 1, 0.08);
		recording_release(&r);
	}
}

/* A shift of what is said to be visible is found in nine of ten experiments with a look after every unit, half of it in
 * less than half of them. */
static void visible_changes_are_found(void **state)
{
	(void)state;
	enum { EXPERIMENTS = 300 };
	struct recording r = {0};
	struct calibration_design d;
	struct source s = source_of(11, 0.02);
	calibration_design_init(&d, "turns");
	record(&r, &s, 100, 400);
	assert_int_equal(recording_spreads(&r, &d, NULL), 0);
	recording_release(&r);
	double change = outlook_visible(&d, 10.015, 0.01);
	assert_true(change > 0.0005 && change < 0.02);
	s.shift = log1p(change);
	record(&r, &s, EXPERIMENTS, 2000);
	assert_int_equal(recording_alarms(&r, 40, 2000, 0.01, &d, NULL), 0);
	assert_int_equal(d.experiments, EXPERIMENTS);
	/* 0.9 less three simulation errors of 0.017; the total, tight without a tail, finds some that typical misses. */
	assert_true(d.alarms > 0.85 * EXPERIMENTS);
	recording_release(&r);
	s.shift = log1p(change) / 2;
	record(&r, &s, EXPERIMENTS, 2000);
	assert_int_equal(recording_alarms(&r, 40, 2000, 0.01, &d, NULL), 0);
	assert_true(d.alarms < 0.5 * EXPERIMENTS);
	recording_release(&r);
}

static void false_alarms_are_rare_and_counted(void **state)
{
	(void)state;
	struct recording r = {0};
	struct calibration_design d;
	struct interval rate;
	struct source s = source_of(12, 0.02);
	calibration_design_init(&d, "turns");
	record(&r, &s, 20, 1050);
	assert_int_equal(recording_alarms(&r, 10, 100, 0.01, &d, NULL), 0);
	assert_int_equal(d.experiments, 200);
	assert_true(d.alarms <= 4);
	assert_int_equal(proportion_clopper_pearson(d.alarms, 200, 0.95, &rate), STATS_OK);
	assert_close(d.alarm_low, rate.low, 0);
	assert_close(d.alarm_high, rate.high, 0);
	/* A machine that always favours one side is found out. */
	for (size_t i = 0; i < r.count; i++)
		r.new_[i] *= 1.1;
	assert_int_equal(recording_alarms(&r, 10, 100, 0.01, &d, NULL), 0);
	assert_int_equal(d.alarms, 200);
	/* Too few units for a firm look: one look at the end. */
	assert_int_equal(recording_alarms(&r, 10, 50, 0.01, &d, NULL), 0);
	assert_int_equal(d.experiments, 420);
	assert_true(d.alarms > 400); /* a chance correlation of five units widens by up to six times */
	/* Single pairs. */
	assert_int_equal(recording_alarms(&r, 1, 20, 0.01, &d, NULL), 0);
	assert_true(d.alarms > 1000);
	recording_release(&r);
}

static void empty_and_odd(void **state)
{
	(void)state;
	struct recording r = {0};
	struct calibration_design d;
	calibration_design_init(&d, "turns");
	assert_int_equal(recording_spreads(&r, &d, NULL), 0);
	assert_true(isnan(d.pair_seconds) && isnan(d.spreads[0].sd) && d.pairs == 0);
	assert_int_equal(recording_alarms(&r, 10, 100, 0.01, &d, NULL), 0);
	assert_true(d.experiments == 0 && isnan(d.alarm_low));
	assert_true(isnan(recording_median(&r)));
	/* Lost pairs and constant values. */
	assert_int_equal(recording_begin_slice(&r, NULL), 0);
	for (int i = 0; i < 100; i++)
		assert_int_equal(recording_add(&r, i == 7 ? NAN : 2, 2, i % 2 ? 1 : 0, NULL), 0);
	r.seconds = 1;
	assert_int_equal(recording_spreads(&r, &d, NULL), 0);
	assert_close(d.spreads[1].sd, 0, 0);
	assert_close(recording_median(&r), 2, 0);
	assert_close(outlook_half_width(&d, 10, 0.01, OUTLOOK_FIXED), 0, 0);
	recording_release(&r);
	for (long n = 1; n < 6; n++) {
		struct error err;
		mem_fail_at(n);
		int status = recording_begin_slice(&r, &err);
		if (status == 0)
			status = recording_add(&r, 1, 1, 0, &err);
		assert_true((status != 0) == (mem_failed() != 0));
		mem_fail_at(0);
		recording_release(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_of_a_number_are_found_in_its_values),
		cmocka_unit_test(spreads_are_those_of_the_units),
		cmocka_unit_test(units_do_not_span_slices),
		cmocka_unit_test(few_pairs_still_tell_the_spread_of_units),
		cmocka_unit_test(predicted_width_is_that_of_runs),
		cmocka_unit_test(visible_changes_are_found),
		cmocka_unit_test(false_alarms_are_rare_and_counted),
		cmocka_unit_test(empty_and_odd),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
