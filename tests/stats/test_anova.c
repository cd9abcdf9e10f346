#include "stats/anova.h"

#include "support/known.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct set {
	double *values;
	uint32_t starts[16];
	size_t groups;
};

/* A value of SmLs as NIST prints it, so that it becomes the double nearest to the decimal number. */
static double decimal(const char *offset, int tenths)
{
	char text[64];
	snprintf(text, sizeof(text), "%lld.%d", atoll(offset) + tenths / 10, tenths % 10);
	return strtod(text, NULL);
}

static struct set generate(const json_t *rule)
{
	const json_t *first = json_object_get(rule, "first_tenths");
	const char *offset = json_string_value(json_object_get(rule, "offset"));
	size_t replicates = (size_t)known_number(rule, "replicates");
	struct set set = {.groups = json_array_size(first)};
	set.values = malloc(set.groups * replicates * sizeof(*set.values));
	for (size_t g = 0; g < set.groups; g++) {
		int tenths = (int)json_integer_value(json_array_get(first, g));
		for (size_t i = 0; i < replicates; i++)
			set.values[g * replicates + i] = decimal(offset, tenths + (i == 0 ? 0 : i % 2 ? -1 : 1));
		set.starts[g + 1] = (uint32_t)((g + 1) * replicates);
	}
	return set;
}

static struct set copy_groups(const json_t *groups)
{
	struct set set = {.groups = json_array_size(groups)};
	size_t n;
	set.values = known_array(groups, &n);
	for (size_t g = 0; g < set.groups; g++)
		set.starts[g + 1] = set.starts[g] + (uint32_t)json_array_size(json_array_get(groups, g));
	return set;
}

/* F must be the exact one of these doubles to 1e-12, never farther from it than R's. The certified values belong to
 * the decimal numbers: 9 digits where the doubles keep them, else as near as the exact F of the doubles is. */
static void check(const char *name, const json_t *entry, const struct anova *anova)
{
	const json_t *certified = json_object_get(entry, "certified");
	double exact = known_number(entry, "exact_f_of_doubles"), r = known_number(entry, "r_aov_f"),
		   f = known_number(certified, "f");
	assert_close(anova->f, exact, 1e-12);
	assert_true(fabs(anova->f - exact) <= fmax(fabs(r - exact), 1e-12 * exact));
	double lost = 1.01 * fabs(exact / f - 1);
	assert_close(anova->f, f, fmax(1e-9, lost));
	assert_true(anova->between_df == known_number(certified, "between_df") &&
	            anova->within_df == known_number(certified, "within_df"));
	assert_close(anova->r_squared, known_number(certified, "r_squared"), fmax(1e-9, lost));
	/* The squares themselves lose as much as a value's last digit is of the spread of 0.1. */
	bool many_digits = strcmp(name, "SmLs07") >= 0 && strcmp(name, "SmLs09") <= 0;
	double tolerance = many_digits ? 0.002 : 1e-8;
	assert_close(anova->between_squares, known_number(certified, "between_squares"), tolerance);
	assert_close(anova->within_squares, known_number(certified, "within_squares"), tolerance);
	assert_close(anova->residual_sd, known_number(certified, "residual_sd"), tolerance);
}

static void test_nist(void **state)
{
	(void)state;
	json_t *known = known_load("nist.json"), *entry;
	const char *name;
	size_t sets = 0;
	json_object_foreach(json_object_get(known, "anova"), name, entry)
	{
		const json_t *rule = json_object_get(entry, "rule");
		struct set set = rule ? generate(rule) : copy_groups(json_object_get(entry, "groups"));
		struct anova anova;
		assert_int_equal(anova_one_way(set.values, set.starts, set.groups, &anova), STATS_OK);
		check(name, entry, &anova);
		free(set.values);
		sets++;
	}
	assert_int_equal(sets, 11);
	json_decref(known);
}

/* Two groups: F is the square of the pooled t, and p that of its two-sided test. R: t.test(a, b, var.equal = TRUE)
 * for a = 1, 2, 4 and b = 5, 7, 7, 9: t = −3.83885948, p = 0.01213775662. */
static void test_two_groups(void **state)
{
	(void)state;
	double x[] = {1, 2, 4, 5, 7, 7, 9};
	const uint32_t starts[] = {0, 3, 7};
	struct anova anova;
	assert_int_equal(anova_one_way(x, starts, 2, &anova), STATS_OK);
	double ma = 7 / 3., within = (1 - ma) * (1 - ma) + (2 - ma) * (2 - ma) + (4 - ma) * (4 - ma) + 8;
	assert_close(anova.within_squares, within, 1e-14);
	assert_close(anova.f, 3.83885948 * 3.83885948, 1e-8);
	assert_close(anova.p, 0.01213775662, 1e-9);
	assert_close(anova.f, (7 - ma) * (7 - ma) / (1 / 3. + 1 / 4.) / (within / 5), 1e-13);
}

static void test_edges(void **state)
{
	(void)state;
	double x[] = {1, 1, 1, 2, 2, NAN, 5e200, -5e200};
	struct anova anova = {.f = 7};
	assert_int_equal(anova_one_way(x, (const uint32_t[]){0}, 0, &anova), STATS_EMPTY);
	assert_int_equal(anova_one_way(x, (const uint32_t[]){0, 3}, 1, &anova), STATS_TOO_FEW);
	assert_int_equal(anova_one_way(x, (const uint32_t[]){0, 1, 2}, 2, &anova), STATS_TOO_FEW);
	assert_int_equal(anova_one_way(x, (const uint32_t[]){0, 3, 3}, 2, &anova), STATS_BAD_ARGUMENT);
	assert_int_equal(anova_one_way(x, (const uint32_t[]){0, 1, 3}, 2, &anova), STATS_CONSTANT);
	assert_int_equal(anova_one_way(x, (const uint32_t[]){0, 3, 6}, 2, &anova), STATS_NOT_FINITE);
	assert_int_equal(anova_one_way(x, (const uint32_t[]){6, 7, 8}, 2, &anova), STATS_TOO_FEW);
	assert_true(anova.f == 7);
	assert_int_equal(anova_one_way(x, (const uint32_t[]){0, 3, 5}, 2, &anova), STATS_OK);
	assert_true(isinf(anova.f) && anova.p == 0 && anova.r_squared == 1 && anova.residual_sd == 0);
	assert_int_equal(anova_one_way(x, (const uint32_t[]){1, 4, 5}, 2, &anova), STATS_OK); /* need not begin at 0 */
	assert_true(anova.f > 0 && isfinite(anova.f));
}

int main(void)
{
	gsl_set_error_handler_off();
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_nist), cmocka_unit_test(test_two_groups),
	                                   cmocka_unit_test(test_edges)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
