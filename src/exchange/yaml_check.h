/* YAML against a schema of libcyaml, with the place of everything.
 *
 * libcyaml loads a document into structs and refuses what its schema does not know, but the line it names is that of
 * the key before, and no line survives for a value that turns out bad later. So the same schema is walked here first
 * along the tree of libyaml: what is wrong is said with its own line and column, and the place of every value is kept.
 * Of the schema's types mappings, sequences and strings are known; every scalar is a string. */
#ifndef TARE_EXCHANGE_YAML_CHECK_H
#define TARE_EXCHANGE_YAML_CHECK_H

#include "base/arena.h"
#include "base/error.h"

#include <cyaml/cyaml.h>
#include <stddef.h>

struct yaml_place {
	const char *path;  /* "budget.max-time", "subjects[1].command" */
	long line, column; /* from 1 */
};

struct yaml_places {
	struct yaml_place *items; /* in the arena of the check */
	size_t count;
};

/* Checks the document: one mapping, no key that the schema does not have, none twice, none missing, no value of the
 * wrong kind, no second document. -1 and err with `file`, line and column. */
int yaml_check(const char *file, const char *text, size_t length, const cyaml_schema_value_t *schema,
               struct arena *arena, struct yaml_places *places, struct error *err);

/* The place of a value; NULL: it is not in the document. */
const struct yaml_place *yaml_place(const struct yaml_places *places, const char *path);

#endif
