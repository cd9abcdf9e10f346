/* The documents that commands write: one table of them for run, bench, compare, analyze, report and plan. */
#ifndef TARE_CLI_DOCUMENTS_H
#define TARE_CLI_DOCUMENTS_H

#include "cli/output.h"
#include "exchange/hyperfine_table.h"
#include "model/result.h"

/* Where they go, among the options of a command; NULL: not asked for, or not the command's. */
struct document_paths {
	const char *json, *csv, *export_json, *export_tables[HYPERFINE_TABLE_FORMS]; /* hyperfine's tables */
	const char *html, *graph, *traces, *latex, *markdown, *junit, *metrics, *text, *plot, *page, *plan;
};

struct told;

/* What commands make each in their own way; NULL: as others do, or the command has none. */
struct document_makers {
	int (*csv)(const struct told *told, struct buffer *out, struct error *err); /* NULL: every sample */
	int (*markdown)(const struct told *told, struct buffer *out, struct error *err);
	int (*text)(const struct told *told, struct buffer *out, struct error *err);
	int (*plan)(const struct told *told, struct buffer *out, struct error *err);
	int (*plot)(const struct told *told, const char *path, struct error *err);
	int (*page)(const struct told *told, const char *path, struct error *err);
};

/* What is told, as those who write it see it. */
struct told {
	const struct result *results;
	size_t count;
	const struct document_makers *makers;
	const void *context; /* the makers' */
	struct hyperfine_table_options table;
	bool allow_missing; /* benchmarks may be missing from one side */
	bool unjudged;      /* the verdict is another's: a test report has none, and is no green one */
};

enum {
	WRITTEN_EMPTY = 1,   /* where nothing was measured, too: nobody takes an older file for the answer */
	WRITTEN_VERDICT = 2, /* where others look for the verdict: with a baseline the comparison writes it */
};

/* By struct document_paths, with a struct told as context; the whole document is the first. */
extern const struct output documents[];

#endif
