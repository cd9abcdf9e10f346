/* The calibration that is kept for this machine. */
#ifndef TARE_CLI_CALIBRATION_FILE_H
#define TARE_CLI_CALIBRATION_FILE_H

#include "base/error.h"
#include "model/calibration.h"

enum { CALIBRATION_PATH = 4096 };

/* Reads it into an initialised one: 1, or 0 when there is none for this machine as it is now (nothing is said of a file
 * that cannot be read: it is made anew by `tare calibrate`). */
int calibration_load(struct calibration *out);

/* Keeps it, with the programs of the one kept before that it does not have; `path` says where. */
int calibration_save(struct calibration *calibration, char path[CALIBRATION_PATH], struct error *err);

#endif
