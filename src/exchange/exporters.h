/* What the exporters share. */
#ifndef TARE_EXCHANGE_EXPORTERS_H
#define TARE_EXCHANGE_EXPORTERS_H

#include "exchange/export.h"
#include "exchange/json_write.h"
#include "base/map.h"

/* Names, each once: "cpu, rss". */
struct export_names {
	struct map known;
	struct buffer text;
};

struct exporting {
	const struct result *result;
	struct buffer *out;
	struct buffer *notes;               /* or NULL */
	struct map said;                    /* notes that are there already */
	struct map written;                 /* scopes and names, see export_unique_name() */
	struct export_names lost, unitless; /* metrics, see export_note_lost() and export_note_unit() */
	struct error *err;
};

/* All but csv get subjects that have a value. */
int export_bmf(struct exporting *exporting);
int export_csv(struct exporting *exporting);
int export_gbench(struct exporting *exporting);
int export_gha(struct exporting *exporting);
int export_go(struct exporting *exporting);
int export_hyperfine(struct exporting *exporting);
int export_jmh(struct exporting *exporting);
int export_pyperf(struct exporting *exporting);

/* Says once what could not be kept. */
void export_note(struct exporting *exporting, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A metric that the format has no place for; one note names all of them. */
void export_note_lost(struct exporting *exporting, const char *metric);

/* A metric whose unit the format has no place for; one note names all of them. */
void export_note_unit(struct exporting *exporting, const char *metric);

/* ERROR_USAGE: the format cannot hold the subject; returns -1. */
int export_cannot(struct exporting *exporting, const struct subject *subject, const char *why);

/* The metric of that name if it is in that unit, else NULL. */
const struct measurement *export_metric_in(const struct subject *subject, const char *name, const char *unit);

/* The metric that a format for one metric gets: "wall", else the first in seconds; NULL where "wall" is in another
 * unit or nothing is in seconds. */
const struct measurement *export_time_metric(const struct subject *subject);

/* ERROR_USAGE: the format needs a time in seconds, and the subject has none; returns -1. */
int export_no_time(struct exporting *exporting, const struct subject *subject, const char *format);

/* *out becomes the stem and the rest, with the mark and a number from 2 on between them ("stem #2 rest" for " #") where
 * that name was given before in the scope. -1 and exporting->err when out of memory. */
int export_unique_name(struct exporting *exporting, const char *scope, const char *stem, const char *mark,
                       const char *rest, struct buffer *out);

/* The name with its parameters, for formats that have no other place for them; unique, so ask once for each subject. */
int export_full_name(struct exporting *exporting, const struct subject *subject, struct buffer *out);

/* A note where tare left out a warm-up: who reads the file gets other means. */
void export_note_warmup(struct exporting *exporting, const struct measurement *m);

/* The same, and a note for a format with runs of one value and no other levels. */
void export_note_levels(struct exporting *exporting, const struct measurement *m);

/* A note where who reads this name and unit takes another direction for the better one than the metric has. */
void export_note_better(struct exporting *exporting, const struct metric *metric, const char *name, const char *unit);

/* Plain numbers of the values that are not lost; all NaN when there is none. */
struct export_summary {
	size_t n;
	double mean, sd, median, min, max; /* sd NaN for one value */
};
int export_summary(const struct series *series, struct export_summary *out, struct error *err);

/* The level whose groups are written as runs: runs, else what is right outside the innermost. */
unsigned export_run_level(const struct series *series);

/* The values as [[…],[…]], an array for each run; levels outside the run and inside it are joined. */
void export_runs(struct json_writer *writer, const struct series *series);

#endif
