/* A cell of comma-separated text, as both tables of results and tables of samples are written. */
#ifndef TARE_BASE_CELL_H
#define TARE_BASE_CELL_H

#include "base/buffer.h"

#include <stdbool.h>

/* Quoted as RFC 4180 says where it has to be. A text that a spreadsheet would calculate ("=1+1", "@x", "-a") gets an
 * apostrophe in front, which makes it a text there; numbers with or without a unit are left as they are. Control
 * characters but for tabs and ends of lines are written as \xHH. */
void cell_put(struct buffer *out, const char *text);

/* Whether the first character is that apostrophe: without it the text is as it was. */
bool cell_is_guarded(const char *text, size_t length);

#endif
