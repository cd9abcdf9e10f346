/* The seeds of the fuzz targets: each imports, and its values come back from a table of ours; cut off anywhere or with
 * bytes changed it imports or is refused with a reason, whether its format is known or has to be recognised. */
#include "support/imports.h"

#include "base/buffer.h"
#include "base/random.h"
#include "exchange/export.h"
#include "exchange/input.h"
#include "host/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEED_MAX = 1 << 16, CHANGES = 400 };

static void must_not_fall(const char *bytes, size_t length, const char *format)
{
	struct import_options options = {.format = format};
	struct result r;
	struct error err = {0};
	result_init(&r);
	/* A copy of its own, so that a read past the end is seen by the sanitizers. */
	char *copy = malloc(length ? length : 1);
	assert_non_null(copy);
	memcpy(copy, bytes, length);
	if (import_memory(copy, length, "seed", &options, &r, &err) != 0 &&
	    (err.kind == ERROR_NONE || !err.what[0] || r.subject_count))
		fail_msg("refused without a reason, or half");
	result_release(&r);
	free(copy);
}

static size_t values_of(const struct result *r)
{
	size_t n = 0;
	for (size_t s = 0; s < r->subject_count; s++)
		for (size_t m = 0; m < r->subjects[s].metric_count; m++)
			for (size_t i = 0; i < r->subjects[s].metrics[m].series.n; i++)
				n += isfinite(r->subjects[s].metrics[m].series.values[i]) != 0;
	return n;
}

static void comes_back(const struct result *r, const char *path)
{
	struct buffer table = {0}, notes = {0};
	struct import_options options = {.format = "csv"};
	struct result back;
	struct error err;
	result_init(&back);
	assert_int_equal(export_result(r, "csv", &table, &notes, &err), 0);
	if (import_memory(buffer_text(&table), table.length, "back", &options, &back, &err) != 0)
		fail_msg("%s: its table is refused: %s", path, err.what);
	assert_int_equal(values_of(&back), values_of(r));
	result_release(&back);
	buffer_release(&table);
	buffer_release(&notes);
}

static void vary(const char *bytes, size_t length, const char *format, struct random *random)
{
	static const char strange[] = "\"',;\t\n\r[]{}:#-+.eE09 \\/\xff\x01%";
	size_t step = length / 300 + 1;
	for (size_t cut = 0; cut < length; cut += step) {
		must_not_fall(bytes, cut, format);
		must_not_fall(bytes, cut, NULL);
	}
	char changed[SEED_MAX];
	for (int i = 0; i < CHANGES; i++) {
		memcpy(changed, bytes, length);
		for (uint64_t k = 1 + random_below(random, 3); k > 0; k--)
			changed[random_below(random, length)] = strange[random_below(random, sizeof(strange) - 1)];
		must_not_fall(changed, length, i % 2 ? format : NULL);
	}
}

static void test_seeds(void **state)
{
	(void)state;
	struct arena arena = {0};
	struct error err;
	struct random random;
	const char **formats, **files, *root = getenv("SOURCE_ROOT");
	size_t format_count, file_count, seen = 0;
	char folder[4200], path[8500], bytes[SEED_MAX];
	random_seed(&random, 1);
	snprintf(folder, sizeof(folder), "%s/fuzz/seeds", root ? root : ".");
	assert_int_equal(file_list(&syscalls_libc, folder, &arena, &formats, &format_count, &err), 0);
	for (size_t f = 0; f < format_count; f++) {
		snprintf(path, sizeof(path), "%s/%s", folder, formats[f]);
		assert_int_equal(file_list(&syscalls_libc, path, &arena, &files, &file_count, &err), 0);
		for (size_t i = 0; i < file_count; i++, seen++) {
			struct import_options options = {.format = formats[f]};
			struct result r;
			char message[1024];
			snprintf(path, sizeof(path), "%s/%s/%s", folder, formats[f], files[i]);
			int fd = file_open(&syscalls_libc, path, &err);
			assert_true(fd >= 0);
			long length = file_read(&syscalls_libc, fd, bytes, sizeof(bytes), &err);
			syscalls_libc.close(fd);
			assert_true(length > 0 && (size_t)length < sizeof(bytes));
			result_init(&r);
			if (import_memory(bytes, (size_t)length, path, &options, &r, &err) != 0) {
				error_text(&err, message, sizeof(message));
				fail_msg("%s", message);
			}
			assert_true(r.subject_count > 0);
			comes_back(&r, path);
			result_release(&r);
			/* Recognised as what it is. */
			assert_int_equal(import_memory(bytes, (size_t)length, path, NULL, &r, &err), 0);
			if (strcmp(formats[f], "tare") != 0)
				assert_string_equal(r.design.why, formats[f]);
			result_release(&r);
			vary(bytes, (size_t)length, formats[f], &random);
		}
	}
	assert_true(seen >= format_count && format_count >= 16);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_seeds),
	};
	return cmocka_run_group_tests_name("exchange/seeds", tests, NULL, NULL);
}
