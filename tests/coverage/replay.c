#include "coverage/replay.h"

#include "base/memory.h"
#include "base/random.h"
#include "stats/quantile.h"

#include <math.h>

enum { MOST = 10000, WARMUP = 40 };

const char *replay_name(enum replay_series series)
{
	static const char *const names[] = {"i.i.d. 2 %", "i.i.d. 10 %", "i.i.d. 25 %", "lognormal 0.5",
	                                    "AR 0.5",     "AR 0.8",      "warm-up"};
	return names[series];
}

double replay_pilot(enum replay_series series, enum preset preset)
{
	/* At 25 % a half-width of 5 % takes 96 readings by any rule. */
	static const double quick[] = {33, 30, 36};
	if (series > REPLAY_IID_25)
		return 0;
	return preset == PRESET_QUICK ? quick[series] : preset == PRESET_NORMAL && series < REPLAY_IID_25 ? 50 : 0;
}

bool replay_claims(enum replay_series series, enum preset preset)
{
	return !(series == REPLAY_WARMUP && preset == PRESET_QUICK);
}

static double next(struct random *random, enum replay_series series, size_t i, double *state)
{
	double z = random_normal(random), memory = series == REPLAY_AR_50 ? 0.5 : 0.8, x;
	switch (series) {
	case REPLAY_IID_2: return 100 + 2 * z;
	case REPLAY_IID_10: return 100 + 10 * z;
	case REPLAY_IID_25: return 100 + 25 * z;
	case REPLAY_LOGNORMAL: return 100 * exp(0.5 * z - 0.125);
	case REPLAY_WARMUP: return (i < WARMUP ? 70 : 100) + 10 * z;
	default:
		x = 100 + 10 * *state;
		*state = memory * *state + sqrt(1 - memory * memory) * z;
		return x;
	}
}

/* One session; the number of readings, and by *covered whether its interval holds 100. */
static size_t session(struct random *random, enum replay_series series, const struct readings_rule *rule, double *x,
                      bool *finished, bool *covered)
{
	double state = random_normal(random);
	size_t n = 0, look = rule->least;
	struct readings now;
	*finished = false;
	while (n < MOST && !*finished) {
		x[n] = next(random, series, n, &state);
		if (++n < look)
			continue;
		look = readings_next_look(n);
		*finished = readings_look(x, n, rule, &now) && now.wait == READINGS_ENOUGH;
	}
	*covered = *finished && now.low <= 100 && 100 <= now.high;
	return n;
}

struct replay replay_sessions(enum replay_series series, enum preset preset, size_t sessions, uint64_t seed)
{
	struct replay replay = {.sessions = sessions, .median = NAN};
	struct experiment experiment;
	struct performance_index pi = {.precision = NAN, .confidence = NAN, .autocorrelation = NAN};
	struct random random;
	double *x = mem_alloc(MOST, sizeof(*x)), *lengths = mem_alloc(sessions, sizeof(*lengths));
	experiment_init(&experiment);
	experiment.preset = preset;
	struct readings_rule rule = readings_rule_for(&experiment, &pi);
	random_stream(&random, seed, (unsigned)series * 4 + (unsigned)preset);
	for (size_t i = 0; x && lengths && i < sessions; i++) {
		bool finished, covered;
		lengths[i] = (double)session(&random, series, &rule, x, &finished, &covered);
		replay.finished += finished;
		replay.covered += covered;
	}
	if (x && lengths)
		replay.median = median_in_place(lengths, sessions);
	mem_free(x);
	mem_free(lengths);
	experiment_release(&experiment);
	return replay;
}
