/* An object file of nothing but room: one section for each padding of a layout. */
#ifndef TARE_BUILDS_PAD_OBJECT_H
#define TARE_BUILDS_PAD_OBJECT_H

#include "base/buffer.h"
#include "builds/layout.h"
#include "builds/objects.h"

/* Writes it, for the machine of `objects`, which must be known. It says of itself what their first file says (stack
 * that is not executable, features of the CPU), so that the program loses no mark. With `retain` the sections are
 * marked as to be kept (lld). */
void pad_object_write(const struct layout *layout, const struct objects *objects, bool retain, struct buffer *out);

#endif
