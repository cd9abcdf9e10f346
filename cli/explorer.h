/* tare report --store: a folder of static pages over all that a store holds. */
#ifndef TARE_CLI_EXPLORER_H
#define TARE_CLI_EXPLORER_H

#include "base/error.h"

/* Writes the pages of the store (NULL: that of this folder) into the folder, which is made where it is not there. Time
 * and memory grow with the number of results; one result is in memory at a time, two where they are compared. */
int explorer_write(const char *store, const char *folder, struct error *err);

#endif
