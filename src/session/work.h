/* Rounds of chosen work, as a rule sees them: of commands (commands_work.c) and of libtare's workloads. */
#ifndef TARE_SESSION_WORK_H
#define TARE_SESSION_WORK_H

#include "decide/work_fit.h"
#include "design/work.h"
#include "session/state.h"

/* One subject's rounds. */
struct session_work {
	struct work_session amounts;
	struct work_goal goal;
	struct work_fit fit;
	size_t refused; /* looks in a row that refused the line for good */
};

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

#endif
