/* A libFuzzer target for the blobs of the store. The first byte says what the rest is taken for. */
#include "store/codec.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static int count(void *context, const char *text, size_t length)
{
	size_t *seen = context;
	*seen += length + (text != NULL);
	return *seen > (1 << 20);
}

static void values(const uint8_t *bytes, size_t length, size_t n)
{
	double *out = calloc(n + 1, sizeof(*out));
	if (out && codec_get_values(bytes, length, out, n) == 0) {
		/* What was read is written and read again, bit by bit. */
		struct buffer again = {0};
		double *back = calloc(n + 1, sizeof(*back));
		codec_put_values(&again, out, n);
		if (back && buffer_error(&again, NULL) == 0 &&
		    (codec_get_values(buffer_text(&again), again.length, back, n) != 0 ||
		     memcmp(out, back, n * sizeof(*out)) != 0))
			abort();
		free(back);
		buffer_release(&again);
	}
	free(out);
}

static void times(const uint8_t *bytes, size_t length, size_t n)
{
	int64_t *out = calloc(n + 1, sizeof(*out));
	if (out && codec_get_times(bytes, length, out, n) == 0)
		for (size_t i = 0; i < n; i++)
			if (out[i] < 0 || (i > 0 && out[i] < out[i - 1]))
				abort();
	free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	struct codec_walk walk;
	unsigned open;
	size_t seen = 0;
	if (length < 2)
		return 0;
	size_t n = bytes[1];
	switch (bytes[0] % 4) {
	case 0: values(bytes + 2, length - 2, n); break;
	case 1: times(bytes + 2, length - 2, n); break;
	case 2: codec_get_texts(bytes + 2, length - 2, count, &seen); break;
	default:
		if (codec_walk_init(&walk, bytes + 2, length - 2, 1 + (unsigned)n % (LEVEL_COUNT - 1)) == 0)
			for (int i = 0; i < 10000 && codec_walk_next(&walk, &open) == 0; i++)
				;
	}
	return 0;
}
