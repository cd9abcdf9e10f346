/* Pairs by key: a hash over the rows of the first series, then one look-up for each row of the others. */
#include "exchange/gather.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

#define NO_ROW UINT32_MAX

/* What makes two rows partners. */
struct place {
	uint32_t machine, build, run, pair;
};

struct aligner {
	struct gather_series **series;
	size_t count;
	const struct gather_plan *plan;
	bool by_group;     /* machine, build and run are part of the key */
	uint32_t *group;   /* of every row of the first series */
	uint32_t *slots, slot_count;
	uint32_t *partner; /* [j · rows + row]: the row of series j that belongs to a row of the first */
};

/* Walks the rows of a series with their place. */
struct walk {
	const struct gather_series *s;
	uint32_t row, group, segment;
};

static struct place place_at(const struct aligner *a, struct walk *walk)
{
	const struct gather_series *s = walk->s;
	while (walk->row >= s->start[walk->group + 1])
		walk->group++;
	while (walk->segment + 1 < s->segment_count && s->segments[walk->segment + 1].first_group <= walk->group)
		walk->segment++;
	struct place place = {0, 0, 0, s->pair[walk->row]};
	if (a->by_group) {
		place.machine = s->segments[walk->segment].machine;
		place.build = s->segments[walk->segment].build;
		place.run = a->plan->run ? s->run[walk->group] : 0;
	}
	return place;
}

static bool same_shape(const struct gather_series *a, const struct gather_series *b)
{
	size_t starts = (size_t)a->groups + 1;
	return a->rows == b->rows && a->groups == b->groups && a->segment_count == b->segment_count &&
	       memcmp(a->pair, b->pair, a->rows * sizeof(*a->pair)) == 0 &&
	       memcmp(a->start, b->start, starts * sizeof(*a->start)) == 0 &&
	       (!a->run || memcmp(a->run, b->run, a->groups * sizeof(*a->run)) == 0) &&
	       memcmp(a->segments, b->segments, a->segment_count * sizeof(*a->segments)) == 0;
}

/* Keys that grow inside a run do not occur twice in it. */
static bool keys_grow(const struct gather_series *s, bool in_runs)
{
	for (uint32_t g = 0; g < s->groups; g++)
		for (uint32_t row = s->start[g] + 1; row < s->start[g + 1]; row++)
			if (s->pair[row] <= s->pair[row - 1])
				return false;
	for (uint32_t g = 1; g < s->groups && !in_runs; g++)
		if (s->pair[s->start[g]] <= s->pair[s->start[g] - 1])
			return false;
	return true;
}

/* Run keys are part of a pair's name only when the series use the same ones. */
static bool runs_in_common(const struct gather_series *a, const struct gather_series *b)
{
	uint32_t i = 0, j = 0;
	/* Keys mostly grow, so that a merge finds a common one; a miss costs only the narrower key. */
	while (i < a->groups && j < b->groups) {
		if (a->run[i] == b->run[j])
			return true;
		if (a->run[i] < b->run[j])
			i++;
		else
			j++;
	}
	return false;
}

static uint32_t slot_of(const struct aligner *a, const struct place *places, const struct place *place)
{
	uint64_t h = (uint64_t)place->run << 32 | place->pair;
	h = (h ^ h >> 31) * 0x9e3779b97f4a7c15u + place->machine * 0x85ebca6bu + place->build * 0xc2b2ae35u;
	h = (h ^ h >> 29) * 0xbf58476d1ce4e5b9u;
	uint32_t mask = a->slot_count - 1, slot = (uint32_t)(h >> 32) & mask;
	for (;; slot = (slot + 1) & mask)
		if (a->slots[slot] == 0 || memcmp(&places[a->slots[slot] - 1], place, sizeof(*place)) == 0)
			return slot;
}

static int twice_error(const struct place *place, uint32_t *twice, struct error *err)
{
	*twice = place->pair;
	return error_set(err, ERROR_INPUT, "a pair key occurs twice for one subject");
}

/* partner[][] of every row of the first series, NO_ROW where there is none. */
static int find_partners(struct aligner *a, struct place *places, uint32_t *twice, struct error *err)
{
	uint32_t rows = a->series[0]->rows;
	struct walk walk = {.s = a->series[0]};
	for (walk.row = 0; walk.row < rows; walk.row++) {
		places[walk.row] = place_at(a, &walk);
		a->group[walk.row] = walk.group;
		a->partner[walk.row] = walk.row;
		uint32_t slot = slot_of(a, places, &places[walk.row]);
		if (a->slots[slot] != 0)
			return twice_error(&places[walk.row], twice, err);
		a->slots[slot] = walk.row + 1;
	}
	for (size_t j = 1; j < a->count; j++) {
		uint32_t *partner = a->partner + j * rows;
		for (uint32_t row = 0; row < rows; row++)
			partner[row] = NO_ROW;
		struct walk other = {.s = a->series[j]};
		for (other.row = 0; other.row < other.s->rows; other.row++) {
			struct place place = place_at(a, &other);
			uint32_t found = a->slots[slot_of(a, places, &place)];
			if (found == 0)
				continue;
			if (partner[found - 1] != NO_ROW)
				return twice_error(&place, twice, err);
			partner[found - 1] = other.row;
		}
	}
	return 0;
}

/* Values of series j in the order of the kept rows of the first. */
static int take_rows(struct aligner *a, size_t j, const uint32_t *kept, uint32_t kept_count, struct error *err)
{
	struct gather_series *s = a->series[j];
	const uint32_t *partner = a->partner + j * a->series[0]->rows;
	double *values = mem_alloc(kept_count, sizeof(*values));
	uint8_t *order = s->order ? mem_alloc(kept_count, 1) : NULL;
	if (!values || (s->order && !order)) {
		mem_free(values);
		mem_free(order);
		return error_memory(err);
	}
	for (uint32_t i = 0; i < kept_count; i++) {
		values[i] = s->values[partner[kept[i]]];
		if (order)
			order[i] = s->order[partner[kept[i]]];
	}
	mem_free(s->values);
	s->values = values;
	s->row_room = kept_count;
	if (order) {
		mem_free(s->order);
		s->order = order;
	}
	return 0;
}

/* The groups of the first series that still have rows, into every series. */
static int set_groups(struct aligner *a, const uint32_t *kept, uint32_t kept_count, struct error *err)
{
	struct gather_series *first = a->series[0];
	uint32_t *start = mem_alloc((size_t)first->groups + 1, sizeof(*start));
	struct gather_segment *segments = mem_alloc(first->segment_count, sizeof(*segments));
	int status = start && segments ? 0 : error_memory(err);
	uint32_t groups = 0, segment_count = 0, segment = 0, last = NO_ROW, last_segment = NO_ROW;
	for (uint32_t i = 0; status == 0 && i < kept_count; i++) {
		uint32_t group = a->group[kept[i]];
		if (group == last)
			continue;
		while (segment + 1 < first->segment_count && first->segments[segment + 1].first_group <= group)
			segment++;
		if (segment != last_segment) {
			segments[segment_count] = first->segments[segment];
			segments[segment_count++].first_group = groups;
		}
		last = group;
		last_segment = segment;
		start[groups++] = i;
	}
	for (size_t j = 0; status == 0 && j < a->count; j++) {
		struct gather_series *s = a->series[j];
		uint32_t *own_start = mem_alloc((size_t)groups + 1, sizeof(*own_start));
		struct gather_segment *own_segments = mem_alloc(segment_count, sizeof(*own_segments));
		if (!own_start || !own_segments) {
			mem_free(own_start);
			mem_free(own_segments);
			status = error_memory(err);
			break;
		}
		memcpy(own_start, start, groups * sizeof(*start));
		own_start[groups] = kept_count;
		memcpy(own_segments, segments, segment_count * sizeof(*segments));
		mem_free(s->start);
		mem_free(s->segments);
		s->start = own_start;
		s->segments = own_segments;
		s->groups = groups;
		s->group_room = groups + 1;
		s->segment_count = segment_count;
		s->rows = kept_count;
	}
	mem_free(start);
	mem_free(segments);
	return status;
}

/* Keeps the rows that have a partner everywhere: 1, 0 when there is none, -1. */
static int keep_pairs(struct aligner *a, size_t *dropped, struct error *err)
{
	uint32_t rows = a->series[0]->rows, n = 0;
	uint32_t *kept = mem_alloc(rows, sizeof(*kept));
	if (!kept)
		return error_memory(err);
	for (uint32_t row = 0; row < rows; row++) {
		bool everywhere = true;
		for (size_t j = 1; j < a->count && everywhere; j++)
			everywhere = a->partner[j * rows + row] != NO_ROW;
		if (everywhere)
			kept[n++] = row;
	}
	int status = n > 0 ? 1 : 0;
	for (size_t j = 0; j < a->count && status == 1; j++) {
		*dropped += a->series[j]->rows - n;
		if (take_rows(a, j, kept, n, err) != 0)
			status = -1;
	}
	if (status == 1 && set_groups(a, kept, n, err) != 0)
		status = -1;
	mem_free(kept);
	return status;
}

static int align_general(struct aligner *a, size_t *dropped, uint32_t *twice, struct error *err)
{
	uint32_t rows = a->series[0]->rows;
	a->slot_count = 64;
	while (a->slot_count / 2 <= rows)
		a->slot_count *= 2;
	struct place *places = mem_alloc(rows, sizeof(*places));
	a->slots = mem_zalloc(a->slot_count, sizeof(*a->slots));
	a->group = mem_alloc(rows, sizeof(*a->group));
	a->partner = mem_alloc(a->count, (size_t)rows * sizeof(*a->partner));
	int status = places && a->slots && a->group && a->partner ? 0 : error_memory(err);
	if (status == 0)
		status = find_partners(a, places, twice, err);
	mem_free(places);
	mem_free(a->slots);
	if (status == 0)
		status = keep_pairs(a, dropped, err);
	mem_free(a->group);
	mem_free(a->partner);
	return status;
}

int gather_align(struct gather_series **series, size_t count, const struct gather_plan *plan, size_t *dropped,
                 uint32_t *twice, struct error *err)
{
	struct aligner a = {.series = series, .count = count, .plan = plan, .by_group = true};
	bool same = true;
	int status = 1;
	for (size_t j = 1; j < count; j++) {
		same &= same_shape(series[0], series[j]);
		a.by_group &= !plan->run || runs_in_common(series[0], series[j]);
	}
	/* Equal keys at equal places are pairs already, provided that none occurs twice. */
	same = same && keys_grow(series[0], plan->run);
	if (!same)
		status = align_general(&a, dropped, twice, err);
	for (uint32_t row = 0; status == 1 && count == 2 && row < series[0]->rows; row++)
		if (isnan(series[0]->values[row]) || isnan(series[1]->values[row]))
			series[0]->values[row] = series[1]->values[row] = NAN;
	return status;
}
