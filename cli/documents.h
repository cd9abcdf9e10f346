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
typedef int document_maker(const struct told *told, struct buffer *out, struct error *err);
typedef int document_saver(const struct told *told, const char *path, struct error *err);

/* What commands make each in their own way; NULL: as others do, or the command has none. */
struct document_makers {
	document_maker *csv; /* NULL: every sample */
	document_maker *markdown, *text, *plan;
	document_saver *plot, *page;
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
	WRITTEN_GATE = 4,    /* it says how the gate stands: written again once a baseline has decided it */
};

/* A row of the table, which ends with an option of NULL. None may share standard output with another. */
struct output {
	const char *option;   /* "--json" */
	size_t offset;        /* of its path in struct document_paths */
	document_maker *make; /* its text; NULL: it saves itself, or is a table of hyperfine's */
	document_saver *save;
	unsigned when; /* WRITTEN_… */
	enum hyperfine_table_form form;
	bool sentences; /* a narrow terminal breaks its lines between words */
};

/* The whole document is the first. */
extern const struct output documents[];

/* Before anything is done: each can be written, two are not one file by whatever names, and one at most goes to
 * standard output. */
int documents_check(const struct document_paths *paths, struct error *err);

/* Whether one of them goes to standard output, so that text must go to standard error. */
bool documents_on_stdout(const struct document_paths *paths);

/* Notes each that is asked for and will not be written; `why` says so: "--list measures nothing". */
void documents_note_idle(const struct document_paths *paths, const char *why);

/* Writes one, where it was asked for; all of them, up to the first that fails. */
int output_save(const struct output *output, const struct document_paths *paths, const struct told *told,
                struct error *err);
int documents_save(const struct document_paths *paths, const struct told *told, struct error *err);

/* Tries each from this one on that `when` has a bit of, or all where it is 0, without those that `but` has one of. What
 * cannot be written is said; *code becomes that of the first. */
void documents_try(const struct output *output, const struct document_paths *paths, const struct told *told,
                   unsigned when, unsigned but, int *code);

/* With a gate (NaN: there is none) the table also goes to the summary page of a GitHub job, where GITHUB_STEP_SUMMARY
 * names it. That the file cannot be written is told, and no failure: the verdict stands. */
int summary_append(const struct told *told, double gate, struct error *err);

#endif
