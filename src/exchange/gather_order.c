/* From gathered rows to the flat tree of a series, in place where rows must move. */
#include "exchange/gather.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct ranked {
	uint32_t machine_first, segment;
};

static int by_rank(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	if (x->machine_first != y->machine_first)
		return x->machine_first < y->machine_first ? -1 : 1;
	return (x->segment > y->segment) - (x->segment < y->segment);
}

/* Segments in the order of their machine's first row, builds of a machine in theirs: sorted[i] is
 * the segment that comes at place i. *changed: that is not the order they are in. */
static int sort_segments(const struct gather_series *s, uint32_t *sorted, bool *changed, struct error *err)
{
	uint32_t machines = 0;
	for (uint32_t i = 0; i < s->segment_count; i++)
		if (s->segments[i].machine >= machines)
			machines = s->segments[i].machine + 1;
	uint32_t *first = mem_zalloc(machines, sizeof(*first)); /* the machine's first segment + 1 */
	struct ranked *ranked = mem_alloc(s->segment_count, sizeof(*ranked));
	if (!first || !ranked) {
		mem_free(first);
		mem_free(ranked);
		return error_memory(err);
	}
	*changed = false;
	for (uint32_t i = 0; i < s->segment_count; i++) {
		uint32_t machine = s->segments[i].machine;
		if (first[machine] == 0)
			first[machine] = i + 1;
		ranked[i] = (struct ranked){first[machine], i};
	}
	qsort(ranked, s->segment_count, sizeof(*ranked), by_rank);
	for (uint32_t i = 0; i < s->segment_count; i++) {
		sorted[i] = ranked[i].segment;
		*changed |= sorted[i] != i;
	}
	mem_free(first);
	mem_free(ranked);
	return 0;
}

/* Up to this many rows a second array is affordable, and three times as fast as cycles. */
enum { COPY_ROWS_MAX = 6 << 20 };

#define SCATTER(array) \
	{ \
		__typeof__(array) copy = mem_alloc(n, sizeof(*copy)); \
		if (!copy) \
			return error_memory(err); \
		for (uint32_t i = 0; i < n; i++) \
			copy[to[i]] = (array)[i]; \
		mem_free(array); \
		(array) = copy; \
	}

#define FOLLOW_CYCLES(array) \
	for (uint32_t i = 0; i < n; i++) { \
		__typeof__((array)[0]) held = (array)[i]; \
		uint32_t at = i; \
		while (!(to[at] & MOVED)) { \
			uint32_t target = to[at]; \
			to[at] |= MOVED; \
			__typeof__(held) next = (array)[target]; \
			(array)[target] = held; \
			held = next; \
			at = target; \
		} \
	} \
	for (uint32_t i = 0; i < n; i++) \
		to[i] &= ~MOVED;

/* Moves row i to to[i]: by copies, or in place along the cycles, the top bit marking what was moved. */
static int permute_rows(struct gather_series *s, uint32_t *to, struct error *err)
{
	const uint32_t n = s->rows, MOVED = 0x80000000u;
	if (n <= COPY_ROWS_MAX) {
		SCATTER(s->values)
		if (s->pair)
			SCATTER(s->pair)
		if (s->order)
			SCATTER(s->order)
		s->row_room = n;
		return 0;
	}
	FOLLOW_CYCLES(s->values)
	if (s->pair) {
		FOLLOW_CYCLES(s->pair)
	}
	if (s->order) {
		FOLLOW_CYCLES(s->order)
	}
	return 0;
}

/* Groups by segment, stable: place[g] is where group g comes; runs and starts follow. */
static int sort_groups(struct gather_series *s, const uint32_t *sorted, struct error *err)
{
	uint32_t *place = mem_alloc(s->groups, sizeof(*place)), *counts = mem_zalloc(s->groups + 1, sizeof(*counts));
	uint32_t *runs = s->run ? mem_alloc(s->group_room, sizeof(*runs)) : NULL;
	uint32_t *next = mem_zalloc(s->segment_count + 1, sizeof(*next));
	int status = place && counts && next && (runs || !s->run) ? 0 : error_memory(err);
	if (status == 0) {
		uint32_t *sizes = next; /* groups of each segment, then the next free place */
		for (uint32_t g = 0; g < s->groups; g++)
			sizes[s->segment[g]]++;
		uint32_t at = 0;
		for (uint32_t i = 0; i < s->segment_count; i++) {
			uint32_t size = sizes[sorted[i]];
			next[sorted[i]] = at;
			at += size;
		}
		for (uint32_t g = 0; g < s->groups; g++) {
			place[g] = next[s->segment[g]]++;
			if (runs)
				runs[place[g]] = s->run[g];
		}
		for (uint32_t row = 0; row < s->rows; row++)
			counts[place[s->row_group[row]]]++;
		at = 0;
		for (uint32_t g = 0; g < s->groups; g++) {
			s->start[g] = at;
			at += counts[g];
			counts[g] = s->start[g]; /* the next free row of the group */
		}
		for (uint32_t row = 0; row < s->rows; row++)
			s->row_group[row] = counts[place[s->row_group[row]]]++;
		status = permute_rows(s, s->row_group, err);
		if (runs) {
			mem_free(s->run);
			s->run = runs;
			runs = NULL;
		}
	}
	mem_free(place);
	mem_free(counts);
	mem_free(next);
	mem_free(runs);
	return status;
}

static int reorder(struct gather_series *s, const struct gather_plan *plan, const uint32_t *sorted, struct error *err)
{
	if (!s->row_group && gather_scatter(s, plan, err) != 0)
		return -1;
	struct gather_segment *segments = mem_zalloc(s->segment_count, sizeof(*segments));
	if (!segments)
		return error_memory(err);
	for (uint32_t g = 0; g < s->groups; g++)
		segments[s->segment[g]].first_group++; /* counts for now */
	uint32_t first = 0;
	struct gather_segment *result = mem_alloc(s->segment_count, sizeof(*result));
	int status = result ? sort_groups(s, sorted, err) : error_memory(err);
	for (uint32_t i = 0; status == 0 && i < s->segment_count; i++) {
		result[i] = s->segments[sorted[i]];
		result[i].first_group = first;
		first += segments[sorted[i]].first_group;
	}
	mem_free(segments);
	if (status != 0) {
		mem_free(result);
		return -1;
	}
	if (s->segment_room > 0)
		mem_free(s->segments);
	s->segments = result;
	s->segment_room = s->segment_count;
	return 0;
}

int gather_finish(struct gather_series *s, const struct gather_plan *plan, struct error *err)
{
	gather_release_maps(s);
	uint32_t *sorted = mem_alloc(s->segment_count, sizeof(*sorted));
	if (!sorted)
		return error_memory(err);
	bool changed = false;
	int status = sort_segments(s, sorted, &changed, err);
	if (status == 0 && (changed || s->row_group))
		status = reorder(s, plan, sorted, err);
	mem_free(sorted);
	mem_free(s->row_group);
	mem_free(s->segment);
	s->row_group = s->segment = NULL;
	if (s->groups > 0 && status == 0)
		s->start[s->groups] = s->rows;
	return status;
}

unsigned gather_levels(const struct gather_plan *plan, enum level *levels)
{
	unsigned depth = 0;
	if (plan->machine)
		levels[depth++] = LEVEL_MACHINE;
	unsigned shift = plan->invocations ? 1 : 0;
	if (plan->build)
		levels[depth++] = (enum level)(LEVEL_BUILD + shift);
	levels[depth++] = (enum level)(LEVEL_RUN + shift);
	levels[depth++] = (enum level)(LEVEL_ITERATION + shift);
	return depth;
}

/* The starts of one outer level, whose groups begin at those segments that `begins` says. */
static int outer_starts(const struct gather_series *from, bool machines, bool inner_builds, uint32_t **starts,
                        uint32_t *groups, struct error *err)
{
	uint32_t *list = mem_alloc((size_t)from->segment_count + 1, sizeof(*list));
	if (!list)
		return error_memory(err);
	uint32_t n = 0;
	for (uint32_t i = 0; i < from->segment_count; i++) {
		bool begins = i == 0 || !machines || from->segments[i].machine != from->segments[i - 1].machine;
		if (begins)
			list[n++] = inner_builds ? i : from->segments[i].first_group;
	}
	list[n] = inner_builds ? from->segment_count : from->groups;
	*starts = list;
	*groups = n;
	return 0;
}

/* The runs' keys become those of runs with their machine and build. */
static int name_places(struct gather_series *from, const struct gather_plan *plan, struct pair_names *names,
                       struct error *err)
{
	if (!plan->machine && !plan->build)
		return 0;
	if (!from->run && !(from->run = mem_zalloc(from->groups, sizeof(*from->run))))
		return error_memory(err);
	for (uint32_t g = 0, i = 0; g < from->groups; g++) {
		while (i + 1 < from->segment_count && from->segments[i + 1].first_group <= g)
			i++;
		from->run[g] = pair_names_place(names, from->segments[i].machine, from->segments[i].build, from->run[g]);
		if (from->run[g] == MAP_NONE)
			return error_memory(err);
	}
	return 0;
}

int gather_to_series(struct gather_series *from, const struct gather_plan *plan, struct pair_names *names,
                     struct series *to, struct error *err)
{
	unsigned k = 0;
	if (from->rows == 0)
		return 0;
	if (plan->pair && name_places(from, plan, names, err) != 0)
		return -1;
	if (plan->machine) {
		if (outer_starts(from, true, plan->build, &to->starts[k], &to->groups[k], err) != 0)
			return -1;
		to->group_capacity[k] = to->groups[k] + 1;
		k++;
	}
	if (plan->build) {
		if (outer_starts(from, false, false, &to->starts[k], &to->groups[k], err) != 0)
			return -1;
		to->group_capacity[k] = to->groups[k] + 1;
		k++;
	}
	/* One block without room to grow: of a million subjects with a value each, two would be most of what they take. */
	size_t values = from->rows * sizeof(*from->values), starts = ((size_t)from->groups + 1) * sizeof(*from->start);
	double *block = mem_resize(from->values, 1, values + starts);
	if (!block)
		return error_memory(err);
	to->starts[k] = memcpy(block + from->rows, from->start, starts);
	to->groups[k] = from->groups;
	to->values = block;
	to->n = to->capacity = from->rows;
	from->values = NULL;
	if (plan->pair) {
		to->pair_key = from->pair;
		to->run_key = from->run;
		from->pair = from->run = NULL;
	}
	return 0;
}
