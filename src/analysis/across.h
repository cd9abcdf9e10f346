/* Pairs that reach across two files: the values of a couple's two sides, by the pair keys that they came with. */
#ifndef TARE_ANALYSIS_ACROSS_H
#define TARE_ANALYSIS_ACROSS_H

#include "analysis/analysis.h"

#include <stdint.h>

/* Aligns every metric that both sides of a couple have with pair keys (model/pairing.h); what has none, or no pair in
 * common, stays unpaired, and the latter is said in a warning. Nothing is ever paired by its place. Afterwards
 * result->design is paired where anything was, and its order, which is that of the first couple's base, is kept for a
 * single couple alone.
 * -1 and err: out of memory, or ERROR_INPUT where a pair occurs twice; *twice is then its key. */
int analyse_across(struct result *result, const struct couple *couples, size_t count, uint32_t *twice,
                   struct error *err);

#endif
