/* The line protocol: what is written reads back; what is hostile is nonsense of its line alone. */
#include "monitor/protocol.h"

#include "base/random.h"
#include "support/known.h"

#include <math.h>
#include <string.h>

static void round_trip(const char *component, enum gauge_kind kind, double value, const char *unit)
{
	struct buffer text = {0};
	struct protocol_line line;
	struct gauge_reading reading = {component, "busy", unit, kind, value, NAN};
	protocol_reading(&text, &reading);
	assert_int_equal(text.data[text.length - 1], '\n');
	text.data[text.length - 1] = '\0';
	protocol_parse(text.data, &line);
	assert_int_equal(line.kind, PROTOCOL_READING);
	assert_int_equal(line.gauge, kind);
	assert_string_equal(line.component, component);
	assert_string_equal(line.quantity, "busy");
	assert_string_equal(line.unit, unit);
	assert_true(fabs(line.value - value) <= 1e-5 * fabs(value));
	buffer_release(&text);
}

static void test_round_trip(void **state)
{
	(void)state;
	struct buffer text = {0};
	struct protocol_line line;
	round_trip("disk:sda", GAUGE_USE, 0.93, "");
	round_trip("pipe:/tmp/a b%41", GAUGE_SHARE, 1, "");
	round_trip("net:eth0", GAUGE_RATE, 123456789.5, "B/s");
	round_trip("cpu", GAUGE_LEVEL, 0, "tasks");
	round_trip("cpu", GAUGE_LEVEL, 1200, "tasks");
	round_trip("disk:sda", GAUGE_LEVEL, 0.000166, "s");
	protocol_reading(&text, &(struct gauge_reading){"cpu", "busy", "", GAUGE_USE, NAN, NAN});
	assert_int_equal(text.length, 0);
	protocol_sample(&text, 1.5);
	assert_string_equal(buffer_text(&text), "sample 1.500\n");
	buffer_clear(&text);
	protocol_unseen(&text, "block devices:\nnone");
	assert_string_equal(buffer_text(&text), "unseen block devices: none\n");
	protocol_parse("capacity disk:sda write 5e8", &line);
	assert_int_equal(line.kind, PROTOCOL_CAPACITY);
	assert_true(line.value == 5e8);
	protocol_parse("link host disk:sda", &line);
	assert_int_equal(line.kind, PROTOCOL_LINK);
	assert_string_equal(line.other, "disk:sda");
	protocol_parse("tare-monitor 1", &line);
	assert_int_equal(line.kind, PROTOCOL_HEAD);
	protocol_parse("# a comment", &line);
	assert_int_equal(line.kind, PROTOCOL_NOTHING);
	buffer_release(&text);
}

static void test_nonsense(void **state)
{
	(void)state;
	static const char *const lines[] = {
		"tare-monitor 2",
		"use",
		"use a",
		"use a b",
		"use a b c",
		"use a b nan",
		"use a b inf",
		"use a b 1e999",
		"use a b -0.1",
		"use a b 1001",
		"use a b 1 unit more",
		"capacity a b 0",
		"capacity a b -1",
		"capacity a b",
		"link a",
		"link a b c",
		"sample",
		"sample x",
		"wrong a b 1",
		"use a%0Ab b 1",
		"use a%1bb b 1",
		"use \x1b[2J b 1",
		"rate a bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb 1",
		"use % b",
	};
	struct protocol_line line;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		protocol_parse(lines[i], &line);
		assert_int_equal(line.kind, PROTOCOL_NONSENSE);
	}
	char endless[8192];
	memset(endless, 'a', sizeof(endless));
	endless[sizeof(endless) - 1] = '\0';
	protocol_parse(endless, &line);
	assert_int_equal(line.kind, PROTOCOL_NONSENSE);
	/* Bytes at random: never a crash, and a value that gets through is finite. */
	struct random random;
	random_seed(&random, 3);
	for (int i = 0; i < 20000; i++) {
		char bytes[64];
		int prefix = i % 2 ? snprintf(bytes, sizeof(bytes), "use a b ") : 0;
		for (size_t k = (size_t)prefix; k < sizeof(bytes) - 1; k++)
			bytes[k] = (char)(1 + random_below(&random, 255));
		bytes[sizeof(bytes) - 1] = '\0';
		protocol_parse(bytes, &line);
		if (line.kind == PROTOCOL_READING)
			assert_true(isfinite(line.value));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_nonsense),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
