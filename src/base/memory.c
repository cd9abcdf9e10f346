/* Thin wrappers over malloc; the countdown lets a test fail every allocation in turn. */
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static long fail_countdown; /* 0: off; shared by all threads, touched atomically */
static int has_failed;
static int ran_out;

void mem_fail_at(long nth)
{
	__atomic_store_n(&has_failed, 0, __ATOMIC_SEQ_CST);
	mem_forget_ran_out();
	__atomic_store_n(&fail_countdown, nth, __ATOMIC_SEQ_CST);
}

int mem_failed(void)
{
	return __atomic_load_n(&has_failed, __ATOMIC_SEQ_CST);
}

int mem_ran_out(void)
{
	return __atomic_load_n(&ran_out, __ATOMIC_SEQ_CST);
}

void mem_forget_ran_out(void)
{
	__atomic_store_n(&ran_out, 0, __ATOMIC_SEQ_CST);
}

/* What the caller gets, remembered if it is nothing. */
static void *noted(void *block)
{
	if (!block)
		__atomic_store_n(&ran_out, 1, __ATOMIC_SEQ_CST);
	return block;
}

static int must_fail(void)
{
	if (__atomic_load_n(&fail_countdown, __ATOMIC_RELAXED) <= 0)
		return 0;
	if (__atomic_sub_fetch(&fail_countdown, 1, __ATOMIC_SEQ_CST) != 0)
		return 0;
	__atomic_store_n(&has_failed, 1, __ATOMIC_SEQ_CST);
	return 1;
}

/* malloc(0) may return NULL, which callers would take for a failure. */
static size_t bytes_of(size_t count, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX)
		return SIZE_MAX;
	return bytes ? bytes : 1;
}

void *mem_alloc(size_t count, size_t size)
{
	size_t bytes = bytes_of(count, size);
	return noted(bytes == SIZE_MAX || must_fail() ? NULL : malloc(bytes));
}

void *mem_zalloc(size_t count, size_t size)
{
	size_t bytes = bytes_of(count, size);
	return noted(bytes == SIZE_MAX || must_fail() ? NULL : calloc(1, bytes));
}

void *mem_resize(void *block, size_t count, size_t size)
{
	size_t bytes = bytes_of(count, size);
	return noted(bytes == SIZE_MAX || must_fail() ? NULL : realloc(block, bytes));
}

char *mem_strdup(const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = mem_alloc(size, 1);
	if (copy)
		memcpy(copy, text, size);
	return copy;
}

void mem_free(void *block)
{
	free(block);
}
