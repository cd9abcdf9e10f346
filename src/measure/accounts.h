/* From the spawner's report to an outcome: status, words and numbers. */
#ifndef TARE_MEASURE_ACCOUNTS_H
#define TARE_MEASURE_ACCOUNTS_H

#include "measure/trial.h"

/* The outcome must have been initialised. */
void accounts_take(const struct host *host, const struct trial_request *request, const struct command_report *report,
                   struct outcome *outcome);

#endif
