/* Options that `run`, `bench` and `plan` share, and how they become an experiment. */
#ifndef TARE_CLI_MEASURE_OPTIONS_H
#define TARE_CLI_MEASURE_OPTIONS_H

#include "analysis/whole.h"
#include "cli/documents.h"
#include "cli/options.h"
#include "model/experiment.h"
#include "report/figures.h"

struct suite_use;
struct builds;

struct measure_options {
	const char *design, *stop, *preset, *plan;
	struct text_list metrics, tags;
	const char *confidence;
	double precision, margin, share_margin, gate;
	int64_t max_time, timeout;
	int64_t min_runs, max_runs, runs;
	const char *cpus;
	int64_t seed;
	struct document_paths out;
	bool sort_by_time;     /* the order of hyperfine's tables */
	long export_reference; /* what their last column is relative to; -1: the fastest */
	const char *name, *baseline;
	int64_t replaces; /* the experiment that this one goes on with, in the store; 0: none */
	const char *until, *progress, *color;
	const char *time_unit; /* of times in tables: second, millisecond or microsecond; NULL: by size */
	const char *plot;      /* in the terminal: NULL none, "" those that fit, else this one */
	bool no_save, dry_run, quiet, verbose, ascii, live;
	bool silent;                   /* of run: not even the report */
	bool allow_missing;            /* of bench: a gate may hold although benchmarks vanished */
	const struct suite_use *suite; /* the file that some of it comes from, or NULL */
	struct builds *builds;         /* the build is a level; NULL: it is not */
	bool monitor;
	const char *cut;
	double limit, monitor_rate, monitor_overhead;
	int64_t hold;
	struct text_list plugins, remotes;
	const char *components;
	const char *on, *partition, *fleet, *strata; /* the machines of a cluster measure it */
	int64_t machines, machines_max;
	struct text_list on_options;
	struct text_list placed; /* where the parts of suite files are, for workers of a fleet */
	bool detach;
};

/* Every option at its "not given" value: NaN, 0, -1 or NULL. */
void measure_options_init(struct measure_options *options);

/* Rows of an option table for a struct `type` that holds `struct measure_options measure`. */
#define MEASURE_OPTION(type, field) offsetof(type, measure.field)
#define MEASURE_OPTIONS(type) \
	OPTION_OF(0, "design", "NAME", OPTION_CHOICE, MEASURE_OPTION(type, design), \
	          "auto|solo|shuffled|duet|turns|shared", "auto, solo, shuffled, duet, turns or shared"), \
		OPTION(0, "metric", "NAME", OPTION_LIST, MEASURE_OPTION(type, metrics), \
	           "what to judge by: cpu, wall, net, rss, …"), \
		OPTION(0, "confidence", "PCT", OPTION_TEXT, MEASURE_OPTION(type, confidence), \
	           "of intervals; 99 for comparisons, 95 for one command"), \
		OPTION_WITHIN(0, "precision", "PCT", OPTION_PERCENT, MEASURE_OPTION(type, precision), 1e-4, 1000, \
	                  "half-width to reach (1%)"), \
		OPTION_WITHIN(0, "margin", "PCT", OPTION_PERCENT, MEASURE_OPTION(type, margin), 1e-4, 1000, \
	                  "a difference within it is 'same' (1%)"), \
		OPTION_WITHIN(0, "share-margin", "PCT", OPTION_PERCENT, MEASURE_OPTION(type, share_margin), 1e-4, 100, NULL), \
		OPTION_OF(0, "until", "WHAT", OPTION_CHOICE, MEASURE_OPTION(type, until), "typical|total", NULL), \
		OPTION_OF(0, "stop", "RULE", OPTION_TEXT, MEASURE_OPTION(type, stop), \
	              "auto|precision|verdict|fixed|cv|rciw|kld|rciw+kld", \
	              "auto, precision, verdict, fixed; bench: cv, …"), \
		OPTION(0, "plan", "FILE", OPTION_TEXT, MEASURE_OPTION(type, plan), "follow a plan of 'tare plan'"), \
		OPTION_WITHIN(0, "gate", "PCT", OPTION_PERCENT, MEASURE_OPTION(type, gate), 0, 1000, \
	                  "exit 3 if slower by more, 4 if undecided"), \
		OPTION(0, "max-time", "TIME", OPTION_DURATION, MEASURE_OPTION(type, max_time), \
	           "for the whole experiment (60s; one command: 10s)"), \
		OPTION(0, "timeout", "TIME", OPTION_DURATION, MEASURE_OPTION(type, timeout), \
	           "for one run (10m; an iteration: 10s)"), \
		OPTION_WITHIN('r', "runs", "N", OPTION_INTEGER, MEASURE_OPTION(type, runs), 1, 1e9, "exactly N runs of each"), \
		OPTION_WITHIN('m', "min-runs", "N", OPTION_INTEGER, MEASURE_OPTION(type, min_runs), 1, 1e9, NULL), \
		OPTION_WITHIN('M', "max-runs", "N", OPTION_INTEGER, MEASURE_OPTION(type, max_runs), 1, 1e9, \
	                  "at most N runs of each"), \
		OPTION_OF(0, "preset", "NAME", OPTION_CHOICE, MEASURE_OPTION(type, preset), "quick|normal|strict", \
	              "quick, normal or strict"), \
		OPTION(0, "cpus", "LIST", OPTION_TEXT, MEASURE_OPTION(type, cpus), "CPUs to measure on, like 1 or 2-3"), \
		OPTION_WITHIN(0, "seed", "N", OPTION_INTEGER, MEASURE_OPTION(type, seed), 0, 9e18, NULL), \
		OPTION(0, "monitor", NULL, OPTION_FLAG, MEASURE_OPTION(type, monitor), "watch the machine: what limits?"), \
		OPTION(0, "cut", "NAME", OPTION_TEXT, MEASURE_OPTION(type, cut), \
	           "component under test; another limit is invalid"), \
		OPTION_WITHIN(0, "limit", "PCT", OPTION_PERCENT, MEASURE_OPTION(type, limit), 1, 100, NULL), \
		OPTION(0, "hold", "TIME", OPTION_DURATION, MEASURE_OPTION(type, hold), NULL), \
		OPTION_WITHIN(0, "monitor-rate", "HZ", OPTION_NUMBER, MEASURE_OPTION(type, monitor_rate), 0.01, 1000, NULL), \
		OPTION_WITHIN(0, "monitor-overhead", "PCT", OPTION_PERCENT, MEASURE_OPTION(type, monitor_overhead), 1e-3, 100, \
	                  NULL), \
		OPTION(0, "plugin", "CMD", OPTION_LIST, MEASURE_OPTION(type, plugins), NULL), \
		OPTION(0, "remote", "HOST", OPTION_LIST, MEASURE_OPTION(type, remotes), NULL), \
		OPTION(0, "components", "FILE", OPTION_TEXT, MEASURE_OPTION(type, components), NULL), \
		OPTION(0, "graph", "FILE", OPTION_TEXT, MEASURE_OPTION(type, out.graph), NULL), \
		OPTION(0, "traces", "FILE", OPTION_TEXT, MEASURE_OPTION(type, out.traces), NULL), \
		OPTION(0, "json", "FILE", OPTION_TEXT, MEASURE_OPTION(type, out.json), \
	           "write the result ('-': standard output)"), \
		OPTION(0, "csv", "FILE", OPTION_TEXT, MEASURE_OPTION(type, out.csv), "write every sample"), \
		OPTION(0, "markdown", "FILE", OPTION_DOCUMENT, MEASURE_OPTION(type, out.markdown), \
	           "write a table for a pull request"), \
		OPTION(0, "html", "FILE", OPTION_TEXT, MEASURE_OPTION(type, out.html), "write a page with plots"), \
		OPTION(0, "junit", "FILE", OPTION_DOCUMENT, MEASURE_OPTION(type, out.junit), NULL), \
		OPTION(0, "latex", "FILE", OPTION_DOCUMENT, MEASURE_OPTION(type, out.latex), NULL), \
		OPTION(0, "export-json", "FILE", OPTION_TEXT, MEASURE_OPTION(type, out.export_json), \
	           "write hyperfine's JSON"), \
		OPTION(0, "name", "NAME", OPTION_TEXT, MEASURE_OPTION(type, name), NULL), \
		OPTION(0, "tag", "TAG", OPTION_LIST, MEASURE_OPTION(type, tags), NULL), \
		OPTION(0, "baseline", "NAME", OPTION_TEXT, MEASURE_OPTION(type, baseline), \
	           "compare with a baseline (tare help history)"), \
		OPTION(0, "no-save", NULL, OPTION_FLAG, MEASURE_OPTION(type, no_save), NULL), \
		OPTION_OF(0, "plot", "NAME", OPTION_OPTIONAL, MEASURE_OPTION(type, plot), FIGURE_NAMES, \
	              "draw the values; NAME: one plot alone"), \
		OPTION(0, "ascii", NULL, OPTION_FLAG, MEASURE_OPTION(type, ascii), NULL), \
		OPTION(0, "dry-run", NULL, OPTION_FLAG, MEASURE_OPTION(type, dry_run), "show the schedule and its time"), \
		OPTION('v', "verbose", NULL, OPTION_FLAG, MEASURE_OPTION(type, verbose), "print every number and every note"), \
		OPTION('q', "quiet", NULL, OPTION_FLAG, MEASURE_OPTION(type, quiet), "no progress, no notes while measuring"), \
		OPTION_OF(0, "progress", "WHEN", OPTION_CHOICE, MEASURE_OPTION(type, progress), "auto|plain|none", NULL), \
		OPTION(0, "live", NULL, OPTION_FLAG, MEASURE_OPTION(type, live), NULL), \
		OPTION_OF(0, "color", "WHEN", OPTION_CHOICE, MEASURE_OPTION(type, color), "auto|always|never", NULL)

/* The same for those that other machines may measure. */
#define FLEET_OPTIONS(type) \
	OPTION(0, "on", "ENGINE", OPTION_TEXT, MEASURE_OPTION(type, on), \
	       "measure on machines of a cluster: slurm[:PART]"), \
		OPTION_WITHIN(0, "machines", "N", OPTION_INTEGER, MEASURE_OPTION(type, machines), 1, 10000, \
	                  "with --on: so many of them (8)"), \
		OPTION_WITHIN(0, "machines-max", "M", OPTION_INTEGER, MEASURE_OPTION(type, machines_max), 1, 10000, NULL), \
		OPTION(0, "partition", "NAME", OPTION_TEXT, MEASURE_OPTION(type, partition), NULL), \
		OPTION(0, "on-option", "OPTION", OPTION_LIST, MEASURE_OPTION(type, on_options), NULL), \
		OPTION_OF(0, "strata", "HOW", OPTION_CHOICE, MEASURE_OPTION(type, strata), "cpu|none", NULL), \
		OPTION(0, "placed", "PART=PATH", OPTION_LIST, MEASURE_OPTION(type, placed), NULL), \
		OPTION(0, "fleet", "DIR", OPTION_TEXT, MEASURE_OPTION(type, fleet), NULL), \
		OPTION(0, "detach", NULL, OPTION_FLAG, MEASURE_OPTION(type, detach), NULL)

/* A level in per cent as a fraction; 0.99 is an error with a hint. */
int measure_parse_confidence(const char *text, double *out, struct error *err);

/* The exit codes of a list like "1,2", in the arena; an error names the option. */
int measure_parse_codes(const char *text, const char *option, struct arena *arena, int **codes, size_t *count,
                        struct error *err);

/* What -i welcomes: NULL nothing, "" or "all-non-zero" what both sides have, else the codes of the list. */
int measure_parse_welcome(const char *text, struct arena *arena, struct welcome *out, struct error *err);

/* The shell that --shell names: "default" is sh; NULL: none. */
const char *measure_shell(const char *given);

/* Checks the values against each other and puts them into the experiment. */
int measure_options_apply(const struct measure_options *options, struct experiment *experiment, struct error *err);

#endif
