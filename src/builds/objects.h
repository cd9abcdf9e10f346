/* What lies in the files of a link: the names of their sections that may be put in another order. */
#ifndef TARE_BUILDS_OBJECTS_H
#define TARE_BUILDS_OBJECTS_H

#include "base/arena.h"
#include "base/error.h"
#include "host/host.h"

#include <stdbool.h>
#include <stdint.h>

enum object_kind {
	OBJECT_OTHER,   /* a shared library, a script, nothing at all */
	OBJECT_CODE,    /* a relocatable ELF file */
	OBJECT_BITCODE, /* what clang -flto writes */
	OBJECT_ARCHIVE, /* of such files */
};

struct objects {
	struct arena *arena;
	const char **names; /* ".text.sort", …: as often as they were met */
	size_t count;
	/* Of the first relocatable file, so that one more can be made to fit: */
	bool known;
	bool wide; /* 64 bits */
	uint16_t machine;
	uint32_t flags;
	unsigned char version, abi;
	const char *property; /* what its .note.gnu.property holds, or NULL */
	size_t property_size, property_align;
};

/* Looks at a file and, unless `objects` is NULL, adds the names that it has: those that lie below .text, .rodata, .data
 * or .bss and consist of letters, digits and "_.$". Thin archives, broken files and those of the other byte order have
 * none. -1: no memory. */
int objects_look(const struct host *host, const char *path, struct objects *objects, enum object_kind *kind,
                 struct error *err);

/* Sorts the names and leaves each once: an order that does not depend on the order of the files. */
void objects_sort(struct objects *objects);

#endif
