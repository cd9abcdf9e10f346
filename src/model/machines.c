/* Group g of the machine level is machine g in every series: a subject that was not measured on a machine has one lost
 * value there. So a group tells its machine, and pairs keep their places. */
#include "model/machines.h"

#include "model/result.h"

#include <math.h>
#include <string.h>

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool has_level(const struct series *series)
{
	return series->depth > 2 && series->levels[0] == LEVEL_MACHINE;
}

const char *machines_only(const struct result *result)
{
	const struct design_info *design = &result->design;
	if (design->machine_count > 0)
		return design->machine_count == 1 ? design->machines[0].id : NULL;
	return result->host.id;
}

bool machines_differ(const struct result *a, const struct result *b)
{
	const char *one = machines_only(a), *other = machines_only(b);
	if (b->design.machine_count > 1)
		return false;
	return other && (a->design.machine_count > 1 || (one && strcmp(one, other) != 0));
}

/* Whether the order has an entry for each pair, or run, of every subject. */
static bool order_fits(const struct result *result)
{
	const struct design_info *design = &result->design;
	for (size_t s = 0; s < result->subject_count; s++)
		for (size_t m = 0; m < result->subjects[s].metric_count; m++) {
			const struct series *series = &result->subjects[s].metrics[m].series;
			size_t n = design->order_of_runs ? series->groups[series->depth - 2] : series->n;
			if (n != design->order_count)
				return false;
		}
	return design->order_count > 0;
}

static struct machine_info describe(const struct result *result)
{
	const struct design_info *design = &result->design;
	struct machine_info machine = {.id = result->host.id ? result->host.id : "",
	                               .name = result->host.node,
	                               .cpu = result->host.cpu,
	                               .cpus = result->host.cpus,
	                               .results = 1};
	if (design->machine_count == 1)
		machine = design->machines[0];
	if (!machine.order && order_fits(result)) {
		machine.order = design->order;
		machine.order_count = design->order_count;
	}
	return machine;
}

int machines_make_level(struct result *result, struct error *err)
{
	struct design_info *design = &result->design;
	if (design->level_count > 0 && design->levels[0] == LEVEL_MACHINE && design->machine_count > 0)
		return 0;
	struct machine_info *machine = arena_alloc(&result->arena, 1, sizeof(*machine));
	if (!machine)
		return error_memory(err);
	*machine = describe(result);
	for (size_t s = 0; s < result->subject_count; s++)
		for (size_t m = 0; m < result->subjects[s].metric_count; m++) {
			struct measurement *one = &result->subjects[s].metrics[m];
			one->phases = NULL; /* they are of the outermost groups */
			one->phase_count = 0;
			if (!has_level(&one->series) && series_wrap(&one->series, LEVEL_MACHINE, err) != 0)
				return -1;
		}
	if (design->level_count > 0 && design->level_count < LEVEL_COUNT && design->levels[0] != LEVEL_MACHINE) {
		memmove(design->levels + 1, design->levels, design->level_count * sizeof(*design->levels));
		design->levels[0] = LEVEL_MACHINE;
		design->level_count++;
	}
	design->machines = machine;
	design->machine_count = 1;
	design->order = NULL;
	design->order_count = 0;
	return 0;
}

static bool is_same(const struct subject *a, const struct subject *b)
{
	return same_text(a->name, b->name) && same_text(a->benchmark, b->benchmark) && a->side == b->side &&
	       subject_same_parameters(a, b);
}

static struct subject *find(const struct result *result, const struct subject *like, size_t hint)
{
	if (hint < result->subject_count && is_same(&result->subjects[hint], like))
		return &result->subjects[hint];
	for (size_t i = 0; i < result->subject_count; i++)
		if (is_same(&result->subjects[i], like))
			return &result->subjects[i];
	return NULL;
}

static int check(const struct result *into, const struct result *from, struct error *err)
{
	for (size_t s = 0; s < from->subject_count; s++) {
		const struct subject *one = &from->subjects[s], *have = find(into, one, s);
		for (size_t m = 0; have && m < one->metric_count; m++) {
			const struct measurement *more = &one->metrics[m], *old = subject_find_metric(have, more->metric.name);
			if (!old)
				continue;
			const struct series *a = &old->series, *b = &more->series;
			unsigned own = a->depth - 1; /* without the machine */
			const enum level *levels = has_level(b) ? b->levels + 1 : b->levels;
			if (own == b->depth - has_level(b) && memcmp(a->levels + 1, levels, own * sizeof(*levels)) == 0 &&
			    strcmp(old->metric.unit, more->metric.unit) == 0 && old->metric.better == more->metric.better)
				continue;
			return error_full(err, ERROR_INPUT, NULL, "measure all machines with the same options",
			                  "'%.60s' of '%.60s' has another unit or other levels than on another machine",
			                  more->metric.name, one->name);
		}
	}
	return 0;
}

/* A metric as on the other machines, for a subject that has none; machines before get a lost value. */
static struct measurement *add_metric(struct result *into, struct subject *subject, const struct measurement *like,
                                      size_t machines, struct error *err)
{
	enum level levels[LEVEL_COUNT] = {LEVEL_MACHINE};
	unsigned inside = like->series.depth - has_level(&like->series);
	memcpy(levels + 1, like->series.levels + has_level(&like->series), inside * sizeof(*levels));
	struct measurement *m = result_add_metric(into, subject, like->metric.name, like->metric.unit, like->metric.better,
	                                          levels, inside + 1);
	for (size_t i = 0; m && i < machines; i++)
		if (series_append(&m->series, 0, NAN, err) != 0)
			return NULL;
	struct index_goal *index = m ? measurement_own_index(into, m) : NULL;
	if (!index) {
		error_memory(err);
		return NULL;
	}
	index->wanted = like->index->wanted;
	m->mean_kind = like->mean_kind;
	m->pair_set = like->pair_set;
	m->quantum = like->quantum;
	m->skip_set = like->skip_set;
	return m;
}

/* The series of machine `machine` with what is new behind it; those of other machines as they are. */
static int insert(struct series *series, const struct series *more, size_t machine, struct error *err)
{
	struct series all;
	int status = 0;
	if (machine + 1 >= series->groups[0])
		return series_append_all(series, more, machine < series->groups[0] ? 1 : 0, err);
	series_init(&all, series->levels, series->depth);
	for (size_t g = 0; status == 0 && g < series->groups[0]; g++) {
		struct series one;
		status = series_group(&one, series, g, err);
		if (status != 0)
			break;
		status = series_append_all(&all, &one, 0, err);
		if (status == 0 && g == machine)
			status = series_append_all(&all, more, 1, err);
		series_release(&one);
	}
	if (status != 0) {
		series_release(&all);
		return -1;
	}
	series_release(series);
	*series = all;
	return 0;
}

/* The warm-up that each run was told to have; inserted in the middle it is that of all. */
static int add_skips(struct result *into, struct measurement *m, const struct measurement *more, bool last,
                     struct error *err)
{
	if (last && measurement_join_skips(into, m, more) != 0)
		return error_memory(err);
	if (!last)
		m->skip_count = 0;
	m->skip = more->skip > m->skip ? more->skip : m->skip;
	return 0;
}

static int add_subject(struct result *into, struct subject *have, const struct subject *one, size_t machine,
                       size_t machines, struct error *err)
{
	for (size_t i = 0; i < one->failure_count; i++)
		if (result_add_failure(into, have, one->failures[i]) != 0)
			return error_memory(err);
	for (size_t i = 0; i < one->metric_count; i++) {
		const struct measurement *more = &one->metrics[i];
		struct measurement *m = subject_find_metric(have, more->metric.name);
		struct series inside = {0};
		if (more->series.n == 0)
			continue;
		if (!m && !(m = add_metric(into, have, more, machines, err)))
			return -1;
		m->quantum = fmax(m->quantum, more->quantum);
		if (add_skips(into, m, more, machine + 1 >= m->series.groups[0], err) != 0)
			return -1;
		if (has_level(&more->series) && series_group(&inside, &more->series, 0, err) != 0)
			return -1;
		int status = insert(&m->series, has_level(&more->series) ? &inside : &more->series, machine, err);
		series_release(&inside);
		if (status != 0)
			return -1;
	}
	return 0;
}

/* Every series has a group for each machine. */
static int fill(struct result *result, size_t machines, struct error *err)
{
	for (size_t s = 0; s < result->subject_count; s++)
		for (size_t m = 0; m < result->subjects[s].metric_count; m++) {
			struct series *series = &result->subjects[s].metrics[m].series;
			while (series->groups[0] < machines)
				if (series_append(series, 0, NAN, err) != 0)
					return -1;
		}
	return 0;
}

static int join_orders(struct arena *arena, struct machine_info *machine, const struct machine_info *more,
                       struct error *err)
{
	size_t count = machine->order_count + more->order_count;
	bool known = machine->order && more->order;
	const char **order = known ? arena_alloc(arena, count, sizeof(*order)) : NULL;
	if (known && !order)
		return error_memory(err);
	if (known) {
		memcpy(order, machine->order, machine->order_count * sizeof(*order));
		memcpy(order + machine->order_count, more->order, more->order_count * sizeof(*order));
	}
	machine->order = order;
	machine->order_count = known ? count : 0;
	machine->results += more->results;
	return 0;
}

/* The place of the machine, a new one behind the others. */
static int place(struct result *into, const struct machine_info *machine, size_t *out, struct error *err)
{
	struct design_info *design = &into->design;
	for (size_t i = 0; i < design->machine_count; i++)
		if (strcmp(design->machines[i].id, machine->id) == 0) {
			*out = i;
			return join_orders(&into->arena, &design->machines[i], machine, err);
		}
	size_t n = design->machine_count;
	if ((n & (n - 1)) == 0) { /* full */
		struct machine_info *larger = arena_alloc(&into->arena, 2 * n, sizeof(*larger));
		if (!larger)
			return error_memory(err);
		memcpy(larger, design->machines, n * sizeof(*larger));
		design->machines = larger;
	}
	design->machines[n] = *machine;
	design->machine_count++;
	*out = n;
	return 0;
}

/* Comparisons spoke of fewer machines; what is compared, by what and in which units stays. */
static void forget_numbers(struct result *result)
{
	struct comparison *old = result->comparisons;
	size_t count = result->comparison_count;
	result->comparisons = NULL;
	result->comparison_count = 0;
	for (size_t i = 0; i < count; i++) {
		struct comparison *c = result_add_comparison(result);
		if (!c)
			return; /* found again by the analysis */
		c->base = old[i].base;
		c->new_ = old[i].new_;
		c->metric = old[i].metric;
		c->margin = old[i].margin;
		c->block = old[i].block;
		c->design = old[i].design;
		c->ci.level = old[i].ci.level;
		c->unresolved = "not yet analysed together";
	}
}

/* What the analysis of the first machine warned of. */
static void forget_analysis(struct result *result)
{
	struct result session;
	result_init(&session);
	if (result_adopt_session_warnings(&session, result) == 0) {
		result_drop_warnings(result, 0);
		result_adopt_session_warnings(result, &session);
	}
	result_release(&session);
}

static void drop_samples(struct result *result)
{
	for (size_t s = 0; s < result->subject_count; s++)
		for (size_t m = 0; m < result->subjects[s].metric_count; m++)
			series_release(&result->subjects[s].metrics[m].series);
	result->subject_count = 0;
}

int machines_add(struct result *into, struct result *from, struct error *err)
{
	struct machine_info machine = describe(from);
	size_t at;
	if (machines_make_level(into, err) != 0 || check(into, from, err) != 0)
		return -1;
	arena_adopt(&into->arena, &from->arena);
	size_t before = into->design.machine_count;
	int status = place(into, &machine, &at, err);
	for (size_t s = 0; status == 0 && s < from->subject_count; s++) {
		const struct subject *one = &from->subjects[s];
		struct subject *have = find(into, one, s);
		if (!have && (have = result_add_subject(into, one->name))) {
			*have = *one;
			have->metrics = NULL;
			have->failures = NULL;
			have->metric_count = have->failure_count = 0;
		}
		status = have ? add_subject(into, have, one, at, before, err) : error_memory(err);
	}
	if (status == 0)
		status = fill(into, into->design.machine_count, err);
	forget_analysis(into);
	if (status == 0 && result_adopt_session_warnings(into, from) != 0)
		status = error_memory(err);
	into->design.paired = into->design.paired && from->design.paired && same_text(into->design.name, from->design.name);
	if (from->elapsed > 0)
		into->elapsed = isnan(into->elapsed) ? from->elapsed : into->elapsed + from->elapsed;
	forget_numbers(into);
	drop_samples(from);
	result_release(from);
	return status;
}
