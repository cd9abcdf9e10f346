/* The scripted instrument: a row of the table of instruments (session/state.h) that plays given values, failures and
 * times, on the clock of the script (session/script.h). It measures nothing and starts nothing, so that the loop, the
 * rules and the conclusion are tested by numbers that the test chooses. */
#ifndef TARE_TESTS_SESSION_SCRIPTED_H
#define TARE_TESTS_SESSION_SCRIPTED_H

#include "session/play.h"
#include "session/state.h"

enum { SCRIPTED_QUESTIONS = 3, SCRIPTED_LOG = 400 };

struct scripted {
	size_t questions;        /* 0: one */
	const struct rule *rule; /* of all of them */
	enum design_kind design;
	double budget;    /* seconds; 0: a minute */
	double seconds;   /* of a round; 0: one */
	const char *unit; /* NULL: seconds, of which fewer are better; else more are */
	/* The value of a side in a round of a question, all counted from 0; NaN: the run fails. NULL: always 1. */
	double (*value)(size_t question, size_t side, size_t round);
	size_t cancel_after; /* rounds after which the user interrupts; 0: never */
	size_t fails_at;     /* the round, counted from 1, with which the session must end; 0: none */
	bool cut_off;        /* and it was the end of the time that did it */

	/* what was played */
	size_t rounds[SCRIPTED_QUESTIONS], all_rounds, ended;
	char log[SCRIPTED_LOG]; /* the question of each round, a digit each */
};

extern const struct instrument instrument_scripted;

/* Plays `play->experiment` by the script; `play->script` is not used. */
static inline void play_scripted(struct play *play, struct scripted *scripted)
{
	struct session_observer observer = play_observer(play);
	struct session session = {.experiment = &play->experiment,
	                          .instrument = &instrument_scripted,
	                          .observer = &observer,
	                          .result = &play->result,
	                          .cancel = -1,
	                          .caller = scripted};
	script_begin(&play->script);
	play->status = session_play(&session, &play->missing, &play->err);
}

/* A number that looks random and is the same everywhere: −1 to 1. */
static inline double scripted_noise(size_t a, size_t b)
{
	struct random random;
	random_seed(&random, (uint64_t)(a * 1000003 + b));
	return 2 * random_uniform(&random) - 1;
}

#endif
