/* Sides and the orders in which they ran. A side is an index, 0 for the first; letters ("AB", "BA") are how documents and
 * tables write it, and this is the one place that knows them. */
#ifndef TARE_MODEL_ORDER_H
#define TARE_MODEL_ORDER_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_SIDE SIZE_MAX

enum { SIDE_LETTERS = 26 };

/* "A" is 0; NO_SIDE for NULL and for anything else than one letter. */
size_t side_read(const char *letter);
/* One letter, or NULL for a side that has none. `text` holds it. */
const char *side_letter(size_t side, char text[2]);

/* "BA" for 1, 0; numbers with commas where there are more sides than letters. NULL: out of memory. */
const char *order_text(struct arena *arena, const size_t *order, size_t sides);
/* Every side once, into `order`; false: the text is malformed. */
bool order_read(const char *text, size_t sides, size_t *order);
/* The side's place in the text; SIZE_MAX: it is not there. */
size_t order_place(const char *text, size_t side);

#endif
