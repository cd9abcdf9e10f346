/* The result document "tare/1": a struct result as JSON and back.
 *
 * What is written and read back is the same result, every field of it. Keys beyond the
 * contract (median_ci, base_index, sample_levels, …) are additions that a reader may ignore. */
#ifndef TARE_EXCHANGE_DOCUMENT_H
#define TARE_EXCHANGE_DOCUMENT_H

#include "base/buffer.h"
#include "exchange/json_read.h"
#include "model/result.h"

/* The document as text, appended to the buffer; -1 and err when memory ran out. */
int document_write(const struct result *result, struct buffer *out, struct error *err);

/* The same without samples and the order of the design's pairs, which the store keeps in another form; packed by gzip. */
int document_write_frame(const struct result *result, struct buffer *out, struct error *err);

/* The name, the start and the design alone, not packed: of a result that the rows of the store tell whole but for
 * these. */
int document_write_outline(const struct result *result, struct buffer *out, struct error *err);

/* The document into a file that is never left partly written; "-" is standard output. Needs
 * about a megabyte whatever the number of samples. */
int document_save(const struct result *result, const char *path, struct error *err);

/* The same with what the store knows beside it, result->stored, which no other writes. */
int document_save_stored(const struct result *result, const char *path, struct error *err);

/* The document packed by gzip, into a new file for this user alone; with a comment in the gzip header. */
int document_save_packed(const struct result *result, const char *comment, const char *path, struct error *err);

/* The comment of a packed file, appended; nothing behind it is read. -1: ERROR_NO_DATA: there is no file; ERROR_INPUT:
 * it has none. */
int document_comment(const char *path, struct buffer *out, struct error *err);

/* The document into a file for this user alone, in a folder that others can write to as well (file_writer_open_private). */
int document_save_private(const struct result *result, const char *path, struct error *err);

/* Whether a JSON value claims to be such a document. */
bool document_matches(const struct node *root);

/* Fills an empty result from a document. -1 and err (`name` for messages) when it is malformed. */
int document_read(const struct node *root, const char *name, struct result *out, struct error *err);

/* The same from text, plain or packed. */
int document_read_text(const char *text, size_t length, const char *name, struct result *out, struct error *err);

#endif
