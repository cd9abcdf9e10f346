/* Stop rules applied to complete data after the fact, as Laaber et al. (2020) did in their section 5. */
#ifndef TARE_ANALYSIS_REPLAY_H
#define TARE_ANALYSIS_REPLAY_H

#include "decide/auto_rule.h"
#include "decide/stable.h"
#include "model/replay.h"
#include "model/series.h"
#include "stats/nested.h"

/* One rule: the criteria of Laaber et al. (2020), or tare's own. */
struct replay_rule {
	bool own;
	struct stable_options stable;
	struct auto_options auto_;
};

struct replay_options {
	struct stable_options stable; /* caps, window, variant; its criteria are set by the rules */
	struct auto_options auto_;
	double start_cost; /* of a run, in iterations */
	double confidence; /* of the comparison with the full data, 0.99 */
	bool bootstrap;    /* the paper's comparison beside ours */
	uint64_t seed;
};

/* As the paper; auto stops from three runs on, at 1 %. */
void replay_options_init(struct replay_options *options);

/* "auto", "auto@PERCENT" or what stable_options_parse() takes. */
int replay_rule_parse(struct replay_rule *rule, const struct replay_options *options, const char *text,
                      struct error *err);

/* Runs > iterations > values, from a series with those levels (outer ones are not kept apart: each run counts). */
struct replay_data {
	struct nested view;          /* of depth 3 */
	uint32_t *runs, *iterations; /* starts that were made for it, or NULL */
};

/* 1: the series has no iterations inside runs (fewer than `least` in some run), or lost values: nothing can be
 * replayed; -1: no memory. */
int replay_data_init(struct replay_data *data, const struct series *series, size_t least, struct error *err);
void replay_data_release(struct replay_data *data);

/* Applies the rule. Full data: every run without its first half. A cap that the data cannot hold is lowered to what
 * they have. -1: no memory. */
int replay_benchmark(const struct nested *data, const struct replay_rule *rule, const struct replay_options *options,
                     struct replay_outcome *out, struct error *err);

/* Iterations that every run must have for the rule. */
enum { REPLAY_LEAST_ITERATIONS = 12 };

#endif
