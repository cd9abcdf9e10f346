/* Few values are copied and sorted. Of many, a rank is found by narrowing: doubles, their bits turned
 * so that they order like unsigned integers, are counted by their first 16 bits, then inside the
 * bucket that holds the rank by the next 16, until a bucket is small enough to be copied and sorted
 * or all 64 bits are known. At most four counts and one copy, each one pass over the values for all
 * ranks together; the memory does not grow with n. */
#include "stats/order.h"

#include "base/memory.h"
#include "stats/quantile.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { STEP_BITS = 16, BUCKETS = 1 << STEP_BITS, STEPS = 64 / STEP_BITS };

/* A bucket that holds at least one rank: the values whose first bits are `prefix`. */
struct bucket {
	uint64_t prefix;
	size_t before; /* values below the bucket */
	size_t size;
	uint32_t *counts; /* by the next bits */
	double *values;   /* of a small one: its values, `filled` of them so far */
	size_t filled;
};

struct rank_search {
	const double *x;
	size_t n;
	bool distances;
	double centre;
	unsigned step; /* how many times 16 bits are known */
	struct bucket buckets[ORDER_MOST];
	size_t bucket_count;
	uint8_t *slot;                /* by the last 16 known bits: the bucket + 1 that may hold such values, or 0 */
	size_t bucket_of[ORDER_MOST]; /* by rank */
};

/* Ascending with the value: negative ones have all bits turned, the others the sign. */
static uint64_t key_of(double x)
{
	uint64_t bits;
	x += 0.0; /* −0 is 0 */
	memcpy(&bits, &x, sizeof(bits));
	return bits ^ (bits >> 63 ? UINT64_MAX : UINT64_C(1) << 63);
}

static double value_of(uint64_t key)
{
	uint64_t bits = key ^ (key >> 63 ? UINT64_C(1) << 63 : UINT64_MAX);
	double x;
	memcpy(&x, &bits, sizeof(x));
	return x;
}

static double value_at(const struct rank_search *search, size_t i)
{
	return search->distances ? fabs(search->x[i] - search->centre) : search->x[i];
}

/* The bucket of a key, or NULL when no rank is in its. */
static struct bucket *find_bucket(struct rank_search *search, uint64_t key)
{
	if (search->step == 0)
		return search->buckets;
	uint64_t prefix = key >> (64 - STEP_BITS * search->step);
	unsigned slot = search->slot[prefix & (BUCKETS - 1)];
	/* Buckets with the same last bits stand one after the other. */
	for (; slot != 0 && slot <= search->bucket_count; slot++) {
		struct bucket *bucket = &search->buckets[slot - 1];
		if (bucket->prefix == prefix)
			return bucket;
		if ((bucket->prefix & (BUCKETS - 1)) != (prefix & (BUCKETS - 1)))
			return NULL;
	}
	return NULL;
}

static bool is_small(const struct bucket *bucket)
{
	return bucket->size <= ORDER_LARGE;
}

/* One pass: small buckets get their values, large ones their counts. */
static bool scan(struct rank_search *search)
{
	unsigned shift = 64 - STEP_BITS * (search->step + 1);
	for (size_t b = 0; b < search->bucket_count; b++) {
		struct bucket *bucket = &search->buckets[b];
		bucket->filled = 0;
		if (is_small(bucket))
			bucket->values = mem_alloc(bucket->size, sizeof(double));
		else
			bucket->counts = mem_zalloc(BUCKETS, sizeof(*bucket->counts));
		if (!bucket->values && !bucket->counts)
			return false;
	}
	uint32_t *counts = search->step == 0 ? search->buckets[0].counts : NULL;
	for (size_t i = 0; counts && i < search->n; i++)
		counts[key_of(value_at(search, i)) >> shift]++;
	for (size_t i = 0; !counts && i < search->n; i++) {
		double value = value_at(search, i);
		uint64_t key = key_of(value);
		struct bucket *bucket = find_bucket(search, key);
		if (!bucket)
			continue;
		if (bucket->counts)
			bucket->counts[key >> shift & (BUCKETS - 1)]++;
		else
			bucket->values[bucket->filled++] = value;
	}
	return true;
}

static void forget(struct rank_search *search)
{
	for (size_t b = 0; b < search->bucket_count; b++) {
		mem_free(search->buckets[b].counts);
		mem_free(search->buckets[b].values);
		search->buckets[b].counts = NULL;
		search->buckets[b].values = NULL;
	}
}

/* The bucket inside `from`, which has counts, that holds the rank. */
static struct bucket narrow(const struct bucket *from, size_t rank)
{
	struct bucket inside = {.before = from->before};
	size_t b = 0;
	while (inside.before + from->counts[b] <= rank)
		inside.before += from->counts[b++];
	inside.prefix = from->prefix << STEP_BITS | b;
	inside.size = from->counts[b];
	return inside;
}

/* After a scan: answers the ranks of small buckets and narrows the others. Ranks that are answered have
 * no bucket any more (SIZE_MAX). */
static void descend(struct rank_search *search, const size_t *ranks, size_t count, double *out)
{
	struct bucket next[ORDER_MOST] = {0};
	size_t next_count = 0, owner[ORDER_MOST] = {0};
	for (size_t b = 0; b < search->bucket_count; b++)
		if (search->buckets[b].values)
			sort_doubles(search->buckets[b].values, search->buckets[b].size);
	for (size_t r = 0; r < count; r++) {
		owner[r] = SIZE_MAX;
		if (search->bucket_of[r] == SIZE_MAX)
			continue;
		const struct bucket *bucket = &search->buckets[search->bucket_of[r]];
		if (bucket->values) {
			out[r] = bucket->values[ranks[r] - bucket->before];
			continue;
		}
		struct bucket inside = narrow(bucket, ranks[r]);
		if (search->step + 1 == STEPS) {
			out[r] = value_of(inside.prefix); /* all bits are known: equal values */
			continue;
		}
		size_t b = 0;
		while (b < next_count && next[b].prefix != inside.prefix)
			b++;
		if (b == next_count)
			next[next_count++] = inside;
		owner[r] = b;
	}
	forget(search);
	memcpy(search->buckets, next, next_count * sizeof(*next));
	memcpy(search->bucket_of, owner, count * sizeof(*owner));
	search->bucket_count = next_count;
	search->step++;
}

/* Buckets with the same last 16 bits beside each other, and the table that finds the first of them. */
static void index_buckets(struct rank_search *search, size_t count)
{
	size_t place[ORDER_MOST], n = 0;
	struct bucket sorted[ORDER_MOST] = {0};
	memset(search->slot, 0, BUCKETS);
	for (size_t b = 0; b < search->bucket_count; b++) {
		uint64_t bits = search->buckets[b].prefix & (BUCKETS - 1);
		if (search->slot[bits])
			continue;
		search->slot[bits] = (uint8_t)(n + 1);
		for (size_t c = b; c < search->bucket_count; c++) {
			if ((search->buckets[c].prefix & (BUCKETS - 1)) != bits)
				continue;
			place[c] = n;
			sorted[n++] = search->buckets[c];
		}
	}
	memcpy(search->buckets, sorted, n * sizeof(*sorted));
	for (size_t r = 0; r < count; r++)
		if (search->bucket_of[r] != SIZE_MAX)
			search->bucket_of[r] = place[search->bucket_of[r]];
}

static enum stats_status find(struct rank_search *search, const size_t *ranks, size_t count, double *out)
{
	enum stats_status status = stats_check_finite(search->x, search->n);
	if (status != STATS_OK)
		return status;
	if (count > ORDER_MOST || (search->distances && !isfinite(search->centre)))
		return STATS_BAD_ARGUMENT;
	for (size_t r = 0; r < count; r++)
		if (ranks[r] >= search->n)
			return STATS_BAD_ARGUMENT;
	search->slot = search->n > ORDER_LARGE ? mem_zalloc(BUCKETS, 1) : NULL;
	if (search->n > ORDER_LARGE && !search->slot)
		return STATS_NO_MEMORY;
	search->buckets[0] = (struct bucket){.size = search->n};
	search->bucket_count = count > 0;
	while (search->bucket_count > 0) {
		if (!scan(search)) {
			forget(search);
			status = STATS_NO_MEMORY;
			break;
		}
		descend(search, ranks, count, out);
		if (search->bucket_count > 0)
			index_buckets(search, count);
	}
	mem_free(search->slot);
	return status;
}

enum stats_status order_statistics(const double *x, size_t n, const size_t *ranks, size_t count, double *out)
{
	struct rank_search search = {.x = x, .n = n};
	return find(&search, ranks, count, out);
}

enum stats_status order_of_distances(const double *x, size_t n, double centre, const size_t *ranks, size_t count,
                                     double *out)
{
	struct rank_search search = {.x = x, .n = n, .distances = true, .centre = centre};
	return find(&search, ranks, count, out);
}
