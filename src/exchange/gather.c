#include "exchange/gather.h"

#include "base/memory.h"

#include <string.h>

void gather_release(struct gather_series *series)
{
	mem_free(series->values);
	mem_free(series->pair);
	mem_free(series->order);
	mem_free(series->row_group);
	mem_free(series->start);
	mem_free(series->run);
	mem_free(series->segment);
	mem_free(series->segments);
	mem_free(series->slots);
	mem_free(series->segment_slots);
	memset(series, 0, sizeof(*series));
}

static int resize(void *array_pointer, size_t count, size_t size, struct error *err)
{
	void **array = array_pointer;
	void *grown = mem_resize(*array, count, size);
	if (!grown)
		return error_memory(err);
	*array = grown;
	return 0;
}

static int reserve_row(struct gather_series *s, const struct gather_plan *plan, struct error *err)
{
	if (s->rows < s->row_room)
		return 0;
	if (s->rows > UINT32_MAX / 2)
		return error_set(err, ERROR_INPUT, "more than 2 147 483 647 values of one subject");
	uint32_t room = s->row_room ? s->row_room + s->row_room / 2 : 64;
	if (resize(&s->values, room, sizeof(*s->values), err) != 0 ||
	    (plan->pair && resize(&s->pair, room, sizeof(*s->pair), err) != 0) ||
	    (plan->order && resize(&s->order, room, sizeof(*s->order), err) != 0) ||
	    (s->row_group && resize(&s->row_group, room, sizeof(*s->row_group), err) != 0))
		return -1;
	s->row_room = room;
	return 0;
}

static int reserve_group(struct gather_series *s, const struct gather_plan *plan, struct error *err)
{
	if (s->groups + 1 < s->group_room)
		return 0;
	uint32_t room = s->group_room ? s->group_room + s->group_room / 2 : 64;
	/* One more than the groups: a series closes its last one with an entry. */
	if (resize(&s->start, room, sizeof(*s->start), err) != 0 ||
	    (plan->run && resize(&s->run, room, sizeof(*s->run), err) != 0) ||
	    (s->segment && resize(&s->segment, room, sizeof(*s->segment), err) != 0))
		return -1;
	s->group_room = room;
	return 0;
}

static int add_segment(struct gather_series *s, const struct gather_key *key, struct error *err)
{
	if (s->segment_count == s->segment_room) {
		uint32_t room = s->segment_room ? 2 * s->segment_room : 4;
		if (resize(&s->segments, room, sizeof(*s->segments), err) != 0)
			return -1;
		s->segment_room = room;
	}
	s->current_segment = s->segment_count;
	s->segments[s->segment_count++] = (struct gather_segment){key->machine, key->build, s->groups};
	return 0;
}

static uint32_t hash_of(uint32_t a, uint32_t b)
{
	uint64_t h = ((uint64_t)a << 32 | b) * 0x9e3779b97f4a7c15u;
	return (uint32_t)((h ^ h >> 29) * 0xbf58476d1ce4e5b9u >> 32);
}

/* The slot of a machine and build: the one that holds it or the free one where it belongs. */
static uint32_t segment_slot(const struct gather_series *s, uint32_t machine, uint32_t build)
{
	uint32_t mask = s->segment_slot_count - 1, slot = hash_of(machine, build) & mask;
	for (;; slot = (slot + 1) & mask) {
		uint32_t i = s->segment_slots[slot];
		if (i == 0 || (s->segments[i - 1].machine == machine && s->segments[i - 1].build == build))
			return slot;
	}
}

static int grow_segment_slots(struct gather_series *s, struct error *err)
{
	uint32_t count = s->segment_slot_count ? 4 * s->segment_slot_count : 16;
	uint32_t *slots = mem_zalloc(count, sizeof(*slots));
	if (!slots)
		return error_memory(err);
	mem_free(s->segment_slots);
	s->segment_slots = slots;
	s->segment_slot_count = count;
	for (uint32_t i = 0; i < s->segment_count; i++)
		slots[segment_slot(s, s->segments[i].machine, s->segments[i].build)] = i + 1;
	return 0;
}

static uint32_t slot_of(const struct gather_series *s, uint32_t segment, uint32_t run)
{
	uint32_t mask = s->slot_count - 1, slot = hash_of(segment, run) & mask;
	for (;; slot = (slot + 1) & mask) {
		uint32_t g = s->slots[slot];
		if (g == 0 || (s->segment[g - 1] == segment && s->run[g - 1] == run))
			return slot;
	}
}

static int grow_slots(struct gather_series *s, struct error *err)
{
	uint32_t count = 64;
	while (count / 2 <= s->groups)
		count *= 2;
	uint32_t *slots = mem_zalloc(count, sizeof(*slots));
	if (!slots)
		return error_memory(err);
	mem_free(s->slots);
	s->slots = slots;
	s->slot_count = count;
	for (uint32_t g = 0; g < s->groups; g++)
		slots[slot_of(s, s->segment[g], s->run[g])] = g + 1;
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
	return plan->run ? grow_slots(s, err) : 0;
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
	if (s->segment_count + 1 > s->segment_slot_count / 2 && grow_segment_slots(s, err) != 0)
		return -1;
	uint32_t slot = segment_slot(s, key->machine, key->build);
	if (s->segment_slots[slot] != 0) {
		s->current_segment = s->segment_slots[slot] - 1;
		return s->row_group ? 0 : gather_scatter(s, plan, err);
	}
	s->segment_slots[slot] = s->segment_count + 1;
	return add_segment(s, key, err);
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
	if (s->groups + 1 > s->slot_count / 2 && grow_slots(s, err) != 0)
		return -1;
	uint32_t slot = slot_of(s, s->current_segment, key->run), g = s->slots[slot];
	if (g != 0) {
		s->group = g - 1;
		return 0;
	}
	if (new_group(s, plan, key, err) != 0)
		return -1;
	s->slots[slot] = s->group + 1;
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
