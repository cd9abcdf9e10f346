/* The tables that hyperfine exports, with its columns and its order, for scripts that read them. */
#ifndef TARE_EXCHANGE_HYPERFINE_TABLE_H
#define TARE_EXCHANGE_HYPERFINE_TABLE_H

#include "base/buffer.h"
#include "base/error.h"
#include "model/result.h"

enum hyperfine_table_form {
	HYPERFINE_CSV, /* always in seconds */
	HYPERFINE_MARKDOWN,
	HYPERFINE_ASCIIDOC,
	HYPERFINE_ORGMODE,
	HYPERFINE_TABLE_FORMS
};

struct hyperfine_table_options {
	double unit;    /* in seconds: 1e-3 for milliseconds; 0: by the first command */
	bool by_time;   /* fastest first, else as they were given */
	long reference; /* the subject that the others are relative to; -1: the fastest */
};

/* Subjects without a time are left out. ERROR_NO_DATA: no subject has one. */
int hyperfine_table(const struct result *result, enum hyperfine_table_form form,
                    const struct hyperfine_table_options *options, struct buffer *out, struct error *err);

#endif
