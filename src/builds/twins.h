/* Commands that are the same program with the same arguments: what is then seen is the machine. */
#ifndef TARE_BUILDS_TWINS_H
#define TARE_BUILDS_TWINS_H

#include "base/error.h"
#include "model/experiment.h"

/* Warns ("same-program") of the first command that is the same as the one it is compared with: equal content of the
 * program's file, equal arguments, environment, folder and hooks. */
int twins_note(const struct experiment *experiment, struct result *result, struct error *err);

#endif
