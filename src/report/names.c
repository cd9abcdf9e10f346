#include "report/names.h"

#include "base/buffer.h"

#include <string.h>

static bool fits(const char *text, size_t columns, enum text_charset charset, struct buffer *fitted)
{
	buffer_clear(fitted);
	text_fit(fitted, text ? text : "", columns, charset);
	return strcmp(buffer_text(fitted), text ? text : "") == 0;
}

static int shorten(const char **text, size_t columns, enum text_charset charset, struct arena *arena)
{
	struct buffer fitted = {0};
	if (!*text)
		return 0;
	text_fit(&fitted, *text, columns, charset);
	*text = buffer_error(&fitted, NULL) == 0 ? arena_strdup(arena, buffer_text(&fitted)) : NULL;
	buffer_release(&fitted);
	return *text ? 0 : -1;
}

int names_shorten(const struct result *result, size_t columns, enum text_charset charset, struct arena *arena,
                  struct result *copy)
{
	struct buffer fitted = {0};
	bool all = true;
	*copy = *result;
	for (size_t i = 0; all && i < result->subject_count; i++) {
		const struct subject *subject = &result->subjects[i];
		all = fits(subject->name, columns, charset, &fitted) && fits(subject->title, columns, charset, &fitted) &&
		      fits(subject->benchmark, columns, charset, &fitted);
	}
	bool failed = fitted.out_of_memory;
	buffer_release(&fitted);
	if (failed || all) /* none is copied: there may be a million of them */
		return failed ? -1 : 0;
	copy->subjects = arena_alloc(arena, result->subject_count + 1, sizeof(*copy->subjects));
	int status = copy->subjects ? 0 : -1;
	for (size_t i = 0; status == 0 && i < result->subject_count; i++) {
		struct subject *subject = &copy->subjects[i];
		const char **names[] = {&subject->name, &subject->title, &subject->benchmark};
		*subject = result->subjects[i];
		for (size_t k = 0; status == 0 && k < sizeof(names) / sizeof(names[0]); k++)
			status = shorten(names[k], columns, charset, arena);
	}
	return status;
}
