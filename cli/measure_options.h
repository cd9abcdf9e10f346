/* Options that `run`, `bench` and `plan` share, and how they become an experiment. */
#ifndef TARE_CLI_MEASURE_OPTIONS_H
#define TARE_CLI_MEASURE_OPTIONS_H

#include "analysis/whole.h"
#include "cli/options.h"
#include "exchange/hyperfine_table.h"
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
	const char *json, *csv, *markdown, *export_json, *html, *junit, *latex;
	const char *export_tables[HYPERFINE_TABLE_FORMS]; /* of run: hyperfine's tables */
	bool sort_by_time;                                /* their order */
	long export_reference;                            /* what their last column is relative to; -1: the fastest */
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
	const char *components, *graph, *traces;
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
	{0, \
	 "design", \
	 "NAME", \
	 OPTION_CHOICE, \
	 MEASURE_OPTION(type, design), \
	 "auto, solo, shuffled, duet, turns or shared", \
	 0, \
	 0, \
	 "auto|solo|shuffled|duet|turns|shared", \
	 0}, \
		{0, "metric", "NAME", OPTION_LIST, MEASURE_OPTION(type, metrics), "what to judge by: cpu, wall, net, rss, …", 0, \
	     0, NULL,     0}, \
		{0, \
	     "confidence", \
	     "PCT", \
	     OPTION_TEXT, \
	     MEASURE_OPTION(type, confidence), \
	     "of intervals; 99 for comparisons, 95 for one command", \
	     0, \
	     0, \
	     NULL, \
	     0}, \
		{0,    "precision", "PCT", OPTION_PERCENT, MEASURE_OPTION(type, precision), "half-width to reach (1%)", 1e-4, \
	     1000, NULL,        0}, \
		{0, \
	     "margin", \
	     "PCT", \
	     OPTION_PERCENT, \
	     MEASURE_OPTION(type, margin), \
	     "a difference within it is 'same' (1%)", \
	     1e-4, \
	     1000, \
	     NULL, \
	     0}, \
		{0, "share-margin", "PCT", OPTION_PERCENT, MEASURE_OPTION(type, share_margin), NULL, 1e-4, 100, NULL, 0}, \
		{0, "until", "WHAT", OPTION_CHOICE, MEASURE_OPTION(type, until), NULL, 0, 0, "typical|total", 0}, \
		{0, \
	     "stop", \
	     "RULE", \
	     OPTION_TEXT, \
	     MEASURE_OPTION(type, stop), \
	     "auto, precision, verdict, fixed; bench: cv, …", \
	     0, \
	     0, \
	     "auto|precision|verdict|fixed|cv|rciw|kld|rciw+kld", \
	     0}, \
		{0, "plan", "FILE", OPTION_TEXT, MEASURE_OPTION(type, plan), "follow a plan of 'tare plan'", 0, 0, NULL, 0}, \
		{0,    "gate", "PCT", OPTION_PERCENT, MEASURE_OPTION(type, gate), "exit 3 if slower by more, 4 if undecided", 0, \
	     1000, NULL,   0}, \
		{0, \
	     "max-time", \
	     "TIME", \
	     OPTION_DURATION, \
	     MEASURE_OPTION(type, max_time), \
	     "for the whole experiment (60s; one command: 10s)", \
	     0, \
	     0, \
	     NULL, \
	     0}, \
		{0, \
	     "timeout", \
	     "TIME", \
	     OPTION_DURATION, \
	     MEASURE_OPTION(type, timeout), \
	     "for one run (10m; an iteration: 10s)", \
	     0, \
	     0, \
	     NULL, \
	     0}, \
		{'r', "runs", "N", OPTION_INTEGER, MEASURE_OPTION(type, runs), "exactly N runs of each", 1, 1e9, NULL, 0}, \
		{'m', "min-runs", "N", OPTION_INTEGER, MEASURE_OPTION(type, min_runs), NULL, 1, 1e9, NULL, 0}, \
		{'M', "max-runs", "N", OPTION_INTEGER, MEASURE_OPTION(type, max_runs), "at most N runs of each", 1, \
	     1e9, NULL,       0}, \
		{0, \
	     "preset", \
	     "NAME", \
	     OPTION_CHOICE, \
	     MEASURE_OPTION(type, preset), \
	     "quick, normal or strict", \
	     0, \
	     0, \
	     "quick|normal|strict", \
	     0}, \
		{0, "cpus", "LIST", OPTION_TEXT, MEASURE_OPTION(type, cpus), "CPUs to measure on, like 1 or 2-3", 0, \
	     0, NULL,   0}, \
		{0, "seed", "N", OPTION_INTEGER, MEASURE_OPTION(type, seed), NULL, 0, 9e18, NULL, 0}, \
		{0, "monitor", NULL, OPTION_FLAG, MEASURE_OPTION(type, monitor), "watch the machine: what limits?", 0, \
	     0, NULL,      0}, \
		{0, "cut", "NAME", OPTION_TEXT, MEASURE_OPTION(type, cut), "component under test; another limit is invalid", 0, \
	     0, NULL,  0}, \
		{0, "limit", "PCT", OPTION_PERCENT, MEASURE_OPTION(type, limit), NULL, 1, 100, NULL, 0}, \
		{0, "hold", "TIME", OPTION_DURATION, MEASURE_OPTION(type, hold), NULL, 0, 0, NULL, 0}, \
		{0, "monitor-rate", "HZ", OPTION_NUMBER, MEASURE_OPTION(type, monitor_rate), NULL, 0.01, 1000, NULL, 0}, \
		{0, "monitor-overhead", "PCT", OPTION_PERCENT, MEASURE_OPTION(type, monitor_overhead), NULL, 1e-3, 100, NULL, \
	     0}, \
		{0, "plugin", "CMD", OPTION_LIST, MEASURE_OPTION(type, plugins), NULL, 0, 0, NULL, 0}, \
		{0, "remote", "HOST", OPTION_LIST, MEASURE_OPTION(type, remotes), NULL, 0, 0, NULL, 0}, \
		{0, "components", "FILE", OPTION_TEXT, MEASURE_OPTION(type, components), NULL, 0, 0, NULL, 0}, \
		{0, "graph", "FILE", OPTION_TEXT, MEASURE_OPTION(type, graph), NULL, 0, 0, NULL, 0}, \
		{0, "traces", "FILE", OPTION_TEXT, MEASURE_OPTION(type, traces), NULL, 0, 0, NULL, 0}, \
		{0, "json", "FILE", OPTION_TEXT, MEASURE_OPTION(type, json), "write the result ('-': standard output)", 0, \
	     0, NULL,   0}, \
		{0, "csv", "FILE", OPTION_TEXT, MEASURE_OPTION(type, csv), "write every sample", 0, 0, NULL, 0}, \
		{0, "markdown", "FILE", OPTION_DOCUMENT, MEASURE_OPTION(type, markdown), "write a table for a pull request", 0, \
	     0, NULL,       0}, \
		{0, "html", "FILE", OPTION_TEXT, MEASURE_OPTION(type, html), "write a page with plots", 0, 0, NULL, 0}, \
		{0, "junit", "FILE", OPTION_DOCUMENT, MEASURE_OPTION(type, junit), NULL, 0, 0, NULL, 0}, \
		{0, "latex", "FILE", OPTION_DOCUMENT, MEASURE_OPTION(type, latex), NULL, 0, 0, NULL, 0}, \
		{0, "export-json", "FILE", OPTION_TEXT, MEASURE_OPTION(type, export_json), "write hyperfine's JSON", 0, \
	     0, NULL,          0}, \
		{0, "name", "NAME", OPTION_TEXT, MEASURE_OPTION(type, name), NULL, 0, 0, NULL, 0}, \
		{0, "tag", "TAG", OPTION_LIST, MEASURE_OPTION(type, tags), NULL, 0, 0, NULL, 0}, \
		{0, \
	     "baseline", \
	     "NAME", \
	     OPTION_TEXT, \
	     MEASURE_OPTION(type, baseline), \
	     "compare with a baseline (tare help history)", \
	     0, \
	     0, \
	     NULL, \
	     0}, \
		{0, "no-save", NULL, OPTION_FLAG, MEASURE_OPTION(type, no_save), NULL, 0, 0, NULL, 0}, \
		{0, \
	     "plot", \
	     "NAME", \
	     OPTION_OPTIONAL, \
	     MEASURE_OPTION(type, plot), \
	     "draw the values; NAME: one plot alone", \
	     0, \
	     0, \
	     FIGURE_NAMES, \
	     0}, \
		{0, "ascii", NULL, OPTION_FLAG, MEASURE_OPTION(type, ascii), NULL, 0, 0, NULL, 0}, \
		{0, "dry-run", NULL, OPTION_FLAG, MEASURE_OPTION(type, dry_run), "show the schedule and its time", 0, \
	     0, NULL,      0}, \
		{'v', "verbose", NULL, OPTION_FLAG, MEASURE_OPTION(type, verbose), "print every number and every note", 0, \
	     0,   NULL,      0}, \
		{'q', "quiet", NULL, OPTION_FLAG, MEASURE_OPTION(type, quiet), "no progress, no notes meanwhile", 0, \
	     0,   NULL,    0}, \
		{0, "progress", "WHEN", OPTION_CHOICE, MEASURE_OPTION(type, progress), NULL, 0, 0, "auto|plain|none", 0}, \
		{0, "live", NULL, OPTION_FLAG, MEASURE_OPTION(type, live), NULL, 0, 0, NULL, 0}, \
	{ \
		0, "color", "WHEN", OPTION_CHOICE, MEASURE_OPTION(type, color), NULL, 0, 0, "auto|always|never", 0 \
	}

/* The same for those that other machines may measure. */
#define FLEET_OPTIONS(type) \
	{0, "on", "ENGINE", OPTION_TEXT, MEASURE_OPTION(type, on), "measure on machines of a cluster: slurm[:PART]", 0, \
	 0, NULL, 0}, \
		{0,     "machines", "N", OPTION_INTEGER, MEASURE_OPTION(type, machines), "with --on: so many of them (8)", 1, \
	     10000, NULL,       0}, \
		{0, "machines-max", "M", OPTION_INTEGER, MEASURE_OPTION(type, machines_max), NULL, 1, 10000, NULL, 0}, \
		{0, "partition", "NAME", OPTION_TEXT, MEASURE_OPTION(type, partition), NULL, 0, 0, NULL, 0}, \
		{0, "on-option", "OPTION", OPTION_LIST, MEASURE_OPTION(type, on_options), NULL, 0, 0, NULL, 0}, \
		{0, "strata", "HOW", OPTION_CHOICE, MEASURE_OPTION(type, strata), NULL, 0, 0, "cpu|none", 0}, \
		{0, "placed", "PART=PATH", OPTION_LIST, MEASURE_OPTION(type, placed), NULL, 0, 0, NULL, 0}, \
		{0, "fleet", "DIR", OPTION_TEXT, MEASURE_OPTION(type, fleet), NULL, 0, 0, NULL, 0}, \
	{ \
		0, "detach", NULL, OPTION_FLAG, MEASURE_OPTION(type, detach), NULL, 0, 0, NULL, 0 \
	}

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
