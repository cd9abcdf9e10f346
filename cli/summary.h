/* The summary page of a GitHub job. */
#ifndef TARE_CLI_SUMMARY_H
#define TARE_CLI_SUMMARY_H

#include "cli/documents.h"

/* With a gate (NaN: there is none) the table also goes there, where GITHUB_STEP_SUMMARY names it. That the file cannot be
 * written is told, and no failure: the verdict stands. */
int summary_append(const struct told *told, double gate, struct error *err);

#endif
