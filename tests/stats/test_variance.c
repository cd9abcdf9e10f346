#include "stats/variance.h"

#include "base/memory.h"
#include "base/random.h"
#include "support/known.h"
#include "support/tree.h"

#include <math.h>
#include <stdlib.h>

static struct variance_components components_of(const struct tree *tree)
{
	struct variance_components found;
	assert_int_equal(variance_components(&tree->view, &found), STATS_OK);
	return found;
}

/* ---- answers from elsewhere ---- */

/* Level i of the file counts from the lowest; ours from the outermost. */
static double by_level(const json_t *object, unsigned level)
{
	char key[2] = {(char)('0' + level), 0};
	return known_number(object, key);
}

static void check_worked(const json_t *example)
{
	struct tree tree = tree_from_json(json_object_get(example, "data"));
	struct variance_components found = components_of(&tree);
	double mean;
	assert_true(found.balanced);
	for (unsigned k = 0; k < found.depth; k++) {
		const struct variance_level *level = &found.level[k];
		assert_close(level->count, json_number_value(json_array_get(json_object_get(example, "reps_high_to_low"), k)),
		             0);
		assert_close(level->s2, by_level(json_object_get(example, "S2"), found.depth - k), 1e-12);
		assert_close(level->t2, by_level(json_object_get(example, "T2"), found.depth - k), 1e-12);
	}
	assert_int_equal(nested_mean(&tree.view, &mean), STATS_OK);
	assert_close(mean, known_number(example, "grand_mean"), 1e-15);
	tree_release(&tree);
}

static void test_libkalibera(void **state)
{
	(void)state;
	json_t *known = known_load("libkalibera.json");
	check_worked(json_object_get(known, "worked_3_level"));
	check_worked(json_object_get(known, "worked_2_level"));
	check_worked(json_object_get(known, "optimal_reps"));
	/* The first printing's T² on the right instead of S² would give 6.4 at the top. */
	const json_t *wrong = json_object_get(known, "wrong_T2_of_first_published_version_on_worked_3_level");
	struct tree tree = tree_from_json(json_object_get(json_object_get(known, "worked_3_level"), "data"));
	struct variance_components found = components_of(&tree);
	assert_close(found.level[0].t2, known_number(wrong, "T3_right"), 1e-12);

	/* Its middle level is negative; without it the data are those of the 2-level example. */
	const json_t *pooled = json_object_get(json_object_get(known, "worked_2_level"), "T2");
	assert_true(found.level[1].kept == 0);
	assert_close(found.level[0].kept, by_level(pooled, 2), 1e-12);
	assert_close(found.level[2].kept, by_level(pooled, 1), 1e-12);
	tree_release(&tree);
	json_decref(known);
}

static void test_r(void **state)
{
	(void)state;
	json_t *known = known_load("variance.json"), *one;
	size_t i, n;
	json_array_foreach(json_object_get(known, "cases"), i, one)
	{
		struct tree tree = tree_from_json(json_object_get(one, "data"));
		struct variance_components found = components_of(&tree);
		double *t2 = known_array(json_object_get(one, "t2"), &n);
		double *lme4 = known_array(json_object_get(one, "lme4"), &n);
		const json_t *aov = json_object_get(one, "aov");
		double largest = 0;
		assert_int_equal(n, found.depth);
		assert_int_equal(found.balanced, json_is_true(json_object_get(one, "balanced")));
		for (unsigned k = 0; k < n; k++)
			largest = fmax(largest, lme4[k]);
		for (unsigned k = 0; k < n; k++) {
			/* The matrices of R lose digits to the mean of 100. */
			assert_close(found.level[k].t2, t2[k], 1e-10);
			assert_close(found.level[k].kept, t2[k], 1e-10);
			if (aov)
				assert_close(found.level[k].t2, json_number_value(json_array_get(aov, k)), 1e-9);
			/* REML agrees on balanced data up to its stopping rule; elsewhere it is another
			 * estimator of the same thing: a quarter of the largest sd apart at most. */
			if (found.balanced)
				assert_close(found.level[k].t2, lme4[k], 1e-4);
			else
				assert_true(fabs(sqrt(found.level[k].t2) - sqrt(lme4[k])) < 0.25 * sqrt(largest));
		}
		free(t2);
		free(lme4);
		tree_release(&tree);
	}
	assert_int_equal(i, 6);
	json_decref(known);
}

/* ---- what cannot be estimated ---- */

static struct tree parse_tree(const char *text)
{
	json_t *array = json_loads(text, 0, NULL);
	struct tree tree = tree_from_json(array);
	json_decref(array);
	return tree;
}

static void test_single_members(void **state)
{
	(void)state;
	/* A command's runs have one value each: all variance belongs to the runs. */
	struct tree tree = parse_tree("[[1], [2], [4]]");
	struct variance_components found = components_of(&tree);
	assert_close(found.level[0].t2, 7 / 3., 1e-15);
	assert_close(found.level[0].kept, 7 / 3., 1e-15);
	assert_true(isnan(found.level[1].t2) && isnan(found.level[1].s2) && isnan(found.level[1].kept));
	assert_true(found.level[1].df == 0);
	tree_release(&tree);

	/* One run per build: runs cannot be told from builds, iterations can. */
	tree = parse_tree("[[[1, 3]], [[6, 8]], [[2, 4]]]");
	found = components_of(&tree);
	assert_close(found.level[2].t2, 2, 1e-15);
	assert_true(isnan(found.level[1].t2));
	assert_close(found.level[0].t2, 7 - 1, 1e-14);
	tree_release(&tree);

	/* One build: only what is inside it. */
	tree = parse_tree("[[[1, 3], [6, 8], [2, 4]]]");
	found = components_of(&tree);
	assert_true(isnan(found.level[0].t2) && found.level[0].df == 0);
	assert_close(found.level[1].t2, 6, 1e-14);
	tree_release(&tree);

	tree = parse_tree("[3, 5, 10]");
	found = components_of(&tree);
	assert_close(found.level[0].t2, 13, 1e-14);
	tree_release(&tree);
}

static void test_edges(void **state)
{
	(void)state;
	struct variance_components found = {.depth = 99};
	struct tree tree = parse_tree("[[0.1, 0.1], [0.1, 0.1]]");
	assert_int_equal(variance_components(&tree.view, &found), STATS_OK);
	assert_true(found.level[0].t2 == 0 && found.level[1].t2 == 0 && found.level[0].kept == 0);
	found.depth = 99;
	tree.values[1] = NAN;
	assert_int_equal(variance_components(&tree.view, &found), STATS_NOT_FINITE);
	tree.values[1] = 1e200;
	assert_int_equal(variance_components(&tree.view, &found), STATS_NOT_DEFINED);
	tree.view.n = 0;
	assert_int_equal(variance_components(&tree.view, &found), STATS_EMPTY);
	tree_release(&tree);
	tree = parse_tree("[[7]]");
	assert_int_equal(variance_components(&tree.view, &found), STATS_TOO_FEW);
	assert_int_equal(found.depth, 99);
	tree_release(&tree);

	tree = parse_tree("[[[1, 2], [3, 5], [4]], [[6, 7]]]");
	int n = 1;
	for (;; n++) {
		mem_fail_at(n);
		enum stats_status status = variance_components(&tree.view, &found);
		if (!mem_failed())
			break;
		assert_int_equal(status, STATS_NO_MEMORY);
		assert_int_equal(found.depth, 99);
	}
	mem_fail_at(0);
	assert_true(n > 5);
	assert_int_equal(found.depth, 3);
	tree_release(&tree);
}

/* ---- intervals ---- */

/* Share of 2000 normal data sets whose 95 % interval of level k holds the true sd. */
static double coverage(const size_t *counts, const double *sd, unsigned k, uint64_t seed)
{
	enum { SETS = 2000 };
	struct tree tree = tree_balanced(3, counts);
	struct random random;
	int held = 0;
	random_seed(&random, seed);
	for (int set = 0; set < SETS; set++) {
		double *value = tree.values;
		for (size_t a = 0; a < counts[0]; a++) {
			double top = sd[0] * random_normal(&random);
			for (size_t b = 0; b < counts[1]; b++) {
				double run = top + sd[1] * random_normal(&random);
				for (size_t c = 0; c < counts[2]; c++)
					*value++ = 50 + run + sd[2] * random_normal(&random);
			}
		}
		struct variance_components found = components_of(&tree);
		struct interval limits;
		assert_int_equal(variance_sd_interval(&found, k, 0.95, &limits), STATS_OK);
		held += limits.low <= sd[k] && sd[k] <= limits.high;
	}
	tree_release(&tree);
	return (double)held / SETS;
}

static void test_interval_coverage(void **state)
{
	(void)state;
	const size_t counts[] = {6, 4, 5}, few[] = {4, 3, 2};
	const double shapes[][3] = {{2, 1, 1}, {0.3, 1, 1}, {1, 0.2, 3}};
	/* Simulation error 0.5 points at 95 %. The lowest level is exact; the limits of the others are
	 * stated by their authors to hold 95 % within about two points, mostly above. */
	for (unsigned i = 0; i < 3; i++) {
		for (unsigned k = 0; k < 3; k++) {
			double wide = coverage(counts, shapes[i], k, 10 * i + k), narrow = coverage(few, shapes[i], k, 20 * i + k);
			double slack = k == 2 ? 0.015 : 0.025;
			if (fabs(wide - 0.95) > slack || fabs(narrow - 0.95) > slack)
				fail_msg("shape %u level %u: %.3f %.3f", i, k, wide, narrow);
		}
	}
}

/* Share of 2000 data sets of 8 builds with 1 to 6 runs of 1 to 9 iterations whose 95 % interval of level k holds the
 * sd. */
static double unbalanced_coverage(const double *sd, unsigned k, uint64_t seed)
{
	enum { SETS = 2000 };
	static const uint32_t runs[] = {1, 6, 3, 2, 5, 4, 2, 6};
	static const uint32_t iterations[] = {4, 1, 9, 2, 5, 3, 8, 2, 2, 6, 7, 1, 3, 9, 4,
	                                      5, 2, 8, 6, 1, 3, 4, 7, 2, 5, 9, 3, 2, 6};
	static const size_t groups[] = {8, 29};
	static const uint32_t *const sizes[] = {runs, iterations};
	struct tree tree = tree_of_sizes(3, groups, sizes);
	struct random random;
	int held = 0;
	random_seed(&random, seed);
	for (int set = 0; set < SETS; set++) {
		double *value = tree.values;
		size_t run = 0;
		for (size_t a = 0; a < 8; a++) {
			double top = sd[0] * random_normal(&random);
			for (size_t b = 0; b < runs[a]; b++, run++) {
				double level = top + sd[1] * random_normal(&random);
				for (size_t c = 0; c < iterations[run]; c++)
					*value++ = 50 + level + sd[2] * random_normal(&random);
			}
		}
		struct variance_components found = components_of(&tree);
		struct interval limits;
		assert_int_equal(variance_sd_interval(&found, k, 0.95, &limits), STATS_OK);
		held += limits.low <= sd[k] && sd[k] <= limits.high;
	}
	tree_release(&tree);
	return (double)held / SETS;
}

/* Simulation error 0.5 points. */
static void test_unbalanced_coverage(void **state)
{
	(void)state;
	const double shapes[][3] = {{2, 1, 1}, {0.3, 1, 1}, {1, 0.2, 3}};
	for (unsigned i = 0; i < 3; i++)
		for (unsigned k = 0; k < 3; k++) {
			double share = unbalanced_coverage(shapes[i], k, 30 * i + k);
			if (share < 0.93 || share > 0.985)
				fail_msg("shape %u level %u: %.3f", i, k, share);
		}
}

static void test_interval_edges(void **state)
{
	(void)state;
	struct tree tree = parse_tree("[[1, 2, 4], [5, 5, 7]]");
	struct variance_components found = components_of(&tree);
	struct interval limits = {-1, -1};
	/* R: sqrt(4 * s2 / qchisq(c(0.975, 0.025), 4)), s2 = 1.8333333 */
	assert_int_equal(variance_sd_interval(&found, 1, 0.95, &limits), STATS_OK);
	assert_close(limits.low, 0.81123010530264339, 1e-9);
	assert_close(limits.high, 3.89081272151824908, 1e-9);
	limits = (struct interval){-1, -1};
	assert_int_equal(variance_sd_interval(&found, 2, 0.95, &limits), STATS_BAD_ARGUMENT);
	assert_int_equal(variance_sd_interval(&found, 0, 1, &limits), STATS_BAD_ARGUMENT);
	tree_release(&tree);
	tree = parse_tree("[[1, 2, 4], [5, 5]]");
	found = components_of(&tree);
	assert_close(found.level[1].count, 2.5, 1e-15);
	assert_close(found.level[1].harmonic, 2 / (1 / 3. + 1 / 2.), 1e-15);
	assert_int_equal(variance_sd_interval(&found, 0, 0.95, &limits), STATS_OK);
	assert_true(limits.low >= 0 && limits.low <= limits.high);
	assert_int_equal(variance_sd_interval(&found, 1, 0.95, &limits), STATS_OK);
	tree_release(&tree);
	tree = parse_tree("[[1], [5]]");
	found = components_of(&tree);
	assert_int_equal(variance_sd_interval(&found, 0, 0.95, &limits), STATS_TOO_FEW);
	assert_int_equal(variance_sd_interval(&found, 1, 0.95, &limits), STATS_TOO_FEW);
	tree_release(&tree);
}

/* The squares of these variances overflow or vanish; in another unit, here a power of two, the limits are the same. */
static void test_interval_in_any_unit(void **state)
{
	(void)state;
	static const uint32_t starts[] = {0, 3, 5, 9, 12};
	static const double x[] = {1, 2, 4, 7, 9, 3, 1, 2, 2, 8, 9, 12};
	static const int exponents[] = {-330, -200, 200, 330};
	for (size_t e = 0; e < 4; e++) {
		double scaled[12];
		for (size_t i = 0; i < 12; i++)
			scaled[i] = ldexp(x[i], exponents[e]);
		struct nested data = {.depth = 2, .n = 12, .values = x, .groups = {4}, .starts = {starts}}, other = data;
		struct variance_components found, of_other;
		other.values = scaled;
		assert_int_equal(variance_components(&data, &found), STATS_OK);
		assert_int_equal(variance_components(&other, &of_other), STATS_OK);
		for (unsigned k = 0; k < 2; k++) {
			struct interval limits, own;
			assert_int_equal(variance_sd_interval(&found, k, 0.95, &limits), STATS_OK);
			assert_int_equal(variance_sd_interval(&of_other, k, 0.95, &own), STATS_OK);
			assert_close(ldexp(own.low, -exponents[e]), limits.low, 1e-12);
			assert_close(ldexp(own.high, -exponents[e]), limits.high, 1e-12);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_libkalibera),       cmocka_unit_test(test_r),
		cmocka_unit_test(test_single_members),    cmocka_unit_test(test_edges),
		cmocka_unit_test(test_interval_coverage), cmocka_unit_test(test_unbalanced_coverage),
		cmocka_unit_test(test_interval_edges),    cmocka_unit_test(test_interval_in_any_unit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
