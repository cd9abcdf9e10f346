/* Algorithm 1 of Laaber et al. (2020). Values of an iteration: those outside [median/10, 10·median] dropped, at most
 * 1000 of the rest drawn by weight, never more than there are (stats/criteria_data.h).
 *
 * What the criteria say of the mean is little: CV and KLD settle when the shape is known, and the bootstrap interval
 * after such a stop holds 63 to 80 % instead of 99 %. They end the measuring; what is reported is the t interval over
 * runs (docs/methods.md, "Stopping"). */
#include "decide/stable.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/parse.h"
#include "stats/criteria_data.h"
#include "stats/stability.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct stable {
	struct stable_options options;
	struct stability *warmup[CRITERION_COUNT], *runs[CRITERION_COUNT]; /* NULL where not used */
	double *room; /* values of one iteration, filtered, then thinned */
	uint64_t *room_counts;
	size_t capacity;
	double *run; /* measured values of this run */
	size_t run_n, run_capacity;
	uint32_t *starts; /* its iterations */
	size_t iterations, starts_capacity;
	uint64_t draws; /* samples taken so far, each with a seed of its own */
};

void stable_options_init(struct stable_options *options)
{
	*options = (struct stable_options){.variant = STOP_PUBLISHED,
	                                   .window = STOP_WINDOW,
	                                   .max_warmup = 50,
	                                   .iterations = 10,
	                                   .min_runs = 2,
	                                   .max_runs = 5,
	                                   .most_values = CRITERIA_MOST_VALUES};
	for (int c = 0; c < CRITERION_COUNT; c++)
		options->threshold[c] = NAN;
}

static int criterion_by_name(const char *name, size_t length)
{
	for (int c = 0; c < CRITERION_COUNT; c++) {
		const char *known = stop_criterion_name((enum stop_criterion)c);
		if (strlen(known) == length && strncmp(known, name, length) == 0)
			return c;
	}
	return -1;
}

static int parse_one(struct stable_options *options, const char *text, size_t length, struct error *err)
{
	const char *at = memchr(text, '@', length);
	size_t name = at ? (size_t)(at - text) : length;
	int c = criterion_by_name(text, name);
	char number[32];
	double threshold = NAN;
	if (c < 0)
		return error_full(err, ERROR_USAGE, NULL, "choose cv, rciw or kld, also joined, as in rciw+kld; or auto",
		                  "'%.*s' is not a stop rule", (int)(name < 60 ? name : 60), text);
	if (options->uses[c])
		return error_set(err, ERROR_USAGE, "%s appears twice in a stop rule",
		                 stop_criterion_name((enum stop_criterion)c));
	if (at) {
		snprintf(number, sizeof(number), "%.*s", (int)(length - name - 1), at + 1);
		if (length - name - 1 >= sizeof(number) || parse_double(number, &threshold, err) != 0 ||
		    !(threshold > 0 && threshold < 1)) {
			error_set(err, ERROR_USAGE, "'%.40s' is not a threshold of %s", at + 1,
			          stop_criterion_name((enum stop_criterion)c));
			return error_next(err, "a number between 0 and 1, as in %s@%g", stop_criterion_name((enum stop_criterion)c),
			                  stop_threshold((enum stop_criterion)c));
		}
	}
	options->uses[c] = true;
	if (at)
		options->threshold[c] = threshold;
	return 0;
}

int stable_options_parse(struct stable_options *options, const char *text, struct error *err)
{
	struct stable_options parsed = *options;
	for (;;) {
		size_t length = strcspn(text, "+");
		if (parse_one(&parsed, text, length, err) != 0)
			return -1;
		if (text[length] == '\0')
			break;
		text += length + 1;
	}
	*options = parsed;
	return 0;
}

static double threshold_of(const struct stable_options *options, int c)
{
	return isnan(options->threshold[c]) ? stop_threshold((enum stop_criterion)c) : options->threshold[c];
}

size_t stable_first_look(const struct stable_options *options)
{
	size_t least = options->window + (options->uses[CRITERION_KLD] ? 1 : 0);
	return options->min_warmup > least ? options->min_warmup : least;
}

struct stable *stable_new(const struct stable_options *options)
{
	struct stable *s = mem_zalloc(1, sizeof(*s));
	if (!s)
		return NULL;
	s->options = *options;
	for (int c = 0; c < CRITERION_COUNT; c++) {
		if (!options->uses[c])
			continue;
		s->warmup[c] = stability_new((enum stop_criterion)c, options->seed, options->direct);
		s->runs[c] = stability_new((enum stop_criterion)c, options->seed, options->direct);
		if (!s->warmup[c] || !s->runs[c]) {
			stable_free(s);
			return NULL;
		}
	}
	return s;
}

void stable_free(struct stable *s)
{
	if (!s)
		return;
	for (int c = 0; c < CRITERION_COUNT; c++) {
		stability_free(s->warmup[c]);
		stability_free(s->runs[c]);
	}
	mem_free(s->room);
	mem_free(s->room_counts);
	mem_free(s->run);
	mem_free(s->starts);
	mem_free(s);
}

void stable_begin_run(struct stable *s)
{
	for (int c = 0; c < CRITERION_COUNT; c++)
		if (s->warmup[c])
			stability_clear(s->warmup[c]);
	s->run_n = s->iterations = 0;
}

static bool reserve(struct stable *s, size_t n)
{
	if (n <= s->capacity)
		return true;
	double *room = mem_resize(s->room, 2 * n, 2 * sizeof(*room));
	if (room)
		s->room = room;
	uint64_t *counts = mem_resize(s->room_counts, 2 * n, sizeof(*counts));
	if (counts)
		s->room_counts = counts;
	if (!room || !counts)
		return false;
	s->capacity = 2 * n;
	return true;
}

/* The values that count of one iteration, in *out, a part of s->room; *kept 0: they tell nothing. */
static enum stats_status thin(struct stable *s, const double *values, const uint64_t *counts, size_t n,
                              const double **out, size_t *kept)
{
	size_t inside, most = s->options.most_values;
	*kept = 0;
	/* Counts may stand for more occurrences than there are values. */
	if (!reserve(s, n > most ? n : most))
		return STATS_NO_MEMORY;
	enum stats_status status = criteria_filter(values, counts, n, s->room, counts ? s->room_counts : NULL, &inside);
	if (status != STATS_OK)
		return status == STATS_NO_MEMORY ? status : STATS_OK;
	if (!counts && inside <= most) {
		*out = s->room;
		*kept = inside;
		return STATS_OK;
	}
	*out = s->room + s->capacity;
	return criteria_sample(s->room, counts ? s->room_counts : NULL, inside, most, s->options.seed + ++s->draws,
	                       s->room + s->capacity, kept);
}

/* All criteria over `all`. */
static enum stats_status hold(struct stable *s, struct stability **all, bool between_runs, bool *holds)
{
	*holds = true;
	for (int c = 0; c < CRITERION_COUNT; c++) {
		struct stability_rule rule = {s->options.variant, threshold_of(&s->options, c), s->options.window,
		                              between_runs};
		bool one;
		if (!all[c])
			continue;
		enum stats_status status = stability_holds(all[c], &rule, &one);
		if (status != STATS_OK)
			return status;
		*holds &= one;
	}
	return STATS_OK;
}

int stable_add_warmup(struct stable *s, const double *values, const uint64_t *counts, size_t n, bool *warm,
                      struct error *err)
{
	const double *kept_values;
	size_t kept, seen = 0;
	*warm = false;
	enum stats_status status = thin(s, values, counts, n, &kept_values, &kept);
	if (status == STATS_OK && kept == 0)
		return 0;
	const uint32_t starts[] = {0, (uint32_t)kept};
	for (int c = 0; c < CRITERION_COUNT && status == STATS_OK; c++) {
		if (!s->warmup[c])
			continue;
		status = stability_add(s->warmup[c], kept_values, starts, 1);
		seen = stability_count(s->warmup[c]);
	}
	if (status == STATS_OK && seen >= stable_first_look(&s->options))
		status = hold(s, s->warmup, false, warm);
	return status == STATS_OK ? 0 : error_memory(err);
}

int stable_add_measured(struct stable *s, const double *values, const uint64_t *counts, size_t n, struct error *err)
{
	const double *kept_values;
	size_t kept;
	if (thin(s, values, counts, n, &kept_values, &kept) != STATS_OK)
		return error_memory(err);
	if (kept == 0)
		return 0;
	if (array_reserve(&s->run, &s->run_capacity, s->run_n + kept) != 0 ||
	    array_reserve(&s->starts, &s->starts_capacity, s->iterations + 2) != 0)
		return error_memory(err);
	memcpy(s->run + s->run_n, kept_values, kept * sizeof(*kept_values));
	s->starts[0] = 0;
	s->run_n += kept;
	s->starts[++s->iterations] = (uint32_t)s->run_n;
	return 0;
}

int stable_end_run(struct stable *s, bool *enough, struct error *err)
{
	enum stats_status status = STATS_OK;
	size_t runs = 0;
	*enough = false;
	if (s->iterations == 0)
		return 0;
	for (int c = 0; c < CRITERION_COUNT && status == STATS_OK; c++) {
		if (!s->runs[c])
			continue;
		status = stability_add(s->runs[c], s->run, s->starts, s->iterations);
		runs = stability_count(s->runs[c]);
	}
	if (status == STATS_OK && runs >= s->options.min_runs)
		status = hold(s, s->runs, true, enough);
	return status == STATS_OK ? 0 : error_memory(err);
}

double stable_value(const struct stable *s, enum stop_criterion criterion, bool between_runs)
{
	const struct stability *one = between_runs ? s->runs[criterion] : s->warmup[criterion];
	return one ? stability_value(one) : NAN;
}
