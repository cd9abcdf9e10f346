/* A change of level inside runs, in words. */
#ifndef TARE_MODEL_LEVEL_CHANGE_H
#define TARE_MODEL_LEVEL_CHANGE_H

#include "base/buffer.h"
#include "model/result.h"

/* There is one, and the level after it is worse than the one before. */
bool level_change_is_worse(const struct level_change *change, enum better better);

/* "slower", "faster"; "larger", "smaller" of what is neither a time nor a rate. */
const char *level_change_direction(const struct level_change *change, const struct metric *metric);

/* "all 10 runs become 3.8 × slower at iteration 496", of `runs` runs that were looked at. The iteration is counted from
 * 0: so many come before it. change->runs > 0. */
void level_change_words(const struct level_change *change, size_t runs, const struct metric *metric,
                        struct buffer *out);

#endif
