/* A round gives one unit to each of:
 *
 *	1. everybody open below its least number of units, while there are such and their units fit;
 *	2. else those open whose needs, the smallest first, fit together into the time that is left;
 *	3. else, where not even the smallest need fits, everybody open.
 *
 * Decided benchmarks get nothing, so that their time goes to the others. By 2 a benchmark that could not be decided
 * anyway takes no time from those that can; it gets what they leave. Needs are guessed from widths that shrink with the
 * root of the units, and are often too small, so they are taken half as large again. */
#include "decide/allotment.h"

#include <math.h>

static const double CAUTION = 1.5;

static double need(const struct allotment *a)
{
	double units = fmax(a->missing, 1);
	return CAUTION * units * a->cost;
}

static bool fits(const struct allotment *a, double left)
{
	return a->open && a->cost <= left;
}

static size_t choose_below_least(const struct allotment *all, size_t n, double left, size_t *chosen)
{
	size_t count = 0;
	for (size_t i = 0; i < n; i++)
		if (fits(&all[i], left) && all[i].units < all[i].least)
			chosen[count++] = i;
	return count;
}

static size_t choose_open(const struct allotment *all, size_t n, double left, size_t *chosen)
{
	size_t count = 0;
	for (size_t i = 0; i < n; i++)
		if (fits(&all[i], left))
			chosen[count++] = i;
	return count;
}

/* By need, smallest first; suites are small enough for the plain way. */
static void sort_by_need(const struct allotment *all, size_t *chosen, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		size_t moved = chosen[i], k = i;
		for (; k > 0 && need(&all[chosen[k - 1]]) > need(&all[moved]); k--)
			chosen[k] = chosen[k - 1];
		chosen[k] = moved;
	}
}

size_t allotment_next(const struct allotment *all, size_t n, double left, size_t *chosen)
{
	size_t count = choose_below_least(all, n, left, chosen);
	if (count > 0)
		return count;
	count = choose_open(all, n, left, chosen);
	sort_by_need(all, chosen, count);
	double sum = 0;
	size_t fitting = 0;
	while (fitting < count && (sum += need(&all[chosen[fitting]])) <= left)
		fitting++;
	return fitting > 0 ? fitting : count;
}
