/* The pages of an explorer: a folder of static pages over a store. index.html lists what was measured; r/ID.html is a
 * result, s/N.html a subject's metric on one machine with all its results, changes.html what changed. */
#ifndef TARE_REPORT_HTML_EXPLORER_H
#define TARE_REPORT_HTML_EXPLORER_H

#include "base/buffer.h"
#include "base/error.h"
#include "model/history.h"

struct explorer_row {
	int64_t id, started;                                                   /* ms since 1970 */
	const char *name, *subject, *metric, *commit, *tags, *stratum, *state; /* "" where not known */
	int64_t subjects;
	bool has_page; /* r/ID.html is there */
};

/* What a comparison of two results of one series showed. */
struct explorer_verdict {
	size_t series, point; /* of the newer result */
	int64_t old;
	const char *baseline; /* its name; NULL: the result before */
	enum verdict verdict;
	const char *words; /* the change with its interval; NULL: too few values for one */
};

struct explorer {
	const struct explorer_row *rows; /* newest first */
	size_t count;
	const struct history *history;
	const struct explorer_verdict *verdicts; /* by series and point */
	size_t verdict_count;
};

int html_explorer_index(const struct explorer *explorer, struct buffer *out, struct error *err);
int html_explorer_series(const struct explorer *explorer, size_t series, struct buffer *out, struct error *err);

#endif
