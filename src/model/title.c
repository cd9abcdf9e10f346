#include "base/buffer.h"
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

/* Whether a parameter has more than one value among subjects of one name. */
static bool varies(struct subject *const *group, size_t count, const char *parameter)
{
	for (size_t i = 1; i < count; i++)
		if (strcmp(value_of(group[i], parameter), value_of(group[0], parameter)) != 0)
			return true;
	return false;
}

static void add_part(struct buffer *text, const char *name, const char *value)
{
	buffer_text_add(text, text->length ? ", " : "");
	if (name)
		buffer_printf(text, "%s=", name);
	buffer_text_add(text, value);
}

static int make_title(struct result *result, struct subject *const *group, size_t count, struct subject *subject)
{
	struct buffer text = {0};
	bool programs = false;
	for (size_t i = 1; i < count; i++)
		programs |= strcmp(group[i]->program ? group[i]->program : "", group[0]->program ? group[0]->program : "") != 0;
	if (programs && subject->program)
		add_part(&text, NULL, subject->program);
	for (size_t i = 0; i < subject->parameter_count; i++)
		if (varies(group, count, subject->parameters[i].name))
			add_part(&text, subject->parameters[i].name, subject->parameters[i].value);
	bool failed = text.out_of_memory;
	if (text.length > 0 && !failed)
		failed = !(subject->title = arena_printf(&result->arena, "%s (%s)", subject->name, buffer_text(&text)));
	buffer_release(&text);
	return failed ? -1 : 0;
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
		for (size_t k = i; k < j && j - i > 1 && status == 0; k++)
			status = make_title(result, sorted + i, j - i, sorted[k]);
	}
	mem_free(sorted);
	return status;
}
