#include "store/codec.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { FORM_DOUBLES, FORM_WHOLE, FORM_NANO, FORM_COUNT, FORM_LOW_BYTES, MOST_TEXTS = 4096 };

void codec_put(struct buffer *out, uint64_t number)
{
	while (number >= 0x80) {
		buffer_char(out, (char)(unsigned char)(number | 0x80));
		number >>= 7;
	}
	buffer_char(out, (char)(unsigned char)number);
}

static void put_signed(struct buffer *out, int64_t number)
{
	codec_put(out, (uint64_t)number << 1 ^ (number < 0 ? UINT64_MAX : 0));
}

void codec_put_double(struct buffer *out, double number)
{
	unsigned char bytes[8];
	uint64_t bits;
	memcpy(&bits, &number, sizeof(bits));
	for (int i = 0; i < 8; i++)
		bytes[i] = (unsigned char)(bits >> 8 * i);
	buffer_add(out, bytes, sizeof(bytes));
}

bool codec_get(struct codec_input *in, uint64_t *number)
{
	uint64_t value = 0;
	for (unsigned shift = 0; shift < 64 && in->at < in->end; shift += 7) {
		unsigned char byte = *in->at++;
		if (shift == 63 && byte > 1)
			return false;
		value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80) {
			*number = value;
			return true;
		}
	}
	return false;
}

static bool get_signed(struct codec_input *in, int64_t *number)
{
	uint64_t value;
	if (!codec_get(in, &value))
		return false;
	*number = (int64_t)(value >> 1 ^ (value & 1 ? UINT64_MAX : 0));
	return true;
}

bool codec_get_double(struct codec_input *in, double *number)
{
	uint64_t bits = 0;
	if (in->end - in->at < 8)
		return false;
	for (int i = 0; i < 8; i++)
		bits |= (uint64_t)*in->at++ << 8 * i;
	memcpy(number, &bits, sizeof(*number));
	return true;
}

/* What a whole number stands for. Both ways of making seconds from nanoseconds are in use, and round differently. */
static double meaning(int form, int64_t number)
{
	return form == FORM_NANO ? (double)number * 1e-9 : (double)number / 1e9;
}

static uint64_t bits_of(double value)
{
	uint64_t bits;
	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

/* The whole number that gives this very double back, or false. */
static bool whole(int form, double value, int64_t *number)
{
	double scaled = value * 1e9;
	if (!(fabs(scaled) < 0x1p53))
		return false;
	*number = llround(scaled);
	double back = meaning(form, *number);
	return bits_of(back) == bits_of(value);
}

/* Counts are whole billions of billionths: they are kept as they are. */
static bool whole_count(double value, int64_t *number)
{
	if (!(fabs(value) < 0x1p53))
		return false;
	*number = llround(value);
	double back = (double)*number;
	return bits_of(back) == bits_of(value);
}

static bool as_whole(int form, double value, int64_t *number)
{
	return form == FORM_COUNT ? whole_count(value, number) : whole(form, value, number);
}

static bool put_whole(struct buffer *out, const double *values, size_t n, int form)
{
	int64_t number = 0, before = 0;
	for (size_t i = 0; i < n; i++)
		if (!as_whole(form, values[i], &number))
			return false;
	buffer_char(out, (char)form);
	for (size_t i = 0; i < n; i++) {
		as_whole(form, values[i], &number);
		put_signed(out, number - before);
		before = number;
	}
	return true;
}

/* An empty blob has no address. */
static struct codec_input input_of(const void *blob, size_t size)
{
	const unsigned char *start = blob;
	return (struct codec_input){start, start ? start + size : NULL};
}

/* Values of about one size share their highest byte: sign and most of the exponent. */
static bool put_low_bytes(struct buffer *out, const double *values, size_t n)
{
	unsigned char bytes[7];
	if (n == 0)
		return false;
	uint64_t high = bits_of(values[0]) >> 56;
	for (size_t i = 1; i < n; i++)
		if (bits_of(values[i]) >> 56 != high)
			return false;
	buffer_char(out, FORM_LOW_BYTES);
	buffer_char(out, (char)(unsigned char)high);
	for (size_t i = 0; i < n; i++) {
		uint64_t bits = bits_of(values[i]);
		for (int k = 0; k < 7; k++)
			bytes[k] = (unsigned char)(bits >> 8 * k);
		buffer_add(out, bytes, sizeof(bytes));
	}
	return true;
}

static int get_low_bytes(struct codec_input *in, double *values, size_t n)
{
	if (in->end - in->at < 1 || (uint64_t)(in->end - in->at - 1) != (uint64_t)7 * n)
		return -1;
	uint64_t high = (uint64_t)*in->at++ << 56;
	for (size_t i = 0; i < n; i++) {
		uint64_t bits = high;
		for (int k = 0; k < 7; k++)
			bits |= (uint64_t)*in->at++ << 8 * k;
		memcpy(&values[i], &bits, sizeof(bits));
	}
	return 0;
}

void codec_put_values(struct buffer *out, const double *values, size_t n)
{
	if (put_whole(out, values, n, FORM_COUNT) || put_whole(out, values, n, FORM_WHOLE) ||
	    put_whole(out, values, n, FORM_NANO))
		return;
	if (put_low_bytes(out, values, n))
		return;
	buffer_char(out, FORM_DOUBLES);
	for (size_t i = 0; i < n; i++)
		codec_put_double(out, values[i]);
}

int codec_get_values(const void *blob, size_t size, double *values, size_t n)
{
	struct codec_input in = input_of(blob, size);
	int64_t number = 0, step;
	if (in.at == in.end || *in.at > FORM_LOW_BYTES)
		return -1;
	int form = *in.at++;
	if (form == FORM_LOW_BYTES)
		return get_low_bytes(&in, values, n);
	for (size_t i = 0; i < n; i++) {
		if (form == FORM_DOUBLES) {
			if (!codec_get_double(&in, &values[i]))
				return -1;
			continue;
		}
		if (!get_signed(&in, &step) || __builtin_add_overflow(number, step, &number))
			return -1;
		values[i] = form == FORM_COUNT ? (double)number : meaning(form, number);
	}
	return in.at == in.end ? 0 : -1;
}

void codec_put_groups(struct buffer *out, const struct series *series)
{
	for (unsigned k = 0; k + 1 < series->depth; k++) {
		for (size_t g = 0; g < series->groups[k];) {
			uint32_t size = series->starts[k][g + 1] - series->starts[k][g];
			size_t first = g;
			while (g < series->groups[k] && series->starts[k][g + 1] - series->starts[k][g] == size)
				g++;
			codec_put(out, size);
			codec_put(out, g - first);
		}
		codec_put(out, 0);
	}
}

/* The next group's size at level k; false at the end. */
static bool next_group(struct codec_walk *walk, unsigned k)
{
	if (walk->times[k] == 0 && (!codec_get(&walk->in[k], &walk->size[k]) || walk->size[k] == 0 ||
	                            !codec_get(&walk->in[k], &walk->times[k]) || walk->times[k] == 0))
		return false;
	walk->times[k]--;
	walk->left[k] = walk->size[k];
	return true;
}

int codec_walk_init(struct codec_walk *walk, const void *blob, size_t size, unsigned depth)
{
	struct codec_input in = input_of(blob, size);
	uint64_t number, times;
	memset(walk, 0, sizeof(*walk));
	if (depth < 2 || depth > LEVEL_COUNT)
		return -1;
	walk->depth = depth;
	for (unsigned k = 0; k + 1 < depth; k++) {
		walk->in[k] = in;
		do {
			if (!codec_get(&in, &number) || (number > 0 && !codec_get(&in, &times)))
				return -1;
		} while (number > 0);
		walk->in[k].end = in.at;
	}
	return in.at == in.end ? 0 : -1;
}

int codec_walk_next(struct codec_walk *walk, unsigned *open)
{
	unsigned k = walk->depth - 1;
	/* Up to the innermost group that is not full, then down again through new ones. */
	while (k > 0 && walk->left[k - 1] == 0)
		k--;
	*open = k;
	if (k > 0)
		walk->left[k - 1]--;
	for (; k + 1 < walk->depth; k++) {
		if (!next_group(walk, k))
			return -1;
		walk->left[k]--;
	}
	return 0;
}

static size_t find_text(const char *const *dictionary, size_t count, const char *text)
{
	size_t i = 0;
	while (i < count && dictionary[i] != text && strcmp(dictionary[i], text) != 0)
		i++;
	return i;
}

int codec_put_texts(struct buffer *out, const char *const *texts, size_t n)
{
	const char **dictionary = mem_alloc(MOST_TEXTS, sizeof(*dictionary));
	size_t count = 0;
	if (!dictionary)
		return -1;
	for (size_t i = 0; i < n && count < MOST_TEXTS; i++)
		if (find_text(dictionary, count, texts[i]) == count)
			dictionary[count++] = texts[i];
	codec_put(out, n);
	codec_put(out, count);
	for (size_t i = 0; i < count; i++) {
		codec_put(out, strlen(dictionary[i]));
		buffer_text_add(out, dictionary[i]);
	}
	if (count <= 2) {
		for (size_t i = 0; i < n; i += 8) {
			unsigned byte = 0;
			for (size_t bit = 0; bit < 8 && i + bit < n; bit++)
				byte |= (unsigned)find_text(dictionary, count, texts[i + bit]) << bit;
			buffer_char(out, (char)(unsigned char)byte);
		}
	} else {
		/* Beyond a full dictionary the text itself follows its number. */
		for (size_t i = 0; i < n; i++) {
			size_t index = find_text(dictionary, count, texts[i]);
			codec_put(out, index);
			if (index < count)
				continue;
			codec_put(out, strlen(texts[i]));
			buffer_text_add(out, texts[i]);
		}
	}
	mem_free(dictionary);
	return 0;
}

static bool get_text(struct codec_input *in, struct codec_input *text)
{
	uint64_t length;
	if (!codec_get(in, &length) || length > (uint64_t)(in->end - in->at))
		return false;
	*text = (struct codec_input){in->at, in->at + length};
	in->at += length;
	return true;
}

static int get_indices(struct codec_input *in, const struct codec_input *dictionary, size_t count, uint64_t n,
                       int (*take)(void *context, const char *text, size_t length), void *context)
{
	for (uint64_t i = 0; i < n; i++) {
		uint64_t index = 0;
		struct codec_input text;
		if (count <= 2) {
			if ((uint64_t)(in->end - in->at) <= i / 8)
				return -1;
			index = in->at[i / 8] >> i % 8 & 1;
		} else if (!codec_get(in, &index)) {
			return -1;
		}
		if (index < count)
			text = dictionary[index];
		else if (count < MOST_TEXTS || !get_text(in, &text))
			return -1;
		if (take(context, (const char *)text.at, (size_t)(text.end - text.at)) != 0)
			return -1;
	}
	return 0;
}

int codec_get_texts(const void *blob, size_t size, int (*take)(void *context, const char *text, size_t length),
                    void *context)
{
	struct codec_input in = input_of(blob, size);
	uint64_t n, count;
	if (!codec_get(&in, &n) || !codec_get(&in, &count) || count > MOST_TEXTS || (n > 0 && count == 0))
		return -1;
	struct codec_input *dictionary = mem_alloc(count ? (size_t)count : 1, sizeof(*dictionary));
	int status = dictionary ? 0 : -1;
	for (size_t i = 0; status == 0 && i < count; i++)
		status = get_text(&in, &dictionary[i]) ? 0 : -1;
	if (status == 0)
		status = get_indices(&in, dictionary, (size_t)count, n, take, context);
	mem_free(dictionary);
	return status;
}

void codec_put_times(struct buffer *out, const int64_t *times, size_t n)
{
	int64_t before = 0;
	for (size_t i = 0; i < n; i++) {
		if (times[i] > before) {
			codec_put(out, (uint64_t)(times[i] - before));
			before = times[i];
		} else {
			codec_put(out, 0);
		}
	}
}

int codec_get_times(const void *blob, size_t size, int64_t *times, size_t n)
{
	struct codec_input in = input_of(blob, size);
	uint64_t step;
	int64_t time = 0;
	for (size_t i = 0; i < n; i++) {
		if (!codec_get(&in, &step) || step > INT64_MAX || __builtin_add_overflow(time, (int64_t)step, &time))
			return -1;
		times[i] = time;
	}
	return in.at == in.end ? 0 : -1;
}
