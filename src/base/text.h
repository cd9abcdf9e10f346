/* Words and texts, compared. */
#ifndef TARE_BASE_TEXT_H
#define TARE_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Edit distance, for "did you mean": letters to change, add or leave out. Words of more than 32 bytes are 32 away
 * from everything. */
size_t text_distance(const char *a, const char *b);

/* Whether a text has this end and something before it, as names of files do. */
bool text_ends_with(const char *text, const char *end);

/* Whether both are NULL, or both the same text; of lists that end with NULL, each of their texts. */
bool text_same(const char *a, const char *b);
bool text_same_lists(const char *const *a, const char *const *b);

/* Whether it begins with NAME=, which sets a variable in front of a command in a shell. */
bool text_sets_variable(const char *text);

#endif
