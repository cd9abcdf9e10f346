/* The state of a running session, shared by the files of this folder.
 *
 * One loop (loop.c) drives an instrument, which measures (commands.c, programs.c, builds.c, calibrate.c), and rules, which
 * say when measuring is over (rule_*.c). What is asked is a question: of commands there is one, that all of them answer
 * together; over work amounts each command has its own; of programs every benchmark is one. */
#ifndef TARE_SESSION_STATE_H
#define TARE_SESSION_STATE_H

#include "analysis/analysis.h"
#include "base/format.h"
#include "base/random.h"
#include "decide/company.h"
#include "decide/apart.h"
#include "decide/estimate.h"
#include "decide/jury.h"
#include "decide/readings.h"
#include "decide/work_fit.h"
#include "design/fit.h"
#include "design/schedule.h"
#include "design/work.h"
#include "host/clock.h"
#include "measure/disturbance.h"
#include "measure/source.h"
#include "monitor/watch.h"
#include "session/session.h"

struct session;
struct question;

/* How a question stands; of several the reason of the whole is the least good one, the last of these. */
enum session_end {
	SESSION_GO_ON,
	SESSION_STABLE,
	SESSION_PRECISE,
	SESSION_DECIDED,
	SESSION_COUNTED, /* it has the runs that were asked for */
	SESSION_OUT_OF_TIME,
	SESSION_LOST, /* it failed, or does not want to be measured; no reason for anything */
};

/* What became of a round. */
enum round_result {
	ROUND_KEPT,    /* 0 */
	ROUND_LOST,    /* a run of it failed; its place is kept */
	ROUND_NOTHING, /* warm-up, or the question itself is lost: nothing to look at */
};

/* What measures, as a table of functions; NULL: there is nothing to do. -1 and err: the session ends. */
struct instrument {
	bool needs_spawner;
	bool forgets_units; /* unit readings are not kept, only their phases and means */
	bool nested;        /* a round is one of a session inside, which learns, watches, tells and keeps */
	int (*check)(const struct experiment *experiment, struct error *err); /* before anything is started */
	/* What there is to measure: questions, subjects with empty series, the machine. */
	int (*open)(struct session *session, struct error *err);
	int (*begin)(struct session *session, struct error *err); /* before anything runs: set-up */
	/* Runs that are not kept: how long they take, what decides, the design, the budget. */
	int (*learn)(struct session *session, struct error *err);
	int (*keep_trial)(struct session *session, struct error *err); /* where it counts */
	int (*enter)(struct session *session, struct error *err);      /* solo: another side is on stage */
	/* Questions that get a round now, in order; how many. NULL: the one that there is, while it is open. */
	size_t (*next)(struct session *session, size_t *chosen);
	/* A round of every side on stage of a question, its values in the series: ROUND_… */
	int (*round)(struct session *session, struct question *question, struct error *err);
	/* The same, not kept: 0 and the seconds that its runs took; 1 when one was lost. */
	int (*unkept)(struct session *session, struct question *question, double *seconds, struct error *err);
	/* The last round took so long, with all that is around it. */
	void (*took)(struct session *session, struct question *question, double seconds);
	/* What is under way beside the rule: sizes that turns confirm. */
	void (*outlook)(const struct session *session, const struct question *question, struct session_progress *progress);
	/* CPUs to watch from elsewhere; *bound: runs use no other. */
	size_t (*cpus)(const struct session *session, const int **cpus, bool *bound);
	double (*quantum)(const struct session *session);                   /* clock step of what decides; 0: not known */
	int (*end)(struct session *session, int status, struct error *err); /* after the last run: clean-up */
	int (*conclude)(struct session *session, struct error *err);        /* NULL: session_conclude() */
	/* After the conclusion: what became of failures, notes. `status` as it is, or -1. */
	int (*finish)(struct session *session, int status, struct error *err);
	/* The plan of a dry run, after open and, where that is needed, learn. */
	int (*plan)(struct session *session, struct buffer *out, struct error *err);
	void (*close)(struct session *session);
	bool (*cancelled)(const struct session *session); /* NULL: what is going on notices it, or nobody can interrupt */
};

/* What says when a question is answered. NULL: there is nothing to do. */
struct rule {
	/* The runs that were kept since the last time. */
	int (*feed)(struct session *session, struct question *question, struct error *err);
	/* Sets question->end, also those of others that are judged together with it. */
	int (*look)(struct session *session, struct question *question, struct error *err);
	double (*missing)(const struct session *session, const struct question *question); /* runs; INFINITY: not known */
	void (*outlook)(struct session *session, const struct question *question, struct session_progress *progress);
	/* What it alone can say of the question, after the subjects were analysed. */
	int (*conclude)(struct session *session, struct question *question, struct error *err);
};

extern const struct rule rule_verdict, rule_ranking, rule_precision, rule_readings, rule_work, rule_stable;

/* Rounds of chosen work of one subject. */
struct session_work {
	struct work_session amounts;
	struct work_goal goal;
	struct work_fit fit;
	size_t refused; /* looks in a row that refused the line for good */
};

struct question {
	const char *name; /* of a benchmark */
	const struct rule *rule;
	enum session_end end;
	size_t subject, sides;   /* in the result: that of its first side, and how many there are */
	bool has_subjects;       /* they are there */
	size_t *metric;          /* by side: place of the deciding metric among those of its subject */
	double *alone;           /* by side: deciding value alone, when tried */
	struct company *company; /* by side, in a duet: deciding values of it beside those of it alone */
	bool at_once;            /* both sides are measured at once on one CPU, where CPU time alone is each one's own */
	size_t tried;            /* rounds of this session, lost ones too */
	size_t unbound;          /* of them: the first so many are measured whatever time it takes */
	size_t runs;             /* kept, of each side on stage */
	size_t fed;              /* of them: the rule has seen */
	size_t skip, fed_skip;   /* iterations left out of each run, now and of what the rule has seen */
	size_t quantum_runs;     /* the jury had seen when it was last told the clock's step */
	size_t min_runs, max_runs;
	double unit_time;          /* seconds of the next round */
	struct estimate estimate;  /* of a single command */
	struct session_work *work; /* rule_work.c */

	/* of a benchmark (session/programs.h) */
	const struct harness_benchmark **on;       /* as each side has it */
	struct bench_columns *columns;             /* by side */
	struct bench_table *tried_rows;            /* by side: of its trial; NULL: not remembered */
	size_t iterations, min_warmup, max_warmup; /* options and the benchmark's own defaults, as min_runs and max_runs */
	int64_t iteration_time;
	struct experiment_stability stability; /* the same */
	struct bench_stable *stable;           /* NULL: it is stopped by another rule, and then */
	struct auto_rule *lengths;             /* says what is left out of its runs and how long they are */
	uint64_t invocations;                  /* of an iteration, the same on all sides */
	bool one_thread;                       /* on every side */
	int deciding;                          /* column */
	double row_time, start_time; /* seconds of an iteration of every side; of starting and ending their processes */
	double crowd;                /* how many times longer it took than it ran */
	double pace;                 /* how many times longer runs took of late than was foreseen */
	size_t length;               /* iterations of the next run, at least */
	double scout_time;           /* seconds that the first run may take, whose length the tries may have misjudged */
	size_t cpu_offset;
	const struct plan_subject *planned; /* what the plan says of it, or NULL */
	bool length_planned;                /* `iterations` is the plan's */
};

/* Two sides that are compared. */
struct side_pair {
	size_t base, new_;
};

struct session {
	const struct experiment *experiment;
	const struct instrument *instrument;
	const struct session_observer *observer;
	struct result *result;
	struct spawner *spawner;
	int cancel;
	struct host host;

	struct question *questions;
	size_t count, question_capacity;
	size_t sides;       /* commands, or programs */
	size_t first, last; /* the sides on stage are first … last − 1: all, or one after the other in solo */
	enum design_kind design;
	size_t block;          /* pairs in a unit; 0: runs are units */
	double weight;         /* share of alpha that the kept pairs have; 0: all (pilot.c) */
	double budget;         /* seconds, for the whole experiment */
	double until;          /* seconds after the start when the sides on stage must have ended */
	int64_t started;       /* ns */
	int64_t deciding_time; /* ns spent on rules */
	long checks;
	size_t *chosen, chosen_count; /* questions that get a round now */
	enum session_end solo_end;    /* of the sides that were on stage before */
	bool enough;                  /* the user wants no more */
	double cpu_used, cpu_waited;  /* shares of the time of the last run; NaN: not known */

	struct schedule schedule;
	struct random random;
	size_t *orders; /* sides of each pair or run that is kept, as far as drawn */
	size_t order_count, order_capacity;
	struct side_pair *pairs; /* that are compared in every question: with the reference; with --rank all */
	size_t pair_count;
	struct jury jury;      /* question q, its pair k: judge q × pair_count + k */
	struct jury_look look; /* the last one */
	size_t *neighbours;    /* with --rank, at that look: the judges of neighbours, best first; then the order of all */
	size_t neighbour_count;
	struct turns *turns; /* by question; NULL: the design is not shared */
	struct disturbance_watch watch;
	bool watched;          /* `watch` was begun */
	struct watch *monitor; /* NULL: nothing is watched */
	struct arena arena;

	/* commands */
	struct source *source;
	struct source_machine machine;
	struct design_facts facts;
	size_t deciding;             /* index of the deciding metric */
	double round_time;           /* seconds that a round takes */
	bool more;                   /* rounds that were run ahead follow the last one */
	double ahead_time;           /* seconds of each of the rounds that were run ahead, 0: the last was not */
	struct sample *samples;      /* of one round, by subject */
	struct session_units *units; /* of the last round: subject × performance index */
	struct readings *readings;   /* of one subject's indices at the last look */
	size_t first_index;          /* place of the first index among the metrics of a subject */
	size_t short_rounds;         /* whose unit readings are not used */
	size_t next_look;            /* number of rounds at which to look at them again */
	size_t line_metric;          /* over work amounts: the time that the line is over */
	bool line_chosen;
	char work_text[FORMAT_MAX];              /* the amount of the round, "": none */
	const struct experiment_subject *untidy; /* the first that left processes behind, or NULL, and the name of one */
	char left_behind[64];
	bool left_alive;                          /* some could not be killed */
	bool trial_counts;                        /* the time allows so few rounds that the last trial round is kept */
	const struct experiment_subject *running; /* of a trial round: whose run is under way, or NULL */

	/* programs */
	struct bench_source *programs;
	struct guests *guests; /* the programs are suites of another framework (guests.c); NULL: they speak the protocol */
	struct bench_table *tables; /* by side */
	struct allotment *allotments;
	bool cut_off;        /* the end of the time has ended what was going on */
	bool told_late;      /* that the time was over with a first invocation */
	size_t failed, hung; /* benchmarks */
	size_t missing;      /* benchmarks of the first side that another side does not have or skips */

	struct building *building;       /* builds.c */
	struct calibrating *calibrating; /* calibrate.c */
	void *caller;                    /* src/library: whose functions are measured */
};

/* loop.c */
/* Rounds until no question is open or none fits into the time. */
int session_measure(struct session *session, struct error *err);
/* What comes after a round that began at `before` and became `round`: it is told, shown to the rule and looked at. For
 * who measures round by round; session_measure() does it too. */
int session_took(struct session *session, struct question *question, int round, int64_t before, struct error *err);
int64_t session_now(const struct session *session);
double session_elapsed(const struct session *session); /* seconds since the session began */

/* The time that measuring has; where it is a part of what the user gave, of how much: "8.0 s of 12 s". */
enum { SESSION_TIME_WORDS = 2 * FORMAT_MAX + 8 };
const char *session_time_words(const struct session *session, char words[SESSION_TIME_WORDS]);
bool session_cancelled(const struct session *session);
/* Whether the user wants no more; trials then end early, and the session after the next kept round. */
bool session_is_stopped(const struct session *session);
void session_say(struct session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));
void session_tell(struct session *session, const char *phase, const struct question *question);
/* A session with its experiment, instrument and result set gets the rest that it needs; and frees it. */
int session_open(struct session *session, struct error *err);
void session_close(struct session *session);
/* session.c: what disturbs the runs is recorded from the first one that may be kept. */
void session_watch_disturbance(struct session *session);
/* All of it, from opening to closing; as session_run. */
int session_play(struct session *session, bool *missing, struct error *err);
/* `count` questions of so many sides each, all open. */
int session_add_questions(struct session *session, size_t count, size_t sides, struct error *err);
/* With its empty series; without a subject there was no memory for it. `quantum`: the clock's step; 0: not known. */
int session_add_metric(struct session *session, struct subject *subject, struct metric metric, double quantum,
                       struct error *err);
/* A fixed number of runs is kept to whatever it takes, unless a time was given too. */
bool session_is_bound_by_time(const struct session *session);
bool session_is_time_over(const struct session *session, const struct question *question);
double session_alpha(const struct session *session);     /* of comparisons */
double session_alpha_one(const struct session *session); /* of estimates of one subject */
/* The sides in the order of kept pair (or run) `index`, drawn where it is not yet known; until another is drawn.
 * NULL: out of memory. */
const size_t *session_order(struct session *session, size_t index, struct error *err);
/* An order that was measured before is that of the next pair. */
int session_add_order(struct session *session, const size_t *order, struct error *err);
/* The measurement of the metric that decides. */
struct measurement *session_deciding(const struct session *session, const struct question *question, size_t side);

/* conclude.c: how it is judged, into the result, before the first kept run: what is saved on the way has it too. */
void session_record_rule(struct session *session);
/* What the kept runs say, into the result. */
int session_conclude(struct session *session, struct error *err);

/* rule_verdict.c */
int session_pair_sides(struct session *session, struct error *err);
/* Once; who sits stays. */
int session_seat_jury(struct session *session, struct error *err);
/* The jury takes the clock step that the comparisons of the result will take. */
void session_tell_quantum(struct session *session, struct question *question);
int verdict_feed(struct session *session, struct question *question, struct error *err);
struct session_estimate verdict_estimate(const struct session *session, const struct question *question, size_t judge);
void verdict_outlook(struct session *session, const struct question *question, struct session_progress *progress);

/* turns.c: sizes of differences that were found with both sides on one CPU (design shared), confirmed in turns. */
int turns_open(struct session *session, struct error *err); /* once the design is known; nothing in another one */
void turns_close(struct session *session);
size_t turns_done(const struct session *session, const struct question *question);
bool turns_are_wanted(struct session *session, const struct question *question);
/* A question that has ended is open again where turns are wanted and there is time: whether it is. */
bool turns_reopen(struct session *session, struct question *question);
/* A run in turns, in the order of run `run`; its rows, by side; the end of it. */
int turns_begin_run(struct session *session, struct question *question, size_t *run, struct error *err);
int turns_add(struct session *session, struct question *question, size_t row, const double values[2],
              struct error *err);
int turns_end_run(struct session *session, struct question *question, struct error *err);
void turns_outlook(const struct session *session, const struct question *question, struct session_progress *progress);
void turns_note(struct session *session); /* after the last run */

/* rule_precision.c */
int precision_feed(struct session *session, struct question *question, struct error *err);
void precision_outlook(struct session *session, const struct question *question, struct session_progress *progress);

/* commands_try.c: rounds that are not kept, to learn how long a run takes, how many threads it has, what to judge by. */
int session_learn(struct session *session, struct error *err);
/* The metric that decides: as asked for, else by session->facts; result->design.metric_why says why. */
int session_find_metric(const struct session *session, size_t *out, struct error *err);

/* pilot.c: the design to take, by name, by rule or by trying; fills design, block and result->design. Where designs would
 * be tried, the first pairs go in turns; when they decide, they are kept, and the jury has seen them. */
int session_choose_design(struct session *session, struct error *err);
/* Into session and result; `count` of the CPUs are those of sides that take turns or share one. */
int session_set_design(struct session *session, enum design_kind design, const char *why, const int *cpus, size_t count,
                       struct error *err);

/* rule_readings.c: performance indices. */
int session_open_indices(struct session *session, struct error *err);
void session_close_indices(struct session *session);
/* Copies the unit readings of a round, by index, finds their stable phase, and puts its mean into the round's values. */
int session_take_units(struct session *session, size_t subject, const struct pi_numbers *numbers, struct error *err);
/* Where unit readings of an index and their phases are kept; NULL: it has none. */
const struct measurement *session_units_kept(const struct session *session, size_t subject, size_t index);
int session_keep_units(struct session *session, size_t subject, bool lost, struct error *err);
/* The last round of the one subject was too short: its unit readings stay, but are not used. */
void session_drop_units(struct session *session);
/* Whether the indices of the one subject decide when the session ends. */
bool session_judges_indices(const struct session *session);
bool session_indices_are_precise(const struct session *session); /* by the last look */
/* Means, intervals and warnings of the indices into the result. */
int session_conclude_indices(struct session *session, struct error *err);
/* Rounds that the session needs at least, and the seconds that it may take, where nobody says. */
size_t session_least_rounds(const struct session *session);
double session_preset_budget(const struct session *session);

/* rate.c: looks for the highest rate of the monitor within the overhead that was asked for, or measures that of the rate
 * that was asked for, by rounds of the question and within a part of the budget; then begins the kept runs at it.
 * Nothing where no thread watches beside the runs. */
int session_find_rate(struct session *session, struct question *question, struct error *err);

/* What unit readings cost, into the result. */
int session_measure_overhead(struct session *session, struct error *err);

/* rule_ranking.c: n commands in order, with results of another day. */
int rank_check(const struct session *session, struct error *err); /* the deciding metric is known: do all have it? */
/* To the result's subjects, before they are analysed; then the neighbours, compared. */
int rank_add_rivals(struct session *session, struct error *err);
int rank_conclude(struct session *session, const struct analysis_options *options, struct error *err);
/* A comparison of means that were measured apart, into the result. */
int session_add_apart(struct session *session, size_t base, size_t new_, const struct apart *apart,
                      const struct apart_rule *rule, size_t runs, const char *method, struct error *err);

/* commands_work.c, rule_work.c: sessions over work amounts, of commands and of libtare's workloads. */
int work_open(struct session *session, struct error *err);
int work_learn(struct session *session, struct error *err); /* with a monitor: it sees the smallest amounts */
int work_round(struct session *session, struct question *question, struct error *err);
int work_end(struct session *session, int status, struct error *err); /* what must be said of its rounds */
/* The index whose unit readings decide how long rounds are; NULL: the line does. */
const struct performance_index *work_unit_index(const struct experiment *experiment);

/* The question, whose subject is there, is one of work amounts. The session's budget is known. */
int work_add(struct session *session, struct question *question, uint64_t seed, struct error *err);

double work_next(struct session *session, struct session_work *work); /* the amount of the next round; NaN: no memory */

/* A round of so much work went well, and its values are in the series. */
int work_keep(struct session *session, struct question *question, double amount, double seconds, struct error *err);

/* The metrics that decide and that the line is over. */
void work_set_time(struct session *session, size_t deciding, size_t line);
void work_keep_to_known(struct session *session); /* a later round may lack what the first ones had */
int work_compare(struct session *session, struct error *err);
void work_close(struct session *session);

/* commands_round.c */
/* Measures every subject once in the design's way: ROUND_KEPT, ROUND_LOST when a run was lost; -1 and err when the session
 * must end. With `keep` the values go into the result. */
int session_round(struct session *session, enum design_kind design, bool keep, struct error *err);
/* Every subject once in turns in this order, whatever the design; of it only failures are kept. */
int session_turn(struct session *session, const size_t *order, struct error *err);
/* Keeps the last round, which was not. */
int session_keep_trial(struct session *session, struct error *err);
/* conclude.c: a deciding value of a side in company and one alone. */
void session_take_company(const struct session *session, struct question *question, size_t side, double together,
                          double alone);
/* Measures one subject alone, and keeps it or not; as session_round. */
int session_single(struct session *session, size_t subject, bool keep, struct error *err);
/* The value of a metric of a subject in the last round. */
double session_value(const struct session *session, size_t subject, size_t metric);

/* earlier.c: the rounds of experiment->earlier, if there is one, come first. */
int session_take_earlier(struct session *session, struct error *err);
/* Tells the observer that something was kept. */
void session_kept(struct session *session);

#endif
