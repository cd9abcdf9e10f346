/* doctor: check whether this machine is fit to measure, and what to fix. */
#ifndef TARE_MACHINE_DOCTOR_H
#define TARE_MACHINE_DOCTOR_H

#include "base/error.h"
#include "host/host.h"
#include "model/checkup.h"

enum { DOCTOR_LOOK = 500000000 /* ns between the two looks of a usual visit */ };

/* Looks at the machine twice, `look` ns apart, and fills `out` (the caller's: checkup_release) with findings
 * in the order of checkup_order(). `later` is where the second look goes: the same host, or in tests the
 * snapshot that follows. Needs no permission; what cannot be read is a finding that is not known. -1 only
 * for want of memory. */
int doctor_examine(const struct host *host, const struct host *later, int64_t look, struct checkup *out,
                   struct error *err);

#endif
