/* Which machine this is, as far as measuring goes, and where what is known of it is kept. */
#ifndef TARE_MACHINE_FINGERPRINT_H
#define TARE_MACHINE_FINGERPRINT_H

#include "base/error.h"
#include "host/host.h"
#include "model/calibration.h"

#include <stddef.h>

/* CPU model and count, kernel, virtualisation, quota. The texts are in the arena. -1: no memory. */
int fingerprint_read(const struct host *host, struct arena *arena, struct calibration_machine *out, struct error *err);

bool fingerprint_same(const struct calibration_machine *a, const struct calibration_machine *b);

/* Where calibrations are kept: tare in $XDG_STATE_HOME (~/.local/state). -1 and err when neither is known. */
int fingerprint_folder(char *path, size_t size, struct error *err);

/* The file of this machine's calibration in that folder: calibration-KEY.json, KEY made from the identity, so that another
 * kernel, CPU or quota has another file. -1 and err when there is no such folder. */
int fingerprint_path(const struct calibration_machine *machine, char *path, size_t size, struct error *err);

#endif
