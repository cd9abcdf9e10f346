/* The experiment: what the user wants to know, and how it may be measured. Plain data, in an arena. */
#ifndef TARE_MODEL_EXPERIMENT_H
#define TARE_MODEL_EXPERIMENT_H

#include "base/arena.h"
#include "model/result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum stop_rule { STOP_AUTO, STOP_PRECISION, STOP_VERDICT, STOP_FIXED, STOP_STABLE };

const char *stop_rule_name(enum stop_rule rule); /* "auto", … */

struct experiment_subject {
	const char *name;
	const char *command;            /* as typed, parameters substituted */
	const char *prepare, *conclude; /* commands before and after each run, or NULL */
	const char *setup, *cleanup;    /* before all measurements and after them, or NULL */
	const char *output;             /* as the experiment's; NULL: that one */
	const char *const *env;         /* "NAME=value" besides tare's own, ends with NULL; NULL: none */
	const char *directory;          /* where it runs, and its prepare and conclude; NULL: tare's own */
	const char *build;              /* how its program is built, where builds are repeated; NULL: as all others */
	size_t origin;                  /* number of the suite file that it comes from */
	struct parameter *parameters;
	size_t parameter_count;
};

/* Stopping when stable (Laaber et al. 2020; docs/methods.md, "Stopped when stable"). Zeroed numbers: the paper's. */
struct experiment_stability {
	const char *rule;    /* "cv", "rciw+kld@0.98", …; NULL: another rule */
	const char *variant; /* "published", "paper", "fork"; NULL: published */
	size_t window;       /* iterations that the rules for warm-up look at */
	size_t warmup_runs;  /* whole runs that are not kept */
	size_t values;       /* of an iteration that are looked at */
	bool lift;           /* the caps may be passed while the time lasts */
};

/* An option for the benchmarks whose name matches; it wins over what all of them have. */
struct experiment_special {
	const char *pattern; /* extended regular expression */
	const char *option, *value;
	const char *file;  /* that says so, */
	long line, column; /* and where */
};

/* What only benchmarks inside programs have; the subjects are then programs. Zeroed: the defaults. */
struct experiment_bench {
	const char *filter;        /* extended regular expression over names, '-' in front: all others; NULL: all */
	const char *const *values; /* "NAME=a,b": benchmarks with that parameter only for these values */
	size_t value_count;
	const char *vary;       /* the subjects are one program with different values of this parameter; NULL: not so */
	int64_t iteration_time; /* ns; 0: found */
	size_t iterations;      /* of a run, after its warm-up; 0: found */
	size_t min_warmup, max_warmup;            /* iterations left out of each run; 0, SIZE_MAX: found */
	bool min_warmup_given, warmup_runs_given; /* by the user, also where they are 0 */
	int64_t start_limit;                      /* ns until a program must have answered; 0: the default */
	bool keep_priority;                       /* never ask for a better one */
	const char *adapter;                      /* the framework of the programs; NULL: recognise it */
	bool same_iteration;                      /* one iteration of each run counts, the first after the warm-up */
	bool first; /* a first experiment: as many iterations in a run as it takes to see their state, up to 300 */
	struct experiment_stability stability;
	const struct experiment_special *specials;
	size_t special_count;
	const struct parameter
		*deciding; /* of the benchmarks with these names the metric that decides, whatever `metrics` says */
	size_t deciding_count;
};

/* Watching what limits while it is measured. */
struct experiment_monitor {
	bool wanted;
	const char *cut;            /* the component under test; NULL: nobody said */
	double limit;               /* share above which a component is near its limit */
	int64_t hold;               /* ns for which it must be */
	double rate;                /* samples per second; 0: found */
	double overhead;            /* share that sampling may cost */
	const char *const *plugins; /* command lines */
	size_t plugin_count;
	const char *const *remotes; /* hosts to watch by ssh */
	size_t remote_count;
	const struct graph *components; /* extends the graph that is found; NULL: nothing */
	bool replace;                   /* and takes its place */
};

/* How a program's own number is found in a text, and in which text. */
enum pi_source { PI_REGEX, PI_COLUMN, PI_JSON, PI_CSV };
enum pi_place {
	PI_OUTPUT, /* standard output or, where that has none, standard error */
	PI_STDOUT,
	PI_STDERR,
	PI_FILE, /* a file that the program writes; removed before each run */
	PI_FIFO, /* a named pipe that is read while the program runs; made where there is none */
};

struct performance_index {
	struct metric metric;
	enum pi_source source;
	const char *pattern; /* the expression, the column's number, the path or the column's heading */
	enum pi_place place;
	const char *path; /* of PI_FILE and PI_FIFO */
	bool units;       /* unit readings: every number of a run, not the first alone */
	bool watched;     /* shown, but a session does not wait for it */
	enum mean_kind mean;
	double precision;       /* relative half-width to reach; NaN: the experiment's */
	double confidence;      /* NaN: the experiment's */
	double autocorrelation; /* of neighbouring readings, above which they are merged; NaN: the preset's */
};

/* Unit readings of an index in one run. */
struct pi_numbers {
	double *values;
	size_t n, capacity;
};

/* How the phases of a run's unit readings are found. */
enum phases_rule { PHASES_AUTO, PHASES_EDM, PHASES_NONE };

/* Pilot's presets, with tare's intervals (docs/methods.md, "Sessions of readings, and of work amounts"): they say
 * how long a session of performance indices is. */
enum preset { PRESET_NONE, PRESET_QUICK, PRESET_NORMAL, PRESET_STRICT };

/* --work: tare chooses how much the command does in a round. */
struct experiment_work {
	bool given;
	double low, high; /* amounts allowed */
	const char *unit; /* "" a plain number */
	int64_t shortest; /* ns; shorter rounds are not used; 0: the preset's */
};

struct fleet_use;

struct experiment {
	struct arena arena;
	const char *name; /* or NULL */
	struct experiment_subject *subjects;
	size_t subject_count;
	size_t reference; /* the subject that the others are compared with */

	const struct repeat_plan *plan; /* that is followed, or NULL. The caller's */
	const struct result *earlier;   /* of the same commands: its rounds come first; or NULL. The caller's */
	const char *design;             /* "auto" or a name */
	const char **metrics;           /* asked for; the first decides; none: chosen from the trial runs */
	size_t metric_count;
	struct performance_index *pis;
	size_t pi_count;

	enum preset preset;
	struct experiment_work work;
	enum phases_rule phases;
	double confidence;                    /* NaN: not given (experiment_confidence) */
	double precision;                     /* relative half-width to reach */
	bool precision_given, min_runs_given; /* by the user, not by a preset */
	double margin;                        /* within it is "same" */
	double share_margin;                  /* slow share that still is "same"; NaN: three times the margin */
	double gate;                          /* worst change allowed, a fraction; NaN: no gate */
	bool rank;                            /* neighbours in the ranking are compared, not each with the reference */
	const struct result *rivals; /* results of another day that take part in the ranking; or NULL. The caller's */
	bool welch;                  /* neighbours are compared as independent means, not by pairs */
	bool overhead;               /* measure what unit readings cost */
	bool until_total;            /* "same" only in total */
	enum stop_rule stop;
	bool stop_given;           /* by the user, also where it is what it would be anyway */
	int64_t max_time;          /* ns for the whole experiment; 0: 60 s, stretched to 10 runs of every subject */
	int64_t max_time_asked;    /* ns that the user gave, of which max_time may be a part; 0: none */
	bool max_time_given;       /* by the user: hooks and builds are part of it */
	int64_t timeout;           /* ns for one trial; 0: none */
	size_t min_runs, max_runs; /* of every subject; 0: the default, no limit */
	size_t runs;               /* exactly so many; 0: as the rule says */
	long warmup;               /* runs of every subject before the kept ones; -1: found */
	uint64_t seed;

	const int *cpus; /* to use; none: chosen */
	size_t cpu_count;
	const char *shell;         /* NULL: no shell */
	const char *directory;     /* where setup, cleanup and check run; NULL: tare's own */
	const char *input;         /* file for standard input; NULL: /dev/null */
	const char *output;        /* "null", "pipe", "inherit" or a file, of subjects without their own */
	const char *check;         /* command that gets the output of each run, or NULL */
	const int *expected_exits; /* none: 0 */
	size_t expected_exit_count;
	bool ignore_failure;
	bool pad;      /* environment of random size */
	bool refill;   /* duet: the shorter is started again until the longer ends */
	bool counters; /* hardware counters */
	struct experiment_bench bench;
	struct experiment_monitor monitor;
	const struct fleet_use *fleet; /* the machines that measure it instead of this one, or NULL. The caller's */
};

void experiment_init(struct experiment *experiment);
void experiment_release(struct experiment *experiment);

/* The level of intervals, as given or as usual: of comparisons, and of estimates of one subject. */
double experiment_confidence(const struct experiment *experiment);
double experiment_confidence_one(const struct experiment *experiment);

#endif
