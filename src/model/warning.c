#include "model/result.h"

#include "base/array.h"
#include "base/buffer.h"
#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_MAX = 1024 };

/* Code and text make a warning; one that is there already is not added again. The maps' copies are what the warning
 * holds: of the code, which many share, and of the key, the number of the code and the text with a NUL between them. */
static int add(struct result *result, const char *code, const char *about, const char *text)
{
	uint32_t of_code = map_text(&result->warning_codes, code, strlen(code));
	if (of_code == MAP_NONE)
		return -1;
	struct buffer key = {0};
	buffer_printf(&key, "%u", of_code);
	buffer_char(&key, '\0');
	buffer_text_add(&key, text);
	uint32_t number = key.out_of_memory ? MAP_NONE : map_text(&result->warning_keys, key.data, key.length);
	buffer_release(&key);
	if (number == MAP_NONE || number < result->warning_count)
		return number == MAP_NONE ? -1 : 0;
	const char *copy = result->warning_keys.text[number], *of = about ? arena_strdup(&result->arena, about) : NULL;
	if ((about && !of) || array_add_in(&result->arena, &result->warnings, result->warning_count) != 0) {
		map_truncate(&result->warning_keys, (uint32_t)result->warning_count);
		return -1;
	}
	result->warnings[result->warning_count++] = (struct warning){result->warning_codes.text[of_code],
	                                                             copy + strlen(copy) + 1, of};
	return 0;
}

int result_warn(struct result *result, const char *code, const char *format, ...)
{
	char text[TEXT_MAX];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return add(result, code, NULL, text);
}

int result_about_vwarn(struct result *result, const char *code, const char *about, const char *format, va_list args)
{
	char text[TEXT_MAX];
	int used = snprintf(text, sizeof(text), "%.*s: ", TEXT_MAX / 2, about);
	vsnprintf(text + used, sizeof(text) - (size_t)used, format, args);
	return add(result, code, about, text);
}

int result_about_warn(struct result *result, const char *code, const char *about, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int status = result_about_vwarn(result, code, about, format, args);
	va_end(args);
	return status;
}

const char *warning_rest(const struct warning *warning)
{
	const char *rest = warning->about ? strstr(warning->text, ": ") : NULL;
	size_t length = warning->about ? strlen(warning->about) : 0;
	/* A name that was cut does not matter: then it is told as it stands. */
	return rest && strncmp(warning->text, warning->about, length) == 0 && strncmp(warning->text + length, ": ", 2) == 0
	           ? warning->text + length + 2
	           : warning->text;
}

static int adopt_warning(struct result *to, const struct warning *warning)
{
	return add(to, warning->code, warning->about, warning->text);
}

void result_drop_warnings(struct result *result, size_t count)
{
	result->warning_count = count;
	map_truncate(&result->warning_keys, (uint32_t)count);
}

static bool begins_with_one_of(const char *text, const struct map *names)
{
	for (const char *at = text + strcspn(text, ":,"); *at; at += 1 + strcspn(at + 1, ":,"))
		if (at[1] == ' ' && map_find_text(names, text, (size_t)(at - text)) != MAP_NONE)
			return true;
	return false;
}

/* Those of that code, or whose text begins with one of the names. */
static int drop(struct result *result, const char *code, const struct map *names)
{
	size_t count = result->warning_count;
	struct warning *all = mem_alloc(count + 1, sizeof(*all));
	if (!all)
		return -1;
	for (size_t i = 0; i < count; i++)
		all[i] = result->warnings[i];
	struct map texts = result->warning_keys; /* what the warnings are in */
	result->warning_keys = (struct map){0};
	result->warning_count = 0;
	int status = 0;
	for (size_t i = 0; i < count && status == 0; i++)
		if (code ? strcmp(all[i].code, code) != 0 : !begins_with_one_of(all[i].text, names))
			status = adopt_warning(result, &all[i]);
	map_release(&texts);
	mem_free(all);
	return status;
}

int result_drop_warnings_about(struct result *result, const struct map *names)
{
	return drop(result, NULL, names);
}

int result_drop_warnings_of(struct result *result, const char *code)
{
	return drop(result, code, NULL);
}

int result_adopt_warnings(struct result *to, const struct result *from)
{
	for (size_t i = 0; i < from->warning_count; i++)
		if (adopt_warning(to, &from->warnings[i]) != 0)
			return -1;
	return 0;
}

int result_adopt_session_warnings(struct result *to, const struct result *from)
{
	static const char *const codes[] = {"design",   "failed",   "failures", "left-behind", "left-out",
	                                    "machine",  "metric",   "missing",  "monitor",     "moves",
	                                    "only-new", "only-old", "prints",   "skipped"};
	for (size_t i = 0; i < from->warning_count; i++)
		for (size_t k = 0; k < sizeof(codes) / sizeof(codes[0]); k++)
			if (strcmp(from->warnings[i].code, codes[k]) == 0 && adopt_warning(to, &from->warnings[i]) != 0)
				return -1;
	return 0;
}
