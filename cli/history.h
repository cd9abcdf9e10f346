/* tare history: its options, and its subcommands, one file each. */
#ifndef TARE_CLI_HISTORY_H
#define TARE_CLI_HISTORY_H

#include "cli/options.h"
#include "model/history.h"
#include "report/table.h"
#include "store/query.h"

struct history_options {
	const char *store, *subject, *metric, *host, *name, *since, *until, *csv, *color;
	const char *columns, *unit, *better, *output;
	int64_t keep;
	double min_change, alpha;
	int64_t min_points;
	struct text_list tags;
	int64_t limit;
	bool ascii, all, dry_run, force;
};

/* What the command line leaves unsaid. */
#define HISTORY_DEFAULTS ((struct history_options){.min_change = 0.01, .alpha = 0.01, .min_points = 5})

/* Each gets the arguments after its own name; -1 and err. */
int history_list(const struct history_options *options, const struct text_list *arguments, struct error *err);
int history_show(const struct history_options *options, const struct text_list *arguments, struct error *err);
int history_trend(const struct history_options *options, const struct text_list *arguments, struct error *err);
int history_changes(const struct history_options *options, const struct text_list *arguments, struct error *err);
int history_import(const struct history_options *options, const struct text_list *arguments, struct error *err);
int history_verify(const struct history_options *options, const struct text_list *arguments, struct error *err);
int history_prune(const struct history_options *options, const struct text_list *arguments, struct error *err);
int history_merge(const struct history_options *options, const struct text_list *arguments, struct error *err);
int history_export(const struct history_options *options, const struct text_list *arguments, struct error *err);
int history_baseline(const struct history_options *options, const struct text_list *arguments, struct error *err);

/* The histories that the options choose, with their changes. Release it. */
int history_load(const struct history_options *options, struct history *out, struct error *err);

/* The store that the options name, or that of this folder. */
struct store *history_open(const struct history_options *options, enum store_mode mode, struct error *err);

/* The filter that the options make. */
int history_filter(const struct history_options *options, struct store_filter *filter, struct error *err);

/* A table to standard output, or as CSV to --csv; `empty` is said where it has no rows. */
int history_print(const struct history_options *options, const struct table *table, const char *empty,
                  struct error *err);

/* The experiments that arguments name, or without them those that the filter lets through, newest first; every one when
 * the options limit nothing. SCOPED(chosen) int64_t *ids are freed. */
void chosen_release(int64_t **ids);
int history_chosen(struct store *store, const struct history_options *options, const struct text_list *arguments,
                   int64_t **ids, size_t *count, struct error *err);

/* The experiment that an argument names, with or without '@'. */
int history_find(struct store *store, const char *argument, int64_t *id, struct error *err);

#endif
