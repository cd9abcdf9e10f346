/* The gauges of a monitor: what is watched, its last values, and its trace in bounded memory.
 *
 * Everything is allocated by gauges_init(); adding, setting and committing allocate nothing, so that a
 * sampler disturbs no more than it must. Each gauge has a ring of its last GAUGES_RING values, and a trace of at most
 * GAUGES_SLOTS slots over the whole time: when the slots are used up, neighbours are merged and a slot lasts twice as
 * long from then on. Means and peaks of a slot stay exact under merging. */
#ifndef TARE_MONITOR_GAUGES_H
#define TARE_MONITOR_GAUGES_H

#include "base/error.h"
#include "model/monitoring.h"

enum { GAUGES_RING = 64, GAUGES_SLOTS = 240, GAUGES_NONE = -1 };

struct gauge {
	char component[GAUGE_NAME], quantity[GAUGE_WORD], unit[GAUGE_WORD];
	enum gauge_kind kind;
	double value;             /* now; NaN: not known */
	double sum, weight, peak; /* over the time in which something was measured, seconds */
	double slot_sum, slot_weight, slot_peak;
	int64_t above_from; /* instant since when it is above the limit; 0: it is not */
	double above_sum, above_weight, above_peak;
	int64_t longest_from, longest; /* the longest stretch so far, ns */
	double longest_sum, longest_weight, longest_peak;
	double above_total; /* seconds above the limit, all stretches */
	double earlier_mean, earlier_peak,
		earlier_weight; /* before gauges_begin() was called again; stays until it is seen again */
};

struct gauges {
	struct gauge *gauges;
	int count, capacity, refused; /* refused: gauges for which there was no room */
	double limit;                 /* for stretches above it; NaN: none are kept */
	float *ring;                  /* gauge × GAUGES_RING */
	float *means, *peaks;         /* gauge × GAUGES_SLOTS */
	size_t ring_next, ring_count;
	size_t slot;                            /* complete ones */
	int64_t begin, slot_begin, slot_length; /* instants and duration, ns */
	int64_t last;                           /* instant of the last commit */
	size_t samples;
};

int gauges_init(struct gauges *gauges, int capacity, double limit, struct error *err);
void gauges_release(struct gauges *gauges);

/* The index of a gauge, new if it is not there; GAUGES_NONE when there is no room. Names that are too long are cut. */
int gauges_add(struct gauges *gauges, const char *component, const char *quantity, const char *unit,
               enum gauge_kind kind);
int gauges_find(const struct gauges *gauges, const char *component, const char *quantity); /* or GAUGES_NONE */

/* Sets the value of now; ignored for GAUGES_NONE. */
void gauges_set(struct gauges *gauges, int index, double value);

/* What a gauge was over `seconds` of measured time, told at once: for what has no value of now. */
void gauges_note(struct gauges *gauges, int index, double mean, double peak, double seconds);

/* Starts the time at `now`, forgetting what was before; a slot lasts at least `slot` ns. Values stay. */
void gauges_begin(struct gauges *gauges, int64_t now, int64_t slot);

/* The values hold for the time from the last commit until `now`. With `counts` false the time belongs to no
 * measurement: it is in the trace and nowhere else. */
void gauges_commit(struct gauges *gauges, int64_t now, bool counts);

/* Ends stretches that are still going on. */
void gauges_finish(struct gauges *gauges);

/* Mean over the measured time; NaN where there was none. */
double gauge_mean(const struct gauge *gauge);

/* The same; of what was only seen before gauges_begin() was called again, that. */
double gauge_any_mean(const struct gauge *gauge);

/* The last values of a gauge, oldest first; how many. */
size_t gauges_recent(const struct gauges *gauges, int index, float out[GAUGES_RING]);

#endif
