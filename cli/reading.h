/* Options of the commands that read measurements, and reading them. */
#ifndef TARE_CLI_READING_H
#define TARE_CLI_READING_H

#include "analysis/analysis.h"
#include "cli/options.h"
#include "model/result.h"

#include <math.h>

struct pair_names;

struct reading_options {
	const char *columns, *unit, *format, *better;
	const char *confidence, *method, *state;
	const char *skip;   /* iterations, or a share of them in per cent */
	const char *filter; /* of the names of subjects, where the command has it */
	double margin, share_margin;
	int64_t block;
	int64_t seed;
	struct text_list metrics;
};

#define READING_DEFAULTS ((struct reading_options){.margin = NAN, .share_margin = NAN})

#define READING_OPTION(type, field) offsetof(type, reading.field)
#define READING_METHODS \
	"t|bootstrap|ewc|harmonic|geometric|verdict|fieller|duet-paper|duet-paper-plain|welch|mann-whitney"
#define READING_OPTIONS(type) \
	OPTION(0, "columns", "ROLES", OPTION_TEXT, READING_OPTION(type, columns), \
	       "what a table's columns are, like value=ms,run=pid"), \
		OPTION(0, "unit", "UNIT", OPTION_TEXT, READING_OPTION(type, unit), "of values that have none"), \
		OPTION(0, "format", "NAME", OPTION_TEXT, READING_OPTION(type, format), NULL), \
		OPTION_OF(0, "better", "WHICH", OPTION_CHOICE, READING_OPTION(type, better), "higher|lower", \
	              "higher or lower (from the unit)"), \
		OPTION(0, "metric", "NAME", OPTION_LIST, READING_OPTION(type, metrics), "only these metrics"), \
		OPTION(0, "confidence", "PCT", OPTION_TEXT, READING_OPTION(type, confidence), \
	           "of intervals; 99 for comparisons, 95 for one subject"), \
		OPTION_WITHIN(0, "margin", "PCT", OPTION_PERCENT, READING_OPTION(type, margin), 1e-4, 1000, \
	                  "a difference within it is 'same' (1%)"), \
		OPTION_WITHIN(0, "share-margin", "PCT", OPTION_PERCENT, READING_OPTION(type, share_margin), 1e-4, 100, NULL), \
		OPTION_OF(0, "method", "NAME", OPTION_CHOICE, READING_OPTION(type, method), READING_METHODS, \
	              "another interval (man tare-methods)"), \
		OPTION(0, "skip", "N", OPTION_TEXT, READING_OPTION(type, skip), \
	           "leave out N, or N%, of each run's iterations (auto)"), \
		OPTION_OF(0, "state", "NAME", OPTION_CHOICE, READING_OPTION(type, state), "independent|initialised|never", \
	              NULL), \
		OPTION_WITHIN(0, "block", "N", OPTION_INTEGER, READING_OPTION(type, block), 1, 1e6, NULL), \
		OPTION_WITHIN(0, "seed", "N", OPTION_INTEGER, READING_OPTION(type, seed), 0, 9e18, NULL)

/* Fills the analysis options. */
int reading_analysis(const struct reading_options *options, struct analysis_options *analysis, struct error *err);

/* Reads every file (none: standard input) into one result and drops the metrics and subjects not asked for. `names`: pair keys are
 * kept and numbered by them (exchange/import.h); NULL: they are not. */
int reading_files(const struct reading_options *options, const struct text_list *files, struct pair_names *names,
                  struct result *out, struct error *err);

bool reading_wants(const struct reading_options *options, const char *metric); /* --metric names it, or nothing */

/* Metric, block, confidence, margin and the way of looking as in the result that tare measured, where nothing else was
 * asked for. */
void reading_as_measured(const struct reading_options *options, const struct result *result,
                         struct analysis_options *analysis);

/* The comparisons anew: those that a document of ours has, by the metrics that were asked for, or with
 * analysis->by_benchmark false those with the reference; where it has none, as analyse_comparisons. */
int reading_compare(const struct reading_options *options, struct result *result,
                    const struct analysis_options *analysis, struct error *err);

/* Leaves out the comparisons by metrics that were not asked for. */
void reading_drop_comparisons(const struct reading_options *options, struct result *result);

/* Version, time (where it has none), arguments and seed. */
int reading_describe(struct result *result, int argc, char **argv, uint64_t seed, struct error *err);

#endif
