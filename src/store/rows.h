/* Rows of the tables, one function each; all inside the caller's transaction. */
#ifndef TARE_STORE_ROWS_H
#define TARE_STORE_ROWS_H

#include "store/sql.h"
#include "store/writer.h"

/* What an experiment has when it has ended. */
struct rows_end {
	const char *state;
	const struct buffer *order; /* or NULL: no pairs */
	const struct buffer *times;
	size_t rounds;
};

/* What an experiment was decided by: what its session says, as far as its first subject has it, else `usual`. */
const char *rows_deciding(const struct result *result, const char *usual);

/* An experiment with its machine and tags; in the state "running" without `end`. */
int rows_experiment(struct store *store, const struct result *result, const struct buffer *document,
                    const struct store_origin *origin, const struct rows_end *end, int64_t *id, struct error *err);

/* The row of a machine as it was; made where there is none. `given`: its stratum, or NULL. */
int rows_host(struct store *store, const struct host_info *host, const char *given, int64_t *id, struct error *err);

/* `metric`: what it was judged by; NULL: not known yet. */
int rows_subject(struct store *store, int64_t experiment, const struct subject *subject, size_t position,
                 const struct store_program *program, const char *metric, int64_t *id, struct error *err);

/* Without its values; with `groups`, their levels, it has its estimates as well. */
int rows_series(struct store *store, int64_t subject, const struct measurement *m, size_t position,
                const struct buffer *groups, int64_t *id, struct error *err);

/* The values of a series that has ended. */
int rows_chunks(struct store *store, int64_t id, const struct series *series, struct error *err);

/* Parameters 1 to 7 from `first` on: n, mean, median, low, high, level, groups. */
void rows_bind_estimates(sqlite3_stmt *s, int first, const struct measurement *m, const struct buffer *groups);

#endif
