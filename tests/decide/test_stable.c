#include "decide/stable.h"

#include "base/memory.h"
#include "base/random.h"
#include "stats/criteria.h"
#include "stats/criteria_data.h"
#include "stats/kld.h"
#include "support/known.h"

#include <math.h>
#include <string.h>

static struct stable_options options_of(const char *rule)
{
	struct stable_options options;
	struct error err;
	stable_options_init(&options);
	assert_int_equal(stable_options_parse(&options, rule, &err), 0);
	return options;
}

static void test_options(void **state)
{
	(void)state;
	struct stable_options o = options_of("cv");
	assert_true(o.uses[CRITERION_CV] && !o.uses[CRITERION_RCIW] && !o.uses[CRITERION_KLD]);
	assert_int_equal(o.window, 5);
	assert_int_equal(stable_first_look(&o), 5);
	assert_int_equal(o.max_warmup, 50);
	assert_int_equal(o.iterations, 10);
	assert_int_equal(o.min_runs, 2);
	assert_int_equal(o.max_runs, 5);
	assert_int_equal(o.warmup_runs, 0);
	assert_int_equal(o.most_values, 1000);
	o = options_of("kld+rciw@0.05");
	assert_int_equal(stable_first_look(&o), 6);
	assert_true(o.uses[CRITERION_RCIW] && o.uses[CRITERION_KLD] && !o.uses[CRITERION_CV]);
	assert_close(o.threshold[CRITERION_RCIW], 0.05, 0);
	o.min_warmup = 8;
	assert_int_equal(stable_first_look(&o), 8);

	static const char *const wrong[] = {"",     "cov",  "cv+",   "+cv",    "cv+cv", "cv@",   "cv@x",
	                                    "cv@0", "cv@1", "cv@-1", "cv@nan", "CV",    "cv,kld"};
	struct error err;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct stable_options before = o;
		if (stable_options_parse(&o, wrong[i], &err) == 0)
			fail_msg("'%s' was taken", wrong[i]);
		assert_int_equal(err.kind, ERROR_USAGE);
		assert_memory_equal(&before, &o, sizeof(o));
	}
}

enum { RUNS = 5, ITERATIONS = 60, VALUES = 40 };

static double data[RUNS][ITERATIONS][VALUES];

static void make_data(uint64_t seed, double warm, double run_sd)
{
	struct random random;
	random_seed(&random, seed);
	for (int r = 0; r < RUNS; r++) {
		double level = 1 + run_sd * random_normal(&random);
		for (int i = 0; i < ITERATIONS; i++)
			for (int j = 0; j < VALUES; j++)
				data[r][i][j] = level * (1 + warm * exp(-i / 4.)) * (1 + 0.02 * random_normal(&random));
	}
}

/* What the paper's algorithm does, written down naively for CV and KLD: every value afresh from all data. */
static double naive(enum stop_criterion criterion, const double *all, size_t before, size_t n)
{
	double cv = NAN;
	struct kld kld;
	if (criterion == CRITERION_CV)
		return criteria_cv(all, n, &cv) == STATS_OK ? cv : NAN;
	return before > 0 && kld_similarity(all, before, all, n, &kld) == STATS_OK ? kld.probability : NAN;
}

static void naive_stop(enum stop_criterion criterion, size_t *runs, size_t warmups[RUNS])
{
	static double all[RUNS * ITERATIONS * VALUES], measured[RUNS * ITERATIONS * VALUES];
	double values[ITERATIONS], between[RUNS];
	size_t kept = 0;
	for (*runs = 0; *runs < RUNS;) {
		size_t r = (*runs)++, i, before = kept;
		for (i = 0; i < 50; i++) {
			memcpy(all + i * VALUES, data[r][i], sizeof(data[r][i]));
			values[i] = naive(criterion, all, i * VALUES, (i + 1) * VALUES);
			if (i + 1 >= 5 && stop_warmup(criterion, STOP_PUBLISHED, stop_threshold(criterion), 5, values, i + 1)) {
				i++;
				break;
			}
		}
		warmups[r] = i;
		for (size_t k = 0; k < 10; k++, kept += VALUES)
			memcpy(measured + kept, data[r][i + k], sizeof(data[r][i]));
		between[r] = naive(criterion, measured, before, kept);
		if (r + 1 >= 2 && stop_runs(criterion, STOP_PUBLISHED, stop_threshold(criterion), between, r + 1))
			return;
	}
}

static void test_algorithm(void **state)
{
	(void)state;
	static const struct {
		double warm, run_sd;
	} cases[] = {{0.5, 0.002}, {0.1, 0.05}, {0, 0}, {2, 0.2}};
	size_t several = 0;
	for (size_t k = 0; k < 4; k++) {
		make_data(20 + k, cases[k].warm, cases[k].run_sd);
		for (int c = CRITERION_CV; c <= CRITERION_KLD; c += 2) {
			struct stable_options options = options_of(stop_criterion_name((enum stop_criterion)c));
			struct stable *stable = stable_new(&options);
			struct error err;
			size_t runs, warmups[RUNS], r = 0;
			bool enough = false;
			naive_stop((enum stop_criterion)c, &runs, warmups);
			for (; r < RUNS && !enough; r++) {
				bool warm = false;
				size_t i = 0;
				stable_begin_run(stable);
				for (; i < 50 && !warm; i++)
					assert_int_equal(stable_add_warmup(stable, data[r][i], NULL, VALUES, &warm, &err), 0);
				assert_int_equal(i, warmups[r]);
				for (size_t m = 0; m < 10; m++)
					assert_int_equal(stable_add_measured(stable, data[r][i + m], NULL, VALUES, &err), 0);
				assert_int_equal(stable_end_run(stable, &enough, &err), 0);
			}
			assert_int_equal(r, runs);
			several += runs > 2;
			assert_true(isfinite(stable_value(stable, (enum stop_criterion)c, true)));
			assert_true(isnan(stable_value(stable, CRITERION_RCIW, true)));
			stable_free(stable);
		}
	}
	assert_true(several >= 2);
}

/* Both must hold: never earlier than either alone. */
static void test_joined(void **state)
{
	(void)state;
	size_t ends[3];
	static const char *const rules[] = {"rciw", "kld", "rciw+kld"};
	make_data(9, 0.05, 0);
	for (int k = 0; k < 3; k++) {
		struct stable_options options = options_of(rules[k]);
		struct stable *stable = stable_new(&options);
		struct error err;
		bool warm = false;
		stable_begin_run(stable);
		for (ends[k] = 0; ends[k] < ITERATIONS && !warm; ends[k]++)
			assert_int_equal(stable_add_warmup(stable, data[0][ends[k]], NULL, VALUES, &warm, &err), 0);
		stable_free(stable);
	}
	assert_true(ends[2] >= ends[0] && ends[2] >= ends[1] && ends[2] < ITERATIONS);
}

/* More values than are looked at, with counts, outliers and iterations that tell nothing. */
static void test_values(void **state)
{
	(void)state;
	struct stable_options options = options_of("cv");
	options.most_values = 10;
	struct stable *stable = stable_new(&options);
	struct error err;
	bool warm;
	double values[] = {1, 1.1, 0.9, 1000, 1.05}, bad[] = {NAN, 1}, zero[] = {0, 0, 0};
	const uint64_t counts[] = {1000, 2000, 500, 1, 3};
	stable_begin_run(stable);
	assert_int_equal(stable_add_warmup(stable, bad, NULL, 2, &warm, &err), 0);
	assert_int_equal(stable_add_warmup(stable, zero, NULL, 3, &warm, &err), 0);
	assert_int_equal(stable_add_warmup(stable, values, NULL, 0, &warm, &err), 0);
	assert_true(isnan(stable_value(stable, CRITERION_CV, false)));
	assert_int_equal(stable_add_warmup(stable, values, counts, 5, &warm, &err), 0);
	double cv = stable_value(stable, CRITERION_CV, false);
	assert_true(cv > 0 && cv < 0.15); /* the 1000 is no part of it */
	assert_int_equal(stable_add_measured(stable, values, counts, 5, &err), 0);
	bool enough;
	assert_int_equal(stable_end_run(stable, &enough, &err), 0);
	assert_false(enough);
	stable_begin_run(stable);
	assert_int_equal(stable_end_run(stable, &enough, &err), 0);
	assert_false(enough);
	stable_free(stable);
	stable_free(NULL);
}

static void test_no_memory(void **state)
{
	(void)state;
	make_data(1, 0.1, 0.1);
	struct stable_options options = options_of("cv+rciw+kld");
	long failed = 0;
	for (long nth = 1; nth < 400; nth++) {
		struct error err;
		bool warm = false, enough;
		mem_fail_at(nth);
		struct stable *stable = stable_new(&options);
		int status = stable ? 0 : -1;
		if (stable) {
			stable_begin_run(stable);
			for (int i = 0; i < 3 && status == 0; i++)
				status = stable_add_warmup(stable, data[0][i], NULL, VALUES, &warm, &err);
			for (int i = 3; i < 5 && status == 0; i++)
				status = stable_add_measured(stable, data[0][i], NULL, VALUES, &err);
			if (status == 0)
				status = stable_end_run(stable, &enough, &err);
		}
		bool hit = mem_failed();
		mem_fail_at(0);
		stable_free(stable);
		if (!hit)
			break;
		assert_int_equal(status, -1);
		failed++;
	}
	assert_true(failed > 20 && failed < 399);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_options), cmocka_unit_test(test_algorithm), cmocka_unit_test(test_joined),
		cmocka_unit_test(test_values),  cmocka_unit_test(test_no_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
