/* Options that `run`, `bench` and `plan` share, and how they become an experiment. */
#ifndef TARE_CLI_MEASURE_OPTIONS_H
#define TARE_CLI_MEASURE_OPTIONS_H

#include "analysis/whole.h"
#include "cli/documents.h"
#include "cli/options.h"
#include "model/experiment.h"
#include "model/plan.h"
#include "report/figures.h"

#include <math.h>

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
#define MEASURE_DEFAULTS \
	((struct measure_options){.precision = NAN, \
	                          .margin = NAN, \
	                          .share_margin = NAN, \
	                          .gate = NAN, \
	                          .limit = NAN, \
	                          .monitor_rate = NAN, \
	                          .monitor_overhead = NAN, \
	                          .seed = -1, \
	                          .export_reference = -1})

/* Rows of an option table; PLACE(field) is where that field is in the command's structure, which holds `struct
 * measure_options measure`. */
#define MEASURE_OPTIONS(PLACE) \
	OPTION_OF(0, "design", "NAME", OPTION_CHOICE, PLACE(measure.design), "auto|solo|shuffled|duet|turns|shared", \
	          "auto, solo, shuffled, duet, turns or shared"), \
		OPTION(0, "metric", "NAME", OPTION_LIST, PLACE(measure.metrics), "what to judge by: cpu, wall, net, rss, …"), \
		OPTION(0, "confidence", "PCT", OPTION_TEXT, PLACE(measure.confidence), \
	           "of intervals; 99 for comparisons, 95 for one command"), \
		OPTION_WITHIN(0, "precision", "PCT", OPTION_PERCENT, PLACE(measure.precision), 1e-4, 1000, \
	                  "half-width to reach (1%)"), \
		OPTION_WITHIN(0, "margin", "PCT", OPTION_PERCENT, PLACE(measure.margin), 1e-4, 1000, \
	                  "a difference within it is 'same' (1%)"), \
		OPTION_WITHIN(0, "share-margin", "PCT", OPTION_PERCENT, PLACE(measure.share_margin), 1e-4, 100, NULL), \
		OPTION_OF(0, "until", "WHAT", OPTION_CHOICE, PLACE(measure.until), "typical|total", NULL), \
		OPTION_OF(0, "stop", "RULE", OPTION_TEXT, PLACE(measure.stop), \
	              "auto|precision|verdict|fixed|cv|rciw|kld|rciw+kld", \
	              "auto, precision, verdict, fixed; bench: cv, …"), \
		OPTION(0, "plan", "FILE", OPTION_TEXT, PLACE(measure.plan), "follow a plan of 'tare plan'"), \
		OPTION_WITHIN(0, "gate", "PCT", OPTION_PERCENT, PLACE(measure.gate), 0, 1000, \
	                  "exit 3 if slower by more, 4 if undecided"), \
		OPTION(0, "max-time", "TIME", OPTION_DURATION, PLACE(measure.max_time), \
	           "for the whole experiment (60s; one command: 10s)"), \
		OPTION(0, "timeout", "TIME", OPTION_DURATION, PLACE(measure.timeout), "for one run (10m; an iteration: 10s)"), \
		OPTION_WITHIN('r', "runs", "N", OPTION_INTEGER, PLACE(measure.runs), 1, 1e9, "exactly N runs of each"), \
		OPTION_WITHIN('m', "min-runs", "N", OPTION_INTEGER, PLACE(measure.min_runs), 1, 1e9, NULL), \
		OPTION_WITHIN('M', "max-runs", "N", OPTION_INTEGER, PLACE(measure.max_runs), 1, 1e9, \
	                  "at most N runs of each"), \
		OPTION_OF(0, "preset", "NAME", OPTION_CHOICE, PLACE(measure.preset), "quick|normal|strict", \
	              "quick, normal or strict"), \
		OPTION(0, "cpus", "LIST", OPTION_TEXT, PLACE(measure.cpus), "CPUs to measure on, like 1 or 2-3"), \
		OPTION_WITHIN(0, "seed", "N", OPTION_INTEGER, PLACE(measure.seed), 0, 9e18, NULL), \
		OPTION(0, "monitor", NULL, OPTION_FLAG, PLACE(measure.monitor), "watch the machine: what limits?"), \
		OPTION(0, "cut", "NAME", OPTION_TEXT, PLACE(measure.cut), "component under test; another limit is invalid"), \
		OPTION_WITHIN(0, "limit", "PCT", OPTION_PERCENT, PLACE(measure.limit), 1, 100, NULL), \
		OPTION(0, "hold", "TIME", OPTION_DURATION, PLACE(measure.hold), NULL), \
		OPTION_WITHIN(0, "monitor-rate", "HZ", OPTION_NUMBER, PLACE(measure.monitor_rate), 0.01, 1000, NULL), \
		OPTION_WITHIN(0, "monitor-overhead", "PCT", OPTION_PERCENT, PLACE(measure.monitor_overhead), 1e-3, 100, NULL), \
		OPTION(0, "plugin", "CMD", OPTION_LIST, PLACE(measure.plugins), NULL), \
		OPTION(0, "remote", "HOST", OPTION_LIST, PLACE(measure.remotes), NULL), \
		OPTION(0, "components", "FILE", OPTION_TEXT, PLACE(measure.components), NULL), \
		OPTION(0, "graph", "FILE", OPTION_TEXT, PLACE(measure.out.graph), NULL), \
		OPTION(0, "traces", "FILE", OPTION_TEXT, PLACE(measure.out.traces), NULL), \
		OPTION(0, "json", "FILE", OPTION_TEXT, PLACE(measure.out.json), "write the result ('-': standard output)"), \
		OPTION(0, "csv", "FILE", OPTION_TEXT, PLACE(measure.out.csv), "write every sample"), \
		OPTION(0, "markdown", "FILE", OPTION_DOCUMENT, PLACE(measure.out.markdown), \
	           "write a table for a pull request"), \
		OPTION(0, "html", "FILE", OPTION_TEXT, PLACE(measure.out.html), "write a page with plots"), \
		OPTION(0, "junit", "FILE", OPTION_DOCUMENT, PLACE(measure.out.junit), NULL), \
		OPTION(0, "latex", "FILE", OPTION_DOCUMENT, PLACE(measure.out.latex), NULL), \
		OPTION(0, "export-json", "FILE", OPTION_TEXT, PLACE(measure.out.export_json), "write hyperfine's JSON"), \
		OPTION(0, "name", "NAME", OPTION_TEXT, PLACE(measure.name), NULL), \
		OPTION(0, "tag", "TAG", OPTION_LIST, PLACE(measure.tags), NULL), \
		OPTION(0, "baseline", "NAME", OPTION_TEXT, PLACE(measure.baseline), \
	           "compare with a baseline (tare help history)"), \
		OPTION(0, "no-save", NULL, OPTION_FLAG, PLACE(measure.no_save), NULL), \
		OPTION_OF(0, "plot", "NAME", OPTION_OPTIONAL, PLACE(measure.plot), FIGURE_NAMES, \
	              "draw the values; NAME: one plot alone"), \
		OPTION(0, "ascii", NULL, OPTION_FLAG, PLACE(measure.ascii), NULL), \
		OPTION(0, "dry-run", NULL, OPTION_FLAG, PLACE(measure.dry_run), "show the schedule and its time"), \
		OPTION('v', "verbose", NULL, OPTION_FLAG, PLACE(measure.verbose), "print every number and every note"), \
		OPTION('q', "quiet", NULL, OPTION_FLAG, PLACE(measure.quiet), "no progress, no notes while measuring"), \
		OPTION_OF(0, "progress", "WHEN", OPTION_CHOICE, PLACE(measure.progress), "auto|plain|none", NULL), \
		OPTION(0, "live", NULL, OPTION_FLAG, PLACE(measure.live), NULL), \
		OPTION_OF(0, "color", "WHEN", OPTION_CHOICE, PLACE(measure.color), "auto|always|never", NULL)

/* The same for those that other machines may measure. */
#define FLEET_OPTIONS(PLACE) \
	OPTION(0, "on", "ENGINE", OPTION_TEXT, PLACE(measure.on), "measure on machines of a cluster: slurm[:PART]"), \
		OPTION_WITHIN(0, "machines", "N", OPTION_INTEGER, PLACE(measure.machines), 1, 10000, \
	                  "with --on: so many of them (8)"), \
		OPTION_WITHIN(0, "machines-max", "M", OPTION_INTEGER, PLACE(measure.machines_max), 1, 10000, NULL), \
		OPTION(0, "partition", "NAME", OPTION_TEXT, PLACE(measure.partition), NULL), \
		OPTION(0, "on-option", "OPTION", OPTION_LIST, PLACE(measure.on_options), NULL), \
		OPTION_OF(0, "strata", "HOW", OPTION_CHOICE, PLACE(measure.strata), "cpu|none", NULL), \
		OPTION(0, "placed", "PART=PATH", OPTION_LIST, PLACE(measure.placed), NULL), \
		OPTION(0, "fleet", "DIR", OPTION_TEXT, PLACE(measure.fleet), NULL), \
		OPTION(0, "detach", NULL, OPTION_FLAG, PLACE(measure.detach), NULL)

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

/* Reads the plan of --plan and makes the experiment follow it: precision and stop rule, or the budget, unless the user
 * gave them. `plan` is initialised by the caller and stays the experiment's until repeat_plan_release(). path NULL: nothing
 * happens. */
int measure_follow_plan(const char *path, struct repeat_plan *plan, bool stop_given, bool time_given,
                        struct experiment *experiment, struct error *err);

#endif
