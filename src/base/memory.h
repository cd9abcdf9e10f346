/* Allocation that is checked, safe against overflow, and that a test can make fail. */
#ifndef TARE_BASE_MEMORY_H
#define TARE_BASE_MEMORY_H

#include <stddef.h>

/* `count` elements of `size` bytes, not cleared / cleared; NULL when there is no
 * memory or the product overflows. A count of 0 gives a pointer that may be freed. */
void *mem_alloc(size_t count, size_t size);
void *mem_zalloc(size_t count, size_t size);

/* Grows or shrinks; on failure returns NULL and the old block stays valid. */
void *mem_resize(void *block, size_t count, size_t size);

/* A copy of a string; NULL when there is no memory. */
char *mem_strdup(const char *text);

void mem_free(void *block);

/* Whether any of these has failed since the start or the last forgetting. A number or a line that could not be made for
 * want of memory is left out in many places; what is made of the rest is not what was asked for, and whoever hands it
 * out looks here first. */
int mem_ran_out(void);
void mem_forget_ran_out(void);

/* For tests: let the Nth allocation from now on fail (1 = the next one), once;
 * 0 switches it off. mem_failed() tells whether it has happened. */
void mem_fail_at(long nth);
int mem_failed(void);

#endif
