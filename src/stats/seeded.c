/* Seeded binary segmentation with the narrowest interval first.
 *
 * Intervals of lengths n, n/2 … 1000, 1000/√2, 500 … down to two least segments, each length covering the series twice
 * (Kovács, Bühlmann, Li and Munk 2023, Biometrika 110:249): O(n log n) in all, and every change that is alone
 * within some distance is alone in some interval of about that length. So neither a short bump nor one change
 * among many is hidden by the rest, as it is in plain bisection. Of the intervals whose best split passes
 *
 *	z > 0.85·√(c² + 2 ln(n/L)),   c the critical value of the whole series
 *
 * the narrowest is taken first, and those that contain a place already taken are left out (Baranowski, Chen and
 * Fryzlewicz 2019, JRSS-B 81:649). The threshold is generous: each candidate is tested again with its neighbours
 * as borders. */
#include "stats/seeded.h"

#include "base/array.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Lengths up to this shrink by √½, longer ones and all in series over FINE_SERIES by ½. */
enum { FINE_LENGTH = 1000, FINE_SERIES = 100000 };
/* Least segments that a bump has at most for its ends to share all intervals. */
enum { SHORT = 2 };

struct found {
	size_t from, to, at;
	double z;
};

struct found_list {
	struct found *items;
	size_t count, capacity;
};

static int append(struct found_list *list, struct found item)
{
	if (array_reserve(&list->items, &list->capacity, list->count + 1) != 0)
		return -1;
	list->items[list->count++] = item;
	return 0;
}

/* Narrowest first, then the strongest, then the earliest. */
static int by_width(const void *left, const void *right)
{
	const struct found *a = left, *b = right;
	size_t width_a = a->to - a->from, width_b = b->to - b->from;
	if (width_a != width_b)
		return width_a < width_b ? -1 : 1;
	if (a->z != b->z)
		return a->z > b->z ? -1 : 1;
	return (a->from > b->from) - (a->from < b->from);
}

static double shrink(size_t n, double length)
{
	return length > FINE_LENGTH || n > FINE_SERIES ? 0.5 : M_SQRT1_2;
}

/* Inside an interval a side may be half as long as a segment: the grid of intervals need not fit the changes. */
static enum stats_status scan(struct split_model *model, double critical, struct found_list *list)
{
	double n = (double)model->n;
	size_t least = (model->min_segment + 1) / 2;
	for (double length = n; ceil(length) >= 2 * (double)model->min_segment; length *= shrink(model->n, length)) {
		size_t width = (size_t)ceil(length), intervals = 2 * (size_t)ceil(n / length) - 1;
		double step = intervals > 1 ? (n - (double)width) / (double)(intervals - 1) : 0;
		for (size_t k = 0; k < intervals; k++) {
			size_t from = (size_t)(step * (double)k);
			size_t to = model->n - from < width ? model->n : from + width;
			struct split split;
			if (!split_best(model, from, to, least, &split) || !split_is_candidate(model, split.z, width, critical))
				continue;
			if (append(list, (struct found){from, to, split.at, split.z}) != 0)
				return STATS_NO_MEMORY;
		}
	}
	return STATS_OK;
}

/* How many of the ascending points are below `place`. */
static size_t rank_of(const size_t *points, size_t count, size_t place)
{
	size_t low = 0, high = count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (points[middle] < place)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The place of the item, moved by less than a segment where it is too near to one taken or to an end; n when there is
 * no room or a place taken lies inside the interval. */
static size_t free_place(const struct found *item, const size_t *points, size_t count, size_t rank, size_t n,
                         size_t least)
{
	size_t before = rank > 0 ? points[rank - 1] : 0, after = rank < count ? points[rank] : n, at = item->at;
	if (before > item->from || after < item->to || after - before < 2 * least)
		return n;
	if (at < before + least)
		at = before + least;
	if (at > after - least)
		at = after - least;
	return at > item->from && at < item->to ? at : n;
}

static size_t take_narrowest(const struct found_list *list, size_t n, size_t least, size_t *points)
{
	size_t count = 0;
	for (size_t i = 0; i < list->count; i++) {
		size_t rank = rank_of(points, count, list->items[i].at);
		size_t at = free_place(&list->items[i], points, count, rank, n, least);
		if (at == n)
			continue;
		memmove(points + rank + 1, points + rank, (count - rank) * sizeof(*points));
		points[rank] = at;
		count++;
	}
	return count;
}

/* Most intervals that hold one end of a short bump hold the other as well, and are left out once that is taken. So a
 * bump is looked for beside each place taken; without the generosity, which would find more in noise that wanders. */
static size_t find_bumps(struct split_model *model, double alpha, size_t *points, size_t count)
{
	for (size_t k = 0; k <= count; k++) {
		size_t from = k == 0 ? 0 : points[k - 1], to = k < count ? points[k] : model->n;
		struct split split;
		if (!split_best(model, from, to, model->min_segment, &split))
			continue;
		bool starts = k > 0 && split.at - from < SHORT * model->min_segment;
		bool ends = k < count && to - split.at < SHORT * model->min_segment;
		if (!(starts || ends) || split_p_value(model, split.z, from, split.at, to) > alpha)
			continue;
		memmove(points + k + 1, points + k, (count - k) * sizeof(*points));
		points[k++] = split.at;
		count++;
	}
	return count;
}

enum stats_status seeded_candidates(struct split_model *model, double alpha, size_t **points, size_t *count)
{
	struct found_list list = {0};
	enum stats_status status = STATS_OK;
	size_t *taken = NULL, number = 0;
	if (model->n >= 2 * model->min_segment)
		status = scan(model, split_critical(model->n, model->min_segment, alpha), &list);
	if (status == STATS_OK && list.count > 0) {
		qsort(list.items, list.count, sizeof(*list.items), by_width);
		taken = mem_alloc(2 * list.count + 1, sizeof(*taken));
		if (taken) {
			number = take_narrowest(&list, model->n, model->min_segment, taken);
			number = find_bumps(model, alpha, taken, number);
		} else {
			status = STATS_NO_MEMORY;
		}
	}
	mem_free(list.items);
	if (status != STATS_OK)
		return status;
	*points = taken;
	*count = number;
	return STATS_OK;
}
