/* Rows of the tables, one function each; all inside the caller's transaction. */
#ifndef TARE_STORE_ROWS_H
#define TARE_STORE_ROWS_H

#include "store/sql.h"
#include "store/writer.h"

/* An experiment in the state "running", with its machine and tags. */
int rows_experiment(struct store *store, const struct result *result, const struct buffer *document,
                    const struct store_origin *origin, int64_t *id, struct error *err);

/* The row of a machine as it was; made where there is none. `given`: its stratum, or NULL. */
int rows_host(struct store *store, const struct host_info *host, const char *given, int64_t *id, struct error *err);

int rows_subject(struct store *store, int64_t experiment, const struct subject *subject, size_t position,
                 const struct store_program *program, int64_t *id, struct error *err);

/* Without values and estimates. */
int rows_series(struct store *store, int64_t subject, const struct measurement *m, size_t position, int64_t *id,
                struct error *err);

#endif
