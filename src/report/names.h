/* Names that a person can read: cut in the middle where they are longer than a sentence can bear. */
#ifndef TARE_REPORT_NAMES_H
#define TARE_REPORT_NAMES_H

#include "model/result.h"
#include "report/text_width.h"

enum { NAMES_TEXT = 200 /* columns of a name in a text */ };

/* A copy of the result in which no subject's name has more columns. Everything else is shared, and the subjects too
 * where no name is longer; what is new is in the arena. -1: no memory. */
int names_shorten(const struct result *result, size_t columns, enum text_charset charset, struct arena *arena,
                  struct result *copy);

#endif
