/* The tables, and the way from older ones to the present ones. */
#ifndef TARE_STORE_SCHEMA_H
#define TARE_STORE_SCHEMA_H

#include "store/sql.h"

enum { SCHEMA_APPLICATION = 0x54415245 }; /* "TARE", the application_id of a store */

/* Checks that the file is a store that this tare knows; with `write` an empty file gets the tables and an older one
 * is brought forward, in one transaction. */
int schema_prepare(struct store *store, bool write, struct error *err);

#endif
