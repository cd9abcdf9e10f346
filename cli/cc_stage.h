/* tare in the place of a linker, for `tare cc`. */
#ifndef TARE_CLI_CC_STAGE_H
#define TARE_CLI_CC_STAGE_H

#include <stdbool.h>

/* Whether this process was started under the name of a linker by a compiler that `tare cc` has started. */
bool cc_stage_is_meant(const char *name);

/* Becomes the linker; the exit code when that fails. */
int cc_stage_main(int argc, char **argv);

#endif
