#include "exchange/gather.h"

#include "base/array.h"
#include "base/memory.h"

#include <string.h>

void gather_release_maps(struct gather_series *series)
{
	if (!series->maps)
		return;
	map_release(&series->maps->segments);
	map_release(&series->maps->groups);
	mem_free(series->maps);
	series->maps = NULL;
}

void gather_release(struct gather_series *series)
{
	mem_free(series->values);
	mem_free(series->pair);
	mem_free(series->order);
	mem_free(series->row_group);
	if (series->start != series->first)
		mem_free(series->start);
	mem_free(series->run);
	mem_free(series->segment);
	if (series->segment_room > 0)
		mem_free(series->segments);
	gather_release_maps(series);
	memset(series, 0, sizeof(*series));
}

static uint32_t number_of(struct gather_series *s, bool group, uint32_t a, uint32_t b)
{
	if (!s->maps && !(s->maps = mem_zalloc(1, sizeof(*s->maps))))
		return MAP_NONE;
	return map_key(group ? &s->maps->groups : &s->maps->segments, map_pair(a, b));
}

static int reserve_row(struct gather_series *s, const struct gather_plan *plan, struct error *err)
{
	if (s->rows < s->row_room)
		return 0;
	if (s->rows > UINT32_MAX / 2)
		return error_set(err, ERROR_INPUT, "more than 2 147 483 647 values of one subject");
	size_t room = array_larger(s->row_room, s->rows + 1);
	if (array_resize(&s->values, room) != 0 || (plan->pair && array_resize(&s->pair, room) != 0) ||
	    (plan->order && array_resize(&s->order, room) != 0) || (s->row_group && array_resize(&s->row_group, room) != 0))
		return error_memory(err);
	s->row_room = room;
	return 0;
}

static int grow_starts(struct gather_series *s, size_t room)
{
	bool few = room <= sizeof(s->first) / sizeof(s->first[0]);
	if (!few && s->start != s->first)
		return array_resize(&s->start, room);
	uint32_t *start = few ? s->first : mem_alloc(room, sizeof(*start));
	if (!start)
		return -1;
	if (!few)
		memcpy(start, s->first, sizeof(s->first));
	s->start = start;
	return 0;
}

static int reserve_group(struct gather_series *s, const struct gather_plan *plan, struct error *err)
{
	if (s->groups + 1 < s->group_room)
		return 0;
	/* One more than the groups: a series closes its last one with an entry. */
	size_t room = array_larger(s->group_room, s->groups + 2);
	if (grow_starts(s, room) != 0 || (plan->run && array_resize(&s->run, room) != 0) ||
	    (s->segment && array_resize(&s->segment, room) != 0))
		return error_memory(err);
	s->group_room = room;
	return 0;
}

/* From here on every row says which group it belongs to. */
int gather_scatter(struct gather_series *s, const struct gather_plan *plan, struct error *err)
{
	uint32_t *row_group = mem_alloc(s->row_room, sizeof(*row_group));
	uint32_t *segment = mem_alloc(s->group_room, sizeof(*segment));
	if (!row_group || !segment) {
		mem_free(row_group);
		mem_free(segment);
		return error_memory(err);
	}
	for (uint32_t g = 0; g < s->groups; g++)
		for (uint32_t row = s->start[g]; row < (g + 1 < s->groups ? s->start[g + 1] : s->rows); row++)
			row_group[row] = g;
	for (uint32_t i = 0; i < s->segment_count; i++)
		for (uint32_t g = s->segments[i].first_group;
		     g < (i + 1 < s->segment_count ? s->segments[i + 1].first_group : s->groups); g++)
			segment[g] = i;
	s->row_group = row_group;
	s->segment = segment;
	for (uint32_t g = 0; plan->run && g < s->groups; g++)
		if (number_of(s, true, s->segment[g], s->run[g]) == MAP_NONE)
			return error_memory(err);
	return 0;
}

static int new_group(struct gather_series *s, const struct gather_plan *plan, const struct gather_key *key,
                     struct error *err)
{
	if (reserve_group(s, plan, err) != 0)
		return -1;
	s->group = s->groups++;
	s->start[s->group] = s->rows;
	if (plan->run)
		s->run[s->group] = key->run;
	if (s->segment)
		s->segment[s->group] = s->current_segment;
	return 0;
}

/* Makes the segment of the key the current one: a new one, or one that comes back. */
static int choose_segment(struct gather_series *s, const struct gather_plan *plan, const struct gather_key *key,
                          struct error *err)
{
	static const struct gather_segment whole; /* only read */
	if (!plan->machine && !plan->build) {
		s->segments = (struct gather_segment *)&whole;
		s->segment_count = 1;
		return 0;
	}
	/* Most series have one segment, which needs no map. */
	const struct gather_segment *first = s->segments;
	if (s->segment_count == 1 && number_of(s, false, first->machine, first->build) == MAP_NONE)
		return error_memory(err);
	uint32_t segment = s->segment_count > 0 ? number_of(s, false, key->machine, key->build) : 0;
	if (segment == MAP_NONE)
		return error_memory(err);
	s->current_segment = segment;
	if (segment < s->segment_count)
		return s->row_group ? 0 : gather_scatter(s, plan, err);
	if (array_reserve(&s->segments, &s->segment_room, segment + 1) != 0)
		return error_memory(err);
	s->segments[s->segment_count++] = (struct gather_segment){key->machine, key->build, s->groups};
	return 0;
}

/* The group of a run key that differs from the one of the row before. */
static int choose_group(struct gather_series *s, const struct gather_plan *plan, const struct gather_key *key,
                        bool new_segment, struct error *err)
{
	/* As long as keys grow inside a segment, none can have been there before. */
	if (!s->row_group && (new_segment || key->run > s->run[s->group]))
		return new_group(s, plan, key, err);
	if (!s->row_group && gather_scatter(s, plan, err) != 0)
		return -1;
	uint32_t group = number_of(s, true, s->current_segment, key->run);
	if (group == MAP_NONE)
		return error_memory(err);
	if (group == s->groups)
		return new_group(s, plan, key, err);
	s->group = group;
	return 0;
}

int gather_add(struct gather_series *s, const struct gather_plan *plan, const struct gather_key *key, double value,
               struct error *err)
{
	if (reserve_row(s, plan, err) != 0)
		return -1;
	bool first = s->rows == 0, new_segment = false;
	if (!(key->more && !first)) {
		const struct gather_segment *segment = first ? NULL : &s->segments[s->current_segment];
		if (first || segment->machine != key->machine || segment->build != key->build) {
			if (choose_segment(s, plan, key, err) != 0)
				return -1;
			new_segment = true;
		}
		bool same = !first && !new_segment &&
		            (plan->run ? key->run == s->run[s->group] : plan->iteration && key->iteration > s->last_iteration);
		if (same && plan->iteration && key->iteration <= s->last_iteration)
			s->unordered = true;
		if (!same && plan->run) {
			if (choose_group(s, plan, key, new_segment, err) != 0)
				return -1;
		} else if (!same && new_group(s, plan, key, err) != 0) {
			return -1;
		}
		s->last_iteration = key->iteration;
	}
	s->values[s->rows] = value;
	if (plan->pair)
		s->pair[s->rows] = key->pair;
	if (plan->order)
		s->order[s->rows] = key->order;
	if (s->row_group)
		s->row_group[s->rows] = s->group;
	s->rows++;
	return 0;
}
