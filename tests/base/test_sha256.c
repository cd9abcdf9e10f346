#include "base/sha256.h"

#include "support/known.h"

#include <string.h>

static void check(const char *text, size_t times, size_t piece, const char *expected)
{
	struct sha256 sha;
	char digits[SHA256_TEXT];
	size_t length = strlen(text);
	sha256_init(&sha);
	for (size_t t = 0; t < times; t++)
		for (size_t i = 0; i < length; i += piece)
			sha256_add(&sha, text + i, length - i < piece ? length - i : piece);
	sha256_end(&sha, digits);
	assert_string_equal(digits, expected);
}

/* The examples of FIPS 180-4 and of the NIST page of example values. */
static void test_standard(void **state)
{
	(void)state;
	check("", 1, 64, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	check("abc", 1, 64, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	check("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1, 100,
	      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
	check("a", 1000000, 1, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* However the bytes are handed over. */
static void test_pieces(void **state)
{
	(void)state;
	const char *text = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
	for (size_t piece = 1; piece < 60; piece++)
		check(text, 1, piece, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_standard), cmocka_unit_test(test_pieces)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
