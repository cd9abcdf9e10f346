/* Joining the results of several files. */
#ifndef TARE_EXCHANGE_MERGE_H
#define TARE_EXCHANGE_MERGE_H

#include "model/result.h"

/* Names the subjects by a label: the only one gets it as its name, several get it in front. */
int merge_label(struct result *result, const char *label, struct error *err);

/* Moves all of `from` into `into`; `from` is empty after that. Subjects that are there already
 * (same name, program and parameters) get further runs. On failure -1 and err (without a file
 * name), and neither is changed in a way that matters: `into` keeps what it had. */
int merge_results(struct result *into, struct result *from, struct error *err);

#endif
