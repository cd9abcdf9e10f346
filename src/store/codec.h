/* Blobs of the store: what an experiment's arrays look like in the database.
 *
 * Numbers are little-endian base-128 ("varint"), signed ones zigzag. A blob of values begins with its form:
 *   0  doubles as they are, 8 bytes each;
 *   1, 2  whole numbers of billionths, by division and by multiplication;
 *   3  whole numbers;
 *   4  doubles that share their highest byte: that byte, then the lower seven of each;
 * 1 to 3 as the first number and then differences, zigzag. They are taken where every value comes back bit by
 * bit, as times of a nanosecond clock and counts do.
 * A reader never trusts a blob: every length is checked, and -1 means that it is damaged. */
#ifndef TARE_STORE_CODEC_H
#define TARE_STORE_CODEC_H

#include "base/buffer.h"
#include "model/series.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CODEC_CHUNK = 1 << 16 }; /* values in one blob, at most */

struct codec_input {
	const unsigned char *at, *end;
};

void codec_put(struct buffer *out, uint64_t number);
void codec_put_double(struct buffer *out, double number);
bool codec_get(struct codec_input *in, uint64_t *number);
bool codec_get_double(struct codec_input *in, double *number);

/* n ≤ CODEC_CHUNK values. */
void codec_put_values(struct buffer *out, const double *values, size_t n);
/* Exactly n of them; -1: damaged. */
int codec_get_values(const void *blob, size_t size, double *values, size_t n);

/* The groups of every level of a series, outermost first, as runs of equal sizes: (size, how many) … 0. */
void codec_put_groups(struct buffer *out, const struct series *series);

/* Walks groups that codec_put_groups wrote and says for each value which level it opens. */
struct codec_walk {
	struct codec_input in[LEVEL_COUNT];
	uint64_t size[LEVEL_COUNT], times[LEVEL_COUNT], left[LEVEL_COUNT];
	unsigned depth;
};
int codec_walk_init(struct codec_walk *walk, const void *blob, size_t size, unsigned depth); /* -1: damaged */
int codec_walk_next(struct codec_walk *walk, unsigned *open); /* -1: damaged, or past the end */

/* Texts of which few differ ("AB", "BA"): a dictionary, then one index each, a bit where there are two of them. */
int codec_put_texts(struct buffer *out, const char *const *texts, size_t n);
/* Calls `take` for each; `take` returns 0 to go on. -1: damaged, or stopped. */
int codec_get_texts(const void *blob, size_t size, int (*take)(void *context, const char *text, size_t length),
                    void *context);

/* Instants, ms, not negative and never going back: differences. */
void codec_put_times(struct buffer *out, const int64_t *times, size_t n);
int codec_get_times(const void *blob, size_t size, int64_t *times, size_t n);

#endif
