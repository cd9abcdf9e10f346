/* The result: all that one experiment has measured and concluded, as plain data.
 *
 * It mirrors the JSON document "tare/1" key by key (DESIGN of the document:
 * docs/result.md). Importers fill subjects and series, analysis fills the rest,
 * reports read it. Strings and small arrays live in the result's arena; only the
 * series own memory of their own. A number that is not known is NaN and its
 * `_why` says why (never both unknown and unexplained in a written document). */
#ifndef TARE_MODEL_RESULT_H
#define TARE_MODEL_RESULT_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/map.h"
#include "base/scoped.h"
#include "model/confidence.h"
#include "model/machines.h"
#include "model/monitoring.h"
#include "model/order.h"
#include "model/series.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum better { BETTER_LOWER, BETTER_HIGHER } __attribute__((packed));

struct metric {
	const char *name; /* "wall", "cpu", … or the program's own */
	const char *unit; /* "s", "bytes", "bytes/s", "" for a count, or any other text */
	enum better better;
};

/* A metric of this name, without unit, says how many iterations each value of "wall" is the mean of. It is
 * kept for the slope and not analysed by itself. */
#define METRIC_ITERATIONS "iterations"

/* How the values of a metric are averaged: harmonic for rates of a fixed amount of work. */
enum mean_kind { MEAN_ARITHMETIC, MEAN_HARMONIC, MEAN_GEOMETRIC } __attribute__((packed));

/* The phases of one run's unit readings: set-up, then warm-up, then from … to − 1 the stable phase, then cool-down. */
struct phase {
	size_t from, to; /* equal: no phase dominates, and the run is not used */
	size_t set_up;   /* readings at the start that did next to no work, ≤ from */
};

/* The unit readings of a performance index NAME are the metric NAME.units: every value of every run, with phases. NAME
 * itself has one value a run, the mean of its stable phase. */
#define METRIC_UNITS ".units"

struct level_share {
	enum level level;
	double n;        /* groups at this level; mean count per parent where unbalanced */
	double variance; /* T² of this level; NaN with why */
	double cost;     /* seconds for one repetition without those below it; NaN when not known */
	const char *variance_why;
	struct confidence sd_ci; /* of √T², in the metric's unit */
	struct confidence
		ignored; /* interval of the mean that would be claimed if this level, and all above it, were not there */
};

extern const struct level_share level_share_unknown;

struct mode {
	double center;
	size_t count; /* units in it */
};

enum steady_state { STEADY_UNKNOWN, STEADY_INDEPENDENT, STEADY_INITIALISED, STEADY_NEVER } __attribute__((packed));

/* A change of level that runs have at about the same place, or each at its own. */
struct level_change {
	size_t runs;        /* that have it; 0: none, and the rest says nothing */
	size_t first, last; /* earliest and latest place: iterations before it */
	double ratio;       /* level after over level before, the median of those runs */
	bool gradual;       /* most of them approach the level smoothly */
	bool steps;         /* most of them have several: the ratio is that of all, the place that of the last */
};

/* What the runs showed of it (docs/methods.md). NaN: not looked at. */
struct steady_evidence {
	size_t runs;      /* that were looked at, one at least */
	size_t moving;    /* of them: the level still moves after the warm-up */
	double effect;    /* by how much, at most, as a fraction of the mean; 0: nowhere */
	size_t dependent; /* of them: iterations depend on their neighbours */
	double ljung_box_p,
		autocorrelation;        /* of the run where dependence is plainest; the largest autocorrelation of ranks … */
	size_t lag;                 /* … and where it is */
	bool later_level;           /* the steady part begins where every run changes to another level */
	size_t all_runs;            /* those whose warm-up was looked for: all of them; 0: it was given */
	size_t never;               /* of them: no level lasts */
	struct level_change warmup; /* where the steady part begins */
	struct level_change late;   /* a last level too short to be the steady one */
};

/* What a tool printed of runs whose values it did not keep. */
struct stated_runs {
	size_t n;    /* runs; below 2: nothing was stated */
	double mean; /* of them */
	double sem;  /* standard error of that mean */
};

/* Time of an iteration by least squares through the origin; NaN. */
struct iteration_slope {
	double value;
	const char *why;
	struct confidence ci;
};

/* The mean of all iterations after the warm-up, where one of each run alone is used; else NaN. */
struct all_iterations {
	double mean;
	struct confidence ci;
};

/* What the values are like beside their mean. */
struct description {
	double mad;                  /* of the units: median distance from their median, not multiplied by 1.4826; NaN */
	struct confidence median_ci; /* of the median of runs */
	struct level_share *levels;
	size_t level_count;
	double pooled_sd;              /* of all values as they are; NaN below two */
	struct confidence pooled_ci;   /* what pooling all values as independent would have claimed */
	double unseen_mode;            /* share of runs that a mode may have and still be unseen (95 %) */
	double effective_size;         /* independent values that the values of one run are worth; NaN */
	size_t outliers, far_outliers; /* beyond 1.5 / 3 quartile ranges; marked, never dropped */
	struct mode *modes;            /* between units, lowest first; NULL where there is one: it is at the median */
	size_t mode_count;
	size_t inner_modes;     /* modes inside runs: the commonest count over runs; 0: not known */
	double autocorrelation; /* lag 1, inside runs (or across them when a run is one value) */
	const char *autocorrelation_why;
	size_t subsession; /* values to merge until |lag-1| ≤ 0.1; 0: not found */
	double ties;       /* share of values that another value equals; NaN: not known */
};

/* Of a performance index. */
struct index_goal {
	double wanted;                /* relative half-width that the session was to reach; NaN: none */
	double autocorrelation_limit; /* above it neighbouring readings are merged; NaN: no rule of its own */
	size_t skip_runs;             /* runs left out at the start of the session: its warm-up */
};

/* A table may have a million measurements. What few of them have is behind a pointer, and the others share that nothing
 * is known of it; what several are alike in, as those of one value each, is kept once. Numbers of pairs, runs and
 * iterations take 4 bytes, as a series has no more, and stand where they leave no gap. */
struct measurement {
	struct metric metric;
	struct series series;
	const struct stated_runs *stated; /* never NULL; instead of values: the series has the mean alone */
	double quantum;                   /* clock step of the values; 0: not known */
	const char **order; /* of these pairs, as design.order, where those of other pairs differ; NULL: design.order */
	uint32_t order_count;
	uint32_t pair_set; /* of a paired design: only measurements with the same number are pairs by place */
	size_t lost;       /* values of the source that were infinite or not numbers: they are not in the series */
	/* filled by analysis */
	size_t n; /* values used, after warm-up and without lost ones */
	double mean, median, sd, min, max;
	const char *sd_why;
	struct confidence ci;                /* of the mean */
	const struct description *described; /* never NULL; may be that of others too */
	const double *
		costs; /* [LEVEL_COUNT], never NULL: seconds for one more of each level, without those below it; NaN: not known */
	size_t units;                        /* how many of them; 0: not analysed */
	const struct iteration_slope *slope; /* never NULL */
	enum level unit;                     /* whose repetitions carry the interval */
	enum steady_state steady;
	enum mean_kind mean_kind;
	bool skip_set : 1;   /* `skip` is what the one who measured left out: not looked for again */
	bool skip_found : 1; /* it was found by the analysis, which finds it anew when asked again */
	bool is_count : 1;   /* no success or failure where its values are 0 and 1: other subjects have other ones */
	bool warmed : 1;     /* whoever measured had warmed up: only a step is a reason to leave something out */
	uint32_t iteration;  /* only this one of each run is used, from 1, for iterations are not independent; 0: all */
	size_t skip;         /* iterations left out at the start of each run; where runs differ in that, the most */
	size_t *skips;       /* by run, where each had a warm-up of its own; NULL: `skip` of every run */
	uint32_t skip_count;
	uint32_t phase_count; /* of `phases` */
	const char *steady_why;
	struct steady_evidence *evidence; /* NULL: the runs were not looked at */
	const struct all_iterations *all; /* never NULL */
	/* of a performance index */
	const struct index_goal *index; /* never NULL */
	struct phase *phases;           /* by run, of unit readings; NULL: not looked for */
};

/* The work amount of each round of a session over work amounts. */
#define METRIC_WORK "work"

/* Time over work amount as a line: seconds = alpha + work/speed. */
struct work_result {
	const char *unit, *speed_unit; /* of the amounts, and that per second */
	const char *metric;            /* the time that the line is over: "wall", "cpu", … */
	double low, high;              /* range allowed */
	double shortest, from;         /* seconds and work: rounds with less were not used */
	double wanted;                 /* relative half-width of the speed to reach */
	size_t rounds, used, short_rounds;
	size_t merged; /* neighbouring rounds to merge until what the line leaves is not correlated; 0: not known */
	double speed;  /* work per second in the stable phase; NaN: there is no line at all */
	struct confidence speed_ci;
	double wall_speed; /* the same by wall time, where the line is over another; NaN */
	struct confidence wall_speed_ci;
	double alpha; /* seconds that do not depend on the work */
	struct confidence alpha_ci;
	double curvature_p, r_squared, residual_sd, prediction_error; /* NaN: not known */
	const char *refused; /* why the line says nothing about the command, or NULL */
	const char *instead; /* what to do then */
};

void work_result_init(struct work_result *work); /* zeroed, unknown numbers NaN */
/* The time of the line; an early document does not say: "wall". */
const char *work_result_metric(const struct work_result *work);

/* Time with unit readings over time without them. */
struct overhead_result {
	double ratio;
	struct confidence ci;
	size_t pairs;
};

struct parameter {
	const char *name, *value;
};

/* One build of a subject's program. */
struct build_made {
	uint64_t seed;        /* that it was given */
	double seconds;       /* that it took */
	const char *build_id; /* of the program; "": it has none */
	const char *hash;     /* SHA-256; "": not known */
};

struct failure {
	const char *what; /* "exit 1", "signal 9", "timeout", … */
	size_t run;       /* 0-based */
	int exit_code;    /* the status that it ended with, where that is what failed; 0: something else failed */
};

/* How a benchmark of a harness is repeated, and which program it was. */
struct benchmark_loop {
	double invocations;           /* in one iteration; 0: not a benchmark */
	double clock_cost, loop_cost; /* seconds taken off each iteration and each invocation; NaN: nothing was */
	const char *hash; /* SHA-256 of the file that a command runs too, after a blank that of a script; NULL: not known */
};

struct subject {
	const char *name;
	const char *title;     /* the name with what tells it from others of that name; NULL: the name */
	const char *command;   /* or NULL */
	const char *benchmark; /* or NULL */
	const char *program;   /* or NULL */
	size_t side;           /* that it belongs to in design.order; NO_SIDE: its place among the subjects */
	const char *metric;    /* what a benchmark is judged by, or a command where that was asked for; or NULL */
	const struct benchmark_loop *loop; /* never NULL */
	struct parameter *parameters;
	uint32_t parameter_count, failure_count, build_count, metric_count;
	const char *
		unfinished; /* how its session ended before its time: "interrupted", "killed", "failed", or "running"; NULL: it did not */
	size_t runs : 63;  /* that were begun, where some have no values; 0: those that have */
	bool repeated : 1; /* another of its source came before it under the same name */
	struct failure *failures;
	struct build_made *builds; /* where the build is a level: one for each, in the order of the samples */
	struct measurement *metrics;
	struct work_result *work;         /* of a session over work amounts, or NULL */
	struct overhead_result *overhead; /* what its unit readings cost, or NULL: not measured */
};

enum verdict { VERDICT_UNDECIDED, VERDICT_FASTER, VERDICT_SLOWER, VERDICT_MIXED, VERDICT_SAME } __attribute__((packed));
enum scope { SCOPE_NONE, SCOPE_TYPICAL, SCOPE_TOTAL } __attribute__((packed));

/* Of a duet: time at once over time alone; NaN. */
struct interference {
	double base, new_;
	struct confidence base_ci, new_ci;
};

extern const struct interference interference_none; /* of all comparisons without one */

extern const struct pair_findings pair_findings_none;
extern const struct gate_findings gate_findings_none;

/* What a gate says: neither is shown; worse by more than the limit; shown to stay within it; not measured whole. */
enum gate { GATE_NONE, GATE_OPEN, GATE_BROKEN, GATE_HELD, GATE_FAILED } __attribute__((packed));

/* What pairs alone show. */
struct pair_findings {
	double share_base, share_new, share_difference; /* NaN without pairs */
	const char *share_why;
	struct confidence share_ci;
	double order_effect; /* log ratio; in a duet what the first CPU adds; NaN */
	double order_half;   /* half-width of its interval at the level of the comparison; NaN */
	const char *order_effect_why;
	double total_over_typical;  /* how many times wider total is than typical; NaN */
	double shuffle_width_ratio; /* NaN */
	const char *shuffle_why;
};

struct gate_findings {
	double limit;         /* worst change allowed, a fraction; NaN */
	struct confidence ci; /* the interval of the ratio that the gate was decided by, or waits for */
};

/* New over base. */
struct ratio_estimate {
	double ratio;
	const char *why;
	struct confidence ci;
};

/* As struct measurement: there may be a million of them. Without pairs the total is what is shown, and kept once. */
struct comparison {
	const char *metric;
	uint32_t base, new_; /* indices into subjects; UINT32_MAX: not known */
	union {
		struct {
			double ratio; /* new over base: typical where there are pairs, else total */
			const char *ratio_why;
			struct confidence ci;
		};
		struct ratio_estimate shown; /* the same three */
	};
	struct ratio_estimate *total;       /* where it is another than that; see comparison_total() */
	const struct pair_findings *paired; /* never NULL; may be that of others too */
	enum verdict verdict;
	enum scope scope;
	enum gate gate;             /* after Holm; NONE: no gate was asked for */
	bool more_time_least;       /* it would take more than more_time */
	bool quick;                 /* fewer runs than a firm statement needs */
	uint16_t rule;              /* edition of the verdict rule that judged it; 0: the first, or another method */
	const char *decided_by;     /* "typical", "total", "share", joined by "+", or NULL */
	const char *unresolved;     /* what an undecided verdict waits for, or NULL */
	double margin;              /* 0.01 */
	size_t pairs, units, block; /* 0, R and 0 without pairs */
	const char *design;
	double more_time; /* seconds that would about decide it; NaN: decided, or not known */
	double p_difference, p_same_typical, p_same_total; /* smallest alpha at which each would be said; NaN */
	double p_value;                                    /* where a test by p value was asked for; NaN */
	const struct interference *interference;           /* never NULL */
	const struct gate_findings *gated;                 /* never NULL */
	const char *gate_why; /* why it is failed or open whatever the numbers say (analysis/whole.h), or NULL */
	double confidence;    /* that was asked for, 0.99; among several comparisons the intervals have more. NaN */
	struct machines_result *machines; /* where the machine is a level; else NULL */
};

/* The gate over all comparisons: what the exit code, the last line and every output tell. */
struct gate_result {
	double limit;    /* 0.02; NaN: no gate was asked for, and the rest says nothing */
	enum gate state; /* of the worst comparison, or of what stands beside them all */
	size_t worst;    /* that comparison; SIZE_MAX: none */
	bool interrupted;
	const char *about; /* the subject that keeps it from holding, or NULL */
	const char *why;   /* why it failed or is open whatever the numbers say, or NULL */
};

struct host_info {
	const char *id;                                      /* which machine it is, as a hash; NULL: not known */
	const char *node;                                    /* its name, where the one who measured gave it; or NULL */
	const char *cpu, *os, *kernel, *virtual_, *governor; /* NULL: not known */
	long cpus;                                           /* 0: not known */
	double load, steal;                                  /* NaN: not known */
};

/* What disturbed the measurement, from before the first to after the last kept run. Shares are fractions; NaN: not
 * known, with the reason behind it. A run counts as disturbed when it was preempted (it waited for a CPU for more than
 * 1 % of its time, or was taken off one), moved to another CPU, or ran at a frequency 2 % off the usual one. */
struct disturbance {
	bool recorded;               /* false: imported data; the rest is then NaN */
	double load_start, load_end; /* processes that run or want to, over a minute */
	const char *load_why;
	double steal; /* of all CPU time: given to others by the hypervisor */
	const char *steal_why;
	double pressure_cpu, pressure_io, pressure_memory; /* of the time: some process had to wait for it */
	const char *pressure_why;
	double throttled_periods, throttled_seconds; /* stopped by the quota of a control group */
	const char *throttled_why;
	double slowed_by_heat; /* times that a CPU measured on slowed down for heat */
	const char *heat_why;
	double frequency_start, frequency_end; /* Hz, of a CPU measured on */
	const char *frequency_why;
	double disturbed; /* of the runs: any of the next three that is known */
	const char *disturbed_why;
	double preempted;
	const char *preempted_why;
	double migrated;
	const char *migrated_why;
	double frequency_changed;
	const char *frequency_changed_why;
	const char *changed; /* what was not the same at the end as at the start; NULL: nothing that is watched */
};

extern const struct disturbance disturbance_none; /* nothing recorded */

/* What this machine was found to see, by an earlier `tare calibrate`. */
struct calibration_quote {
	double change, seconds;       /* the smallest change visible (0.004) in so many seconds; NaN: not known, see why */
	const char *program, *design; /* that it was found with */
	const char *made;             /* when */
	const char *why;              /* why it is not known; NULL: nobody asked */
};

/* How results were measured: enum design_kind (design/fit.h) in its order, then data of others. */
enum { DESIGN_WORDS = 6 };
extern const char *const design_words[DESIGN_WORDS];

struct design_info {
	const char *name; /* "imported" for data of others */
	const char *why;
	enum level levels[LEVEL_COUNT];
	size_t level_count;
	int *cpus;
	size_t cpu_count;
	bool paired;        /* samples at the same place of two subjects are a pair (see pair_set) */
	const char **order; /* one per pair, "AB" or "BA" (duet: the side); NULL: not known */
	size_t order_count;
	const char *metric_why; /* why the deciding metric decides, or NULL */
	bool order_of_runs;     /* an entry of order is for a whole run, not for a pair; runs counted within each subject */
	struct machine_info *machines; /* several: group g of the machine level is machines[g], and `order` is theirs.
	                                * Room for a power of two of them */
	size_t machine_count;          /* 0: not known */
	const char *strata;            /* "none": machines are not grouped; NULL: by their CPU */
};

enum { STOP_REASONS = 8 };
extern const char *const stop_reasons[STOP_REASONS];

struct stopped {
	const char
		*reason; /* one of stop_reasons, in the store also "killed" or "running"; NULL: data of others, or not ended */
	const char *rule;
	long checks;
	double cost; /* share of the time that the rule itself took; 0: not known */
	/* What it takes to judge the samples the same way again; NULL and 0: data of others, or of an early version. */
	const char *looks;  /* what the looks on the way were for: "once", "precision", "verdict" */
	double alpha;       /* of its decisions: 0.01 */
	double weight;      /* the share of it that the kept pairs have, where the first ones were left out; 0: all */
	const char *metric; /* that decides; NULL: each benchmark has its own */
	size_t block;       /* pairs in a unit; 0: the runs are units */
	double margin;      /* of a table; in a document each comparison has its own. 0: not known */
};

struct warning {
	const char *code; /* a short word that stays the same, e.g. "few-runs" */
	const char *text;
	const char *about; /* what the text begins with, or NULL: "subject" or "subject, metric" */
};

/* A file that a subject ran. */
struct program_file {
	const char *path, *build_id, *hash; /* "" where not known */
};

/* What a store knows of an experiment beside its result. Texts are "" where not known. */
struct provenance {
	const char *key, *metric, *machine, *commit, *branch;
	int64_t started; /* ms since 1970 */
	int dirty;       /* 0, 1; -1: not known */
	const char **tags;
	size_t tag_count;
	struct program_file *programs; /* of each subject */
	size_t program_count;
	int64_t *times; /* of the rounds, ms since the start */
	size_t rounds;
};

struct result {
	struct arena arena;
	const char *name; /* of the experiment, or NULL */
	const char *version, *started;
	double elapsed; /* seconds; NaN: not known */
	uint64_t seed; /* of the measurement, or of an analysis of data of others; 0: of measurements with different ones */
	const char **argv;
	size_t argc;
	struct host_info host;
	struct disturbance disturbance;
	struct calibration_quote calibration;
	struct monitoring monitoring;
	struct design_info design;
	struct gate_result gate;
	struct subject *subjects;
	size_t subject_count;
	struct comparison *comparisons;
	size_t comparison_count;
	size_t *ranking; /* subjects, best first, where that was asked for; comparison k is of places k and k + 1 */
	size_t ranking_count;
	struct stopped stopped;
	struct warning *warnings;
	size_t warning_count;
	struct map warning_codes;
	struct map warning_keys;             /* which hold the texts */
	const struct provenance *stored;     /* of a document that was exported from a store; else NULL */
	const struct description *described; /* that was given last; or NULL */
	const struct pair_findings *paired;  /* likewise */
};

/* Zeroed, with every unknown number NaN. */
void result_init(struct result *result);
struct result result_empty(void); /* one that is initialised, for a declaration */
void result_release(struct result *result);

/* Append one element, cleared and with unknown numbers NaN, and return it; NULL when out of
 * memory. Earlier pointers into the same array are no longer valid. `name` and the other
 * strings are copied into the arena. */
struct subject *result_add_subject(struct result *result, const char *name);
struct measurement *result_add_metric(struct result *result, struct subject *subject, const char *name,
                                      const char *unit, enum better better, const enum level *levels, unsigned depth);
/* What a measurement or comparison shares with others becomes a copy of its own, to be written to. NULL: no memory. */
struct iteration_slope *measurement_own_slope(struct result *result, struct measurement *measurement);
struct all_iterations *measurement_own_all(struct result *result, struct measurement *measurement);
struct description *measurement_own_description(struct result *result, struct measurement *measurement);
double *measurement_own_costs(struct result *result, struct measurement *measurement);
struct stated_runs *measurement_own_stated(struct result *result, struct measurement *measurement);
struct index_goal *measurement_own_index(struct result *result, struct measurement *measurement);
struct benchmark_loop *subject_own_loop(struct result *result, struct subject *subject);
struct interference *comparison_own_interference(struct result *result, struct comparison *comparison);
struct gate_findings *comparison_own_gate(struct result *result, struct comparison *comparison);
struct ratio_estimate *comparison_own_total(struct result *result, struct comparison *comparison);
/* Gives it this description, or these findings: those of the one before it, where they are the same. -1: no memory. */
int measurement_describe(struct result *result, struct measurement *measurement, const struct description *described);
int comparison_set_paired(struct result *result, struct comparison *comparison, const struct pair_findings *paired);
/* One more level of a description that is its owner's alone, of which nothing is known; NULL: no memory. */
struct level_share *description_add_level(struct result *result, struct description *described);
struct comparison *result_add_comparison(struct result *result);
const struct ratio_estimate *comparison_total(const struct comparison *comparison);
int result_add_parameter(struct result *result, struct subject *subject, const char *name, const char *value);
int result_add_build(struct result *result, struct subject *subject, const struct build_made *build);
int result_add_failure(struct result *result, struct subject *subject, struct failure failure);

/* The runs that were begun, and how many of them failed and how: "12 of 30 runs failed (exit 1 in 10, signal 11 in
 * 2)". */
size_t subject_runs(const struct subject *subject);
void subject_failure_words(const struct subject *subject, struct buffer *out);

/* How the session ended before its time: "interrupted", "failed", and of one in the store also "killed" or "running".
 * NULL: it did not. */
const char *result_unfinished(const struct result *result);
/* The values of another session, which ended like that (one of those words, kept by pointer; NULL: it did not), are in the result
 * too: it ended as the worse of both did. */
void result_adopt_end(struct result *into, const char *unfinished);
const char *unfinished_words(const char *unfinished); /* "was interrupted" */
/* The same in the words of stop_reasons, which know no "killed" and "running": "interrupted". Any other reason as it is. */
const char *result_stop_reason(const struct result *result);

/* A warning is kept once for the same code and text. */
int result_warn(struct result *result, const char *code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same with the text "ABOUT: …"; reports tell warnings that differ only in what they are about together. */
int result_about_warn(struct result *result, const char *code, const char *about, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
int result_about_vwarn(struct result *result, const char *code, const char *about, const char *format, va_list args)
	__attribute__((format(printf, 4, 0)));
const char *warning_rest(const struct warning *warning); /* the text without what it is about */

void result_drop_warnings(struct result *result, size_t count); /* all but the first so many */
/* Those whose text begins with one of the names, followed by ": " or ", ": of subjects that are left out. -1: no memory. */
int result_drop_warnings_about(struct result *result, const struct map *names);
int result_drop_warnings_of(struct result *result, const char *code); /* -1: no memory */
/* Copies the warnings of `from`. -1: no memory. */
int result_adopt_warnings(struct result *to, const struct result *from);
/* Those that speak of the session and not of the analysis of its values: they stay true of a larger result. */
int result_adopt_session_warnings(struct result *to, const struct result *from);

/* Moves the subjects and warnings of `from` behind those of `to`, with all that they point to; `from` is empty
 * afterwards. Pairs and the disturbance record are not kept: subjects of two results were not measured together. -1: no
 * memory. */
int result_adopt(struct result *to, struct result *from);

/* Gives titles to subjects that share their name and differ in parameters or program: "sort (n=10)". -1: no memory. */
int result_make_titles(struct result *result);
const char *subject_title(const struct subject *subject);
bool subject_same_parameters(const struct subject *a, const struct subject *b); /* in any order */

/* Whether the part, like "size=10", is in the name as a word of its own: not in "maxsize=10" nor in "size=100". It is
 * not empty. */
bool name_has_part(const char *name, const char *part);

/* The name where there is no other place for parameters: with those that are not in it already, "name size=10". That of
 * a command has them, whatever they look like there ("sleep 0.001"), if it is `alone`: no other subject of its result is
 * called so. */
void subject_written_name(const struct subject *subject, bool alone, struct buffer *out);

struct subject *result_find_subject(const struct result *result, const char *name); /* or NULL */
size_t result_side(const struct result *result, size_t subject);                    /* in design.order */
size_t result_sides(const struct result *result);     /* programs that were measured together; 0: none */
bool result_has_samples(const struct result *result); /* of any subject */
struct measurement *subject_find_metric(const struct subject *subject, const char *name); /* or NULL */
/* The values are of rounds of different work and have no mean; those of a performance index have. */
bool subject_is_over_work(const struct subject *subject, const struct measurement *m);
bool metric_counts_iterations(const struct metric *metric); /* see METRIC_ITERATIONS */

/* Iterations left out of a run; runs are counted over all groups that hold iterations. */
size_t measurement_skip(const struct measurement *measurement, size_t run);
/* Values left out at the start of innermost group g: its first iterations, or where iterations have invocations, all of
 * an iteration or nothing. */
size_t measurement_left_out(const struct measurement *measurement, size_t g);
/* What variances are relative to: they are of the values as they are, so where the mean is of another kind it is the
 * arithmetic one all the same. */
double measurement_scale(const struct measurement *measurement);
/* The runs, or builds, that it comes from; one where its units are the iterations of one process. */
size_t measurement_runs(const struct measurement *measurement);
/* Run number `run`, the first or the one after the last that was told, has a warm-up of its own. -1: no memory. */
int measurement_add_skip(struct result *result, struct measurement *measurement, size_t run, size_t skip);
/* The warm-ups of the runs of `more`, which are about to be put behind those of `measurement`: each run keeps its own. -1: no
 * memory. */
int measurement_join_skips(struct result *result, struct measurement *measurement, const struct measurement *more);

const char *verdict_name(enum verdict verdict);   /* "faster", … */
const char *gate_name(enum gate gate);            /* "held", …, or NULL */
const char *scope_name(enum scope scope);         /* "typical", "total", or NULL */
const char *mean_kind_name(enum mean_kind kind);  /* "arithmetic", "harmonic", "geometric" */
const char *steady_name(enum steady_state state); /* "independent", …, or NULL */

/* The direction that a unit implies: for rates ("ops/s", "MB/s", "…/sec"), higher is better. */
enum better better_from_unit(const char *unit);

/* Times, rates, and values without a unit or a name: they are faster or slower, other numbers are not. */
bool metric_is_speed(const struct metric *metric);

#endif
