/* Each value is its type, its length, and its bytes in words of 64 bits, the lowest byte first, the last word filled up
 * with zeros. Every word goes through h ← (h ⊕ word) · odd, h ← h ⊕ h/2³²; both are one-to-one, so a change inside a
 * single word is always seen, and others but for one in 2⁶⁴. Doubles and integers are one word. */
#include "store/sum.h"

#include <endian.h>
#include <string.h>

static uint64_t add_word(uint64_t h, uint64_t word)
{
	h = (h ^ word) * UINT64_C(0xff51afd7ed558ccd);
	return h ^ h >> 32;
}

static uint64_t add_bytes(uint64_t h, const unsigned char *bytes, size_t length)
{
	uint64_t word;
	for (; length >= 8; bytes += 8, length -= 8) {
		memcpy(&word, bytes, 8);
		h = add_word(h, le64toh(word));
	}
	if (length == 0)
		return h;
	word = 0;
	memcpy(&word, bytes, length);
	return add_word(h, le64toh(word));
}

static uint64_t add_value(uint64_t h, sqlite3_value *value)
{
	int type = sqlite3_value_type(value);
	uint64_t word = 0;
	double number;
	switch (type) {
	case SQLITE_INTEGER: word = (uint64_t)sqlite3_value_int64(value); break;
	case SQLITE_FLOAT:
		/* The file has no negative zero. */
		number = sqlite3_value_double(value) == 0 ? 0 : sqlite3_value_double(value);
		memcpy(&word, &number, sizeof(word));
		break;
	case SQLITE_NULL: break;
	default: {
		/* The bytes first: asking for their number may move them. */
		const void *bytes = sqlite3_value_blob(value);
		size_t length = (size_t)sqlite3_value_bytes(value);
		return add_bytes(add_word(h, (uint64_t)type << 56 | length), bytes, length);
	}
	}
	return add_word(add_word(h, (uint64_t)type << 56), word);
}

static void row_sum(sqlite3_context *context, int count, sqlite3_value **values)
{
	uint64_t h = UINT64_C(0x9e3779b97f4a7c15);
	for (int i = 0; i < count; i++)
		h = add_value(h, values[i]);
	sqlite3_result_int64(context, (int64_t)h);
}

int sum_register(sqlite3 *db)
{
	return sqlite3_create_function(db, "row_sum", -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, row_sum, NULL, NULL);
}
