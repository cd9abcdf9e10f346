/* The document of `tare analyze --replay --json`: "schema", "replay" with a row for each rule and each benchmark's
 * outcome. */
#ifndef TARE_EXCHANGE_REPLAY_DOCUMENT_H
#define TARE_EXCHANGE_REPLAY_DOCUMENT_H

#include "base/buffer.h"
#include "model/replay.h"

struct replay_document {
	double confidence;
	const struct replay_row *rows; /* by rule */
	size_t rules, benchmarks;
	const struct replay_outcome *outcomes; /* rule × stride + benchmark */
	size_t stride;
	const char *const *names; /* of benchmarks */
};

void replay_document_write(const struct replay_document *document, struct buffer *out);

#endif
