/* Pairs inside a table: series of the same benchmark and metric, by their pair keys. A series that has no partner in
 * its table keeps its keys where the import asks for them: the partner may be in another file. */
#include "exchange/csv_table.h"

#include "base/memory.h"
#include "model/pairing.h"

static struct measurement *measurement_of(const struct csv_table *t, const struct csv_series *series)
{
	return &t->import->out->subjects[series->in_subject].metrics[series->in_metrics];
}

/* The order inside each pair, of the values that stayed; each set of pairs has its own. The longest is the design's. */
static int set_order(struct csv_table *t, struct csv_series *const *set, size_t members, const struct pairing *pairing)
{
	struct design_info *design = &t->import->out->design;
	struct arena *arena = &t->import->out->arena;
	const uint8_t *order = set[0]->gathered.order;
	size_t count = pairing && pairing->kept ? pairing->kept_count : set[0]->gathered.rows;
	if (!order)
		return 0;
	const char **entries = arena_alloc(arena, count, sizeof(*entries));
	const char **texts = arena_alloc(arena, 256, sizeof(*texts));
	if (!entries || !texts)
		return error_memory(t->import->err);
	texts[0] = "";
	for (uint32_t i = 0; i < t->orders.count && i < 255; i++)
		if (!(texts[i + 1] = arena_strdup(arena, t->orders.text[i])))
			return error_memory(t->import->err);
	for (size_t i = 0; i < count; i++)
		entries[i] = texts[order[pairing && pairing->kept ? pairing->kept[i] : i]];
	for (size_t m = 0; m < members; m++) {
		measurement_of(t, set[m])->order = entries;
		measurement_of(t, set[m])->order_count = (uint32_t)count;
	}
	if (count > design->order_count) {
		design->order = entries;
		design->order_count = count;
	}
	return 0;
}

static int occurs_twice(struct csv_table *t, uint32_t pair)
{
	char key[24];
	struct error *err = t->import->err;
	return error_full(err, ERROR_INPUT, t->import->input->name,
	                  "a pair has one row of each subject; if pairs are counted anew in each run, name the run: "
	                  "--columns run=COLUMN",
	                  "pair '%.80s' occurs twice for one subject", pair_names_text(t->names, pair, key, sizeof(key)));
}

struct pairs {
	struct csv_series **sorted; /* those of one set together */
	size_t *ends;               /* by set */
	size_t aligned;             /* sets */
	size_t alone;               /* series without partner */
	size_t single;              /* those of them that are a set by themselves */
	size_t dropped;             /* values without partner */
};

/* Sets of their own, so that nothing is a pair by its place alone. */
static void set_apart(struct csv_table *t, struct csv_series *const *set, size_t count, struct pairs *pairs)
{
	for (size_t i = 0; i < count; i++)
		measurement_of(t, set[i])->pair_set = t->align_keys.count + (uint32_t)pairs->alone++;
}

/* Aligns the series of one set, which are at least two. */
static int align_set(struct csv_table *t, struct csv_series *const *set, size_t count, size_t number,
                     struct pairs *pairs)
{
	struct pairing pairing;
	struct series **series = mem_alloc(count, sizeof(struct series *));
	if (!series)
		return error_memory(t->import->err);
	for (size_t i = 0; i < count; i++)
		series[i] = &measurement_of(t, set[i])->series;
	int status = pairing_align(series, count, &pairing, t->import->err);
	mem_free(series);
	if (status < 0)
		return t->import->err->kind == ERROR_INPUT ? occurs_twice(t, pairing.twice) : -1;
	if (status == 0) {
		set_apart(t, set, count, pairs);
		return result_warn(t->import->out, "pairs", "subjects have no pair in common: not paired") == 0
		           ? 0
		           : error_memory(t->import->err);
	}
	for (size_t i = 0; i < count; i++)
		measurement_of(t, set[i])->pair_set = (uint32_t)number;
	pairs->dropped += pairing.dropped;
	pairs->aligned++;
	status = set_order(t, set, count, &pairing);
	pairing_release(&pairing);
	return status;
}

static void sort_by_set(const struct csv_table *t, struct pairs *pairs)
{
	struct csv_series *series;
	for (size_t i = 0; (series = csv_next_series(t, &i));)
		pairs->ends[series->align]++;
	size_t at = 0;
	for (uint32_t number = 0; number < t->align_keys.count; number++) {
		size_t size = pairs->ends[number];
		pairs->ends[number] = at;
		at += size;
	}
	for (size_t i = 0; (series = csv_next_series(t, &i));)
		pairs->sorted[pairs->ends[series->align]++] = series;
}

static int warn(struct csv_table *t, const struct pairs *pairs)
{
	struct result *out = t->import->out;
	size_t n = pairs->dropped;
	int status = 0;
	if (n > 0)
		status |= result_warn(out, "partnerless", "%zu value%s no partner and %s left out", n,
		                      n == 1 ? " has" : "s have", n == 1 ? "is" : "are");
	if (pairs->single > 0 && pairs->aligned == 0 && !t->import->options->pair_names)
		status |= result_warn(
			out, "pairs", "the pairs have one side here and are not used; tare compare pairs the values of two files");
	return status ? error_memory(t->import->err) : 0;
}

static int align(struct csv_table *t, struct pairs *pairs)
{
	bool across = t->import->options->pair_names && t->columns.pair_asked;
	size_t first = 0;
	int status = 0;
	for (uint32_t number = 0; status == 0 && number < t->align_keys.count; number++) {
		size_t count = pairs->ends[number] - first;
		pairs->single += count == 1;
		if (count >= 2 && !across)
			status = align_set(t, pairs->sorted + first, count, number, pairs);
		else
			set_apart(t, pairs->sorted + first, count, pairs);
		first = pairs->ends[number];
	}
	return status;
}

/* Keys that may find their partners in another file stay. */
static void forget_keys(struct csv_table *t)
{
	bool keep = t->import->options->pair_names && !t->columns.sides[0];
	struct csv_series *series;
	for (size_t i = 0; !keep && (series = csv_next_series(t, &i));)
		series_forget_pairs(&measurement_of(t, series)->series);
}

int csv_pair(struct csv_table *t)
{
	struct design_info *design = &t->import->out->design;
	struct pairs pairs = {.dropped = t->partnerless};
	pairs.sorted = mem_alloc((size_t)t->keys.count * t->value_count, sizeof(struct csv_series *));
	pairs.ends = mem_zalloc(t->align_keys.count, sizeof(*pairs.ends));
	int status = pairs.sorted && pairs.ends ? 0 : error_memory(t->import->err);
	if (status == 0) {
		sort_by_set(t, &pairs);
		status = align(t, &pairs);
	}
	forget_keys(t);
	design->paired = pairs.aligned > 0;
	if (status == 0 && pairs.aligned == 0 && pairs.alone == 1 && t->import->options->pair_names)
		status = set_order(t, pairs.sorted, 1, NULL);
	if (design->order_count == 0)
		design->order = NULL;
	mem_free(pairs.sorted);
	mem_free(pairs.ends);
	return status == 0 ? warn(t, &pairs) : status;
}
