/* Names of subjects: parameters in them, and that exports keep different subjects apart. */
#include "exchange/identity.h"

#include "exchange/export.h"
#include "support/imports.h"

#include <string.h>

/* Both subjects come back, with their own values: 1 and 2. */
static void subjects_stay_two(const struct result *before, const char *format, const char *const names[2],
                              const char *note)
{
	struct result after;
	struct buffer out = {0}, notes = {0};
	struct error err;
	result_init(&after);
	assert_int_equal(before->subject_count, 2);
	assert_int_equal(export_result(before, format, &out, &notes, &err), 0);
	import_text(&after, buffer_text(&out), NULL);
	assert_int_equal(after.subject_count, 2);
	for (size_t s = 0; s < 2; s++) {
		const struct series *series = &after.subjects[s].metrics[0].series;
		if (strcmp(after.subjects[s].name, names[s]) != 0)
			fail_msg("%s: '%s' is not '%s'", format, after.subjects[s].name, names[s]);
		assert_int_equal(series->n, 1);
		assert_true(series->values[0] == (double)s + 1);
	}
	if (!strstr(buffer_text(&notes), note))
		fail_msg("%s: '%s'", format, buffer_text(&notes));
	result_release(&after);
	buffer_release(&out);
	buffer_release(&notes);
}

static void stay_two(const char *text, const char *format, const char *const names[2], const char *note)
{
	struct result before;
	result_init(&before);
	import_text(&before, text, NULL);
	subjects_stay_two(&before, format, names, note);
	result_release(&before);
}

static const char *const by_name[] = {"bmf", "gbench", "gha", "pyperf"};

static void test_parameters_tell_apart(void **state)
{
	(void)state;
	static const char inside[] = "subject,parameter:n,wall_s\nsort len=1000,1,1\nsort len=1000,10,2\n";
	for (size_t i = 0; i < 4; i++)
		stay_two(inside, by_name[i], (const char *const[]){"sort len=1000 n=1", "sort len=1000 n=10"},
		         "parameters are written as part of the name");
	stay_two("subject,parameter:n,wall_s\nSort/n=10,10,1\nSort/n=10,1,2\n", "go",
	         (const char *const[]){"Sort/n=10", "Sort/n=10/n=1"}, "parameters are written as part of the name");
}

/* What becomes the same name, by a parameter that the other has in its name. */
static void test_numbers_tell_apart(void **state)
{
	(void)state;
	static const char written[] = "subject,parameter:n,wall_s\nsort,1,1\nsort n=1,1,2\n";
	for (size_t i = 0; i < 4; i++)
		stay_two(written, by_name[i], (const char *const[]){"sort n=1", "sort n=1 #2"}, "get #2");
	/* JMH has one thread where nothing is said of them. */
	stay_two("subject,parameter:threads,wall_s\nF,1,1\nF,,2\n", "jmh", (const char *const[]){"F", "F #2"}, "get #2");
	/* A metric of one is called as the other is. */
	stay_two("subject,metric,unit,value\nF,cpu,s,1\nF - cpu,wall,s,2\n", "gha",
	         (const char *const[]){"F - cpu", "F - cpu #2"}, "get #2");
}

/* Programs are not written. */
static void test_programs_tell_apart(void **state)
{
	(void)state;
	static const enum level levels[] = {LEVEL_RUN, LEVEL_ITERATION};
	static const char *const programs[] = {"old", "new"};
	struct result r;
	struct error err;
	result_init(&r);
	for (size_t s = 0; s < 2; s++) {
		struct subject *subject = result_add_subject(&r, "F");
		subject->program = programs[s];
		struct measurement *wall = result_add_metric(&r, subject, "wall", "s", BETTER_LOWER, levels, 2);
		assert_int_equal(series_append(&wall->series, 0, (double)s + 1, &err), 0);
	}
	for (size_t i = 0; i < 4; i++)
		subjects_stay_two(&r, by_name[i], (const char *const[]){"F", "F #2"}, "get #2");
	subjects_stay_two(&r, "jmh", (const char *const[]){"F", "F #2"}, "get #2");
	subjects_stay_two(&r, "go", (const char *const[]){"F", "F#2"}, "get #2");
	result_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parameters_tell_apart),
		cmocka_unit_test(test_numbers_tell_apart),
		cmocka_unit_test(test_programs_tell_apart),
	};
	return cmocka_run_group_tests_name("exchange/identity", tests, NULL, NULL);
}
