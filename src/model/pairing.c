/* Pairs by key: a map of the values of the first series, then one look-up for each value of the others. */
#include "model/pairing.h"

#include "base/map.h"
#include "base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define NO_ROW UINT32_MAX

struct aligner {
	struct series *const *series;
	size_t count;
	bool by_run;       /* the run is part of the key */
	uint32_t *partner; /* [j · rows + row]: the value of series j that belongs to a value of the first */
};

void pairing_release(struct pairing *pairing)
{
	mem_free(pairing->kept);
	memset(pairing, 0, sizeof(*pairing));
}

/* ---- places: run and pair, which make two values partners ---- */

/* Walks the values of a series with their places. */
struct pair_walk {
	const struct series *s;
	uint32_t row, group;
};

static uint64_t place_at(const struct aligner *a, struct pair_walk *walk)
{
	const struct series *s = walk->s;
	while (walk->row >= s->starts[s->depth - 2][walk->group + 1])
		walk->group++;
	return map_pair(a->by_run ? s->run_key[walk->group] : 0, s->pair_key[walk->row]);
}

/* ---- what the keys look like ---- */

static size_t runs_of(const struct series *s)
{
	return s->groups[s->depth - 2];
}

/* Run keys are part of a pair's name only when the series use the same ones: 1, 0, or -1. */
static int runs_in_common(const struct series *a, const struct series *b, struct error *err)
{
	struct map runs = {0};
	int found = 0;
	if (!a->run_key || !b->run_key)
		return 0;
	for (uint32_t g = 0; found == 0 && g < runs_of(a); g++)
		if (map_key(&runs, a->run_key[g]) == MAP_NONE)
			found = error_memory(err);
	for (uint32_t g = 0; found == 0 && g < runs_of(b); g++)
		found = map_find_key(&runs, b->run_key[g]) != MAP_NONE;
	map_release(&runs);
	return found;
}

static bool same_shape(const struct series *a, const struct series *b)
{
	if (a->n != b->n || a->depth != b->depth || memcmp(a->levels, b->levels, a->depth * sizeof(*a->levels)) != 0 ||
	    memcmp(a->pair_key, b->pair_key, a->n * sizeof(*a->pair_key)) != 0)
		return false;
	for (unsigned k = 0; k + 1 < a->depth; k++)
		if (a->groups[k] != b->groups[k] ||
		    memcmp(a->starts[k], b->starts[k], a->groups[k] * sizeof(*a->starts[k])) != 0)
			return false;
	if (!a->run_key || !b->run_key)
		return !a->run_key && !b->run_key;
	return memcmp(a->run_key, b->run_key, runs_of(a) * sizeof(*a->run_key)) == 0;
}

static bool grow(const uint32_t *keys, size_t from, size_t to)
{
	for (size_t i = from + 1; i < to; i++)
		if (keys[i] <= keys[i - 1])
			return false;
	return true;
}

/* Keys that grow do not occur twice. */
static bool keys_grow(const struct series *s)
{
	const uint32_t *start = s->starts[s->depth - 2];
	if (!s->run_key)
		return grow(s->pair_key, 0, s->n);
	if (!grow(s->run_key, 0, runs_of(s)))
		return false;
	for (size_t g = 0; g < runs_of(s); g++)
		if (!grow(s->pair_key, start[g], start[g + 1]))
			return false;
	return true;
}

/* ---- finding ---- */

static int twice_error(uint64_t place, struct pairing *out, struct error *err)
{
	out->twice = (uint32_t)place;
	return error_set(err, ERROR_INPUT, "a pair key occurs twice for one subject");
}

/* partner[] of every value of the first series, NO_ROW where there is none. */
static int find_partners(struct aligner *a, struct map *places, struct pairing *out, struct error *err)
{
	uint32_t rows = (uint32_t)a->series[0]->n;
	struct pair_walk walk = {.s = a->series[0]};
	for (walk.row = 0; walk.row < rows; walk.row++) {
		uint64_t place = place_at(a, &walk);
		uint32_t number = map_key(places, place);
		if (number == MAP_NONE)
			return error_memory(err);
		if (number != walk.row)
			return twice_error(place, out, err);
		a->partner[walk.row] = walk.row;
	}
	for (size_t j = 1; j < a->count; j++) {
		uint32_t *partner = a->partner + j * rows;
		for (uint32_t row = 0; row < rows; row++)
			partner[row] = NO_ROW;
		struct pair_walk other = {.s = a->series[j]};
		for (other.row = 0; other.row < other.s->n; other.row++) {
			uint64_t place = place_at(a, &other);
			uint32_t found = map_find_key(places, place);
			if (found == MAP_NONE)
				continue;
			if (partner[found] != NO_ROW)
				return twice_error(place, out, err);
			partner[found] = other.row;
		}
	}
	return 0;
}

static size_t choose_kept(const struct aligner *a, uint32_t *kept)
{
	size_t rows = a->series[0]->n, n = 0;
	for (size_t row = 0; row < rows; row++) {
		bool everywhere = true;
		for (size_t j = 1; j < a->count && everywhere; j++)
			everywhere = a->partner[j * rows + row] != NO_ROW;
		if (everywhere)
			kept[n++] = (uint32_t)row;
	}
	return n;
}

/* ---- taking ---- */

/* Values of series j in the order of the kept ones of the first, with the levels that these have there. */
static int take(const struct aligner *a, size_t j, const uint32_t *kept, size_t count, struct series *out,
                struct error *err)
{
	const struct series *first = a->series[0], *from = a->series[j];
	size_t at[LEVEL_COUNT] = {0}, last[LEVEL_COUNT] = {0}; /* the group at each level */
	series_init(out, first->levels, first->depth);
	for (size_t i = 0; i < count; i++) {
		unsigned open = first->depth - 1;
		size_t child = kept[i];
		for (unsigned k = first->depth - 1; k-- > 0;) {
			while (child >= first->starts[k][at[k] + 1])
				at[k]++;
			open = at[k] != last[k] ? k : open;
			child = last[k] = at[k];
		}
		if (series_append(out, open, from->values[a->partner[j * first->n + kept[i]]], err) != 0)
			return -1;
	}
	return 0;
}

/* Keeps the pairs that all have: 1, 0 when there is none, -1. */
static int keep_pairs(struct aligner *a, struct pairing *out, struct error *err)
{
	uint32_t *kept = mem_alloc(a->series[0]->n, sizeof(*kept));
	struct series *taken = mem_zalloc(a->count, sizeof(*taken));
	int status = kept && taken ? 0 : error_memory(err);
	size_t n = status == 0 ? choose_kept(a, kept) : 0, dropped = 0;
	for (size_t j = 0; status == 0 && n > 0 && j < a->count; j++) {
		status = take(a, j, kept, n, &taken[j], err);
		dropped += a->series[j]->n - n;
	}
	for (size_t j = 0; taken && n > 0 && j < a->count; j++) {
		if (status == 0) {
			struct series old = *a->series[j];
			*a->series[j] = taken[j];
			taken[j] = old;
		}
		series_release(&taken[j]);
	}
	mem_free(taken);
	if (status != 0 || n == 0) {
		mem_free(kept);
		return status;
	}
	out->dropped = dropped;
	out->kept = kept;
	out->kept_count = n;
	return 1;
}

static int align(struct aligner *a, struct pairing *out, struct error *err)
{
	size_t rows = a->series[0]->n;
	struct map places = {0};
	a->partner = mem_alloc(a->count, rows * sizeof(*a->partner));
	int status = a->partner ? find_partners(a, &places, out, err) : error_memory(err);
	map_release(&places);
	if (status == 0)
		status = keep_pairs(a, out, err);
	mem_free(a->partner);
	return status;
}

int pairing_align(struct series *const *series, size_t count, struct pairing *out, struct error *err)
{
	struct aligner a = {.series = series, .count = count, .by_run = true};
	memset(out, 0, sizeof(*out));
	bool same = true;
	int status = 1;
	for (size_t j = 1; j < count; j++) {
		int common = runs_in_common(series[0], series[j], err);
		if (common < 0)
			return -1;
		a.by_run &= common == 1;
		same &= same_shape(series[0], series[j]);
	}
	/* Equal keys at equal places are pairs already, provided that none occurs twice. */
	if (!same || !keys_grow(series[0]))
		status = align(&a, out, err);
	for (size_t i = 0; status == 1 && count == 2 && i < series[0]->n; i++)
		if (isnan(series[0]->values[i]) || isnan(series[1]->values[i]))
			series[0]->values[i] = series[1]->values[i] = NAN;
	for (size_t j = 0; status == 1 && j < count; j++)
		series_forget_pairs(series[j]);
	return status;
}
