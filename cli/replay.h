/* tare analyze --replay: stop rules applied to existing data. */
#ifndef TARE_CLI_REPLAY_H
#define TARE_CLI_REPLAY_H

#include "cli/documents.h"
#include "cli/options.h"
#include "model/result.h"

struct replay_choices {
	const char *rules, *variant;
	int64_t window, min_warmup, max_warmup, iterations, min_runs, max_runs, warmup_runs, values;
	double precision, start_cost;
};

void replay_choices_init(struct replay_choices *choices);

#define REPLAY_OPTION(type, field) offsetof(type, replay.field)
#define REPLAY_OPTIONS(type) \
	OPTION(0, "replay", "RULE,…", OPTION_TEXT, REPLAY_OPTION(type, rules), \
	       "what stop rules would have done: cv, rciw, kld, auto"), \
		OPTION_OF(0, "stop-variant", "WHICH", OPTION_CHOICE, REPLAY_OPTION(type, variant), "published|paper|fork", \
	              NULL), \
		OPTION_WITHIN(0, "window", "N", OPTION_INTEGER, REPLAY_OPTION(type, window), 1, 1e6, NULL), \
		OPTION_WITHIN(0, "min-warmup", "N", OPTION_INTEGER, REPLAY_OPTION(type, min_warmup), 1, 1e9, NULL), \
		OPTION_WITHIN(0, "max-warmup", "N", OPTION_INTEGER, REPLAY_OPTION(type, max_warmup), 1, 1e9, NULL), \
		OPTION_WITHIN(0, "iterations", "N", OPTION_INTEGER, REPLAY_OPTION(type, iterations), 1, 1e9, NULL), \
		OPTION_WITHIN(0, "min-runs", "N", OPTION_INTEGER, REPLAY_OPTION(type, min_runs), 1, 1e9, NULL), \
		OPTION_WITHIN(0, "max-runs", "N", OPTION_INTEGER, REPLAY_OPTION(type, max_runs), 1, 1e9, NULL), \
		OPTION_WITHIN(0, "warmup-runs", "N", OPTION_INTEGER, REPLAY_OPTION(type, warmup_runs), 0, 1e9, NULL), \
		OPTION_WITHIN(0, "stop-values", "N", OPTION_INTEGER, REPLAY_OPTION(type, values), 2, 1e6, NULL), \
		OPTION_WITHIN(0, "precision", "PCT", OPTION_PERCENT, REPLAY_OPTION(type, precision), 1e-4, 1000, NULL), \
		OPTION_WITHIN(0, "start-cost", "N", OPTION_NUMBER, REPLAY_OPTION(type, start_cost), 0, 1e9, NULL)

/* Replays every subject's first metric that has iterations inside runs. ERROR_NO_DATA when none has. Tables go to the
 * json, csv and markdown of `outputs`, and to standard output as text where none of these has it. */
int replay_result(const struct result *result, const struct replay_choices *choices, double confidence, uint64_t seed,
                  const struct document_paths *outputs, const struct look *look, struct error *err);

#endif
