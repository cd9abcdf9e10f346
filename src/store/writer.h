/* Saving an experiment while it is measured and when it has ended.
 *
 * States of an experiment: "running" from the first round on, then "done", "interrupted" or "failed". One that stays
 * "running" without its process was killed: all its finished rounds are there (store/loader.h reads them). */
#ifndef TARE_STORE_WRITER_H
#define TARE_STORE_WRITER_H

#include "base/buffer.h"
#include "model/result.h"
#include "store/store.h"

/* What is known of an experiment beside its result. Texts may be NULL. */
struct store_origin {
	const char *metric; /* that the results are judged by */
	const char *commit, *branch;
	int dirty; /* 0, 1; -1: not known */
	const char *const *tags;
	size_t tag_count;
	const struct store_program *programs; /* one per subject, or NULL */
	size_t program_count;
	const char *key;        /* from another store; NULL: a new one is made */
	const int64_t *started; /* ms since 1970; NULL: as the result says */
	const char *stratum;    /* of its machine; NULL: from the result's host record */
};

struct store_writer;

/* Begins an experiment: the subjects and metrics of `result` with all samples that it has already. `document` is the
 * result as JSON without samples, packed; `at` is when, in ms since the start. Everything is one transaction. NULL and
 * err: nothing was written. */
struct store_writer *store_begin(struct store *store, const struct result *result, const struct buffer *document,
                                 const struct store_origin *origin, int64_t at, struct error *err);

/* Adds all samples since the last successful call, as one transaction. After -1 nothing was written, and the next call
 * tries those samples again. */
int store_round(struct store_writer *writer, const struct result *result, int64_t at, struct error *err);

/* A round has ended at `at`; the next call of store_round() or store_finish() adds its samples. */
int store_note_round(struct store_writer *writer, int64_t at, struct error *err);

/* Ends it: samples in blobs, estimates, the final document. The state follows from result->stopped.reason. May be tried
 * again after -1. */
int store_finish(struct store_writer *writer, const struct result *result, const struct buffer *document,
                 struct error *err);

int64_t store_writer_id(const struct store_writer *writer);
void store_writer_free(struct store_writer *writer); /* accepts NULL; before store_close */

/* An experiment that has ended already, in one transaction: 0 and its number, 1 when its key is there already, -1 and
 * err. */
int store_add(struct store *store, const struct result *result, const struct buffer *document,
              const struct store_origin *origin, const int64_t *times, size_t time_count, int64_t *id,
              struct error *err);

/* "cpu, 8 CPUs, kvm": what a machine is called in histories. In the arena; NULL: no memory. */
char *store_stratum(const struct host_info *host, struct arena *arena);

#endif
