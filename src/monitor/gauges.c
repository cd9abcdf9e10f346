#include "monitor/gauges.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int gauges_init(struct gauges *gauges, int capacity, double limit, struct error *err)
{
	*gauges = (struct gauges){.capacity = capacity, .limit = limit};
	size_t n = (size_t)capacity;
	gauges->gauges = mem_zalloc(n, sizeof(*gauges->gauges));
	gauges->ring = mem_zalloc(n * GAUGES_RING, sizeof(float));
	gauges->means = mem_zalloc(n * GAUGES_SLOTS, sizeof(float));
	gauges->peaks = mem_zalloc(n * GAUGES_SLOTS, sizeof(float));
	if (gauges->gauges && gauges->ring && gauges->means && gauges->peaks)
		return 0;
	gauges_release(gauges);
	return error_memory(err);
}

void gauges_release(struct gauges *gauges)
{
	mem_free(gauges->gauges);
	mem_free(gauges->ring);
	mem_free(gauges->means);
	mem_free(gauges->peaks);
	*gauges = (struct gauges){0};
}

int gauges_find(const struct gauges *gauges, const char *component, const char *quantity)
{
	for (int i = 0; i < gauges->count; i++)
		if (strcmp(gauges->gauges[i].component, component) == 0 && strcmp(gauges->gauges[i].quantity, quantity) == 0)
			return i;
	return GAUGES_NONE;
}

static void forget(struct gauge *gauge)
{
	gauge->sum = gauge->weight = gauge->slot_sum = gauge->slot_weight = 0;
	gauge->peak = gauge->slot_peak = NAN;
	gauge->above_from = gauge->longest_from = gauge->longest = 0;
	gauge->above_sum = gauge->above_weight = gauge->longest_sum = gauge->longest_weight = gauge->above_total = 0;
	gauge->above_peak = gauge->longest_peak = NAN;
}

static void remember(struct gauge *gauge)
{
	if (!(gauge->weight > 0))
		return;
	gauge->earlier_mean = gauge_mean(gauge);
	gauge->earlier_peak = gauge->peak;
	gauge->earlier_weight = gauge->weight;
}

int gauges_add(struct gauges *gauges, const char *component, const char *quantity, const char *unit,
               enum gauge_kind kind)
{
	char name[GAUGE_NAME], word[GAUGE_WORD];
	snprintf(name, sizeof(name), "%s", component);
	snprintf(word, sizeof(word), "%s", quantity);
	int found = gauges_find(gauges, name, word);
	if (found != GAUGES_NONE)
		return found;
	if (gauges->count == gauges->capacity) {
		gauges->refused++;
		return GAUGES_NONE;
	}
	int index = gauges->count++;
	struct gauge *gauge = &gauges->gauges[index];
	memcpy(gauge->component, name, sizeof(name));
	memcpy(gauge->quantity, word, sizeof(word));
	snprintf(gauge->unit, sizeof(gauge->unit), "%s", unit);
	gauge->kind = kind;
	gauge->value = NAN;
	forget(gauge);
	/* It appears in the midst of a trace: before that it was not seen. */
	for (size_t i = 0; i < GAUGES_SLOTS; i++)
		gauges->means[(size_t)index * GAUGES_SLOTS + i] = gauges->peaks[(size_t)index * GAUGES_SLOTS + i] = NAN;
	for (size_t i = 0; i < GAUGES_RING; i++)
		gauges->ring[(size_t)index * GAUGES_RING + i] = NAN;
	return index;
}

void gauges_set(struct gauges *gauges, int index, double value)
{
	if (index != GAUGES_NONE)
		gauges->gauges[index].value = value;
}

void gauges_note(struct gauges *gauges, int index, double mean, double peak, double seconds)
{
	if (index == GAUGES_NONE)
		return;
	struct gauge *gauge = &gauges->gauges[index];
	gauge->sum += mean * seconds;
	gauge->weight += seconds;
	gauge->peak = fmax(gauge->peak, peak);
}

void gauges_begin(struct gauges *gauges, int64_t now, int64_t slot)
{
	gauges->begin = gauges->slot_begin = gauges->last = now;
	gauges->slot_length = slot;
	gauges->slot = gauges->samples = gauges->ring_count = gauges->ring_next = 0;
	for (int i = 0; i < gauges->count; i++) {
		remember(&gauges->gauges[i]);
		forget(&gauges->gauges[i]);
	}
}

static void end_stretch(struct gauge *gauge, int64_t until)
{
	int64_t length = until - gauge->above_from;
	if (gauge->above_from && length > gauge->longest) {
		gauge->longest = length;
		gauge->longest_from = gauge->above_from;
		gauge->longest_sum = gauge->above_sum;
		gauge->longest_weight = gauge->above_weight;
		gauge->longest_peak = gauge->above_peak;
	}
	gauge->above_from = 0;
}

/* Time between measurements neither ends a stretch nor lengthens what it says of the gauge: a command that keeps a
 * disk busy keeps it busy in every run. */
static void count_measured(struct gauge *gauge, double limit, int64_t from, int64_t to)
{
	double seconds = (double)(to - from) / 1e9;
	gauge->sum += gauge->value * seconds;
	gauge->weight += seconds;
	gauge->peak = fmax(gauge->peak, gauge->value);
	if (!(gauge->value > limit)) {
		end_stretch(gauge, from);
		return;
	}
	if (!gauge->above_from) {
		gauge->above_from = from;
		gauge->above_sum = gauge->above_weight = 0;
		gauge->above_peak = NAN;
	}
	gauge->above_sum += gauge->value * seconds;
	gauge->above_weight += seconds;
	gauge->above_total += seconds;
	gauge->above_peak = fmax(gauge->above_peak, gauge->value);
}

static void merge_slots(struct gauges *gauges)
{
	for (int g = 0; g < gauges->count; g++) {
		float *means = gauges->means + (size_t)g * GAUGES_SLOTS, *peaks = gauges->peaks + (size_t)g * GAUGES_SLOTS;
		for (size_t i = 0; i < GAUGES_SLOTS / 2; i++) {
			float a = means[2 * i], b = means[2 * i + 1];
			means[i] = isnan(a) ? b : isnan(b) ? a : (a + b) / 2;
			peaks[i] = fmaxf(peaks[2 * i], peaks[2 * i + 1]);
		}
	}
	gauges->slot = GAUGES_SLOTS / 2;
	gauges->slot_length *= 2;
}

static void end_slot(struct gauges *gauges)
{
	for (int g = 0; g < gauges->count; g++) {
		struct gauge *gauge = &gauges->gauges[g];
		size_t at = (size_t)g * GAUGES_SLOTS + gauges->slot;
		gauges->means[at] = gauge->slot_weight > 0 ? (float)(gauge->slot_sum / gauge->slot_weight) : NAN;
		gauges->peaks[at] = (float)gauge->slot_peak;
		gauge->slot_sum = gauge->slot_weight = 0;
		gauge->slot_peak = NAN;
	}
	gauges->slot++;
	gauges->slot_begin += gauges->slot_length;
	if (gauges->slot == GAUGES_SLOTS)
		merge_slots(gauges);
}

/* Spreads a value over the slots that its time touches. */
static void fill_slots(struct gauges *gauges, int64_t from, int64_t to)
{
	while (from < to) {
		int64_t end = gauges->slot_begin + gauges->slot_length;
		int64_t until = to < end ? to : end;
		double seconds = (double)(until - from) / 1e9;
		for (int g = 0; g < gauges->count; g++) {
			struct gauge *gauge = &gauges->gauges[g];
			if (isnan(gauge->value))
				continue;
			gauge->slot_sum += gauge->value * seconds;
			gauge->slot_weight += seconds;
			gauge->slot_peak = fmax(gauge->slot_peak, gauge->value);
		}
		if (until == end)
			end_slot(gauges);
		from = until;
	}
}

void gauges_commit(struct gauges *gauges, int64_t now, bool counts)
{
	if (now <= gauges->last)
		return;
	for (int g = 0; g < gauges->count; g++) {
		struct gauge *gauge = &gauges->gauges[g];
		gauges->ring[(size_t)g * GAUGES_RING + gauges->ring_next] = (float)gauge->value;
		if (counts && !isnan(gauge->value))
			count_measured(gauge, gauge->kind == GAUGE_USE ? gauges->limit : INFINITY, gauges->last, now);
		else if (isnan(gauge->value))
			end_stretch(gauge, gauges->last);
	}
	fill_slots(gauges, gauges->last, now);
	gauges->ring_next = (gauges->ring_next + 1) % GAUGES_RING;
	gauges->ring_count += gauges->ring_count < GAUGES_RING;
	gauges->last = now;
	gauges->samples++;
}

void gauges_finish(struct gauges *gauges)
{
	for (int g = 0; g < gauges->count; g++)
		end_stretch(&gauges->gauges[g], gauges->last);
	if (gauges->last > gauges->slot_begin)
		end_slot(gauges);
}

double gauge_mean(const struct gauge *gauge)
{
	return gauge->weight > 0 ? gauge->sum / gauge->weight : NAN;
}

double gauge_any_mean(const struct gauge *gauge)
{
	if (gauge->weight > 0)
		return gauge_mean(gauge);
	return gauge->earlier_weight > 0 ? gauge->earlier_mean : NAN;
}

size_t gauges_recent(const struct gauges *gauges, int index, float out[GAUGES_RING])
{
	for (size_t i = 0; i < gauges->ring_count; i++) {
		size_t at = (gauges->ring_next + GAUGES_RING - gauges->ring_count + i) % GAUGES_RING;
		out[i] = gauges->ring[(size_t)index * GAUGES_RING + at];
	}
	return gauges->ring_count;
}
