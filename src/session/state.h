/* The state of a running session, shared by the files of this folder. */
#ifndef TARE_SESSION_STATE_H
#define TARE_SESSION_STATE_H

#include "analysis/analysis.h"
#include "base/format.h"
#include "decide/apart.h"
#include "decide/estimate.h"
#include "decide/jury.h"
#include "decide/readings.h"
#include "decide/work_fit.h"
#include "design/fit.h"
#include "design/schedule.h"
#include "measure/disturbance.h"
#include "measure/source.h"
#include "monitor/watch.h"
#include "session/session.h"

enum session_end { SESSION_GO_ON, SESSION_PRECISE, SESSION_DECIDED, SESSION_COUNTED, SESSION_OUT_OF_TIME };

struct session {
	const struct experiment *experiment;
	struct source *source;
	const struct session_observer *observer;
	struct result *result;

	struct source_machine machine;
	struct design_facts facts;
	enum design_kind design;
	size_t deciding;   /* index of the deciding metric */
	size_t block;      /* pairs in a unit */
	double budget;     /* seconds, for the whole experiment */
	int64_t started;   /* ns */
	double round_time; /* seconds that a round takes */
	double *alone;     /* deciding value of each subject alone, median of the trial runs */

	struct schedule schedule;
	struct sample *samples;      /* of one round, by subject */
	double *round_values;        /* their values, copied: subject × metric */
	struct jury jury;            /* one judge per comparison, subjects in order without the reference */
	struct jury_look look;       /* the last one */
	size_t quantum_rounds;       /* kept when the jury was last told the clock's step */
	struct estimate estimate;    /* of a single subject */
	struct session_units *units; /* of the last round: subject × performance index */
	struct readings *readings;   /* of one subject's indices at the last look */
	size_t short_rounds;         /* whose unit readings are not used */
	size_t next_look;            /* number of rounds at which to look at them again */
	struct session_work *work;   /* of a session over work amounts, by subject; or NULL */
	size_t line_metric;          /* of it: the time that the line is over */
	size_t leading;              /* of it, and in a solo of several: the subject of the last round */
	char work_text[FORMAT_MAX];  /* of it: the amount of the round, "": none */
	size_t rounds;               /* kept so far */
	size_t order_capacity;
	long checks;
	size_t failures; /* runs that failed */
	bool left_behind;
	bool watched; /* `watch` was begun */
	struct disturbance_watch watch;
	struct watch *monitor; /* NULL: nothing is watched */
};

/* session.c: a session with its experiment, source and result set gets the rest that it needs; and frees it, the source
 * too. */
int session_open(struct session *session, struct error *err);
void session_close(struct session *session);
/* What subjects have in common is done once. `after`: all that are there, whatever became of the others. */
int session_run_hooks(struct session *session, bool after, struct error *err);

/* conclude.c: how it is judged, into the result, before the first kept run: what is saved on the way has it too. */
void session_record_rule(struct session *session);
/* What the kept runs say, into the result. */
int session_conclude(struct session *session, struct error *err);

/* trial.c: rounds that are not kept, to learn how long a run takes, how many threads it has, what to judge by. */
int session_learn(struct session *session, struct error *err);
/* The metric that decides: as asked for, else by session->facts (METHODS 3); result->design.metric_why says why. */
int session_find_metric(const struct session *session, size_t *out, struct error *err);

/* pilot.c: the design to take, by name, by rule or by trying; fills design, block and result->design. */
int session_choose_design(struct session *session, struct error *err);
/* Rounds of chosen work: each subject alone; several in random order, which makes no pairs. */
int session_apart_design(struct session *session, struct error *err);

/* indices.c: performance indices. */
int session_open_indices(struct session *session, struct error *err);
void session_close_indices(struct session *session);
/* Copies the unit readings of a sample, finds their stable phase, and puts its mean into the round's values. */
int session_take_units(struct session *session, size_t subject, const struct sample *sample, struct error *err);
/* Whether a subject of an earlier result has the unit readings of so many rounds: ERROR_USAGE when not. */
int session_check_earlier_units(const struct session *session, size_t subject, const struct subject *earlier,
                                size_t rounds, struct error *err);
/* As session_take_units, for a round of an earlier result, which has been checked. */
int session_take_earlier_units(struct session *session, size_t subject, const struct subject *earlier, size_t round,
                               struct error *err);
bool session_is_units(const struct session *session, size_t subject, size_t metric); /* this one holds unit readings */
int session_keep_units(struct session *session, size_t subject, bool lost, struct error *err);
/* The last round of the one subject was too short: its unit readings stay, but are not used. */
void session_drop_units(struct session *session);
/* Whether the indices of the one subject decide when the session ends. */
bool session_judges_indices(const struct session *session);
bool session_indices_are_enough(struct session *session);
void session_indices_outlook(struct session *session, struct session_progress *progress);
/* Means, intervals and warnings of the indices into the result. */
int session_conclude_indices(struct session *session, struct error *err);
/* Rounds that the session needs at least, and the seconds that it may take, where nobody says. */
size_t session_least_rounds(const struct session *session);
double session_preset_budget(const struct session *session);

/* overhead.c: what unit readings cost, into the result. */
int session_measure_overhead(struct session *session, struct error *err);

/* rank.c: n commands in order, with results of another day. */
size_t rank_pairs(size_t subjects);
double rank_alpha(const struct session *session); /* of the pairs that have judges, and of those apart */
int rank_check(const struct session *session, struct error *err); /* the deciding metric is known: do all have it? */
int rank_feed(struct session *session, struct error *err);
int rank_look(struct session *session); /* fills session->look from the neighbours; -1: no memory */
void rank_sides(const struct session *session, size_t judge, size_t *base, size_t *new_); /* a judge's pair */
int rank_add_rivals(struct session *session,
                    struct error *err); /* to the result's subjects, before they are analysed */
int rank_conclude(struct session *session, const struct analysis_options *options, struct error *err);
/* A comparison of means that were measured apart, into the result. */
int session_add_apart(struct session *session, size_t base, size_t new_, const struct apart *apart,
                      const struct apart_rule *rule, size_t runs, const char *method, struct error *err);

/* work.c: sessions over work amounts. */
int session_measure_work(struct session *session, struct error *err);
int session_conclude_work(struct session *session, struct error *err);
void session_work_outlook(struct session *session, struct session_progress *progress);
double session_work_rounds_left(const struct session *session); /* of a fixed number, over all subjects */
void session_close_work(struct session *session);
/* session.c: the kept runs begin: the monitor watches them, and what disturbs them is recorded. */
int session_begin_watching(struct session *session, struct error *err);
void session_begin_record(struct session *session);
const char *session_reason(enum session_end end); /* session.c: the result's word for it */

/* round.c */
/* Measures every subject once in the design's way. 0; 1 when a run was lost and the round must not be kept;
 * -1 and err when the session must end. With `keep` the values go into the result. */
int session_round(struct session *session, enum design_kind design, bool keep, struct error *err);
/* Measures one subject alone and keeps nothing of it; as session_round. */
int session_unkept(struct session *session, size_t subject, struct error *err);
/* Measures one subject alone and keeps it; as session_round. */
int session_single(struct session *session, size_t subject, struct error *err);
/* The value of a metric of a subject in the last round. */
double session_value(const struct session *session, size_t subject, size_t metric);
/* Whether the base came first (in a duet: ran on the first CPU) in the last round: 0, else 1. */
unsigned char session_order(const struct session *session, size_t subject);

/* stop.c: whether to go on. */
enum session_end session_look(struct session *session);
/* The same for one subject of a solo. */
enum session_end session_look_single(struct session *session, bool out_of_time);
/* A fixed number of runs is kept to whatever it takes, unless a time was given too. */
bool session_is_bound_by_time(const struct session *session);
/* The jury takes the clock step that the comparisons of the result will take. */
void session_tell_quantum(struct session *session);
/* Fills estimate and time left of a progress report from the last look. */
void session_outlook(struct session *session, struct session_progress *progress);

/* Seconds since the session began. */
double session_elapsed(const struct session *session);
void session_tell(struct session *session, const char *phase);
/* earlier.c: the rounds of experiment->earlier, if there is one, come first. */
int session_take_earlier(struct session *session, struct error *err);

/* session.c: the last round to the judges. round.c: its order to the result. */
int session_feed(struct session *session, struct error *err);
int session_keep_order(struct session *session, const size_t *order, struct error *err);

void session_kept(struct session *session); /* tells the observer that a round was kept */
void session_say(struct session *session, const char *text);

double session_alpha(const struct session *session);

#endif
