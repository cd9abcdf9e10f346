#include "coverage/patterns.h"

#include "analysis/history.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct generator {
	const struct pattern_case *pattern;
	struct random random;
	double walk, noise, phase;
};

static double next_value(struct generator *g, size_t i)
{
	double n = (double)g->pattern->n, rho = g->pattern->rho, white = random_normal(&g->random);
	switch (g->pattern->kind) {
	case MADE_STEP:
		g->noise = i == 0 ? white : rho * g->noise + sqrt(1 - rho * rho) * white;
		return 100 + (i >= g->pattern->n / 2 ? 4 : 0) + g->noise;
	case MADE_WALK: g->walk += random_normal(&g->random); return 200 + g->walk + white;
	case MADE_PART_CYCLE: break;
	}
	return 100 + 4 * sin(3 * M_PI * (double)i / n + g->phase) + white;
}

static void add_series(struct history *history, struct generator *g, size_t number)
{
	char name[24];
	snprintf(name, sizeof(name), "s%zu", number);
	const struct history_series of = {.subject = name, .metric = "wall", .unit = "s", .stratum = ""};
	g->walk = 0;
	g->phase = 2 * M_PI * random_uniform(&g->random);
	for (size_t i = 0; i < g->pattern->n; i++) {
		const struct history_point point = {
			.when = (int64_t)i, .commit = "", .value = next_value(g, i), .low = NAN, .high = NAN};
		if (history_add(history, &of, &point) != 0)
			abort();
	}
}

struct pattern_rates patterns_simulate(const struct pattern_case *pattern, size_t series, uint64_t seed)
{
	struct pattern_rates rates = {.series = series};
	struct history_search options = HISTORY_SEARCH_DEFAULTS;
	struct history history = {0};
	struct generator generator = {.pattern = pattern};
	random_seed(&generator.random, seed);
	for (size_t k = 0; k < series; k++)
		add_series(&history, &generator, k);
	if (history_search(&history, &options, NULL) != 0)
		abort();
	for (size_t k = 0; k < history.count; k++) {
		rates.found += history.series[k].change_count > 0;
		rates.marked += history.series[k].pattern != PATTERN_NONE;
	}
	history_release(&history);
	return rates;
}
