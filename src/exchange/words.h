/* Enums as a document writes them: each one of a few words. */
#ifndef TARE_EXCHANGE_WORDS_H
#define TARE_EXCHANGE_WORDS_H

#include "base/error.h"
#include "exchange/json_read.h"

enum word_kind {
	WORD_DESIGN, /* a place in design_words */
	WORD_LEVEL,
	WORD_BETTER,
	WORD_STEADY,
	WORD_MEAN,
	WORD_VERDICT,
	WORD_SCOPE,
	WORD_GATE,
	WORD_MONITOR,
	WORD_REASON, /* a place in stop_reasons */
	WORD_KINDS
};

/* The number that the word under `key` stands for. An absent or null key leaves *out as it is; any other value than the
 * known words is refused (ERROR_INPUT), for whoever uses an enum does not look whether it is one. */
int words_read(const struct node *object, const char *key, enum word_kind kind, int *out, struct error *err);

#endif
