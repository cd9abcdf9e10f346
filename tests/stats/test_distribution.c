#include "stats/distribution.h"

#include "support/known.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>

static json_t *known;

/* One table of classical.json: up to three argument columns and `value`. */
struct table {
	size_t n;
	double *column[4];
};

static struct table read_table(const char *name, const char *const *columns, size_t count)
{
	struct table table = {0};
	const json_t *object = json_object_get(known, name);
	for (size_t i = 0; i < count; i++)
		table.column[i] = known_array(json_object_get(object, columns[i]), &table.n);
	assert_true(table.n > 5);
	return table;
}

static void free_table(struct table *table)
{
	for (size_t i = 0; i < 4; i++)
		free(table->column[i]);
}

static void test_normal(void **state)
{
	(void)state;
	struct table quantiles = read_table("normal", (const char *const[]){"p", "quantile"}, 2);
	for (size_t i = 0; i < quantiles.n; i++)
		assert_close(normal_quantile(quantiles.column[0][i]), quantiles.column[1][i], 1e-13);
	struct table cdf = read_table("normal", (const char *const[]){"x", "cdf"}, 2);
	for (size_t i = 0; i < cdf.n; i++)
		assert_close(normal_cdf(cdf.column[0][i]), cdf.column[1][i], 1e-13);
	free_table(&quantiles);
	free_table(&cdf);
	assert_true(isinf(normal_quantile(0)) && isinf(normal_quantile(1)) && normal_quantile(0) < 0);
	assert_true(isnan(normal_quantile(-1)) && isnan(normal_quantile(1.1)) && isnan(normal_cdf(NAN)));
	assert_true(normal_cdf(INFINITY) == 1 && normal_cdf(-INFINITY) == 0 && normal_quantile(0.5) == 0);
	assert_close(normal_quantile(1 - 1e-12), -normal_quantile(1 - (1 - 1e-12)), 1e-14);
}

static void test_t(void **state)
{
	(void)state;
	struct table quantiles = read_table("t_quantile", (const char *const[]){"p", "df", "value"}, 3);
	for (size_t i = 0; i < quantiles.n; i++)
		assert_close(t_quantile(quantiles.column[0][i], quantiles.column[1][i]), quantiles.column[2][i], 1e-12);
	struct table cdf = read_table("t_cdf", (const char *const[]){"x", "df", "value"}, 3);
	for (size_t i = 0; i < cdf.n; i++)
		assert_close(t_cdf(cdf.column[0][i], cdf.column[1][i]), cdf.column[2][i],
		             cdf.column[2][i] > 1e-30 ? 1e-12 : 1e-10);
	free_table(&quantiles);
	free_table(&cdf);

	assert_true(t_quantile(0.5, 3) == 0 && isinf(t_quantile(1, 3)) && t_quantile(0, 3) == -INFINITY);
	assert_true(t_quantile(0.975, INFINITY) == normal_quantile(0.975) && t_cdf(1, INFINITY) == normal_cdf(1));
	assert_true(isnan(t_quantile(0.9, 0)) && isnan(t_quantile(0.9, -1)) && isnan(t_quantile(0.9, NAN)));
	assert_true(isnan(t_quantile(NAN, 3)) && isnan(t_quantile(1.5, 3)) && isnan(t_cdf(NAN, 3)) && isnan(t_cdf(1, 0)));
	assert_true(t_cdf(INFINITY, 3) == 1 && t_cdf(-INFINITY, 3) == 0);
	/* There and back, where no table has been. */
	for (double df = 0.7; df < 1e5; df *= 1.9)
		for (double tail = 1e-15; tail < 0.5; tail *= 3)
			assert_close(t_cdf(t_quantile(tail, df), df), tail, 1e-11);
}

static void test_tails(void **state)
{
	(void)state;
	struct table f = read_table("f_upper", (const char *const[]){"f", "df1", "df2", "value"}, 4);
	for (size_t i = 0; i < f.n; i++)
		assert_close(f_upper_tail(f.column[0][i], f.column[1][i], f.column[2][i]), f.column[3][i], 1e-11);
	struct table chi2 = read_table("chi2_upper", (const char *const[]){"x", "df", "value"}, 3);
	for (size_t i = 0; i < chi2.n; i++)
		assert_close(chi2_upper_tail(chi2.column[0][i], chi2.column[1][i]), chi2.column[2][i], 1e-11);
	free_table(&f);
	free_table(&chi2);
	assert_true(f_upper_tail(0, 1, 2) == 1 && f_upper_tail(-1, 1, 2) == 1 && f_upper_tail(INFINITY, 1, 2) == 0);
	assert_true(isnan(f_upper_tail(NAN, 1, 2)) && isnan(f_upper_tail(1, 0, 2)) && isnan(f_upper_tail(1, 1, -2)));
	assert_true(chi2_upper_tail(0, 1) == 1 && chi2_upper_tail(-3, 1) == 1 && chi2_upper_tail(INFINITY, 1) == 0);
	assert_true(isnan(chi2_upper_tail(NAN, 1)) && isnan(chi2_upper_tail(1, 0)));
}

static void test_beta(void **state)
{
	(void)state;
	struct table beta = read_table("beta_quantile", (const char *const[]){"p", "a", "b", "value"}, 4);
	for (size_t i = 0; i < beta.n; i++)
		assert_close(beta_quantile(beta.column[0][i], beta.column[1][i], beta.column[2][i]), beta.column[3][i], 1e-11);
	free_table(&beta);
	assert_true(beta_quantile(0, 2, 3) == 0 && beta_quantile(1, 2, 3) == 1);
	assert_true(isnan(beta_quantile(-0.1, 1, 1)) && isnan(beta_quantile(0.5, 0, 1)) &&
	            isnan(beta_quantile(0.5, 1, NAN)));
	/* The beta distribution with a = 1 has a closed form. */
	for (double p = 1e-12; p < 1; p *= 7)
		assert_close(beta_quantile(p, 1, 25), -expm1(log1p(-p) / 25), 1e-12);
}

int main(void)
{
	gsl_set_error_handler_off();
	known = known_load("classical.json");
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_normal), cmocka_unit_test(test_t),
	                                   cmocka_unit_test(test_tails), cmocka_unit_test(test_beta)};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	json_decref(known);
	return failed;
}
