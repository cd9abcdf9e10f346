/* The words of JSON: what json_read.c builds its tree from, with line and column. */
#ifndef TARE_EXCHANGE_JSON_SCAN_H
#define TARE_EXCHANGE_JSON_SCAN_H

#include "base/buffer.h"
#include "exchange/json_read.h"

struct json_scan {
	struct input *input;
	struct error *err;
	long line;
	uint64_t line_start, slid; /* offsets in the whole text: of the line, of the window's first byte */
	struct buffer text;        /* the last text or key */
};

/* The next byte that is not white space, which stays; -1 at the end, -2 on failure. */
int json_scan_next(struct json_scan *scan);

/* A text after its opening quote, into scan->text. */
int json_scan_characters(struct json_scan *scan);

/* A number, true, false or null that begins here. */
int json_scan_scalar(struct json_scan *scan, struct node *out);

/* ERROR_INPUT at this place; returns -1. */
int json_scan_bad(struct json_scan *scan, const char *what);

#endif
