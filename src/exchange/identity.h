/* What makes two subjects of a result the same: name, program and parameters. */
#ifndef TARE_EXCHANGE_IDENTITY_H
#define TARE_EXCHANGE_IDENTITY_H

#include "base/buffer.h"
#include "base/map.h"
#include "model/result.h"

/* The number of a subject among those of `known`, which it joins where it is new; MAP_NONE: no memory. */
uint32_t identity_number(struct map *known, const struct subject *subject);

/* Gives subjects that would be the same names of their own, "name #2" and so on; the new names are
 * the arena's. *renamed counts them. -1 and err when out of memory. */
int identity_make_unique(struct subject *subjects, size_t count, struct arena *arena, size_t *renamed,
                         struct error *err);

#endif
