#include "analysis/matching.h"

#include "analysis/comparison.h"
#include "base/buffer.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/pattern.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { METRICS_NAMED = 3 };
#define NO_PARTNER SIZE_MAX

void matching_release(struct matching *matching)
{
	mem_free(matching->couples);
	*matching = (struct matching){NULL, 0};
}

/* ---- partners ---- */

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct parameter *)a)->name, ((const struct parameter *)b)->name);
}

/* Name, parameters in the order of their names, and how many of that key came before. */
static uint32_t number_of(struct map *map, const struct subject *subject, uint32_t before, struct buffer *key)
{
	struct parameter *sorted = mem_alloc(subject->parameter_count, sizeof(*sorted));
	if (!sorted)
		return MAP_NONE;
	for (size_t i = 0; i < subject->parameter_count; i++)
		sorted[i] = subject->parameters[i];
	qsort(sorted, subject->parameter_count, sizeof(*sorted), by_name);
	buffer_clear(key);
	buffer_text_add(key, subject->name);
	for (size_t i = 0; i < subject->parameter_count; i++)
		buffer_printf(key, "\x1f%s\x1f%s", sorted[i].name, sorted[i].value);
	buffer_printf(key, "\x1f\x1f%u", before);
	mem_free(sorted);
	return key->out_of_memory ? MAP_NONE : map_text(map, buffer_text(key), key->length);
}

/* The key of the k-th subject of a name and parameters; `seen` counts them by the number of the first's key. */
static uint32_t key_of(struct map *map, uint32_t *seen, const struct subject *subject, struct buffer *key)
{
	uint32_t first = number_of(map, subject, 0, key);
	if (first == MAP_NONE)
		return MAP_NONE;
	uint32_t before = seen[first]++;
	return before == 0 ? first : number_of(map, subject, before, key);
}

/* partner[i] of each old subject, or NO_PARTNER. A subject takes two keys at most. */
static int find_partners(struct result *result, size_t old_count, size_t *partner, struct error *err)
{
	size_t n = result->subject_count;
	struct map map = {0};
	struct buffer key = {0};
	uint32_t *seen = mem_zalloc(2 * n, sizeof(*seen));
	size_t *owner = mem_alloc(2 * n, sizeof(*owner)); /* the old subject of a key */
	int status = seen && owner ? 0 : error_memory(err);
	for (size_t i = 0; status == 0 && i < old_count; i++) {
		uint32_t number = key_of(&map, seen, &result->subjects[i], &key);
		partner[i] = NO_PARTNER;
		if (number == MAP_NONE)
			status = error_memory(err);
		else
			owner[number] = i;
	}
	uint32_t old_keys = map.count;
	if (status == 0)
		memset(seen, 0, 2 * n * sizeof(*seen));
	for (size_t i = old_count; status == 0 && i < n; i++) {
		struct subject *subject = &result->subjects[i];
		uint32_t number = key_of(&map, seen, subject, &key);
		if (number == MAP_NONE)
			status = error_memory(err);
		else if (number < old_keys)
			partner[owner[number]] = i;
		else /* another of that name came before, in whatever data */
			subject->repeated |= seen[number] == 0;
	}
	map_release(&map);
	buffer_release(&key);
	mem_free(seen);
	mem_free(owner);
	return status;
}

/* Which names are those of one subject alone, of each side. */
static int find_alone(const struct result *result, size_t first, size_t end, bool *alone)
{
	struct map map = {0};
	size_t *owner = mem_alloc(end - first, sizeof(*owner));
	int status = owner ? 0 : -1;
	for (size_t i = first; status == 0 && i < end; i++) {
		const char *name = result->subjects[i].name;
		uint32_t before = map.count, number = map_text(&map, name, strlen(name));
		if (number == MAP_NONE)
			status = -1;
		else if ((alone[i] = number == before))
			owner[number] = i;
		else
			alone[owner[number]] = false;
	}
	map_release(&map);
	mem_free(owner);
	return status;
}

/* What is left, by its name as files without parameters have it: what tare exported is known again. */
struct leftover {
	struct result *result;
	size_t old_count, *partner;
	bool *used, *alone;
	size_t *owner; /* the old subject of a name; NO_PARTNER: it is that of several */
};

/* Go's names have no blanks, and parameters behind slashes: "F/n=1", "sleep_0.1". */
static uint32_t number_of_name(const struct leftover *left, struct map *map, size_t i, bool alone, struct buffer *name)
{
	const struct subject *subject = &left->result->subjects[i];
	struct buffer part = {0};
	subject_written_name(subject, alone && left->alone[i], name);
	char *text = name->data;
	for (size_t p = 0; p < subject->parameter_count && !name->out_of_memory; p++) {
		buffer_clear(&part);
		buffer_printf(&part, "/%s=%s", subject->parameters[p].name, subject->parameters[p].value);
		char *slash = part.out_of_memory || name->length == 0 ? NULL : strstr(text, buffer_text(&part));
		if (slash)
			*slash = '_';
	}
	for (size_t k = 0; k < name->length; k++)
		if (isspace((unsigned char)text[k]))
			text[k] = '_';
	bool failed = name->out_of_memory || part.out_of_memory;
	buffer_release(&part);
	return failed ? MAP_NONE : map_text(map, buffer_text(name), name->length);
}

/* `alone`: commands are called by their names, where the other side says nothing of parameters. */
static int match_leftover(const struct leftover *left, bool alone, struct map *map, struct buffer *name)
{
	const struct subject *subjects = left->result->subjects;
	for (size_t i = 0; i < left->old_count; i++) {
		uint32_t before = map->count;
		uint32_t number = left->partner[i] == NO_PARTNER ? number_of_name(left, map, i, alone, name) : 0;
		if (number == MAP_NONE)
			return -1;
		if (left->partner[i] == NO_PARTNER)
			left->owner[number] = number == before ? i : NO_PARTNER;
	}
	uint32_t old_names = map->count;
	for (size_t i = left->old_count; i < left->result->subject_count; i++) {
		uint32_t number = left->used[i] ? old_names : number_of_name(left, map, i, alone, name);
		if (number == MAP_NONE)
			return -1;
		size_t old = number < old_names ? left->owner[number] : NO_PARTNER;
		if (old == NO_PARTNER || (alone && subjects[old].parameter_count > 0 && subjects[i].parameter_count > 0))
			continue;
		left->owner[number] = NO_PARTNER;
		left->partner[old] = i;
		left->used[i] = true;
	}
	return 0;
}

static int find_leftover(struct result *result, size_t old_count, size_t *partner, bool *used, struct error *err)
{
	size_t n = result->subject_count;
	struct leftover left = {
		result, old_count, partner, used, mem_zalloc(n, sizeof(*left.alone)), mem_alloc(n, sizeof(*left.owner))};
	struct buffer name = {0};
	int status = left.alone && left.owner && find_alone(result, 0, old_count, left.alone) == 0 &&
	                     find_alone(result, old_count, n, left.alone) == 0
	                 ? 0
	                 : -1;
	for (int alone = 0; status == 0 && alone < 2; alone++) {
		struct map map = {0};
		status = match_leftover(&left, alone, &map, &name);
		map_release(&map);
	}
	buffer_release(&name);
	mem_free(left.alone);
	mem_free(left.owner);
	return status == 0 ? 0 : error_memory(err);
}

/* ---- metrics ---- */

/* "wall in s, rate in B/s, …": the first few metrics of a subject. */
static void add_metrics(const struct subject *subject, struct buffer *out)
{
	for (size_t i = 0; i < subject->metric_count && i < METRICS_NAMED; i++) {
		const struct metric *metric = &subject->metrics[i].metric;
		buffer_printf(out, "%s%.30s%s%.20s", i ? ", " : "", metric->name, metric->unit[0] ? " in " : "", metric->unit);
		if (metric->better != better_from_unit(metric->unit))
			buffer_printf(out, " (%s is better)", metric->better == BETTER_HIGHER ? "higher" : "lower");
	}
	buffer_text_add(out, subject->metric_count == 0              ? "none"
	                     : subject->metric_count > METRICS_NAMED ? ", \xe2\x80\xa6"
	                                                             : "");
}

/* Says of a couple without a metric to compare by what each has. */
static int note_no_metric(struct result *result, const struct couple *couple, const char *asked, struct error *err)
{
	const struct subject *a = &result->subjects[couple->base], *b = &result->subjects[couple->new_];
	struct buffer text = {0};
	if (asked)
		buffer_printf(&text, "'%.60s' is not in both", asked);
	else
		buffer_text_add(&text, "no metric in common");
	buffer_text_add(&text, " (old: ");
	add_metrics(a, &text);
	buffer_text_add(&text, "; new: ");
	add_metrics(b, &text);
	buffer_text_add(&text, "); --columns and --unit say what a table holds");
	int status = text.out_of_memory || result_about_warn(result, "no-metric", a->name, "%s", buffer_text(&text)) != 0
	                 ? error_memory(err)
	                 : 0;
	buffer_release(&text);
	return status;
}

/* What a couple is compared by: the metric asked for, else the one that both documents were judged by, else the first
 * that both have. What the old data were judged by, or have first, is missing where the new data do not have it. */
static int choose_metric(struct result *result, struct couple *couple, const char *asked, struct error *err)
{
	const struct subject *a = &result->subjects[couple->base], *b = &result->subjects[couple->new_];
	bool differs = !asked && a->metric && b->metric && strcmp(a->metric, b->metric) != 0;
	const char *judged = asked ? asked : b->metric && !differs ? a->metric : NULL;
	couple->metric = comparison_metric(a, b, judged);
	if (!couple->metric && !asked)
		couple->metric = comparison_metric(a, b, NULL);
	if (!couple->metric)
		return note_no_metric(result, couple, asked, err);
	const char *own = a->metric ? a->metric : a->metrics[0].metric.name;
	if (!asked && !comparison_metric(a, b, own)) {
		const char *about = arena_printf(&result->arena, "%s, %s", a->name, own);
		if (!about ||
		    result_about_warn(result, "only-old", about, "only in the old data; compared by %s", couple->metric) != 0)
			return error_memory(err);
	}
	if (differs && result_about_warn(result, "judged-by", a->name,
	                                 "the old data was judged by %s, the new by %s: compared by %s (--metric chooses)",
	                                 a->metric, b->metric, couple->metric) != 0)
		return error_memory(err);
	return 0;
}

struct measurement *matching_metric(const struct subject *subject, const char *name, size_t place)
{
	if (place < subject->metric_count && strcmp(subject->metrics[place].metric.name, name) == 0)
		return &subject->metrics[place];
	return subject_find_metric(subject, name);
}

/* Warns of units that differ, where that is not the reason why nothing is compared. */
static int check_units(struct result *result, const struct couple *couple, struct error *err)
{
	const struct subject *a = &result->subjects[couple->base], *b = &result->subjects[couple->new_];
	for (size_t i = 0; couple->metric && i < a->metric_count; i++) {
		const struct metric *own = &a->metrics[i].metric;
		const struct measurement *other = matching_metric(b, own->name, i);
		if (other && strcmp(other->metric.unit, own->unit) != 0 &&
		    result_warn(result, "units", "%s: %s is in '%s' in one and in '%s' in the other; it is not compared",
		                a->name, own->name, own->unit, other->metric.unit) != 0)
			return error_memory(err);
	}
	return 0;
}

/* Where no couple has a metric the first one's reason is that of all. */
static int check_metrics(const struct result *result, const struct matching *matching, struct error *err)
{
	for (size_t i = 0; i < matching->count; i++)
		if (matching->couples[i].metric)
			return 0;
	const char *reason = "no metric in common";
	for (size_t i = result->warning_count; i-- > 0;)
		if (strcmp(result->warnings[i].code, "no-metric") == 0)
			reason = result->warnings[i].text;
	return error_full(err, ERROR_NO_DATA, NULL, "'tare analyze FILE' shows the metrics of a file",
	                  "nothing can be compared: %s", reason);
}

/* ---- couples ---- */

static int add_couple(struct result *result, const struct matching_options *options, struct couple couple,
                      struct matching *out, struct error *err)
{
	if (choose_metric(result, &couple, options->metric, err) != 0 || check_units(result, &couple, err) != 0)
		return -1;
	out->couples[out->count++] = couple;
	return 0;
}

static int note_new(struct result *result, const struct subject *subject, struct error *err)
{
	int status = subject->repeated ? result_about_warn(result, "name-twice", subject->name, "only in the new data")
	                               : result_about_warn(result, "only-new", subject->name, "only in the new data");
	return status == 0 ? 0 : error_memory(err);
}

/* Each side has one subject: commands and columns are called as one likes, a benchmark is known by its name and
 * parameters, and so is what is measured against a baseline. */
static bool is_renamed(const struct subject *old, const struct subject *new_, bool by_name)
{
	return by_name || old->benchmark || new_->benchmark;
}

/* Two builds have two command lines; two programs that are not to be compared have them too. */
static int note_names(struct result *result, const struct subject *old, const struct subject *new_, struct error *err)
{
	if (!old->command || !new_->command ||
	    result_warn(result, "names", "'%.60s' is compared with '%.60s': each side has one command", new_->name,
	                old->name) == 0)
		return 0;
	return error_memory(err);
}

/* The only subjects of both sides, under two names. */
static int add_renamed(struct result *result, const struct matching_options *options, struct matching *out,
                       struct error *err)
{
	const struct subject *old = &result->subjects[0], *new_ = &result->subjects[1];
	bool renamed = is_renamed(old, new_, options->by_name);
	if (renamed && result_about_warn(result, "only-old", old->name, "only in the old data; compared with %s",
	                                 subject_title(new_)) != 0)
		return error_memory(err);
	if (add_couple(result, options, (struct couple){.base = 0, .new_ = 1}, out, err) != 0)
		return -1;
	return renamed ? 0 : note_names(result, old, new_, err);
}

/* Of the old subjects, with whom each is compared. */
struct partners {
	size_t *of; /* NO_PARTNER: nobody */
	bool *used; /* of the new ones: by somebody */
	bool renamed;
};

static int find_all(struct result *result, size_t old_count, struct partners *out, struct error *err)
{
	size_t n = result->subject_count, left = 0;
	if (find_partners(result, old_count, out->of, err) != 0)
		return -1;
	for (size_t i = 0; i < old_count; i++)
		if (out->of[i] != NO_PARTNER)
			out->used[out->of[i]] = true;
		else
			left++;
	if (left > 0 && n - old_count > old_count - left && find_leftover(result, old_count, out->of, out->used, err) != 0)
		return -1;
	out->renamed = old_count == 1 && n == 2 && out->of[0] == NO_PARTNER;
	if (out->renamed)
		out->used[out->of[0] = 1] = true;
	return 0;
}

static int make_couples(struct result *result, size_t old_count, const struct matching_options *options,
                        const struct name_filter *filter, const struct partners *partners, struct matching *out,
                        struct error *err)
{
	for (size_t i = 0; i < old_count; i++) {
		const char *name = result->subjects[i].name;
		struct couple couple = {.base = i, .new_ = partners->of[i]};
		int keeps = name_filter_keeps(filter, name);
		if (keeps < 0)
			return error_memory(err);
		if (!keeps)
			continue;
		if (partners->renamed) {
			if (add_renamed(result, options, out, err) != 0)
				return -1;
		} else if (couple.new_ != NO_PARTNER) {
			if (add_couple(result, options, couple, out, err) != 0)
				return -1;
		} else if (result_about_warn(result, "only-old", name, "only in the old data") != 0) {
			return error_memory(err);
		}
	}
	for (size_t i = old_count; i < result->subject_count; i++) {
		int keeps = partners->used[i] ? 0 : name_filter_keeps(filter, result->subjects[i].name);
		if (keeps < 0)
			return error_memory(err);
		if (keeps && note_new(result, &result->subjects[i], err) != 0)
			return -1;
	}
	return 0;
}

int matching_find(struct result *result, size_t old_count, const struct matching_options *options, struct matching *out,
                  struct error *err)
{
	struct name_filter filter;
	*out = (struct matching){NULL, 0};
	if (name_filter_init(&filter, options->filter, err) != 0)
		return -1;
	struct partners partners = {.of = mem_alloc(old_count, sizeof(*partners.of)),
	                            .used = mem_zalloc(result->subject_count, sizeof(*partners.used))};
	*out = (struct matching){.couples = mem_alloc(old_count, sizeof(*out->couples))};
	int status = partners.of && partners.used && out->couples ? 0 : error_memory(err);
	if (status == 0)
		status = find_all(result, old_count, &partners, err);
	if (status == 0)
		status = make_couples(result, old_count, options, &filter, &partners, out, err);
	name_filter_release(&filter);
	mem_free(partners.of);
	mem_free(partners.used);
	if (status != 0)
		return -1;
	if (out->count > 0)
		return check_metrics(result, out, err);
	return error_full(err, ERROR_NO_DATA, NULL,
	                  "benchmarks are matched by name and parameters; 'tare analyze FILE' shows them",
	                  "no benchmark is in both%s", options->filter ? " and matches the filter" : "");
}
