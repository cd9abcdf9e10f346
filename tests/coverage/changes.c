#include "coverage/changes.h"

#include "stats/edivisive.h"
#include "stats/edm.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double ALPHA = 0.01;
static const double BASE = 50; /* levels are above 0, as times are */

static const char *const names[NOISE_COUNT] = {
	"normal",  "exponential", "lognormal", "cauchy",   "t3",    "outliers", "bimodal", "five_values",
	"rounded", "bern_0.5",    "bern_0.95", "periodic", "ar0.2", "ar0.5",    "ar0.8",   "ar0.9",
};

const char *noise_name(enum noise noise)
{
	return names[noise];
}

static void autoregression(struct random *random, double rho, double *x, size_t n)
{
	double value = random_normal(random), scale = sqrt(1 - rho * rho);
	for (size_t i = 0; i < n; i++) {
		x[i] = value;
		value = rho * value + scale * random_normal(random);
	}
}

static double one_value(struct random *random, enum noise noise, size_t i)
{
	double a, b, c;
	switch (noise) {
	case NOISE_EXPONENTIAL: return random_exponential(random);
	case NOISE_LOGNORMAL: return exp(random_normal(random));
	case NOISE_CAUCHY: a = random_normal(random); return a / random_normal(random);
	case NOISE_T3:
		a = random_normal(random);
		b = random_normal(random);
		c = random_normal(random);
		return random_normal(random) / sqrt((a * a + b * b + c * c) / 3);
	case NOISE_OUTLIERS: return random_normal(random) * (random_below(random, 20) == 0 ? 10 : 1);
	case NOISE_BIMODAL: return random_normal(random) / 5 + (random_below(random, 5) == 0 ? 2 : 0);
	case NOISE_FIVE_VALUES: return (double)random_below(random, 5);
	case NOISE_ROUNDED: return floor(random_normal(random) + 0.5);
	case NOISE_COIN: return random_uniform(random) < 0.5;
	case NOISE_MOSTLY_ONE: return random_uniform(random) < 0.95;
	case NOISE_PERIODIC: return random_normal(random) + sin(2 * M_PI * (double)i / 40);
	default: return random_normal(random);
	}
}

void noise_series(struct random *random, enum noise noise, double *x, size_t n)
{
	static const double rho[] = {0.2, 0.5, 0.8, 0.9};
	if (noise >= NOISE_AR_02) {
		autoregression(random, rho[noise - NOISE_AR_02], x, n);
		return;
	}
	for (size_t i = 0; i < n; i++)
		x[i] = one_value(random, noise, i);
}

static double noise_sd(enum noise noise)
{
	return noise == NOISE_LOGNORMAL ? sqrt((exp(1) - 1) * exp(1)) : 1;
}

static void make_series(struct random *random, const struct change_case *change, double *x)
{
	if (change->before > 0) {
		for (size_t i = 0; i < change->n; i++)
			x[i] = random_uniform(random) < (i < change->at ? change->before : change->after);
		return;
	}
	noise_series(random, change->noise, x, change->n);
	for (size_t i = 0; i < change->n; i++) {
		if (i < change->at)
			x[i] -= change->shift * noise_sd(change->noise);
		if (change->step > 0)
			x[i] = floor(x[i] / change->step + 0.5) * change->step;
		x[i] += BASE;
	}
}

static void must(bool condition)
{
	if (!condition)
		abort();
}

static size_t apart(size_t a, size_t b)
{
	return a > b ? a - b : b - a;
}

static void search_edm(const struct change_case *change, const double *x, struct change_rates *rates)
{
	struct edm edm;
	bool found = false;
	must(edm_find(x, change->n, &EDM_DEFAULTS, &edm) == STATS_OK);
	for (size_t k = 0; k < edm.count; k++)
		found |= apart(edm.changes[k].at, change->at) <= change->tolerance;
	rates->any += edm.count > 0;
	rates->found += change->at > 0 && found;
	edm_release(&edm);
}

static void search_edivisive(const struct change_case *change, const double *x, struct change_rates *rates)
{
	struct edivisive history;
	const struct edivisive_change *nearest = NULL;
	double size = change->shift * noise_sd(change->noise);
	must(edivisive_find(x, change->n, &EDIVISIVE_DEFAULTS, &history) == STATS_OK);
	for (size_t k = 0; k < history.count; k++)
		if (!nearest || apart(history.changes[k].at, change->at) < apart(nearest->at, change->at))
			nearest = &history.changes[k];
	rates->any += nearest != NULL;
	if (change->at > 0 && nearest && apart(nearest->at, change->at) <= change->tolerance) {
		rates->found++;
		rates->place_covered += nearest->low <= change->at && change->at <= nearest->high;
		rates->size_covered += nearest->size_interval.low <= size && size <= nearest->size_interval.high;
	}
	edivisive_release(&history);
}

struct change_rates changes_simulate(const struct change_case *change, size_t series, uint64_t seed)
{
	struct change_rates rates = {.series = series};
	struct random random;
	double *x = malloc(change->n * sizeof(*x));
	must(x != NULL);
	random_seed(&random, seed);
	for (size_t i = 0; i < series; i++) {
		make_series(&random, change, x);
		if (change->finder == FINDER_EDM)
			search_edm(change, x, &rates);
		else
			search_edivisive(change, x, &rates);
	}
	free(x);
	return rates;
}

static enum noise noise_by_name(const char *name)
{
	for (int k = 0; k < NOISE_COUNT; k++)
		if (strcmp(names[k], name) == 0)
			return (enum noise)k;
	abort();
}

struct list {
	struct change_case *cases;
	size_t count, most;
	enum finder finder;
};

static void add(struct list *list, struct change_case change)
{
	must(list->count < list->most);
	change.finder = list->finder;
	list->cases[list->count++] = change;
}

static void add_alarms(struct list *list, const json_t *table)
{
	const json_t *lengths = json_object_get(table, "n");
	const char *name;
	json_t *row;
	json_object_foreach((json_t *)table, name, row)
	{
		for (size_t k = 0; strcmp(name, "n") != 0 && k < json_array_size(lengths); k++)
			add(list, (struct change_case){.noise = noise_by_name(name),
			                               .n = (size_t)json_integer_value(json_array_get(lengths, k)),
			                               .published = json_number_value(json_array_get(row, k))});
	}
}

/* Rows of detections by shift: of a noise, or of normal noise rounded to the step that the row is named by. */
static void add_warm_ups(struct list *list, const json_t *table, size_t at, size_t n, bool rounded)
{
	const json_t *shifts = json_object_get(table, "shift_sd");
	const char *name;
	json_t *row;
	json_object_foreach((json_t *)table, name, row)
	{
		for (size_t k = 0; strcmp(name, "shift_sd") != 0 && k < json_array_size(shifts); k++) {
			struct change_case change = {.n = n,
			                             .at = at,
			                             .tolerance = 20,
			                             .shift = json_number_value(json_array_get(shifts, k)),
			                             .published = json_number_value(json_array_get(row, k))};
			if (rounded)
				change.step = strtod(name, NULL);
			else
				change.noise = noise_by_name(name);
			add(list, change);
		}
	}
}

size_t changes_published(const char *file, enum finder finder, struct change_case *cases, size_t most)
{
	struct list list = {cases, 0, most, finder};
	json_error_t error;
	json_t *known = json_load_file(file, 0, &error), *row;
	size_t k;
	if (!known) {
		fprintf(stderr, "%s: %s\n", file, error.text);
		exit(1);
	}
	add_alarms(&list, json_object_get(known, "false_positive_percent"));
	add_warm_ups(&list, json_object_get(known, "power_warmup_50_of_500_within_20_percent"), 50, 500, false);
	add_warm_ups(&list, json_object_get(known, "power_warmup_200_of_2000_within_20_percent"), 200, 2000, false);
	add_warm_ups(&list, json_object_get(known, "power_rounded_50_of_500"), 50, 500, true);
	json_array_foreach(json_object_get(known, "power_bernoulli_within_20_percent"), k, row)
		add(&list, (struct change_case){.before = json_number_value(json_array_get(row, 0)),
	                                    .after = json_number_value(json_array_get(row, 1)),
	                                    .at = (size_t)json_integer_value(json_array_get(row, 2)),
	                                    .n = (size_t)json_integer_value(json_array_get(row, 3)),
	                                    .tolerance = 20,
	                                    .published = json_number_value(json_array_get(row, 4))});
	json_decref(known);
	return list.count;
}

double changes_error(double p, size_t series)
{
	return sqrt(p * (1 - p) / (double)series);
}

bool changes_broken(const struct change_case *change, const struct change_rates *rates)
{
	double series = (double)rates->series;
	/* Few and long periods are levels to a search with short segments. */
	if (change->finder == FINDER_EDIVISIVE && change->noise == NOISE_PERIODIC && change->n <= 200)
		return false;
	if (change->at == 0)
		return (double)rates->any / series > ALPHA + 2 * changes_error(ALPHA, rates->series);
	if (change->published < 0)
		return false;
	double published = change->published / 100;
	double error = hypot(changes_error(published, rates->series), changes_error(published, 1000));
	return (double)rates->found / series < published - 2 * error;
}
