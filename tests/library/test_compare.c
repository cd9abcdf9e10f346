/* libtare's comparison of two functions, by a clock that the test moves (session/script.h). */
#include "tare/tare.h"

#include "base/memory.h"
#include "session/script.h"
#include "support/known.h"

static int base(void *context)
{
	++*(size_t *)context;
	script_pass(0.001 * script_draw(0.01));
	return 0;
}

static int slower(void *context)
{
	++*(size_t *)context;
	script_pass(0.00125 * script_draw(0.01));
	return 0;
}

static int failing(void *context)
{
	return base(context) != 0 || *(size_t *)context > 20;
}

static enum tare_status compare(int (*new_)(void *), size_t *calls, struct tare_verdict *verdict)
{
	static const struct script script = {.seed = 1};
	struct tare_compare_options options = {.seconds = 60, .seed = 3};
	script_begin(&script);
	*calls = 0;
	return tare_compare(base, new_, calls, &options, verdict);
}

static void a_slower_function_is_found(void **state)
{
	(void)state;
	struct tare_verdict verdict;
	size_t calls;
	assert_int_equal(compare(slower, &calls, &verdict), TARE_OK);
	assert_int_equal(verdict.outcome, TARE_SLOWER);
	assert_true(verdict.low < 1.25 && verdict.high > 1.25);
	assert_int_equal(compare(failing, &calls, &verdict), TARE_FAILED);
	script_end();
}

/* Every allocation failed in turn: that is told, nothing else is claimed, and at last all is as if nothing had been. */
static void comparison_without_memory(void **state)
{
	(void)state;
	struct tare_verdict verdict;
	size_t calls, usual;
	bool failed = true;
	long nth = 1;
	assert_int_equal(compare(slower, &usual, &verdict), TARE_OK);
	for (; nth < 400 && failed; nth++) {
		mem_fail_at(nth);
		enum tare_status status = compare(slower, &calls, &verdict);
		failed = mem_failed();
		mem_fail_at(0);
		assert_int_equal(status, failed ? TARE_NO_MEMORY : TARE_OK);
	}
	assert_false(failed);
	assert_true(nth > 5); /* it does allocate */
	assert_int_equal(calls, usual);
	assert_int_equal(verdict.outcome, TARE_SLOWER);
	script_end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_slower_function_is_found),
		cmocka_unit_test(comparison_without_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
