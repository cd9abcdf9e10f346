/* Two functions in turns: blocks of pairs as long as their time asks for, a coin for every two pairs, a look at numbers
 * of pairs that grow by a fifth each, from the sixth on; until it is decided and told well, as in tare's own sessions. */
#include "library/library.h"

#include "decide/jury.h"
#include "design/fit.h"

#include <math.h>

enum { TRIALS = 3 };

const char *tare_outcome_text(enum tare_outcome outcome)
{
	static const char *const names[] = {"undecided", "faster", "slower", "mixed", "same"};
	return outcome >= TARE_UNDECIDED && outcome <= TARE_SAME ? names[outcome] : "";
}

struct duel {
	struct host host;
	int (*side[2])(void *);
	void *context;
	double budget; /* s */
	int64_t started;
	size_t pairs; /* measured so far */
	bool turned;  /* the order of the last pair */
	struct random random;
	struct jury jury; /* of one judge */
};

static int timed(struct duel *duel, int side, double *seconds)
{
	int64_t before = clock_now(&duel->host);
	int failed = duel->side[side](duel->context);
	*seconds = (double)(clock_now(&duel->host) - before) / 1e9;
	return failed;
}

static enum tare_status pair(struct duel *duel, bool second_first)
{
	double seconds[2];
	int first = second_first ? 1 : 0;
	if (timed(duel, first, &seconds[first]) != 0 || timed(duel, !first, &seconds[!first]) != 0)
		return TARE_FAILED;
	return judge_add(&duel->jury.judges[0], seconds[0], seconds[1], second_first, NULL) == 0 ? TARE_OK : TARE_NO_MEMORY;
}

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

static double elapsed(const struct duel *duel)
{
	return (double)(clock_now(&duel->host) - duel->started) / 1e9;
}

/* *seconds is what a pair takes. */
static enum tare_status warm_up(struct duel *duel, double *seconds)
{
	double discarded;
	for (int i = 0; i < TRIALS; i++) {
		if (elapsed(duel) > duel->budget)
			return TARE_LIMIT;
		int64_t before = clock_now(&duel->host);
		if (timed(duel, 0, &discarded) != 0 || timed(duel, 1, &discarded) != 0)
			return TARE_FAILED;
		*seconds = (double)(clock_now(&duel->host) - before) / 1e9;
	}
	return TARE_OK;
}

static enum tare_status next_pair(struct duel *duel)
{
	duel->turned = duel->pairs++ % 2 ? !duel->turned : random_below(&duel->random, 2) != 0;
	return pair(duel, duel->turned);
}

/* What the last look says when the time is over, if there are pairs enough for any. */
static void last_word(struct duel *duel, double level, struct tare_verdict *out)
{
	struct verdict_numbers numbers;
	bool correlated;
	if (judge_last_look(&duel->jury.judges[0], &numbers, &correlated) == STATS_OK &&
	    numbers.runs >= VERDICT_LEAST_PAIRS)
		fill(&numbers, level, out);
}

/* Until it is decided and told well, or the time is over. */
static enum tare_status fight(struct duel *duel, double level, struct tare_verdict *out)
{
	enum tare_status status = TARE_OK;
	struct jury_look look;
	while (status == TARE_OK && !(elapsed(duel) > duel->budget)) {
		status = next_pair(duel);
		if (status != TARE_OK || !jury_is_due(&duel->jury))
			continue;
		if (jury_look(&duel->jury, &look, NULL) != 0)
			return TARE_NO_MEMORY;
		if (look.open == 0) {
			fill(&duel->jury.numbers[0], level, out);
			return TARE_OK;
		}
	}
	last_word(duel, level, out);
	if (status != TARE_OK)
		return status;
	return out->outcome == TARE_UNDECIDED ? TARE_LIMIT : TARE_OK;
}

enum tare_status tare_compare(int (*first)(void *), int (*second)(void *), void *context,
                              const struct tare_compare_options *options, struct tare_verdict *out)
{
	struct tare_compare_options given = {0};
	if (options)
		given = *options;
	double level = given.confidence > 0 ? given.confidence : 0.99;
	if (!first || !second || !out || !library_level(level) || !(level > 0.5) || !(given.margin >= 0) ||
	    !(given.seconds >= 0))
		return TARE_BAD_ARGUMENT;
	struct duel duel = {.host = host_real(),
	                    .side = {first, second},
	                    .context = context,
	                    .budget = given.seconds > 0 ? given.seconds : 60};
	struct judge_options judging = {.verdict = verdict_defaults(1 - level), .has_order = true};
	double seconds = 0;
	judging.verdict.margin = given.margin > 0 ? given.margin : 0.01;
	judging.verdict.quantum = 1e-9;
	*out = (struct tare_verdict){.ratio = NAN, .low = NAN, .high = NAN, .level = level};
	random_seed(&duel.random, given.seed);
	duel.started = clock_now(&duel.host);
	enum tare_status status = warm_up(&duel, &seconds);
	if (status != TARE_OK)
		return status;
	judging.block = design_block(seconds);
	if (jury_init(&duel.jury, 1, &judging, NULL) != 0)
		return TARE_NO_MEMORY;
	duel.jury.told = judging.verdict.margin;
	status = fight(&duel, level, out);
	jury_release(&duel.jury);
	return status;
}
