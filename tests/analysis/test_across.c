#include "analysis/across.h"

#include "exchange/pair_names.h"
#include "support/imports.h"

#include <math.h>
#include <string.h>

/* Two tables as `tare compare` reads them: the subjects of the second behind those of the first. */
static size_t read_both(struct result *out, const char *old, const char *new_text, const char *columns)
{
	struct pair_names names = {0};
	struct import_options options = {.columns = columns, .pair_names = &names};
	struct result new_;
	struct error err;
	result_init(out);
	result_init(&new_);
	assert_int_equal(import_memory(old, strlen(old), "old", &options, out, &err), 0);
	assert_int_equal(import_memory(new_text, strlen(new_text), "new", &options, &new_, &err), 0);
	size_t old_count = out->subject_count;
	struct design_info design = out->design;
	assert_int_equal(result_adopt(out, &new_), 0);
	out->design.order = design.order;
	out->design.order_count = design.order_count;
	pair_names_release(&names);
	return old_count;
}

/* The subjects in their order are the couples. */
static int across(struct result *result, size_t count, uint32_t *twice)
{
	struct couple couples[8];
	struct error err;
	for (size_t i = 0; i < count; i++)
		couples[i] = (struct couple){.base = i, .new_ = count + i};
	int status = analyse_across(result, couples, count, twice, &err);
	assert_true(status == 0 || err.kind == ERROR_INPUT);
	return status;
}

static const char *values(const struct result *result, size_t subject)
{
	return series_text(&result->subjects[subject].metrics[0].series);
}

static void check(const char *old, const char *new_, const char *columns, const char *old_values,
                  const char *new_values, bool paired)
{
	struct result r;
	uint32_t twice;
	assert_int_equal(read_both(&r, old, new_, columns), 1);
	assert_int_equal(across(&r, 1, &twice), 0);
	assert_string_equal(values(&r, 0), old_values);
	assert_string_equal(values(&r, 1), new_values);
	assert_int_equal(r.design.paired, paired);
	assert_int_equal(r.subjects[0].metrics[0].pair_set == r.subjects[1].metrics[0].pair_set, paired);
	result_release(&r);
}

static void test_keys(void **state)
{
	(void)state;
	/* Numbers and words, in any order; the names of runs and machines are those of both files. */
	check("pair,value\n1,10\n2,11\n3,12\n", "pair,value\n3,22\n2,21\n1,20\n", NULL, "[[10],[11],[12]]",
	      "[[20],[21],[22]]", true);
	check("pair,value\nmon,10\ntue,11\n", "pair,value\nwed,29\ntue,21\nmon,20\n", NULL, "[[10],[11]]", "[[20],[21]]",
	      true);
	check("machine,run,pair,value\nx,1,1,10\nx,1,2,11\ny,1,1,12\n",
	      "machine,run,pair,value\ny,1,1,22\nx,1,1,20\nx,1,2,21\n", NULL, "[[[10,11]],[[12]]]", "[[[20,21]],[[22]]]",
	      true);
	/* A key that one file alone has. */
	check("pair,value\n1,10\n2,11\n", "pair,value\n2,21\n5,25\n", NULL, "[[11]]", "[[21]]", true);
	/* A column by another name. */
	check("round,value\n1,10\n2,11\n", "round,value\n2,21\n1,20\n", "pair=round,value=value", "[[10],[11]]",
	      "[[20],[21]]", true);
}

static void test_no_keys(void **state)
{
	(void)state;
	/* Equal places and equal numbers of rows are no pairs. */
	check("run,value\n1,10\n2,11\n", "run,value\n1,20\n2,21\n", NULL, "[[10],[11]]", "[[20],[21]]", false);
	check("value\n10\n11\n", "pair,value\n1,20\n2,21\n", NULL, "[[10],[11]]", "[[20],[21]]", false);
	check("pair,value\n1,10\n2,11\n", "pair,value\n1,20\n2,21\n", "pair=", "[[10],[11]]", "[[20],[21]]", false);
	/* None in common. */
	check("pair,value\n1,10\n2,11\n", "pair,value\n3,20\n4,21\n", NULL, "[[10],[11]]", "[[20],[21]]", false);
}

/* What is paired inside its own file is not paired with another one's, unless that is asked for. */
static void test_pairs_inside_a_file(void **state)
{
	(void)state;
	const char *old = "subject,pair,value\na,1,1\nb,1,2\na,2,3\nb,2,4\n",
			   *new_ = "subject,pair,value\nb,2,8\na,2,7\na,1,5\nb,1,6\n";
	struct result r;
	uint32_t twice;
	assert_int_equal(read_both(&r, old, new_, NULL), 2);
	assert_int_equal(across(&r, 2, &twice), 0);
	assert_false(r.design.paired);
	result_release(&r);
	assert_int_equal(read_both(&r, old, new_, "pair=pair"), 2);
	assert_int_equal(across(&r, 2, &twice), 0);
	assert_true(r.design.paired);
	assert_string_equal(values(&r, 0), "[[1],[3]]");
	assert_string_equal(values(&r, 2), "[[5],[7]]");
	result_release(&r);
	/* Benchmarks are no alternatives to each other: their partners are in the other file. */
	assert_int_equal(read_both(&r, "benchmark,pair,value\na,1,1\nb,1,2\na,2,3\n",
	                           "benchmark,pair,value\na,2,7\nb,9,8\na,1,5\n", NULL),
	                 2);
	assert_int_equal(across(&r, 2, &twice), 0);
	assert_true(r.design.paired);
	assert_string_equal(values(&r, 0), "[[1],[3]]");
	assert_string_equal(values(&r, 2), "[[5],[7]]");
	result_release(&r);
}

static void test_one_couple_has_pairs(void **state)
{
	(void)state;
	struct result r;
	uint32_t twice;
	assert_int_equal(read_both(&r, "benchmark,pair,value\na,1,1\nb,1,2\na,2,3\nb,2,4\n",
	                           "benchmark,pair,value\na,1,5\nb,8,6\na,2,7\nb,9,8\n", NULL),
	                 2);
	assert_int_equal(across(&r, 2, &twice), 0);
	assert_true(r.design.paired);
	/* b has as many values on both sides, and they are no pairs. */
	assert_true(r.subjects[0].metrics[0].pair_set == r.subjects[2].metrics[0].pair_set);
	assert_true(r.subjects[1].metrics[0].pair_set != r.subjects[3].metrics[0].pair_set);
	assert_true(has_warning(&r, "pairs", "b: the two files have no pair in common"));
	struct analysis_options options;
	struct couple couples[] = {{.base = 0, .new_ = 2}, {.base = 1, .new_ = 3}};
	struct error err;
	analysis_options_init(&options);
	assert_int_equal(analyse_subjects(&r, &options, &err), 0);
	assert_int_equal(analyse_couples(&r, couples, 2, &options, &err), 0);
	assert_int_equal(r.comparisons[0].pairs, 2);
	assert_int_equal(r.comparisons[1].pairs, 0);
	result_release(&r);
}

static void test_order(void **state)
{
	(void)state;
	struct result r;
	uint32_t twice;
	read_both(&r, "pair,order,value\n1,AB,10\n2,BA,11\n3,AB,12\n", "pair,order,value\n3,AB,22\n2,BA,21\n", NULL);
	assert_int_equal(across(&r, 1, &twice), 0);
	assert_int_equal(r.design.order_count, 2);
	assert_string_equal(r.design.order[0], "BA");
	assert_string_equal(r.design.order[1], "AB");
	assert_true(has_warning(&r, "partnerless", "1 value has no partner in the other file"));
	result_release(&r);
}

static void test_twice(void **state)
{
	(void)state;
	struct result r;
	uint32_t twice = 0;
	read_both(&r, "pair,value\n1,10\n7,11\n7,12\n", "pair,value\n7,22\n1,21\n", NULL);
	assert_int_equal(across(&r, 1, &twice), -1);
	assert_int_equal(twice, 7);
	result_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keys),
		cmocka_unit_test(test_no_keys),
		cmocka_unit_test(test_pairs_inside_a_file),
		cmocka_unit_test(test_one_couple_has_pairs),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_twice),
	};
	return cmocka_run_group_tests_name("analysis/across", tests, NULL, NULL);
}
