#include "decide/jury.h"

#include "base/random.h"
#include "support/known.h"

#include <math.h>

enum { SESSIONS = 60, MOST_PAIRS = 10000 };

struct forecasts {
	size_t about, right;   /* "about N s more would decide it", and how many of these were right within a factor of 3 */
	size_t least, kept_to; /* "more than N s", and how many of these took so long */
};

/* Whether the pairs so far have a verdict. */
static bool is_decided(struct jury *jury)
{
	struct jury_look look;
	assert_int_equal(jury_look(jury, &look, NULL), 0);
	return jury->numbers[0].verdict != RATIO_UNDECIDED;
}

/* Each time that a budget of 60, 120, 240 … pairs could end, while there is no verdict: the forecast; then the truth. */
static void one_session(struct random *random, double effect, double noise, struct forecasts *out)
{
	struct judge_options options = {.verdict = verdict_defaults(0.01), .block = 20, .has_order = true};
	struct jury jury;
	size_t at[16], count = 0, pairs = 0;
	double told[16];
	bool least[16];
	options.verdict.rule = CRITICAL_ANYTIME;
	options.verdict.margin = 0.01;
	assert_int_equal(jury_init(&jury, 1, &options, NULL), 0);
	for (size_t budget = 60; pairs < MOST_PAIRS;) {
		assert_int_equal(judge_add(&jury.judges[0], exp(noise * random_normal(random)),
		                           exp(effect + noise * random_normal(random)), pairs & 1, NULL),
		                 0);
		pairs++;
		bool ends = pairs == budget;
		if (!ends && !jury_is_due(&jury))
			continue;
		if (is_decided(&jury))
			break;
		if (ends) {
			told[count] = jury_forecast(&jury, 0, &least[count]);
			at[count++] = pairs;
			budget *= 2;
		}
	}
	for (size_t i = 0; i < count; i++) {
		double truth = (double)(pairs - at[i]), forecast = told[i] * (double)at[i];
		out->about += !least[i];
		out->right += !least[i] && truth <= 3 * forecast && truth >= forecast / 3;
		out->least += least[i];
		out->kept_to += least[i] && truth >= forecast;
	}
	jury_release(&jury);
}

static void forecasts_are_right_within_a_factor_of_three(void **state)
{
	(void)state;
	static const double effects[] = {0, 0.004, 0.016, 0.03, 0.06};
	struct random random;
	struct forecasts all = {0};
	random_seed(&random, 23);
	for (size_t e = 0; e < sizeof(effects) / sizeof(effects[0]); e++)
		for (int i = 0; i < SESSIONS; i++)
			one_session(&random, effects[e], 0.05, &all);
	print_message("# about: %zu of %zu right; more than: %zu of %zu\n", all.right, all.about, all.kept_to, all.least);
	assert_true(all.about >= 100 && 10 * all.right >= 7 * all.about);
	assert_true(all.least >= 100 && 10 * all.kept_to >= 7 * all.least);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(forecasts_are_right_within_a_factor_of_three),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
