#include "base/buffer.h"
#include "base/map.h"
#include "base/memory.h"
#include "model/result.h"

#include <stdlib.h>
#include <string.h>

const char *subject_title(const struct subject *subject)
{
	return subject->title ? subject->title : subject->name;
}

static const char *value_of(const struct subject *subject, const char *parameter)
{
	for (size_t i = 0; i < subject->parameter_count; i++)
		if (strcmp(subject->parameters[i].name, parameter) == 0)
			return subject->parameters[i].value;
	return "";
}

bool subject_same_parameters(const struct subject *a, const struct subject *b)
{
	if (a->parameter_count != b->parameter_count)
		return false;
	for (size_t i = 0; i < a->parameter_count; i++)
		if (strcmp(value_of(b, a->parameters[i].name), a->parameters[i].value) != 0)
			return false;
	return true;
}

static int by_name(const void *a, const void *b)
{
	const struct subject *const *x = a, *const *y = b;
	int order = strcmp((*x)->name, (*y)->name);
	return order ? order : (*x > *y) - (*x < *y);
}

/* What differs among subjects of one name. */
struct differences {
	bool programs;
	struct map parameters; /* names of those with more than one value */
};

static int note_parameters(const struct subject *of, const struct subject *other, struct map *out)
{
	for (size_t i = 0; i < of->parameter_count; i++) {
		const struct parameter *p = &of->parameters[i];
		if (strcmp(value_of(other, p->name), p->value) != 0 && map_text(out, p->name, strlen(p->name)) == MAP_NONE)
			return -1;
	}
	return 0;
}

static int find_differences(struct subject *const *group, size_t count, struct differences *out)
{
	int status = 0;
	for (size_t i = 1; i < count && status == 0; i++) {
		const char *first = group[0]->program ? group[0]->program : "", *own = group[i]->program;
		out->programs |= strcmp(own ? own : "", first) != 0;
		status = note_parameters(group[i], group[0], &out->parameters);
		if (status == 0)
			status = note_parameters(group[0], group[i], &out->parameters);
	}
	return status;
}

static void add_part(struct buffer *text, const char *name, const char *value)
{
	buffer_text_add(text, text->length ? ", " : "");
	if (name)
		buffer_printf(text, "%s=", name);
	buffer_text_add(text, value);
}

static int make_title(struct result *result, const struct differences *differ, struct subject *subject)
{
	struct buffer text = {0};
	if (differ->programs && subject->program)
		add_part(&text, NULL, subject->program);
	for (size_t i = 0; i < subject->parameter_count; i++) {
		const struct parameter *p = &subject->parameters[i];
		if (map_find_text(&differ->parameters, p->name, strlen(p->name)) != MAP_NONE)
			add_part(&text, p->name, p->value);
	}
	bool failed = text.out_of_memory;
	if (text.length > 0 && !failed)
		failed = !(subject->title = arena_printf(&result->arena, "%s (%s)", subject->name, buffer_text(&text)));
	buffer_release(&text);
	return failed ? -1 : 0;
}

static int title_group(struct result *result, struct subject *const *group, size_t count)
{
	struct differences differ = {0};
	int status = find_differences(group, count, &differ);
	for (size_t k = 0; k < count && status == 0; k++)
		status = make_title(result, &differ, group[k]);
	map_release(&differ.parameters);
	return status;
}

int result_make_titles(struct result *result)
{
	size_t n = result->subject_count;
	struct subject **sorted = mem_alloc(n, sizeof(struct subject *));
	int status = sorted ? 0 : -1;
	for (size_t i = 0; status == 0 && i < n; i++) {
		result->subjects[i].title = NULL;
		sorted[i] = &result->subjects[i];
	}
	if (status == 0 && n > 1)
		qsort(sorted, n, sizeof(struct subject *), by_name);
	for (size_t i = 0, j; status == 0 && i < n; i = j) {
		for (j = i + 1; j < n && strcmp(sorted[j]->name, sorted[i]->name) == 0; j++)
			;
		if (j - i > 1)
			status = title_group(result, sorted + i, j - i);
	}
	mem_free(sorted);
	return status;
}
