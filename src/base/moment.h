/* Points in time as people and files write them. */
#ifndef TARE_BASE_MOMENT_H
#define TARE_BASE_MOMENT_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { MOMENT_TEXT = 32 };

/* Milliseconds since 1970 (UTC) from "2026-02-03T14:05:06Z", "2026-02-03 14:05:06.5 +0100", "2026.02.03 3:00", a day
 * alone ("2026-02-03", also "20260203" and "2026-02-03-080000") or seconds or milliseconds since 1970 ("1609466400"). A
 * time without zone is UTC. -1 and err (ERROR_INPUT). */
int moment_parse(const char *text, int64_t *milliseconds, struct error *err);

/* "2026-02-03 14:05" (16 columns) in UTC, or RFC 3339 with seconds. */
char *moment_short(int64_t milliseconds, char text[MOMENT_TEXT]);
char *moment_text(int64_t milliseconds, char text[MOMENT_TEXT]);

#endif
