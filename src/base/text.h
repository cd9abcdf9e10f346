/* Words that people type, compared. */
#ifndef TARE_BASE_TEXT_H
#define TARE_BASE_TEXT_H

#include <stddef.h>

/* Edit distance, for "did you mean": letters to change, add or leave out. Words of more than 32 bytes are 32 away
 * from everything. */
size_t text_distance(const char *a, const char *b);

#endif
