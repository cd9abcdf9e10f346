/* --pi NAME:UNIT[:higher|:lower]:FROM, where FROM runs to the end of the argument:
 * regex=EXPRESSION (POSIX extended; its first group), column=K (from 1) or json=PATH. */
#ifndef TARE_MODEL_PI_H
#define TARE_MODEL_PI_H

#include "model/experiment.h"

/* Texts go to the arena. Without a direction the unit says it: rates are better high. */
int pi_parse(struct arena *arena, const char *text, struct performance_index *out, struct error *err);

#endif
