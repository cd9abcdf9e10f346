/* Doctor's report: what it says, in which order, and that no line is too wide. */
#include "report/checkup_text.h"

#include "support/known.h"

#include <string.h>

static struct checkup sample(void)
{
	struct checkup c = {.count = 0, .cpu = "Some CPU", .os = "Some Linux", .kernel = "Linux 6.1"};
	struct finding *f = checkup_add(&c, "cpus", "CPUs", 0);
	finding_says(&c, f, FINDING_OK, "8 (4 cores in 1 package)");
	f = checkup_add(&c, "noisy", "noisy processes", 50);
	finding_says(&c, f, FINDING_BAD, "cc1 \x1b[31m 98 %%, a rather long name of a process that goes on 12 %%");
	finding_cost(&c, f, "They take time.");
	finding_advice(&c, f, "Stop them while you measure.");
	f = checkup_add(&c, "governor", "governor", 60);
	finding_says(&c, f, FINDING_COULD_BE_BETTER, "schedutil");
	finding_cost(&c, f, "The frequency follows the load.");
	finding_advice(&c, f, "Keep the frequency up while you measure.");
	finding_command(&c, f, "echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor");
	f = checkup_add(&c, "thermal", "temperature", 10);
	finding_says(&c, f, FINDING_OK, "41 °C");
	f = checkup_add(&c, "turbo", "turbo", 10);
	finding_unknown(&c, f, "there is no file");
	checkup_order(&c);
	return c;
}

static void says_it_all(void **state)
{
	(void)state;
	struct checkup c = sample();
	struct look look = {.width = 80, .charset = TEXT_UNICODE};
	struct buffer out = {0};
	checkup_text(&c, &look, &out);
	assert_string_equal(buffer_text(&out),
	                    "Some CPU, Some Linux, Linux 6.1\n"
	                    "\n"
	                    "Bad\n"
	                    "  ✘ noisy processes  cc1 \\x1b[31m 98 %, a rather long name of a process that\n"
	                    "                     goes on 12 %\n"
	                    "    They take time.\n"
	                    "    → Stop them while you measure.\n"
	                    "\n"
	                    "Could be better\n"
	                    "  ◆ governor         schedutil\n"
	                    "    The frequency follows the load.\n"
	                    "    → Keep the frequency up while you measure.\n"
	                    "      $ echo performance | sudo tee \\\n"
	                    "          /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor\n"
	                    "\n"
	                    "Ok\n"
	                    "  ✔ CPUs             8 (4 cores in 1 package)\n"
	                    "  ✔ temperature      41 °C\n"
	                    "\n"
	                    "Not known\n"
	                    "  ? turbo            there is no file\n"
	                    "\n"
	                    "1 bad, 1 could be better, 2 ok, 1 not known.\n"
	                    "Not fit to measure yet. First, noisy processes: stop them while you measure.\n");
	buffer_release(&out);
	checkup_release(&c);
}

/* Without its colours a coloured report is the plain one. */
static void colour_says_nothing_new(void **state)
{
	(void)state;
	struct checkup c = sample();
	struct look plain = {.width = 80}, coloured = {.width = 80, .colour = true};
	struct buffer expected = {0}, got = {0}, stripped = {0};
	checkup_text(&c, &plain, &expected);
	checkup_text(&c, &coloured, &got);
	assert_non_null(strstr(buffer_text(&got), "\x1b[31m✘\x1b[0m"));
	for (const char *at = buffer_text(&got); *at; at++) {
		if (*at == '\x1b')
			at += strcspn(at, "m");
		else
			buffer_char(&stripped, *at);
	}
	assert_string_equal(buffer_text(&stripped), buffer_text(&expected));
	buffer_release(&expected);
	buffer_release(&got);
	buffer_release(&stripped);
	checkup_release(&c);
}

static void fits_and_ascii(void **state)
{
	(void)state;
	struct checkup c = sample();
	for (size_t width = 40; width <= 120; width += 8) {
		struct look look = {.width = width, .charset = TEXT_ASCII};
		struct buffer out = {0};
		checkup_text(&c, &look, &out);
		for (const char *line = buffer_text(&out); *line; line += strcspn(line, "\n") + 1) {
			/* One word may be longer than the line: nothing is cut. */
			if (strcspn(line, "\n") > width && !strstr(line, "/sys/"))
				fail_msg("too wide for %zu: %.*s", width, (int)strcspn(line, "\n"), line);
		}
		for (const char *at = buffer_text(&out); *at; at++)
			assert_true((unsigned char)*at < 128);
		assert_non_null(strstr(buffer_text(&out), "  ! noisy processes"));
		assert_non_null(strstr(buffer_text(&out), "  * governor"));
		assert_non_null(strstr(buffer_text(&out), "  + CPUs"));
		assert_non_null(strstr(buffer_text(&out), "41 deg C"));
		buffer_release(&out);
	}
	checkup_release(&c);
}

static void verdicts(void **state)
{
	(void)state;
	struct checkup c = {.count = 0};
	struct buffer out = {0};
	checkup_verdict(&c, &out);
	assert_string_equal(buffer_text(&out), "Fit to measure.");
	struct finding *f = checkup_add(&c, "turbo", "turbo", 1);
	finding_says(&c, f, FINDING_COULD_BE_BETTER, "on");
	finding_advice(&c, f, "Switch it off.");
	buffer_clear(&out);
	checkup_verdict(&c, &out);
	assert_string_equal(buffer_text(&out), "Fit to measure. Better still, turbo: switch it off.");
	f->state = FINDING_BAD;
	buffer_clear(&out);
	checkup_verdict(&c, &out);
	assert_string_equal(buffer_text(&out), "Not fit to measure yet. First, turbo: switch it off.");
	buffer_release(&out);
	checkup_release(&c);
}

static void advice_is_not_repeated(void **state)
{
	(void)state;
	struct checkup c = {.count = 0};
	struct look look = {0};
	struct buffer out = {0};
	for (int i = 0; i < 3; i++) {
		struct finding *f = checkup_add(&c, "load", "load", 1);
		finding_says(&c, f, i < 2 ? FINDING_BAD : FINDING_COULD_BE_BETTER, "high");
		finding_advice(&c, f, "Wait a while.");
	}
	checkup_order(&c);
	checkup_text(&c, &look, &out);
	const char *first = strstr(buffer_text(&out), "Wait a while."), *better = strstr(first, "Could be better");
	assert_non_null(better);
	assert_true(strstr(first + 1, "Wait a while.") > better); /* under another heading it is told again */
	buffer_release(&out);
	checkup_release(&c);
}

static void nothing_known_of_the_machine(void **state)
{
	(void)state;
	struct checkup c = {.count = 0};
	struct look look = {0};
	struct buffer out = {0};
	checkup_text(&c, &look, &out);
	assert_non_null(strstr(buffer_text(&out), "Fit to measure."));
	buffer_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(says_it_all),
		cmocka_unit_test(colour_says_nothing_new),
		cmocka_unit_test(fits_and_ascii),
		cmocka_unit_test(verdicts),
		cmocka_unit_test(advice_is_not_repeated),
		cmocka_unit_test(nothing_known_of_the_machine),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
