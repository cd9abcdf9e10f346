/* The suite file that `tare init` writes: an example that runs as it is, with a comment for every key. */
#ifndef TARE_CLI_SUITE_EXAMPLE_H
#define TARE_CLI_SUITE_EXAMPLE_H

#include "base/error.h"

#include <stdbool.h>

/* Writes FOLDER/tare.yaml; one that is there already stays, and *written is false. */
int suite_example_write(const char *folder, bool *written, struct error *err);

#endif
