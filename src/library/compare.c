/* Two functions in turns: blocks of pairs as long as their time asks for, in the session's order and by its rule of
 * verdicts; until it is decided and told well, or the time is over. */
#include "library/library.h"

#include "design/fit.h"

#include <math.h>

enum { TRIALS = 3 };

const char *tare_outcome_text(enum tare_outcome outcome)
{
	static const char *const names[] = {"undecided", "faster", "slower", "mixed", "same"};
	return outcome >= TARE_UNDECIDED && outcome <= TARE_SAME ? names[outcome] : "";
}

struct duel {
	int (*side[2])(void *);
	void *context;
	struct experiment experiment;
	struct result result;
	bool failed; /* a function did */
};

/* ---- the instrument ---- */

static int open_duel(struct session *session, struct error *err)
{
	for (size_t s = 0; s < 2; s++) {
		struct subject *subject = result_add_subject(session->result, s == 0 ? "first" : "second");
		if (session_add_metric(session, subject, metric_of(METRIC_WALL), 1e-9, err) != 0)
			return -1;
	}
	if (session_add_questions(session, 1, 2, err) != 0)
		return -1;
	session->questions[0].has_subjects = true;
	session->questions[0].rule = &rule_verdict;
	session->design = DESIGN_TURNS;
	session->result->design.paired = true;
	return 0;
}

static int timed(const struct session *session, size_t side, double *seconds)
{
	const struct duel *duel = session->caller;
	int64_t before = session_now(session);
	int failed = duel->side[side](duel->context);
	*seconds = (double)(session_now(session) - before) / 1e9;
	return failed;
}

static int take_pair(struct session *session, struct question *question, struct error *err)
{
	struct duel *duel = session->caller;
	const size_t *order = session_order(session, question->runs, err);
	double seconds[2];
	for (size_t i = 0; i < 2 && order; i++)
		if (timed(session, order[i], &seconds[order[i]]) != 0) {
			duel->failed = true;
			return error_set(err, ERROR_SUBJECT, "a function failed");
		}
	for (size_t s = 0; s < 2; s++)
		if (!order || series_append(&session->result->subjects[s].metrics[0].series, 0, seconds[s], err) != 0)
			return -1;
	question->runs++;
	return ROUND_KEPT;
}

static const struct instrument instrument_duel = {
	.open = open_duel,
	.round = take_pair,
};

/* ---- what it shows ---- */

static enum tare_outcome outcome_of(enum ratio_verdict verdict)
{
	switch (verdict) {
	case RATIO_LOWER: return TARE_FASTER;
	case RATIO_HIGHER: return TARE_SLOWER;
	case RATIO_MIXED: return TARE_MIXED;
	case RATIO_SAME: return TARE_SAME;
	default: return TARE_UNDECIDED;
	}
}

static void fill(const struct verdict_numbers *n, double level, struct tare_verdict *out)
{
	const struct verdict_part *part = n->typical.used ? &n->typical : &n->total;
	*out = (struct tare_verdict){.outcome = outcome_of(n->verdict),
	                             .ratio = part->estimate,
	                             .low = part->interval.low,
	                             .high = part->interval.high,
	                             .level = level,
	                             .pairs = n->pairs};
}

/* *seconds is what a pair takes. */
static enum tare_status warm_up(const struct session *session, double *seconds)
{
	double one;
	for (int i = 0; i < TRIALS; i++) {
		if (session_elapsed(session) > session->budget)
			return TARE_LIMIT;
		*seconds = 0;
		for (size_t side = 0; side < 2; side++) {
			if (timed(session, side, &one) != 0)
				return TARE_FAILED;
			*seconds += one;
		}
	}
	return TARE_OK;
}

/* What the last look says when the time is over, if there are pairs enough for any. */
static void last_word(const struct session *session, double level, struct tare_verdict *out)
{
	struct verdict_numbers numbers;
	bool correlated;
	if (session->jury.count > 0 && judge_last_look(&session->jury.judges[0], &numbers, &correlated) == STATS_OK &&
	    numbers.runs >= VERDICT_LEAST_PAIRS)
		fill(&numbers, level, out);
}

static enum tare_status fight(struct session *session, double level, struct tare_verdict *out)
{
	const struct duel *duel = session->caller;
	struct error err;
	double seconds = 0;
	enum tare_status status = warm_up(session, &seconds);
	if (status != TARE_OK)
		return status;
	session->block = design_block(seconds, session->budget - session_elapsed(session));
	if (session_seat_jury(session, &err) != 0)
		return TARE_NO_MEMORY;
	if (session_measure(session, &err) != 0)
		status = duel->failed ? TARE_FAILED : TARE_NO_MEMORY;
	if (session->questions[0].end == SESSION_DECIDED)
		fill(&session->jury.numbers[0], level, out);
	else
		last_word(session, level, out);
	return status == TARE_OK && out->outcome == TARE_UNDECIDED ? TARE_LIMIT : status;
}

enum tare_status tare_compare(int (*first)(void *), int (*second)(void *), void *context,
                              const struct tare_compare_options *options, struct tare_verdict *out)
{
	struct tare_compare_options given = {0};
	struct error err;
	if (options)
		given = *options;
	double level = given.confidence > 0 ? given.confidence : 0.99;
	if (!first || !second || !out || !library_level(level) || !(level > 0.5) || !(given.margin >= 0) ||
	    !(given.seconds >= 0))
		return TARE_BAD_ARGUMENT;
	struct duel duel = {.side = {first, second}, .context = context};
	struct session session = {.experiment = &duel.experiment,
	                          .instrument = &instrument_duel,
	                          .result = &duel.result,
	                          .caller = &duel,
	                          .cancel = -1};
	experiment_init(&duel.experiment);
	duel.experiment.subject_count = 2;
	duel.experiment.seed = given.seed;
	duel.experiment.confidence = level;
	duel.experiment.margin = duel.experiment.precision = given.margin > 0 ? given.margin : 0.01;
	result_init(&duel.result);
	*out = (struct tare_verdict){.ratio = NAN, .low = NAN, .high = NAN, .level = level};
	enum tare_status status = TARE_NO_MEMORY;
	if (session_open(&session, &err) == 0) {
		session.budget = session.until = given.seconds > 0 ? given.seconds : 60;
		status = fight(&session, level, out);
	}
	session_close(&session);
	result_release(&duel.result);
	return status;
}
