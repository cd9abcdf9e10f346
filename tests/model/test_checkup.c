/* Findings keep their texts, and stand in the order in which they need attention. */
#include "model/checkup.h"

#include "base/memory.h"
#include "support/known.h"

#include <math.h>
#include <string.h>

static void texts(void **state)
{
	(void)state;
	struct checkup c = {.count = 0};
	struct finding *f = checkup_add(&c, "turbo", "turbo", 60);
	assert_int_equal(f->state, FINDING_UNKNOWN);
	assert_true(isnan(f->number));
	finding_says(&c, f, FINDING_COULD_BE_BETTER, "on: %d MHz", 3700);
	finding_cost(&c, f, "up to %s", "1.4");
	finding_advice(&c, f, "Switch it off.");
	finding_command(&c, f, "echo %d", 1);
	assert_string_equal(f->value, "on: 3700 MHz");
	assert_string_equal(f->cost, "up to 1.4");
	assert_string_equal(f->advice, "Switch it off.");
	assert_string_equal(f->command, "echo 1");
	assert_null(f->why);
	f = checkup_add(&c, "swap", "swap", 1);
	finding_unknown(&c, f, "there is no %s", "file");
	assert_string_equal(f->why, "there is no file");
	assert_null(f->value);
	assert_ptr_equal(checkup_find(&c, "swap"), f);
	assert_null(checkup_find(&c, "none"));
	checkup_release(&c);
	assert_int_equal(c.count, 0);
	checkup_release(&c);
}

static void add(struct checkup *c, const char *name, int weight, enum finding_state state)
{
	finding_says(c, checkup_add(c, name, name, weight), state, "x");
}

static void attention_first(void **state)
{
	(void)state;
	struct checkup c = {.count = 0};
	char order[64] = "";
	assert_null(checkup_first(&c));
	add(&c, "a", 9, FINDING_OK);
	assert_null(checkup_first(&c));
	add(&c, "b", 1, FINDING_COULD_BE_BETTER);
	add(&c, "c", 5, FINDING_UNKNOWN);
	assert_string_equal(checkup_first(&c)->name, "b");
	add(&c, "d", 2, FINDING_BAD);
	add(&c, "e", 10, FINDING_OK);
	add(&c, "f", 3, FINDING_BAD);
	add(&c, "g", 3, FINDING_BAD);
	add(&c, "h", 7, FINDING_COULD_BE_BETTER);
	assert_string_equal(checkup_first(&c)->name, "f");
	checkup_order(&c);
	for (size_t i = 0; i < c.count; i++)
		strcat(order, c.findings[i].name);
	assert_string_equal(order, "fgdhbaec");
	assert_string_equal(checkup_first(&c)->name, "f");
	assert_int_equal(checkup_count(&c, FINDING_BAD), 3);
	assert_int_equal(checkup_count(&c, FINDING_UNKNOWN), 1);
	checkup_release(&c);
}

static void no_room(void **state)
{
	(void)state;
	struct checkup c = {.count = 0};
	for (int i = 0; i < CHECKUP_MAX; i++)
		add(&c, "x", 0, FINDING_OK);
	assert_false(c.out_of_memory);
	add(&c, "one more", 0, FINDING_OK);
	assert_true(c.out_of_memory);
	assert_int_equal(c.count, CHECKUP_MAX);
	checkup_release(&c);
	mem_fail_at(1);
	add(&c, "x", 0, FINDING_OK);
	mem_fail_at(0);
	assert_true(c.out_of_memory);
	assert_null(c.findings[0].value);
	checkup_release(&c);
}

static void names(void **state)
{
	(void)state;
	assert_string_equal(finding_state_name(FINDING_OK), "ok");
	assert_string_equal(finding_state_name(FINDING_COULD_BE_BETTER), "could be better");
	assert_string_equal(finding_state_name(FINDING_BAD), "bad");
	assert_string_equal(finding_state_name(FINDING_UNKNOWN), "not known");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts),
		cmocka_unit_test(attention_first),
		cmocka_unit_test(no_room),
		cmocka_unit_test(names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
